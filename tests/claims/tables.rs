//! Tables of loads and motions: how they run between their values.

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check};
use coulisse::model::history::MotionLaw;

/// A mass of 1 kg under 10 N that a table switches on from 1 s to 3 s.
fn switched(table: &str) -> String {
    Mechanism::new("switched")
        .step(1e-3)
        .points("b = [0.0, 0.0]")
        .mass("b", 1.0)
        .load("f", format!("point = 'b', fx = 10.0, history.table = {{ {table} }}"))
        .outputs("points.b.*")
        .text()
}

/// With the ramps of 10 ms the load lasts 2 s, 20 N s.
const RAMPS: &str =
    "times = [0.0, 1.0, 1.01, 3.0, 3.01, 4.0], values = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]";

#[test]
fn an_on_off_load_gives_the_momentum_of_its_time() {
    let steps = "times = [0.0, 1.0, 3.0], values = [0.0, 1.0, 0.0], interpolation = \"step\"";
    let monotone = format!("{RAMPS}, interpolation = \"monotone\"");
    // The kinks lie on the grid of steps, but for rounding of their times: 1e-6. A jump acts in the step in which it is: 10 N for 1 ms each.
    for (table, allowed) in [(RAMPS, 1e-6), (steps, 0.02), (monotone.as_str(), 1e-6)] {
        let mut sim = Simulation::of(&switched(table));
        sim.run(4.0, 0.01, |_| ());
        let v = sim.get("points.b.vx");
        assert!((v - 20.0).abs() < allowed, "{table}: {v}");
    }
}

#[test]
fn a_motion_is_smooth_unless_it_says_otherwise() {
    let motion = |more: &str| {
        let table = format!("times = [0.0, 0.5, 0.6, 2.0], values = [0.0, -2.0, 0.0, 3.0]{more}");
        let drive = format!(
            "[motions.b]\npoint = \"b\"\ndirection = \"y\"\namplitude = 1.0\nhistory.table = {{ {table} }}\n"
        );
        let model = check(&(switched(RAMPS) + &drive), &[]).expect("a model");
        let MotionLaw::Scaled { history, .. } = model.motions[0].law.clone() else {
            panic!("a history")
        };
        history
    };
    assert_eq!(motion(""), motion(", interpolation = \"smooth\""));
    // Straight: the chord's velocity, and no acceleration.
    let linear = motion(", interpolation = \"linear\"").at(0.55);
    for (value, right) in linear.into_iter().zip([-1.0, 20.0, 0.0]) {
        assert!((value - right).abs() < 1e-12, "{linear:?}");
    }
}
