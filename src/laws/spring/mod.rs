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
pub mod squares;

pub use characteristic::Characteristic;

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
pub struct Setting {
    /// m₀, m or rad.
    pub free: f64,
    /// k of a linear spring, N/m or N·m/rad.
    pub stiffness: f64,
    /// c of a linear damper, N·s/m or N·m·s/rad.
    pub damping: f64,
    /// F_a, N or N·m.
    pub force: f64,
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
pub struct Begun {
    /// Where the friction of the slip element stands: T = k_t (m − a), m or rad.
    pub anchor: f64,
    /// The numbers at the end of the step.
    pub setting: Setting,
}

/// Answer of a spring with its derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Answer {
    /// F.
    pub force: f64,
    pub by_measure: f64,
    pub by_rate: f64,
    /// By the anchor.
    pub by_anchor: f64,
    /// F_e and what of F_s has a potential.
    pub elastic: f64,
    /// The potential, J.
    pub energy: f64,
    /// F_d and the rest of F_s, whose power is never below 0.
    pub damper: f64,
    pub damper_by_measure: f64,
    /// T.
    pub friction: f64,
    /// The anchor at the end of the step.
    pub anchor: f64,
    /// Energy of the slip element, J.
    pub stored: f64,
    /// What it dissipates in the step, J.
    pub dissipated: f64,
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
    pub fn answer(&self, m: f64, rate: f64, begun: &Begun) -> Answer {
        let set = &begun.setting;
        let [energy, force, slope] = self.elastic(m, set);
        let mut answer = Answer { elastic: force, by_measure: slope, energy, ..Answer::default() };
        let [damper, by_rate] = match &self.damper {
            Damper::Linear => [set.damping * rate, set.damping],
            Damper::Table(curve) => {
                let [_, force, slope] = curve.at(rate);
                [force, slope]
            }
        };
        (answer.damper, answer.by_rate) = (damper, by_rate);
        self.stop(m, rate, &mut answer);
        answer.anchor = begun.anchor;
        if let Some(slip) = &self.slip {
            slip.answer(m, begun, &mut answer);
        }
        answer.by_measure += answer.damper_by_measure;
        answer.force = answer.elastic + answer.damper + answer.friction + set.force;
        answer
    }

    /// ∫ F_e dm, F_e and dF_e/dm.
    fn elastic(&self, m: f64, set: &Setting) -> [f64; 3] {
        let e = m - set.free;
        match &self.elastic {
            Elastic::Linear => [0.5 * set.stiffness * e * e, set.stiffness * e, set.stiffness],
            Elastic::Table(curve) => curve.at(e),
        }
    }

    fn stop(&self, m: f64, rate: f64, answer: &mut Answer) {
        let Stops { limits: [least, most], stiffness: k, damping: c } = self.stops;
        let beyond = |limit: Option<f64>, sign: f64| limit.map(|at| (sign * (m - at), sign));
        let sides = [beyond(least, -1.0), beyond(most, 1.0)];
        for (depth, sign) in sides.into_iter().flatten().filter(|(depth, _)| *depth > 0.0) {
            let (pressed, damped) = (k * depth, c * sign * rate);
            answer.energy += 0.5 * k * depth * depth;
            answer.elastic += sign * pressed;
            answer.by_measure += k;
            if pressed + damped > 0.0 {
                answer.damper += sign * damped;
                answer.by_rate += c;
            } else {
                // It does not pull: what leaves it fast leaves it with the energy that is still in it.
                answer.damper -= sign * pressed;
                answer.damper_by_measure -= k;
            }
        }
    }

    /// The potential where the measure is `m`, J.
    pub fn energy(&self, m: f64, set: &Setting) -> f64 {
        let mut answer = Answer::default();
        self.stop(m, 0.0, &mut answer);
        answer.energy + self.elastic(m, set)[0]
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

    /// Changes of F and of the potential where the numbers are `set` and change by `by`.
    pub fn by_setting(&self, m: f64, rate: f64, [set, by]: [&Setting; 2]) -> [f64; 2] {
        let [_, force, slope] = self.elastic(m, set);
        let e = m - set.free;
        let [mut force_by, mut energy_by] = [-slope * by.free, -force * by.free];
        if self.elastic == Elastic::Linear {
            force_by += e * by.stiffness;
            energy_by += 0.5 * e * e * by.stiffness;
        }
        if self.damper == Damper::Linear {
            force_by += rate * by.damping;
        }
        [force_by + by.force, energy_by]
    }

    /// Whether its force follows from the rate.
    pub fn damps(&self, damping_is_input: bool) -> bool {
        damping_is_input
            || self.damper != Damper::Linear
            || self.setting.damping != 0.0
            || self.stops.damping != 0.0
    }
}

impl SlipElement {
    /// The return map: what would be more than F_f drags the anchor along.
    fn answer(&self, m: f64, begun: &Begun, answer: &mut Answer) {
        let tried = self.stiffness * (m - begun.anchor);
        if tried.abs() <= self.force {
            answer.friction = tried;
            answer.anchor = begun.anchor;
            answer.by_measure += self.stiffness;
            answer.by_anchor = -self.stiffness;
        } else {
            answer.friction = self.force.copysign(tried);
            answer.anchor = m - answer.friction / self.stiffness;
            answer.dissipated = answer.friction * (answer.anchor - begun.anchor);
        }
        answer.stored = 0.5 * answer.friction * answer.friction / self.stiffness;
    }
}
