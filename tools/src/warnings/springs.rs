//! Springs along an axis whose end is initially before their beginning, stops that are loaded from the start on, and forces of dampers that add energy.

use coulisse::laws::spring::{Begun, Elastic, Gain};
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Between, Spring};
use coulisse::model::quantity::Quantity;

use crate::number::short;

/// Springs along x or y that have a force in the initial configuration and a length below 0: a force above 0 moves their sides apart.
pub(super) fn reversed(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, spring) in model.lone_springs() {
        let Between::Axis { axis, from, to } = spring.between else {
            continue;
        };
        let length = model.initial_measure(&spring.between);
        let begun = Begun { anchor: length, setting: spring.law.setting };
        let force = spring.law.answer(length, 0.0, &begun).force;
        if length >= 0.0 || force == 0.0 {
            continue;
        }
        let [from, to] = [from.point(), to].map(|p| &model.points[p].name);
        let (along, does) = (["x", "y"][axis], if force > 0.0 { "apart" } else { "together" });
        lines.push(format!(
            "springs.{}: `{to}` is at a smaller {along} than `{from}`, so its length along {along} is {} m, and its initial force, {} N, \
             drives both {does}; begin it at `{to}` if forces above 0 are to pull both together: along x or y they make `{to}`.{along} − `{from}`.{along} \
             smaller",
            spring.name,
            rounded(length, 4),
            rounded(force, 4),
        ));
    }
    lines
}

/// Share of a limit up to which a measure that is initially beyond it is at it.
const AT_LIMIT: f64 = 1e-6;

/// Elastic stops that are initially beyond their limit.
pub(super) fn begun_in_stops(model: &Checked) -> Vec<String> {
    let springs = model.lone_springs();
    let lines = springs.flat_map(|(_, spring)| {
        let (stops, units) = (&spring.law.stops, spring.between.units());
        let initial = model.initial_measure(&spring.between);
        stops.depths(initial).filter(move |(depth, _)| *depth > AT_LIMIT * initial.abs()).map(
            move |(depth, sign)| {
                format!(
                    "springs.{}.stop: initially the spring measures {} {unit}, {} {unit} beyond the limit of its elastic stop at {} {unit}, which \
                     pushes with {} {} from the start on; move the points or the limit, unless the stop is to be loaded there",
                    spring.name,
                    short(initial),
                    short(depth),
                    short(initial - sign * depth),
                    short(stops.stiffness * depth),
                    units.force.unit(),
                    unit = units.measure.unit(),
                )
            },
        )
    });
    lines.collect()
}

/// Largest elongation (m or rad) and rate (m/s or rad/s) at which force laws are looked at.
const ELONGATION: f64 = 1.0;
const RATE: f64 = 10.0;

/// Laws of forces whose damper drives.
pub(super) fn giving_energy(model: &Checked) -> Vec<String> {
    let springs = model.lone_springs();
    let gains = springs.filter_map(|(_, spring)| match &spring.law.elastic {
        Elastic::Law(law) => Some((spring, law.gain(ELONGATION, RATE)?)),
        _ => None,
    });
    let line = |(spring, gain): (&Spring, Gain)| {
        let units = spring.between.units();
        let value = |value: f64, of: Quantity| format!("{} {}", short(value), of.unit());
        format!(
            "springs.{}.force: at x = {} and v = {} its part that follows from `v` is {}: it adds energy where its sign is not that of `v`; \
             for a damper write it with the sign of `v` at every `x`",
            spring.name,
            value(gain.elongation, units.measure),
            value(gain.rate, units.rate),
            value(gain.force, units.force),
        )
    };
    gains.map(line).collect()
}
