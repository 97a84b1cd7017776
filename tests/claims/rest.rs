//! What rests under friction rests: at the start, after a motion has ended, and in quasi-static analyses.

mod shared_friction;

use std::f64::consts::PI;

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, text};

const STICKS: f64 = 1.0;
const FORWARD: f64 = 2.0;
const BACKWARD: f64 = 3.0;

/// A rigid block of 1 kg on the straight path from g0 to g1, turned by `slope` (rad), by two corners.
fn block(slope: f64, friction: &str) -> String {
    let (sin, cos) = slope.sin_cos();
    let at = |x: f64, y: f64| format!("[{}, {}]", 0.7 + x * cos - y * sin, x * sin + y * cos);
    Mechanism::new("block")
        .step(1e-3)
        .points(format!("c0 = {}, c1 = {}, c2 = {}", at(0.0, 0.0), at(0.2, 0.0), at(0.2, 0.1)))
        .and(format!("c3 = {}, m = {}, g0 = {}", at(0.0, 0.1), at(0.1, 0.05), at(-1.0, 0.0)))
        .and(format!("g1 = {}", at(1.0, 0.0)))
        .body("box", "rigid = true, mass = 1.0, inertia = 0.004, points = ['m']")
        .patch("box", [1, 1], "bottom: c0, right: c1, top: c2, left: c3")
        .guide("floor", ["g0", "g1"], "elements = 1, order = 1")
        .joint("rear", "cylindrical.slider = 'c0', cylindrical.path = ['floor']")
        .and("cylindrical.contact = 'unilateral'")
        .and(format!("friction.{friction}"))
        .joint("front", "cylindrical.slider = 'c1', cylindrical.path = ['floor']")
        .and("cylindrical.contact = 'unilateral'")
        .and(format!("friction.{friction}"))
        .gravity(-9.81)
        .outputs("joints.* points.m.vx")
        .text()
}

#[test]
fn a_rigid_body_at_rest_sticks_at_the_start_and_one_that_slides_slips() {
    let laws = [
        "coulomb = { coefficient = 0.3 }",
        "coulomb = { coefficient = 0.3, static_coefficient = 0.31 }",
        "stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.2, decay_velocity = 0.01 }",
    ];
    for law in laws {
        // tan 0.28 = 0.288 below 0.3, tan 0.32 = 0.331 above 0.31.
        for (slope, speed, regime) in [
            (0.0, 0.0, STICKS),
            (0.28, 0.0, STICKS),
            (-0.28, 0.0, STICKS),
            (0.32, 0.0, BACKWARD),
            (-0.32, 0.0, FORWARD),
            (0.0, 1e-3, FORWARD),
            (0.0, -1e-3, BACKWARD),
        ] {
            let mut text = block(slope, law);
            if speed != 0.0 {
                text += &format!("[initial.bodies.m]\nvx = {speed}\nvy = 0.0\n");
            }
            let mut sim = Simulation::of(&text);
            for wheel in ["rear", "front"] {
                let seen = sim.get(&format!("joints.{wheel}.regime"));
                assert_eq!(seen, regime, "{law}, slope {slope}, {speed} m/s: {wheel}");
            }
            if regime == STICKS {
                sim.run(0.05, 1e-3, |sim| {
                    let speed = sim.get("points.m.vx");
                    assert!(speed.abs() < 1e-15, "{law}, slope {slope}: {speed} m/s");
                });
            }
        }
    }
}

/// A block of 1 kg that a motion moves along a fixed guide with friction.
fn driven(solver: &str, friction: &str, motion: &str) -> String {
    Mechanism::new("driven")
        .solver(format!("step = 1e-3{solver}"))
        .points("b = [0.0, 0.0], g0 = [-1.0, 0.0], g1 = [1.0, 0.0]")
        .guide("guide", ["g0", "g1"], "elements = 1, order = 1")
        .mass("b", 1.0)
        .slider("b", "b", "guide", "")
        .and(format!("friction.{friction}"))
        .motion("b", format!("point = 'b', direction = 'x', {motion}"))
        .gravity(-9.81)
        .outputs("motions.* energy.* joints.* points.b.*")
        .text()
}

const COULOMB: &str = "coulomb = { static_coefficient = 0.45, coefficient = 0.3 }";
const QUASI_STATIC: &str = ", analysis = \"quasi_static\"";

/// μ m g, N.
const FRICTION: f64 = 0.3 * 9.81;

