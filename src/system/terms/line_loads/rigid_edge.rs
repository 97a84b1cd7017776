//! Loads along edges of rigid bodies, by quadratures of the curves that the edges were drawn with, or of the sides of a mesh from a file.

use super::BodyLoad;
use crate::checked::{Carrier, Checked, EdgeId, Extent};
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::numerics::gauss;

/// Gauss points of a smooth piece: as many as its own length has.
const POINTS: usize = 16;

/// A smooth piece of an edge.
struct Piece<'a> {
    /// m.
    length: f64,
    /// Position (m) and direction (rad) at an arc length from its beginning.
    at: Box<dyn Fn(f64) -> ([f64; 2], f64) + 'a>,
}

/// Adds a load along an edge of a rigid body, or in a section of it.
pub(super) fn add(body: &mut BodyLoad, model: &Checked, extent: Extent) {
    let (Extent::Along { carrier, .. } | Extent::At { carrier, .. }) = extent else {
        return;
    };
    let Carrier::Edge(edge) = carrier else { return };
    let centre = (model.bodies[edge.body].rigid()).map_or([0.0; 2], |rigid| rigid.centre);
    let mut add = |share: f64, (position, angle): ([f64; 2], f64)| {
        body.add_along(share, [0, 1].map(|i| position[i] - centre[i]), angle);
    };
    let (rule, all) = (gauss::legendre(POINTS), pieces(model, edge));
    let mut begin = 0.0;
    for (k, piece) in all.iter().enumerate() {
        let end = begin + piece.length;
        match extent {
            Extent::Along { between: [from, to], variation: [first, last], .. } => {
                let [low, high] = [from.max(begin), to.min(end)];
                let (half, middle) = (0.5 * (high - low).max(0.0), 0.5 * (high + low));
                for &(x, weight) in &rule {
                    let s = middle + half * x;
                    let along = (s - from) / (to - from);
                    let share = weight * half * ((1.0 - along) * first + along * last);
                    add(share, (piece.at)(s - begin));
                }
            }
            // Of two pieces that meet there, the first.
            Extent::At { place, .. } => {
                if (begin < place || k == 0) && (place <= end || k + 1 == all.len()) {
                    add(1.0, (piece.at)((place - begin).clamp(0.0, piece.length)));
                }
            }
            Extent::Through { .. } => {}
        }
        begin = end;
    }
}

/// The smooth pieces of an edge, in walking order.
fn pieces(model: &Checked, edge: EdgeId) -> Vec<Piece<'_>> {
    let of_side = |axis: InitialAxis| {
        let lengths = ArcLength::of(&axis);
        let length = lengths.total();
        let at = move |s: f64| {
            let [xi, ..] = lengths.coordinate(s);
            let [x, y] = axis.at(xi).tangent;
            (axis.position(xi), y.atan2(x))
        };
        let at = Box::new(at);
        Piece { length, at }
    };
    let curves = model.curves_of_edge(edge);
    if curves.is_empty() {
        return model.axes_of_edge(edge).into_iter().map(of_side).collect();
    }
    let mut pieces = Vec::new();
    for curve in curves {
        let whole = curve.axis.length();
        for ends in curve.smooth_parts().windows(2) {
            let (from, length) = (ends[0], (ends[1] - ends[0]) * whole);
            let at = Box::new(move |s: f64| {
                let place = curve.at(from + s / whole);
                (place.position, place.angle)
            });
            pieces.push(Piece { length, at });
        }
    }
    pieces
}
