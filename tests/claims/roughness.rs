//! Sliders on rough paths: heights, forces on the path's sections, wheels.

mod moving;
mod slope;

use crate::common::edit::Edit;
use std::f64::consts::TAU;

use crate::common::bead::Bead;
use crate::common::{self, Simulation, orders, runge_kutta};
use coulisse::joints::roughness::{Profile, Roughness, Wave};

const G: f64 = 9.81;
const AMPLITUDE: f64 = 0.03;
const WAVENUMBER: f64 = TAU / 0.8;

/// A bead of 1 kg on a fixed straight member with cosine roughness, thrown along x.
fn wavy(step: f64, more: &str) -> String {
    let waves = format!("amplitude = {AMPLITUDE}, wavelength = 0.8, phase = 0.4");
    Bead {
        step,
        length: 4.0,
        elements: 1,
        at: [0.1, 0.0],
        speed: 2.0,
        contact: "",
        surface: &format!("roughness.cosine = {{ {waves} }}\n{more}"),
    }
    .text()
}

/// s and ds/dt of that bead after `time`: m (1 + h′²) s̈ + m h′ h″ ṡ² + m g h′ = −μ F_N √(1 + h′²) for ṡ > 0, with
/// F_N = m (g + h″ ṡ²)/√(1 + h′²).
fn exact(start: f64, time: f64, coefficient: f64) -> [f64; 2] {
    runge_kutta([start, 2.0], 0.0, time, 20_000, |_, y| {
        let (sin, cos) = (WAVENUMBER * y[0] - 0.4).sin_cos();
        let slope = -AMPLITUDE * WAVENUMBER * sin;
        let bend = -AMPLITUDE * WAVENUMBER * WAVENUMBER * cos;
        let square = 1.0 + slope * slope;
        let pressed = (G + bend * y[1] * y[1]).abs();
        let along = -slope * (bend * y[1] * y[1] + G) - coefficient * pressed * y[1].signum();
        [y[1], along / square]
    })
}

