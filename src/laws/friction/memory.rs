//! Laws with memory: friction through elastic bristles.
//!
//! The surfaces touch by bristles of stiffness k in N/m, whose mean deflection z is remembered from
//! step to step. Over a step of length h the slider moves by Δs at a constant rate while F_N has the
//! value of the step's end. With these two z follows exactly, however far it goes: nothing is stiff,
//! nothing overshoots, and nothing lags behind, because Δs and F_N are those of the iterate.
//!
//! # Energy
//!
//! Bristles store U = ½ k z². A law tells the energy D that it dissipates over the step, and
//!
//! ```text
//! W = ∫ F_f ds = U₁ − U₀ + D,    D ≥ 0
//! ```
//!
//! is the work that friction takes. The step's equations feel the force F₁ at the step's end, which
//! is never below what dissipates either: F₁ Δs − (U₁ − U₀) ≥ 0. Each law says why. Common to all:
//!
//! - Bristles that are bent further than the present normal force bears slip at once
//!   ([`Pass::limited`]): this dissipates and moves nothing.
//! - Then z moves steadily towards the value that goes with Δs. Where |F| grows along the way, F₁ Δs is
//!   at least ∫ F ds; where it falls, U falls and F₁ Δs > 0.

use num_dual::Dual64;

use super::equivalent::Equivalent;
use super::law::{Common, Follows, Surroundings};
use super::number::Contradiction;
use super::{Contact, Response};

/// What a law remembers: z in m first, the rest as the law wants. All zero is a joint that has been at
/// rest, unloaded, for long.
pub type Memory<D = f64> = [D; 2];

/// A step as a law with memory sees it, in numbers whose derivatives are carried along.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// Δs, m.
    pub slid: Dual64,
    /// h, s.
    pub step: f64,
    /// F_N c(F_N) ≥ 0, N.
    pub normal_force: Dual64,
    /// The memory at the beginning of the step.
    pub before: Memory<Dual64>,
}

/// What a law with memory makes of a step.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// F_f at the end of the step without the viscous part, N.
    pub force: Dual64,
    /// The memory at the end of the step.
    pub memory: Memory<Dual64>,
    /// D, J.
    pub dissipated: Dual64,
    /// Whether the bristles hold: |z| is below what the law says.
    pub presliding: bool,
}

/// A force along the path that bristles would have without bound, and the bound.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounded<N = Dual64> {
    /// T, N.
    pub trial: N,
    /// The largest |F|, N.
    pub limit: N,
    /// ∂T/∂s, N/m.
    pub stiffness: N,
}

impl Bounded<f64> {
    /// What T is beyond the bound, N.
    pub fn excess(&self) -> f64 {
        // `clamp` would panic where a diverging iterate has no bound.
        self.trial - self.trial.max(-self.limit).min(self.limit)
    }

    /// The same by a coordinate of which the slider moves `stretch` m per m, and conjugate to it.
    pub fn by_coordinate(&self, stretch: f64) -> Bounded<f64> {
        Bounded {
            trial: stretch * self.trial,
            limit: stretch * self.limit,
            stiffness: stretch * stretch * self.stiffness,
        }
    }
}

/// The physics of a law with memory.
pub trait MemoryLaw: Common {
    /// k, N/m.
    fn stiffness(&self) -> Dual64;

    /// The step.
    fn pass(&self, pass: &Pass) -> Outcome;

    /// μ(|v|) of steady sliding at `speed` ≥ 0.
    fn steady(&self, speed: Dual64, at: &Surroundings) -> Dual64;

    /// What else than the speed it follows from, besides the factor c.
    fn follows(&self) -> Follows {
        Follows::default()
    }

    /// Equivalent damper and spring of the settled loop x = a cos ωt by a closed form, where there is
    /// one, under the effective `normal_force` c F_N; without the viscous part.
    fn equivalent(&self, normal_force: f64, amplitude: f64, frequency: f64) -> Option<Equivalent> {
        let _ = (normal_force, amplitude, frequency);
        None
    }

    /// The step where its force is that of linear bristles within bounds: the forces of all such joints are
    /// then found together.
    fn bounded(&self, pass: &Pass) -> Option<Bounded> {
        let _ = pass;
        None
    }

    /// What does not go together.
    fn contradiction(&self) -> Option<Contradiction> {
        None
    }
}

impl Pass {
    /// +1 or −1: which way the slider moves.
    pub fn direction(&self) -> f64 {
        self.slid.re.signum()
    }

    /// |Δs|, m.
    pub fn travel(&self) -> Dual64 {
        self.slid * self.direction()
    }

