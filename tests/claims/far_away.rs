//! Where a mechanism is drawn does not matter: positions carry what rounding cuts off.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// A scene that begins at `[x, y]`: a runner that falls down a slope onto a stop and bounces, a block that slides to rest on
/// another and is dragged on, a ball on hills that leaves them, and a bob on a beam whose end a motion lets go.
fn scene([x, y]: [f64; 2], step: f64) -> Simulation {
    let at = |right: f64, up: f64| format!("[{:?}, {:?}]", x + right, y + up);
    let slope = |name: &str, right: f64| {
        let (from, to) = (at(right, 0.0), at(right + 4.0, 3.0));
        format!(
            r#"
points.{name}_foot = {from}
points.{name}_head = {to}
members.{name}.from = "{name}_foot"
members.{name}.to = "{name}_head"
members.{name}.elements = 2
supports.{name} = {{ member = "{name}", fix = ["x", "y", "rotation"] }}
"#
        )
    };
    Mechanism::new("scene")
        .step(step)
        .gravity(-9.81)
        .add(slope("fall", 0.0))
        .add(slope("rough", 8.0))
        .add(slope("hills", 16.0))
        .points(format!("runner = {}, block = {}", at(0.125, 0.09375), at(9.0, 0.75)))
        .and(format!("ball = {}, root = {}", at(17.0, 0.75), at(24.0, 0.0)))
        .and(format!("bob = {}", at(25.0, 0.0)))
        .mass("runner", 2.0)
        .joint("runner", "cylindrical.slider = 'runner', cylindrical.path = ['fall']")
        .and("cylindrical.ends = 'stop', cylindrical.restitution = 0.5")
        .mass("block", 2.0)
        .start("block", "vx = 0.4, vy = 0.3")
        .load("drag", "point = 'block', fx = 16.0, fy = 12.0")
        .and("history.table = { times = [0.0, 0.2, 0.4], values = [0.0, 0.0, 4.0] }")
        .slider("block", "block", "rough", "ends = 'stop'")
        .and("friction.coulomb = { coefficient = 0.9 }")
        .mass("ball", 2.0)
        .start("ball", "vx = 5.6, vy = 4.2")
        .joint("ball", "cylindrical.slider = 'ball', cylindrical.path = ['hills']")
        .and("cylindrical.ends = 'stop', cylindrical.contact = 'unilateral'")
        .and("roughness.cosine = { amplitude = 0.03125, wavelength = 1.0 }")
        .material("steel", 2e11, 0.3, 7800.0)
        .rectangle("rod", 0.01, 0.01)
        .member("beam", ["root", "bob"], "elements = 2, material = 'steel', section = 'rod'")
        .clamp("root")
        .mass("bob", 1.0)
        .motion("lift", "point = 'bob', direction = 'y', amplitude = 0.05")
        .and("history.ramp = { start = 0.0, duration = 0.3 }, release.time = 0.2512")
        .entry("initial", "velocities = 'rest'")
        .outputs("points.* joints.* motions.* energy.*")
        .simulation()
}

/// Places of the four relative to where the scene begins, their velocities, and the instants of sticking, sliding and flight.
fn seen(sim: &Simulation, [x, y]: [f64; 2]) -> Vec<f64> {
    let mut all = Vec::new();
    for name in ["runner", "block", "ball", "bob"] {
        let point = |of: &str| sim.get(&format!("points.{name}.{of}"));
        all.extend([point("x") - x, point("y") - y, point("vx"), point("vy")]);
    }
    for name in ["runner", "block", "ball"] {
        all.push(sim.get(&format!("joints.{name}.transition_time")));
    }
    all
}

/// The largest differences of a scene far away from the same at the origin, over 0.35 s in steps of `step`: of places (m),
/// velocities (m/s) and instants of friction and flight (s).
fn moved_by(far: f64, step: f64) -> [f64; 3] {
    let (home, there) = ([0.0; 2], [far, -far]);
    let (mut first, mut other) = (scene(home, step), scene(there, step));
    let (mut largest, mut transitions) = ([0.0_f64; 3], 0.0);
    for i in 0..350 {
        for sim in [&mut first, &mut other] {
            sim.try_step(f64::from(i) * 1e-3, 1e-3).expect("a step");
        }
        let both = seen(&first, home).into_iter().zip(seen(&other, there));
        for (k, (a, b)) in both.enumerate() {
            let kind = if k >= 16 { 2 } else { k / 2 % 2 };
            largest[kind] = largest[kind].max((a - b).abs());
        }
    }
    for name in ["block", "ball"] {
        transitions += first.get(&format!("joints.{name}.transitions"));
    }
    assert!(transitions >= 4.0 && first.get("energy.impact_loss") > 1.0);
    println!("{far} m away in steps of {step} s: {largest:?}");
    largest
}

#[test]
fn a_mechanism_ten_kilometres_away_moves_as_at_the_origin() {
    for far in [1000.0, 10_000.0] {
        // Outputs are rounded there.
        let [place, velocity, instant] = moved_by(far, 1e-3);
        assert!(place < 2.0 * f64::EPSILON * far && velocity < 1e-9 && instant < 1e-9);
    }
}

#[test]
fn ten_kilometres_away_steps_may_be_short() {
    // Joint forces have the noise of gaps of 1e-16 m over Δt², as at the origin.
    let [place, velocity, instant] = moved_by(10_000.0, 1e-5);
    assert!(place < 1e-9 && velocity < 1e-7 && instant < 2e-6);
}
