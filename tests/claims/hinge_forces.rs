//! Forces of hinges against closed forms: of what a hinge releases on the rest.

use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};
use crate::common::{Simulation, orders, runge_kutta};

/// `joints.NAME.fx`, `.fy` and `.force`.
fn force(sim: &Simulation, name: &str) -> [f64; 3] {
    ["fx", "fy", "force"].map(|key| sim.get(&format!("joints.{name}.{key}")))
}

fn near(seen: [f64; 2], exact: [f64; 2], within: f64, what: &str) {
    println!("{what}: {seen:?} instead of {exact:?}");
    for (seen, exact) in seen.into_iter().zip(exact) {
        assert!((seen - exact).abs() < within, "{what}: {seen} {exact}");
    }
}

/// Members of steel, 50 mm square, that are hinged to each other at `c` and loaded there.
fn frame(members: &[(&str, [&str; 2])]) -> Mechanism {
    let start = Mechanism::new("frame")
        .step(0.1)
        .solver("analysis = 'quasi_static'")
        .points("a = [0.0, 0.0], b = [4.0, 0.0], c = [2.0, 1.5]")
        .steel()
        .rectangle("bar", 0.05, 0.05);
    let add = |file: Mechanism, (name, ends): &(&str, [&str; 2])| {
        file.member(name, *ends, "elements = 2, material = 'steel', section = 'bar'")
    };
    members.iter().fold(start, add)
}

#[test]
fn bars_of_a_truss_press_on_their_pin_along_themselves() {
    // A load of 600 N down on bars of slope 3/4 is a thrust of 500 N in each. It lowers the pin by 4 µm in 1.5 m.
    let two = [("left", ["a", "c"]), ("right", ["b", "c"])];
    let truss = |joint: &str| {
        let file = frame(&two).joint("c", joint).pin("a").pin("b");
        let file = file.load("weight", "point = 'c', fy = -600.0").outputs("joints.* supports.*");
        Simulation::of(&file.text())
    };
    // Each bar bears on the pin, which the load belongs to; the first in the file counts where `release` names none.
    for (joint, side) in [
        ("hinge = { point = 'c' }", 1.0),
        ("hinge = { point = 'c', release = ['left'] }", 1.0),
        ("hinge = { point = 'c', release = ['right'] }", -1.0),
        ("hinge = { point = 'c', release = ['right', 'left'] }", -1.0),
    ] {
        let mut sim = truss(joint);
        sim.step(0.1);
        let [x, y, size] = force(&sim, "c");
        near([x, y], [side * 400.0, 300.0], 1e-2, joint);
        assert!((size - x.hypot(y)).abs() < 1e-9, "{size}");
        // Supports bear what the bars press with.
        let held = ["fx", "fy", "force"].map(|key| sim.get(&format!("supports.a.{key}")));
        near([held[0], held[1]], [400.0, 300.0], 1e-2, "support");
        assert!((held[2] - 500.0).abs() < 1e-2 && (size - 500.0).abs() < 1e-2);
    }
}

#[test]
fn a_support_that_fixes_one_direction_has_its_size_as_force() {
    let file = frame(&[("beam", ["a", "b"])]).pin("a").roller("b").pin("c");
    let file = file.load("q", "member = 'beam', qy = -100.0");
    let mut sim = Simulation::of(&file.outputs("supports.*").text());
    sim.step(0.1);
    let [along, size] = ["fy", "force"].map(|key| sim.get(&format!("supports.b.{key}")));
    assert!((along - 200.0).abs() < 1e-6 && (size - along).abs() < 1e-12, "{along} {size}");
}

