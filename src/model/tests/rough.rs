//! The residual on rough paths and all its derivatives, by differences.

use crate::model::Model;
use crate::system::{Iterate, Linear, Residual, SlidingVelocity, System, Workspace};

const KINDS: [&str; 3] = [
    "cylindrical = { slider = \"P\", path = [\"m\", \"n\"] }",
    "cylindrical = { slider = \"P\", path = [\"m\", \"n\"], start = \"c\" }\n\
     friction.stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.2, decay_velocity = 0.5 }",
    "prismatic = { slider = \"P\", path = [\"m\", \"n\"] }",
];

/// Shapes of both members; the slider stands on the second one.
const SHAPES: [[&str; 3]; 2] =
    [["", "", "[1.4, 0.6]"], ["arc.angle = 0.7", "arc.through = [1.5, 0.52]", "[1.5, 0.52]"]];

/// Shapes of the edge of a body with a place on it.
const CURVES: [[&str; 2]; 2] = [["", "[0.9, 0.5]"], [", arc.through = [0.9, 0.7]", "[0.9, 0.7]"]];

/// A body with the edge `top` from c to a, whose curve is given.
const PLATE: &str = r#"
[bodies.plate]
material = "soft"
thickness = 0.05
state = "plane_stress"
order = 2
patch.cells = [3, 1]
patch.edges = [
  { name = "bottom", from = "g", to = "h" },
  { name = "right", from = "h", to = "c" },
  { name = "top", from = "c", to = "a"CURVE },
  { name = "left", from = "a", to = "g" },
]
[supports.g]
point = "g"
fix = ["x", "y"]
"#;

/// Members of the path on the second of which a slider stands.
const MEMBERS: &str = r#"
[members.m]
from = "a"
to = "b"
elements = 1
FIRST
material = "soft"
section = "strip"
[members.n]
from = "c"
to = "b"
elements = 3
order = 2
SECOND
material = "soft"
section = "strip"
[supports.a]
point = "a"
fix = ["x", "y"]
"#;

/// A slider on the second of two flexible members that meet at an angle; the second is initially
/// against the direction of the path, and the slider stands on the middle one of its elements.
fn on_members(kind: &str, [first, second, place]: [&str; 3]) -> System {
    let members = MEMBERS.replace("FIRST", first).replace("SECOND", second);
    system(kind, &members, place)
}

/// The same on an edge of a body.
fn on_edge(kind: &str, [curve, place]: [&str; 2]) -> System {
    let kind = kind.replace("[\"m\", \"n\"]", "[\"plate.top\"]");
    system(&kind, &PLATE.replace("CURVE", curve), place)
}

