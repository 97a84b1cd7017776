//! Figures 6-15 and 17-22 (and, from the file beside, 25-29) of Půst, Pešek & Radolfová (2011), drawn
//! from the laws, and one that compares all laws.
//!
//! The paper's forces are those of F_N = 1 N, its b_n those of 1 m/s. Equivalent damping is drawn by
//! the closed forms, which follow the printed curves also where these fall below zero.

mod elastic;
mod rabinowicz;

use anyhow::Result;
use coulisse::laws::friction::{
    Arctangent, Exponential, Friction, ModifiedCoulomb, PiecewiseLinear, PowerSeries,
};

use crate::svg::{Curve, Plot};
use coulisse_tools::law::characteristic;

/// v_r and the largest velocity shown, m/s.
const V_R: f64 = 0.5;
const LARGEST: f64 = 6.0;

/// What a figure draws of its laws.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Force,
    Damping,
}

/// A law and what it is called in the figure.
type Named = (String, Friction);

/// All figures with their names.
///
/// # Errors
/// When a run of the Rabinowicz test does not come to its end.
pub fn figures() -> Result<Vec<(String, Vec<Plot>)>> {
    let laws = of_laws().into_iter().map(|(number, title, what, laws)| {
        let (x, y) = match what {
            What::Force => ("v, m/s", "F, N"),
            What::Damping => ("v0, m/s", "b_e, N.s/m"),
        };
        let plot = Plot {
            to_scale: false,
            title: format!("Fig. {number}: {title}"),
            x: x.to_owned(),
            y: y.to_owned(),
            curves: laws.iter().map(|law| curve(law, what)).collect(),
        };
        (number, plot)
    });
    let numbered = laws.chain(elastic::figures());
    let mut all: Vec<_> =
        numbered.map(|(number, plot)| (format!("fig{number:02}"), vec![plot])).collect();
    all.push(("rabinowicz".to_owned(), rabinowicz::plots()?));
    Ok(all)
}

fn curve((label, law): &Named, what: What) -> Curve {
    let points = match what {
        What::Force => characteristic(law, 1.0, LARGEST),
        What::Damping => (1..=120)
            .map(|i| LARGEST * f64::from(i) / 120.0)
            .filter_map(|v0| Some((v0, law.closed_form(v0, 1.0)?)))
            .collect(),
    };
    Curve { label: label.clone(), points, dashed: label.contains("= 0, ") }
}

fn modified() -> Friction {
    Friction::ModifiedCoulomb(ModifiedCoulomb {
        coefficient: 1.0,
        threshold_velocity: V_R,
        ..ModifiedCoulomb::blank()
    })
}

/// F_t0 = 1 with the powers `b`; `edge` is f₂.
fn series(b: &[f64], edge: Option<f64>) -> Friction {
    Friction::PowerSeries(PowerSeries {
        coefficient: 1.0,
        threshold_velocity: V_R,
        static_coefficient: edge,
        coefficients: b.to_vec(),
        ..PowerSeries::blank()
    })
}

fn arctangent(change: f64) -> Friction {
    Friction::Arctangent(Arctangent {
        coefficient: 1.0,
        threshold_velocity: V_R,
        change,
        ..Arctangent::blank()
    })
}

fn exponential(alpha: f64) -> Friction {
    Friction::Exponential(Exponential {
        coefficient: 1.0,
        threshold_velocity: V_R,
        change: -0.7,
        decay_velocity: 1.0 / alpha,
        ..Exponential::blank()
    })
}

fn sections(slopes: &[f64], velocities: &[f64]) -> Friction {
    Friction::PiecewiseLinear(PiecewiseLinear {
        slopes: slopes.to_vec(),
        velocities: velocities.to_vec(),
        ..PiecewiseLinear::blank()
    })
}

/// One curve for each value, called "`symbol` = value".
fn each(symbol: &str, values: &[f64], law: impl Fn(f64) -> Friction) -> Vec<Named> {
    let named = |value: &f64| (format!("{symbol} = {value}"), law(*value));
    values.iter().map(named).collect()
}

fn of_laws() -> Vec<(u32, &'static str, What, Vec<Named>)> {
    use What::{Damping, Force};
    // Eq. 16.
    let slopes = [4.0, -5.6, 1.2, 0.3, 0.4, -0.2];
    let velocities = [0.0, 0.5, 1.0, 2.0, 3.0, 5.0];
    let falling = [-0.2, -0.1, 0.0, 0.1];
    let linear = || each("b1", &[-0.1, 0.0, 0.1], |b| series(&[b], None));
    let quadratic = || each("b2 = 0.02, b1", &falling, |b| series(&[b, 0.02], None));
    let quartic = || each("b4 = 0.0005, b1", &falling, |b| series(&[b, 0.0, 0.0, 5e-4], None));
    // The paper's dashed curves.
    let without = |power: &str| each(&format!("{power} = 0, b1"), &falling, |b| series(&[b], None));
    let mixed = || each("b1", &[0.0, 0.1, 0.2], |b| series(&[b, -0.05, 0.006], None));
    let plain = |label: &str, law| vec![(label.to_owned(), law)];
    let ramps = (1..=slopes.len()).map(|n| {
        let label = format!("sections 1 to {n}");
        (label, sections(&slopes[..n], &velocities[..n]))
    });
    vec![
        (6, "modified Coulomb law", Force, plain("", modified())),
        (7, "with a linear part", Force, linear()),
        (8, "with a quadratic part", Force, quadratic()),
        (9, "with a quartic part", Force, quartic()),
        (10, "b2 = -0.05, b3 = 0.006", Force, mixed()),
        (11, "arctangent", Force, each("ba", &[-0.5, 0.0, 0.5], arctangent)),
        (12, "exponential, beta = -0.7", Force, each("alpha", &[0.2, 1.0, 5.0], exponential)),
        (13, "f2 = 2, f1 = 1", Force, plain("", series(&[0.0, -0.05, 0.006], Some(2.0)))),
        (14, "one section", Force, plain("", sections(&[0.5], &[1.0]))),
        (15, "six sections", Force, plain("", sections(&slopes, &velocities))),
        (17, "modified Coulomb law, linear part", Damping, linear()),
        (18, "laws of Fig. 7", Damping, each("b1", &falling, |b| series(&[b], None))),
        (19, "laws of Fig. 8", Damping, [quadratic(), without("b2")].concat()),
        (20, "laws of Fig. 9", Damping, [quartic(), without("b4")].concat()),
        (21, "laws of Fig. 10", Damping, mixed()),
        (22, "law of Fig. 15, section by section", Damping, ramps.collect()),
    ]
}
