//! What connects the parts of a mechanism with each other and with the ground.

use coulisse::model::Checked;
use coulisse::model::checked::{Bearing, Carrier, Course, Moved, Part, PointId, Target};
use coulisse::numerics::disjoint::DisjointSets;

/// Points, members, bodies and the ground under one numbering, in sets of what is connected.
struct Connections<'a> {
    model: &'a Checked,
    sets: DisjointSets,
}

impl<'a> Connections<'a> {
    fn of(model: &'a Checked) -> Connections<'a> {
        let count = model.points.len() + model.members.len() + model.bodies.len() + 1;
        let mut all = Connections {
            model,
            sets: DisjointSets::new(count),
        };
        parts(model).for_each(|part| all.join_nodes(part));
        all.join_joints();
        all.join_springs_and_couplings();
        all.join_what_is_held();
        all
    }

    fn part(&self, part: Part) -> usize {
        let (points, members) = (self.model.points.len(), self.model.members.len());
        match part {
            Part::Member(id) => points + id,
            Part::Body(id) => points + members + id,
        }
    }

    fn carrier(&self, carrier: Carrier) -> usize {
        self.part(match carrier {
            Carrier::Member(id) => Part::Member(id),
            Carrier::Edge(edge) => Part::Body(edge.body),
        })
    }

    fn target(&self, target: Target) -> usize {
        match target {
            Target::Point { point, .. } => point,
            Target::Member(id) => self.part(Part::Member(id)),
            Target::Body(id) => self.part(Part::Body(id)),
            Target::Edge(edge) => self.part(Part::Body(edge.body)),
        }
    }

    fn ground(&self) -> usize {
        self.model.points.len() + self.model.members.len() + self.model.bodies.len()
    }

    /// A part with its points and, where it follows an edge, with the body of that.
    fn join_nodes(&mut self, part: Part) {
        let own = self.part(part);
        for point in self.model.points_of(part) {
            self.sets.join(point, own);
        }
        if let Part::Member(id) = part
            && let Course::Edge(edge) = self.model.members[id].course
        {
            self.sets.join(own, self.part(Part::Body(edge.body)));
        }
    }

    fn join_joints(&mut self) {
        let model = self.model;
        for slider in &model.sliders {
            for part in &slider.path {
                self.sets.join(slider.point, self.carrier(part.carrier));
            }
        }
        for sliding in &model.sliding_edges {
            let own = self.part(Part::Body(sliding.edge.body));
            for slider in &model.sliders[sliding.sliders.clone()] {
                self.sets.join(slider.point, own);
            }
        }
        for pin in &model.pins {
            let on = match pin.on {
                Bearing::Edge(edge) => self.part(Part::Body(edge.body)),
                Bearing::Point(point) => point,
            };
            self.sets.join(self.part(Part::Body(pin.hole.body)), on);
        }
        for contact in &model.rigid_contacts {
            for &part in &contact.surface {
                let own = self.part(part.belongs_to(model));
                for slider in &model.sliders[contact.corners.clone()] {
                    self.sets.join(slider.point, own);
                }
            }
        }
        for contact in &model.contacts {
            let pressed: Vec<usize> = contact.parts().map(|part| self.part(part)).collect();
            for pair in pressed.windows(2) {
                self.sets.join(pair[0], pair[1]);
            }
        }
    }

    fn join_springs_and_couplings(&mut self) {
        let springs = self.model.springs.iter().map(|spring| &spring.between);
        let couplings = self.model.couplings.iter().flat_map(|c| c.coordinates());
        for between in springs.chain(couplings) {
            let moving: Vec<PointId> = between.moving().collect();
            // What has one end that moves has the other on the ground.
            let first = match moving[..] {
                [first, _, ..] => first,
                _ => self.ground(),
            };
            for point in moving {
                self.sets.join(first, point);
            }
        }
    }

    /// What is supported, driven or thrown on purpose, with the ground.
    fn join_what_is_held(&mut self) {
        let model = self.model;
        let held = model.supports.iter().map(|support| support.target);
        let driven = model
            .motions
            .iter()
            .filter_map(|motion| match motion.moved {
                Moved::Target(target) => Some(target),
                Moved::Supports(_) | Moved::Coupling(_) => None,
            });
        let thrown = model.start.given.iter().map(|(target, ..)| *target);
        for target in held.chain(driven).chain(thrown) {
            self.sets.join(self.ground(), self.target(target));
        }
    }
}

fn parts(model: &Checked) -> impl Iterator<Item = Part> + use<> {
    let members = (0..model.members.len()).map(Part::Member);
    members.chain((0..model.bodies.len()).map(Part::Body))
}

/// Parts that nothing connects with the ground, where something else is.
pub fn loose(model: &Checked) -> Vec<String> {
    let mut all = Connections::of(model);
    let ground = all.ground();
    let held = all.sets.root(ground);
    let root = |part: Part| {
        let own = all.part(part);
        (part, all.sets.root(own))
    };
    let roots: Vec<(Part, usize)> = parts(model).map(root).collect();
    if roots.iter().all(|(_, root)| *root != held) {
        return Vec::new();
    }
    let mut told = vec![held];
    let mut lines = Vec::new();
    for (part, root) in roots {
        if told.contains(&root) {
            continue;
        }
        told.push(root);
        lines.push(format!(
            "{} is connected with nothing that a support or a motion holds: it flies freely. Points at the same place are not connected, unless they are \
             one; a slider, a pin or a spring connects, too",
            part.quoted(model)
        ));
    }
    lines
}
