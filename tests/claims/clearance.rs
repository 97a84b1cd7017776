//! Rigid sliders with clearance in their guide: impacts and friction at their corners.

mod corners;
mod faces;
mod random;

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};

const TURN: f64 = std::f64::consts::TAU;

/// Time (s), revolutions of the crank, its speed (rad/s), angle of the rod (rad) and energy lost (J) of an independent Moreau stepping with
/// midpoint, h = 2e-6 s.
const REFERENCE: [[f64; 5]; 5] = [
    [0.002, 0.043894, 120.464, -0.134949, 0.0],
    [0.005, 0.091681, 85.64, -0.27288, 0.0373],
    [0.020, 0.25677, 71.68, -0.51991, 0.0470],
    [0.050, 0.76292, 68.47, 0.52547, 0.1368],
    [0.068, 0.99201, 147.04, 0.0218, 0.1709],
];

/// What both give up is so much at 68 ms: what the printed digits of the reference and those of its step leave open.
const PRINTED: f64 = 1e-4;

fn slider_crank(step: f64) -> Simulation {
    let text = common::bundled("slider_crank_with_clearance")
        .edit("step = 1e-5", &format!("step = {step:e}"));
    Simulation::of(&text)
}

/// What impacts and friction have taken, J.
fn lost(sim: &Simulation) -> f64 {
    sim.get("energy.impact_loss") + sim.get("energy.friction_work")
}

fn row(sim: &Simulation) -> [f64; 4] {
    [
        sim.get("points.crank.rotation") / TURN,
        sim.get("points.crank.rotation_rate"),
        sim.get("points.rod.rotation"),
        lost(sim),
    ]
}

#[test]
fn a_slider_crank_with_clearance_moves_as_an_independent_time_stepping_says() {
    for step in [1e-4, 5e-5, 2e-5, 1e-5] {
        let mut sim = slider_crank(step);
        let (mut tilt, mut largest) = (0.0_f64, 0.0_f64);
        for [time, turns, speed, rod, loss] in REFERENCE {
            sim.run(time, 1e-3, |sim| {
                tilt = tilt.max(sim.get("points.slider.rotation").abs());
                largest = largest.max(sim.get("energy.balance").abs());
            });
            let seen = row(&sim);
            println!("{step:e} s, {time} s: {seen:?}");
            // One of the impacts lies at the border of a step of 0.1 ms.
            assert!((seen[0] - turns).abs() < 3e-4, "{step}: {turns}");
            assert!((seen[1] / speed - 1.0).abs() < 1e-3, "{step}: {speed}");
            // At 0.1 ms the phase is 2 µs off, which the rod's 83 rad/s at the end make 3.4e-4 rad.
            assert!((seen[2] - rod).abs() < 1e-3, "{step}: {rod}");
            assert!((seen[3] - loss).abs() <= 0.01 * loss + PRINTED * 0.1, "{step}: {loss}");
        }
        println!("{step:e} s: tilt {tilt:e} rad, balance {largest:e} J");
        assert!(tilt < 1e-11, "{step}: {tilt:e}");
        // Of 7.5 J.
        assert!(largest < 1e-3 * 7.5, "{step}: {largest:e}");
    }
}

#[test]
fn it_converges_with_second_order_through_its_impacts() {
    let at = |step: f64| {
        let mut sim = slider_crank(step);
        sim.run(0.068, 1e-3, |_| ());
        (row(&sim), sim.get("energy.balance").abs())
    };
    let (fine, _) = at(5e-6);
    let steps = [1e-4, 5e-5, 2.5e-5];
    let errors = steps.map(|step| {
        let (seen, balance) = at(step);
        let off = [0, 1, 2, 3].map(|i| (seen[i] - fine[i]).abs());
        println!("{step:e}: {off:?}, balance {balance:e}");
        off
    });
    for (i, limit) in [4e4, 2e7, 2e5, 2e4].into_iter().enumerate() {
        for (step, error) in steps.into_iter().zip(errors) {
            assert!(error[i] < limit * step * step, "{i} at {step:e}: {error:?}");
        }
    }
}

/// The impulses (N·s) of the upper left and right corner that change the crank's and the rod's speeds by `change` (rad/s) where crank and
/// rod stand at `angles`, with the slider moving to the left. By hand: Lagrange's equation of the crank, and the slider keeps its angle.
fn impulses(angles: [f64; 2], change: [f64; 2]) -> [f64; 2] {
    let (l, r, m) = (0.153, 0.306, [0.038, 0.038, 0.076]);
    let (mu, half_length, half_height) = (0.01, 0.05, 0.025);
    let [crank, rod] = angles;
    let inertia = 7.4e-5 + (0.25 * m[0] + m[1] + m[2]) * l * l;
    let coupled = (0.5 * m[1] + m[2]) * l * r * (crank - rod).cos();
    let momentum = inertia * change[0] + coupled * change[1];
    // -P across and μ P along, on a crank pin at l (cos, sin).
    let both = momentum / (-l * crank.cos() - mu * l * crank.sin());
    let apart = mu * half_height / half_length * both;
    [0.5 * (both + apart), 0.5 * (both - apart)]
}

