//! Motions that a host lets jump: velocities in stairs.

use crate::common::block::Block;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::check;
use crate::common::{Simulation, orders, runge_kutta};

/// Velocities of the stairs, m/s, each for this time, s.
const STAIRS: [f64; 6] = [0.4, -0.3, 0.0, 0.7, 0.7, -0.5];
const HOLD: f64 = 0.05;

/// 2 kg behind 800 N/m and 12 N s/m: 20 rad/s and a share of 0.15 of the critical damping.
const MASS: f64 = 2.0;
const STIFFNESS: f64 = 800.0;
const DAMPING: f64 = 12.0;

fn pulled_mass(step: f64, rho: f64) -> String {
    Mechanism::new("Pulled")
        .step(step)
        .solver(format!("spectral_radius = {rho:?}"))
        .points("hand = [0.0, 0.0], mass = [1.0, 0.0]")
        .support("hand", "point = 'hand', fix = ['y']")
        .roller("mass")
        .mass("mass", MASS)
        .spring(
            "k",
            "from = 'hand', to = 'mass', direction = 'x', stiffness = 800.0, damping = 12.0",
        )
        .motion("hand", "point = 'hand', direction = 'x', velocity = 0.0")
        .inputs("motions.hand.velocity")
        .outputs("points.mass.* motions.* energy.*")
        .text()
}

/// Stretch and its rate after a time `t` in which both ends have constant velocity but for the force between: damped vibration.
fn damped([y, v]: [f64; 2], t: f64) -> [f64; 2] {
    let decay = DAMPING / (2.0 * MASS);
    let turn = (STIFFNESS / MASS - decay * decay).sqrt();
    let (sin, cos) = (turn * t).sin_cos();
    let fade = (-decay * t).exp();
    let b = (v + decay * y) / turn;
    let y_then = fade * (y * cos + b * sin);
    [y_then, -decay * y_then + fade * turn * (b * cos - y * sin)]
}

#[test]
fn a_mass_behind_a_spring_and_a_damper_follows_stairs_of_velocity_with_second_order() {
    for rho in [0.0, 0.5, 0.9] {
        let errors = [4e-3, 2e-3, 1e-3].map(|step| {
            let mut sim = Simulation::of(&pulled_mass(step, rho));
            // x_hand − x_mass and its rate.
            let (mut stretch, mut hand, mut moved) = ([0.0_f64; 2], 0.0, 0.0);
            let mut worst = [0.0_f64; 3];
            for velocity in STAIRS {
                sim.set("motions.hand.velocity", velocity);
                stretch[1] += velocity - hand;
                hand = velocity;
                for _ in 0..2 {
                    sim.step(0.5 * HOLD);
                    stretch = damped(stretch, 0.5 * HOLD);
                    moved += 0.5 * HOLD * hand;
                    let [y, v] = stretch;
                    let force = STIFFNESS * y + DAMPING * v;
                    let found = ["points.mass.x", "points.mass.vx", "motions.hand.reaction"];
                    let exact = [1.0 + moved - y, hand - v, force];
                    for ((worst, found), exact) in worst.iter_mut().zip(found).zip(exact) {
                        *worst = worst.max((sim.get(found) - exact).abs());
                    }
                }
            }
            assert!(sim.get("energy.balance").abs() < 1e-9, "{}", sim.get("energy.balance"));
            worst
        });
        println!("rho {rho}: {errors:.2?}");
        for i in 0..3 {
            let orders = orders(&errors.map(|worst| worst[i]));
            assert!(orders.iter().all(|order| *order > 1.85), "{i}: {orders:?}");
        }
    }
}

/// A bar of 2 kg and 1.2 m, level, whose end a host moves up and down.
fn swung_bar(step: f64) -> String {
    Mechanism::new("Swung")
        .step(step)
        .points("top = [0.0, 0.0], tip = [1.2, 0.0]")
        .member("bar", ["top", "tip"], "rigid = true, mass = 2.0, inertia = 0.24")
        .support("top", "point = 'top', fix = ['x']")
        .motion("lift", "point = 'top', direction = 'y', velocity = 0.0")
        .gravity(-9.81)
        .probe("bar", "rotation = { point = 'top' }")
        .inputs("motions.lift.velocity")
        .outputs("points.* probes.* motions.* supports.* energy.*")
        .text()
}

