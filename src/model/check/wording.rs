//! What the numbers of the model file are, in the words of an engineer, and what they act on.

use std::collections::{BTreeMap, BTreeSet};

use super::Checker;
use super::coupling::of_coupling;
use crate::laws::friction::LAWS;
use crate::model::checked::{Checked, Extent, LineLoad, Reach};
use crate::model::de::{Name, Scalar};
use crate::model::file::{Entry, Top};
use crate::model::quantity::Quantity;
use crate::model::statics::HeldSliders;

impl Checker<'_> {
    /// Description of the number at `path`: for an entry of `[parameters]`, the comment behind it.
    pub(super) fn describe(
        &self, model: &Checked, path: &str, entries: &BTreeMap<&str, &Entry<Scalar>>,
    ) -> String {
        let Some(name) = path.strip_prefix("parameters.") else {
            let words: Vec<&str> = path.split('.').collect();
            return meaning(model, path).unwrap_or_else(|| spelt(&words));
        };
        let entry = entries.get(name);
        let scalar = entry.and_then(|e| e.value.as_ref());
        let rest = scalar.and_then(|s| self.reader.text.get(s.span.end..));
        let line = rest.and_then(|text| text.lines().next());
        match line.and_then(|line| line.trim_start().strip_prefix('#')) {
            Some(comment) if is_unit(comment.trim()) => {
                format!("Value `{name}` of the model's expressions, {}", comment.trim())
            }
            Some(comment) if !comment.trim().is_empty() => capitalized(comment.trim()),
            _ => format!("Value `{name}` of the model's expressions"),
        }
    }

    /// The numbers whose expressions use each entry of `[parameters]`.
    pub(super) fn uses(&self) -> Uses<'_> {
        let mut uses = Uses::new();
        for (path, number) in &self.numbers {
            for name in &number.names {
                uses.entry(name).or_default().push(path);
            }
        }
        uses
    }
}

/// Paths of numbers by the name of a parameter in their expressions.
pub(super) type Uses<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// What of the start may follow from the number at `path`; for an entry of `[parameters]`,
/// from all numbers whose expressions use it.
pub(super) fn reach_of(uses: &Uses, model: &Checked, path: &str) -> Reach {
    let mut earliest = Reach::Nowhere;
    let (mut waiting, mut seen) = (vec![path], BTreeSet::new());
    while let Some(path) = waiting.pop() {
        if !seen.insert(path) {
            continue;
        }
        match path.strip_prefix("parameters.") {
            Some(name) => waiting.extend(uses.get(name).into_iter().flatten()),
            None => earliest = earliest.min(reach(path, model.start.equilibrium)),
        }
    }
    earliest
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
    Quantity::ALL.iter().any(|quantity| quantity.unit() == plain)
        || ["mm", "cm", "km", "deg", "kN", "MPa", "GPa", "km/h", "%", "1", ""]
            .contains(&plain.as_str())
}

