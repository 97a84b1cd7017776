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
    /// Shares of the way between both and px across it.
    line: Vec<[f64; 2]>,
}

/// All springs that are between two places.
pub fn springs(film: &Film) -> Vec<SpringData> {
    let model = film.system().model();
    let springs = model.springs.iter().filter_map(|spring| {
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
            line: zigzag(),
        })
    });
    springs.collect()
}
