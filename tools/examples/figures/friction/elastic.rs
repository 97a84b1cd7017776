//! Figures 25-29 of Půst, Pešek & Radolfová (2011): a spring in series with Coulomb friction of
//! f F_N = 1 N under x = a cos ωt, with k in N/m and ω = 1 rad/s.

use std::f64::consts::{PI, TAU};

use coulisse::laws::friction::{Friction, SpringFriction};

use crate::svg::{Curve, Plot};

/// The stiffness and the amplitude of Figs. 25 and 26: those of the paper's numbers.
const STIFFNESS: f64 = 3.0;
const AMPLITUDE: f64 = 1.0;

/// Largest amplitude of Figs. 27-29, m.
const LARGEST: f64 = 5.0;

/// Points of a curve.
const POINTS: u32 = 250;

fn spring(stiffness: f64) -> Friction {
    Friction::SpringFriction(SpringFriction {
        stiffness,
        coefficient: 1.0,
        ..SpringFriction::blank()
    })
}

fn curve(label: String, dashed: bool, points: Vec<(f64, f64)>) -> Curve {
    Curve { label, points, dashed }
}

/// Displacement x of the body, x₁ = x − F_t/k of the contact, and F_t, over one period.
fn histories() -> [Vec<(f64, f64)>; 3] {
    let mut all = [const { Vec::new() }; 3];
    let law = spring(STIFFNESS);
    let Some(settled) = law.hysteresis(AMPLITUDE, 1.0, 1.0) else {
        return all;
    };
    // The loop begins at x = a and its points are evenly spaced in time.
    let points = settled.points();
    let count = points.len() - 1;
    let begin = points[count - 1];
    for (i, (x, force)) in std::iter::once(&begin).chain(&points[..count]).enumerate() {
        let t = TAU * i as f64 / count as f64;
        all[0].push((t, *x));
        all[1].push((t, x - force / STIFFNESS));
        all[2].push((t, *force));
    }
    all
}

/// `value`(law, a) for stiffnesses of 1 to 5 N/m.
fn family(value: impl Fn(&Friction, f64) -> f64) -> Vec<Curve> {
    let each = [1.0, 2.0, 3.0, 4.0, 5.0].map(|k| {
        let law = spring(k);
        let amplitudes = (1..=POINTS).map(|i| LARGEST * f64::from(i) / f64::from(POINTS));
        let points = amplitudes.map(|a| (a, value(&law, a))).collect();
        curve(format!("k = {k}"), false, points)
    });
    each.into()
}

fn closed(law: &Friction, a: f64) -> [f64; 2] {
    let closed = law.closed_equivalent(a, 1.0, 1.0);
    closed.map_or([f64::NAN; 2], |closed| [closed.damping, closed.stiffness])
}

/// b_e of Coulomb's law alone.
fn coulomb(a: f64) -> f64 {
    4.0 / (PI * a)
}

/// Number and drawing of each figure.
pub fn figures() -> Vec<(u32, Plot)> {
    let [body, contact, force] = histories();
    let named = |number: u32, title: &str, x: &str, y: &str, curves| {
        let plot = Plot {
            to_scale: false,
            title: format!("Fig. {number}: {title}"),
            x: x.to_owned(),
            y: y.to_owned(),
            curves,
        };
        (number, plot)
    };
    let mut damping = family(|law, a| closed(law, a)[0]);
    let rigid = (50..=POINTS).map(|i| LARGEST * f64::from(i) / f64::from(POINTS));
    let rigid = rigid.map(|a| (a, coulomb(a))).collect();
    damping.push(curve("Coulomb".to_owned(), true, rigid));
    let mut stiffness = family(|law, a| closed(law, a)[1]);
    // Below 5 N/m, where the others are.
    let stiff = spring(100.0);
    let amplitudes = (1..=POINTS).map(|i| LARGEST * f64::from(i) / f64::from(POINTS));
    let tail = amplitudes.map(|a| (a, closed(&stiff, a)[1]));
    let tail = tail.filter(|(_, k)| *k <= LARGEST).collect();
    stiffness.push(curve("k = 100".to_owned(), true, tail));
    vec![
        named(
            25,
            "body and contact, k = 3, a = 1",
            "t, s",
            "x, m",
            vec![curve("x".to_owned(), false, body), curve("x1".to_owned(), false, contact)],
        ),
        named(
            26,
            "friction force, k = 3, a = 1",
            "t, s",
            "F, N",
            vec![curve(String::new(), false, force)],
        ),
        named(
            27,
            "relative damping",
            "a, m",
            "b_e/b_e of Coulomb",
            family(|law, a| closed(law, a)[0] / coulomb(a)),
        ),
        named(28, "equivalent damping", "a, m", "b_e, N.s/m", damping),
        named(29, "equivalent stiffness", "a, m", "k_e, N/m", stiffness),
    ]
}
