//! A path of equilibria as a test looks at it.

use crate::common;
use coulisse::continuation::{Ended, Station, follow};
use coulisse::model::statics::StaticPath;
use coulisse::system::System;

/// A point of a path with the outputs of the model.
pub struct Row {
    pub station: Station,
    pub factor: f64,
    pub unstable: u32,
    pub values: Vec<f64>,
}

pub struct Trace {
    names: Vec<String>,
    pub rows: Vec<Row>,
    pub ended: Ended,
}

impl Trace {
    /// The path of the model's `[static]` section, with changes.
    pub fn of(text: &str, values: &[(&str, f64)], change: impl Fn(&mut StaticPath)) -> Trace {
        let model = common::check(text, values).unwrap_or_else(|faults| panic!("{faults}"));
        let system = System::build(&model).unwrap_or_else(|fault| panic!("{fault}"));
        let inputs: Vec<f64> = model.inputs.iter().map(|i| i.start).collect();
        let mut path = model.statics.clone().expect("[static]");
        change(&mut path);
        let mut rows = Vec::new();
        let ended = follow(&system, &inputs, &path, &mut |point| {
            let values = model.outputs.iter();
            rows.push(Row {
                station: point.station,
                factor: point.factor,
                unstable: point.state.unstable_modes,
                values: values.map(|o| system.read(point.state, o.output)).collect(),
            });
        });
        Trace {
            names: model.outputs.iter().map(|o| o.path.clone()).collect(),
            rows,
            ended: ended.unwrap_or_else(|fault| panic!("{fault}")),
        }
    }

    pub fn get(&self, row: &Row, path: &str) -> f64 {
        let index = self.names.iter().position(|name| name == path);
        row.values[index.unwrap_or_else(|| panic!("no output `{path}`"))]
    }

    pub fn end(&self, path: &str) -> f64 {
        assert_eq!(self.ended, Ended::Reached, "{} points", self.rows.len());
        self.get(self.rows.last().expect("points"), path)
    }

    pub fn at(&self, wanted: impl Fn(Station) -> bool) -> Vec<&Row> {
        self.rows.iter().filter(|row| wanted(row.station)).collect()
    }

    pub fn limits(&self) -> Vec<&Row> {
        self.at(|station| station == Station::Limit)
    }

    pub fn bifurcations(&self) -> Vec<&Row> {
        self.at(|station| matches!(station, Station::Bifurcation { .. }))
    }
}

/// Whether `value` is within a `share` of `exact`.
pub fn is_near(value: f64, exact: f64, share: f64) {
    assert!((value - exact).abs() <= share * exact.abs(), "{value}, exact {exact}");
}
