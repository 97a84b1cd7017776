//! Steady sliding of a surface in its guide, with its acceleration as an unknown.
//!
//! What slides on a straight path moves as a whole with q̈ = a φ while it is strained by its loads and its own inertia:
//!
//! ```text
//! F_int(q) + M φ a + F_contact(q) = F_ext,    every point slips the same way,    q_k = its place
//! ```
//!
//! Nothing but inertia resists along φ, so that one unknown q_k is kept and its reaction has to vanish, which a decides: one more unknown of
//! Newton's method (`steady.rs`). Where a is
//! against the sense of sliding the friction of sliding would be more than what drives it: it stays where it is, it jams. (What
//! Zhang & Wang, Sec. 2.2.4, reach by iterating on the kinetic force.)

pub mod growth;
mod steady;

use self::steady::Steady;
use crate::joints::regime::Sense;
use crate::newton::{Newton, fault};
use crate::start::approach::Moving;
use crate::start::equilibrium::Acting;
use crate::start::initial::initial_in_place;
use crate::system::{State, System, SystemFault};

/// How a surface slides in its guide.
#[derive(Debug, Clone)]
pub struct Sliding {
    /// a along growing s, m/s².
    pub acceleration: f64,
    /// The mechanism as it slides.
    pub state: State,
}

impl Sliding {
    /// Whether it would be slowed down by its friction while it slides with this sense: nothing brings it to slide.
    pub fn jams(&self, sense: Sense) -> bool {
        self.acceleration * sense.sign() <= 0.0
    }
}

/// Steps in which the loads are put on at the most, where they are not borne at once.
const MAX_PARTS: usize = 1 << 12;

/// Attempts with parts of the loads.
const MAX_ATTEMPTS: usize = 40;

/// Steady sliding of `contact` with `sense` under the loads of `time` (s), friction that of speeds near rest. The mechanism is in the initial configuration,
/// its motions where they begin.
///
/// # Errors
/// When what would slide is held by something else, its path is not straight, or no solution is found.
pub fn sliding(
    system: &System, inputs: &[f64], contact: usize, sense: Sense, time: f64,
) -> Result<Sliding, SystemFault> {
    let mut newton = Newton::new(system);
    let (found, _) = slide_steadily(system, &mut newton, inputs, (contact, sense), time)?;
    Ok(found)
}

/// [`sliding`] from a new `newton`, with what moves; the solution is then in its iterate.
fn slide_steadily(
    system: &System, newton: &mut Newton, inputs: &[f64], (contact, sense): (usize, Sense),
    time: f64,
) -> Result<(Sliding, Moving), SystemFault> {
    newton.corrections.to_rounding = true;
    let mut state = initial_in_place(system, inputs, newton)?;
    let mut steady = Steady::new(system, system.moving_with(contact, &state)?);
    let loads = Acting::at(system, time, |i| state.reached[i][0]);
    let (mut share, mut part, mut acceleration) = (0.0_f64, 1.0_f64, 0.0);
    let mut attempts = 0;
    while share < 1.0 {
        let next = (share + part).min(1.0);
        attempts += 1;
        match steady.slide(newton, &state, sense, (&loads, next), acceleration) {
            Ok(found) => {
                newton.keep(system, &mut state);
                (share, acceleration) = (next, found);
                part *= 2.0;
            }
            Err(_) if attempts < MAX_ATTEMPTS && part > 1.0 / MAX_PARTS as f64 => part *= 0.5,
            Err(failure) => return Err(fault(system, "has no steady sliding", &failure)),
        }
    }
    system.surfaces.forces_are_known(&newton.work)?;
    Ok((Sliding { acceleration, state }, steady.moving))
}