/// Rotation of the bar and its rate behind a jump of the velocity of its end: the impulse acts there.
fn after_impulse([p, rate]: [f64; 2], jump: f64) -> [f64; 2] {
    [p, rate - 2.0 * 0.6 * p.cos() * jump / ABOUT_TOP]
}

const ABOUT_TOP: f64 = 0.24 + 2.0 * 0.36;

#[test]
fn a_rigid_bar_that_is_led_at_its_end_turns_at_once_where_that_jumps() {
    let fall = |_: f64, &[p, v]: &[f64; 2]| [v, -2.0 * 9.81 * 0.6 * p.cos() / ABOUT_TOP];
    let errors = [4e-3, 2e-3, 1e-3].map(|step| {
        let mut sim = Simulation::of(&swung_bar(step));
        let (mut bar, mut end, mut worst) = ([0.0_f64; 2], 0.0, [0.0_f64; 4]);
        for velocity in STAIRS {
            sim.set("motions.lift.velocity", velocity);
            bar = after_impulse(bar, velocity - end);
            end = velocity;
            sim.step(HOLD);
            bar = runge_kutta(bar, 0.0, HOLD, 400, fall);
            let [p, v] = bar;
            let [_, turns] = fall(0.0, &bar);
            let fy = 2.0 * 9.81 + 2.0 * 0.6 * (turns * p.cos() - v * v * p.sin());
            let fx = -2.0 * 0.6 * (turns * p.sin() + v * v * p.cos());
            let found = ["probes.bar", "points.tip.vx", "motions.lift.reaction", "supports.top.fx"];
            let exact = [p, -1.2 * v * p.sin(), fy, fx];
            for ((worst, found), exact) in worst.iter_mut().zip(found).zip(exact) {
                *worst = worst.max((sim.get(found) - exact).abs());
            }
        }
        let energy = sim.get("energy.kinetic").max(1.0);
        assert!(sim.get("energy.balance").abs() < 1e-9 * energy, "{}", sim.get("energy.balance"));
        worst
    });
    println!("{errors:.2?}");
    for i in 0..4 {
        let orders = orders(&errors.map(|worst| worst[i]));
        assert!(orders.iter().all(|order| *order > 1.85), "{i}: {orders:?}");
    }
}

const COULOMB: &str = "coulomb = { coefficient = 0.5 }";

/// 2 kg on a level rail that a host drives along and across.
fn block_on_driven_rail(joint: &str, friction: &str) -> String {
    Block {
        fix: "\"rotation\"",
        joint,
        friction,
        more: "[motions.along]\nmember = 'plane'\ndirection = 'x'\nvelocity = 0.0\n\
               [motions.up]\nmember = 'plane'\ndirection = 'y'\nvelocity = 0.0\n\
               [interface]\ninputs = ['motions.along.velocity', 'motions.up.velocity']\n\
               outputs = ['points.block.*', 'joints.*', 'motions.*', 'energy.*']",
        ..Block::default()
    }
    .text()
}

#[test]
fn a_block_with_friction_slips_where_its_rail_jumps_and_is_carried_along_again() {
    let mut sim = Simulation::of(&block_on_driven_rail("", COULOMB));
    let (mut x, mut v) = (0.0_f64, 0.0_f64);
    for rail in [0.6, -0.2, 0.1, 0.101] {
        sim.set("motions.along.velocity", rail);
        sim.step(0.08);
        // 5 m/s² until both have one velocity.
        let until = ((rail - v).abs() / 5.0).min(0.08);
        let a = 5.0 * (rail - v).signum();
        x += v * until + 0.5 * a * until * until;
        v += a * until;
        x += v * (0.08 - until);
        println!("{} {x}, {} {v}", sim.get("points.block.x"), sim.get("points.block.vx"));
        // The last jump is one that friction bears over a step of 1 ms: off by less than half the way of a step.
        let allowed = if rail == 0.101 { 0.5 * 1e-3 * 1e-3 } else { 1e-9 };
        assert!((sim.get("points.block.x") - x).abs() < allowed);
        assert!((sim.get("points.block.vx") - v).abs() < 1e-9);
        assert!(sim.get("energy.balance").abs() < 1e-9);
    }
}