#[test]
fn its_first_two_impacts_have_the_instants_and_impulses_of_the_reference() {
    let mut sim = slider_crank(1e-6);
    for (from, instant, known) in
        [(2.6e-3, 2.692e-3, [0.0558, 0.0552]), (5.5e-3, 5.618e-3, [0.0167, 0.0165])]
    {
        sim.run(from, 1e-6, |_| ());
        let before = lost(&sim);
        let speeds = |sim: &Simulation| {
            ["crank", "rod"].map(|part| sim.get(&format!("points.{part}.rotation_rate")))
        };
        let mut last = [speeds(&sim); 3];
        while lost(&sim) < before + 1e-4 {
            sim.step(1e-6);
            last = [last[1], last[2], speeds(&sim)];
        }
        let angles = ["crank", "rod"].map(|part| sim.get(&format!("points.{part}.rotation")));
        // What the step without the impact would have changed as the one before did.
        let change = [0, 1].map(|i| last[2][i] - 2.0 * last[1][i] + last[0][i]);
        let found = impulses(angles, change);
        println!("{} s: {found:?} N·s", sim.time());
        // The stepping sees a contact where a step ends in it: up to 1e-5 s late.
        assert!((sim.time() - instant).abs() < 1e-5, "{}", sim.time());
        for (found, known) in found.into_iter().zip(known) {
            assert!((found - known).abs() < 1.5e-4, "{found} {known}");
        }
    }
}

/// A block of 0.1 m × 0.05 m and 2 kg `height` (m) above a table that its two lower corners may touch; `more` is said of its corners.
fn block(step: f64, height: f64, more: &str) -> Simulation {
    let corners = ["left", "right"].map(|corner| {
        format!(
            "[joints.{corner}]\ncylindrical = {{ slider = \"{corner}\", path = [\"table\"], contact = \"unilateral\"{more} }}\n"
        )
    });
    Simulation::of(&block_text(step, height, &corners.concat()))
}

/// The same with what its `corners` do.
fn block_text(step: f64, height: f64, corners: &str) -> String {
    Mechanism::new("block")
        .solver(format!("step = {step:e}"))
        .points("a = [-1.0, 0.0], b = [1.0, 0.0]")
        .and(format!("middle = [0.0, '{height:e} + 0.025'], left = [-0.05, {height:e}]"))
        .and(format!("right = [0.05, {height:e}], c = [0.05, '{height:e} + 0.05']"))
        .and(format!("d = [-0.05, '{height:e} + 0.05']"))
        .body("block", "rigid = true, mass = 2.0, inertia = 1e-4, order = 1")
        .and("points = ['middle']")
        .patch("block", [1, 1], "sole: left, front: right, top: c, back: d")
        .guide("table", ["a", "b"], "elements = 1, order = 1")
        .add(corners)
        .gravity(-9.81)
        .outputs("points.middle.* energy.*")
        .text()
}

#[test]
fn a_block_that_lands_on_two_corners_bounces_and_comes_to_rest_on_both() {
    // Two corners of one body: neither keeps its place along the table while both are put onto it.
    let (height, e) = (0.02_f64, 0.4);
    let fall = (2.0 * height / 9.81).sqrt();
    let rest = fall * (1.0 + e) / (1.0 - e);
    for step in [1e-3, 3.1e-4, 1e-4] {
        let mut sim = block(step, height, ", restitution = 0.4");
        let mut still: Option<f64> = None;
        sim.run(150e-3, step, |sim| {
            let closed = ["left", "right"].map(|c| sim.get(&format!("joints.{c}.regime")) != 5.0);
            assert_eq!(closed[0], closed[1], "{step}");
            if closed[0] && still.is_none() {
                still = Some(sim.time());
            }
            if still.is_some() {
                let [v, w] =
                    ["vy", "rotation_rate"].map(|c| sim.get(&format!("points.middle.{c}")));
                assert!(v.abs() < 1e-12 && w.abs() < 1e-12, "{step}: {v:e} {w:e}");
                assert!((sim.get("points.middle.y") - 0.025).abs() < 1e-15);
            }
        });
        let still = still.expect("it comes to rest");
        assert!((still - rest).abs() < 2.0 * step, "{step}: {still} {rest}");
        let loss = sim.get("energy.impact_loss") + sim.get("energy.numerical_dissipation");
        // The last bounces are shorter than a step.
        assert!((loss / (2.0 * 9.81 * height) - 1.0).abs() < 1e-6, "{loss}");
    }
}