/// The start finds positions without loads and friction, see [`crate::start::start()`]; those of an
/// equilibrium with the loads, and with friction that `held_sliders` leaves to the laws.
fn reach(path: &str, held_sliders: Option<HeldSliders>) -> Reach {
    let words: Vec<&str> = path.split('.').collect();
    let by_equilibrium = |counts: bool| match counts {
        true => Reach::Positions,
        false => Reach::Forces,
    };
    // What is no key of the file may reach everything.
    let Some(top) = Top::of(words[0]) else {
        return Reach::Positions;
    };
    match top {
        Top::Loads | Top::Gravity => by_equilibrium(held_sliders.is_some()),
        Top::Damping => Reach::Forces,
        Top::Joints => match words[1..] {
            [_, "friction", ..] | [_, _, "length" | "height" | "sliding_mass"] => {
                by_equilibrium(held_sliders == Some(HeldSliders::Friction))
            }
            [_, "equivalent", _] | [_, _, "restitution"] => Reach::Nowhere,
            _ => Reach::Positions,
        },
        Top::Contacts => match words[1..] {
            // Where the faces stand: gaps are measured from there.
            [_, "width" | "clearance"] => Reach::Positions,
            [_, "restitution"] => Reach::Nowhere,
            _ => by_equilibrium(held_sliders.is_some()),
        },
        // In the initial configuration, whatever springs are.
        Top::Springs => match words[1..] {
            [_, "stop", "restitution"] => Reach::Nowhere,
            _ => by_equilibrium(held_sliders.is_some()),
        },
        Top::Motions => match words[1..] {
            [_, "release", ..] => Reach::Nowhere,
            [_, "rate" | "velocity"] => Reach::Velocities,
            [_, "acceleration"] => Reach::Forces,
            _ => Reach::Positions,
        },
        Top::Initial => Reach::Velocities,
        Top::Experiment => Reach::Nowhere,
        Top::Parameters
        | Top::Points
        | Top::Materials
        | Top::Sections
        | Top::Members
        | Top::Bodies
        | Top::Couplings => Reach::Positions,
        Top::Masses | Top::Supports | Top::Probes | Top::Solver | Top::Static => Reach::Positions,
        Top::Name | Top::Description | Top::Author | Top::Version => Reach::Nowhere,
        Top::Copyright | Top::License | Top::Interface => Reach::Nowhere,
    }
}

/// "Density of material steel"; `None` where a number has no words yet.
fn meaning(model: &Checked, path: &str) -> Option<String> {
    let words: Vec<&str> = path.split('.').collect();
    let (first, rest) = words.split_first()?;
    let indexed = words.last().and_then(|w| w.strip_suffix(']')?.split_once('['));
    match Top::of(first)? {
        Top::Points => {
            let (point, axis) = indexed?;
            let axis = if axis == "0" { "x" } else { "y" };
            Some(format!("Initial {axis} of point {point}"))
        }
        Top::Materials => of_material(rest),
        Top::Sections => match rest {
            [section, "properties", key] => Some(format!("{} of section {section}", readable(key))),
            [section, shape, key] => Some(format!(
                "{} of the {shape} of section {section}",
                readable(key)
            )),
            _ => None,
        },
        Top::Members => of_member(rest, indexed),
        Top::Bodies => of_body(rest, indexed),
        Top::Joints => of_joint(rest, indexed),
        Top::Contacts => of_contact(rest),
        Top::Springs => of_spring(rest),
        Top::Couplings => of_coupling(rest),
        Top::Damping => of_damping(rest, indexed),
        Top::Masses => match rest {
            [mass, "mass"] => Some(format!("Mass {mass}{}", at_point(model, mass))),
            [mass, "rotary_inertia"] => Some(format!(
                "Rotary inertia of mass {mass}{}",
                at_point(model, mass)
            )),
            _ => None,
        },
        Top::Loads => of_load(model, rest, indexed),
        Top::Motions => of_motion(rest, indexed),
        Top::Gravity => rest.first().map(|axis| gravity(axis)),
        Top::Initial => of_initial(rest),
        Top::Probes => match rest {
            [probe, "place", at] => {
                let axis = if at.ends_with("[0]") { "x" } else { "y" };
                Some(format!("Initial {axis} of the place of probe {probe}"))
            }
            [probe, "edge_place", _] => Some(format!(
                "Place of probe {probe} on its edge, as a share of the edge's length"
            )),
            [probe, _, "at"] => Some(format!(
                "Place of probe {probe}, measured from the beginning of its member"
            )),
            _ => None,
        },
        Top::Solver => of_solver(rest),
        Top::Experiment => match rest {
            ["stop_time"] => Some("End of the default run".into()),
            ["communication_step"] => Some("Default communication step".into()),
            ["extrapolation_order"] => Some(
                "Model Exchange: order by which real outputs are extrapolated between events, 0 or 1".into(),
            ),
            _ => None,
        },
        // Their numbers are described by their comments, or no host can set them.
        Top::Parameters | Top::Supports | Top::Static | Top::Interface => None,
        Top::Name | Top::Description | Top::Author | Top::Version => None,
        Top::Copyright | Top::License => None,
    }
}

