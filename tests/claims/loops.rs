//! Mechanisms of many closed loops: a row of uprights on the ground, each joined to the next by a bar, all parallel, which has one degree of freedom
//! whatever its length.

use std::f64::consts::PI;
use std::time::Instant;

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, refusal, runge_kutta};

const GRAVITY: f64 = 9.81;
const START: f64 = -PI / 6.0;

/// So many loops of bars of 1 kg and 1 m, released at 60° from hanging.
fn row(loops: usize) -> Mechanism {
    let bar = format!("rigid = true, mass = 1.0, inertia = {:?}", 1.0 / 12.0);
    let (y, x) = START.sin_cos();
    let mut model = Mechanism::new("row").step(2.5e-3).gravity(-GRAVITY);
    for k in 0..=loops {
        let at = k as f64;
        model = model
            .points(format!("g{k} = [{at:?}, 0.0], t{k} = [{:?}, {y:?}]", at + x))
            .member(format!("upright{k}"), [format!("g{k}"), format!("t{k}")], &bar)
            .joint(format!("t{k}"), format!("hinge = {{ point = 't{k}' }}"))
            .pin(format!("g{k}"));
    }
    for k in 0..loops {
        model = model.member(format!("bar{k}"), [format!("t{k}"), format!("t{}", k + 1)], &bar);
    }
    model
}

/// Against the pendulum that the row is; a bar that does not turn bears with half of its load on each end. 24 loops are solved in the border,
/// 120 behind their nodes.
#[test]
fn rows_of_four_bars_swing_as_one_pendulum_whatever_their_length() {
    for loops in [12, 24, 120] {
        let outputs = format!("points.t0.* points.t{loops}.* supports.g{}.*", loops / 2);
        let mut sim = Simulation::of(&row(loops).outputs(&outputs).text());
        let n = loops as f64;
        let inertia = (n + 1.0) / 3.0 + n;
        let weight = GRAVITY * ((n + 1.0) / 2.0 + n);
        let second = |angle: f64| -weight * angle.cos() / inertia;
        let (mut moved, mut borne) = (0.0_f64, 0.0_f64);
        sim.run(0.5, 0.05, |sim| {
            let [angle, rate] =
                runge_kutta([START, 0.0], 0.0, sim.time(), 400, |_, y| [y[1], second(y[0])]);
            let (sin, cos) = angle.sin_cos();
            let off = |path: &str, exact: f64| (sim.get(path) - exact).abs();
            moved = moved.max(off("points.t0.x", cos)).max(off("points.t0.y", sin));
            moved = moved.max(off(&format!("points.t{loops}.x"), n + cos));
            // The vertical acceleration of the bars; what an upright in the midst bears of them, and itself.
            let up = cos * second(angle) - sin * rate * rate;
            let bears = GRAVITY + up + GRAVITY + 0.5 * up;
            borne = borne.max(off(&format!("supports.g{}.fy", loops / 2), bears));
        });
        println!("{loops} loops: {moved:.1e} m, {borne:.1e} N");
        assert!(moved < 2e-5 && borne < 2e-3, "{loops}: {moved:e} m, {borne:e} N");
    }
}

/// A second bar between two uprights holds what the first does.
#[test]
fn a_redundant_bar_among_many_loops_is_reported() {
    for loops in [12, 60] {
        let model =
            row(loops).member("extra", ["t8", "t9"], "rigid = true, mass = 1.0, inertia = 0.1");
        let message = refusal(&model.text());
        assert!(message.contains("redundant constraint"), "{message}");
    }
}

/// Of eight times the loops a step takes about eight times the work; a dense system of all of them would take hundreds of times as much.
#[test]
fn the_work_of_a_step_grows_as_the_number_of_loops() {
    let spent = [40, 320].map(|loops| {
        let mut sim = Simulation::of(&row(loops).text());
        sim.step(2.5e-3);
        // The least of several: others work on the machine, too.
        let times = (0..5).map(|_| {
            let begun = Instant::now();
            sim.step(0.025);
            begun.elapsed().as_secs_f64()
        });
        times.fold(f64::INFINITY, f64::min)
    });
    let ratio = spent[1] / spent[0];
    println!("40 and 320 loops: {:.2} and {:.2} ms for ten steps", 1e3 * spent[0], 1e3 * spent[1]);
    assert!(ratio < 20.0, "{ratio}");
}
