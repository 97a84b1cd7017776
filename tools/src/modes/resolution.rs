//! Modes whose half waves the elements of a member do not resolve.

use coulisse::modes::Mode;
use coulisse::system::{State, System};

/// Intervals between nodes that resolve a half wave: one element of third order.
const INTERVALS: f64 = 3.0;
/// Places that are looked at in each element.
const PIECES: usize = 8;
/// Share of the largest displacement of a mode below which a member vibrates along with others, and a half wave does not count.
const SMALL: f64 = 0.05;

/// The member with the fewest elements for each half wave of a mode, by name, where these are at most one.
pub fn unresolved<'a>(system: &'a System, state: &State, mode: &Mode) -> Option<&'a str> {
    let model = system.model();
    let drawing = system.drawing();
    let elastic = (0..model.members.len()).filter(|&m| model.members[m].properties.is_some());
    let shapes: Vec<(usize, Vec<[f64; 2]>)> =
        elastic.map(|m| (m, drawing.axis_of(m, &mode.shape, PIECES))).collect();
    let all = shapes.iter().flat_map(|(_, shape)| shape);
    let largest = all.map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max);
    let lacking = shapes.iter().filter_map(|(m, shape)| {
        let places = drawing.axis_of(*m, &state.q, PIECES);
        let waves = half_waves(&places, shape, SMALL * largest);
        let member = &model.members[*m];
        let elements = (member.elements * member.order) as f64 / INTERVALS;
        // One that does not turn back is a part of a half wave.
        let ratio = elements / waves as f64;
        (ratio <= 1.0).then_some((ratio, member.name.as_str()))
    });
    lacking.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// Half waves of the displacements `shape` at `places` along a member, across it or along it, whichever are more: places where they turn back
/// by more than `small`.
fn half_waves(places: &[[f64; 2]], shape: &[[f64; 2]], small: f64) -> usize {
    let last = places.len() - 1;
    let tangent = |k: usize| {
        let [a, b] = [places[k.saturating_sub(1)], places[(k + 1).min(last)]];
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        let length = x.hypot(y);
        [x / length, y / length]
    };
    let across = |k: usize| tangent(k)[0] * shape[k][1] - tangent(k)[1] * shape[k][0];
    let along = |k: usize| tangent(k)[0] * shape[k][0] + tangent(k)[1] * shape[k][1];
    turns((0..=last).map(across), small).max(turns((0..=last).map(along), small))
}

/// How often numbers in a row turn back by more than `small`.
fn turns(values: impl Iterator<Item = f64>, small: f64) -> usize {
    let mut count = 0;
    // The lowest and the highest since the last turn, of which one is where the numbers came from.
    let mut ends: Option<[f64; 2]> = None;
    let mut rises = None;
    for value in values {
        let [low, high] = ends.unwrap_or([value, value]);
        let (fell, rose) = (high - value > small, value - low > small);
        match rises {
            None if fell || rose => rises = Some(rose),
            Some(true) if fell => {
                (rises, count, ends) = (Some(false), count + 1, Some([value, value]))
            }
            Some(false) if rose => {
                (rises, count, ends) = (Some(true), count + 1, Some([value, value]))
            }
            _ => {}
        }
        let [low, high] = ends.unwrap_or([value, value]);
        ends = Some([low.min(value), high.max(value)]);
    }
    count
}
