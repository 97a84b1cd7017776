//! A law in one line.

use super::Friction;
use super::number::{Key, Need, Place};
use crate::message::figure;

impl Friction {
    /// The law with every number that is not its default: "stribeck: static_coefficient 0.6, …, decay_velocity 0.05 m/s".
    pub fn summary(&self) -> String {
        let mut numbers: Vec<(String, &Key, Vec<f64>)> = Vec::new();
        self.map(&mut |place, value| {
            let label = Place { index: None, ..place }.to_string();
            match numbers.last_mut() {
                Some((before, _, list)) if *before == label => list.push(*value),
                _ => numbers.push((label, place.key, vec![*value])),
            }
            *value
        });
        let is_default = |(_, key, list): &(String, &Key, Vec<f64>)| match key.need {
            Need::Default(own) => list[..] == [own],
            _ => false,
        };
        let formulas = self.formulas().into_iter();
        let formulas = formulas.filter_map(|(key, formula)| {
            Some(format!("{key} \"{}\"", formula.function.as_ref()?.text))
        });
        let numbers = (numbers.iter().filter(|number| !is_default(number)))
            .map(|(label, key, list)| shown(label, key, list));
        let mut parts: Vec<String> = formulas.chain(numbers).collect();
        if self.kind().feels_inertia {
            parts.push("transition siqueira_coda_2023".to_owned());
        }
        let separator = if parts.is_empty() { "" } else { ": " };
        format!("{}{separator}{}", self.name(), parts.join(", "))
    }
}

/// "decay_velocity 0.05 m/s"; of a long list how many numbers it has.
fn shown(label: &str, key: &Key, list: &[f64]) -> String {
    const LONGEST: usize = 8;
    let numbers = match (key.need, list) {
        (Need::List | Need::OptionalList, list) if list.len() > LONGEST => {
            return format!("{label} of {} numbers", list.len());
        }
        (Need::List | Need::OptionalList, list) => {
            let numbers: Vec<String> = list.iter().map(|&number| figure(number)).collect();
            format!("[{}]", numbers.join(", "))
        }
        (_, list) => list.iter().map(|&number| figure(number)).collect(),
    };
    match key.quantity.unit() {
        "" | "1" => format!("{label} {numbers}"),
        unit => format!("{label} {numbers} {unit}"),
    }
}
