//! Laws with memory: loops, and the damper and spring that act like them.

use std::f64::consts::TAU;

use comfy_table::Table;
use coulisse::laws::friction::{Friction, MemoryLaw};

use super::{Columns, ROWS};
use crate::number::short;
use crate::svg::{Curve, Plot};
use crate::table::plain;

/// Largest amplitude shown, in deflections at which the law slides.
const WIDE: f64 = 5.0;

/// mm in a metre: the drawings are of small motions.
const MM: f64 = 1e3;

/// Points of a curve over the amplitude.
const POINTS: u32 = 60;

/// A harmonic motion x = a cos ωt for a law to go through.
pub struct Swing<'a> {
    pub law: &'a Friction,
    /// N.
    pub normal_force: f64,
    /// Largest amplitude, m.
    pub amplitude: f64,
    /// Hz.
    pub frequency: f64,
}

/// Some times the deflection with which `law` slides slowly; 1 mm where it never holds.
pub fn largest_amplitude(law: &Friction, memory_law: &dyn MemoryLaw, normal_force: f64) -> f64 {
    let limit = law.characteristic(f64::MIN_POSITIVE, normal_force);
    let deflection = limit / memory_law.stiffness().re;
    if deflection > 0.0 && deflection.is_finite() { WIDE * deflection } else { 1e-3 }
}

impl Swing<'_> {
    fn omega(&self) -> f64 {
        TAU * self.frequency
    }

    /// The part `i` of `n` of the largest amplitude.
    fn part(&self, i: u32, n: u32) -> f64 {
        self.amplitude * f64::from(i) / f64::from(n)
    }

    /// b_e and k_e over the amplitude, by quadrature and closed form.
    pub fn table(&self) -> Table {
        let mut table = plain(
            ["a, m", "b_e(a), N.s/m", "closed form, N.s/m", "k_e(a), N/m", "closed form, N/m"],
            0..5,
        );
        for row in 1..=ROWS {
            let a = self.part(row, ROWS);
            let found = self.law.equivalent(a, self.omega(), self.normal_force);
            let closed = (self.law).closed_equivalent(a, self.omega(), self.normal_force);
            let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
            table.add_row([
                short(a),
                short(found.damping),
                shown(closed.map(|closed| closed.damping)),
                short(found.stiffness),
                shown(closed.map(|closed| closed.stiffness)),
            ]);
        }
        table
    }

    /// The same in closer steps.
    pub fn columns(&self) -> Columns {
        let rows = (1..=POINTS).map(|i| {
            let a = self.part(i, POINTS);
            let found = self.law.equivalent(a, self.omega(), self.normal_force);
            let closed = (self.law).closed_equivalent(a, self.omega(), self.normal_force);
            vec![
                a,
                found.damping,
                closed.map_or(f64::NAN, |closed| closed.damping),
                found.stiffness,
                closed.map_or(f64::NAN, |closed| closed.stiffness),
            ]
        });
        Columns {
            names: &[
                "amplitude",
                "equivalent_damping",
                "closed_damping",
                "equivalent_stiffness",
                "closed_stiffness",
            ],
            rows: rows.collect(),
        }
    }

    /// Loops of four amplitudes, b_e(a) and k_e(a).
    pub fn plots(&self) -> [Plot; 3] {
        let loops = [1, 2, 5, 10].map(|i| {
            let a = self.part(i, 10);
            let settled = self.law.hysteresis(a, self.omega(), self.normal_force);
            let points = settled.map(|settled| settled.points());
            let points = points.unwrap_or_default().into_iter();
            Curve {
                label: format!("a = {} mm", short(MM * a)),
                points: points.map(|(x, force)| (MM * x, force)).collect(),
                dashed: false,
            }
        });
        let over = |value: fn(&Friction, f64, f64, f64) -> f64| {
            let points = (1..=POINTS).map(|i| {
                let a = self.part(i, POINTS);
                (MM * a, value(self.law, a, self.omega(), self.normal_force))
            });
            vec![Curve { label: String::new(), points: points.collect(), dashed: false }]
        };
        let named = |title: &str, x: &str, y: &str, curves| Plot {
            to_scale: false,
            title: title.to_owned(),
            x: x.to_owned(),
            y: y.to_owned(),
            curves,
        };
        let title = format!(
            "{}, F_N = {} N, {} Hz",
            self.law.name(),
            short(self.normal_force),
            short(self.frequency)
        );
        [
            named(&title, "x, mm", "F, N", loops.into()),
            named(
                "equivalent damping",
                "a, mm",
                "b_e, N.s/m",
                over(|law, a, omega, n| law.equivalent(a, omega, n).damping),
            ),
            named(
                "equivalent stiffness",
                "a, mm",
                "k_e, N/m",
                over(|law, a, omega, n| law.equivalent(a, omega, n).stiffness),
            ),
        ]
    }
}
