//! Centre of mass, momentum and angular momentum of parts.
//!
//! ```text
//! x̄ = Σ M_lm Y_m / Σ M_lm,     p = Σ M_lm Ẏ_m,     L = Σ Y_l × M_lm Ẏ_m + Σ J_lm ṙ_m
//! ```
//!
//! with the consistent mass of the elements, what is lumped in points where the whole mechanism is asked for, and the origin as
//! the point that L is about.

use super::{List, Source};
use crate::checked::{Analysis, Member, Part, Subject};
use crate::elements::group::Elements;
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// Where the mass of a part, or of all, is, and how it moves.
    pub enum OfMass of (_model, _part = Option<Part>) {}
    CentreX => at_positions("centre_x", Length, "Centre of mass x of").place(),
    CentreY => at_positions("centre_y", Length, "Centre of mass y of").place(),
    MomentumX => at_velocities("momentum_x", Momentum, "Momentum along x of"),
    MomentumY => at_velocities("momentum_y", Momentum, "Momentum along y of"),
    /// About the origin.
    AngularMomentum => at_velocities("angular_momentum", AngularMomentum, "Angular momentum about the origin of"),
}

/// The outputs of members and bodies with mass, then of the whole mechanism.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    let heavy = |member: &Member| member.properties.is_some_and(|p| p.mass_by_length() > 0.0);
    let members = model.members.iter().enumerate();
    let members = members.filter(|(_, member)| heavy(member)).map(|(id, member)| {
        let name = &member.name;
        (Some(Part::Member(id)), format!("members.{name}"), format!("member {name}"))
    });
    let bodies = model.bodies.iter().enumerate();
    let bodies = bodies.filter(|(_, body)| body.weight()[0] > 0.0).map(|(id, body)| {
        let (name, noun) = (&body.name, body.noun());
        let section = if body.member.is_some() { "members" } else { "bodies" };
        (Some(Part::Body(id)), format!("{section}.{name}"), format!("{noun} {name}"))
    });
    let mut parts: Vec<(Option<Part>, String, String)> = members.chain(bodies).collect();
    if !parts.is_empty() || model.masses.iter().any(|mass| mass.mass > 0.0) {
        parts.push((None, "mechanism".to_string(), "the whole mechanism".to_string()));
    }
    // In quasi-statics nothing has a velocity.
    let known = match model.solver.analysis {
        Analysis::QuasiStatic => 2,
        Analysis::Dynamic => OfMass::ALL.len(),
    };
    for (part, path, name) in parts {
        for of in &OfMass::ALL[..known] {
            list.add(&path, &name, of.of(Subject::Mass(part)));
        }
    }
}

impl OfMass {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, part: Option<Part>,
    ) -> N::Number {
        let (mut sum, mut mass) = (N::Number::from(0.0), 0.0);
        let place = |u: usize| state.get(|s| s.q[u]);
        let speed = |u: usize| state.get(|s| s.velocity[u]);
        let mut add = |u: usize, w: usize, m: f64| {
            let axis = (!system.is_rotation[u]).then(|| system.nodes.axis(u));
            match self {
                OfMass::CentreX | OfMass::CentreY => {
                    if axis == Some((self == OfMass::CentreY).into()) {
                        sum += place(w) * m;
                        mass += m;
                    }
                }
                OfMass::MomentumX | OfMass::MomentumY => {
                    if axis == Some((self == OfMass::MomentumY).into()) {
                        sum += speed(w) * m;
                    }
                }
                OfMass::AngularMomentum => {
                    sum += match axis {
                        // Y₂ of a node follows its Y₁.
                        Some(0) => -(place(u + 1) * speed(w) * m),
                        Some(_) => place(u - 1) * speed(w) * m,
                        None => speed(w) * m,
                    };
                }
            }
        };
        match part {
            Some(part) => PartMass::of(system, part).each(&mut add),
            None => (system.mass.matrix.triplet_iter()).for_each(|(u, w, &m)| add(u, w, m)),
        }
        if mass > 0.0 { sum / mass } else { sum }
    }

    pub(super) fn sources(self, system: &System, part: Option<Part>) -> Vec<Source> {
        match part {
            None => vec![Source::Everything],
            Some(part) => {
                let unknowns = PartMass::of(system, part).unknowns();
                unknowns.into_iter().map(Source::Unknown).collect()
            }
        }
    }
}

/// The mass of a part of a mechanism.
struct PartMass<'a> {
    elements: Option<&'a Elements>,
    /// Of a rigid body: mass, mass and inertia of its unknowns.
    rigid: Option<[(usize, f64); 3]>,
}

impl<'a> PartMass<'a> {
    fn of(system: &'a System, part: Part) -> PartMass<'a> {
        let rigid = match part {
            Part::Body(id) => system.nodes.of_rigid_body(id).zip(system.model.bodies[id].rigid()),
            _ => None,
        };
        let rigid = rigid.map(|(node, rigid)| {
            let [x, y, turn] = node.unknowns();
            [(x, rigid.mass), (y, rigid.mass), (turn, rigid.inertia)]
        });
        PartMass { elements: system.groups.of(part), rigid }
    }

    /// Hands its entries to `add`.
    fn each(&self, add: &mut impl FnMut(usize, usize, f64)) {
        if let Some(elements) = self.elements {
            elements.masses(1.0, &mut *add);
        }
        self.rigid.into_iter().flatten().for_each(|(u, m)| add(u, u, m));
    }

    fn unknowns(&self) -> Vec<usize> {
        let elements = self.elements.iter().flat_map(|elements| elements.unknowns());
        let rigid = self.rigid.into_iter().flatten().map(|(u, _)| u);
        let mut unknowns: Vec<usize> = elements.flatten().copied().chain(rigid).collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        unknowns
    }
}
