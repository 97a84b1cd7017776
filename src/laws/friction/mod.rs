//! Friction between a slider and its path.
//!
//! A law is one file here and one line in `laws!`. It is a table of numbers and a formula for the
//! coefficient μ(|v|), see [`Law`]; every law acts by
//!
//! ```text
//! F_f = F_N c(F_N) μ(|v|) sgn v + η v
//! ```
//!
//! with an optional factor c and an optional viscous part. How it passes through zero velocity is
//! the same for all, see [`Rest`]: the laws that hold go through one return map, the regularised ones
//! creep. The answer to a [`Contact`] is a [`Response`]: force and complete tangent. Positive forces
//! resist positive ds/dt.

mod arctangent;
mod coulomb;
pub mod equivalent;
mod exponential;
mod law;
mod modified_coulomb;
mod monotone;
mod piecewise_linear;
mod power_series;
mod rest;
mod stribeck;
mod table;
#[cfg(test)]
mod tests;
mod threshold;

use num_dual::Dual64;
use serde::Deserialize;

pub use arctangent::Arctangent;
pub use coulomb::Coulomb;
pub use exponential::Exponential;
pub use law::{Common, Contradiction, Data, Key, Law, Need, Number, Place, Value};
pub use modified_coulomb::ModifiedCoulomb;
pub use piecewise_linear::PiecewiseLinear;
pub use power_series::PowerSeries;
pub use rest::{Rest, Transition};
pub use stribeck::Stribeck;
pub use table::Table;

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
    /// Whether static friction has hold of it: it does until it is found not to suffice.
    pub rested: bool,
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

/// The list of the laws: both the file's syntax and the physics.
macro_rules! laws {
    ($($name:literal $law:ident,)*) => {
        /// The friction laws of a sliding joint, in numbers of the kind `N`.
        #[derive(Debug, Clone, PartialEq, Default, Deserialize)]
        #[serde(
            rename_all = "snake_case",
            bound(deserialize = "N: Deserialize<'de> + Default, N::Text: Deserialize<'de>")
        )]
        pub enum Friction<N: Number = f64> {
            #[default]
            #[serde(skip)]
            None,
            $($law($law<N>),)*
        }

        /// Name and keys of every law.
        pub const LAWS: &[(&str, &[&Key])] = &[$(($name, $law::KEYS),)*];

        impl<N: Number> Friction<N> {
            /// Name in the model file.
            pub fn name(&self) -> &'static str {
                match self {
                    Friction::None => "none",
                    $(Friction::$law(_) => $name,)*
                }
            }

            /// Its data file, if it can have one.
            pub fn data(&mut self) -> Option<Data<'_, N>> {
                match self {
                    Friction::None => None,
                    $(Friction::$law(law) => law.data(),)*
                }
            }

            /// The law with every number replaced by what `f` makes of it.
            pub fn map<M: Number>(&self, f: &mut dyn FnMut(Place, &N) -> M) -> Friction<M> {
                match self {
                    Friction::None => Friction::None,
                    $(Friction::$law(law) => Friction::$law(law.map(f)),)*
                }
            }
        }

        impl<N: Value> Friction<N> {
            /// Its physics.
            pub fn law(&self) -> Option<&dyn Law> {
                match self {
                    Friction::None => None,
                    $(Friction::$law(law) => Some(law),)*
                }
            }
        }

        impl Friction {
            /// Some of each kind, for the tests that every law must pass.
            pub fn samples() -> Vec<Friction> {
                let mut all = vec![Friction::None];
                $(all.extend($law::samples().into_iter().map(Friction::$law));)*
                all
            }
        }
    };
}

laws! {
    "coulomb" Coulomb,
    "stribeck" Stribeck,
    "table" Table,
    "modified_coulomb" ModifiedCoulomb,
    "power_series" PowerSeries,
    "arctangent" Arctangent,
    "exponential" Exponential,
    "piecewise_linear" PiecewiseLinear,
}

impl Friction {
    /// Force and tangent at `contact`.
    pub fn respond(&self, contact: &Contact) -> Response {
        let answer = self.law().map(|law| rest::respond(law, contact));
        answer.unwrap_or_default()
    }

    /// Force and tangent of the branch of rest at `contact`, however large the force: where Newton's
    /// method jumps from sliding one way to sliding the other, the solution lies between.
    pub fn hold(&self, contact: &Contact) -> Response {
        let answer = self.law().map(|law| rest::hold(law, contact));
        answer.unwrap_or_default()
    }

