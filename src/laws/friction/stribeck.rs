//! Coulomb friction with Stribeck decay and a viscous part (Siqueira & Coda 2023, Eqs. 26-29).
//!
//! ```text
//! F_dry(|v|) = F_N [μ_k + (μ_s − μ_k) exp(−(|v|/v_σ)^δ_σ)]
//! ```
//!
//! What happens near rest is the choice of [`Transition`].

use super::{Contact, Response};

/// Parameters of the law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stribeck {
    /// μ_s ≥ μ_k.
    pub static_coefficient: f64,
    /// μ_k ≥ 0.
    pub kinetic_coefficient: f64,
    /// v_σ > 0, m/s.
    pub decay_velocity: f64,
    /// δ_σ > 0.
    pub decay_exponent: f64,
    /// η ≥ 0, N·s/m.
    pub viscous_coefficient: f64,
    pub transition: Transition,
}

/// |v|/v_σ below which the decay is that of this value: a power below 1 has an infinite slope at
/// rest, and Newton's method needs a finite one.
const SMALLEST_SPEED: f64 = 1e-12;

/// How the law passes through zero velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Transition {
    /// The symmetric return map: trial T = F_R + (m/Δt) v; sticks with F_f = T + ηv while
    /// |T| ≤ F_dry(|v|), slides with F_f = F_dry sgn T + ηv otherwise.
    #[default]
    ReturnMap,
    /// Eqs. 28-29 with their misprints corrected: v_σ in the exponent of the first branch,
    /// +F_S sgn F_R in the second, |F_R| in v₀, the third clipped to ±F_S.
    SiqueiraCoda2023,
    /// The return map with the contact force alone as the resultant, F_R = Q_s: sticking then
    /// means (m/Δt) v = 0, whatever the path does.
    Multiplier,
    /// Set-valued at rest: a stuck slider does not move at all while |Q_s| ≤ μ_s F_N, a sliding one
    /// feels F_dry(|ṡ|) against its motion; where one becomes the other is found inside the step
    /// (`solve/transition.rs`).
    SetValued,
}

impl Stribeck {
    /// The numbers of the law, as the model file calls them.
    pub(super) const PARAMETERS: &[&str] = &[
        "static_coefficient",
        "kinetic_coefficient",
        "decay_velocity",
        "decay_exponent",
        "viscous_coefficient",
    ];

    /// Force and tangent at `contact`.
    pub(super) fn respond(&self, contact: &Contact) -> Response {
        match self.transition {
            Transition::SiqueiraCoda2023 => self.printed_form(contact, self.resultant(contact)),
            _ => self.return_map(contact),
        }
    }

    /// The stick branch: F_f = F_R + (m/Δt) v, and the viscous part of the return map.
    pub(super) fn hold(&self, contact: &Contact) -> Response {
        let viscous = match self.transition {
            Transition::SiqueiraCoda2023 => 0.0,
            _ => self.viscous_coefficient,
        };
        Response {
            force: self.trial(contact) + viscous * contact.velocity,
            by_velocity: contact.stick_stiffness + viscous,
            by_normal_force: 0.0,
            by_resultant: 1.0,
            sticking: true,
        }
    }

    /// ∂F_f/∂p for each of [`Stribeck::PARAMETERS`] where the law has answered with `response`,
    /// on its branch.
    pub(super) fn by_parameters(&self, contact: &Contact, response: &Response) -> [f64; 5] {
        let (v, normal_force) = (contact.velocity, contact.normal_force);
        let printed = self.transition == Transition::SiqueiraCoda2023;
        if response.sticking {
            let creeps = !printed && self.transition != Transition::SetValued;
            return [0.0, 0.0, 0.0, 0.0, if creeps { v } else { 0.0 }];
        }
        // Sliding, F_N is multiplied by the coefficient with the sign of the friction.
        let sign = response.by_normal_force.signum();
        if printed && v.abs() <= self.band(contact) {
            return [sign * normal_force, 0.0, 0.0, 0.0, 0.0];
        }
        let x = (v.abs() / self.decay_velocity).max(SMALLEST_SPEED);
        let power = x.powf(self.decay_exponent);
        let decay = (-power).exp();
        let force = sign * normal_force;
        let by_power = -force * (self.static_coefficient - self.kinetic_coefficient) * decay;
        [
            force * decay,
            force * (1.0 - decay),
            -by_power * self.decay_exponent * power / self.decay_velocity,
            by_power * power * x.ln(),
            v,
        ]
    }

