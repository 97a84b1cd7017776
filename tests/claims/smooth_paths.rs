//! What a mass feels that passes from element to element of its path.

use crate::common::edit::Edit;
use std::f64::consts::{FRAC_PI_2, PI};

use crate::common::{self, Simulation};

fn moving_mass(changes: &[(&str, &str)]) -> Simulation {
    let text = changes.iter().fold(common::bundled("moving_mass_on_bridge"), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.edit(from, to)
    });
    Simulation::of(&text)
}

const KINKED: (&str, &str) = ("ends = \"continue\" }", "ends = \"continue\", smooth = false }");

/// Smallest and largest wheel force of the mass on the bridge with solver steps of `h`, N.
fn wheel_force(h: &str, more: &[(&str, &str)]) -> [f64; 2] {
    let step = format!("\nstep = {h}\n");
    let mut changes = vec![("\nstep = 1e-3\n", step.as_str())];
    changes.extend(more);
    let mut sim = moving_mass(&changes);
    let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
    sim.run(1.8, h.parse().expect("a number"), |sim| {
        let force = sim.get("joints.wheel.normal_force");
        (low, high) = (low.min(force), high.max(force));
    });
    println!("Δt = {h} s: {low:.1} to {high:.1} N, range {:.1} N", high - low);
    [low, high]
}

fn range([low, high]: [f64; 2]) -> f64 {
    high - low
}

/// Slow: steps down to 10 µs over a whole crossing.
#[test]
fn the_wheel_force_converges_as_the_step_shrinks() {
    let [coarse, fine, finest] = ["1e-3", "1e-4", "1e-5"].map(|h| range(wheel_force(h, &[])));
    assert!((coarse / fine - 1.0).abs() < 0.02);
    assert!((finest / fine - 1.0).abs() < 0.02);
}

#[test]
fn the_wheel_force_depends_on_the_mesh_as_little() {
    let base = range(wheel_force("1e-4", &[]));
    let fine = range(wheel_force("1e-4", &[("elements = 5", "elements = 10")]));
    assert!((base / fine - 1.0).abs() < 0.02);
}

/// Slow: a crossing on each of several meshes.
#[test]
fn a_bare_mass_on_a_road_needs_twenty_elements_in_a_span() {
    // It shakes the bridge with up to 28 Hz.
    let road = "ends = \"continue\" }\n\
                roughness.iso8608 = { class = \"A\", from = 0.1, to = 1.0, lines = 20, seed = 1 }";
    let forces = |elements: &str| -> Vec<f64> {
        let mut sim = moving_mass(&[
            ("elements = 5", elements),
            ("ends = \"continue\" }", road),
            ("\nstep = 1e-3\n", "\nstep = 1e-4\n"),
        ]);
        let mut forces = Vec::new();
        sim.run(1.8, 1e-3, |sim| forces.push(sim.get("joints.wheel.normal_force")));
        forces
    };
    let fine = forces("elements = 50");
    let largest = fine.iter().fold(0.0_f64, |most, f| most.max(*f));
    let [coarse, good] = ["elements = 5", "elements = 20"].map(|elements| {
        let pairs = forces(elements).into_iter().zip(&fine);
        let off: Vec<f64> = pairs.map(|(a, b)| (a - b).abs()).collect();
        let most = off.iter().fold(0.0_f64, |most, d| most.max(*d));
        let square = off.iter().map(|d| d * d).sum::<f64>() / off.len() as f64;
        println!(
            "{elements}: off by {:.0} N rms, at most {most:.0} of {largest:.0} N",
            square.sqrt()
        );
        most
    });
    assert!(good < 0.01 * largest && coarse > 10.0 * good);
}

#[test]
fn at_kinks_between_elements_the_wheel_force_rings_no_more_as_the_step_shrinks() {
    // Each kink is a small impact; the force after it is that of the positions and velocities.
    let [coarse, fine] = ["1e-3", "1e-4"].map(|h| range(wheel_force(h, &[KINKED])));
    assert!(fine < 1.5 * coarse, "{coarse} {fine}");
}

/// A mode of two equal spans: shape, its first and second derivative at x, for ∫ φ² dx over both
/// spans of length 1.
type Shape = fn(f64, f64) -> [f64; 3];

/// sin n π x.
fn sine(n_pi: f64, x: f64) -> [f64; 3] {
    let (sin, cos) = (n_pi * x).sin_cos();
    [sin, n_pi * cos, -n_pi * n_pi * sin]
}

/// Pinned outside, clamped by symmetry over the middle support; mirrored in the second span.
fn mirrored(b: f64, x: f64) -> [f64; 3] {
    let (z, side) = if x <= 1.0 { (x, 1.0) } else { (2.0 - x, -1.0) };
    let ratio = b.sin() / b.sinh();
    let root = (2.0 / (1.0 - ratio * ratio)).sqrt() * 0.5_f64.sqrt();
    [
        root * ((b * z).sin() - ratio * (b * z).sinh()),
        root * side * b * ((b * z).cos() - ratio * (b * z).cosh()),
        -root * b * b * ((b * z).sin() + ratio * (b * z).sinh()),
    ]
}

