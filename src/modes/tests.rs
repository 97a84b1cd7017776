//! Modes against a dense solver and a stiffness by differences.

use crate::newton::Newton;
use nalgebra::{DMatrix, DVector};

use super::*;
use crate::model::Model;
use crate::solve::Stepper;
use crate::start::start;

/// A frame with a damped arm on which a heavy slider with a rod of its own rides, loaded.
const FRAME: &str = r#"
name = "Frame"
solver.step = 1e-3
gravity = { x = 1.0, y = -9.81 }
[points]
a = [0.0, 0.0]
b = [0.0, 1.0]
c = [1.5, 1.2]
P = [0.75, 1.1]
Q = [0.9, 0.4]
[materials.soft]
young_modulus = 5e7
poisson_ratio = 0.3
density = 1200.0
[sections.strip]
rectangle = { height = 0.05, width = 0.05 }
[members.post]
from = "a"
to = "b"
elements = 2
material = "soft"
section = "strip"
[members.arm]
from = "b"
to = "c"
elements = 3
order = 2
material = "soft"
section = "strip"
[members.rod]
from = "P"
to = "Q"
elements = 1
material = "soft"
section = "strip"
rotary_inertia = true
[supports.a]
point = "a"
fix = ["x", "y", "rotation"]
[supports.c]
point = "c"
fix = ["y"]
[supports.Q]
point = "Q"
fix = ["x"]
[masses.P]
point = "P"
mass = 2.0
[joints.P]
prismatic = { slider = "P", path = ["arm"] }
[damping.frame]
members = ["post", "arm"]
mass_coefficient = 0.3
stiffness_coefficient = 2e-3
[interface]
outputs = ["points.P.x"]
"#;

fn moved() -> (System, State) {
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(FRAME, "frame.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    let checked = model.check().unwrap_or_else(|faults| panic!("{faults}"));
    let system = System::build(&checked).unwrap_or_else(|fault| panic!("{fault}"));
    let mut state = start(&system, &[]).unwrap_or_else(|fault| panic!("{fault}"));
    let outcome = Stepper::new(&system).advance(&system, &mut state, 0.0, 0.05);
    outcome.unwrap_or_else(|fault| panic!("{fault}"));
    (system, state)
}

/// The derivative of all equations without inertia by all unknowns, by central differences, and
/// the masses on its diagonal block: equations, then the border.
fn dense(system: &System, state: &State) -> (DMatrix<f64>, DMatrix<f64>) {
    let mut newton = Newton::new(system);
    newton.load_state(system, state, 1e-3);
    newton.find_forces_at_rest(system, state);
    newton.at.leave_friction_out();
    let (n, slider) = (system.equations(), &system.sliders[0]);
    let size = n + system.border();
    let (mut whole, mut mass) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
    for column in 0..size {
        let mut at = |by: f64| -> DVector<f64> {
            let mut there = newton.at.clone();
            match column.checked_sub(n) {
                None => there.q.add(system.unknown[column], by),
                Some(0) => there.q.add(slider.coordinate, by),
                Some(k) => there.sliders[0].multipliers[k - 1] += by,
            }
            let work = &mut newton.work;
            system.residual(&there, work);
            let interior = system.unknown.iter().map(|&u| work.residual[u]);
            DVector::from_iterator(size, interior.chain(work.border.iter().copied()))
        };
        let h = 1e-6;
        whole.set_column(column, &((at(h) - at(-h)) / (2.0 * h)));
        if column < n {
            let (mut unit, mut forces) = (vec![0.0; system.nodal], vec![0.0; system.nodal]);
            unit[system.unknown[column]] = 1.0;
            system.mass.forces(&unit, &mut forces);
            for (e, &u) in system.unknown.iter().enumerate() {
                mass[(e, column)] = forces[u];
            }
        }
    }
    (whole, mass)
}

#[test]
fn shapes_diagonalise_mass_and_stiffness_and_are_those_of_a_dense_solver() {
    let (system, state) = moved();
    let (whole, mass) = dense(&system, &state);
    let n = system.equations();
    let found = modes(&system, &state, 12, Sliding::Free, Loads::Absent)
        .unwrap_or_else(|f| panic!("{f}"))
        .list;
    assert_eq!(found.len(), 12);
    // 1/(ω² + μ) are the eigenvalues of (whole + μ mass)⁻¹ mass.
    let shift = 100.0;
    let product = (&whole + &mass * shift).lu().solve(&mass).expect("regular");
    // The largest belong to the lowest ω²; what has no mass has 0, but for rounding.
    let mut largest: Vec<f64> =
        (product.complex_eigenvalues().iter()).map(|theta| theta.re).collect();
    largest.sort_by(|a, b| b.total_cmp(a));
    let exact: Vec<f64> = largest.iter().map(|theta| 1.0 / theta - shift).collect();
    for (mode, exact) in found.iter().zip(&exact) {
        println!("{} {exact}", mode.square);
        assert!((mode.square / exact - 1.0).abs() < 1e-6, "{} {exact}", mode.square);
    }
    // Forces take no part: the shape obeys the constraints.
    let vectors: Vec<DVector<f64>> = (found.iter())
        .map(|mode| {
            let mut z = DVector::zeros(n + system.border());
            for (e, &u) in system.unknown.iter().enumerate() {
                z[e] = mode.shape[u];
            }
            z[n] = mode.shape[system.sliders[0].coordinate];
            // The moment that bends the path within its element, by that the slider turns against it.
            z[n + 3] = -whole.row(n + 3).dot(&z.transpose()) / whole[(n + 3, n + 3)];
            z
        })
        .collect();
    for (i, a) in vectors.iter().enumerate() {
        let gap = (&whole * a).rows(n + 1, 3).amax();
        assert!(gap < 1e-7 * a.amax(), "mode {} leaves its path by {gap:e}", i + 1);
        for (k, b) in vectors.iter().enumerate() {
            let (m, s) = (a.dot(&(&mass * b)), a.dot(&(&whole * b)));
            let one = f64::from(i == k);
            assert!((m - one).abs() < 1e-9, "mass of {i}, {k}: {m}");
            let size = found[i].square.max(found[k].square);
            assert!((s - one * found[i].square).abs() < 1e-6 * size, "stiffness of {i}, {k}: {s}");
        }
    }
}

#[test]
fn sliders_that_stick_make_every_frequency_higher_and_do_not_move() {
    let (system, state) = moved();
    let [free, stuck] = [Sliding::Free, Sliding::Stuck].map(|sliding| {
        modes(&system, &state, 6, sliding, Loads::Absent).unwrap_or_else(|f| panic!("{f}")).list
    });
    let s = system.sliders[0].coordinate;
    let slides = |mode: &Mode| mode.shape[s].abs();
    assert!(stuck.iter().all(|mode| slides(mode) < 1e-12));
    assert!(free.iter().any(|mode| slides(mode) > 0.1));
    // A constraint more: between each and the next one of the free (Rayleigh).
    for (k, mode) in stuck.iter().enumerate().take(5) {
        assert!(mode.square > free[k].square * (1.0 - 1e-9));
        assert!(mode.square < free[k + 1].square * (1.0 + 1e-9));
    }
}
