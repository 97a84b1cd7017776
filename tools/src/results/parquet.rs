//! Results as a file of Apache Parquet.

use std::sync::Arc;

use anyhow::Result;
use parquet::basic::{Encoding, Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::Results;

/// A `.parquet` file: a column of doubles for `time` and each output, by its name, in one group of rows. The units are in
/// the metadata of the file, as an object of JSON from names to units under the key `units`.
///
/// Pages are plain and uncompressed: doubles of a motion hardly become smaller.
///
/// # Errors
/// None that a table can have.
pub fn bytes(results: &Results) -> Result<Vec<u8>> {
    let names = results.named(|c| &c.name, "time");
    let units = names.iter().zip(results.named(|c| &c.unit, "s"));
    let units: serde_json::Map<String, serde_json::Value> =
        units.map(|(name, unit)| ((*name).to_owned(), unit.into())).collect();
    let fields = names.iter().map(|name| {
        let column = Type::primitive_type_builder(name, Physical::DOUBLE);
        column.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
    });
    let schema = Type::group_type_builder("schema").with_fields(fields.collect::<Result<_, _>>()?);
    let entry = KeyValue::new("units".to_owned(), serde_json::to_string(&units)?);
    let about = WriterProperties::builder()
        .set_created_by(concat!("coulisse ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(vec![entry]))
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::PLAIN)
        .set_statistics_enabled(EnabledStatistics::None)
        .build();
    let mut writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema.build()?), Arc::new(about))?;
    let mut group = writer.next_row_group()?;
    let mut index = 0;
    while let Some(mut column) = group.next_column()? {
        let values: Vec<f64> = match index {
            0 => results.times.clone(),
            output => results.column(output - 1).collect(),
        };
        column.typed::<DoubleType>().write_batch(&values, None, None)?;
        column.close()?;
        index += 1;
    }
    group.close()?;
    Ok(writer.into_inner()?)
}
