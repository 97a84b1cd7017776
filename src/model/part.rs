//! A part of a mechanism, as a model of its own.

use super::checked::{
    BodyId, Carrier, Checked, Direction, EdgeId, Hinge, Mass, MemberId, Motion, Moved, Part,
    PathPart, PointId, Slider, SliderKind, Start, StartVelocities, Support, Target,
};

impl Checked {
    /// The mechanism of some members and bodies alone: with the supports, motions, masses and hinges at them,
    /// and the sliding joints between them; at rest, without loads and damping, with nothing to
    /// set or to read.
    pub fn part(&self, parts: &[Part]) -> Checked {
        let part = Taken { whole: self, parts };
        Checked {
            members: part.members().map(|m| self.members[m].clone()).collect(),
            bodies: part.bodies().map(|b| self.bodies[b].clone()).collect(),
            hinges: self.hinges.iter().map(|hinge| part.hinge(hinge)).collect(),
            masses: self.masses.iter().filter_map(|m| part.mass(m)).collect(),
            supports: (self.supports.iter().filter_map(|s| part.support(s))).collect(),
            motions: self.motions.iter().filter_map(|m| part.motion(m)).collect(),
            sliders: self.sliders.iter().filter_map(|s| part.slider(s)).collect(),
            start: Start {
                velocities: StartVelocities::Rest,
                equilibrium: None,
                given: Vec::new(),
            },
            name: self.name.clone(),
            solver: self.solver.clone(),
            experiment: self.experiment.clone(),
            points: self.points.clone(),
            ..Checked::empty()
        }
    }
}

/// Which members and bodies of a model are taken.
struct Taken<'a> {
    whole: &'a Checked,
    parts: &'a [Part],
}

impl Taken<'_> {
    fn members(&self) -> impl Iterator<Item = MemberId> {
        self.parts.iter().filter_map(|part| match part {
            Part::Member(id) => Some(*id),
            Part::Body(_) => None,
        })
    }

    fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.parts.iter().filter_map(|part| match part {
            Part::Body(id) => Some(*id),
            Part::Member(_) => None,
        })
    }

    /// Number of a member among those taken.
    fn number(&self, member: MemberId) -> Option<MemberId> {
        self.members().position(|m| m == member)
    }

    /// An edge of a body that is taken.
    fn edge(&self, edge: EdgeId) -> Option<EdgeId> {
        let body = self.bodies().position(|b| b == edge.body)?;
        Some(EdgeId { body, ..edge })
    }

    /// Whether something that is taken has a point.
    fn reaches(&self, point: PointId) -> bool {
        let there = self.whole.parts_at(point);
        there.iter().any(|part| self.parts.contains(part))
    }

    fn hinge(&self, hinge: &Hinge) -> Hinge {
        let released = hinge.released.iter();
        Hinge {
            released: released.filter_map(|&m| self.number(m)).collect(),
            ..hinge.clone()
        }
    }

    fn mass(&self, mass: &Mass) -> Option<Mass> {
        // The rotary inertia of a member that is not taken stays with it.
        let turns = mass.member.is_none_or(|m| self.number(m).is_some());
        self.reaches(mass.point).then(|| Mass {
            rotary_inertia: if turns { mass.rotary_inertia } else { 0.0 },
            member: mass.member.and_then(|m| self.number(m)),
            ..mass.clone()
        })
    }

    /// The target, and whether its rotation is one of the part.
    fn target(&self, target: Target) -> Option<(Target, bool)> {
        match target {
            Target::Point { point, member } => {
                let turns = member.is_none_or(|m| self.number(m).is_some());
                let member = member.and_then(|m| self.number(m));
                let target = Target::Point { point, member };
                self.reaches(point).then_some((target, turns))
            }
            Target::Member(member) => Some((Target::Member(self.number(member)?), true)),
            Target::Body(body) => {
                let body = self.bodies().position(|b| b == body)?;
                Some((Target::Body(body), true))
            }
            Target::Edge(edge) => Some((Target::Edge(self.edge(edge)?), true)),
        }
    }

    fn support(&self, support: &Support) -> Option<Support> {
        let (target, turns) = self.target(support.target)?;
        let mut fixed = support.fixed.clone();
        fixed.retain(|direction| turns || *direction != Direction::Rotation);
        Some(Support {
            name: support.name.clone(),
            target,
            fixed,
        })
    }

    fn motion(&self, motion: &Motion) -> Option<Motion> {
        let moved = match &motion.moved {
            Moved::Target(target) => {
                let (target, turns) = self.target(*target)?;
                let moves = turns || motion.direction != Direction::Rotation;
                moves.then_some(Moved::Target(target))?
            }
            Moved::Supports(list) => {
                let kept = list.iter().filter_map(|&support| self.number_of(support));
                Moved::Supports(kept.collect())
            }
        };
        Some(Motion {
            moved,
            // Held all the time; the joint that it waits for may not be of the part.
            release: None,
            ..motion.clone()
        })
    }

    /// Number of a support in the part.
    fn number_of(&self, support: usize) -> Option<usize> {
        let taken = |support: &Support| self.support(support).is_some();
        let supports = &self.whole.supports;
        taken(&supports[support]).then(|| supports[..support].iter().filter(|s| taken(s)).count())
    }

    fn slider(&self, slider: &Slider) -> Option<Slider> {
        let path = slider.path.iter().map(|on| match on.carrier {
            Carrier::Member(member) => {
                let carrier = Carrier::Member(self.number(member)?);
                Some(PathPart { carrier, ..*on })
            }
            Carrier::Edge(edge) => {
                let carrier = Carrier::Edge(self.edge(edge)?);
                Some(PathPart { carrier, ..*on })
            }
        });
        let path = path.collect::<Option<Vec<PathPart>>>()?;
        let turns = slider.member.is_none_or(|m| self.number(m).is_some());
        self.reaches(slider.point).then(|| Slider {
            kind: if turns {
                slider.kind
            } else {
                SliderKind::Cylindrical
            },
            path,
            member: slider.member.and_then(|m| self.number(m)),
            ..slider.clone()
        })
    }
}
