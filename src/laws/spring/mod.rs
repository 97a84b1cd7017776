//! Springs, dampers, elastic stops, slip elements and actuators between two sides.
//!
//! All of them act along one measure m of how the two sides stand to each other, a length or an angle, and are added:
//!
//! ```text
//! F = F_e(m − m₀) + F_s(m) + F_d(ṁ) + T + F_a
//! ```
//!
//! F_e is the force of the spring from the free measure m₀ on, F_s that of elastic stops, F_d that of the damper, T that of the slip
//! element and F_a what an actuator adds. F above 0 makes m smaller: along a line it pulls, along an axis it drives `to` against the axis.

mod characteristic;
mod force_law;
pub mod squares;

pub use characteristic::Characteristic;
pub use force_law::{ForceLaw, Gain};

use crate::numerics::number::Number;

/// Share of F_f by which the force of a slip element that slides may be below it by rounding.
const SLIDES: f64 = 1e-9;

/// What acts between two sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Spring {
    pub elastic: Elastic,
    pub damper: Damper,
    pub stops: Stops,
    pub slip: Option<SlipElement>,
    /// The numbers that a host may set, as the file gives them.
    pub setting: Setting,
}

/// Numbers of a spring that may change in time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Setting<D = f64> {
    /// m₀, m or rad.
    pub free: D,
    /// k of a linear spring, N/m or N·m/rad.
    pub stiffness: D,
    /// c of a linear damper, N·s/m or N·m·s/rad.
    pub damping: D,
    /// F_a, N or N·m.
    pub force: D,
}

impl Setting {
    /// These numbers and `share` times their changes `by`.
    pub(crate) fn moved(self, by: Setting, share: f64) -> Setting {
        Setting {
            free: self.free + share * by.free,
            stiffness: self.stiffness + share * by.stiffness,
            damping: self.damping + share * by.damping,
            force: self.force + share * by.force,
        }
    }
}

/// The spring.
#[derive(Debug, Clone, PartialEq)]
pub enum Elastic {
    /// F_e = k e with the k of the [`Setting`]; nothing where that is 0.
    Linear,
    /// F_e by e.
    Table(Characteristic),
    /// F_e by e, and the force of a damper by e and ṁ, which is added to that of the [`Damper`].
    Law(ForceLaw),
}

/// The damper.
#[derive(Debug, Clone, PartialEq)]
pub enum Damper {
    /// F_d = c ṁ with the c of the [`Setting`].
    Linear,
    /// F_d by ṁ; through (0, 0), nowhere against ṁ.
    Table(Characteristic),
}

/// Elastic stops behind a free gap: with the depth π beyond a limit
///
/// ```text
/// F_s = ±max(0, k_s π + c_s π̇),    π > 0
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stops {
    /// The smallest and the largest m that is free.
    pub limits: [Option<f64>; 2],
    /// k_s, N/m or N·m/rad.
    pub stiffness: f64,
    /// c_s, N·s/m or N·m·s/rad.
    pub damping: f64,
}

/// A spring k_t in series with dry friction that slides at F_f (Jenkins' element): |T| ≤ F_f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlipElement {
    /// F_f, N or N·m.
    pub force: f64,
    /// k_t, N/m or N·m/rad.
    pub stiffness: f64,
}

/// What a step begins with.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Begun<D = f64> {
    /// Where the friction of the slip element stands: T = k_t (m − a), m or rad.
    pub anchor: D,
    /// The numbers at the end of the step.
    pub setting: Setting<D>,
}

/// Answer of a spring with its derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Answer<D = f64> {
    /// F.
    pub force: D,
    pub by_measure: f64,
    pub by_rate: f64,
    /// F_e and what of F_s has a potential.
    pub elastic: D,
    /// F_d and the rest of F_s, whose power is never below 0.
    pub damper: D,
    /// T.
    pub friction: D,
    /// The anchor at the end of the step.
    pub anchor: D,
    /// Energy of the slip element, J.
    pub stored: D,
    /// What it dissipates in the step, J.
    pub dissipated: D,
}

impl<D: Number> Answer<D> {
    /// No force, with the slip element at its `anchor`.
    fn none(anchor: D) -> Answer<D> {
        let zero = D::zero();
        Answer {
            force: zero,
            by_measure: 0.0,
            by_rate: 0.0,
            elastic: zero,
            damper: zero,
            friction: zero,
            anchor,
            stored: zero,
            dissipated: zero,
        }
    }
}

impl Spring {
    /// A linear spring alone.
    pub fn linear(free: f64, stiffness: f64) -> Spring {
        Spring {
            elastic: Elastic::Linear,
            damper: Damper::Linear,
            stops: Stops::default(),
            slip: None,
            setting: Setting { free, stiffness, ..Setting::default() },
        }
    }

