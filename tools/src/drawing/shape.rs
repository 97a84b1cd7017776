//! How a mechanism looks in a mode.

use coulisse::system::System;

use super::Drawing;
use super::scene::{Ink, Scene};

/// Members and edges at `rest` dashed, with their supports, and where a mode has `moved` them and `points`.
pub fn shape(
    system: &System, rest: &[&[[f64; 2]]], moved: &[Vec<[f64; 2]>], points: &[Vec<[f64; 2]>],
) -> Scene {
    let mut drawing = Drawing::of(system, system.initial());
    drawing.fit([drawing.extent()].into_iter());
    let pixels = |drawing: &Drawing<'_>, line: &[[f64; 2]]| -> Vec<_> {
        line.iter().map(|place| drawing.pixel(*place)).collect()
    };
    for line in rest {
        let line = pixels(&drawing, line);
        drawing.scene.dashes(&line, 1.5, Ink::Ground);
    }
    drawing.supports();
    for line in moved {
        let line = pixels(&drawing, line);
        drawing.scene.line(&line, 4.0, Ink::Joint);
    }
    for place in points.iter().flatten() {
        let at = drawing.pixel(*place);
        drawing.scene.circle(at, 6.5, Ink::Mass, Ink::Paper);
    }
    drawing.scene
}