    /// |Δs|/h, m/s.
    pub fn speed(&self) -> Dual64 {
        self.travel() / self.step
    }

    /// The deflection of the beginning as far as bristles can be bent, `largest`, and the energy
    /// ½ k (z₀² − z²) of the rest.
    pub fn limited(&self, stiffness: Dual64, largest: Dual64) -> (Dual64, Dual64) {
        let z = self.before[0];
        if z.re.abs() <= largest.re {
            return (z, Dual64::from_re(0.0));
        }
        let limited = largest * z.re.signum();
        (limited, stiffness * (z - limited) * (z + limited) * 0.5)
    }
}

/// Force, tangent, and what is remembered and stored after the step to `contact`.
pub(super) fn respond(law: &dyn MemoryLaw, contact: &Contact) -> Response {
    let by_velocity = Contact { velocity: 1.0, ..Contact::default() };
    let by_normal_force = Contact { normal_force: 1.0, ..Contact::default() };
    let moved = follow(law, contact, &by_velocity);
    let pressed = follow(law, contact, &by_normal_force);
    let all = [moved.memory[0], moved.memory[1], moved.work, moved.stored];
    // What is remembered must be a number, or the step is none: Newton's method sees to that.
    let sound = all.iter().all(|value| value.re.is_finite());
    Response {
        force: if sound { moved.force.re } else { f64::NAN },
        by_velocity: moved.force.eps,
        by_normal_force: pressed.force.eps,
        by_resultant: 0.0,
        by_position: 0.0,
        sticking: moved.sticking,
        memory: moved.memory.map(|value| value.re),
        work: moved.work.re,
        stored: moved.stored.re,
        bristles: None,
    }
}

/// Response of bounded bristles while all their forces are looked for together: with the tangent of
/// bristles that hold, and with that of the bound by F_N where they slip with the sign `slips`.
pub(super) fn bounded(law: &dyn MemoryLaw, contact: &Contact, slips: f64) -> Option<Response> {
    let by_normal_force = Contact { normal_force: 1.0, ..Contact::default() };
    let bounded = law.bounded(&pass(law, contact, &by_normal_force))?;
    Some(Response {
        by_velocity: bounded.stiffness.re * contact.step + law.viscous().re,
        by_normal_force: slips * bounded.limit.eps,
        bristles: Some(Bounded {
            trial: bounded.trial.re,
            limit: bounded.limit.re,
            stiffness: bounded.stiffness.re,
        }),
        ..respond(law, contact)
    })
}

/// The straight line that the force follows from where the slider stands still, however far.
pub(super) fn hold(law: &dyn MemoryLaw, contact: &Contact) -> Response {
    let still = Contact { velocity: 0.0, ..*contact };
    let response = respond(law, &still);
    Response {
        force: response.force + response.by_velocity * contact.velocity,
        sticking: true,
        ..response
    }
}

/// Changes of force, memory, work and stored energy by the change `by` of velocity, normal force and
/// memory, and by that of the law's numbers, which they carry with them.
pub(super) fn change(law: &dyn MemoryLaw, contact: &Contact, by: &Contact) -> Response {
    let followed = follow(law, contact, by);
    Response {
        force: followed.force.eps,
        memory: followed.memory.map(|value| value.eps),
        work: followed.work.eps,
        stored: followed.stored.eps,
        ..Response::default()
    }
}

/// A step with the viscous part and its energy.
struct Followed {
    force: Dual64,
    memory: Memory<Dual64>,
    work: Dual64,
    stored: Dual64,
    sticking: bool,
}

/// The step to `contact` with the change `by`.
fn pass(law: &dyn MemoryLaw, contact: &Contact, by: &Contact) -> Pass {
    let normal_force = Dual64::new(contact.normal_force, by.normal_force);
    Pass {
        slid: Dual64::new(contact.velocity, by.velocity) * contact.step,
        step: contact.step,
        normal_force: law.factor(normal_force) * normal_force,
        before: std::array::from_fn(|i| Dual64::new(contact.memory[i], by.memory[i])),
    }
}

fn follow(law: &dyn MemoryLaw, contact: &Contact, by: &Contact) -> Followed {
    let pass = pass(law, contact, by);
    let Outcome { force, memory, dissipated, presliding } = law.pass(&pass);
    let (z, z0) = (memory[0], pass.before[0]);
    let gained = law.stiffness() * (z - z0) * (z + z0) * 0.5;
    let viscous = law.viscous() * Dual64::new(contact.velocity, by.velocity);
    Followed {
        force: force + viscous,
        memory,
        work: gained + dissipated + viscous * pass.slid,
        stored: law.stiffness() * z * z * 0.5,
        sticking: presliding,
    }
}