#[test]
fn a_ball_at_rest_on_a_plate_bounces_off_where_the_plate_jumps_up_and_flies_where_it_falls() {
    let joint = ", contact = 'unilateral', restitution = 0.5";
    let text = block_on_driven_rail(joint, COULOMB);
    for (plate, ball) in [(1.0, 1.5), (-0.5, 0.0), (4e-3, 4e-3), (-4e-3, -4e-3)] {
        let mut sim = Simulation::of(&text);
        sim.set("motions.up.velocity", plate);
        sim.step(0.02);
        // What weight bears over a step of 1 ms goes along, 0.01 m/s, and what bounces for less than that.
        let flies = plate != ball;
        let fall = if flies { 10.0 * 0.02 } else { 0.0 };
        let [y, v] = ["points.block.y", "points.block.vy"].map(|name| sim.get(name));
        println!("{plate}: {y} {v}");
        assert!((v - (ball - fall)).abs() < 1e-9, "{v}");
        assert!((y - (ball * 0.02 - 0.5 * fall * 0.02)).abs() < 1e-9, "{y}");
        assert!(sim.get("energy.balance").abs() < 1e-9);
        let lost = if plate == 1.0 { 0.5 * MASS * (1.0 - 0.25) } else { 0.0 };
        assert!((sim.get("energy.impact_loss") - lost).abs() < 1e-9);
    }
}

#[test]
fn friction_of_impacts_acts_where_a_rail_jumps_across() {
    // A block that slides with 1 m/s, μ = ½, and whose rail jumps up by 0.4 m/s loses μ times that at once.
    let text = block_on_driven_rail(", impact_friction = true", COULOMB)
        .edit("[interface]", "[initial]\npoints.block = { vx = 1.0 }\n[interface]");
    let mut sim = Simulation::of(&text);
    sim.step(0.02);
    sim.set("motions.up.velocity", 0.4);
    sim.step(0.02);
    let v = sim.get("points.block.vx");
    println!("{v}");
    assert!((v - (1.0 - 5.0 * 0.04 - 0.5 * 0.4)).abs() < 1e-9, "{v}");
    assert!(sim.get("energy.balance").abs() < 1e-9);
}

#[test]
fn derivatives_of_a_step_over_a_jump_of_a_motion_are_those_of_differences() {
    let mut sure = 0;
    let sampled = pulled_mass(4e-3, 0.5)
        .edit("velocity = 0.0", "displacement = 0.0")
        .edit("hand.velocity", "hand.displacement");
    let falling =
        "stribeck = { static_coefficient = 0.4, kinetic_coefficient = 0.2, decay_velocity = 0.3 }";
    let smooth = "arctangent = { coefficient = 0.3, threshold_velocity = 0.1, change = 0.0 }";
    for (text, input) in [
        (pulled_mass(4e-3, 0.5), "motions.hand.velocity"),
        (sampled, "motions.hand.displacement"),
        (swung_bar(4e-3), "motions.lift.velocity"),
        (block_on_driven_rail("", COULOMB), "motions.along.velocity"),
        (block_on_driven_rail("", falling), "motions.along.velocity"),
        (block_on_driven_rail("", smooth), "motions.along.velocity"),
        (block_on_driven_rail("", falling), "motions.up.velocity"),
    ] {
        let mut sim = Simulation::of(&text);
        let slides = text.contains("motions.along.velocity");
        sim.set(if slides { "motions.along.velocity" } else { input }, 0.3);
        sim.step(0.02);
        for now in [0.7, 0.9] {
            sim.set(input, now);
            let these = check(&sim, &text, 0.012, &[(input, 1e-2)], 1e-6);
            println!("{input}: {these}");
            sure += these;
            sim.step(0.012);
        }
    }
    assert!(sure > 20, "{sure}");
}

#[test]
fn a_saved_state_goes_over_a_jump_of_a_motion_with_the_same_bits() {
    let text = block_on_driven_rail(", contact = 'unilateral'", COULOMB);
    let mut sim = Simulation::of(&text);
    let names = ["motions.along.velocity", "motions.up.velocity"];
    let run_on = |sim: &mut Simulation, k: u32| {
        sim.set(names[0], f64::from(k * 3 % 4) - 1.5);
        sim.set(names[1], 0.02 * (f64::from(k * 2 % 5) - 2.0));
        sim.step(0.01);
    };
    (0..7).for_each(|k| run_on(&mut sim, k));
    let saved = sim.state.clone();
    (7..14).for_each(|k| run_on(&mut sim, k));
    let first = sim.state.clone();
    let mut again = Simulation::of(&text);
    again.state = saved;
    (7..14).for_each(|k| run_on(&mut again, k));
    assert_eq!(first, again.state);
}