#[test]
fn a_slider_that_its_motion_has_brought_to_rest_stays_at_rest() {
    let motion = "amplitude = 0.3\nhistory.ramp = { start = 0.2, duration = 0.4 }";
    for solver in ["", ", spectral_radius = 0.3", QUASI_STATIC] {
        let mut sim = Simulation::of(&driven(solver, COULOMB, motion));
        sim.run(1.0, 1e-3, |sim| {
            let t = sim.time();
            let moves = t > 0.2015 && t < 0.5985;
            let rests = !(0.1995..=0.6015).contains(&t);
            let [regime, force, reaction] =
                ["joints.b.regime", "joints.b.friction_force", "motions.b.reaction"]
                    .map(|path| sim.get(path));
            let inertia = if solver == QUASI_STATIC { 0.0 } else { sim.get("points.b.ax") };
            if rests {
                assert_eq!(
                    [regime, force, sim.get("joints.b.sticking")],
                    [STICKS, 0.0, 1.0],
                    "{solver} at {t} s"
                );
                assert!(reaction.abs() < 1e-9, "{solver} at {t} s: {reaction} N");
            } else if moves {
                assert_eq!(regime, FORWARD, "{solver} at {t} s");
                assert!((force - FRICTION).abs() < 1e-9, "{solver} at {t} s: {force} N");
                assert!(
                    (reaction - FRICTION - inertia).abs() < 1e-6,
                    "{solver} at {t} s: {reaction} N"
                );
            }
        });
        assert!(sim.lost().abs() < 1e-9, "{solver}: {} J", sim.lost());
    }
}

#[test]
fn a_driven_slider_has_the_friction_of_its_velocity_at_the_end_of_the_step() {
    let law = "stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.2, \
               decay_velocity = 0.01, viscous_coefficient = 2.0 }";
    // Where it turns back its velocity changes by a fifth of the decay velocity within a step of 10 ms.
    for step in [1e-2, 1e-3] {
        let model = driven("", law, "displacement = \"0.02 * sin(pi * t + 0.1)\"")
            .edit("step = 1e-3", &format!("step = {step}"));
        let mut sim = Simulation::of(&model);
        sim.run(2.0, step, |sim| {
            let v = 0.02 * PI * (PI * sim.time() + 0.1).cos();
            let right = 9.81 * (0.2 + 0.1 * (-v.abs() / 0.01).exp()) * v.signum() + 2.0 * v;
            let force = sim.get("joints.b.friction_force");
            assert!(
                (force - right).abs() < 1e-9,
                "at {} s: {force} N, right is {right} N",
                sim.time()
            );
        });
    }
}

#[test]
fn a_driven_slider_rubs_against_its_way_in_a_quasi_static_analysis_from_the_first_step_on() {
    let bristles = "bristle_lcp = { stiffness = 1e6, coefficient = 0.3, damping = 500.0 }";
    for (friction, within) in [(COULOMB, 1e-9), (bristles, 1e-6)] {
        for speed in [0.1_f64, -0.1] {
            let text = driven(QUASI_STATIC, friction, &format!("velocity = {speed}"));
            let mut sim = Simulation::of(&text);
            sim.run(1.0, 1e-3, |sim| {
                let t = sim.time();
                let [force, reaction] =
                    ["joints.b.friction_force", "motions.b.reaction"].map(|path| sim.get(path));
                let right = FRICTION * speed.signum();
                assert!(
                    (force - right).abs() < within,
                    "{friction}, {speed} m/s at {t} s: {force} N"
                );
                assert!(
                    (reaction - right).abs() < within,
                    "{friction}, {speed} m/s at {t} s: {reaction} N"
                );
            });
            // Of the first step, over which a force begins, half is open in the rule for works.
            let work = sim.get("energy.friction_work");
            assert!((work - 0.1 * FRICTION).abs() < 2e-4, "{friction}: {work} J");
            assert!(sim.lost().abs() < 1e-9, "{friction}, {speed} m/s: {} J", sim.lost());
        }
    }
}

#[test]
fn a_crank_drives_a_slider_that_rubs_as_its_closed_form_says_in_a_quasi_static_analysis() {
    let text = text("tests/models/driven_slider_crank")
        .edit("solver.step = 5e-4", "solver = { step = 1e-3, analysis = \"quasi_static\" }")
        .edit("a = [0.1, 0.0]", "a = [0.06, 0.08]")
        .edit("b = [0.4, 0.0]", "b = [0.36, 0.0]")
        .edit(
            "cylindrical = { slider = \"b\", path = [\"guide\"] }",
            "cylindrical = { slider = \"b\", path = [\"guide\"] }\n\
             friction.coulomb = { static_coefficient = 0.45, coefficient = 0.3 }",
        )
        .edit("rate = \"40*pi\"", "angle = \"3*sin(2*t)\"")
        .edit("[initial]\nvelocities = \"rigid_mechanism\"\n", "");
    let (g, mu) = (9.81, 0.3);
    let mut sim = Simulation::of(&text);
    let mut before = sim.get("points.b.x");
    sim.run(3.0, 1e-3, |sim| {
        let [ax, ay, bx, torque, normal] = [
            "points.a.x",
            "points.a.y",
            "points.b.x",
            "motions.o.reaction",
            "joints.b.normal_force",
        ]
        .map(|path| sim.get(path));
        let (way, from) = (bx - before, bx);
        before = from;
        if way.abs() < 5e-6 {
            return;
        }
        // Moments about a of the rod with its slider, then of the crank about o; the guide pushes with N up and −σ μ N along.
        let (x, y, sense) = (bx - ax, -ay, way.signum());
        let n = x * (1.0 + 0.15) * g / (x + y * sense * mu);
        let (pin_x, pin_y) = (sense * mu * n, 1.3 * g - n);
        let right = ax * pin_y - ay * pin_x + 0.5 * ax * 0.2 * g;
        let t = sim.time();
        assert!((normal - n).abs() < 1e-6 * n, "at {t} s: N = {normal} N, right is {n} N");
        assert!((torque - right).abs() < 1e-6, "at {t} s: {torque} N m, right is {right} N m");
    });
}

