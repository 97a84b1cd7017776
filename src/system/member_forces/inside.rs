//! Section forces along an element in which loads and sliders act.
//!
//! A force inside an element is a step of **n**, a moment one of M, a load that begins inside it a corner; the [`Resultants`] of
//! its nodal forces are polynomials and cannot have them. What acts inside is known, though. A part of the element that it alone is on,
//! held at the last node, has
//!
//! ```text
//! **n**(ξ) = −Σ **F**_j,    M(ξ) = Σ [(Y(ξ) − Y_j) × **F**_j − M_j]        of all that acts before ξ
//! ```
//!
//! and nodal forces that are in balance with those of the loads. The element's nodal forces less these are those of an element that has forces at its
//! ends alone, whose **n** is a polynomial; to its resultants the above is added.

use super::MemberForces;
use crate::elements::frame::MAX_DOFS;
use crate::elements::frame::resultants::{Resultants, SAME_PLACE, SectionForces, is_inside};
use crate::nodes::{FrameNode, Node};
use crate::numerics::lagrange::shape;
use crate::system::joints::UnderSlider;
use crate::system::numbers::{Acting, Numbers};

/// On which side of what acts in a section this is looked at: nearer to the member's `from`, or to its `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Beside {
    Before,
    Behind,
}

/// The section forces along an element of a member.
pub(crate) struct ElementForces<'a, S: Acting, N: Numbers<S>> {
    of: MemberForces<'a>,
    element: usize,
    state: &'a N,
    /// Y and r of the nodes, positions from the first node.
    q: [N::Number; MAX_DOFS],
    /// Of the nodal forces without those of what acts inside.
    resultants: Resultants<N::Number>,
    /// Whether loads, and whether sliders, act inside.
    acted: [bool; 2],
}

impl<'a> MemberForces<'a> {
    /// The section forces along an element; `None` in a member without material.
    pub fn along<S: Acting, N: Numbers<S>>(
        self, state: &'a N, element: usize,
    ) -> Option<ElementForces<'a, S, N>> {
        let frames = self.frames?;
        let (_, local) = frames.element(element, state.now().places());
        let unknowns = frames.unknowns_of(element);
        let q = std::array::from_fn(|i| match unknowns.get(i) {
            None => N::Number::from(0.0),
            Some(&u) if i % 3 == 2 => state.with(local[i], |by| by.places()[u]),
            Some(&u) => state.with(local[i], |by| by.places()[u] - by.places()[unknowns[i % 3]]),
        });
        let mut force = self.element_force(state, frames, element);
        let order = self.member.order;
        let resultants = Resultants::of(order, &q, &force);
        let loaded = self.system.loads.lines.act_on((self.id, element));
        let mut found =
            ElementForces { of: self, element, state, q, resultants, acted: [loaded, true] };
        let mut slid = false;
        found.each_slider(|_| slid = true);
        found.acted[1] = slid;
        if loaded || slid {
            let inside = found.nodal();
            force.iter_mut().zip(inside).for_each(|(force, inside)| *force -= inside);
            found.resultants = Resultants::of(order, &found.q, &force);
        }
        Some(found)
    }
}