type Indexed<'a> = Option<(&'a str, &'a str)>;

fn of_material(words: &[&str]) -> Option<String> {
    let material = words.first()?;
    let what = match words[1..] {
        ["young_modulus"] => "Young's modulus",
        ["shear_modulus"] | ["neo_hooke", "shear_modulus"] => "Shear modulus",
        ["poisson_ratio"] => "Poisson's ratio",
        ["density"] => "Density",
        [_, "bulk_modulus"] => "Bulk modulus",
        [_, "c10"] => "Coefficient C10",
        [_, "c01"] => "Coefficient C01",
        [_, "c20"] => "Coefficient C20",
        [_, "c30"] => "Coefficient C30",
        _ => return None,
    };
    Some(format!("{what} of material {material}"))
}

fn of_member(words: &[&str], indexed: Indexed<'_>) -> Option<String> {
    let member = words.first()?;
    match words[1..] {
        ["arc", "angle"] => {
            Some(format!("Angle by which member {member} turns from its beginning to its end"))
        }
        ["arc", "radius"] => {
            Some(format!("Radius of member {member}, positive with the centre on the left"))
        }
        ["mass"] => Some(format!("Mass of member {member}")),
        ["inertia"] => {
            Some(format!("Moment of inertia of member {member} about its centre of mass"))
        }
        ["arc", _] | [_] => {
            let (_, index) = indexed?;
            let (row, axis) = index.split_once(',').unwrap_or(("", index));
            let axis = if axis == "0" { "x" } else { "y" };
            Some(match row {
                "" => format!("{axis} of the point through which the arc of member {member} goes"),
                row => format!("{axis} of point {row} of the spline of member {member}"),
            })
        }
        _ => None,
    }
}

fn of_body(words: &[&str], indexed: Indexed<'_>) -> Option<String> {
    let body = words.first()?;
    match words[1..] {
        ["thickness"] => Some(format!("Thickness of body {body}")),
        ["mass"] => Some(format!("Mass of body {body}")),
        ["inertia"] => Some(format!("Moment of inertia of body {body} about its centre of mass")),
        ["mesh", "scale"] => {
            Some(format!("What a length of 1 in the mesh file of body {body} is in m"))
        }
        ["drawing", "scale"] => {
            Some(format!("What a length of 1 in the drawing of body {body} is in m"))
        }
        ["drawing", "tolerance"] => Some(format!(
            "Largest gap between curves of the drawing of body {body} that are joined"
        )),
        ["drawing", "corner"] => {
            Some(format!("Jump of the direction at which edges of body {body} end"))
        }
        ["outline" | "drawing", "size"] => {
            Some(format!("Length of the sides of triangles of body {body}"))
        }
        ["outline" | "drawing", "largest_turn"] => {
            Some(format!("Most that a side of a triangle of body {body} turns on a curve"))
        }
        [_, edge, "size"] => Some(format!(
            "Length of the sides of triangles along edge {} of body {body}",
            number_of(edge)?
        )),
        [_, edge, "circle", "radius"] => {
            Some(format!("Radius of edge {} of body {body}", number_of(edge)?))
        }
        [_, edge, "ellipse", "rotation"] => {
            Some(format!("Rotation of the ellipse of edge {} of body {body}", number_of(edge)?))
        }
        [_, edge, "ellipse", ..] => {
            let (edge, (_, index)) = (number_of(edge)?, indexed?);
            let which = if index == "0" { "First" } else { "Second" };
            Some(format!("{which} radius of the ellipse of edge {edge} of body {body}"))
        }
        [_, edge, "arc", "angle"] => Some(format!(
            "Angle by which edge {} of body {body} turns from its beginning to its end",
            number_of(edge)?
        )),
        [_, edge, "arc", "radius"] => Some(format!(
            "Radius of edge {} of body {body}, positive with the centre on the left",
            number_of(edge)?
        )),
        [_, edge, ..] => {
            let (edge, (_, index)) = (number_of(edge)?, indexed?);
            let (row, axis) = index.split_once(',').unwrap_or(("", index));
            let axis = if axis == "0" { "x" } else { "y" };
            Some(match row {
                "" => format!(
                    "{axis} of the point through which the arc of edge {edge} of body {body} goes"
                ),
                row => format!("{axis} of point {row} of the spline of edge {edge} of body {body}"),
            })
        }
        _ => None,
    }
}