    /// Force and tangent of a slider that slides with the sign `direction` under a law that is
    /// [set-valued](Friction::is_set_valued).
    pub fn slide(&self, contact: &Contact, direction: f64) -> Response {
        let answer = self.law().map(|law| rest::slide(law, contact, direction));
        answer.unwrap_or_default()
    }

    /// Whether the steps are cut where the slider begins to stick or to slide.
    pub fn is_set_valued(&self) -> bool {
        let rest = self.law().map(|law| law.rest());
        rest == Some(Rest::Holds(Transition::SetValued))
    }

    /// The largest force along the path that static friction bears under `normal_force`, N.
    pub fn static_force(&self, normal_force: f64) -> f64 {
        let force = self.law().map(|law| rest::static_force(law, normal_force));
        force.unwrap_or(0.0)
    }

    /// Whether a joint that came to rest stays at rest from step to step, until it
    /// [lets go](Friction::lets_go).
    pub fn keeps_rest(&self) -> bool {
        self.law().is_some_and(|law| match law.rest() {
            Rest::Holds(Transition::SiqueiraCoda2023 | Transition::SetValued) | Rest::Creeps => {
                false
            }
            Rest::Holds(_) => law.keeps_rest(),
        })
    }

    /// Whether a joint at rest lets go where it takes the force `needed` (N) to hold it.
    pub fn lets_go(&self, needed: f64, normal_force: f64) -> bool {
        let law = self.law();
        law.is_some_and(|law| rest::lets_go(law, needed, normal_force))
    }

    /// Every number of the law by its place in the model file.
    pub fn numbers(&self) -> Vec<(String, f64)> {
        let mut list = Vec::new();
        self.map(&mut |place, value| {
            list.push((place.to_string(), *value));
            *value
        });
        list
    }

    /// Change of the force at `contact` by changes of the [numbers](Friction::numbers), on the
    /// branch on which the law has answered with `response`.
    pub fn change(&self, contact: &Contact, response: &Response, by: &[f64]) -> f64 {
        let mut by = by.iter();
        let moving =
            self.map(&mut |_, value| Dual64::new(*value, by.next().copied().unwrap_or(0.0)));
        let law = moving.law();
        law.map_or(0.0, |law| rest::change(law, contact, response.sticking))
    }

    /// Whether it acts on a slider's mass: how it holds depends on it.
    pub fn holds(&self) -> bool {
        self.law()
            .is_some_and(|law| matches!(law.rest(), Rest::Holds(_)))
    }

    /// Whether the resultant F_R includes the slider's inertia force.
    pub fn feels_inertia(&self) -> bool {
        self.law().is_some_and(|law| match law.rest() {
            Rest::Holds(transition) => {
                !matches!(transition, Transition::Multiplier | Transition::SetValued)
            }
            Rest::Creeps => false,
        })
    }

    /// Force at the velocity `v` (m/s) of steady sliding under `normal_force` (N), N.
    pub fn characteristic(&self, v: f64, normal_force: f64) -> f64 {
        let force = self.law().map(|law| {
            let dry = rest::sliding(law, Dual64::from_re(v.abs())).re;
            let factor = law.factor(Dual64::from_re(normal_force)).re;
            v.signum() * dry * factor * normal_force + law.viscous().re * v
        });
        force.unwrap_or(0.0)
    }

    /// b_e(v₀), N·s/m: the damper that acts in the mean like the law at a harmonic velocity of
    /// amplitude `v0` (m/s, above 0) under `normal_force` (N), by quadrature (Půst et al. 2011,
    /// Eq. 17).
    pub fn equivalent_damping(&self, v0: f64, normal_force: f64) -> f64 {
        let corners = self.law().map(|law| law.corners()).unwrap_or_default();
        equivalent::damping(|v| self.characteristic(v, normal_force), v0, &corners)
    }

    /// The same by the paper's closed form, where it has one. It follows the printed formula, also
    /// where that is below zero.
    pub fn closed_form(&self, v0: f64, normal_force: f64) -> Option<f64> {
        let law = self.law()?;
        let factor = law.factor(Dual64::from_re(normal_force)).re;
        let dry = law.equivalent_damping(v0)? * factor * normal_force;
        Some(dry + law.viscous().re)
    }

    /// What does not go together in its numbers.
    pub fn contradiction(&self) -> Option<Contradiction> {
        let law = self.law()?;
        law.contradiction().or_else(|| law.factor_contradiction())
    }

    /// The law in a few words.
    pub fn summary(&self) -> String {
        let mut text = self.name().to_owned();
        let mut separator = ": ";
        self.map(&mut |place, value| {
            if place.key.need == Need::Required {
                text += &format!("{separator}{value}");
                separator = ", ";
            }
            *value
        });
        text
    }
}
