//! Springs between points for the page.

use coulisse::model::checked::{Between, SpringEnd};
use serde::Serialize;

use crate::drawing::zigzag;
use crate::film::Film;

#[derive(Debug, Serialize)]
pub struct SpringData {
    name: String,
    /// The point where it begins; none on the ground.
    from: Option<usize>,
    /// Where that is on the ground, m.
    ground: [f64; 2],
    to: usize,
    /// The axis along which it measures, x (0) or y (1); none of a line.
    axis: Option<usize>,
    /// Where what it measures is stopped, m, and whether rigidly.
    stops: Vec<(f64, bool)>,
    /// Shares of the way between both and px across it.
    line: Vec<[f64; 2]>,
}

/// All springs that are between two places.
pub fn springs(film: &Film) -> Vec<SpringData> {
    let model = film.system().model();
    let springs = model.springs.iter().enumerate();
    let springs = springs.filter_map(|(id, spring)| {
        let stops = model.stops_of_spring(id).into_iter();
        let (Between::Line { from, to } | Between::Axis { from, to, .. }) = spring.between else {
            return None;
        };
        Some(SpringData {
            name: spring.name.clone(),
            from: match from {
                SpringEnd::Point(point) => Some(point),
                SpringEnd::Ground(_) => None,
            },
            ground: model.points[from.point()].position,
            to,
            axis: match spring.between {
                Between::Axis { axis, .. } => Some(axis),
                _ => None,
            },
            stops: stops.map(|stop| (stop.at, stop.restitution.is_some())).collect(),
            line: zigzag(),
        })
    });
    springs.collect()
}
