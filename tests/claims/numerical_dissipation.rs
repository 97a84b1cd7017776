//! What the time integration takes, an entry of the energy balance of its own.

use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::check;

/// Stiffness of the oscillator, N/m; its mass is 1 kg.
const STIFFNESS: f64 = 100.0;
/// Its displacement at the start, m, of a bar of 1 m: small enough to be linear.
const DISPLACEMENT: f64 = 1e-6;

/// A mass at the end of a massless bar, stretched and let go.
fn oscillator(method: &str, spectral_radius: f64, h: f64) -> String {
    Mechanism::new("Oscillator")
        .step(h)
        .solver(format!("method = '{method}', spectral_radius = {spectral_radius}"))
        .and("position_tolerance = 1e-15")
        .points("wall = [0.0, 0.0], mass = [1.0, 0.0]")
        .entry("materials.soft", "young_modulus = 1e6, shear_modulus = 4e5, density = 0.0")
        .section("bar", "properties = { area = 1e-4, second_moment = 1e-8 }")
        .beam("bar", ["wall", "mass"], [1, 1], "soft bar")
        .clamp("wall")
        .support("line", "point = 'mass', fix = ['y', 'rotation']")
        .mass("mass", 1.0)
        .start("mass", format!("vx = {:e}", DISPLACEMENT * STIFFNESS.sqrt()))
        .load("push", "point = 'mass', fx = 0.0")
        .inputs("loads.push.fx")
        .outputs("points.mass.x energy.*")
        .text()
}

/// Weights α_m, α_f, β, γ.
fn weights(method: &str, rho: f64) -> [f64; 4] {
    if method == "newmark" {
        let alpha = (1.0 - rho) / (1.0 + rho);
        return [0.0, 0.0, 0.25 * (1.0 + alpha).powi(2), 0.5 + alpha];
    }
    let (m, f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
    [m, f, 0.25 * (1.0 - m + f).powi(2), 0.5 - m + f]
}

/// u, u̇ and the method's own acceleration a of ü + ω² u = 0 a step later, by the method as it was
/// published, with the forces of both ends of the step.
fn next([u, v, a]: [f64; 3], [m, f, beta, gamma]: [f64; 4], h: f64) -> [f64; 3] {
    let reach = u + h * v + h * h * (0.5 - beta) * a;
    // (1 − α_m) a₁ + α_m a + ω² [(1 − α_f) (reach + h² β a₁) + α_f u] = 0
    let known = m * a + STIFFNESS * ((1.0 - f) * reach + f * u);
    let end = -known / (1.0 - m + STIFFNESS * (1.0 - f) * h * h * beta);
    [reach + h * h * beta * end, v + h * ((1.0 - gamma) * a + gamma * end), end]
}

fn energy([u, v, _]: [f64; 3]) -> f64 {
    0.5 * (v * v + STIFFNESS * u * u)
}

#[test]
fn it_is_all_that_a_linear_oscillator_loses() {
    for (method, rho, h) in [
        ("index3_generalized_alpha", 0.9, 0.02),
        ("index3_generalized_alpha", 0.5, 0.05),
        ("index3_generalized_alpha", 0.0, 0.1),
        ("newmark", 0.8, 0.02),
        ("newmark", 0.3, 0.05),
    ] {
        let mut sim = Simulation::of(&oscillator(method, rho, h));
        // After the first step, whose accelerations come from a shorter one.
        sim.step(h);
        let read = |sim: &Simulation| {
            ["numerical_dissipation", "balance"].map(|e| sim.get(&format!("energy.{e}")))
        };
        let begin = read(&sim);
        let of = |sim: &Simulation| {
            let x = sim.get("points.mass.x");
            let u = (sim.state.q.iter()).position(|q| *q == x).expect("the mass");
            [x - 1.0, sim.state.velocity[u], sim.state.algorithmic[u]]
        };
        let mut exact = of(&sim);
        let initial = energy(exact);
        let (mut worst, mut taken) = (0.0_f64, 0.0);
        for _ in 0..100 {
            sim.step(h);
            exact = next(exact, weights(method, rho), h);
            let now = read(&sim);
            taken = (now[0] - begin[0]) / initial;
            worst = worst.max((taken - (1.0 - energy(exact) / initial)).abs());
            assert!((now[1] - begin[1]).abs() < 1e-6 * initial);
        }
        println!("{method}, {rho}: {taken:.6} of it, off by {worst:.1e}");
        assert!(taken.abs() > 1e-5 && worst < 2e-6);
    }
}

#[test]
fn it_vanishes_with_the_damping_of_the_method() {
    let initial = 0.5 * STIFFNESS * DISPLACEMENT * DISPLACEMENT;
    let [damped, hardly] = [0.5, 0.999].map(|rho| {
        let mut sim = Simulation::of(&oscillator("newmark", rho, 0.05));
        // The accelerations of the start are those of a shorter step, which the first step pays for.
        sim.step(0.05);
        let first = sim.get("energy.numerical_dissipation");
        sim.run(5.0, 0.05, |_| ());
        (sim.get("energy.numerical_dissipation") - first) / (initial - first)
    });
    println!("{damped:.4} and {hardly:.4}");
    assert!(damped > 0.9 && hardly.abs() < 0.02 * damped);
}

#[test]
fn its_derivative_agrees_with_differences() {
    let text = oscillator("index3_generalized_alpha", 0.3, 0.05).edit(
        "outputs = [\"points.mass.x\", \"energy.*\"]",
        "outputs = [\"energy.numerical_dissipation\"]",
    );
    // A force that jumps would take other steps.
    let text = text.edit("[solver]", "[solver]\nenergy_tolerance = 1e9");
    let mut sim = Simulation::of(&text);
    sim.set("loads.push.fx", 1e-5);
    let mut sure = 0;
    for _ in 0..5 {
        sim.step(0.1);
        sure += check(&sim, &text, 0.2, &[("loads.push.fx", 1e-5)], 1e-6);
    }
    assert_eq!(sure, 5);
}

/// A cantilever of 1 m whose tip, a section without inertia, is turned by a moment of 1 N·m from the first instant.
fn sudden_moment() -> String {
    Mechanism::new("SuddenMoment")
        .step(1e-6)
        .points("wall = [0.0, 0.0], tip = [1.0, 0.0]")
        .steel()
        .rectangle("bar", 0.02, 0.02)
        .member("bar", ["wall", "tip"], "elements = 4, material = 'steel', section = 'bar'")
        .clamp("wall")
        .load("turn", "point = 'tip', moment = 1.0")
        .outputs("energy.* points.tip.rotation")
        .text()
}

#[test]
fn half_the_work_of_a_sudden_moment_on_a_section_without_inertia_is_taken_whatever_the_step() {
    for step in ["1e-6", "1e-7", "1e-8"] {
        let text = sudden_moment().edit("1e-6", step);
        let mut sim = Simulation::of(&text);
        sim.step(step.parse().expect("a step"));
        // What has mass has hardly moved yet.
        let work = sim.get("points.tip.rotation");
        let taken = sim.get("energy.numerical_dissipation");
        assert!((taken - 0.5 * work).abs() < 1e-2 * work, "{taken} of {work}");
        assert!(sim.get("energy.balance").abs() < 1e-5 * work);
    }
}