/// β of the mirrored modes: tan β = tanh β.
fn clamped(n: usize) -> f64 {
    let mut beta = (n as f64 + 0.25) * PI;
    for _ in 0..50 {
        // β = nπ + atan(tanh β), a contraction.
        beta = n as f64 * PI + beta.tanh().atan();
    }
    beta
}

const PAIRS: usize = 10;
const MODES: usize = 2 * PAIRS;

/// Euler-Bernoulli beam over two spans under a mass m that moves at v, by its modes.
struct TwoSpans {
    modes: Vec<(Shape, f64)>,
    span: f64,
    speed: f64,
    mass: f64,
    /// √(EI/(ρA))/L², 1/s, and ρAL of a span, kg.
    rate: f64,
    span_mass: f64,
}

impl TwoSpans {
    /// The bridge; `mass` moves, its weight acts.
    fn bridge() -> TwoSpans {
        let (span, area, inertia): (f64, f64, f64) = (25.0, 3.5 * 0.5, 3.5 * 0.125 / 12.0);
        let modes = (1..=PAIRS)
            .flat_map(|n| [(sine as Shape, n as f64 * PI), (mirrored as Shape, clamped(n))])
            .collect();
        TwoSpans {
            modes,
            span,
            speed: 100.0 / 3.6,
            mass: 1500.0,
            rate: (20e9 * inertia / (2500.0 * area)).sqrt() / (span * span),
            span_mass: 2500.0 * area * span,
        }
    }

    /// Rates of the modal coordinates and velocities: M_i (q̈ + ω² q) = −N φ_i with the contact force
    /// N = m (g + ÿ), which is solved for, as ÿ = Σ φ q̈ + 2 v φ′ q̇ + v² φ″ q.
    fn rates(&self, t: f64, y: &[f64; 2 * MODES]) -> [f64; 2 * MODES] {
        let x = self.speed * t / self.span;
        let v = self.speed / self.span;
        let (mut free, mut flexibility) = (9.81, 1.0);
        let mut out = [0.0; 2 * MODES];
        let mut shapes = [0.0; MODES];
        for (i, (shape, beta)) in self.modes.iter().enumerate() {
            let [phi, slope, bend] = shape(*beta, x);
            let (q, velocity) = (y[i], y[MODES + i]);
            let omega = beta * beta * self.rate;
            out[i] = velocity;
            out[MODES + i] = -omega * omega * q;
            free += -phi * omega * omega * q + 2.0 * v * slope * velocity + v * v * bend * q;
            flexibility += self.mass * phi * phi / self.span_mass;
            shapes[i] = phi;
        }
        let force = self.mass * free / flexibility;
        for (i, phi) in shapes.into_iter().enumerate() {
            out[MODES + i] -= force * phi / self.span_mass;
        }
        out
    }

    fn deflection(&self, y: &[f64; 2 * MODES], x: f64) -> f64 {
        let terms = self.modes.iter().zip(y);
        terms.map(|((shape, beta), q)| q * shape(*beta, x)[0]).sum()
    }
}

#[test]
fn the_mass_on_the_bridge_deflects_it_as_the_modal_series_does() {
    let exact = TwoSpans::bridge();
    // φ normalised to ∫ φ² dx = 1 over both spans: checked before it is used.
    for (shape, beta) in &exact.modes {
        let places = (0..4000).map(|k| (f64::from(k) + 0.5) / 2000.0);
        let norm: f64 = places.map(|x| shape(*beta, x)[0].powi(2) / 2000.0).sum();
        assert!((norm - 1.0).abs() < 1e-3, "{norm}");
    }
    let mut sim = moving_mass(&[]);
    let mut y = [0.0; 2 * MODES];
    let (mut worst, mut peaks) = ([0.0_f64; 2], [0.0_f64; 2]);
    let mut last = 0.0;
    sim.run(1.8, 1e-3, |sim| {
        y = common::runge_kutta(y, last, sim.time(), 5, |t, y| exact.rates(t, y));
        last = sim.time();
        for (i, probe) in ["first_span", "second_span"].into_iter().enumerate() {
            let theirs = exact.deflection(&y, 0.5 + i as f64);
            peaks[i] = peaks[i].min(theirs);
            let ours = sim.get(&format!("probes.{probe}"));
            worst[i] = worst[i].max((ours - theirs).abs());
        }
    });
    println!("peaks {peaks:?} m, differences up to {worst:?} m");
    // What the problem's own series gives.
    assert!((peaks[0] + 7.187e-3).abs() < 5e-6 && (peaks[1] + 8.407e-3).abs() < 5e-6);
    for i in 0..2 {
        assert!(worst[i] < 5e-3 * peaks[i].abs());
    }
}

