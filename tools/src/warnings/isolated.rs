//! Mass-proportional damping of what springs isolate.

use std::f64::consts::TAU;

use coulisse::laws::spring::Begun;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Between, DampingLaw, Direction, Ground, Part, Spring};
use coulisse::system::System;

use super::connections::{Connections, parts};
use crate::number::short;

/// So many times the least ratio of a Rayleigh damping, and this ratio itself, are worth a word where the damping resists an isolation.
const TIMES: f64 = 3.0;
const RATIO: f64 = 0.05;

/// Rayleigh damping of parts that springs alone hold along x or y: at their frequency ω = √(k/m) its part c_m is the ratio c_m/(2 ω), while the least of
/// all ratios, which it has where its damping is wanted, is √(c_m c_k), and 0 without a c_k.
pub fn damped(model: &Checked) -> Vec<String> {
    let Some((all, roots)) = Connections::in_time(model) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for entry in &model.damping {
        let DampingLaw::Coefficients(law) = entry.law else {
            continue;
        };
        let least = (law.mass * law.stiffness).sqrt();
        let Some(&part) = entry.parts.first().filter(|_| law.mass > 0.0) else {
            continue;
        };
        let set = roots[all.part(part)];
        if all.slides(&roots, set) {
            continue;
        }
        let mass = mass_of(model, |node| roots[node] == set, &all);
        for (axis, direction) in [Direction::X, Direction::Y].into_iter().enumerate() {
            let stiffness: f64 = (model.springs.iter())
                .filter(|spring| all.holds(&roots, set, spring))
                .map(|spring| stiffness_along(model, spring)[axis])
                .sum();
            if all.is_held(&roots, set, direction) || stiffness <= 0.0 {
                continue;
            }
            let speed = (stiffness / mass).sqrt();
            let ratio = law.mass / (2.0 * speed);
            if ratio > RATIO && ratio > TIMES * least {
                let (times, begin) = match least > 0.0 {
                    true => (
                        format!(", {} times its least ratio", rounded(ratio / least, 2)),
                        format!("begin `frequencies` at {} Hz, or ", rounded(speed / TAU, 2)),
                    ),
                    false => Default::default(),
                };
                lines.push(format!(
                    "damping.{}: springs alone support {} along {}, with {} Hz, and there its mass-proportional part damps {} % of critical{times}; \
                     {begin}write `stiffness_coefficient` alone and give the springs a damping",
                    entry.name,
                    part.quoted(model),
                    ["x", "y"][axis],
                    short(speed / TAU),
                    rounded(100.0 * ratio, 2),
                ));
                break;
            }
        }
    }
    lines
}

/// Mass-proportional damping where supports move differently along an axis, so that no ground is there that it could be relative to.
pub fn damped_in_space(system: &System) -> Vec<String> {
    let model = system.model();
    let mut lines = Vec::new();
    for (id, entry) in model.damping.iter().enumerate() {
        let mass = system.rayleigh(id).map_or(0.0, |law| law.mass);
        let several = |direction: &Direction| matches!(model.ground(*direction), Ground::Several);
        let axis = [Direction::X, Direction::Y].into_iter().find(several);
        let Some(axis) = axis.filter(|_| mass > 0.0) else {
            continue;
        };
        lines.push(format!(
            "damping.{}: its mass-proportional part, {} 1/s, resists velocities in fixed space, not relative to the ground, for along {} not all supports \
             move by one motion; let one motion with `supports` move them all, or write `stiffness_coefficient` alone",
            entry.name,
            short(mass),
            ["x", "y"][usize::from(axis == Direction::Y)],
        ));
    }
    lines
}

fn mass_of(model: &Checked, within: impl Fn(usize) -> bool, all: &Connections<'_>) -> f64 {
    let own = parts(model).filter(|part| within(all.part(*part)));
    let own = own.map(|part| match part {
        Part::Member(id) => {
            let member = &model.members[id];
            let by_length = (member.properties.as_ref()).filter(|_| member.rigid.is_none());
            by_length.map_or(0.0, |p| p.mass_by_length() * model.length_of(id))
        }
        Part::Body(id) => model.bodies[id].weight()[0],
    });
    let masses = model.masses.iter().filter(|mass| within(mass.point));
    own.sum::<f64>() + masses.map(|mass| mass.mass).sum::<f64>()
}

/// Stiffness of a spring along x and y in the initial configuration, N/m.
fn stiffness_along(model: &Checked, spring: &Spring) -> [f64; 2] {
    let length = model.initial_measure(&spring.between);
    let begun = Begun { anchor: length, setting: spring.law.setting };
    let stiffness = spring.law.answer(length, 0.0, &begun).by_measure;
    let direction = match spring.between {
        Between::Line { from, to } => {
            let [a, b] = [from.point(), to].map(|point| model.points[point].position);
            [0, 1].map(|i| (b[i] - a[i]) / length)
        }
        Between::Axis { axis, .. } => [0, 1].map(|i| f64::from(u8::from(i == axis))),
        Between::Along { direction, .. } => direction,
        Between::Bushing { sides, way } => {
            let (sin, cos) = sides.angle.sin_cos();
            [cos * way[0] - sin * way[1], sin * way[0] + cos * way[1]]
        }
        Between::Sections { .. } => [0.0; 2],
    };
    direction.map(|share| stiffness * share * share)
}
