//! Friction between a slider and its path.
//!
//! A law is one file here and one variant of [`Friction`]. It gets the [`Contact`] and answers
//! with a [`Response`]: force and complete tangent. Positive forces resist positive ds/dt.

mod stribeck;

pub use stribeck::{Stribeck, Transition};

/// The friction laws of a sliding joint: both the file's syntax and the list of the physics.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Friction {
    #[default]
    None,
    /// Coulomb friction with Stribeck decay and a viscous part.
    Stribeck(Stribeck),
}

/// What a law sees of the joint at an iterate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// v = (s − s_t)/Δt, m/s (Siqueira & Coda 2023, Eq. 49).
    pub velocity: f64,
    /// F_N = |λ·n| ≥ 0, N.
    pub normal_force: f64,
    /// Q_s = λ·Y′, the contact force along the path, N.
    pub tangential_force: f64,
    /// (M q̈)·Y′ of the slider, N. With Q_s it makes the resultant F_R of Eq. 34, because the
    /// slider's own equilibrium is F − F_int − λ = M q̈.
    pub inertia_force: f64,
    /// m/Δt, kg/s.
    pub stick_stiffness: f64,
}

/// Friction force and its derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Response {
    /// F_f, N.
    pub force: f64,
    /// ∂F_f/∂v, N·s/m.
    pub by_velocity: f64,
    /// ∂F_f/∂F_N.
    pub by_normal_force: f64,
    /// ∂F_f/∂F_R.
    pub by_resultant: f64,
    pub sticking: bool,
}

impl Friction {
    /// Force and tangent at `contact`.
    pub fn respond(&self, contact: &Contact) -> Response {
        match self {
            Friction::None => Response::default(),
            Friction::Stribeck(law) => law.respond(contact),
        }
    }

    /// Force and tangent of the stick branch at `contact`, however large the force: where Newton's
    /// method jumps from sliding one way to sliding the other, the solution lies between.
    pub fn hold(&self, contact: &Contact) -> Response {
        match self {
            Friction::None => Response::default(),
            Friction::Stribeck(law) => law.hold(contact),
        }
    }

