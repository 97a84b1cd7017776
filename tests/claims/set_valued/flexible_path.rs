//! A slider that rubs its way along a beam with four modes of bending below 100 Hz.

use crate::common::mechanism::Mechanism;
use crate::common::reach::reached;
use crate::common::{Simulation, runge_kutta};

const LENGTH: f64 = 2.0;
const MASS: f64 = 2.0;
const WEIGHT: f64 = 19.62;
const COEFFICIENT: f64 = 0.1;
const SPEED: f64 = 1.5;
const BEGIN: f64 = 0.3;
/// s over which the weight is put on, so that the modes move and no shock is in them.
const RAMP: f64 = 0.2;

/// A plank of 7.2 kg between two hinges, one of which rolls, and a slider on it.
fn plank(elements: usize, step: f64) -> Simulation {
    Mechanism::new("plank")
        .step(step)
        .solver("position_tolerance = 1e-12")
        .points(format!("a = [0.0, 0.0], b = [{LENGTH:?}, 0.0], s = [{BEGIN:?}, 0.0]"))
        .material("wood", 1e9, 0.3, 600.0)
        .rectangle("board", 0.03, 0.2)
        .member("plank", ["a", "b"], format!("elements = {elements}, material = 'wood'"))
        .and("section = 'board'")
        .pin("a")
        .roller("b")
        .mass("s", MASS)
        .load("s", format!("point = 's', fy = {:?}", -WEIGHT))
        .and(format!("history.ramp = {{ duration = {RAMP:?} }}"))
        .slider("s", "s", "plank", "")
        .and(format!("friction.coulomb = {{ coefficient = {COEFFICIENT:?} }}"))
        .start("s", format!("vx = {SPEED:?}"))
        .outputs("points.s.* energy.* solver.*")
        .simulation()
}

/// Sine modes of the plank after Euler and Bernoulli.
const MODES: usize = 6;

/// Rates of x, ẋ, the modes and their rates while the slider slides forwards: the slider's and the modes' equations of
/// motion and the second derivative of y = Σ φ_n(x) q_n, solved for the normal force.
fn rates(t: f64, z: &[f64; 2 + 2 * MODES]) -> [f64; 2 + 2 * MODES] {
    let (area, stiffness) = (0.03 * 0.2, 1e9 * 0.2 * 0.03_f64.powi(3) / 12.0);
    let modal = 600.0 * area * LENGTH / 2.0;
    let (x, v) = (z[0], z[1]);
    let wave = |n: usize| std::f64::consts::PI * (n + 1) as f64 / LENGTH;
    let shape = |n: usize| (wave(n) * x).sin();
    let spring = |n: usize| wave(n).powi(4) * stiffness / (600.0 * area) * z[2 + n];
    let sum = |term: &dyn Fn(usize) -> f64| (0..MODES).map(term).sum::<f64>();
    let slope = sum(&|n| wave(n) * (wave(n) * x).cos() * z[2 + n]);
    let turn = sum(&|n| wave(n) * (wave(n) * x).cos() * z[2 + MODES + n]);
    let bend = -sum(&|n| wave(n) * wave(n) * shape(n) * z[2 + n]);
    let r = (t / RAMP).min(1.0);
    let weight = WEIGHT * r.powi(3) * (10.0 - 15.0 * r + 6.0 * r * r);
    let lifts = 1.0 - COEFFICIENT * slope;
    let yields = lifts * (1.0 / MASS + sum(&|n| shape(n).powi(2)) / modal)
        + slope * (slope + COEFFICIENT) / MASS;
    // The normal force over √(1 + w′²).
    let force =
        (weight / MASS - sum(&|n| shape(n) * spring(n)) + 2.0 * v * turn + v * v * bend) / yields;
    let mut rates = [0.0; 2 + 2 * MODES];
    rates[0] = v;
    rates[1] = -force * (slope + COEFFICIENT) / MASS;
    for n in 0..MODES {
        rates[2 + n] = z[2 + MODES + n];
        rates[2 + MODES + n] = -spring(n) - force * lifts * shape(n) / modal;
    }
    rates
}

/// x, y and the normal force of the slider every 2 ms, or every step.
fn trace(elements: usize, step: f64, end: f64, every: f64) -> (Vec<[f64; 3]>, Simulation) {
    let mut sim = plank(elements, step);
    let mut trace = Vec::new();
    let mut taken = 0.0;
    sim.run(end, every, |sim| {
        let names = ["points.s.x", "points.s.y", "joints.s.normal_force"];
        trace.push(names.map(|name| sim.get(name)));
        let work = sim.get("energy.friction_work");
        assert!(work >= taken, "friction gives {:e} J at {} s", taken - work, sim.time());
        taken = work;
    });
    (trace, sim)
}

#[test]
fn the_plank_moves_under_the_slider_as_its_modes_do() {
    let (ours, _) = trace(4, 2.5e-4, 1.2, 2e-3);
    let mut z = [0.0; 2 + 2 * MODES];
    (z[0], z[1]) = (BEGIN, SPEED);
    let (mut far, mut deep, mut off) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (i, [x, y, _]) in ours.iter().enumerate() {
        let t = 2e-3 * i as f64;
        z = runge_kutta(z, t, t + 2e-3, 10, rates);
        let sag: f64 = (0..MODES)
            .map(|n| (std::f64::consts::PI * (n + 1) as f64 / LENGTH * z[0]).sin() * z[2 + n])
            .sum();
        far = far.max((x - z[0]).abs());
        off = off.max((y - sag).abs());
        deep = deep.min(sag);
    }
    println!("x within {far:e} m, y within {off:e} of {deep} m");
    // Shear, and the plank's own shortening, which the modes leave out.
    assert!(deep < -8e-3 && off < 5e-5 && far < 2e-4, "{off:e} {far:e}");
}

#[test]
fn a_slider_on_a_vibrating_plank_converges_with_second_order_and_its_force_does_not_tremble() {
    let fine = 6.25e-5;
    let (exact, _) = trace(2, fine, 2.0, 2e-3);
    let reach = [3.4e-5, 9.9e-6, 2e-6];
    let errors = std::array::from_fn::<f64, 3, _>(|i| {
        let h = [2e-3, 1e-3, 5e-4][i];
        let (ours, sim) = trace(2, h, 2.0, 2e-3);
        assert_eq!(sim.get("solver.rejections"), 0.0);
        let off = ours.iter().zip(&exact).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        let error = off.fold(0.0, f64::max);
        let what = format!("{} ms: position over 2 s", 1e3 * h);
        reached("7 four modes", &what, Some(reach[i]), error, "m");
        error
    });
    println!("{errors:?}");
    // Until it is caught: the rms of second differences of what the force is off that of the fine steps.
    let [ours, exact] = [1e-3, fine].map(|h| trace(2, h, 1.3, 1e-3).0);
    let off: Vec<f64> = ours.iter().zip(&exact).map(|(a, b)| a[2] - b[2]).collect();
    let bends = off.windows(3).map(|f| (f[0] - 2.0 * f[1] + f[2]).powi(2));
    let tremble = (bends.sum::<f64>() / (off.len() - 2) as f64).sqrt();
    reached("7 four modes", "1 ms: ripple of the force of 19.6 N", Some(5e-4), tremble, "N");
    assert!(errors[0] < 3.4e-5 && errors[1] < 9.9e-6 && errors[2] < 2.5e-6, "{errors:?}");
    assert!(tremble < 5e-4, "{tremble:e}");
}
