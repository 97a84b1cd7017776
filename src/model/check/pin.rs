//! Pins: holes of bodies that turn on something.

use super::Checker;
use crate::checked::OFF_PATH;
use crate::checked::{Bearing, Carrier, Checked, EdgeId, Pin};
use crate::message::{figure, rounded};
use crate::model::de::Name;
use crate::model::file::{self, Ends, Joint, PinNodes, SlidingEdge, SlidingNodes};
use crate::numerics::hypot::hypot;

impl file::Pin {
    pub(super) fn check(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, joint: &Joint,
    ) {
        if check.reader.is_faulty(&name.path) {
            return;
        }
        if self.nodes == PinNodes::All {
            self.slide(check, model, name, joint);
            return;
        }
        let (hole, on) = (check.edge(model, &self.hole), bearing(check, model, &self.on));
        let (Some(hole), Some(on)) = (hole, on) else {
            return;
        };
        let own = match on {
            Bearing::Edge(edge) => edge.body == hole.body,
            Bearing::Point(point) => model.bodies_at(point).any(|body| body == hole.body),
        };
        if own {
            let message = format!(
                "{}: `{}` belongs to body `{}`, as the hole does; name an edge of another body or another point",
                self.on.path, self.on.value, model.bodies[hole.body].name
            );
            check.report(&self.on, message);
            return;
        }
        if check.known.geometry {
            let [a, b] = [
                model.middle_of_edge(hole),
                match on {
                    Bearing::Edge(edge) => model.middle_of_edge(edge),
                    Bearing::Point(point) => model.points[point].position,
                },
            ];
            let (off, length) =
                (hypot(a[0] - b[0], a[1] - b[1]), model.length_of_carrier(Carrier::Edge(hole)));
            if off > OFF_PATH * length {
                let message = format!(
                    "{}: the middle of `{}` is {} m from that of `{}`; allowed: up to {} of the hole's length; \
                     move one of them",
                    self.on.path,
                    self.on.value,
                    rounded(off, 6),
                    self.hole.value,
                    figure(OFF_PATH)
                );
                check.report(&self.on, message);
            }
        }
        model.pins.push(Pin { name: name.value.clone(), hole, on });
    }

    /// A pin of all nodes: a closed edge that slides on another.
    fn slide(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, joint: &Joint) {
        let on = bearing(check, model, &self.on);
        let closed = |id: EdgeId| model.bodies[id.body].mesh.edges[id.edge].closed;
        match on {
            None => return,
            Some(Bearing::Edge(id)) if closed(id) => {}
            Some(on) => {
                let is = match on {
                    Bearing::Edge(_) => "has ends",
                    Bearing::Point(_) => "is a point",
                };
                let message = format!(
                    "{}: `{}` {is}; all nodes of a hole turn on a closed edge only; name one or write nodes = \"mean\"",
                    self.on.path, self.on.value
                );
                check.report(&self.on, message);
                return;
            }
        }
        let sliding = SlidingEdge {
            edge: self.hole.clone(),
            path: vec![self.on.clone()],
            start: None,
            nodes: SlidingNodes::All,
            ends: Ends::Closed,
            smooth: None,
        };
        sliding.check(check, model, name, joint);
    }
}

/// A point or, by `BODY.EDGE`, an edge.
fn bearing(check: &mut Checker<'_>, model: &Checked, name: &Name) -> Option<Bearing> {
    match name.value.contains('.') && !check.mesh_points.contains(&name.value) {
        true => check.edge(model, name).map(Bearing::Edge),
        false => check.point(name).map(Bearing::Point),
    }
}
