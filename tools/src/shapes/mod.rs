//! Natural vibrations, and their shapes as lines, as a drawing and as a page on which they move.

mod page;

use std::fmt::Write;

use coulisse::model::checked::{Carrier, EdgeId};
use coulisse::modes::{Loads, Mode, Modes, Nature, Sliding, modes};
use coulisse::numerics::plane::extent;
use coulisse::system::{State, System, SystemFault};
use serde::Serialize;

use crate::drawing;
use crate::number::short;
pub use page::page;

/// Places along a member are no more than this.
const MAX_PLACES: usize = 240;

/// The largest displacement that is drawn, relative to the mechanism's size.
const LARGEST: f64 = 0.08;

/// Columns of the drawing, and the size of its pictures relative to that of the mechanism's own.
const COLUMNS: usize = 2;
const SCALE: f64 = 0.5;

/// What was found, and about which state.
pub struct Found {
    pub system: System,
    pub state: State,
    /// In words.
    pub place: String,
    pub modes: Modes,
}

impl Found {
    /// The `count` lowest modes about a state, which `place` names.
    ///
    /// # Errors
    /// When there are none.
    pub fn about(
        system: System, state: State, place: &str, count: usize, sliding: Sliding, loads: Loads,
    ) -> Result<Found, SystemFault> {
        let modes = modes(&system, &state, count, sliding, loads)?;
        let joints = match sliding {
            Sliding::Stuck => "sliding joints stuck",
            Sliding::Free => "sliding joints free of friction",
        };
        let place = match loads {
            Loads::Absent => format!(
                "{place}, without the stiffness of forces under loads (P-Delta), which --at equilibrium has"
            ),
            Loads::Acting => format!("{place}, with the stiffness of initial forces (P-Delta)"),
        };
        let place = match system.model().sliders.is_empty() {
            true => format!("{place}, motions fixed"),
            false => format!("{place}, motions fixed, {joints}"),
        };
        Ok(Found { system, state, place, modes })
    }
}

/// A line that the mechanism draws.
#[derive(Debug, Serialize)]
pub struct Line {
    /// Places in the state, m.
    pub rest: Vec<[f64; 2]>,
    /// Displacements in each mode, in units of which the largest of the mode is 1.
    pub moves: Vec<Vec<[f64; 2]>>,
}

/// Lines of all members and of the edges of bodies; points with masses or sliders as lines of one place.
#[derive(Debug, Serialize)]
pub struct Shapes {
    pub lines: Vec<Line>,
    pub points: Vec<Line>,
    /// Extent of the mechanism, m.
    pub size: f64,
}

impl Shapes {
    pub fn of(found: &Found) -> Shapes {
        let (system, modes) = (&found.system, &found.modes.list);
        let model = system.model();
        let at_rest = &found.state.q;
        let line = |carrier: Carrier, shape: Option<&[f64]>| -> Vec<[f64; 2]> {
            let elements = match carrier {
                Carrier::Member(id) => model.members[id].elements,
                Carrier::Edge(EdgeId { body, edge }) => {
                    let mesh = &model.bodies[body].mesh;
                    mesh.edges[edge].nodes.len() / mesh.order
                }
            };
            let pieces = (MAX_PLACES / elements).clamp(1, 6);
            let all = match shape {
                None => system.drawing().line_of(carrier, at_rest, pieces),
                Some(shape) => system.drawing().line_moves(carrier, at_rest, shape, pieces),
            };
            let every = all.len().div_ceil(MAX_PLACES);
            let last = all.len() - 1;
            let kept = all.into_iter().enumerate();
            let kept = kept.filter(|(k, _)| k % every == 0 || *k == last);
            kept.map(|(_, place)| place).collect()
        };
        let members = (0..model.members.len()).map(Carrier::Member);
        let lines: Vec<Line> = members
            .chain(model.edges().map(Carrier::Edge))
            .map(|carrier| Line {
                rest: line(carrier, None),
                moves: (modes.iter()).map(|mode| line(carrier, Some(&mode.shape))).collect(),
            })
            .collect();
        let carried = model.masses.iter().map(|mass| mass.point);
        let sliding = model.sliders.iter().map(|slider| slider.point);
        let points: Vec<Line> = carried
            .chain(sliding)
            .map(|point| {
                let at = |values: &[f64]| {
                    vec![system.drawing().unknowns_of_point(point).map(|u| values[u])]
                };
                Line {
                    rest: at(&found.state.q),
                    moves: modes.iter().map(|mode| at(&mode.shape)).collect(),
                }
            })
            .collect();
        let mut shapes = Shapes {
            size: size(lines.iter().chain(&points).flat_map(|line| &line.rest)),
            lines,
            points,
        };
        for mode in 0..modes.len() {
            let lines = || shapes.lines.iter().chain(&shapes.points);
            let all = lines().flat_map(|line| &line.moves[mode]);
            let largest = all.map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max);
            if largest > 0.0 {
                let lines = shapes.lines.iter_mut().chain(&mut shapes.points);
                for place in lines.flat_map(|line| &mut line.moves[mode]) {
                    *place = place.map(|d| d / largest);
                }
            }
        }
        shapes
    }

    /// One SVG with all shapes.
    pub fn drawing(&self, found: &Found) -> String {
        let (mut cells, mut size) = (String::new(), [0.0_f64; 2]);
        for (number, mode) in found.modes.list.iter().enumerate() {
            let moved = |lines: &[Line]| -> Vec<Vec<[f64; 2]>> {
                let of = |line: &Line| {
                    let pairs = line.rest.iter().zip(&line.moves[number]);
                    let by = LARGEST * self.size;
                    pairs.map(|([x, y], [u, v])| [x + by * u, y + by * v]).collect()
                };
                lines.iter().map(of).collect()
            };
            let rest: Vec<&[[f64; 2]]> = self.lines.iter().map(|l| l.rest.as_slice()).collect();
            let title = format!("mode {}: {}", number + 1, name(mode));
            let (lines, points) = (moved(&self.lines), moved(&self.points));
            let scene = drawing::shape(&found.system, &rest, &lines, &points);
            let cell = [scene.width * SCALE, scene.height * SCALE];
            let [x, y] = [number % COLUMNS, number / COLUMNS];
            let at = [x as f64 * cell[0], y as f64 * cell[1]];
            size = [0, 1].map(|d| size[d].max(at[d] + cell[d]));
            // Writing to a string does not fail.
            let _ = writeln!(
                cells,
                "<g transform=\"translate({} {}) scale({SCALE})\">\n{}</g>\n\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{title}</text>",
                at[0],
                at[1],
                drawing::svg(&scene, &title),
                at[0] + 0.5 * cell[0],
                at[1] + 16.0
            );
        }
        let [width, height] = size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#212529\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{cells}</svg>\n"
        )
    }
}

/// A mode's frequency, or what it has instead.
pub fn name(mode: &Mode) -> String {
    match mode.nature {
        Nature::Vibration => {
            let hertz = mode.angular_frequency() / std::f64::consts::TAU;
            format!("{} Hz", short(hertz))
        }
        Nature::Rigid => "rigid".to_owned(),
        Nature::Unstable => format!("unstable, e-fold in {} s", short(1.0 / mode.growth())),
    }
}

/// Diagonal of the box around places; 1 where they are one.
fn size<'a>(places: impl Iterator<Item = &'a [f64; 2]>) -> f64 {
    let size = extent(places.copied());
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}
