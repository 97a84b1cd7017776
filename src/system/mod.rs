//! The discretised mechanism: numbered degrees of freedom, elements, joints, sparsity, probes.
//!
//! # Unknowns
//!
//! `q` holds Y₁, Y₂ (m, absolute positions) and r (rad, from the initial direction) of the nodes,
//! then the sliding coordinate s (m) of every slider. Some nodal unknowns are prescribed by
//! supports and motions; the free ones are numbered as *equations*. Sliding coordinates and multipliers form the border of the linear system.

mod assembly;
mod bent;
mod bodies;
mod build;
mod constraints;
mod describe;
mod drawing;
mod elastic;
mod energy;
mod equations;
mod flow;
mod followers;
mod freedom;
mod groups;
mod inertia;
mod inputs;
mod iterate;
mod joints;
mod look;
mod mass;
mod material_point;
mod member_forces;
mod mobility;
mod motions;
mod numbers;
pub mod outputs;
mod redundant;
mod span;
mod sparse;
mod state;
mod stress;
mod surfaces;
mod terms;
mod tuning;
mod variation;
mod work;
mod workspace;

pub use bent::Bending;
#[cfg(test)]
pub(crate) use bodies::Bodies;
pub(crate) use describe::SingularMotion;
pub use drawing::{Drawing, PlacedSection};
pub(crate) use energy::EnergyError;
use equations::Equations;
pub(crate) use equations::Run;
pub use flow::{Circling, Flow};
pub use freedom::{Freedom, Freedoms, PointFreedom};
pub use groups::ElementId;
pub(crate) use groups::{ElementGroups, Group, Owner};
pub(crate) use inertia::{AT_END, InertiaRoom, MEAN, Movement, Passage};
use inputs::Given;
pub use iterate::{
    Along, Constraint, ContinuationFactors, Driven, FollowerLoad, Iterate, MassFactor, Sliding,
    SlidingVelocity, StaticFriction,
};
pub(crate) use joints::{Kink, NO_GAP, Prescribed, Slider, SliderJoints};
pub use look::{ActingForces, Look};
pub(crate) use mass::Mass;
pub use material_point::MaterialPoint;
pub(crate) use member_forces::{Beside, MemberForces};
pub(crate) use mobility::RigidMotions;
pub use mobility::{Cure, Locked, Mobility};
pub(crate) use motions::{Motion, Motions, Until};
pub(crate) use numbers::{Numbers, Varied, flow_velocity};
pub use numbers::{StateWithRates, TimeDerivatives};
pub use span::{Instant, Span};
pub(crate) use state::mean_friction;
pub use state::{
    ContactJournal, Counters, EnergyBalance, EqualSteps, HostInput, Journal, MotionState, Rates,
    Scaling, Signal, SliderState, SpringState, State,
};
pub(crate) use state::{Largest, StepControl};
use surfaces::Correction;
pub(crate) use surfaces::{ContactPoint, LayerTouch, why_lost};
pub use surfaces::{SurfaceContacts, SurfaceForce};
pub(crate) use terms::Term;
pub(crate) use terms::damping::Damping;
use terms::gravity::Gravity;
use terms::hinges::HingePressures;
use terms::loads::Loads;
use terms::pins::Pins;
pub(crate) use terms::springs::SpringWork;
use terms::springs::Springs;
pub use tuning::Tuning;
pub(crate) use variation::{Linear, Residual};
pub use workspace::{Branch, FoundPoint, Slid, Workspace};

use fearless_simd::dispatch;

use crate::checked::{Analysis, Checked};
use crate::linear::{Follower, Layout};
use crate::message::shown;
use crate::nodes::Nodes;
use crate::numerics::lanes::{LANES, larger, level};

/// A model that is free of faults in itself but cannot be assembled or solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", shown(.0))]
pub struct SystemFault(pub String);

