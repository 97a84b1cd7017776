//! What connects the parts of a mechanism with each other and with the ground.

use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Analysis, Bearing, Between, Carrier, DampingLaw, Direction, MemberLine, Moved, Part, PointId,
    Spring, SpringEnd, Target,
};
use coulisse::numerics::disjoint::DisjointSets;

/// Points, members, bodies and the ground under one numbering, in sets of what is connected.
pub struct Connections<'a> {
    model: &'a Checked,
    sets: DisjointSets,
}

impl<'a> Connections<'a> {
    fn of(model: &'a Checked) -> Connections<'a> {
        let mut all = Connections::by_nodes(model);
        all.join_joints();
        all.join_springs_and_couplings();
        all.join_what_is_held();
        all
    }

    /// By common points alone.
    fn by_nodes(model: &'a Checked) -> Connections<'a> {
        let count = model.points.len() + model.members.len() + model.bodies.len() + 1;
        let mut all = Connections { model, sets: DisjointSets::new(count) };
        parts(model).for_each(|part| all.join_nodes(part));
        all
    }

    /// By common points alone and with the number of its set for each node, for what damping does in time; none in statics.
    pub fn in_time(model: &'a Checked) -> Option<(Connections<'a>, Vec<usize>)> {
        let mut all = Connections::by_nodes(model);
        let roots = all.roots();
        (model.solver.analysis == Analysis::Dynamic).then_some((all, roots))
    }

    /// The number of its set for each node.
    fn roots(&mut self) -> Vec<usize> {
        (0..=self.ground()).map(|i| self.sets.root(i)).collect()
    }

    /// Whether a support or a motion holds something of a set in a direction.
    pub fn is_held(&self, roots: &[usize], set: usize, direction: Direction) -> bool {
        let supports = self.model.supports.iter();
        let held = supports.filter(|support| support.fixed.contains(&direction));
        let motions = self.model.motions.iter();
        let driven = motions.filter(|motion| motion.direction == direction);
        let driven = driven.filter_map(|motion| match motion.moved {
            Moved::Target(target) => Some(target),
            Moved::Supports(_) | Moved::Coupling(_) => None,
        });
        let mut targets = held.map(|support| support.target).chain(driven);
        targets.any(|target| roots[self.target(target)] == set)
    }

    /// Whether something of a set slides on a path outside of it, or something outside on it.
    pub fn slides(&self, roots: &[usize], set: usize) -> bool {
        let within = |node: usize| roots[node] == set;
        let on_paths = self.model.sliders.iter().any(|slider| {
            let own = within(slider.point);
            let mut path = slider.path.iter();
            path.any(|part| within(self.carrier(part.carrier)) != own)
        });
        on_paths
            || self.model.contacts.iter().any(|contact| {
                let mut sides = contact.parts().map(|part| within(self.part(part)));
                let first = sides.next();
                sides.any(|side| Some(side) != first)
            })
    }

    /// Whether one end of a spring alone is within a set.
    pub fn holds(&self, roots: &[usize], set: usize, spring: &Spring) -> bool {
        let within = |point: PointId| roots[point] == set;
        let (from, to) = match spring.between {
            Between::Line { from, to }
            | Between::Axis { from, to, .. }
            | Between::Along { from, to, .. } => (from, to),
            Between::Bushing { sides, .. } => (sides.from, sides.to.0),
            Between::Sections { .. } => return false,
        };
        let from = matches!(from, SpringEnd::Point(point) if within(point));
        from != within(to)
    }

    pub fn part(&self, part: Part) -> usize {
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
            && let MemberLine::Edge(edge) = self.model.members[id].line
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
        let driven = model.motions.iter().filter_map(|motion| match motion.moved {
            Moved::Target(target) => Some(target),
            Moved::Supports(_) | Moved::Coupling(_) => None,
        });
        let thrown = model.start.given.iter().map(|(target, ..)| *target);
        for target in held.chain(driven).chain(thrown) {
            self.sets.join(self.ground(), self.target(target));
        }
    }
}

pub fn parts(model: &Checked) -> impl Iterator<Item = Part> + use<> {
    let members = (0..model.members.len()).map(Part::Member);
    members.chain((0..model.bodies.len()).map(Part::Body))
}

/// Dynamics in which nothing has a mass.
pub fn massless(model: &Checked) -> Vec<String> {
    let heavy = |part: Part| match part {
        Part::Member(id) => {
            let member = &model.members[id];
            let own = member.properties.as_ref().map_or(0.0, |p| p.mass_by_length());
            own > 0.0 || member.rigid.is_some()
        }
        Part::Body(id) => model.bodies[id].weight()[0] > 0.0,
    };
    let dynamic = model.solver.analysis == Analysis::Dynamic;
    let none = parts(model).all(|part| !heavy(part)) && model.masses.iter().all(|m| m.mass == 0.0);
    let some = parts(model).next().is_some();
    match dynamic && some && none {
        true => vec![
            "nothing has a mass, in a dynamic analysis; write a `density` in [materials], give points a mass in [masses], or write analysis = \
             \"quasi_static\" in [solver], which needs none"
                .to_string(),
        ],
        false => Vec::new(),
    }
}

/// A model under loads or gravity that no support, spring or motion holds.
fn unsupported(model: &Checked) -> Vec<String> {
    let loaded = !model.loads.is_empty() || !model.line_loads.is_empty();
    let falls = model.gravity != [0.0, 0.0];
    let thrown = !model.start.given.is_empty();
    let held = !model.supports.is_empty() || !model.springs.is_empty() || !model.motions.is_empty();
    if held || thrown || !(loaded || falls) || parts(model).next().is_none() {
        return Vec::new();
    }
    let names = model.loads.iter().map(|load| &load.name);
    let mut names = names.chain(model.line_loads.iter().map(|load| &load.name));
    let under = (names.next()).map_or("[gravity]".to_string(), |name| format!("loads.{name}"));
    vec![format!(
        "nothing is supported: under {under} the mechanism accelerates as a whole; add [supports.NAME], or give its start in [initial] if it is \
         meant to fly{}",
        switched_off(model)
    )]
}

/// What might connect a loose part and is switched off, as the end of a cure.
fn switched_off(model: &Checked) -> String {
    let off: Vec<&str> = model.switched_off().collect();
    match off.is_empty() {
        true => String::new(),
        false => format!(", or switch on what is off: {}", off.join(", ")),
    }
}

/// Share of a velocity that damping may take in a run before that is worth a word, and the ratio from which modes count.
const DRAGGED: f64 = 0.05;
const RATIO: f64 = 1e-4;

/// Mass-proportional damping of parts that slide or fly as a whole: it resists that motion, too.
pub fn dragged(model: &Checked) -> Vec<String> {
    let Some((all, roots)) = Connections::in_time(model) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for entry in &model.damping {
        let what = match entry.law {
            DampingLaw::Coefficients(law) => {
                let taken = 1.0 - (-law.mass * model.experiment.stop_time).exp();
                if taken < DRAGGED {
                    continue;
                }
                format!(
                    "mass_coefficient, {} 1/s, takes {} % of its velocity in the run",
                    rounded(law.mass, 3),
                    rounded(100.0 * taken, 2)
                )
            }
            DampingLaw::Modes { ratios, .. } if ratios.iter().all(|ratio| *ratio > RATIO) => {
                "the mass-proportional part of `ratios` resists that motion, too".to_string()
            }
            DampingLaw::Modes { .. } => continue,
        };
        let moving = entry.parts.iter().find_map(|part| {
            let set = roots[all.part(*part)];
            let free = |direction| !all.is_held(&roots, set, direction);
            let slides = all.slides(&roots, set);
            // What springs hold is looked at with its frequency.
            let flies = || !(model.springs.iter()).any(|spring| all.holds(&roots, set, spring));
            let moves = (free(Direction::X) || free(Direction::Y)) && (slides || flies());
            moves.then_some((part, if slides { "slides" } else { "moves" }))
        });
        lines.extend(moving.map(|(part, moves)| {
            format!(
                "damping.{}: {} {moves} as a whole, not fixed by any support: {what}, as if it moved through a liquid; `stiffness_coefficient` \
                 alone damps nothing but its deformation",
                entry.name,
                part.quoted(model),
            )
        }));
    }
    lines
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
        return unsupported(model);
    }
    let mut reported = vec![held];
    let mut lines = Vec::new();
    for &(part, root) in &roots {
        if reported.contains(&root) {
            continue;
        }
        reported.push(root);
        let own = roots.iter().filter(|(_, other)| *other == root);
        let mut points = own.flat_map(|(part, _)| model.points_of(*part));
        let centre = points.find_map(|point| Some((point, model.body_centred_at(point)?)));
        let centre = centre.map_or(String::new(), |(point, body)| {
            let point = &model.points[point].name;
            format!(
                ". Its point `{point}` is only marked as the center of body `{0}`: list it in bodies.{0}.points, if they are one",
                body.name
            )
        });
        lines.push(format!(
            "{} is connected with nothing that is supported or moved, and flies freely; let it share a point (two points at the same \
             position are not connected), or connect it by a slider, a pin or a spring{}{centre}",
            part.quoted(model),
            switched_off(model)
        ));
    }
    lines
}
