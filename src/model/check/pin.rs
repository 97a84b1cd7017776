//! Pins: holes of bodies that turn on something.

use super::Checker;
use crate::checked::OFF_PATH;
use crate::checked::{Bearing, Carrier, Checked, EdgeId, Pin};
use crate::message::{figure, rounded};
use crate::model::de::Name;
use crate::model::file::{self, Ends, Joint, PinNodes, SlidingEdge, SlidingNodes};

impl Checker<'_> {
    pub(super) fn pin(
        &mut self, model: &mut Checked, name: &Name, given: &file::Pin, joint: &Joint,
    ) {
        if self.reader.is_faulty(&name.path) {
            return;
        }
        if given.nodes == PinNodes::All {
            self.sliding_pin(model, name, given, joint);
            return;
        }
        let (hole, on) = (self.edge(model, &given.hole), self.bearing(model, &given.on));
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
                given.on.path, given.on.value, model.bodies[hole.body].name
            );
            self.report(&given.on, message);
            return;
        }
        if self.known.geometry {
            let [a, b] = [
                model.middle_of_edge(hole),
                match on {
                    Bearing::Edge(edge) => model.middle_of_edge(edge),
                    Bearing::Point(point) => model.points[point].position,
                },
            ];
            let (off, length) =
                ((a[0] - b[0]).hypot(a[1] - b[1]), model.length_of_carrier(Carrier::Edge(hole)));
            if off > OFF_PATH * length {
                let message = format!(
                    "{}: the middle of `{}` is {} m from that of `{}`; allowed: up to {} of the hole's length; \
                     move one of them",
                    given.on.path,
                    given.on.value,
                    rounded(off, 6),
                    given.hole.value,
                    figure(OFF_PATH)
                );
                self.report(&given.on, message);
            }
        }
        model.pins.push(Pin { name: name.value.clone(), hole, on });
    }

    /// A pin of all nodes: a closed edge that slides on another.
    fn sliding_pin(&mut self, model: &mut Checked, name: &Name, given: &file::Pin, joint: &Joint) {
        let on = self.bearing(model, &given.on);
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
                    given.on.path, given.on.value
                );
                self.report(&given.on, message);
                return;
            }
        }
        let sliding = SlidingEdge {
            edge: given.hole.clone(),
            path: vec![given.on.clone()],
            start: None,
            nodes: SlidingNodes::All,
            ends: Ends::Closed,
            smooth: None,
        };
        self.sliding_edge(model, name, &sliding, joint);
    }

    /// A point or, by `BODY.EDGE`, an edge.
    fn bearing(&mut self, model: &Checked, name: &Name) -> Option<Bearing> {
        match name.value.contains('.') && !self.mesh_points.contains(&name.value) {
            true => self.edge(model, name).map(Bearing::Edge),
            false => self.point(name).map(Bearing::Point),
        }
    }
}
