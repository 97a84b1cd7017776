//! A part of a mechanism, as a model of its own.

use super::{
    Bearing, Between, Body, BodyId, Carrier, Checked, Coupling, Direction, Driver, EdgeId, Hinge,
    Mass, Member, MemberId, Motion, Moved, Part, PathPart, Pin, PointId, Section, Slider,
    SliderKind, SlidingEdge, Start, StartVelocities, Support, Target, Turns,
};

impl Checked {
    /// The mechanism of some members and bodies alone: with the supports, motions, masses and hinges at them,
    /// and the sliding joints, pins and couplings between them; at rest, without loads and damping, with nothing to
    /// set or to read.
    pub fn part(&self, parts: &[Part]) -> Checked {
        let part = Taken { whole: self, parts };
        Checked {
            members: part.members().map(|m| part.member(m)).collect(),
            bodies: part.bodies().map(|b| part.body(b)).collect(),
            hinges: self.hinges.iter().map(|hinge| part.hinge(hinge)).collect(),
            released_bodies: (self.released_bodies.iter())
                .filter_map(|(point, body)| Some((*point, part.bodies().position(|b| b == *body)?)))
                .collect(),
            masses: self.masses.iter().filter_map(|m| part.mass(m)).collect(),
            supports: (self.supports.iter().filter_map(|s| part.support(s))).collect(),
            motions: self.motions.iter().filter_map(|m| part.motion(m)).collect(),
            sliders: self.sliders.iter().filter_map(|s| part.slider(s)).collect(),
            sliding_edges: (self.sliding_edges.iter())
                .filter_map(|edge| part.sliding_edge(edge))
                .collect(),
            pins: self.pins.iter().filter_map(|pin| part.pin(pin)).collect(),
            couplings: (self.couplings.iter())
                .filter_map(|coupling| part.coupling(coupling))
                .collect(),
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
            Part::Body(id) => self.whole.bodies[*id].member,
        })
    }

    fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.parts.iter().filter_map(|part| match part {
            Part::Body(id) => Some(*id),
            Part::Member(_) => None,
        })
    }

    fn member(&self, id: MemberId) -> Member {
        let member = &self.whole.members[id];
        let rigid = |body| self.bodies().position(|b| b == body);
        Member { rigid: member.rigid.and_then(rigid), ..member.clone() }
    }

    fn body(&self, id: BodyId) -> Body {
        let body = &self.whole.bodies[id];
        Body { member: body.member.and_then(|member| self.number(member)), ..body.clone() }
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

    /// Whether something that is taken has a point, or is pinned on it.
    fn reaches(&self, point: PointId) -> bool {
        let taken = |edge: EdgeId| self.parts.contains(&Part::Body(edge.body));
        let of_line = |edge: &SlidingEdge| {
            let mut sliders = edge.sliders.clone();
            edge.mean && sliders.any(|j| self.whole.sliders[j].point == point)
        };
        let there = self.whole.parts_at(point);
        let (mut pins, mut edges) = (self.whole.pins.iter(), self.whole.sliding_edges.iter());
        there.iter().any(|part| self.parts.contains(part))
            || pins.any(|pin| pin.on == Bearing::Point(point) && taken(pin.hole))
            || edges.any(|edge| taken(edge.edge) && of_line(edge))
    }

    fn hinge(&self, hinge: &Hinge) -> Hinge {
        let released = hinge.released.iter();
        Hinge {
            released: released
                .map(|group| group.iter().filter_map(|&m| self.number(m)).collect())
                .collect(),
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
        Some(Support { name: support.name.clone(), target, fixed })
    }

    fn motion(&self, motion: &Motion) -> Option<Motion> {
        let moved = match &motion.moved {
            Moved::Target(target) => {
                let (target, turns) = self.target(*target)?;
                let moves = turns || motion.direction != Direction::Rotation;
                moves.then_some(Moved::Target(target))?
            }
            Moved::Coupling(id) => Moved::Coupling(self.number_of_coupling(*id)?),
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

    fn coupling(&self, coupling: &Coupling) -> Option<Coupling> {
        let mut drivers = Vec::new();
        for driver in &coupling.drivers {
            drivers.push(Driver {
                coordinate: self.coordinate(&driver.coordinate)?,
                ..driver.clone()
            });
        }
        Some(Coupling {
            driven: self.coordinate(&coupling.driven)?,
            drivers,
            name: coupling.name.clone(),
        })
    }

    /// Number of a coupling in the part.
    fn number_of_coupling(&self, coupling: usize) -> Option<usize> {
        let all = &self.whole.couplings;
        self.coupling(&all[coupling])?;
        let before = all[..coupling].iter();
        Some(before.filter(|c| self.coupling(c).is_some()).count())
    }

    /// A coordinate all of whose ends are of the part.
    fn coordinate(&self, between: &Between) -> Option<Between> {
        if !between.moving().all(|point| self.reaches(point)) {
            return None;
        }
        let section = |(point, member): Section| match member {
            Some(member) => Some((point, Some(self.number(member)?))),
            None => Some((point, None)),
        };
        Some(match *between {
            Between::Sections { from, to } => Between::Sections {
                from: match from {
                    Some(from) => Some(section(from)?),
                    None => None,
                },
                to: section(to)?,
            },
            same => same,
        })
    }

    fn pin(&self, pin: &Pin) -> Option<Pin> {
        Some(Pin {
            hole: self.edge(pin.hole)?,
            on: match pin.on {
                Bearing::Edge(edge) => Bearing::Edge(self.edge(edge)?),
                point => point,
            },
            ..pin.clone()
        })
    }

    fn sliding_edge(&self, edge: &SlidingEdge) -> Option<SlidingEdge> {
        let taken = |slider: &&Slider| self.slider(slider).is_some();
        let before = |j: usize| self.whole.sliders[..j].iter().filter(taken).count();
        let sliders = before(edge.sliders.start)..before(edge.sliders.end);
        (sliders.len() == edge.sliders.len()).then_some(())?;
        Some(SlidingEdge {
            edge: self.edge(edge.edge)?,
            sliders,
            friction: edge.friction.map(before),
            ..edge.clone()
        })
    }

    fn slider(&self, slider: &Slider) -> Option<Slider> {
        if matches!(slider.kind, SliderKind::Hinge | SliderKind::Stop) {
            return None;
        }
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
        let turning = slider.turning.map(|turns| match turns {
            Turns::Member(member) => self.number(member).map(Turns::Member),
            Turns::Body(body) => self.bodies().position(|b| b == body).map(Turns::Body),
            Turns::Ground => Some(Turns::Ground),
        });
        let turns = turning != Some(None);
        self.reaches(slider.point).then(|| Slider {
            kind: if turns { slider.kind } else { SliderKind::Cylindrical },
            path,
            turning: turning.flatten(),
            ..slider.clone()
        })
    }
}
