//! Edges of bodies that slide on paths: each of their nodes that is held there is a slider.

use super::{Checker, places};
use std::ops::Range;

use crate::checked::{
    Checked, EdgeId, PathEnds, PathPart, PointId, Slider, SliderKind, SlidingEdge, Spread,
};
use crate::laws::friction::Friction;
use crate::model::de::Name;
use crate::model::file::{self, Contact, Sliding, SlidingNodes};

impl file::SlidingEdge {
    pub(super) fn check(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, joint: &file::Joint,
    ) {
        let Some(edge) = check.edge(model, &self.edge) else {
            return;
        };
        if model.is_rigid(edge.body) && self.nodes == SlidingNodes::All {
            let message = format!(
                "{}: edge `{}` is one of a rigid body, and two of its points constrain it to a path; write nodes = \"ends\" \
                 or \"mean\"",
                self.edge.path, self.edge.value
            );
            check.report(&self.edge, message);
            return;
        }
        let described = &model.bodies[edge.body].mesh.edges[edge.edge];
        let (closed, last) = (described.closed, described.nodes.len() - 1);
        if closed && self.nodes != SlidingNodes::All {
            let message = format!(
                "{}: edge `{}` is closed and has no ends; write nodes = \"all\"",
                self.edge.path, self.edge.value
            );
            check.report(&self.edge, message);
            return;
        }
        let chosen: Vec<usize> = match self.nodes {
            SlidingNodes::Ends | SlidingNodes::Mean => vec![0, last],
            // The last node of a closed edge is its first.
            SlidingNodes::All => (0..=last).filter(|&k| !closed || k < last).collect(),
        };
        let mean = self.nodes == SlidingNodes::Mean;
        let all = self.nodes == SlidingNodes::All;
        let frictionless = file::Joint { friction: None, equivalent: None, ..joint.clone() };
        let of_nodes = if all { &frictionless } else { joint };
        let first = model.sliders.len();
        for place in chosen {
            let point = match mean {
                true => mean_of_edge(check, model, edge, usize::from(place > 0)),
                false => point_of_edge(check, model, edge, place),
            };
            let sliding = Sliding {
                slider: Name { value: model.points[point].name.clone(), ..self.edge.clone() },
                path: self.path.clone(),
                start: self.start.clone(),
                ends: self.ends,
                restitution: None,
                impact_friction: false,
                smooth: self.smooth,
                contact: Contact::Bilateral,
                side: None,
                member: None,
                length: None,
                height: None,
                bearing: None,
                sliding_mass: None,
            };
            let own = Name { value: format!("{}[{}]", name.value, place + 1), ..name.clone() };
            sliding.check(check, model, &own, SliderKind::Cylindrical, of_nodes);
            // One fault is enough: the others would be the same.
            if check.reader.is_faulty(&name.path) {
                return;
            }
        }
        // Where its path is not known, it has none.
        let Some(slider) = model.sliders.get(first).cloned() else {
            return;
        };
        let spread = all.then(|| {
            let mut lengths = model.consistent_lengths(edge);
            let again = lengths.pop_if(|_| closed);
            lengths[0] += again.unwrap_or(0.0);
            Spread { lengths, along_path: runs_along(model, edge, &slider.path) }
        });
        let sliders = first..model.sliders.len();
        let friction = (all && joint.friction.is_some()).then(|| {
            let slider = joint.friction_of_edge(check, model, name, &sliders);
            model.sliders.push(slider);
            sliders.end
        });
        model.sliding_edges.push(SlidingEdge {
            name: name.value.clone(),
            edge,
            closed,
            mean,
            sliders,
            friction,
            spread,
        });
    }
}

impl file::Joint {
    /// The slider that carries the friction of an edge whose nodes are `sliders`.
    fn friction_of_edge(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name, sliders: &Range<usize>,
    ) -> Slider {
        let friction = (self.friction.as_ref()).map_or(Friction::None, |f| f.check(check, name));
        if friction.kind().feels_inertia {
            let message = format!(
                "{}: friction in the form of Siqueira and Coda (2023) is that of a mass at one point, and with \
                 nodes = \"all\" friction is that of a whole edge; take another law or nodes = \"ends\"",
                name.path
            );
            check.report_entry(name, message);
        }
        Slider {
            name: name.value.clone(),
            kind: SliderKind::Edge,
            ends: PathEnds::Continue,
            roughness: None,
            equivalent: (self.equivalent.as_ref()).map(|e| e.harmonic(check)),
            friction,
            ..model.sliders[sliders.start + sliders.len() / 2].clone()
        }
    }
}

/// A mean place of an edge, towards one of its ends, numbered behind the edge's nodes.
fn mean_of_edge(check: &mut Checker<'_>, model: &mut Checked, edge: EdgeId, end: usize) -> PointId {
    let position = model.means_of_edge(edge)[end];
    let mut number = model.places_of_edge(edge).count() + 1;
    let named = |number: usize| format!("{}[{number}]", model.name_of_edge(edge));
    while check.mesh_points.contains(&named(number)) {
        number += 1;
    }
    let name = named(number);
    match model.is_rigid(edge.body) {
        true => places::point_on_body(check, model, edge.body, name, position),
        false => places::own_point(check, model, name, position),
    }
}

/// The point that a node of an edge is; one is made where there is none.
pub(super) fn point_of_edge(
    check: &mut Checker<'_>, model: &mut Checked, edge: EdgeId, place: usize,
) -> PointId {
    let name = format!("{}[{}]", model.name_of_edge(edge), place + 1);
    let body = &mut model.bodies[edge.body];
    let node = body.mesh.edges[edge.edge].nodes[place];
    if let Some(&(_, point)) = body.points.iter().find(|(n, _)| *n == node) {
        return point;
    }
    body.points.push((node, model.points.len()));
    let position = body.mesh.nodes[node];
    places::own_point(check, model, name, position)
}

/// Whether an edge runs in the direction of a path on which it lies, in its middle.
fn runs_along(model: &Checked, edge: EdgeId, path: &[PathPart]) -> bool {
    let axes = model.axes_of_edge(edge);
    let nodes = axes[axes.len() / 2].nodes();
    let middle = nodes[nodes.len() / 2];
    let near = path.iter().map(|&part| model.nearest_on_part(part, middle.position));
    let nearest = near.min_by(|a, b| a.distance.total_cmp(&b.distance));
    nearest.is_none_or(|path| (path.place.angle - middle.angle).cos() > 0.0)
}
