//! Friction between a slider and its path.
//!
//! A law is one file here and one line in `laws!`. It is a table of numbers and its physics, of which
//! there are two kinds. A law of velocity, see [`Law`], gives a coefficient μ(|v|) and acts by
//!
//! ```text
//! F_f = F_N c(F_N) μ(|v|) sgn v + η v
//! ```
//!
//! with an optional factor c and an optional viscous part. How it passes through zero velocity is
//! the same for all, see [`Rest`]: the laws that hold go through one return map, the regularised ones
//! creep. A law with memory, see [`MemoryLaw`], bends elastic bristles and has the same two options.
//! The answer to a [`Contact`] is a [`Response`]: force and complete tangent. Positive forces resist
//! positive ds/dt.

mod arctangent;
mod bristle;
mod bristle_lcp;
mod bristles;
mod coulomb;
mod dahl;
mod elasto_plastic;
pub mod equivalent;
mod exponential;
mod expression;
mod expression_with_memory;
mod hysteresis;
mod kind;
mod law;
mod lugre;
mod memory;
mod modified_coulomb;
mod monotone;
mod number;
mod piecewise_linear;
mod power_series;
mod rest;
mod return_map;
mod spring_friction;
mod stribeck;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod threshold;
mod two_branches;

use num_dual::Dual64;
use serde::Deserialize;

pub use arctangent::Arctangent;
pub use bristle::Bristle;
pub use bristle_lcp::BristleLcp;
pub use coulomb::Coulomb;
pub use dahl::Dahl;
pub use elasto_plastic::ElastoPlastic;
pub use equivalent::Equivalent;
pub use exponential::Exponential;
pub use expression::{Expression, VARIABLES};
pub use expression_with_memory::{ExpressionWithMemory, FORCE_VARIABLES, Gain, STATE_VARIABLES};
pub use hysteresis::Hysteresis;
pub use kind::Kind;
pub use law::{Common, Follows, Law, Surroundings};
pub use lugre::Lugre;
pub use memory::{Bounded, Memory, MemoryLaw, Outcome, Pass};
pub use modified_coulomb::ModifiedCoulomb;
pub use number::{Contradiction, Data, Formula, Key, Listed, Named, Need, Number, Place, Value};
pub use piecewise_linear::PiecewiseLinear;
pub use power_series::PowerSeries;
pub use rest::{Rest, Transition};
pub(crate) use return_map::AT_LIMIT;
pub use spring_friction::SpringFriction;
pub use stribeck::Stribeck;
pub use table::Table;
pub use two_branches::TwoBranches;

/// What a law sees of the joint at an iterate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Contact {
    /// v = |Y′| ṡ along the surface, m/s; ṡ may be (s − s_t)/Δt (Siqueira & Coda 2023, Eq. 49).
    pub velocity: f64,
    /// F_N = |λ·n| ≥ 0, N.
    pub normal_force: f64,
    /// Q_s/|Y′| = λ·t, the contact force along the surface, N.
    pub tangential_force: f64,
    /// (M q̈)·t of the slider, N. With that it makes the resultant F_R of Eq. 34, because the
    /// slider's own equilibrium is F − F_int − λ = M q̈.
    pub inertia_force: f64,
    /// m/Δt, or Δt/ε where rest is redundant and yields by ε (m/N), kg/s.
    pub stick_stiffness: f64,
    /// Whether static friction has hold of it: it does until it is found not to suffice.
    pub rested: bool,
    /// Δt, s: with v the way of the step.
    pub step: f64,
    /// What a law with memory remembers from the step before.
    pub memory: Memory,
    /// s, m.
    pub position: f64,
    /// t, s.
    pub time: f64,
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
    /// ∂F_f/∂s without that by v, N/m.
    pub by_position: f64,
    pub sticking: bool,
    /// What a law with memory remembers at the end of the step.
    pub memory: Memory,
    /// Work that friction takes over the step under a law with memory, J.
    pub work: f64,
    /// Energy in the bristles of a law with memory at the end of the step, J.
    pub stored: f64,
    /// Bristles whose force is looked for together with others.
    pub bristles: Option<Bounded<f64>>,
}

