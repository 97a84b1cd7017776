//! A bead that runs against its stop again and again, free, pushed and on a spring, against closed forms.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;
use crate::common::reach::reached;

const SPEED: f64 = 2.0;
const WAY: f64 = 0.1;
const RESTITUTION: f64 = 0.5;

/// A bead of 1 kg at the origin that runs towards the stop at 0.1 m; `force` pushes it (N), or a spring of √100 rad/s that is
/// long enough to be linear draws it back.
fn bead(step: f64, force: f64, spring: bool) -> Simulation {
    let spring = if spring {
        &Mechanism::part()
            .material("spring", 1e8, 0.0, 0.0)
            .rectangle("unit", 1.0, 1.0)
            .beam("spring", ["wall", "bead"], [1, 1], "spring unit")
            .clamp("wall")
            .text()
    } else {
        ""
    };
    let wall = if spring.is_empty() { "" } else { "wall = [-1e6, 0.0]" };
    Mechanism::new("bead")
        .step(step)
        .points(format!("l = [-2.0, 0.0], r = [{WAY:?}, 0.0], bead = [0.0, 0.0], {wall}"))
        .member("path", ["l", "r"], "elements = 1")
        .support("path", "member = 'path', fix = ['x', 'y', 'rotation']")
        .add(spring)
        .mass("bead", 1.0)
        .load("push", format!("point = 'bead', fx = {force:?}"))
        .joint("bead", "cylindrical.slider = 'bead', cylindrical.path = ['path']")
        .and(format!("cylindrical.ends = 'stop', cylindrical.restitution = {RESTITUTION:?}"))
        .start("bead", format!("vx = {SPEED:?}"))
        .outputs("points.bead.x energy.*")
        .simulation()
}

/// The largest distance from the exact bead in a second, which goes from (t, x, v) by `free` until it meets the stop.
fn distance(sim: &mut Simulation, step: f64, free: impl Fn(f64, [f64; 2]) -> [f64; 2]) -> f64 {
    let (mut begin, mut from, mut farthest) = (0.0, [0.0, SPEED], 0.0_f64);
    sim.run(1.0, step, |sim| {
        while free(sim.time() - begin, from)[0] > WAY {
            let (mut low, mut high) = (sim.time() - step - begin, sim.time() - begin);
            low = low.max(0.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if free(middle, from)[0] > WAY {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            let v = free(low, from)[1];
            (begin, from) = (begin + low, [WAY, -RESTITUTION * v]);
            if from[1].abs() < 1e-9 {
                return;
            }
        }
        let exact = free(sim.time() - begin, from)[0];
        farthest = farthest.max((sim.get("points.bead.x") - exact).abs());
    });
    farthest
}

#[test]
fn a_bead_comes_back_from_its_stop_as_the_closed_form_says() {
    let spring = |t: f64, [x, v]: [f64; 2]| {
        let (sin, cos) = (10.0 * t).sin_cos();
        [x * cos + v / 10.0 * sin, v * cos - 10.0 * x * sin]
    };
    // Forth at 2 m/s and back at 1; the sum of the impulses is there at once, whatever the step.
    for (step, reach, most) in [(1e-3, 1.6e-5, 2e-4), (1e-4, 3.3e-9, 2e-6)] {
        let problem = "1 stop";
        let off = distance(&mut bead(step, 0.0, false), step, |t, [x, v]| [x + v * t, v]);
        reached(
            problem,
            &format!("free, {} ms: position over 1 s", 1e3 * step),
            Some(1e-15),
            off,
            "m",
        );
        assert!(off < 1e-11, "{step}: {off:e}");
        let mut sim = bead(step, 0.0, true);
        let off = distance(&mut sim, step, spring);
        reached(
            problem,
            &format!("spring, {} ms: position over 1 s", 1e3 * step),
            Some(reach),
            off,
            "m",
        );
        assert!(off < most, "{step}: {off:e}");
        assert!(sim.get("energy.balance").abs() < 1e-9, "{step}");
        let mut sim = bead(step, 5.0, false);
        sim.run(1.0, step, |_| ());
        // Bounces of e v, e² v, … under 5 m/s² are over after less than 0.9 s.
        assert_eq!(sim.get("joints.bead.velocity"), 0.0);
        let off = (sim.get("points.bead.x") - WAY).abs();
        reached(
            problem,
            &format!("pushed, {} ms: position at rest", 1e3 * step),
            Some(1e-15),
            off,
            "m",
        );
        assert!(off < 1e-15, "{off:e}");
    }
}