/// "2" of "edges[1]", counted from 1; "1.2" of one within a list of lists.
fn number_of(words: &str) -> Option<String> {
    let (_, index) = words.strip_suffix(']')?.split_once('[')?;
    let numbers = index.split(',').map(|k| Some((k.parse::<usize>().ok()? + 1).to_string()));
    let numbers: Option<Vec<String>> = numbers.collect();
    Some(numbers?.join("."))
}

fn of_joint(words: &[&str], indexed: Indexed<'_>) -> Option<String> {
    let joint = words.first()?;
    match words[1..] {
        ["friction", law, key] => of_friction(&format!("joint {joint}"), law, key),
        ["roughness", kind, key] => Some(match (indexed, key) {
            (Some((list, row)), _) => {
                let list = readable(list.trim_end_matches('s'));
                format!("{list} {row} of the roughness of joint {joint}")
            }
            (None, "from") => format!("Lowest frequency of the {kind} roughness of joint {joint}"),
            (None, "to") => format!("Highest frequency of the {kind} roughness of joint {joint}"),
            (None, key) => format!("{} of the {kind} roughness of joint {joint}", readable(key)),
        }),
        ["wheel_radius"] => Some(format!("Radius of the wheel that rolls at joint {joint}")),
        ["equivalent", key] => {
            let what = match key {
                "amplitude" => "Amplitude of the motion",
                "frequency" => "Frequency of the motion",
                "normal_force" => "Normal force",
                _ => return None,
            };
            Some(format!("{what} for which the friction of joint {joint} is linearised"))
        }
        [_, "radius"] => Some(format!("Radius at which friction acts in the hinge {joint}")),
        [_, "length"] => Some(format!("Length of the slider of joint {joint} along its path")),
        [_, "height"] => {
            Some(format!("Height of the slider of joint {joint}, at whose faces friction acts"))
        }
        [_, "restitution"] => Some(format!(
            "Share of its velocity with which the slider of joint {joint} comes back from an impact"
        )),
        [_, "sliding_mass"] => {
            Some(format!("Mass that the friction law of joint {joint} counts with near rest"))
        }
        _ => None,
    }
}

fn of_spring(words: &[&str]) -> Option<String> {
    let spring = words.first()?;
    let what = match words[1..] {
        ["stiffness"] => "Stiffness",
        ["free_length"] => "Length without a force",
        ["free_angle"] => "Angle without a moment",
        ["preload"] => "Force in the initial configuration",
        ["damping"] => "Coefficient of the damper",
        ["actuator"] => "Force of the actuator",
        ["stop", "least"] => "Smallest free length or angle",
        ["stop", "most"] => "Largest free length or angle",
        ["stop", "stiffness"] => "Stiffness of the stops",
        ["stop", "damping"] => "Damping of the stops",
        ["stop", "restitution"] => "Restitution of the stops",
        ["bushing", key] => {
            return of_bushing(key).map(|what| format!("{what} of bushing {spring}"));
        }
        ["friction", "force"] => "Largest force of the slip element",
        ["friction", "stiffness"] => "Stiffness of the slip element",
        ["table", list] | ["damper", list] => {
            let (list, row) = list.strip_suffix(']')?.split_once('[')?;
            let row = row.parse::<usize>().ok()? + 1;
            let table = words[1];
            return Some(format!(
                "{} {row} of the {table} of spring {spring}",
                readable(list.trim_end_matches('s'))
            ));
        }
        _ => return None,
    };
    Some(format!("{what} of spring {spring}"))
}