#[test]
fn a_three_hinged_arch_carries_a_load_on_one_side_as_its_moments_say() {
    // 800 N at the quarter of the span, 1 m from `a`, in the middle of the left half:
    // reactions 600 N and 200 N, thrust H = 200 · 2/1.5 N; the crown transmits H and 200 N.
    let arch = frame(&[("left", ["a", "q"]), ("upper", ["q", "c"]), ("right", ["b", "c"])])
        .points("q = [1.0, 0.75]")
        .joint("crown", "hinge = { point = 'c', release = ['right'] }")
        .pin("a")
        .pin("b")
        .load("weight", "point = 'q', fy = -800.0")
        .outputs("joints.* supports.*");
    let mut sim = Simulation::of(&arch.text());
    sim.step(0.1);
    let thrust = 200.0 * 2.0 / 1.5;
    // Halves bend by 3 mm: a share of 1e-3 of the forces.
    near([sim.get("supports.a.fx"), sim.get("supports.a.fy")], [thrust, 600.0], 1.5, "support");
    let [x, y, size] = force(&sim, "crown");
    near([x, y], [-thrust, 200.0], 1.5, "crown");
    assert!((size - thrust.hypot(200.0)).abs() < 1.5, "{size}");
    // What is exact is the balance of the right half.
    near([x, y], ["fx", "fy"].map(|k| sim.get(&format!("supports.b.{k}"))), 1e-6, "right half");
}

#[test]
fn of_several_members_on_a_pin_the_first_that_turns_on_its_own_is_read() {
    let members = [("left", ["a", "c"]), ("right", ["b", "c"]), ("tie", ["m", "c"])];
    let loaded = |release: &str| {
        let file = frame(&members).points("m = [2.0, 0.0]").pin("a").pin("b").pin("m");
        let file = file.joint("c", format!("hinge = {{ point = 'c'{release} }}"));
        let file = file.load("weight", "point = 'c', fx = -250.0, fy = -600.0");
        let mut sim = Simulation::of(&file.outputs("joints.* members.*").text());
        sim.step(0.1);
        sim
    };
    for (release, parts) in [
        ("", vec!["left"]),
        (", release = ['tie', 'left']", vec!["tie"]),
        (", release = [['right', 'tie']]", vec!["right", "tie"]),
    ] {
        let sim = loaded(release);
        let ends = |key: &str| {
            let of = |part: &&str| sim.get(&format!("members.{part}.to.{key}"));
            -parts.iter().map(of).sum::<f64>()
        };
        let [x, y, _] = force(&sim, "c");
        near([x, y], [ends("fx"), ends("fy")], 1e-9, release);
        assert!(x.hypot(y) > 100.0);
        let all = ["left", "right", "tie"].map(|part| sim.get(&format!("members.{part}.to.fx")));
        assert!((all.iter().sum::<f64>() + 250.0).abs() < 1e-5, "{all:?}");
    }
}

const G: f64 = 9.81;

/// A bar of 2 kg and 1.2 m that hangs by a hinge on a post and starts from rest along +x; the bar is `elastic` or rigid.
fn pendulum(elastic: bool, joint: &str) -> Mechanism {
    let file = Mechanism::new("pendulum")
        .points("root = [0.0, -1.0], top = [0.0, 0.0], tip = [1.2, 0.0]")
        .material("stiff", 2e11, 0.3, 2.0 / (1.2 * 2.5e-3))
        .rectangle("bar", 0.05, 0.05)
        .member("post", ["root", "top"], "rigid = true")
        .entry("supports.post", "member = 'post', fix = ['x', 'y', 'rotation']")
        .joint("pin", joint)
        .gravity(-G)
        .probe("bar", "rotation = { point = 'top', member = 'bar' }")
        .outputs("joints.* probes.* supports.*");
    let keys = match elastic {
        true => "elements = 4, order = 3, material = 'stiff', section = 'bar'",
        false => "rigid = true, mass = 2.0, inertia = 0.24",
    };
    let file = file.member("bar", ["top", "tip"], keys);
    match elastic {
        // Its weight acts from the start: what vibrates then, at 400 Hz and above, has died away after 0.1 s.
        true => file.entry("damping.bar", "members = ['bar'], stiffness_coefficient = 1e-4"),
        false => file,
    }
}

