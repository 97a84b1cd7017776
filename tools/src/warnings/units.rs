//! Numbers that look as if they were in other units.

use std::f64::consts::{PI, TAU};
use std::ops::Range;

use coulisse::joints::roughness::{Profile, Wave};
use coulisse::message::{in_degrees, rounded};
use coulisse::model::Checked;
use coulisse::model::checked::{
    Behaviour, Between, Direction, MemberId, MemberLine, Part, Slider, Source,
};
use coulisse::model::history::{History, MotionLaw};
use coulisse::numerics::plane::extent;

use super::guides;
use super::tables::histories;
use crate::number::short;

/// Young's moduli below this (Pa) are those of gels and foams: they are rather meant in GPa or MPa.
pub const SOFTEST: f64 = 5e5;

/// Young's moduli below this (Pa) are those of nothing as heavy (kg/m³) as stone or metal.
const SOFTEST_SOLID: f64 = 1e9;
const HEAVY: f64 = 2000.0;

/// Densities (kg/m³) of what is lighter than foam, and of solids in g/cm³ and in t/mm³.
pub const FOAM: f64 = 25.0;
const IN_GRAMS: Range<f64> = 1.2..FOAM;
/// Wood in g/cm³, where the modulus (Pa) is that of a solid: gases have such densities in kg/m³, too, and 1 stands for no density in particular.
const LIGHT_IN_GRAMS: Range<f64> = 0.1..1.0;
const SOLID: f64 = 1e8;
const IN_TONNES: Range<f64> = 1e-10..25e-9;

/// Coefficients of friction above this are those of nothing that slides.
const ROUGHEST: f64 = 3.0;

/// Gravity above this (m/s²) is that of nothing that mechanisms stand on.
const HEAVIEST: f64 = 300.0;

/// Gravity on the earth, m/s², rounded or not.
const EARTH: Range<f64> = 9.7..10.05;

/// Elastic sections deeper than this (m) and bodies larger than this (m) are rather meant in millimetres.
const DEEPEST: f64 = 5.0;
const LARGEST: f64 = 100.0;

/// Depth by the length from which on a member is no beam.
const THICKEST: f64 = 1.0 / 3.0;

/// Slopes of a rough path above this are those of nothing that slides.
const STEEPEST: f64 = 1.0;

/// Springs that are unstrained at so many times the size of the mechanism are rather given in millimetres than strained so far.
const LONG_SPRING: f64 = 5.0;

/// Members longer than this (m) and so many times as long as deep are rather drawn in millimetres than cables.
const LONGEST: f64 = 50.0;
const SLENDER: f64 = 5e3;

/// Moduli and densities that look as if they were in other units.
pub fn of_materials(model: &Checked) -> Vec<String> {
    let members = (model.members.iter()).filter_map(|member| {
        let p = member.properties.as_ref()?;
        Some((format!("members.{}.material", member.name), p.young_modulus, p.density))
    });
    // With a density of no material a body is rather one without dimensions.
    let bodies = model.bodies.iter().filter_map(|body| {
        let Behaviour::Elastic(law, matter) = &body.behaviour else {
            return None;
        };
        let (modulus, density) = (law.stiffness(), matter.density);
        let real = modulus > SOFTEST || density > FOAM;
        real.then(|| (format!("bodies.{}.material", body.name), modulus, density))
    });
    let mut lines = Vec::new();
    let mut reported = Vec::new();
    for (path, modulus, density) in members.chain(bodies) {
        // Parts of one material have one question.
        if reported.contains(&(modulus, density)) {
            continue;
        }
        reported.push((modulus, density));
        // What has no mass is a spring that is drawn as a member.
        if modulus < SOFTEST && density > 0.0 {
            let (unit, factor) = if modulus < 1e3 { ("GPa", 1e9) } else { ("MPa", 1e6) };
            lines.push(format!(
                "{path}.young_modulus is {} Pa, softer than rubber; if that is in {unit}, write {} (Pa)",
                short(modulus),
                short(modulus * factor)
            ));
        } else if modulus < SOFTEST_SOLID && density > HEAVY {
            lines.push(format!(
                "{path}.young_modulus is {} Pa, softer than plastics, and its density is that of stone or metal; moduli are in Pa, so if that is in \
                 kN/m² (kPa), write {} (Pa)",
                short(modulus),
                short(modulus * 1e3)
            ));
        }
        let meant = [("g/cm³ or t/m³", 1e3, IN_GRAMS), ("t/mm³", 1e12, IN_TONNES)];
        let light = |unit: &str| {
            unit.starts_with("g/cm") && modulus > SOLID && LIGHT_IN_GRAMS.contains(&density)
        };
        let mut meant = meant.into_iter();
        let meant = meant.find(|(unit, _, range)| range.contains(&density) || light(unit));
        if let Some((unit, factor, _)) = meant {
            lines.push(format!(
                "{path}.density is {} kg/m³, lighter than foam; if that is in {unit}, write {} (kg/m³)",
                short(density),
                short(density * factor)
            ));
        }
    }
    lines
}

