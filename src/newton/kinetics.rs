//! One implicit stage of the time integration: an equilibrium at its end.
//!
//! Whatever the method, the velocities and positions at the end of a stage are affine in the accelerations x = q̈ there,
//!
//! ```text
//! q̇ = V + c₁ x,    q = Q + c₂ x + δ,    M x + Gᵀ λ = f(q, q̇, t),    Φ(q, t) = 0,    G q̇ + Φ_t = 0
//! ```
//!
//! Constraints hold for positions and for velocities (stabilised index 2; Gear, Gupta & Leimkuhler 1985, here staggered). λ belongs to the
//! velocities; the correction δ of the positions is the one that moves S = M/c₂ + K least. Both use the matrix [S, Gᵀ; G, 0] of the stage:
//!
//! ```text
//! [S Gᵀ; G 0] [δ; ·]  = [0; −Φ]
//! [S Gᵀ; G 0] [c₂ Δx; Δλ] = −[M x + Gᵀ λ − f; c₂/c₁ (G q̇ + Φ_t)]
//! ```
//!
//! A step of generalized-α is one stage. It remembers an acceleration a that belongs to the length of the step before, so it is taken
//! from the third step of one length on. Steps before that have [several stages](crate::solve::tableau): two of TR-BDF2, of second order on any sequence of
//! steps. Carrying a on to a step of another length would cost an order, and moving it there is unstable for what the step does not resolve.

use std::ops::Range;

use fearless_simd::dispatch;

use crate::numerics::lanes::level;
use crate::numerics::positions::{Position, Positions};
use crate::system::{Iterate, MassFactor, State, System};

/// How q̈ follows the positions during the iterations of Newton's method.
pub trait Kinetics {
    /// ∂q̈/∂q, 1/s²; `None` in statics.
    fn mass_factor(&self) -> MassFactor;
    /// Updates q̈ of all unknowns that are not prescribed from `at.q`.
    fn update(&mut self, system: &System, at: &mut Iterate);
    /// The motion for whose velocities constraints hold, too.
    fn stabilised(&mut self) -> Option<&mut Motion> {
        None
    }
}

/// Statics: masses do not act.
pub struct Static;

impl Kinetics for Static {
    fn mass_factor(&self) -> MassFactor {
        None
    }
    fn update(&mut self, _system: &System, _at: &mut Iterate) {}
}

/// q̈ = f (q − q₀): springs that stand for the masses.
pub(crate) struct Affine<'a> {
    pub factor: f64,
    pub origin: &'a Positions,
}

impl Kinetics for Affine<'_> {
    fn mass_factor(&self) -> MassFactor {
        Some(self.factor)
    }

    fn update(&mut self, system: &System, at: &mut Iterate) {
        for &u in &system.unknown {
            at.acceleration[u] = at.driven[u].unwrap_or(self.factor * at.q.way(u, self.origin));
        }
    }
}

/// Coefficients of a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// c₁ = ∂q̇/∂q̈, s.
    pub by_velocity: f64,
    /// c₂ = ∂q/∂q̈, s².
    pub by_position: f64,
}

impl Stage {
    /// The implicit Euler method over `h` (s).
    pub fn euler(h: f64) -> Stage {
        Stage { by_velocity: h, by_position: h * h }
    }

    /// ∂q̈/∂q, 1/s².
    pub fn mass_factor(&self) -> f64 {
        1.0 / self.by_position
    }

    /// ∂q̇/∂q, 1/s.
    pub fn rate(&self) -> f64 {
        self.by_velocity / self.by_position
    }
}

/// One unknown at the beginning of a step.
#[derive(Debug, Clone, Copy)]
pub struct Before {
    pub q: Position,
    pub velocity: f64,
    pub acceleration: f64,
    pub algorithmic: f64,
}

impl Before {
    /// Unknown `u` of a state.
    #[inline]
    pub fn of(state: &State, u: usize) -> Before {
        Before {
            q: state.q.get(u),
            velocity: state.velocity[u],
            acceleration: state.acceleration[u],
            algorithmic: state.algorithmic[u],
        }
    }
}