#[test]
fn a_bead_on_a_wavy_path_follows_its_equation_of_motion_with_second_order() {
    let errors = [4e-3, 2e-3, 1e-3].map(|h| {
        let mut sim = Simulation::of(&wavy(h, ""));
        let start = sim.get("joints.bead.position");
        let mut worst = 0.0_f64;
        sim.run(1.6, 0.2, |sim| {
            let [s, v] = exact(start, sim.time(), 0.0);
            worst = worst.max((sim.get("joints.bead.position") - s).abs());
            worst = worst.max((sim.get("joints.bead.velocity") - v).abs());
        });
        assert!(sim.get("joints.bead.position") > 1.5, "over two waves");
        worst
    });
    println!("{errors:?}, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| (1.9..2.1).contains(p)));
    assert!(errors[2] < 1e-3);
}

#[test]
fn the_bead_stands_on_the_surface_and_its_energy_is_kept_to_second_order() {
    let errors = [4e-3, 2e-3, 1e-3].map(|h| {
        let mut sim = Simulation::of(&wavy(h, ""));
        let mut worst = 0.0_f64;
        sim.run(1.6, 0.02, |sim| {
            let (x, y) = (sim.get("points.bead.x"), sim.get("points.bead.y"));
            assert!((y - AMPLITUDE * (WAVENUMBER * x - 0.4).cos()).abs() < 1e-11);
            assert!(sim.get("energy.balance").abs() < 1e-12);
            worst = worst.max(sim.get("energy.numerical_dissipation").abs());
        });
        worst
    });
    println!("{errors:?} J, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| *p > 1.9));
}

#[test]
fn the_profile_knows_nothing_of_the_elements_nor_of_their_direction() {
    let one = wavy(1e-3, "");
    let many = one.edit("elements = 1\norder = 1", "elements = 7\norder = 3");
    let reversed = many.edit("from = \"a\"\nto = \"b\"", "from = \"b\"\nto = \"a\"");
    let reversed = reversed.edit("path = [\"m\"]", "path = [\"m\"], start = \"a\"");
    let seen = [one, many, reversed].map(|text| {
        let mut sim = Simulation::of(&text);
        sim.run(1.0, 1e-2, |_| ());
        ["points.bead.x", "points.bead.y", "joints.bead.normal_force"].map(|path| sim.get(path))
    });
    for other in &seen[1..] {
        for (a, b) in seen[0].iter().zip(other) {
            // Newton's tolerance of 4e-13 m over Δt² is a force of 4e-7 N.
            assert!((a - b).abs() < 1e-6, "{seen:?}");
        }
    }
}

#[test]
fn friction_on_a_wavy_path_sees_the_force_normal_to_its_surface() {
    let errors = [2e-3, 1e-3, 5e-4].map(|h| {
        let mut sim = Simulation::of(&wavy(h, "friction.coulomb = { coefficient = 0.1 }"));
        let start = sim.get("joints.bead.position");
        sim.run(0.8, 0.8, |_| ());
        let [s, _] = exact(start, 0.8, 0.1);
        (sim.get("joints.bead.position") - s).abs()
    });
    println!("{errors:?}, orders {:.2?}", orders(&errors));
    assert!(orders(&errors).iter().all(|p| *p > 1.8));
    assert!(errors[2] < 1e-6);
}

#[test]
fn a_wheel_lifts_over_what_it_cannot_enter() {
    let sharp = Roughness {
        profile: Profile::Waves(vec![Wave::of_length(0.01, 0.2, 0.0)]),
        spectrum: None,
        wheel_radius: None,
    };
    let rolled = Roughness { wheel_radius: Some(0.3), ..sharp.clone() };
    let (ground, wheel) = (sharp.over(10.0), rolled.over(10.0));
    // Crests carry it; in a dip it hangs between two points of contact ±x where
    // h′(x) = x/√(R² − x²).
    assert!((wheel.at(5.0)[0] - ground.at(5.0)[0]).abs() < 1e-6);
    let touch = |x: f64| ground.at(4.9 + x)[0] + (0.09 - x * x).sqrt() - 0.3;
    let highest = (0..=10_000).map(|i| touch(1e-5 * f64::from(i)));
    let hangs = highest.fold(f64::NEG_INFINITY, f64::max);
    assert!(hangs > ground.at(4.9)[0] + 5e-3);
    assert!((wheel.at(4.9)[0] - hangs).abs() < 2e-4);
    let smooth = Simulation::of(&wavy(1e-3, ""));
    let mut lifted = Simulation::of(&wavy(1e-3, "wheel_radius = 5.0"));
    assert!(lifted.get("points.bead.y") >= smooth.get("points.bead.y") - 1e-9);
    lifted.run(1.0, 1e-2, |sim| {
        let x = sim.get("points.bead.x");
        let ground = AMPLITUDE * (WAVENUMBER * x - 0.4).cos();
        assert!(sim.get("points.bead.y") > ground - 1e-5);
    });
}

#[test]
fn what_is_wrong_with_a_roughness_is_said() {
    let said = |kind: &str| {
        let text = wavy(1e-3, "");
        let line = text.lines().find(|l| l.starts_with("roughness")).expect("a line");
        common::check(&text.edit(line, kind), &[]).expect_err(kind)
    };
    for (kind, words) in [
        (
            "roughness.cosine = { amplitude = 0.1, wavelength = 0.0 }",
            "wavelength is 0 m; allowed: above 0",
        ),
        (
            "roughness.harmonics = { amplitudes = [0.1], wavelengths = [1.0, 2.0] }",
            "1 amplitudes, 2 wavelengths",
        ),
        (
            "roughness.iso8608 = { class = \"A\", from = 3.0, to = 1.0, lines = 20 }",
            "has `from` = 3 1/m and `to` = 1 1/m; allowed: `from` below `to`",
        ),
        (
            "roughness.iso8608 = { class = \"A\", from = 1.0, to = 3.0, lines = 20, seed = 1.5 }",
            "seed is 1.5; allowed: a whole number",
        ),
        ("roughness.iso8608 = { class = \"K\", from = 1.0, to = 3.0, lines = 20 }", "`K`"),
        (
            "roughness.table = { stations = [0.0, 2.0], heights = [0.0, 0.1] }",
            "to the end of the path, 4 m",
        ),
        ("roughness.table = { stations = [0.0] }", "has `stations` but no `heights`"),
        ("wheel_radius = 0.3", "which needs `roughness`"),
        (
            "wheel_radius = 0.3\nroughness.cosine = { amplitude = 0.001, wavelength = 1e-5 }",
            "allowed: up to 500000",
        ),
    ] {
        let fault = said(kind);
        assert!(fault.contains(words), "{kind}\n{fault}");
        assert_eq!(fault.lines().count(), 1, "{fault}");
    }
}