fn of_bushing(key: &str) -> Option<String> {
    let (list, axis) = match key.strip_suffix(']').and_then(|key| key.split_once('[')) {
        Some((list, axis)) => (list, axis.parse::<usize>().ok()?),
        None => (key, 0),
    };
    let own = *["along x", "along y", "of the rotation"].get(axis)?;
    let two = *["of x and y", "of x and rotation", "of y and rotation"].get(axis)?;
    Some(match list {
        "angle" => "Angle of the frame".into(),
        "stiffness" => format!("Stiffness {own}"),
        "coupling" => format!("Stiffness {two} together"),
        "damping" => format!("Damping {own}"),
        "damping_coupling" => format!("Damping {two} together"),
        "free" => format!("Displacement {own} without a force"),
        "preload" => format!("Force {own} in the initial configuration"),
        "stiffness_scale" => "Factor of the stiffness".into(),
        "damping_scale" => "Factor of the damping".into(),
        "fx" | "fy" => format!("Force of the actuator along {}", &list[1..]),
        "moment" => "Moment of the actuator".into(),
        _ => return None,
    })
}

fn of_contact(words: &[&str]) -> Option<String> {
    let contact = words.first()?;
    let what = match words[1..] {
        ["friction", law, key] => return of_friction(&format!("contact {contact}"), law, key),
        ["width"] => "Clear width between the faces of the guide",
        ["clearance"] => "Clearance on each side",
        ["restitution"] => "Coefficient of restitution of the corners",
        ["stiffness"] => "Stiffness of the contact layer by length of the surface",
        ["node_stiffness"] => "Stiffness of the springs at the nodes",
        ["penetration"] => "Share of the clearance by which a point is pressed in at the most",
        ["tangential_ratio"] => "Stiffness along the faces over that across them",
        _ => return None,
    };
    Some(format!("{what} of contact {contact}"))
}

fn of_damping(words: &[&str], indexed: Indexed<'_>) -> Option<String> {
    let [damping, key] = words else { return None };
    Some(match (indexed, *key) {
        (Some(("ratios", row)), _) => format!("Damping ratio {row} of damping {damping}"),
        (Some(("frequencies", row)), _) => format!("Frequency {row} of damping {damping}"),
        (Some(_), _) => return None,
        (None, key) => format!("{} of damping {damping}", readable(key)),
    })
}

fn of_load(model: &Checked, words: &[&str], indexed: Indexed<'_>) -> Option<String> {
    match *words {
        [load, "at"] => Some(format!("Place of the section under load {load}")),
        [load, key] if indexed.is_none() => {
            if let Some(load) = model.loads.iter().find(|l| l.name == load) {
                return Some(component(key, &model.points[load.point].name));
            }
            let load = model.line_loads.iter().find(|l| l.name == load)?;
            let component = load.keys().iter().position(|own| *own == key)?;
            Some(line_load(load, component, model))
        }
        [load, key] => match (indexed?, key) {
            (("between", "0"), _) => Some(format!("Beginning of the part under line load {load}")),
            (("between", _), _) => Some(format!("End of the part under line load {load}")),
            (("variation", "0"), _) => {
                Some(format!("Factor at the beginning of the part under line load {load}"))
            }
            (("variation", _), _) => {
                Some(format!("Factor at the end of the part under line load {load}"))
            }
            (("gradient", "0"), _) => Some(format!("Change along x of volume load {load}")),
            (("gradient", _), _) => Some(format!("Change along y of volume load {load}")),
            _ => None,
        },
        [load, "history", kind, key] => Some(of_history("load", load, kind, key, indexed)),
        _ => None,
    }
}