impl Before {
    /// All unknowns of a state.
    #[inline(always)]
    pub fn each(state: &State) -> impl Iterator<Item = Before> {
        let rates = state.velocity.iter().zip(&state.acceleration).zip(&state.algorithmic);
        state.q.places().zip(rates).map(|(q, ((velocity, acceleration), algorithmic))| Before {
            q,
            velocity: *velocity,
            acceleration: *acceleration,
            algorithmic: *algorithmic,
        })
    }
}

/// V and Q − q₀ of one unknown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Base {
    pub velocity: f64,
    pub travel: f64,
}

impl Base {
    /// Of the implicit Euler method over `h` (s).
    #[inline]
    pub fn euler(h: f64, before: &Before) -> Base {
        Base { velocity: before.velocity, travel: h * before.velocity }
    }
}

/// The motion of all unknowns in a stage.
#[derive(Debug, Clone)]
pub struct Motion {
    pub stage: Stage,
    /// Q + δ.
    pub origin: Positions,
    /// V.
    pub base: Vec<f64>,
    /// q̇ at the iterate; of what is prescribed that of its motion.
    pub velocity: Vec<f64>,
    /// Whether constraints hold for velocities, too.
    pub stabilised: bool,
}

impl Motion {
    /// Of an iterate of `system`.
    pub fn new(system: &System) -> Motion {
        let unknowns = system.initial.len();
        Motion {
            stage: Stage::euler(1.0),
            origin: Positions::from(&system.initial[..]),
            base: vec![0.0; unknowns],
            velocity: vec![0.0; unknowns],
            stabilised: false,
        }
    }

    /// q̈ of unknown `u` at the iterate.
    #[inline]
    pub fn acceleration(&self, u: usize, at: &Iterate) -> f64 {
        at.q.way(u, &self.origin) / self.stage.by_position
    }

    /// q̇ and q̈ of unknown `u` at the iterate, whose velocities are found.
    pub fn rates(&self, system: &System, at: &Iterate, u: usize) -> [f64; 2] {
        let acceleration = match u < system.nodal {
            true => at.acceleration[u],
            false => self.acceleration(u, at),
        };
        [self.velocity[u], acceleration]
    }

    /// Finds q̇ of all unknowns that are not prescribed.
    pub fn find_velocities(&mut self, system: &System, at: &Iterate) {
        let by_velocity = self.stage.by_velocity;
        dispatch!(level(), _ => for run in at.moving(system) {
            let range = run.unknowns();
            let sums = self.base[range.clone()].iter().zip(&at.acceleration[range.clone()]);
            for (velocity, (base, acceleration)) in self.velocity[range].iter_mut().zip(sums) {
                *velocity = base + by_velocity * acceleration;
            }
        });
        for slider in &system.sliders {
            let s = slider.coordinate;
            let x = self.acceleration(s, at);
            self.velocity[s] = self.base[s] + self.stage.by_velocity * x;
        }
    }

    /// Moves the positions of a `range` of unknowns by as many `ways`, at the same velocities and accelerations.
    #[inline(always)]
    pub fn shift(&mut self, range: Range<usize>, at: &mut Iterate, ways: &[f64]) {
        at.q.add_each(range.clone(), ways.iter().copied());
        self.origin.add_each(range.clone(), ways.iter().copied());
        if at.flow.factor != 0.0 && range.end <= at.flow.origin.len() {
            at.flow.origin.add_each(range, ways.iter().copied());
        }
    }

    /// Lets unknown `u` stay at `place`.
    pub fn keep(&mut self, u: usize, place: Position) {
        self.origin.set(u, place.plus(self.base[u] / self.stage.rate()));
    }
}

impl Kinetics for Motion {
    fn mass_factor(&self) -> MassFactor {
        Some(self.stage.mass_factor())
    }

    fn update(&mut self, system: &System, at: &mut Iterate) {
        let by_position = self.stage.by_position;
        dispatch!(level(), _ => for run in system.equation.runs() {
            let ways = at.q.ways(run.unknowns(), &self.origin);
            for (acceleration, way) in at.acceleration[run.unknowns()].iter_mut().zip(ways) {
                *acceleration = way / by_position;
            }
        });
        for &u in at.driven.unknowns() {
            at.acceleration[u] = at.driven[u].unwrap_or(at.acceleration[u]);
        }
    }

    fn stabilised(&mut self) -> Option<&mut Motion> {
        self.stabilised.then_some(self)
    }
}