/// Everything about the mechanism that does not change in time.
#[derive(Debug, Clone)]
pub struct System {
    pub(crate) model: Checked,
    /// Number of nodal unknowns; the sliding coordinates follow them.
    pub(crate) nodal: usize,
    /// Equation of each free nodal unknown.
    pub(crate) equation: Equations,
    /// Nodal unknown of each equation.
    pub(crate) unknown: Vec<usize>,
    /// Initial positions, rotations and sliding coordinates.
    pub(crate) initial: Vec<f64>,
    /// Whether an unknown is a rotation.
    pub(crate) is_rotation: Vec<bool>,
    /// What makes a displacement of an unknown relative to the mechanism, of each equation.
    scales: Vec<f64>,
    pub(crate) groups: ElementGroups,
    /// The triangles around each point.
    pub(crate) around: Vec<stress::Around>,
    /// The triangles around each place that is looked at.
    pub(crate) places: Vec<stress::Around>,
    pub(crate) mass: Mass,
    /// Structural damping, where there is any.
    pub(crate) damping: Option<Damping>,
    pub(crate) sliders: SliderJoints,
    pub(crate) pins: Pins,
    pub(crate) hinges: HingePressures,
    pub surfaces: SurfaceContacts,
    pub(crate) springs: Springs,
    pub(crate) motions: Motions,
    pub(crate) loads: Loads,
    /// Most entries of the tangent beside its symmetric part.
    pub(crate) beside: usize,
    pub(crate) layout: Layout,
    /// Which nodes are eliminated with sliders and pins.
    followers: Vec<Follower>,
    /// Entries of the factors of its matrix.
    factors: usize,
    /// Unknowns of the border: s and multipliers of all sliders, then the multipliers of all pins.
    pub(crate) border: usize,
    /// Bodies and points that may float when nothing but multipliers holds them.
    pub(crate) floating: usize,
    /// Largest extent of the mechanism, m; the yardstick of positions.
    pub(crate) size: f64,
    pub(crate) nodes: Nodes,
}

impl System {
    /// The model this system was built from.
    pub fn model(&self) -> &Checked {
        &self.model
    }

    /// Whether inertia acts; otherwise equilibria follow each other.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.model.solver.analysis == Analysis::Dynamic
    }

    /// Whether forces follow from velocities of nodal unknowns.
    pub(crate) fn feels_velocity(&self) -> bool {
        self.damping.is_some()
            || self.surfaces.contacts.iter().any(|contact| contact.friction.acts)
            || self.springs.damp()
    }

    /// Whether forces or accelerations follow from any velocities.
    pub(crate) fn follows_velocity(&self) -> bool {
        self.feels_velocity() || !self.sliders.is_empty() || !self.pins.list.is_empty()
    }

    /// Initial positions (m), rotations (0) and sliding coordinates (m).
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.positions().count()
    }

    /// Free nodal unknowns.
    pub fn equations(&self) -> usize {
        self.unknown.len()
    }

    /// What makes a displacement of an unknown relative to the mechanism: its size, m, or 1 rad.
    /// Sliding coordinates are lengths.
    pub(crate) fn scale(&self, unknown: usize) -> f64 {
        match self.is_rotation.get(unknown) {
            Some(true) => 1.0,
            _ => self.size,
        }
    }

    /// The largest of some `changes` of the free unknowns relative to the mechanism; no number where one is none.
    pub(crate) fn largest_change(&self, changes: &[f64]) -> f64 {
        let mut largest = 0.0;
        dispatch!(level(), _ => {
            let mut most = [0.0; LANES];
            let mut sums = [0.0; LANES];
            let (fours, rest) = changes.as_chunks::<LANES>();
            let (scales, rest_scales) = self.scales.as_chunks::<LANES>();
            for (changes, scales) in fours.iter().zip(scales) {
                for k in 0..LANES {
                    most[k] = larger(most[k], changes[k].abs() / scales[k]);
                    // Zero, unless one is no number: a maximum would swallow that.
                    sums[k] += 0.0 * changes[k];
                }
            }
            for (change, scale) in rest.iter().zip(rest_scales) {
                most[0] = larger(most[0], change.abs() / scale);
                sums[0] += 0.0 * change;
            }
            let flaw: f64 = sums.iter().sum();
            largest = flaw + most.into_iter().fold(0.0, larger);
        });
        largest
    }

    /// The speed (m/s) below which nothing moves: a step of the solver changes no position by more than its
    /// rounding.
    pub(crate) fn rest_speed(&self) -> f64 {
        f64::EPSILON * self.size / self.model.solver.step
    }

    /// A correction `x` of Newton's method, of which no unknown moves farther than `size` relative to its [scale](System::scale).
    pub(crate) fn correction<'a>(&'a self, x: &'a [f64], size: f64) -> Correction<'a> {
        Correction { x, equations: &self.equation, size: size * self.size }
    }

    /// λ·n of slider `j`, N: positive where it pushes its path to the left of growing s.
    pub fn signed_normal_force(&self, state: &State, j: usize) -> f64 {
        let k = self.sliders[j].kinematics(&state.q, None);
        k.signed_normal_force(&state.multipliers[j])
    }

    /// Sliding coordinates and multipliers.
    pub fn border(&self) -> usize {
        self.border
    }
}