/// The list of the laws: both the file's syntax and the physics.
macro_rules! laws {
    (
        velocity { $($name:literal $law:ident,)* }
        memory { $($memory_name:literal $memory_law:ident,)* }
    ) => {
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
            $($memory_law($memory_law<N>),)*
        }

        /// Every law.
        pub const LAWS: &[Listed] = &[
            $(Listed {
                name: $name,
                about: $law::ABOUT,
                keys: $law::KEYS,
                others: $law::OTHERS,
                formulas: $law::FORMULAS,
            },)*
            $(Listed {
                name: $memory_name,
                about: $memory_law::ABOUT,
                keys: $memory_law::KEYS,
                others: $memory_law::OTHERS,
                formulas: $memory_law::FORMULAS,
            },)*
        ];

        impl<N: Number> Friction<N> {
            /// Name in the model file.
            pub fn name(&self) -> &'static str {
                match self {
                    Friction::None => "none",
                    $(Friction::$law(_) => $name,)*
                    $(Friction::$memory_law(_) => $memory_name,)*
                }
            }

            /// Equations of the law in a few lines, with their source.
            pub fn about(&self) -> &'static str {
                match self {
                    Friction::None => "",
                    $(Friction::$law(_) => $law::ABOUT,)*
                    $(Friction::$memory_law(_) => $memory_law::ABOUT,)*
                }
            }

            /// Data file of the law, if it can have one.
            pub fn data(&mut self) -> Option<Data<'_, N>> {
                match self {
                    Friction::None => None,
                    $(Friction::$law(law) => law.data(),)*
                    $(Friction::$memory_law(law) => law.data(),)*
                }
            }

            /// The expressions of the law, each with its key.
            pub fn formulas(&self) -> Vec<(&'static str, &Formula<N>)> {
                match self {
                    Friction::None => Vec::new(),
                    $(Friction::$law(law) => law.formulas(),)*
                    $(Friction::$memory_law(law) => law.formulas(),)*
                }
            }

            /// The law with every number replaced by what `f` makes of it.
            pub fn map<M: Number>(&self, f: &mut dyn FnMut(Place, &N) -> M) -> Friction<M> {
                match self {
                    Friction::None => Friction::None,
                    $(Friction::$law(law) => Friction::$law(law.map(f)),)*
                    $(Friction::$memory_law(law) => Friction::$memory_law(law.map(f)),)*
                }
            }
        }

        impl<N: Value> Friction<N> {
            /// The physics of the law, where it is one of velocity.
            pub fn law(&self) -> Option<&dyn Law> {
                match self {
                    $(Friction::$law(law) => Some(law),)*
                    _ => None,
                }
            }

            /// The physics of the law, where it is one with memory.
            pub fn memory_law(&self) -> Option<&dyn MemoryLaw> {
                match self {
                    $(Friction::$memory_law(law) => Some(law),)*
                    _ => None,
                }
            }

            /// What it has in common with all laws.
            fn common(&self) -> Option<&dyn Common> {
                match self {
                    Friction::None => None,
                    $(Friction::$law(law) => Some(law),)*
                    $(Friction::$memory_law(law) => Some(law),)*
                }
            }
        }

        impl Friction {
            /// Some of each kind, for the tests that every law must pass.
            pub fn samples() -> Vec<Friction> {
                let mut all = vec![Friction::None];
                $(all.extend($law::samples().into_iter().map(Friction::$law));)*
                $(all.extend($memory_law::samples().into_iter().map(Friction::$memory_law));)*
                all
            }
        }
    };
}

laws! {
    velocity {
        "coulomb" Coulomb,
        "stribeck" Stribeck,
        "table" Table,
        "modified_coulomb" ModifiedCoulomb,
        "power_series" PowerSeries,
        "arctangent" Arctangent,
        "exponential" Exponential,
        "piecewise_linear" PiecewiseLinear,
        "expression" Expression,
    }
    memory {
        "spring_friction" SpringFriction,
        "dahl" Dahl,
        "lugre" Lugre,
        "elasto_plastic" ElastoPlastic,
        "bristle" Bristle,
        "bristle_lcp" BristleLcp,
        "two_branches" TwoBranches,
        "expression_with_memory" ExpressionWithMemory,
    }
}

impl Friction {
    /// Force and tangent at `contact`.
    pub fn respond(&self, contact: &Contact) -> Response {
        let answer = self.law().map(|law| return_map::respond(law, contact));
        let remembered = || self.memory_law().map(|law| memory::respond(law, contact));
        answer.or_else(remembered).unwrap_or_default()
    }

    /// Force and tangent of the branch of rest at `contact`, however large the force: where Newton's
    /// method jumps from sliding one way to sliding the other, the solution lies between.
    pub fn hold(&self, contact: &Contact) -> Response {
        let answer = self.law().map(|law| return_map::hold(law, contact));
        let remembered = || self.memory_law().map(|law| memory::hold(law, contact));
        answer.or_else(remembered).unwrap_or_default()
    }