    /// Name of the law in the model file, and of its numbers there.
    pub fn names(&self) -> (&'static str, &'static [&'static str]) {
        match self {
            Friction::None => ("none", &[]),
            Friction::Stribeck(_) => ("stribeck", Stribeck::PARAMETERS),
        }
    }

    /// Change of the force at `contact` by changes of the numbers in [`Friction::names`], on the
    /// branch on which the law has answered with `response`.
    pub fn change(&self, contact: &Contact, response: &Response, by: &[f64]) -> f64 {
        match self {
            Friction::None => 0.0,
            Friction::Stribeck(law) => {
                let slopes = law.by_parameters(contact, response);
                slopes.iter().zip(by).map(|(slope, by)| slope * by).sum()
            }
        }
    }

    /// Whether the resultant F_R includes the slider's inertia force.
    pub fn feels_inertia(&self) -> bool {
        match self {
            Friction::None => false,
            Friction::Stribeck(law) => law.transition != Transition::Multiplier,
        }
    }

    /// The law in a few words.
    pub fn summary(&self) -> String {
        match self {
            Friction::None => "none".to_owned(),
            Friction::Stribeck(law) => format!(
                "stribeck, {} to {}",
                law.static_coefficient, law.kinetic_coefficient
            ),
        }
    }

    /// One of each kind, for the tests that every law must pass.
    pub fn samples() -> Vec<Friction> {
        let law = Stribeck {
            static_coefficient: 0.6,
            kinetic_coefficient: 0.5,
            decay_velocity: 0.05,
            decay_exponent: 1.0,
            viscous_coefficient: 0.0,
            transition: Transition::ReturnMap,
        };
        vec![
            Friction::None,
            Friction::Stribeck(law),
            Friction::Stribeck(Stribeck {
                decay_exponent: 2.0,
                viscous_coefficient: 3.0,
                ..law
            }),
            Friction::Stribeck(Stribeck {
                transition: Transition::Multiplier,
                ..law
            }),
            Friction::Stribeck(Stribeck {
                transition: Transition::SiqueiraCoda2023,
                viscous_coefficient: 3.0,
                ..law
            }),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contacts() -> Vec<Contact> {
        let mut all = Vec::new();
        for velocity in [-0.7, -0.031, -1e-4, 2e-5, 3e-3, 0.12, 1.9] {
            for tangential_force in [-170.0, -95.0, -20.0, 3.0, 60.0, 190.0] {
                for inertia_force in [-11.0, 0.0, 7.0] {
                    all.push(Contact {
                        velocity,
                        normal_force: 196.2,
                        tangential_force,
                        inertia_force,
                        stick_stiffness: 2e4,
                    });
                }
            }
        }
        all
    }

    #[test]
    fn tangent_is_the_finite_difference_of_the_force_within_a_branch() {
        for law in Friction::samples() {
            for contact in contacts() {
                let response = law.respond(&contact);
                let e = 1e-6;
                let check = |derivative: f64, moved: &dyn Fn(f64) -> Contact| {
                    let (left, right) = (law.respond(&moved(-e)), law.respond(&moved(e)));
                    let same_branch = left.sticking == right.sticking
                        && (left.by_velocity - right.by_velocity).abs()
                            <= 1e-3 * response.by_velocity.abs().max(1.0);
                    if same_branch {
                        let difference = (right.force - left.force) / (2.0 * e);
                        let scale = derivative.abs().max(1.0);
                        assert!(
                            (difference - derivative).abs() < 1e-5 * scale,
                            "{law:?} {contact:?}: {difference} {derivative}"
                        );
                    }
                };
                check(response.by_velocity, &|d| Contact {
                    velocity: contact.velocity + d,
                    ..contact
                });
                check(response.by_normal_force, &|d| Contact {
                    normal_force: contact.normal_force + d,
                    ..contact
                });
                check(response.by_resultant, &|d| Contact {
                    tangential_force: contact.tangential_force + d,
                    ..contact
                });
            }
        }
    }

    #[test]
    fn change_by_parameters_is_the_finite_difference_of_the_force_within_a_branch() {
        let mut sure = [0; 5];
        for law in Friction::samples() {
            let Friction::Stribeck(law) = law else {
                continue;
            };
            for contact in contacts() {
                let response = law.respond(&contact);
                let slopes = law.by_parameters(&contact, &response);
                for (k, slope) in slopes.into_iter().enumerate() {
                    let moved = |e: f64| {
                        let mut law = law;
                        let numbers = [
                            &mut law.static_coefficient,
                            &mut law.kinetic_coefficient,
                            &mut law.decay_velocity,
                            &mut law.decay_exponent,
                            &mut law.viscous_coefficient,
                        ];
                        for (place, number) in numbers.into_iter().enumerate() {
                            *number += if place == k { e } else { 0.0 };
                        }
                        law.respond(&contact)
                    };
                    let e = 1e-6;
                    let (left, right) = (moved(-e), moved(e));
                    let close = |a: &Response| {
                        a.sticking == response.sticking
                            && (a.by_velocity - response.by_velocity).abs()
                                <= 1e-2 * response.by_velocity.abs().max(1.0)
                    };
                    if close(&left) && close(&right) {
                        let difference = (right.force - left.force) / (2.0 * e);
                        let scale = slope.abs().max(1.0);
                        assert!(
                            (difference - slope).abs() < 1e-5 * scale,
                            "{law:?} {contact:?} {k}: {difference} {slope}"
                        );
                        sure[k] += usize::from(slope != 0.0);
                    }
                }
            }
        }
        assert!(sure.iter().all(|&n| n > 100), "{sure:?}");
    }

    #[test]
    fn every_law_is_odd() {
        for law in Friction::samples() {
            for contact in contacts() {
                let mirrored = Contact {
                    velocity: -contact.velocity,
                    tangential_force: -contact.tangential_force,
                    inertia_force: -contact.inertia_force,
                    ..contact
                };
                let (there, back) = (law.respond(&contact), law.respond(&mirrored));
                assert_eq!(there.force, -back.force);
                assert_eq!(there.sticking, back.sticking);
            }
        }
    }

    #[test]
    fn sliding_friction_dissipates() {
        for law in Friction::samples() {
            for velocity in [-3.0, -0.4, 0.2, 5.0] {
                // A slider in steady motion is pulled by what friction and nothing else resists.
                let contact = Contact {
                    velocity,
                    normal_force: 50.0,
                    tangential_force: 0.0,
                    inertia_force: 0.0,
                    stick_stiffness: 1e3,
                };
                assert!(law.respond(&contact).force * velocity >= 0.0, "{law:?}");
            }
        }
    }
}
