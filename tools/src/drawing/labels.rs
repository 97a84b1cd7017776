//! Names beside what they name, away from lines and from each other.

use super::scene::{Ink, LETTERS, Pixel, Scene};

/// A text and the place that it is for.
#[derive(Debug)]
pub struct Label {
    pub at: Pixel,
    pub text: String,
    pub ink: Ink,
}

/// Centre and half of width and height.
type Rectangle = [f64; 4];

/// Gaps between a place and its label, px; farther away nobody knows what a name is for.
const GAPS: [f64; 5] = [4.0, 12.0, 20.0, 30.0, 42.0];

/// Puts every label on the best of the places around its own that are free and inside the picture. Labels
/// without room are left out: two on top of each other are none either.
pub fn place(scene: &mut Scene, labels: Vec<Label>) {
    let segments = scene.segments();
    let mut taken: Vec<Rectangle> = scene.texts().map(|(at, text)| extent(at, text)).collect();
    for label in labels {
        let [.., w, h] = extent(label.at, &label.text);
        let mut best: Option<(f64, Rectangle)> = None;
        for (order, candidate) in candidates(label.at, [w, h]).enumerate() {
            let [x, y, w, h] = candidate;
            let outside = x - w < 0.0 || y - h < 0.0 || x + w > scene.width || y + h > scene.height;
            if outside || taken.iter().any(|other| overlap(other, &candidate)) {
                continue;
            }
            let crossed = segments.iter().filter(|s| crosses(s, &candidate)).count();
            let cost = 0.1 * order as f64 + 4.0 * crossed as f64;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, candidate));
            }
        }
        if let Some((_, rectangle)) = best {
            taken.push(rectangle);
            scene.text([rectangle[0], rectangle[1]], &label.text, label.ink);
        }
    }
}

/// The room that a text takes around its place.
fn extent(at: Pixel, text: &str) -> Rectangle {
    let width = 0.29 * LETTERS * text.chars().count() as f64 + 2.0;
    [at[0], at[1], width, 0.5 * LETTERS + 1.0]
}

/// Places around one, near ones first.
fn candidates(at: Pixel, half: [f64; 2]) -> impl Iterator<Item = Rectangle> {
    const SIDES: [Pixel; 8] = [
        [1.0, -1.0],
        [-1.0, -1.0],
        [1.0, 1.0],
        [-1.0, 1.0],
        [0.0, -1.0],
        [0.0, 1.0],
        [1.0, 0.0],
        [-1.0, 0.0],
    ];
    GAPS.into_iter().flat_map(move |gap| {
        SIDES.into_iter().map(move |[x, y]| {
            [at[0] + x * (half[0] + gap), at[1] + y * (half[1] + gap), half[0], half[1]]
        })
    })
}

fn overlap(a: &Rectangle, b: &Rectangle) -> bool {
    (a[0] - b[0]).abs() < a[2] + b[2] && (a[1] - b[1]).abs() < a[3] + b[3]
}

/// Whether a piece of a line runs through a rectangle (Liang and Barsky's clipping).
fn crosses(segment: &[Pixel; 2], rectangle: &Rectangle) -> bool {
    let [start, end] = segment;
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (low, high) =
            (rectangle[axis] - rectangle[axis + 2], rectangle[axis] + rectangle[axis + 2]);
        let run = end[axis] - start[axis];
        if run == 0.0 {
            if start[axis] < low || start[axis] > high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - start[axis]) / run, (high - start[axis]) / run);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    enter <= leave
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use coulisse::fmu::Blueprint;
    use coulisse::model::Model;

    use super::{extent, overlap};
    use crate::drawing::draw;

    #[test]
    fn no_label_of_a_drawing_lies_on_another_or_leaves_the_picture() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../resources/models");
        let files = std::fs::read_dir(models).unwrap().map(|f| f.unwrap().path());
        for file in files.filter(|f| f.extension().is_some_and(|e| e == "toml")) {
            let blueprint = Blueprint::of(Model::load(&file).unwrap()).unwrap();
            let scene = draw(&blueprint.built().unwrap().system);
            let labels: Vec<_> = scene.texts().map(|(at, text)| (extent(at, text), text)).collect();
            assert!(labels.len() > 6, "{file:?}: {labels:?}");
            for (i, ([x, y, w, h], text)) in labels.iter().enumerate() {
                let inside =
                    x - w >= 0.0 && y - h >= 0.0 && x + w <= scene.width && y + h <= scene.height;
                assert!(inside, "{file:?}: {text}");
                for (other, under) in &labels[..i] {
                    assert!(!overlap(other, &[*x, *y, *w, *h]), "{file:?}: {text} on {under}");
                }
            }
        }
    }
}