    /// A slider that slides with the sign `direction`.
    pub(super) fn slide(&self, contact: &Contact, direction: f64) -> Response {
        let v = contact.velocity;
        // The iterates may overshoot rest by a little.
        let (coefficient, slope) = self.coefficient((direction * v).max(0.0));
        let slope = if direction * v > 0.0 { slope } else { 0.0 };
        Response {
            force: direction * coefficient * contact.normal_force + self.viscous_coefficient * v,
            by_velocity: slope * contact.normal_force + self.viscous_coefficient,
            by_normal_force: direction * coefficient,
            by_resultant: 0.0,
            sticking: false,
        }
    }

    /// F_R.
    fn resultant(&self, contact: &Contact) -> f64 {
        match self.transition {
            Transition::Multiplier | Transition::SetValued => contact.tangential_force,
            _ => contact.tangential_force + contact.inertia_force,
        }
    }

    /// T = F_R + (m/Δt) v.
    fn trial(&self, contact: &Contact) -> f64 {
        self.resultant(contact) + contact.stick_stiffness * contact.velocity
    }

    fn return_map(&self, contact: &Contact) -> Response {
        let (v, trial) = (contact.velocity, self.trial(contact));
        let (coefficient, slope) = self.coefficient(v.abs());
        let viscous = self.viscous_coefficient;
        let limit = coefficient * contact.normal_force;
        // Nothing holds where nothing presses.
        if trial.abs() <= limit && limit > 0.0 {
            self.hold(contact)
        } else {
            let sign = trial.signum();
            Response {
                force: sign * coefficient * contact.normal_force + viscous * v,
                by_velocity: sign * v.signum() * slope * contact.normal_force + viscous,
                by_normal_force: sign * coefficient,
                by_resultant: 0.0,
                sticking: false,
            }
        }
    }

    fn printed_form(&self, contact: &Contact, resultant: f64) -> Response {
        let v = contact.velocity;
        let static_force = self.static_coefficient * contact.normal_force;
        if v.abs() > self.band(contact) {
            let (coefficient, slope) = self.coefficient(v.abs());
            Response {
                force: v.signum() * coefficient * contact.normal_force
                    + self.viscous_coefficient * v,
                by_velocity: slope * contact.normal_force + self.viscous_coefficient,
                by_normal_force: v.signum() * coefficient,
                by_resultant: 0.0,
                sticking: false,
            }
        } else if resultant.abs() >= static_force {
            Response {
                force: static_force * resultant.signum(),
                by_velocity: 0.0,
                by_normal_force: self.static_coefficient * resultant.signum(),
                by_resultant: 0.0,
                sticking: false,
            }
        } else {
            let inside = self.trial(contact);
            if inside.abs() <= static_force {
                self.hold(contact)
            } else {
                Response {
                    force: static_force * inside.signum(),
                    by_velocity: 0.0,
                    by_normal_force: self.static_coefficient * inside.signum(),
                    by_resultant: 0.0,
                    sticking: false,
                }
            }
        }
    }

    /// v₀ of Eq. 29, up to which the printed form sticks or nearly does.
    fn band(&self, contact: &Contact) -> f64 {
        let static_force = self.static_coefficient * contact.normal_force;
        (static_force - self.resultant(contact).abs()).abs() / contact.stick_stiffness
    }

    /// F_dry/F_N and its derivative by |v| at `speed` ≥ 0.
    fn coefficient(&self, speed: f64) -> (f64, f64) {
        let x = (speed / self.decay_velocity).max(SMALLEST_SPEED);
        let power = x.powf(self.decay_exponent);
        let excess = (self.static_coefficient - self.kinetic_coefficient) * (-power).exp();
        let slope = -excess * self.decay_exponent * power / x / self.decay_velocity;
        (self.kinetic_coefficient + excess, slope)
    }
}