/// Largest error of `joints.pin.*` of the pendulum from 0.1 s to 2 s in steps of `step`: of the bar on the post, from
/// m (g cos + l ω²) along the bar and m (g sin + l α) across it.
fn error_of_pendulum(file: Mechanism, step: f64) -> f64 {
    let (mass, half, about_top) = (2.0, 0.6, 0.24 + 2.0 * 0.36);
    let rise = move |p: f64| -mass * G * half * p.cos() / about_top;
    let mut sim = Simulation::of(&file.step(step).text());
    let (mut exact, mut before, mut worst) = ([0.0, 0.0], 0.0, 0.0_f64);
    sim.run(2.0, 0.02, |sim| {
        let t = sim.time();
        exact = runge_kutta(exact, before, t, 200, move |_, &[p, v]| [v, rise(p)]);
        before = t;
        let [p, v] = exact;
        let along = mass * half * v * v - mass * G * p.sin();
        let across = -mass * half * rise(p) - mass * G * p.cos();
        let x = along * p.cos() - across * p.sin();
        let y = along * p.sin() + across * p.cos();
        let found = force(sim, "pin");
        if t < 0.1 {
            return;
        }
        for (found, exact) in found.into_iter().zip([x, y, x.hypot(y)]) {
            worst = worst.max((found - exact).abs());
        }
    });
    worst
}

const PLAIN: &str = "hinge = { point = 'top', release = ['bar'] }";

#[test]
fn a_pendulum_pulls_at_its_hinge_with_its_weight_and_its_acceleration() {
    let steps = [4e-3, 2e-3, 1e-3];
    let errors = steps.map(|step| error_of_pendulum(pendulum(false, PLAIN), step));
    println!("{errors:?} N, order {:.2?}", orders(&errors));
    // The largest force is 2.5 times the weight, 49 N.
    assert!(errors[2] < 1e-2 && orders(&errors).into_iter().all(|order| order > 1.8), "{errors:?}");
}

#[test]
fn the_hinge_of_an_elastic_bar_and_one_without_friction_to_speak_of_have_the_same_force() {
    // A bar of the square of 50 mm has a rotary inertia of its own, 2e-4 of its inertia, which is left out here; it bends by 1e-6 m.
    let elastic = error_of_pendulum(pendulum(true, PLAIN), 1e-3);
    let joint = "hinge = { point = 'top', release = ['bar'], radius = 1e-6 }";
    let turning = pendulum(false, joint).joint("pin", "friction.coulomb = { coefficient = 1e-9 }");
    let turning = error_of_pendulum(turning, 1e-3);
    println!("elastic {elastic:e} N, with a radius {turning:e} N");
    assert!(elastic < 5e-2 && turning < 1e-2, "{elastic} {turning}");
}

#[test]
fn the_hinge_of_a_rigid_body_bears_its_weight_on_its_support() {
    let file = Mechanism::new("disc")
        .step(1e-3)
        .points("axle = [0.0, 0.0], a = [-0.1, -0.1], b = [0.1, -0.1], c = [0.1, 0.1]")
        .and("d = [-0.1, 0.1]")
        .body("disc", "rigid = true, mass = 2.0, inertia = 0.05, points = ['axle']")
        .patch("disc", [1, 1], "s: a, e: b, n: c, w: d")
        .pin("axle")
        .joint("bearing", "hinge = { point = 'axle', release = ['disc'], radius = 0.02 }")
        .and("friction.coulomb = { coefficient = 0.3 }")
        .gravity(-G)
        .outputs("joints.* supports.*");
    let mut sim = Simulation::of(&file.text());
    sim.run(0.1, 0.01, |_| {});
    let [x, y, size] = force(&sim, "bearing");
    near([x, y], [0.0, -2.0 * G], 1e-6, "on the axle");
    assert!((size - sim.get("joints.bearing.normal_force")).abs() < 1e-9);
    near([x, y], ["fx", "fy"].map(|k| -sim.get(&format!("supports.axle.{k}"))), 1e-9, "support");
}

#[test]
fn derivatives_of_forces_of_hinges_are_those_of_differences() {
    let file = pendulum(true, PLAIN).step(1e-3).load("pull", "point = 'tip', fx = 3.0, fy = 1.0");
    let text = sharp(&file.inputs("loads.pull.fx loads.pull.fy gravity.y").text(), 1e-13);
    let knowns = [("loads.pull.fx", 1.0), ("loads.pull.fy", 1.0), ("gravity.y", 0.1)];
    check_run(&text, 0.1, &knowns, 1e-5, 11);
}