    /// F where the measure is `m` with the rate `rate`, in a step that has `begun` so.
    pub fn answer<D: Number>(&self, m: D, rate: D, begun: &Begun<D>) -> Answer<D> {
        let set = &begun.setting;
        let mut answer = Answer::none(begun.anchor);
        (answer.damper, answer.by_rate) = match &self.damper {
            Damper::Linear => (set.damping * rate, set.damping.re()),
            Damper::Table(curve) => {
                let [_, force, slope] = curve.at(rate);
                (force, slope.re())
            }
        };
        let e = m - set.free;
        match &self.elastic {
            Elastic::Linear => {
                (answer.elastic, answer.by_measure) = (set.stiffness * e, set.stiffness.re());
            }
            Elastic::Table(curve) => {
                let [_, force, slope] = curve.at(e);
                (answer.elastic, answer.by_measure) = (force, slope.re());
            }
            Elastic::Law(law) => law.add(e, rate, &mut answer),
        }
        self.stop(m, rate, &mut answer);
        if let Some(slip) = &self.slip {
            slip.answer(m, begun, &mut answer);
        }
        answer.force = answer.elastic + answer.damper + answer.friction + set.force;
        answer
    }

    fn stop<D: Number>(&self, m: D, rate: D, answer: &mut Answer<D>) {
        let Stops { stiffness: k, damping: c, .. } = self.stops;
        for (depth, sign) in self.stops.depths(m) {
            let (pressed, damped) = (depth * k, rate * (c * sign));
            answer.elastic += pressed * sign;
            if (pressed + damped).re() > 0.0 {
                answer.damper += damped * sign;
                answer.by_measure += k;
                answer.by_rate += c;
            } else {
                // It does not pull: what leaves it fast leaves it with the energy that is still in it.
                answer.damper -= pressed * sign;
            }
        }
    }

    /// The potential of F_e and F_s where the measure is `m`, J.
    pub fn energy<D: Number>(&self, m: D, set: &Setting<D>) -> D {
        let e = m - set.free;
        let elastic = match &self.elastic {
            Elastic::Linear => set.stiffness * 0.5 * e * e,
            Elastic::Table(curve) => curve.at(e)[0],
            Elastic::Law(law) => law.energy(e),
        };
        let half = 0.5 * self.stops.stiffness;
        (self.stops.depths(m)).fold(elastic, |sum, (depth, _)| sum + depth * half * depth)
    }

    /// Measures at which F has a kink, where the slip element stands at the `anchor`, m or rad.
    pub fn kinks(&self, anchor: f64) -> [Option<f64>; 4] {
        let [least, most] = self.stops.limits;
        let [pushed, pulled] = [-1.0, 1.0]
            .map(|sign| self.slip.map(|slip| anchor + sign * slip.force / slip.stiffness));
        [least, most, pushed, pulled]
    }

    /// The sign with which the slip element slides, or is about to, at the measure `m`.
    pub fn slides(&self, m: f64, anchor: f64) -> Option<f64> {
        let slip = self.slip?;
        let force = slip.stiffness * (m - anchor);
        (force.abs() >= (1.0 - SLIDES) * slip.force).then_some(force.signum())
    }

    /// Whether it has a force that follows from the measure; where not, a `stiffness` may be an input.
    pub fn springs(&self) -> bool {
        match &self.elastic {
            Elastic::Linear => self.setting.stiffness != 0.0,
            Elastic::Table(_) => true,
            Elastic::Law(law) => law.springs(),
        }
    }

    /// Whether its force follows from the rate.
    pub fn damps(&self, damping_is_input: bool) -> bool {
        damping_is_input
            || matches!(&self.elastic, Elastic::Law(law) if law.damps())
            || self.damper != Damper::Linear
            || self.setting.damping != 0.0
            || self.stops.damping != 0.0
    }
}

impl Stops {
    /// How deep, above 0, and with which sign the measure `m` is beyond each limit.
    /// How deep m is beyond each limit that it has passed, with the sign of the force.
    pub fn depths<D: Number>(&self, m: D) -> impl Iterator<Item = (D, f64)> + use<D> {
        let [least, most] = self.limits;
        let beyond = |limit: Option<f64>, sign: f64| limit.map(|at| ((m - at) * sign, sign));
        let sides = [beyond(least, -1.0), beyond(most, 1.0)];
        sides.into_iter().flatten().filter(|(depth, _)| depth.re() > 0.0)
    }
}

impl SlipElement {
    /// The return map: what would be more than F_f drags the anchor along.
    fn answer<D: Number>(&self, m: D, begun: &Begun<D>, answer: &mut Answer<D>) {
        let tried = (m - begun.anchor) * self.stiffness;
        if tried.re().abs() <= self.force {
            answer.friction = tried;
            answer.by_measure += self.stiffness;
        } else {
            answer.friction = D::from(self.force.copysign(tried.re()));
            answer.anchor = m - answer.friction / self.stiffness;
            answer.dissipated = answer.friction * (answer.anchor - begun.anchor);
        }
        answer.stored = answer.friction * 0.5 * answer.friction / self.stiffness;
    }
}