    /// Where the law is one of bristles within bounds: force and tangent while all such forces are looked
    /// for together, the tangent of bristles that hold, with that of the bound by F_N for those that slip
    /// with the sign `slips`.
    pub fn bounded(&self, contact: &Contact, slips: f64) -> Option<Response> {
        memory::bounded(self.memory_law()?, contact, slips)
    }

    /// Force and tangent of a slider that slides with the sign `direction` under a law that is
    /// [set-valued](Kind::set_valued).
    pub fn slide(&self, contact: &Contact, direction: f64) -> Response {
        let answer = self.law().map(|law| return_map::slide(law, contact, direction));
        answer.unwrap_or_default()
    }

    /// The largest force along the path that static friction bears at `contact`, N.
    pub fn static_force(&self, contact: &Contact) -> f64 {
        let force = self.law().map(|law| return_map::static_force(law, contact));
        force.unwrap_or(0.0)
    }

    /// Whether a joint at rest breaks away where it takes the force `needed` (N) to hold it.
    pub fn breaks_away(&self, needed: f64, contact: &Contact) -> bool {
        let law = self.law();
        law.is_some_and(|law| return_map::breaks_away(law, needed, contact))
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

    /// The law with another value of one of its [numbers](Friction::numbers), whether allowed or not.
    pub fn with_number(&self, number: usize, other: f64) -> Friction {
        let mut places = 0..;
        self.map(&mut |_, value| {
            let own = places.next() == Some(number);
            if own { other } else { *value }
        })
    }

    /// The law as the model check admits it; `None` where a number is out of range or some do not go
    /// together.
    pub fn admitted(&self) -> Option<Friction> {
        let mut all = true;
        let law = self.map(&mut |place, value| {
            let admitted = place.key.limit.admit(*value);
            all &= admitted.is_some();
            admitted.unwrap_or(*value)
        });
        (all && law.contradiction().is_none()).then_some(law)
    }

    /// Change of the force at `contact` by changes of the [numbers](Friction::numbers), on the
    /// branch on which the law has answered with `response`. With a law with memory also the changes
    /// of what is remembered, of the work and of the stored energy, and all of them also by the change
    /// `by` of velocity, normal force and memory.
    pub fn change(
        &self, contact: &Contact, response: &Response, by: &Contact, numbers: &[f64],
    ) -> Response {
        let mut numbers = numbers.iter();
        let moving =
            self.map(&mut |_, value| Dual64::new(*value, numbers.next().copied().unwrap_or(0.0)));
        let force = |law| Response {
            force: return_map::change(law, contact, response),
            ..Response::default()
        };
        let remembered = || {
            let law = moving.memory_law()?;
            Some(memory::change(law, contact, by))
        };
        let change = moving.law().map(force).or_else(remembered);
        change.unwrap_or_default()
    }

    /// The largest coefficient of dry friction at rest and up to 10 m/s, with the largest factor.
    pub fn largest_coefficient(&self) -> f64 {
        const SPEEDS: i32 = 140;
        let speeds = (0..=SPEEDS).map(|k| 10.0 * 10f64.powf(-f64::from(k) / 20.0));
        let corners = self.law().map(|law| law.corners()).unwrap_or_default();
        let follows = self.law().map(|law| law.follows());
        let follows = follows.or_else(|| Some(self.memory_law()?.follows())).unwrap_or_default();
        let steady = |speed: f64| {
            let speed = Dual64::from_re(speed);
            let places = follows.places().map(|at| {
                let dry = self.law().map(|law| return_map::sliding(law, speed, &at));
                let dry = dry.or_else(|| Some(self.memory_law()?.steady(speed, &at)));
                dry.map_or(0.0, |dry| dry.re)
            });
            places.fold(0.0, f64::max)
        };
        let at_rest = self.law().and_then(|law| law.static_coefficient());
        let most = speeds
            .chain(corners)
            .chain([0.0])
            .map(steady)
            .fold(at_rest.map_or(0.0, |own| own.re), f64::max);
        let numbers = self.numbers();
        let factors = (numbers.iter())
            .filter(|(place, _)| place.starts_with(law::FACTORS.name))
            .map(|(_, factor)| *factor);
        most * factors.reduce(f64::max).unwrap_or(1.0)
    }

    /// Force at the velocity `v` (m/s) of steady sliding under `normal_force` (N), N.
    pub fn characteristic(&self, v: f64, normal_force: f64) -> f64 {
        let speed = Dual64::from_re(v.abs());
        let at =
            Surroundings { normal_force: Dual64::from_re(normal_force), ..Surroundings::default() };
        let dry = self.law().map(|law| return_map::sliding(law, speed, &at).re);
        let dry = dry.or_else(|| Some(self.memory_law()?.steady(speed, &at).re));
        let force = dry.zip(self.common()).map(|(dry, law)| {
            let factor = law.factor(Dual64::from_re(normal_force)).re;
            v.signum() * dry * factor * normal_force + law.viscous().re * v
        });
        force.unwrap_or(0.0)
    }

    /// b_e(v₀), N·s/m: the damper that acts in the mean like the law's
    /// [characteristic](Friction::characteristic) at a harmonic velocity of amplitude `v0` (m/s, above 0) under `normal_force` (N), by quadrature (Půst et al. 2011,
    /// Eq. 17).
    pub fn equivalent_damping(&self, v0: f64, normal_force: f64) -> f64 {
        let corners = self.law().map(|law| law.corners()).unwrap_or_default();
        equivalent::damping(|v| self.characteristic(v, normal_force), v0, &corners)
    }

    /// b_e and k_e under the motion a cos ωt of `amplitude` a (m) and circular `frequency` ω (rad/s),
    /// both above 0, by quadrature over the settled loop (Eqs. 46 and 50). Laws of velocity have no k_e.
    pub fn equivalent(&self, amplitude: f64, frequency: f64, normal_force: f64) -> Equivalent {
        match self.hysteresis(amplitude, frequency, normal_force) {
            Some(hysteresis) => hysteresis.equivalent(),
            None => Equivalent {
                damping: self.equivalent_damping(amplitude * frequency, normal_force),
                stiffness: 0.0,
            },
        }
    }

    /// Equivalent damper and spring by a closed form, where there is one.
    pub fn closed_equivalent(
        &self, amplitude: f64, frequency: f64, normal_force: f64,
    ) -> Option<Equivalent> {
        let Some(law) = self.memory_law() else {
            return Some(Equivalent {
                damping: self.closed_form(amplitude * frequency, normal_force)?,
                stiffness: 0.0,
            });
        };
        let pressing = law.factor(Dual64::from_re(normal_force)).re * normal_force;
        let dry = law.equivalent(pressing, amplitude, frequency)?;
        Some(Equivalent { damping: dry.damping + law.viscous().re, ..dry })
    }

    /// The settled loop of a law with memory.
    pub fn hysteresis(
        &self, amplitude: f64, frequency: f64, normal_force: f64,
    ) -> Option<Hysteresis<'_>> {
        let law = self.memory_law()?;
        Some(Hysteresis::of(law, amplitude, frequency, normal_force))
    }

