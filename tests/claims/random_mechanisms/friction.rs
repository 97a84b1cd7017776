//! Random friction laws, as the model file writes them.

use std::fmt::Write;

use coulisse::laws::friction::Friction;

use super::dice::Dice;

/// The laws that hold at rest.
const HOLD: [&str; 3] = ["coulomb", "stribeck", "table"];

/// Keys whose numbers stay near those of the samples.
const DIMENSIONLESS: [&str; 5] = ["coefficient", "factors", "slopes", "exponent", "change"];

/// A line `friction.LAW = …` of a joint, or nothing.
pub fn friction(dice: &mut Dice) -> String {
    let mut samples = Friction::samples();
    samples.retain(|law| law.formulas().is_empty());
    // Half of them those that hold, whose states change.
    let holding: Vec<&Friction> =
        (samples.iter()).filter(|law| HOLD.contains(&law.name())).collect();
    let law = if dice.chance(0.5) {
        dice.choose(&holding)
    } else {
        dice.choose(&samples.iter().collect::<Vec<_>>())
    };
    // Most random numbers go together.
    let varied = (0..8).find_map(|_| vary(law, dice).admitted());
    written(varied.as_ref().unwrap_or(law))
}

/// The law with other numbers; those of a list have the same factor.
fn vary(law: &Friction, dice: &mut Dice) -> Friction {
    let mut factor = 1.0;
    law.map(&mut |place, value| {
        if place.index.is_none_or(|index| index == 0) {
            let near = DIMENSIONLESS.iter().any(|part| place.key.name.contains(part));
            factor = if near && place.key.name != "viscous_coefficient" {
                dice.between(0.4, 1.2)
            } else {
                dice.scale(0.1, 10.0)
            };
        }
        let value = value * factor;
        format!("{value:.5e}").parse().unwrap_or(value)
    })
}

fn written(law: &Friction) -> String {
    if *law == Friction::None {
        return String::new();
    }
    let mut keys: Vec<(String, Vec<f64>, bool)> = Vec::new();
    for (place, value) in law.numbers() {
        let (name, list) = match place.split_once('[') {
            Some((name, _)) => (name.to_owned(), true),
            None => (place, false),
        };
        match keys.last_mut() {
            Some((last, values, true)) if *last == name => values.push(value),
            _ => keys.push((name, vec![value], list)),
        }
    }
    let mut text = format!("friction.{} = {{ ", law.name());
    for (i, (name, values, list)) in keys.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let values = if *list { format!("{values:?}") } else { format!("{:?}", values[0]) };
        let _ = write!(text, "{comma}{name} = {values}");
    }
    text + " }\n"
}
