//! Friction that is set-valued at rest: what sticks does not move, and when it begins to is found
//! inside the step.

mod common;

use common::{Simulation, bundled};

/// A block on a horizontal path that shakes along itself.
fn shaken(static_coefficient: f64, motion: &str, speed: f64) -> Simulation {
    Simulation::of(&format!(
        r#"
name = "shaken"
[solver]
step = 1e-3
[points]
left = [-5.0, 0.0]
right = [5.0, 0.0]
block = [0.0, 0.0]
[members.plane]
from = "left"
to = "right"
elements = 1
[supports.plane]
member = "plane"
fix = ["y", "rotation"]
[motions.plane]
member = "plane"
direction = "x"
{motion}
[masses.block]
point = "block"
mass = 2.0
[gravity]
y = -10.0
[joints.block]
cylindrical = {{ slider = "block", path = ["plane"], ends = "stop" }}
friction.stribeck = {{ static_coefficient = {static_coefficient}, kinetic_coefficient = {static_coefficient}, decay_velocity = 0.01, transition = "set_valued" }}
[initial.points.block]
vx = {speed:?}
[interface]
outputs = ["points.block.*"]
"#
    ))
}

#[test]
fn a_block_on_a_path_that_shakes_with_four_fifths_of_the_limit_does_not_move() {
    // a = 4 m/s² at 10 Hz, μ g = 5 m/s².
    let omega = std::f64::consts::TAU * 10.0;
    let motion = format!(
        "amplitude = {:?}\nhistory.sine = {{ frequency = 10.0 }}",
        4.0 / (omega * omega)
    );
    let mut sim = shaken(0.5, &motion, 4.0 / omega);
    let start = sim.get("joints.block.position");
    let mut farthest = 0.0_f64;
    sim.run(100.0, 1e-2, |sim| {
        farthest = farthest.max((sim.get("joints.block.position") - start).abs());
        assert_eq!(sim.get("joints.block.sticking"), 1.0, "t = {}", sim.time());
    });
    println!("moved {farthest:e} m in 100 s");
    assert!(farthest < 1e-12, "{farthest:e}");
}

#[test]
fn rabinowicz_follows_the_event_driven_solution() {
    let text = bundled("rabinowicz").replace(
        "decay_velocity = 0.05",
        "decay_velocity = 0.05, transition = \"set_valued\"",
    );
    let mut sim = Simulation::of(&text);
    let mut switches = Vec::new();
    let mut sticks = 1.0;
    sim.run(40.0, 1e-3, |sim| {
        let now = sim.get("joints.block.sticking");
        if now != sticks {
            switches.push((sim.time(), sim.get("points.block.x")));
        }
        sticks = now;
    });
    for ((t, x), (exact_t, exact_x)) in
        switches.iter().zip([(23.14083, 11.57041), (28.63591, 7.64580)])
    {
        assert!((t - exact_t).abs() < 1e-3, "{t} {exact_t}");
        assert!((x - exact_x).abs() < 6e-4, "{x} {exact_x}");
    }
    assert_eq!(switches.len(), 3, "{switches:?}");
}