#[test]
fn a_block_on_two_feet_that_is_pushed_below_its_limit_sticks_with_both_as_it_did_at_first() {
    let foot = |name: &str, friction: &str| {
        format!(
            "[joints.{name}]\ncylindrical = {{ slider = '{name}', path = ['floor'], contact = 'unilateral' }}\nfriction.{friction}\n"
        )
    };
    let text = Mechanism::new("pushed")
        .points("a = [0, 0], b = [1.2, 0], g = [0.3, 0.7], f0 = [-5, 0], f1 = [8, 0]")
        .body(
            "B",
            "rigid = true, mass = 5.0, inertia = 0.4, center = 'g', points = ['a', 'b', 'g']",
        )
        .member("floor", ["f0", "f1"], "rigid = true")
        .support("floor", "member = 'floor', fix = ['x', 'y', 'rotation']")
        .add(foot("a", "coulomb = { coefficient = 0.165, static_coefficient = 0.579 }"))
        .add(foot("b", "coulomb = { coefficient = 0.154, static_coefficient = 0.599 }"))
        .gravity(-9.81)
        .load("p", "point = 'g', fx = -20.0")
        .outputs("joints.* points.a.x")
        .text();
    // Moments about a: the second foot bears so little that half of the push is beyond its limit.
    let press = [49.05 - (0.3 * 49.05 - 0.7 * 20.0) / 1.2, (0.3 * 49.05 - 0.7 * 20.0) / 1.2];
    let mut sim = Simulation::of(&text);
    let forces = |sim: &Simulation| {
        ["a", "b"].map(|foot| {
            ["friction_force", "normal_force", "regime", "transitions"]
                .map(|name| sim.get(&format!("joints.{foot}.{name}")))
        })
    };
    let first = forces(&sim);
    sim.run(0.3, 1e-3, |sim| {
        for ((now, first), press) in forces(sim).iter().zip(&first).zip(press) {
            let [friction, normal, regime, transitions] = *now;
            assert_eq!([regime, transitions], [STICKS, 0.0], "{} s", sim.time());
            assert!((normal - press).abs() < 1e-9 * 49.05, "{normal} N, not {press} N");
            // Nothing creeps: what is shared stays so.
            assert!((friction - first[0]).abs() < 1e-9 * 20.0, "{friction} N at {} s", sim.time());
        }
        let [a, b] = forces(sim).map(|[friction, ..]| friction);
        assert!((a + b + 20.0).abs() < 1e-9 * 20.0, "{a} N and {b} N");
        assert!(sim.get("points.a.x").abs() < 1e-12);
    });
}

#[test]
fn wheels_of_one_rigid_body_may_all_be_locked_at_the_start() {
    let mut sim = Mechanism::new("cart")
        .points("l = [-2, 0], r = [2, 0], w1 = [-0.1, 0], w2 = [0.1, 0], c = [0, 0.5]")
        .member("rail", ["l", "r"], "rigid = true")
        .support("rail", "member = 'rail', fix = ['x', 'y', 'rotation']")
        .body(
            "cart",
            "rigid = true, mass = 1.5, inertia = 0.01, center = 'c', points = ['w1', 'w2']",
        )
        .slider("a", "w1", "rail", "")
        .slider("b", "w2", "rail", "")
        .gravity(-9.81)
        .load("push", "point = 'w1', fx = 3.0")
        .entry("initial", "equilibrium = true, fixed_sliders = 'all'")
        .outputs("points.w1.vx points.w1.x joints.a.normal_force joints.b.normal_force")
        .simulation();
    assert!((sim.get("points.w1.x") + 0.1).abs() < 1e-9 && sim.get("points.w1.vx") == 0.0);
    sim.run(0.1, 1e-3, |_| ());
    // Its wheels are locked for the equilibrium alone.
    assert!((sim.get("points.w1.vx") - 0.2).abs() < 1e-9, "{}", sim.get("points.w1.vx"));
}