    /// [`Friction::equivalent_damping`] by the paper's closed form, where it has one. It follows the printed formula, also
    /// where that is below zero.
    pub fn closed_form(&self, v0: f64, normal_force: f64) -> Option<f64> {
        let law = self.law()?;
        let factor = law.factor(Dual64::from_re(normal_force)).re;
        let dry = law.equivalent_damping(v0)? * factor * normal_force;
        Some(dry + law.viscous().re)
    }

    /// The law with what its checker has to find out of its expressions.
    pub fn settled(self) -> Friction {
        match self {
            Friction::Expression(law) => Friction::Expression(law.settled()),
            law => law,
        }
    }

    /// Speed (m/s), surroundings and value of a coefficient below 0, which counts as 0.
    pub fn negative_coefficient(&self) -> Option<(f64, Surroundings, f64)> {
        let law = self.law()?;
        let all = law.follows().places().flat_map(|at| SPEEDS.map(|speed| (speed, at)));
        let values =
            all.map(|(speed, at)| (speed, at, law.coefficient(Dual64::from_re(speed), &at).re));
        values.into_iter().find(|(_, _, value)| *value < 0.0)
    }

    /// A motion in which a law with memory that is an expression gives energy.
    pub fn energy_gain(&self) -> Option<Gain> {
        match self {
            Friction::ExpressionWithMemory(law) => law.gain(),
            _ => None,
        }
    }

    /// What does not go together in its numbers.
    pub fn contradiction(&self) -> Option<Contradiction> {
        let own = self.law().and_then(|law| law.contradiction());
        own.or_else(|| self.memory_law()?.contradiction())
            .or_else(|| self.common()?.factor_contradiction())
    }
}

/// Speeds at which a coefficient is looked at, m/s.
const SPEEDS: [f64; 12] = [0.0, 1e-5, 1e-4, 1e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 2.0, 5.0, 10.0];
