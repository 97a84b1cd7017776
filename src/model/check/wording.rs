//! What the numbers of the model file are, in the words of an engineer, and what they act on.

use std::collections::BTreeSet;

use super::Checker;
use crate::laws::friction::LAWS;
use crate::model::checked::{Checked, Reach};
use crate::model::de::Name;
use crate::model::quantity::Quantity;
use crate::model::statics::Held;

impl Checker<'_> {
    /// Description of the number at `path`: for an entry of `[parameters]`, the comment behind it.
    pub(super) fn describe(&self, model: &Checked, path: &str) -> String {
        let Some(name) = path.strip_prefix("parameters.") else {
            return meaning(model, path);
        };
        let entry = self.file.parameters.iter().find(|e| e.name.value == name);
        let scalar = entry.and_then(|e| e.value.as_ref());
        let rest = scalar.and_then(|s| self.reader.text.get(s.span.end..));
        let line = rest.and_then(|text| text.lines().next());
        match line.and_then(|line| line.trim_start().strip_prefix('#')) {
            Some(comment) if is_unit(comment.trim()) => {
                format!(
                    "Value `{name}` of the model's expressions, {}",
                    comment.trim()
                )
            }
            Some(comment) if !comment.trim().is_empty() => capitalized(comment.trim()),
            _ => format!("Value `{name}` of the model's expressions"),
        }
    }

    /// What of the start may follow from the number at `path`; for an entry of `[parameters]`,
    /// from all numbers whose expressions use it.
    pub(super) fn reach(&self, model: &Checked, path: &str) -> Reach {
        let mut earliest = Reach::Nowhere;
        let (mut waiting, mut seen) = (vec![path], BTreeSet::new());
        while let Some(path) = waiting.pop() {
            if !seen.insert(path) {
                continue;
            }
            let Some(name) = path.strip_prefix("parameters.") else {
                earliest = earliest.min(reach(path, model.start.equilibrium));
                continue;
            };
            let uses = self.numbers.iter();
            let uses = uses.filter(|(_, number)| number.names.iter().any(|n| n == name));
            waiting.extend(uses.map(|(path, _)| path.as_str()));
        }
        earliest
    }
}

/// Whether a comment is nothing but a unit: it is then no description.
fn is_unit(comment: &str) -> bool {
    let plain: String = comment
        .chars()
        .map(|c| match c {
            '²' => '2',
            '³' => '3',
            '⁴' => '4',
            '·' => '.',
            other => other,
        })
        .collect();
    Quantity::ALL
        .iter()
        .any(|quantity| quantity.unit() == plain)
        || [
            "mm", "cm", "km", "deg", "kN", "MPa", "GPa", "km/h", "%", "1", "",
        ]
        .contains(&plain.as_str())
}

/// The start finds positions without loads and friction, see [`crate::solve::start()`]; those of an
/// equilibrium with the loads, and with friction that `held` leaves to the laws.
fn reach(path: &str, held: Option<Held>) -> Reach {
    let words: Vec<&str> = path.split('.').collect();
    match words.as_slice() {
        ["loads" | "gravity", ..] if held.is_some() => Reach::Positions,
        ["joints", _, "friction", ..] | ["joints", _, _, "length" | "sliding_mass"]
            if held == Some(Held::Friction) =>
        {
            Reach::Positions
        }
        ["experiment", ..] | ["joints", _, "equivalent", _] | ["motions", _, "release", ..] => {
            Reach::Nowhere
        }
        ["loads" | "gravity" | "damping", ..]
        | ["joints", _, "friction", ..]
        | ["joints", _, _, "length" | "sliding_mass"] => Reach::Forces,
        ["initial", ..] | ["motions", _, "rate" | "velocity"] => Reach::Velocities,
        ["motions", _, "acceleration"] => Reach::Forces,
        _ => Reach::Positions,
    }
}

