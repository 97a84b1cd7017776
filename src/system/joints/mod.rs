//! Sliding joints: sliders on paths with their stops, contacts that can open, and the friction of hinges and of edges.
//!
//! A [`Slider`] says by itself where it is on its path, what its gap is and what its friction law answers. What several of them have
//! to do with each other is of all [`SliderJoints`]: the friction of an edge, constraints that are redundant, the rows of the border.

mod change;
mod constraints;
mod contact;
mod driven;
mod edge_friction;
mod evaluate;
mod forces;
pub(super) mod found;
mod friction;
mod inside;
mod kinks;
mod regularisation;
mod roughness;
mod static_friction;
mod work;

use std::ops::{Deref, DerefMut};

pub(crate) use contact::NO_GAP;
pub(crate) use driven::Prescribed;
pub(crate) use inside::UnderSlider;
pub(crate) use kinks::Kink;

use nalgebra_sparse::csr::CsrMatrix;

use crate::checked::{PathEnds, Side, SliderKind};
use crate::joints::path::Path;
use crate::joints::slider::Kinematics;
use crate::laws::bearing::SliderBearing;
use crate::laws::friction::Kind;
use crate::numerics::positions::Positions;

/// All sliding joints of a mechanism, in the order of the model.
#[derive(Debug, Clone)]
pub(crate) struct SliderJoints(pub Vec<Slider>);

impl Deref for SliderJoints {
    type Target = [Slider];

    fn deref(&self) -> &[Slider] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a SliderJoints {
    type Item = &'a Slider;
    type IntoIter = std::slice::Iter<'a, Slider>;

    fn into_iter(self) -> std::slice::Iter<'a, Slider> {
        self.0.iter()
    }
}

impl DerefMut for SliderJoints {
    fn deref_mut(&mut self) -> &mut [Slider] {
        &mut self.0
    }
}

/// A sliding joint in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct Slider {
    /// Its number among the sliding joints.
    pub index: usize,
    pub kind: SliderKind,
    /// Ŷ₁, Ŷ₂ and, for a prismatic joint, r̂; none where it carries the friction of an edge. Of a hinge with friction how far
    /// it has turned at its radius, and what its force presses.
    pub unknowns: Vec<usize>,
    /// The sliders of the nodes of an edge whose friction it carries, with their shares of the edge's length; else none.
    pub shares: Vec<(usize, f64)>,
    pub path: Path,
    /// Whether members meet on its path, which may be at an angle.
    pub kinks: bool,
    pub ends: PathEnds,
    /// Whether it leaves its path as a load alone: nothing has to move behind the end.
    pub bare: bool,
    /// The side that it stands on, where it may lift off its path.
    pub side: Option<Side>,
    /// Coefficient of restitution e at its stops and where it touches down.
    pub restitution: f64,
    /// Whether friction acts in impacts.
    pub impact_friction: bool,
    /// What of it touches the path.
    pub bearing: SliderBearing,
    /// What its friction law is; the numbers are in [`Tuning`](super::Tuning).
    pub friction: Kind,
    /// Whether the steps are cut where it begins to stick or to slide.
    pub cuts: bool,
    /// Whether its friction is a function of the velocity of sliding, also at rest.
    pub creeps: bool,
    /// m of the stick branch, kg.
    pub mass: f64,
    /// The rows of M of Ŷ₁ and Ŷ₂, where its friction feels its inertia.
    pub inertia: [Vec<(usize, f64)>; 2],
    /// Position of s in `q`.
    pub coordinate: usize,
    /// Position of s in the border; the multipliers follow.
    pub border: usize,
    /// Largest extent of the mechanism, m; the yardstick of gaps.
    pub size: f64,
}

impl Slider {
    /// Conditions of the slider, each with a multiplier behind s in the border.
    pub fn conditions(&self) -> usize {
        if self.carries_friction_of_edge() { 2 } else { self.unknowns.len() }
    }

    /// Whether it is no node but carries the friction of all nodes of an edge.
    pub fn carries_friction_of_edge(&self) -> bool {
        !self.shares.is_empty()
    }

    /// Whether it is a node on a path that something carries.
    pub fn is_node_on_path(&self) -> bool {
        !self.carries_friction_of_edge() && !self.path.is_free()
    }

    /// Takes what its friction feels of the `mass` of the mechanism.
    pub fn take_inertia(&mut self, mass: &CsrMatrix<f64>) {
        if !self.friction.feels_inertia {
            return;
        }
        let (offsets, columns, values) = mass.csr_data();
        self.inertia = [0, 1].map(|i| {
            let u = self.unknowns[i];
            (offsets[u]..offsets[u + 1]).map(|entry| (columns[entry], values[entry])).collect()
        });
    }

    /// Where it stands on its path at `s`, on the element `kept` where one is.
    pub fn kinematics(&self, q: &Positions, kept: Option<usize>) -> Kinematics {
        if self.carries_friction_of_edge() {
            return self.kinematics_of_edge(q);
        }
        if self.path.is_free() {
            return self.kinematics_of_travel(q);
        }
        let s = q.get(self.coordinate);
        let element = kept.unwrap_or_else(|| self.path.element_at(s.rounded));
        let point = self.path.point_on(element, s);
        Kinematics::at(&self.path, point, q, &self.unknowns)
    }
}

/// λ·a of the first two multipliers.
fn dot(multipliers: &[f64; 3], a: [f64; 2]) -> f64 {
    multipliers[0] * a[0] + multipliers[1] * a[1]
}
