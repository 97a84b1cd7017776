//! Edges of bodies that slide on paths: each of their nodes that is held there is a slider.

use std::ops::Range;

use super::Checker;
use crate::checked::{
    Checked, EdgeId, PathEnds, PathPart, Point, PointId, Slider, SliderKind, SlidingEdge, Spread,
};
use crate::laws::friction::Friction;
use crate::model::de::Name;
use crate::model::file::{self, Contact, Sliding, SlidingNodes};

impl Checker<'_> {
    pub(super) fn sliding_edge(
        &mut self, model: &mut Checked, name: &Name, given: &file::SlidingEdge, joint: &file::Joint,
    ) {
        let Some(edge) = self.edge(model, &given.edge) else {
            return;
        };
        if model.is_rigid(edge.body) && given.nodes == SlidingNodes::All {
            let message = format!(
                "{}: edge `{}` is one of a rigid body, which two of its points hold on a path; write nodes = \"ends\" \
                 or \"mean\"",
                given.edge.path, given.edge.value
            );
            self.report(&given.edge, message);
            return;
        }
        let described = &model.bodies[edge.body].mesh.edges[edge.edge];
        let (closed, last) = (described.closed, described.nodes.len() - 1);
        if closed && given.nodes != SlidingNodes::All {
            let message = format!(
                "{}: edge `{}` is closed and has no ends; write nodes = \"all\"",
                given.edge.path, given.edge.value
            );
            self.report(&given.edge, message);
            return;
        }
        let chosen: Vec<usize> = match given.nodes {
            SlidingNodes::Ends | SlidingNodes::Mean => vec![0, last],
            // The last node of a closed edge is its first.
            SlidingNodes::All => (0..=last).filter(|&k| !closed || k < last).collect(),
        };
        let mean = given.nodes == SlidingNodes::Mean;
        let all = given.nodes == SlidingNodes::All;
        let frictionless = file::Joint { friction: None, equivalent: None, ..joint.clone() };
        let of_nodes = if all { &frictionless } else { joint };
        let first = model.sliders.len();
        for place in chosen {
            let point = match mean {
                true => self.mean_of_edge(model, edge, usize::from(place > 0)),
                false => self.point_of_edge(model, edge, place),
            };
            let sliding = Sliding {
                slider: Name { value: model.points[point].name.clone(), ..given.edge.clone() },
                path: given.path.clone(),
                start: given.start.clone(),
                ends: given.ends,
                restitution: None,
                impact_friction: false,
                smooth: given.smooth,
                contact: Contact::Bilateral,
                side: None,
                member: None,
                length: None,
                height: None,
                bearing: None,
                sliding_mass: None,
            };
            let own = Name { value: format!("{}[{}]", name.value, place + 1), ..name.clone() };
            self.slider(model, &own, SliderKind::Cylindrical, &sliding, of_nodes);
            // One fault is enough: the others would be the same.
            if self.reader.is_faulty(&name.path) {
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
            let slider = self.friction_of_edge(model, name, joint, &sliders);
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

    /// The slider that carries the friction of an edge whose nodes are `sliders`.
    fn friction_of_edge(
        &mut self, model: &Checked, name: &Name, joint: &file::Joint, sliders: &Range<usize>,
    ) -> Slider {
        let friction = (joint.friction.as_ref()).map_or(Friction::None, |f| self.friction(name, f));
        if friction.kind().feels_inertia {
            let message = format!(
                "{}: friction in the form of Siqueira and Coda (2023) is that of a mass at one point, and with \
                 nodes = \"all\" friction is that of a whole edge; take another law or nodes = \"ends\"",
                name.path
            );
            self.report_entry(name, message);
        }
        Slider {
            name: name.value.clone(),
            kind: SliderKind::Edge,
            ends: PathEnds::Continue,
            roughness: None,
            equivalent: (joint.equivalent.as_ref()).map(|e| self.harmonic(e)),
            friction,
            ..model.sliders[sliders.start + sliders.len() / 2].clone()
        }
    }

    /// A mean place of an edge, towards one of its ends, numbered behind the edge's nodes.
    fn mean_of_edge(&mut self, model: &mut Checked, edge: EdgeId, end: usize) -> PointId {
        let position = model.means_of_edge(edge)[end];
        let mut number = model.places_of_edge(edge).count() + 1;
        let named = |number: usize| format!("{}[{number}]", model.name_of_edge(edge));
        while self.mesh_points.contains(&named(number)) {
            number += 1;
        }
        let name = named(number);
        match model.is_rigid(edge.body) {
            true => self.point_on_body(model, edge.body, name, position),
            false => self.own_point(model, name, position),
        }
    }

    /// A point that the file does not have.
    pub(super) fn own_point(
        &mut self, model: &mut Checked, name: String, position: [f64; 2],
    ) -> PointId {
        model.points.push(Point { name: name.clone(), position });
        self.mesh_points.push(name);
        model.points.len() - 1
    }

    /// The point that a node of an edge is; one is made where there is none.
    pub(super) fn point_of_edge(
        &mut self, model: &mut Checked, edge: EdgeId, place: usize,
    ) -> PointId {
        let name = format!("{}[{}]", model.name_of_edge(edge), place + 1);
        let body = &mut model.bodies[edge.body];
        let node = body.mesh.edges[edge.edge].nodes[place];
        if let Some(&(_, point)) = body.points.iter().find(|(n, _)| *n == node) {
            return point;
        }
        body.points.push((node, model.points.len()));
        let position = body.mesh.nodes[node];
        self.own_point(model, name, position)
    }
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