/// Coefficients of friction that look as if they were in per cent.
pub fn of_friction(model: &Checked) -> Vec<String> {
    let joints = model.sliders_of_joints().map(|(_, slider)| {
        let most = slider.friction.largest_coefficient();
        (format!("joints.{}", slider.name), most)
    });
    let contacts =
        guides::guided(model).map(|(name, _, _, most)| (format!("contacts.{name}"), most));
    let rough = joints.chain(contacts).filter(|(_, most)| *most > ROUGHEST);
    rough
        .map(|(path, most)| {
            format!(
                "{path}: its coefficient of friction is {}, more than tyres have on asphalt (about 1); if that is a force in N, divide it by the normal force, if it is in %, write {}",
                short(most),
                short(1e-2 * most)
            )
        })
        .collect()
}

/// A unit without radians, which many leave out.
fn bare(unit: &str) -> String {
    unit.replace("/rad", "").replace("rad/", "1/").replace("Hz", "1/s").replace('J', "N.m")
}

/// Parameters whose comments name another unit than that of the numbers which they are: the number is taken as it stands.
pub fn of_comments(model: &Checked) -> Vec<String> {
    let others = model.parameters.iter().filter_map(|parameter| {
        let (stated, unit) = (parameter.stated_unit.as_deref()?, parameter.quantity.unit());
        let same = bare(stated) == bare(unit) || stated == "1" && unit.is_empty();
        let percent = stated == "%" && parameter.value > 1.0;
        (!same && (!unit.is_empty() || percent)).then_some((parameter, stated, unit))
    });
    others
        .map(|(parameter, stated, unit)| {
            let taken = if unit.is_empty() { "without a unit" } else { unit };
            format!(
                "{} is {} {stated} by its comment, but the numbers that use it are in SI units ({taken}), and nothing is converted; \
                 convert the number, or correct the comment",
                parameter.path,
                short(parameter.value)
            )
        })
        .collect()
}

/// Accelerations of gravity that look as if they were in mm/s², and that of the earth upwards.
pub fn of_gravity(model: &Checked) -> Vec<String> {
    let parts = ["x", "y"].into_iter().zip(model.gravity);
    let strong = parts.filter(|(_, part)| part.abs() > HEAVIEST);
    let [x, y] = model.gravity;
    let upwards = (x == 0.0 && EARTH.contains(&y)).then(|| {
        format!(
            "gravity.y is {} m/s², and y points up, so that everything falls upwards; write {}, if the mechanism is not modelled with y down",
            short(y),
            short(-y)
        )
    });
    strong
        .map(|(axis, part)| {
            format!(
                "gravity.{axis} is {} m/s², more than on the sun (274); if that is in mm/s², write {}",
                short(part),
                short(1e-3 * part)
            )
        })
        .chain(upwards)
        .collect()
}

/// The profile of a rough path that is one wave.
fn waves(model: &Checked) -> impl Iterator<Item = (&Slider, &Wave)> {
    model.sliders_of_joints().filter_map(|(_, slider)| match &slider.roughness.as_ref()?.profile {
        Profile::Waves(waves) if waves.len() == 1 => Some((slider, &waves[0])),
        _ => None,
    })
}

/// Phases of sines and of waves, and imposed angles, that look as if they were in degrees.
pub fn of_angles(model: &Checked) -> Vec<String> {
    let sines = histories(model).filter_map(|(path, history)| match history {
        History::Sine { phase, .. } => Some((format!("{path}.sine.phase"), *phase)),
        _ => None,
    });
    let waves = waves(model).map(|(slider, wave)| {
        (format!("joints.{}.roughness.cosine.phase", slider.name), wave.phase)
    });
    let phases = sines.chain(waves).filter(|(_, phase)| phase.abs() > TAU);
    let phases = phases.map(|(path, phase)| (path, phase, "more than a turn"));
    // From the initial configuration there is a shorter way to what is farther than half a turn.
    let angles = model.motions.iter().filter_map(|motion| match motion.law {
        MotionLaw::Position(angle)
            if motion.direction == Direction::Rotation && angle.abs() > PI =>
        {
            let path = format!("motions.{}.angle", motion.name);
            Some((path, angle, "more than half a turn from the initial configuration"))
        }
        _ => None,
    });
    let turned = phases.chain(angles);
    turned
        .map(|(path, angle, far)| {
            format!("{path} is {} rad, {far}; {}", short(angle), in_degrees(angle))
        })
        .collect()
}