/// Krylov's solution: middle of a simply supported beam under a force that moves.
fn under_moving_force(t: f64) -> f64 {
    let (span, speed, force) = (25.0, 100.0 / 3.6, 14_715.0);
    let (stiffness, mass): (f64, f64) = (20e9 * 3.5 * 0.125 / 12.0, 2500.0 * 1.75);
    (1..60)
        .map(f64::from)
        .map(|n| {
            let omega = (n * PI / span).powi(2) * (stiffness / mass).sqrt();
            let drive = n * PI * speed / span;
            let swing = (drive * t).sin() - drive / omega * (omega * t).sin();
            let middle = (n * FRAC_PI_2).sin();
            -2.0 * force / (mass * span) * swing * middle / (omega * omega - drive * drive)
        })
        .sum()
}

#[test]
fn a_moving_force_deflects_a_beam_as_the_closed_form_says() {
    let mut sim = Simulation::bundled("beam_moving_load", &[]);
    let (mut worst, mut peak) = (0.0_f64, 0.0_f64);
    sim.run(0.9, 1e-3, |sim| {
        let exact = under_moving_force(sim.time());
        peak = peak.min(exact);
        worst = worst.max((sim.get("probes.middle") - exact).abs());
        // The work of drive and load is what the beam has.
        assert!(sim.get("energy.balance").abs() < 1e-3);
    });
    println!("peak {peak:.6} m, differences up to {worst:.2e} m");
    assert!(worst < 5e-3 * peak.abs());
}

/// Height under the load and thrust of the drive where a force stands still on a beam, at rest.
fn at_rest(smooth: bool, offsets: &[f64]) -> Vec<[f64; 2]> {
    let text = common::bundled("beam_moving_load")
        .edit("[solver]", "[solver]\nanalysis = \"quasi_static\"\nposition_tolerance = 1e-13")
        .edit("spectral_radius = 0.9\n", "")
        .edit("velocity = \"speed\"", "velocity = 1.0")
        .edit("axle = [0.0, 0.0]", "axle = [9.0, 0.0]")
        .edit("ends = \"continue\"", &format!("smooth = {smooth}"))
        .edit("\nstep = 1e-3", "\nstep = 1.0");
    let mut sim = Simulation::of(&text);
    let mut last = 0.0;
    offsets
        .iter()
        .map(|offset| {
            // The node is at 10 m.
            let until = 1.0 + offset;
            sim.step(until - last);
            last = until;
            [sim.get("points.axle.y"), sim.get("motions.drive.reaction")]
        })
        .collect()
}

#[test]
fn a_load_at_rest_passes_a_node_without_a_jump_in_deflection_or_force() {
    let offsets: Vec<f64> = (-20..=20).map(|k| 1e-3 * f64::from(k)).collect();
    // The largest change over 1 mm, and the one in the middle of the way: over the node.
    let changes = |smooth: bool| {
        let seen = at_rest(smooth, &offsets);
        [0, 1].map(|i| {
            let steps: Vec<f64> = seen.windows(2).map(|w| (w[1][i] - w[0][i]).abs()).collect();
            let away = steps[0].max(steps[39]);
            [steps.iter().copied().fold(0.0, f64::max), away]
        })
    };
    let [[height, calm], [thrust, steady]] = changes(true);
    println!("smooth: {height:e} of {calm:e} m, {thrust:e} of {steady:e} N");
    assert!(height < 1.05 * calm && thrust < 1.2 * steady);
    let [[height, calm], [thrust, steady]] = changes(false);
    println!("kinked: {height:e} of {calm:e} m, {thrust:e} of {steady:e} N");
    assert!(height < 1.2 * calm && thrust > 10.0 * steady);
}

#[test]
fn the_energy_balance_of_a_mass_that_slides_along_a_smooth_path_closes_in_any_step() {
    // μ = 0.8 takes half of the speed on the bridge.
    let rubbing = "ends = \"continue\" }\nfriction.stribeck = { static_coefficient = 0.9, \
                   kinetic_coefficient = 0.8, decay_velocity = 1.0 }";
    let balances = ["2e-3", "1e-3", "5e-4"].map(|h| {
        let step = format!("\nstep = {h}\n");
        let mut sim = moving_mass(&[
            ("\nstep = 1e-3\n", &step),
            ("ends = \"continue\" }", rubbing),
            ("[interface]", "[gravity]\ny = 0.0\n\n[interface]"),
        ]);
        let (mut worst, mut taken) = (0.0_f64, 0.0);
        sim.run(1.5, 1e-2, |sim| {
            worst = worst.max(sim.get("energy.balance").abs());
            let now = sim.get("energy.friction_work");
            assert!(now >= taken, "friction gives nothing");
            taken = now;
        });
        println!("Δt = {h} s: balance {worst:.2} J of {taken:.0} J that friction takes");
        assert!(taken > 2e5);
        worst / taken
    });
    assert!(balances.iter().all(|off| *off < 1e-9), "{balances:?}");
}
