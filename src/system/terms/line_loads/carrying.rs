//! What loads act along: the elements of members and the sides of triangles on edges of elastic bodies.

use crate::checked::{Carrier, Checked, Extent, LineLoad, MemberLine};
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::elements::line_load::{LoadedPart, each_place};
use crate::nodes::Nodes;

/// An element or a side of a triangle along which a load may act.
#[derive(Debug, Clone)]
pub(super) struct Carrying {
    /// Its number in what it is of.
    pub element: usize,
    /// Reference arc length at its first node, m.
    begin: f64,
    /// m.
    length: f64,
    /// ξ(S) where it is curved or its nodes are not equally spaced.
    curve: Option<ArcLength>,
    /// Y₁, Y₂ of its nodes.
    pub nodes: Vec<[usize; 2]>,
    /// Rotations of its nodes; none of a side of a triangle.
    pub rotations: Vec<usize>,
}

impl Carrying {
    /// What of it a load along it or in a section of it acts on; a section is taken to be in it.
    pub fn part(&self, extent: Extent) -> Option<LoadedPart> {
        let coordinate = |s: f64| self.coordinate(s);
        if let Some(xi) = self.section(extent) {
            return Some(LoadedPart::section(self.order(), xi));
        }
        let (between, intensity) = self.along(extent, self.length)?;
        Some(LoadedPart::new(self.order(), coordinate, between, intensity))
    }

    fn order(&self) -> usize {
        self.nodes.len() - 1
    }

    /// ξ and dξ/dS of the section in which a load acts, if it acts in one.
    pub fn section(&self, extent: Extent) -> Option<[f64; 2]> {
        let Extent::At { place, .. } = extent else { return None };
        Some(self.coordinate((place - self.begin).clamp(0.0, self.length)))
    }

    /// Between which arc lengths from its first node a load acts along it, up to `until`, m, and the load's variation at such an arc length.
    fn along(&self, extent: Extent, until: f64) -> Option<([f64; 2], impl Fn(f64) -> f64)> {
        let Extent::Along { between: [from, to], variation: [first, last], .. } = extent else {
            return None;
        };
        let begin = self.begin;
        let between = [(from - begin).max(0.0), (to - begin).min(until)];
        let intensity = move |s: f64| {
            let x = (begin + s - from) / (to - from);
            (1.0 - x) * first + x * last
        };
        (between[1] > between[0]).then_some((between, intensity))
    }

    /// Calls `visit` with ξ and the weight of places that stand for a load along it as far as ξ = `until`.
    pub fn each_place(&self, extent: Extent, until: f64, mut visit: impl FnMut(f64, f64)) {
        let until = match &self.curve {
            Some(curve) => curve.up_to(until) * self.length / curve.total(),
            None => 0.5 * (until + 1.0) * self.length,
        };
        if let Some((between, intensity)) = self.along(extent, until) {
            let coordinate = |s: f64| self.coordinate(s);
            each_place(self.order(), coordinate, between, intensity, |[xi, _], weight| {
                visit(xi, weight);
            });
        }
    }

    /// ξ and dξ/dS at the arc length `s` from its first node.
    fn coordinate(&self, s: f64) -> [f64; 2] {
        match &self.curve {
            Some(curve) => {
                let [xi, rate, ..] = curve.coordinate(s * curve.total() / self.length);
                [xi, rate]
            }
            None => [2.0 * s / self.length - 1.0, 2.0 / self.length],
        }
    }
}

/// What carries a load, piece by piece; of a section one piece, of two that meet there the first.
pub(super) fn loaded(model: &Checked, load: &LineLoad, nodes: &Nodes) -> Vec<Carrying> {
    let carrier = load.carrier();
    let mut all = carrier.map_or_else(Vec::new, |carrier| carrying(model, carrier, nodes));
    if let Extent::At { place, .. } = load.extent {
        let own = all.iter().rposition(|piece| piece.begin < place);
        let own = own.unwrap_or(0);
        all.drain(own + 1..);
        all.drain(..own);
    }
    all
}

/// What a load may act along, piece by piece.
fn carrying(model: &Checked, carrier: Carrier, nodes: &Nodes) -> Vec<Carrying> {
    match carrier {
        Carrier::Member(id) => {
            let member = &model.members[id];
            let axis = match &member.line {
                MemberLine::Axis(axis) => axis,
                MemberLine::Edge(edge) => {
                    let mut sides = carrying(model, Carrier::Edge(*edge), nodes);
                    let list = nodes.of_member(id).windows(member.order + 1);
                    for (side, nodes) in sides.iter_mut().zip(list.step_by(member.order)) {
                        side.rotations = nodes.iter().map(|node| node.rotation).collect();
                    }
                    return sides;
                }
            };
            let length = axis.length() / member.elements as f64;
            let axes = member.axes_along(axis);
            let list = nodes.of_member(id);
            let of_element = |e: usize| {
                let own = list[e * member.order..=(e + 1) * member.order].iter();
                Carrying {
                    element: e,
                    begin: e as f64 * length,
                    length,
                    curve: axes.get(e).map(ArcLength::of),
                    nodes: own.clone().map(|node| node.position).collect(),
                    rotations: own.map(|node| node.rotation).collect(),
                }
            };
            (0..member.elements).map(of_element).collect()
        }
        Carrier::Edge(id) => {
            let order = model.bodies[id.body].mesh.order;
            let sides = nodes.of_edge(id).windows(order + 1).step_by(order);
            let mut begin = 0.0;
            let of_side = |(element, (axis, nodes)): (usize, (InitialAxis, &[[usize; 2]]))| {
                let curve = ArcLength::of(&axis);
                let side = Carrying {
                    element,
                    begin,
                    length: curve.total(),
                    curve: (!axis.is_straight()).then_some(curve),
                    nodes: nodes.to_vec(),
                    rotations: Vec::new(),
                };
                begin += side.length;
                side
            };
            let axes = model.axes_of_edge(id).into_iter();
            axes.zip(sides).enumerate().map(of_side).collect()
        }
    }
}
