//! Derivatives of the outputs of a run by numbers of its model, row by row.

use anyhow::{Result, anyhow, bail};
use coulisse::fmu::Built;
use coulisse::message::rounded;
use coulisse::model::Model;
use coulisse::sensitivity::Sensitivities;

use crate::host::Slave;
use crate::master::Given;
use crate::results::Column;

/// The derivatives of a run that goes on beside its slave.
pub struct Derivatives {
    names: Vec<String>,
    /// The columns of each name.
    columns: Vec<Column>,
    all: Sensitivities,
    /// Places of the outputs that are derived, among those of the model.
    places: Vec<usize>,
    step: (f64, Vec<f64>),
}

impl Derivatives {
    /// Of the run of `slave`, which is at its start with the values that were `set`, of the outputs in these columns.
    ///
    /// # Errors
    /// For an FMU; what the library says of the numbers.
    pub fn of(
        names: &[String], slave: &dyn Slave, set: &Given, outputs: &[Column],
    ) -> Result<Derivatives> {
        let (Some(model), Some((built, state))) = (slave.model(), slave.mechanism()) else {
            bail!("an FMU does not show its inside; --sensitivity takes a model file (TOML)");
        };
        let model = as_set(model, built, set)?;
        let named: Vec<&str> = names.iter().map(String::as_str).collect();
        let all = Sensitivities::start(&model, &named, &state.inputs)
            .map_err(|fault| anyhow!("--sensitivity: {fault}"))?;
        let outputs: Vec<&Column> = outputs.iter().filter(|column| column.is_real).collect();
        let place = |column: &&Column| {
            let paths = built.system.model().outputs.iter();
            paths.map(|output| output.path.as_str()).position(|path| path == column.name)
        };
        let places = outputs.iter().filter_map(place).collect();
        let columns = names.iter().flat_map(|name| {
            let unit = model.unit_of(name).unwrap_or_default();
            let column = move |output: &&Column| Column {
                name: title(&output.name, name),
                unit: ratio(&output.unit, unit),
                description: format!("derivative of {} by {name}", output.name),
                is_real: true,
            };
            outputs.iter().map(column).collect::<Vec<_>>()
        });
        Ok(Derivatives {
            columns: columns.collect(),
            names: names.to_vec(),
            all,
            places,
            step: (0.0, Vec::new()),
        })
    }

    /// The columns of these derivatives.
    pub fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    /// Keeps what the slave is given for its next step.
    pub fn before(&mut self, slave: &dyn Slave, time: f64) {
        if let Some((_, state)) = slave.mechanism() {
            self.step.0 = time;
            self.step.1.clone_from(&state.inputs);
        }
    }

    /// Goes on to the `time` at which the slave is.
    pub fn advance(&mut self, time: f64) {
        self.all.advance(&self.step.1, self.step.0, time - self.step.0);
    }

    /// The derivatives where the run is, one by number after the other; NaN where there is none.
    pub fn row(&self) -> impl Iterator<Item = f64> {
        let each = (0..self.names.len()).map(|name| self.all.of(name));
        each.flat_map(|slopes| self.places.iter().map(|place| slopes[*place]))
    }

    /// By which numbers there are none from some time on.
    pub fn warnings(&self) -> Vec<String> {
        let lost =
            self.names.iter().enumerate().filter_map(|(k, name)| Some((name, self.all.lost(k)?)));
        let text = |(name, lost): (&String, &coulisse::sensitivity::Lost)| {
            format!(
                "no derivatives by `{name}` from t = {} s on: {}",
                rounded(lost.time, 9),
                lost.reason
            )
        };
        lost.map(text).collect()
    }
}

/// The model of a slave with the values that were set in it.
fn as_set(model: &Model, built: &Built, set: &Given) -> Result<Model> {
    let inputs = &built.system.model().inputs;
    let mut model = model.clone();
    let set = set.iter().map(|(variable, value)| (&variable.name, value));
    for (name, value) in set.filter(|(name, _)| inputs.iter().all(|i| i.path != **name)) {
        model = model.with_value(name, *value).map_err(|fault| anyhow!("{fault}"))?;
    }
    Ok(model)
}

/// Name of the derivative of an output by a number.
fn title(output: &str, number: &str) -> String {
    format!("d({output})/d({number})")
}

/// Unit of a derivative.
fn ratio(above: &str, below: &str) -> String {
    let single = |unit: &str| !unit.contains(['/', '.']);
    match (above, below) {
        (_, "" | "1") => above.to_owned(),
        ("" | "1", _) if single(below) => format!("1/{below}"),
        ("" | "1", _) => format!("1/({below})"),
        (_, _) if above == below => String::new(),
        (_, _) if single(below) => format!("{above}/{below}"),
        (_, _) => format!("{above}/({below})"),
    }
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    fn units_of_derivatives_are_ratios() {
        let found = [("m", "m/s2"), ("m", "kg"), ("", "s"), ("N", ""), ("m", "m"), ("1", "N.m")];
        let found = found.map(|(above, below)| ratio(above, below));
        assert_eq!(found, ["m/(m/s2)", "m/kg", "1/s", "N", "", "1/(N.m)"]);
    }
}