fn of_motion(words: &[&str], indexed: Indexed<'_>) -> Option<String> {
    match *words {
        [motion, "record", key] => {
            let what = match key {
                "scale" => "Factor",
                "start" => "Beginning",
                "step" => "Time step",
                _ => return None,
            };
            Some(format!("{what} of the record of motion {motion}"))
        }
        [motion, "release", "time"] => Some(format!("Time at which motion {motion} ends")),
        [motion, "release", "position", _] => {
            Some(format!("Sliding coordinate at which motion {motion} ends"))
        }
        [motion, key] => Some(format!("Imposed {} of motion {motion}", key.replace('_', " "))),
        [motion, "history", kind, key] => Some(of_history("motion", motion, kind, key, indexed)),
        _ => None,
    }
}

fn of_history(owner: &str, name: &str, kind: &str, key: &str, indexed: Indexed<'_>) -> String {
    match indexed {
        Some((list, row)) => {
            let list = list.trim_end_matches('s');
            format!("{} {row} in the table of {owner} {name}", readable(list))
        }
        None => format!("{} of the {kind} of {owner} {name}", readable(key)),
    }
}

fn of_initial(words: &[&str]) -> Option<String> {
    match *words {
        ["points", point, key] => {
            let what = match key {
                "vx" => "Velocity along x",
                "vy" => "Velocity along y",
                "rotation_rate" => "Rate of rotation",
                _ => return None,
            };
            Some(format!("{what} of point {point} at the start"))
        }
        ["bodies", point, key] => {
            let axis = key.trim_start_matches('v');
            Some(format!("Velocity along {axis} of the body of point {point} at the start"))
        }
        _ => None,
    }
}

fn of_solver(words: &[&str]) -> Option<String> {
    let what = match *words {
        ["step"] => "Longest substep of the solver",
        ["tolerance"] => "Largest estimated error of a step, relative to what moves",
        ["spectral_radius"] => "Spectral radius of the integrator at high frequencies",
        ["position_tolerance"] => {
            "Largest last correction of a step, relative to the mechanism's size"
        }
        ["force_tolerance"] => "Largest force left over in a step, relative to the largest force",
        ["energy_tolerance"] => {
            "Largest error of the energy balance, relative to the largest energy so far"
        }
        _ => return None,
    };
    Some(what.into())
}

/// "Friction of joint N, μ_k: kinetic coefficient", from the law's own table.
fn of_friction(owner: &str, law: &str, key: &str) -> Option<String> {
    let (_, keys) = LAWS.iter().find(|(name, _)| *name == law)?;
    let (key, row) = key.split_once('[').unwrap_or((key, ""));
    let meaning = keys.iter().find(|k| k.name == key)?.meaning.trim();
    Some(match row.strip_suffix(']') {
        Some(row) => format!("Friction of {owner}, row {row} of {meaning}"),
        None => format!("Friction of {owner}, {meaning}"),
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

/// A component of a load on a member or an edge, as a parameter or an input.
pub(super) fn line_load(load: &LineLoad, component: usize, model: &Checked) -> String {
    let what = ["along x", "along y", "normal to the deformed axis", "along the deformed axis"];
    let carrier = match load.extent {
        Extent::Along { carrier, .. } | Extent::At { carrier, .. } => carrier.name(model),
        Extent::Through { body, .. } => model.bodies[body].quoted(),
    };
    match (load.extent, what.get(component)) {
        (Extent::Through { .. }, Some(what)) => format!("Load {what} per volume of {carrier}"),
        (Extent::Along { .. }, Some(what)) => format!("Load {what} per length of {carrier}"),
        (_, Some(what)) => format!("Load {what} at a section of {carrier}"),
        (_, None) => format!("Moment at a section of {carrier}"),
    }
}

pub(super) fn gravity(axis: &str) -> String {
    format!("Acceleration of gravity along {axis}")
}

fn at_point(model: &Checked, mass: &str) -> String {
    let found = model.masses.iter().find(|m| m.name == mass);
    found.map_or(String::new(), |m| format!(" at point {}", model.points[m.point].name))
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