impl<S: Acting, N: Numbers<S>> ElementForces<'_, S, N> {
    fn nodes(&self) -> &[FrameNode] {
        let order = self.of.member.order;
        &self.of.nodes[self.element * order..=(self.element + 1) * order]
    }

    /// Position from the first node of the element.
    fn arm(&self, node: &Node) -> [N::Number; 2] {
        let first = self.nodes()[0].position;
        let q = self.state.now().places();
        [0, 1].map(|i| {
            let [own, from] = [node.position[i], first[i]];
            let arm = q.get(own).displacement_from(q.get(from));
            self.state.with(arm, |by| by.places()[own] - by.places()[from])
        })
    }

    fn each_slider(&self, mut visit: impl FnMut(&UnderSlider<'_>)) {
        if self.acted[1] {
            for slider in &self.of.system.sliders {
                slider.visit_under(self.state, self.nodes(), &mut visit);
            }
        }
    }

    fn each_load(
        &self, until: f64, counts: impl Fn(f64) -> bool, add: impl FnMut(f64, [N::Number; 3]),
    ) {
        if self.acted[0] {
            let (lines, id) = (&self.of.system.loads.lines, (self.of.id, self.element));
            lines.each_inside(self.state, id, &self.q, (until, counts), add);
        }
    }

    /// Nodal forces of what acts inside, in balance with it where the last node holds it.
    fn nodal(&self) -> [N::Number; MAX_DOFS] {
        let order = self.of.member.order;
        let mut nodal = [N::Number::from(0.0); MAX_DOFS];
        let mut add = |l: usize, forces: [N::Number; 3]| {
            nodal[3 * l..][..3].iter_mut().zip(forces).for_each(|(own, force)| *own += force);
        };
        self.each_load(1.0, is_inside, |xi, forces| {
            let shares = shape(order, xi).value;
            (0..order).for_each(|l| add(l, forces.map(|force| force * shares[l])));
        });
        self.each_slider(|under| under.each_nodal(self.state, |node| self.arm(node), &mut add));
        let mut held = [N::Number::from(0.0); 3];
        for l in 0..order {
            let [x, y, moment] = [0, 1, 2].map(|i| nodal[3 * l + i]);
            let [a, b] = [0, 1].map(|i| self.q[3 * l + i] - self.q[3 * order + i]);
            held[0] += x;
            held[1] += y;
            held[2] += moment + a * y - b * x;
        }
        nodal[3 * order..][..3].iter_mut().zip(held).for_each(|(own, held)| *own = -held);
        nodal
    }

    /// Force and moment about the first node of what acts before ξ or, where that is wanted, in this section.
    fn acting_before(&self, xi: f64, beside: Beside) -> [N::Number; 3] {
        let counts = |place: f64| {
            let until = match beside {
                Beside::Before => xi - SAME_PLACE,
                Beside::Behind => xi + SAME_PLACE,
            };
            place < until && is_inside(place)
        };
        let mut sum = [N::Number::from(0.0); 3];
        self.each_load(xi, counts, |place, [x, y, moment]| {
            let [a, b] = self.place(place);
            sum[0] += x;
            sum[1] += y;
            sum[2] += moment + a * y - b * x;
        });
        self.each_slider(|under| {
            if counts(under.place) {
                let all = under.resultant(self.state, |node| self.arm(node));
                sum.iter_mut().zip(all).for_each(|(sum, own)| *sum += own);
            }
        });
        sum
    }

    /// Y(ξ) from the first node.
    fn place(&self, xi: f64) -> [N::Number; 2] {
        let shares = shape(self.of.member.order, xi).value;
        let nodes = 0..=self.of.member.order;
        [0, 1].map(|i| nodes.clone().map(|l| self.q[3 * l + i] * shares[l]).sum())
    }

    /// The section at ξ, beside what acts in it.
    pub fn section(&self, xi: f64, beside: Beside) -> SectionForces<N::Number> {
        let mut forces = self.resultants.at(xi);
        if self.acted != [false; 2] {
            let [x, y, about] = self.acting_before(xi, beside);
            let [a, b] = self.place(xi);
            forces[0] -= x;
            forces[1] -= y;
            forces[2] += a * y - b * x - about;
        }
        SectionForces::of(forces, self.of.axis_angle(self.state, self.element, xi))
    }

    /// Calls `visit` with ξ of each section inside in which something acts.
    pub fn each_jump(&self, mut visit: impl FnMut(f64)) {
        if self.acted[0] {
            let sections = self.of.system.loads.lines.sections_in((self.of.id, self.element));
            sections.filter(|xi| is_inside(*xi)).for_each(&mut visit);
        }
        self.each_slider(|under| {
            if is_inside(under.place) {
                visit(under.place);
            }
        });
    }
}