/// Waves that are steeper than anything slides on.
pub fn of_waves(model: &Checked) -> Vec<String> {
    let slopes = waves(model).map(|(slider, wave)| (slider, wave.amplitude * wave.wavenumber));
    let steep = slopes.filter(|(_, slope)| slope.abs() > STEEPEST);
    steep
        .map(|(slider, slope)| {
            format!(
                "joints.{}.roughness.cosine has slopes up to {}, more than 45°; check that `amplitude` and `wavelength` are both in m",
                slider.name,
                short(slope.abs())
            )
        })
        .collect()
}

/// Lengths of springs and radii of hinges that are larger than the mechanism.
pub fn of_parts(model: &Checked) -> Vec<String> {
    let size = extent(model.points.iter().map(|point| point.position));
    let large = |path: String, length: f64, how: f64| {
        (size > 0.0 && length > how * size).then(|| {
            format!(
                "{path} is {} m, and all points lie within {} m; lengths are in m: divide a number in mm by 1000",
                short(length),
                rounded(size, 3)
            )
        })
    };
    let springs = model.lone_springs().filter_map(|(_, spring)| {
        let between = matches!(spring.between, Between::Line { .. });
        let path = format!("springs.{}.free_length", spring.name);
        large(path, spring.law.setting.free, LONG_SPRING).filter(|_| between)
    });
    let hinges = model.friction_hinges.iter().filter_map(|hinge| {
        let name = &model.sliders[hinge.slider].name;
        large(format!("joints.{name}.hinge.radius"), hinge.radius, 1.0)
    });
    springs.chain(hinges).collect()
}

/// Whether no other elastic member goes on where this one ends, so that it is a whole beam.
fn is_alone(model: &Checked, id: MemberId) -> bool {
    let member = &model.members[id];
    let elastic = |other: &MemberId| *other != id && model.members[*other].properties.is_some();
    [member.from, member.to].iter().all(|end| !model.members_at(*end).iter().any(elastic))
}

/// Sections, members and bodies so large that their lengths look like millimetres.
pub fn of_lengths(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    let mut reported = Vec::new();
    for (id, member) in model.members.iter().enumerate() {
        let (Some(p), MemberLine::Axis(_)) = (&member.properties, &member.line) else {
            continue;
        };
        let (depth, length) = ((12.0 * p.second_moment / p.area).sqrt(), model.length_of(id));
        let name = &member.name;
        let section = [p.area, p.second_moment];
        // Members of one section have one question.
        if reported.contains(&section) {
            continue;
        }
        if depth > DEEPEST {
            reported.push(section);
            lines.push(format!(
                "members.{name}.section is about {} m deep, with an area of {} m²; lengths are in m: divide numbers in mm by 1000, an `area` in cm² \
                 by 1e4 and a `second_moment` in cm⁴ by 1e8",
                rounded(depth, 3),
                short(p.area)
            ));
        } else if depth > THICKEST * length && is_alone(model, id) {
            reported.push(section);
            lines.push(format!(
                "members.{name} is {} m long and about {} m deep, with an area of {} m²: beams are at least three times as long as deep; check the \
                 section (an `area` in cm² is 1e4, a `second_moment` in cm⁴ 1e8 times too large), or let a plane body take its place",
                rounded(length, 3),
                rounded(depth, 3),
                short(p.area)
            ));
        } else if length > LONGEST && length > SLENDER * depth && p.young_modulus > SOFTEST {
            lines.push(format!(
                "members.{name}: it is {} m long and {} m deep; lengths are in m, so if points are given in mm, divide them by 1000",
                rounded(length, 3),
                rounded(depth, 3)
            ));
        }
    }
    for (id, body) in model.bodies.iter().enumerate() {
        let size = extent(body.mesh.nodes.iter().copied());
        // Meshes of files have a question of their own; what is rigid may be a road.
        let elastic =
            matches!(body.behaviour, Behaviour::Elastic(..)) && body.source == Source::Model;
        if elastic && size > LARGEST {
            lines.push(format!(
                "{} extends over {} m; lengths are in m, so if its points are given in mm, divide them by 1000",
                Part::Body(id).quoted(model),
                rounded(size, 3)
            ));
        }
    }
    lines
}