/// "Density of material steel".
fn meaning(model: &Checked, path: &str) -> String {
    let words: Vec<&str> = path.split('.').collect();
    let indexed = words
        .last()
        .and_then(|w| w.strip_suffix(']')?.split_once('['));
    match words.as_slice() {
        ["points", _] => match indexed {
            Some((point, axis)) => format!(
                "Initial {} of point {point}",
                ["x", "y"][usize::from(axis != "0")]
            ),
            None => spelt(&words),
        },
        ["joints", joint, "friction", law, key] => {
            of_friction(joint, law, key).unwrap_or_else(|| spelt(&words))
        }
        ["joints", joint, "roughness", kind, key] => match indexed {
            Some((list, row)) => {
                let list = readable(list.trim_end_matches('s'));
                format!("{list} {row} of the roughness of joint {joint}")
            }
            None => {
                let what = match *key {
                    "from" => "Lowest frequency".to_string(),
                    "to" => "Highest frequency".to_string(),
                    key => readable(key),
                };
                format!("{what} of the {kind} roughness of joint {joint}")
            }
        },
        ["joints", joint, "wheel_radius"] => {
            format!("Radius of the wheel that rolls at joint {joint}")
        }
        ["joints", joint, "equivalent", key] => {
            let what = match *key {
                "amplitude" => "Amplitude of the motion",
                "frequency" => "Frequency of the motion",
                _ => "Normal force",
            };
            format!("{what} for which the friction of joint {joint} is linearised")
        }
        ["joints", joint, _, "length"] => {
            format!("Length of the slider of joint {joint}, which bears with its two ends")
        }
        ["joints", joint, _, "sliding_mass"] => {
            format!("Mass that the friction law of joint {joint} counts with near rest")
        }
        ["members", member, "arc", "angle"] => {
            format!("Angle by which member {member} turns from its beginning to its end")
        }
        ["members", member, "arc", "radius"] => {
            format!("Radius of member {member}, positive with the centre on the left")
        }
        ["members", member, "arc", _] | ["members", member, _] if indexed.is_some() => {
            let (_, index) = indexed.unwrap_or_default();
            let (row, axis) = index.split_once(',').unwrap_or(("", index));
            let axis = if axis == "0" { "x" } else { "y" };
            match row {
                "" => format!("{axis} of the point through which the arc of member {member} goes"),
                row => format!("{axis} of point {row} of the spline of member {member}"),
            }
        }
        ["damping", damping, key] => match (indexed, *key) {
            (Some(("ratios", row)), _) => format!("Damping ratio {row} of damping {damping}"),
            (Some((_, row)), _) => format!("Frequency {row} of damping {damping}"),
            (None, key) => format!("{} of damping {damping}", readable(key)),
        },
        ["masses", mass, "mass"] => format!("Mass {mass}{}", at_point(model, mass)),
        ["masses", mass, "rotary_inertia"] => {
            format!("Rotary inertia of mass {mass}{}", at_point(model, mass))
        }
        ["materials", material, key] => {
            let what = match *key {
                "young_modulus" => "Young's modulus",
                "shear_modulus" => "Shear modulus",
                "poisson_ratio" => "Poisson's ratio",
                _ => "Density",
            };
            format!("{what} of material {material}")
        }
        ["sections", section, shape, key] => match *shape {
            "properties" => format!("{} of section {section}", readable(key)),
            shape => format!("{} of the {shape} of section {section}", readable(key)),
        },
        ["loads", load, key @ ("fx" | "fy" | "moment")] => {
            let point = model.loads.iter().find(|l| l.name == *load);
            let point = point.map_or("", |l| model.points[l.point].name.as_str());
            component(key, point)
        }
        ["loads", load, key @ ("qx" | "qy" | "normal" | "tangential")] => {
            let load = model.line_loads.iter().find(|l| l.name == *load);
            let member = load.map_or("", |l| model.members[l.member].name.as_str());
            line_load(key, member)
        }
        ["motions", motion, "record", key] => {
            let what = match *key {
                "scale" => "Factor",
                "start" => "Beginning",
                _ => "Time step",
            };
            format!("{what} of the record of motion {motion}")
        }
        ["motions", motion, "release", "time"] => format!("Time at which motion {motion} lets go"),
        ["motions", motion, "release", "position", _] => {
            format!("Sliding coordinate at which motion {motion} lets go")
        }
        ["motions", motion, key] => {
            format!("Imposed {} of motion {motion}", key.replace('_', " "))
        }
        [section @ ("loads" | "motions"), name, "history", kind, key] => {
            let owner = section.trim_end_matches('s');
            match indexed {
                Some((list, row)) => {
                    let list = list.trim_end_matches('s');
                    format!("{} {row} in the table of {owner} {name}", readable(list))
                }
                None => format!("{} of the {kind} of {owner} {name}", readable(key)),
            }
        }
        ["gravity", axis] => gravity(axis),
        ["solver", "step"] => "Longest substep of the solver".into(),
        ["solver", "spectral_radius"] => {
            "Spectral radius of the integrator at high frequencies".into()
        }
        ["solver", "position_tolerance"] => {
            "Largest last correction of a step, relative to the mechanism's size".into()
        }
        ["solver", "force_tolerance"] => {
            "Largest force left over in a step, relative to the largest force".into()
        }
        ["initial", "points", point, key] => {
            let what = match *key {
                "vx" => "Velocity along x",
                "vy" => "Velocity along y",
                _ => "Rate of rotation",
            };
            format!("{what} of point {point} at the start")
        }
        ["initial", "bodies", point, key] => {
            let axis = key.trim_start_matches('v');
            format!("Velocity along {axis} of the body of point {point} at the start")
        }
        ["probes", probe, _, "at"] => {
            format!("Place of probe {probe}, measured from the beginning of its member")
        }
        ["experiment", "stop_time"] => "End of the default run".into(),
        ["experiment", "communication_step"] => "Default communication step".into(),
        _ => spelt(&words),
    }
}

