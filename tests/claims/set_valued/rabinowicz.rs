//! The Rabinowicz test at steps of 16 to 1 ms against its solution from event to event.

use crate::common::edit::Edit;
use crate::common::reach::reached;
use crate::common::{Simulation, bundled, orders, runge_kutta};

const BELT: f64 = 0.5;
const MASS: f64 = 20.0;
const LOAD: f64 = 196.2;

/// EA/2 ℓ(ℓ² − 1) of the spring of 1000 m, ℓ = 1 + x/1000.
fn spring(x: f64) -> f64 {
    let stretch = 1.0 + x / 1000.0;
    0.5 * 10e3 * stretch * (stretch * stretch - 1.0)
}

/// The last place between `low` and `high` before `passed`, by halving.
fn boundary(mut low: f64, mut high: f64, passed: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if passed(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Instants at which the block leaves the belt and is caught for the first time, and the way that it has slid.
fn exact() -> [f64; 3] {
    let leaves = boundary(0.0, 20.0, |x| spring(x) > 0.6 * LOAD);
    let begin = leaves / BELT;
    let slides = |_, y: &[f64; 2]| {
        let slip = (BELT - y[1]).max(0.0);
        let coefficient = 0.5 + 0.1 * (-slip / 0.05).exp();
        [y[1], (coefficient * LOAD - spring(y[0])) / MASS]
    };
    let (mut t, mut y, h) = (begin, [leaves, BELT], 1e-4);
    loop {
        let next = runge_kutta(y, t, t + h, 1, slides);
        if next[1] > BELT && t > begin + 1.0 {
            let part = boundary(0.0, h, |h| runge_kutta(y, t, t + h, 1, slides)[1] > BELT);
            let caught = t + part;
            let place = runge_kutta(y, t, caught, 1, slides)[0];
            return [begin, caught, place - BELT * caught];
        }
        (t, y) = (t + h, next);
    }
}

#[test]
fn the_first_slip_of_rabinowicz_is_of_second_order_at_steps_of_16_to_1_ms() {
    let [begin, caught, slid] = exact();
    let steps = [16e-3, 8e-3, 4e-3, 2e-3, 1e-3];
    let reach = [3.4e-3, 5.2e-4, 2.4e-4, 4.3e-5, 6.3e-6];
    let errors = std::array::from_fn::<f64, 5, _>(|i| {
        let h = steps[i];
        let text = bundled("rabinowicz").edit("\nstep = 1e-3\n", &format!("\nstep = {h:?}\n"));
        let mut sim = Simulation::of(&text);
        let start = sim.get("joints.block.position");
        let (mut instants, mut overshoot, mut since, mut before) = (Vec::new(), 0.0_f64, 100, 1.0);
        sim.run(32.0, h, |sim| {
            let sticks = sim.get("joints.block.sticking");
            if sticks != before {
                instants.push(sim.get("joints.block.transition_time"));
                since = 0;
            } else {
                since += 1;
            }
            before = sticks;
            if instants.len() == 2 && (1..=3).contains(&since) {
                let force = sim.get("joints.block.friction_force");
                let exact = spring(sim.get("points.block.x"));
                overshoot = overshoot.max((force + exact).abs() / exact);
            }
        });
        let off = [instants[0] - begin, instants[1] - caught].map(|t| t.abs() / h);
        let error = (sim.get("joints.block.position") - start - slid).abs();
        println!("{h} s: events off by {off:.4?} of a step, overshoot {overshoot:e}");
        // What is slid does not tell where the step of the catch begins.
        assert!(off[0] < 0.01 && off[1] < 0.15, "{off:?}");
        assert!(overshoot < 1e-3, "{overshoot:e}");
        reached(
            "2 Rabinowicz",
            &format!("{} ms: slip position", 1e3 * h),
            Some(reach[i]),
            error,
            "m",
        );
        if i == 4 {
            reached(
                "2 Rabinowicz",
                "1 ms: first slip and catch",
                Some(0.05),
                off[0].max(off[1]),
                "steps",
            );
            reached(
                "ringing",
                "Rabinowicz, 1 ms: overshoot in three steps",
                Some(0.05),
                overshoot,
                "",
            );
        }
        error
    });
    println!("{errors:?}, orders {:.2?}", orders(&errors));
    for (error, reach) in errors.iter().zip(reach) {
        assert!(*error < reach, "{error:e}");
    }
    assert!((errors[0] / errors[4]).log2() > 1.8 * 4.0);
}
