//! Springs between points for the page.

use coulisse::model::checked::{Between, SpringEnd};
use serde::Serialize;

use crate::drawing::{Stroke, symbol};
use crate::film::Film;

#[derive(Debug, Serialize)]
pub struct SpringData {
    name: String,
    /// The point where it begins; none on the ground.
    from: Option<usize>,
    /// Where that is on the ground, m.
    ground: [f64; 2],
    to: usize,
    /// The direction along which it measures, a unit vector; none of the distance of its ends.
    direction: Option<[f64; 2]>,
    /// Where what it measures is stopped, m, and whether rigidly.
    stops: Vec<(f64, bool)>,
    /// Lines of its symbol.
    lines: Vec<Stroke>,
}

/// All springs that are between two places.
pub fn springs(film: &Film) -> Vec<SpringData> {
    let model = film.system().model();
    let springs = model.lone_springs().filter_map(|(id, spring)| {
        let stops = model.stops_of_spring(id).into_iter();
        let (from, to, direction) = match spring.between {
            Between::Line { from, to } => (from, to, None),
            Between::Axis { axis, from, to } => (from, to, Some([[1.0, 0.0], [0.0, 1.0]][axis])),
            Between::Along { direction, from, to } => (from, to, Some(direction)),
            Between::Sections { .. } | Between::Bushing { .. } => return None,
        };
        Some(SpringData {
            name: spring.name.clone(),
            from: match from {
                SpringEnd::Point(point) => Some(point),
                SpringEnd::Ground(_) => None,
            },
            ground: model.points[from.point()].position,
            to,
            direction,
            stops: stops.map(|stop| (stop.at, stop.restitution.is_some())).collect(),
            lines: symbol(&spring.law),
        })
    });
    springs.collect()
}
