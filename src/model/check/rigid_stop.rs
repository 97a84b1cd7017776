//! Rigid stops of springs.

use std::f64::consts::TAU;

use super::Checker;
use crate::checked::{Between, Checked, PathEnds, RigidStop, Slider, SliderKind};
use crate::joints::regime::End;
use crate::laws::bearing::SliderBearing;
use crate::laws::friction::Friction;
use crate::message::figure;
use crate::model::de::Name;
use crate::model::file;
use crate::numerics::plane;

/// Share of its size up to which a measure that is initially beyond a limit is at it.
const AT_LIMIT: f64 = 1e-9;

impl file::Stop {
    /// The rigid stops of the spring `name`, which is the next of the model: a slider on a path from one limit to the other.
    pub(super) fn rigid(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, between: &Between,
    ) {
        let path = name.key("stop");
        let units = between.units();
        let restitution = check.usual(self.restitution.as_ref(), format!("{path}.restitution"));
        let limits = self.limits(check, units);
        if !check.known.geometry || !check.are_known(self.least.iter().chain(&self.most)) {
            return;
        }
        let initial = model.initial_measure(between);
        let unit = units.measure.unit();
        let size = plane::extent(model.points.iter().map(|point| point.position));
        // Of a path with one end, a length that is in the size of what is measured.
        let usual = if between.turns() { TAU } else { size };
        let usual = if usual > 0.0 && usual.is_finite() { usual } else { 1.0 };
        let (ends, length, begin) = match limits {
            [Some(least), Some(most)] if least < most => (PathEnds::Stop, most - least, least),
            [Some(least), None] => (PathEnds::StopAt(End::First), usual, least),
            [None, Some(most)] => (PathEnds::StopAt(End::Last), usual, most - usual),
            _ => return,
        };
        if let (Between::Line { .. }, Some(least)) = (between, limits[0])
            && least <= 0.0
        {
            let message = format!(
                "{path}.least is {} {unit}; allowed: above 0, where the line has a direction",
                figure(least)
            );
            check.report_entry(name, message);
            return;
        }
        let mut at = initial - begin;
        let slack = AT_LIMIT * (length + initial.abs());
        for (end, limit) in [(End::First, 0.0), (End::Last, length)] {
            let beyond = end.outward() * (at - limit);
            if !ends.stops_at(end) || beyond <= 0.0 {
                continue;
            }
            if beyond > slack {
                let message = format!(
                    "{path}: initially the spring measures {} {unit}, beyond its stop at {} {unit}; move the points or the stop",
                    figure(initial),
                    figure(begin + limit)
                );
                check.report_entry(name, message);
                return;
            }
            at = limit;
        }
        let (_, point) = between.points();
        model.rigid_stops.push(RigidStop {
            slider: model.sliders.len(),
            spring: model.springs.len(),
            between: *between,
            length,
            initial: at,
        });
        model.sliders.push(Slider {
            name: name.value.clone(),
            kind: SliderKind::Stop,
            point,
            turning: None,
            path: Vec::new(),
            ends,
            restitution,
            impact_friction: false,
            smooth: false,
            side: None,
            bearing: SliderBearing::Point,
            roughness: None,
            friction: Friction::None,
            equivalent: None,
            sliding_mass: None,
        });
    }
}
