//! Supports of points and edges.

use coulisse::model::checked::{Carrier, Direction, EdgeId, PointId, Support, Target};

use super::scene::{Anchor, Frame, Pixel};
use super::{Drawing, symbols};

impl Drawing<'_> {
    /// Direction in which the members leave a point; upwards where there are none.
    fn outwards(&self, point: PointId) -> Pixel {
        let mut sum = [0.0, 0.0];
        for member in self.model.members_at(point) {
            let axis = self.axis(member);
            let there = if self.model.members[member].from == point {
                axis[1]
            } else {
                axis[axis.len() - 2]
            };
            let here = self.point(point);
            let along = Frame::new(here, [there[0] - here[0], there[1] - here[1]]).along;
            sum = [sum[0] + along[0], sum[1] + along[1]];
        }
        if sum[0].hypot(sum[1]) < 1e-6 { [0.0, -1.0] } else { sum }
    }

    pub(super) fn supports(&mut self) {
        for support in &self.model.supports {
            match support.target {
                Target::Point { point, .. } => self.support(support, point),
                Target::Edge(edge) => self.support_of_edge(support, edge),
                Target::Member(_) | Target::Body(_) => {}
            }
        }
    }

    /// Ground along an edge that is held in both directions; rollers on one that is held in one.
    fn support_of_edge(&mut self, support: &Support, edge: EdgeId) {
        const ROLLERS: [f64; 3] = [0.1, 0.5, 0.9];
        let carrier = Carrier::Edge(edge);
        let line = self.line(carrier);
        self.begin(Anchor::Picture, line[0], [1.0, 0.0]);
        let holds = |direction| support.fixed.contains(&direction);
        if holds(Direction::X) && holds(Direction::Y) {
            // On the right of an edge is no body.
            symbols::ground(&mut self.scene, &line, 3.0);
            return;
        }
        let axis = usize::from(holds(Direction::Y));
        for share in ROLLERS {
            let at = self.along_line(carrier, share);
            let inwards = self.inwards(carrier, share);
            let mut along = [0.0, 0.0];
            along[axis] = if inwards[axis] < 0.0 { -1.0 } else { 1.0 };
            symbols::roller(&mut self.scene, &Frame::new(at, along));
        }
    }

    fn support(&mut self, support: &Support, point: PointId) {
        let at = self.point(point);
        let outwards = self.outwards(point);
        self.begin(Anchor::Point(point), at, [1.0, 0.0]);
        let up = Frame::new(at, [0.0, -1.0]);
        let side = Frame::new(at, [if outwards[0] < 0.0 { -1.0 } else { 1.0 }, 0.0]);
        let holds = |direction| support.fixed.contains(&direction);
        let scene = &mut self.scene;
        match (holds(Direction::X), holds(Direction::Y), holds(Direction::Rotation)) {
            (true, true, true) => symbols::clamp(scene, &Frame::new(at, outwards)),
            (true, true, false) => symbols::pin(scene, &up),
            (false, true, false) => symbols::roller(scene, &up),
            (true, false, false) => symbols::roller(scene, &side),
            (false, true, true) => symbols::guided(scene, &up),
            (true, false, true) => symbols::guided(scene, &side),
            (false, false, _) => symbols::no_turn(scene, &up),
        }
    }
}