/// "Friction of joint N, μ_k: kinetic coefficient", from the law's own table.
fn of_friction(joint: &str, law: &str, key: &str) -> Option<String> {
    let (_, keys) = LAWS.iter().find(|(name, _)| *name == law)?;
    let (key, row) = key.split_once('[').unwrap_or((key, ""));
    let meaning = keys.iter().find(|k| k.name == key)?.meaning.trim();
    Some(match row.strip_suffix(']') {
        Some(row) => format!("Friction of joint {joint}, row {row} of {meaning}"),
        None => format!("Friction of joint {joint}, {meaning}"),
    })
}

/// A component of a load, as a parameter or an input.
pub(super) fn component(key: &str, point: &str) -> String {
    let what = match key {
        "fx" => "Force along x",
        "fy" => "Force along y",
        _ => "Moment",
    };
    format!("{what} on point {point}")
}

/// A component of a line load, as a parameter or an input.
pub(super) fn line_load(key: &str, member: &str) -> String {
    let what = match key {
        "qx" => "Load along x per length",
        "qy" => "Load along y per length",
        "normal" => "Load normal to the deformed axis per length",
        _ => "Load along the deformed axis per length",
    };
    format!("{what} of member {member}")
}

pub(super) fn gravity(axis: &str) -> String {
    format!("Acceleration of gravity along {axis}")
}

fn at_point(model: &Checked, mass: &str) -> String {
    let found = model.masses.iter().find(|m| m.name == mass);
    found.map_or(String::new(), |m| {
        format!(" at point {}", model.points[m.point].name)
    })
}

/// For what has no sentence of its own: "Decay velocity (joints, N)".
fn spelt(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            format!("{} ({})", readable(last), rest.join(", "))
        }
        _ => words.concat(),
    }
}

fn readable(key: &str) -> String {
    capitalized(&key.replace('_', " "))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// A name of the file, for what is one of the header's texts.
pub(super) fn text(name: Option<&Name>) -> Option<String> {
    let text = name?.value.trim();
    (!text.is_empty()).then(|| text.to_string())
}