fn system(kind: &str, path: &str, place: &str) -> System {
    let text = format!(
        r#"
name = "Rough"
[solver]
step = 1e-3
[points]
a = [0.0, 0.0]
b = [1.0, 0.2]
c = [1.8, 1.0]
P = {place}
Q = [1.4, 1.6]
g = [0.0, -0.9]
h = [1.9, -0.2]
[materials.soft]
young_modulus = 2e5
poisson_ratio = 0.3
density = 1000.0
[sections.strip]
rectangle = {{ height = 0.05, width = 0.05 }}
{path}
[members.own]
from = "P"
to = "Q"
elements = 1
order = 1
material = "soft"
section = "strip"
[masses.P]
point = "P"
mass = 2.0
[joints.P]
{kind}
roughness.harmonics = {{ amplitudes = [0.05, 0.02], wavelengths = [0.7, 0.23], phases = [0.4, 1.0] }}
"#
    );
    let none = |name: &str| Err::<String, _>(std::io::Error::other(name.to_string()));
    let model = Model::parse(&text, "rough.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    let checked = model.check().unwrap_or_else(|f| panic!("{f}"));
    System::with_damping(&checked, &[]).unwrap_or_else(|f| panic!("{f}"))
}

fn everywhere() -> impl Iterator<Item = (&'static str, System)> {
    let members = KINDS.into_iter().flat_map(|kind| {
        let shapes = SHAPES.into_iter();
        shapes.map(move |shape| (kind, on_members(kind, shape)))
    });
    // No slider holds its rotation against an edge.
    let edges = KINDS[..2].iter().flat_map(|&kind| {
        let curves = CURVES.into_iter();
        curves.map(move |curve| (kind, on_edge(kind, curve)))
    });
    members.chain(edges)
}

/// A bent and turned iterate under way, with forces in its joint.
fn iterate(system: &System) -> Iterate {
    let mut at = Iterate::new(system);
    for u in 0..at.q.len() {
        at.q.add(u, 0.1 * (1.7 * u as f64).sin());
    }
    at.sliders[0].multipliers = [30.0, -70.0, 0.0];
    if system.sliders[0].unknowns.len() == 3 {
        at.sliders[0].multipliers[2] = 5.0;
    }
    at.sliders[0].velocity = SlidingVelocity {
        at_end: true,
        origin: at.q.get(system.sliders[0].coordinate).plus(-0.4),
        factor: 2.0,
    };
    at
}

/// Unit changes of every unknown: positions, rotations, s and multipliers.
fn units(system: &System) -> Vec<Iterate> {
    let mut none = Iterate::new(system);
    none.q.fill(0.0);
    let free = (system.unknown.iter().copied()).chain([system.sliders[0].coordinate]);
    let places = free.map(|u| {
        let mut by = none.clone();
        by.q.set(u, 1.0);
        by
    });
    let forces = (0..system.sliders[0].unknowns.len()).map(|i| {
        let mut by = none.clone();
        by.sliders[0].multipliers[i] = 1.0;
        by
    });
    places.chain(forces).collect()
}

/// Rows of the free unknowns and of the border.
fn rows(system: &System, nodal: &[f64], border: &[f64]) -> Vec<f64> {
    let free = system.unknown.iter().map(|&u| nodal[u]);
    free.chain(border.iter().copied()).collect()
}

fn change(system: &System, at: &Iterate, by: &Iterate) -> Vec<f64> {
    let mut out = Residual::new(system);
    let numbers = vec![vec![0.0; at.tuning.friction(0).numbers().len()]];
    system.residual_change((at, &Linear::at(system, at)), by, &numbers, &mut out);
    rows(system, &out.nodal, &out.border)
}

#[test]
fn the_derivative_of_the_residual_is_that_of_differences() {
    for (kind, system) in everywhere() {
        let at = iterate(&system);
        let mut work = Workspace::new(&system);
        for (column, by) in units(&system).iter().enumerate() {
            let mut moved = |e: f64| {
                let mut there = at.clone();
                for (u, d) in by.q.iter().enumerate() {
                    there.q.add(u, e * d);
                }
                for i in 0..3 {
                    there.sliders[0].multipliers[i] += e * by.sliders[0].multipliers[i];
                }
                system.residual(&there, &mut work);
                rows(&system, &work.residual, &work.border)
            };
            let mut central = |e: f64| -> Vec<f64> {
                let pairs = moved(e).into_iter().zip(moved(-e));
                pairs.map(|(high, low)| (high - low) / (2.0 * e)).collect()
            };
            let (coarse, fine) = (central(2e-4), central(1e-4));
            for (row, exact) in change(&system, &at, by).into_iter().enumerate() {
                let seen = (4.0 * fine[row] - coarse[row]) / 3.0;
                let error = (seen - exact).abs();
                assert!(
                    error < 1e-6 * (1.0 + exact.abs()),
                    "{kind} {row} {column}: {seen} {exact}"
                );
            }
        }
    }
}

#[test]
fn without_friction_the_contact_has_a_potential() {
    for (kind, system) in everywhere().filter(|(kind, _)| *kind != KINDS[1]) {
        let at = iterate(&system);
        let columns: Vec<Vec<f64>> =
            (units(&system).iter()).map(|by| change(&system, &at, by)).collect();
        let mut coupled = 0;
        for (i, column) in columns.iter().enumerate() {
            for (j, other) in columns.iter().enumerate() {
                let (a, b) = (column[j], other[i]);
                assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{kind} {i} {j}: {a} {b}");
                coupled += usize::from(a != 0.0);
            }
        }
        assert!(coupled > 100, "{coupled}");
    }
}

#[test]
fn the_tangent_of_newtons_method_is_that_derivative() {
    for (kind, system) in everywhere() {
        let at = iterate(&system);
        let mut work = Workspace::new(&system);
        // Inertia only keeps the matrix regular.
        system.residual_and_tangent(&at, &mut work, Some(1e4));
        work.matrix.factor().expect("a regular matrix");
        for by in units(&system) {
            let mut moving = by.clone();
            moving.acceleration = by.q.iter().map(|q| 1e4 * q).collect();
            let mut x = change(&system, &at, &moving);
            let mut y = x.split_off(system.unknown.len());
            work.matrix.solve(&mut x, &mut y).expect("a regular matrix");
            let s = y[system.sliders[0].border];
            let seen: Vec<f64> = (x.into_iter().chain([s])).collect();
            let free = (system.unknown.iter().copied()).chain([system.sliders[0].coordinate]);
            for (seen, u) in seen.into_iter().zip(free) {
                assert!((seen - by.q[u]).abs() < 1e-8, "{kind} {u}: {seen} {}", by.q[u]);
            }
            for (seen, given) in
                y[system.sliders[0].border + 1..].iter().zip(by.sliders[0].multipliers)
            {
                assert!((seen - given).abs() < 1e-6, "{kind}: {seen} {given}");
            }
        }
    }
}

#[test]
fn the_rate_of_the_gap_is_that_of_differences_at_the_same_place() {
    for system in [on_members(KINDS[0], SHAPES[1]), on_edge(KINDS[0], CURVES[1])] {
        rate_of_the_gap_is_that_of_differences(&system);
    }
}

fn rate_of_the_gap_is_that_of_differences(system: &System) {
    let at = iterate(system);
    let slider = &system.sliders[0];
    let rates: Vec<f64> = (0..at.q.len()).map(|i| (0.9 * i as f64).cos()).collect();
    let gap = |e: f64| {
        let mut q = at.q.clone();
        for &u in &system.unknown {
            q.add(u, e * rates[u]);
        }
        system.sliders[0].kinematics(&q, None).gap
    };
    let (high, low) = (gap(1e-5), gap(-1e-5));
    let mut moving = rates.clone();
    for u in (0..system.nodal).filter(|u| !system.unknown.contains(u)) {
        moving[u] = 0.0;
    }
    let rate =
        (system.sliders[0].kinematics(&at.q, None)).gap_of(&slider.path, &moving, &slider.unknowns);
    for i in 0..2 {
        assert!((rate[i] - (high[i] - low[i]) / 2e-5).abs() < 1e-8);
    }
}
