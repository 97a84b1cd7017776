//! Energy: friction only takes, and the books close as the step shrinks.

mod common;

use common::Simulation;
use coulisse::laws::friction::{Friction, Rest, Transition};

/// A small generator of reproducible numbers (xorshift64*).
struct Dice(u64);

impl Dice {
    /// Uniform in [low, high).
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        low + (high - low) * bits as f64 / (1_u64 << 53) as f64
    }

    fn choose<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.between(0.0, list.len() as f64) as usize]
    }
}

/// Solver steps in which friction gives energy.
#[derive(Debug, Default)]
struct Given {
    /// The largest of these energies and their sum, J.
    most: f64,
    sum: f64,
    /// What friction has dissipated in all, J.
    taken: f64,
}

/// Runs solver step by solver step; `drive` sets the inputs of the next one, `giving` looks at
/// those in which friction gives.
fn observe(
    sim: &mut Simulation,
    end: f64,
    mut drive: impl FnMut(&mut Simulation),
    mut giving: impl FnMut(&Simulation, f64),
) -> Given {
    let h = sim.system.model().solver.step;
    let mut given = Given::default();
    for i in 0..(end / h).round() as u64 {
        drive(sim);
        sim.try_step(i as f64 * h, h)
            .unwrap_or_else(|fault| panic!("{fault}"));
        // What bristles hold is not lost yet.
        let journal = sim.state.journal.iter();
        let now = journal.map(|joint| joint.work - joint.stored).sum();
        let gift = given.taken - now;
        if gift > 0.0 {
            given.most = given.most.max(gift);
            given.sum += gift;
            giving(sim, gift);
        }
        given.taken = now;
    }
    given
}

/// A bundled model with friction, another transition and `share` of its solver step.
fn with_transition(name: &str, transition: &str, share: f64) -> String {
    let mut text = common::bundled(name).replace(
        "friction.stribeck = { ",
        &format!("friction.stribeck = {{ transition = \"{transition}\", "),
    );
    for step in [1e-3, 1e-4] {
        let written = format!("\nstep = {step:e}\n");
        text = text.replace(&written, &format!("\nstep = {}\n", share * step));
    }
    text
}

const BUNDLED: [(&str, f64); 4] = [
    ("quick_return", 0.8),
    ("rabinowicz", 45.0),
    ("incline", 2.0),
    ("incline_prismatic", 2.0),
];

#[test]
fn friction_that_does_not_creep_takes_energy_in_every_step() {
    // Sticking then means that nothing moves, sliding that F_f has the sign of v.
    for transition in ["multiplier", "set_valued"] {
        for (name, end) in BUNDLED {
            let mut sim = Simulation::of(&with_transition(name, transition, 1.0));
            let given = observe(&mut sim, end, |_| (), |_, _| ());
            println!("{name}, {transition}: {given:?}");
            assert!(given.taken > 1.0);
            // Newton's tolerance leaves a slider that sticks 1e-10 of the mechanism's size.
            assert!(given.most < 1e-9 * given.taken, "{name}: {given:?}");
        }
    }
}

#[test]
fn friction_of_the_other_transitions_gives_only_what_vanishes_with_the_step() {
    for (name, end) in [("quick_return", 0.4), ("rabinowicz", 45.0)] {
        for transition in ["return_map", "siqueira_coda_2023"] {
            let [coarse, fine] = [1.0, 0.25].map(|share| {
                let mut sim = Simulation::of(&with_transition(name, transition, share));
                observe(&mut sim, end, |_| (), |_, _| ())
            });
            println!("{name}, {transition}: {coarse:?}, a quarter of the step: {fine:?}");
            assert!(coarse.sum < 1e-5 * coarse.taken, "{coarse:?}");
            assert!(fine.sum < 0.25 * coarse.sum, "{coarse:?} {fine:?}");
        }
    }
}

#[test]
fn friction_gives_only_while_the_slider_creeps() {
    // The return map sticks with v = −a Δt and slides with sgn(F_f + m (a + v/Δt)); the printed
    // form holds F_S while |v| < (|F_R| − F_S) Δt/m = |a| Δt. So F_f v < 0 needs |v| ≤ |a| Δt.
    for transition in ["return_map", "siqueira_coda_2023"] {
        let text = with_transition("rabinowicz", transition, 1.0)
            .replace("\"points.block.vx\"", "\"points.block.ax\"");
        let mut sim = Simulation::of(&text);
        let h = sim.system.model().solver.step;
        let mut seen = 0;
        observe(
            &mut sim,
            45.0,
            |_| (),
            |sim, gift| {
                let slid = gift / sim.get("joints.block.friction_force").abs();
                let creep = sim.get("points.block.ax").abs() * h * h;
                // 1e-13 m: rounding of the work.
                assert!(
                    slid <= creep * 1.001 + 1e-13,
                    "{transition}: {slid:e} {creep:e}"
                );
                seen += 1;
            },
        );
        assert!(seen > 0);
    }
}

/// A flexible guide on a shaken support; a block on it carries a flexible link with a mass.
fn mechanism(dice: &mut Dice, transition: &str) -> String {
    let angle = dice.between(-1.0, 1.0);
    let (sin, cos) = angle.sin_cos();
    let kind = dice.choose(&["cylindrical", "prismatic"]);
    let at = dice.between(0.8, 1.2);
    let (kinetic, excess) = (dice.between(0.05, 0.8), dice.between(0.0, 0.3));
    format!(
        r#"
name = "Random"
[solver]
step = {step}
spectral_radius = {rho}
[points]
root = [0.0, 0.0]
far = [{fx}, {fy}]
block = [{bx}, {by}]
bob = [{px}, {py}]
[materials.m]
young_modulus = {young}
poisson_ratio = 0.3
density = {density}
[sections.s]
rectangle = {{ height = {height}, width = 0.03 }}
[members.guide]
from = "root"
to = "far"
elements = 4
order = 3
material = "m"
section = "s"
[members.link]
from = "block"
to = "bob"
elements = 2
order = 2
material = "m"
section = "s"
[supports.root]
point = "root"
fix = ["x", "rotation"]
[supports.far]
point = "far"
fix = ["x", "y"]
[motions.shaker]
point = "root"
direction = "y"
amplitude = {amplitude}
history.sine = {{ frequency = {frequency} }}
[masses.block]
point = "block"
mass = {mass}
rotary_inertia = 0.01
[masses.bob]
point = "bob"
mass = 0.5
[loads.block]
point = "block"
fx = 0.0
fy = 0.0
[gravity]
y = -9.81
[joints.block]
{kind} = {{ slider = "block", path = ["guide"], ends = "{ends}" }}
friction.stribeck = {{ static_coefficient = {stat}, kinetic_coefficient = {kinetic}, decay_velocity = {decay}, viscous_coefficient = {viscous}, transition = "{transition}" }}
[interface]
inputs = ["loads.block.fx", "loads.block.fy"]
outputs = ["energy.*", "solver.*"]
"#,
        step = dice.between(2e-4, 1e-3),
        rho = dice.between(0.5, 0.9),
        fx = 2.0 * cos,
        fy = 2.0 * sin,
        bx = at * cos,
        by = at * sin,
        px = at * cos + 0.3,
        py = at * sin - 0.2,
        young = 10f64.powf(dice.between(9.0, 11.0)),
        density = dice.between(500.0, 5000.0),
        height = dice.between(0.03, 0.08),
        amplitude = dice.between(0.0, 0.02),
        frequency = dice.between(0.5, 5.0),
        mass = dice.between(0.5, 5.0),
        ends = dice.choose(&["stop", "continue"]),
        stat = kinetic + excess,
        decay = 10f64.powf(dice.between(-2.0, -0.5)),
        viscous = dice.between(0.0, 5.0),
    )
}

/// Forces on the block that jump every now and then.
fn random_forces(dice: &mut Dice) -> impl FnMut(&mut Simulation) {
    let mut force = [0.0; 2];
    move |sim| {
        if dice.between(0.0, 1.0) < 0.02 {
            force = [dice.between(-40.0, 40.0), dice.between(-40.0, 20.0)];
        }
        sim.set("loads.block.fx", force[0]);
        sim.set("loads.block.fy", force[1]);
    }
}

#[test]
fn friction_takes_energy_in_every_step_of_random_mechanisms() {
    random_mechanisms("multiplier", 1e-9);
    // Where a step begins at rest and the force turns within it, ṡ at its end and the way over it
    // can differ in sign: nothing but a small part of one step's way.
    random_mechanisms("set_valued", 1e-5);
}

fn random_mechanisms(transition: &str, tolerance: f64) {
    let mut switches = 0;
    for seed in 1..=20 {
        let mut dice = Dice(seed);
        let mut sim = Simulation::of(&mechanism(&mut dice, transition));
        let mut stuck = false;
        let mut drive = random_forces(&mut dice);
        let counted = |sim: &mut Simulation| {
            let sticks = sim.get("joints.block.sticking") != 0.0;
            switches += usize::from(sticks != stuck);
            stuck = sticks;
            drive(sim);
        };
        let given = observe(&mut sim, 0.5, counted, |_, _| ());
        println!(
            "{seed}: {given:?}, {} rejections",
            sim.get("solver.rejections")
        );
        assert!(given.most <= tolerance * given.taken, "{seed}: {given:?}");
    }
    assert!(
        switches > 100,
        "{switches} changes between sticking and sliding"
    );
}

#[test]
fn every_law_takes_energy_in_every_step_of_random_mechanisms() {
    let creeps = |law: &Friction| {
        let rest = law.law().map(|law| law.rest());
        use Transition::{ReturnMap, SiqueiraCoda2023};
        matches!(rest, Some(Rest::Holds(ReturnMap | SiqueiraCoda2023)))
    };
    let laws = Friction::samples();
    let laws = laws
        .iter()
        .filter(|law| **law != Friction::None && !creeps(law));
    let mut count = 0;
    for law in laws {
        for seed in 1..=6 {
            let mut dice = Dice(seed);
            let text = mechanism(&mut dice, "multiplier");
            let mut checked = common::check(&text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
            checked.sliders[0].friction = law.clone();
            let mut sim = Simulation::built(&checked);
            let given = observe(&mut sim, 0.2, random_forces(&mut dice), |_, _| ());
            println!("{}, {seed}: {given:?}", law.summary());
            assert!(given.taken > 0.0, "{law:?}");
            let tolerance = if law.is_set_valued() { 1e-5 } else { 1e-9 };
            assert!(
                given.most <= tolerance * given.taken,
                "{law:?}, {seed}: {given:?}"
            );
            count += 1;
        }
    }
    assert!(count >= 6 * 8, "{count} runs");
}

#[test]
fn the_return_map_gets_through_random_mechanisms() {
    // Newton's method alone changes for ever between sliding one way and the other in the fourth
    // of them, however small the step.
    for seed in 1..=8 {
        let mut dice = Dice(seed);
        let text = mechanism(&mut dice, "return_map");
        let (before, rest) = text.split_once("\nstep = ").expect("a step");
        let (_, after) = rest.split_once('\n').expect("more lines");
        let mut sim = Simulation::of(&format!("{before}\nstep = 1.25e-4\n{after}"));
        observe(&mut sim, 0.2, random_forces(&mut dice), |_, _| ());
        assert!(sim.get("energy.friction_work") > 0.0);
        assert!(sim.get("solver.rejections") < 10.0, "{seed}");
    }
}

/// Largest |energy.balance| of 20 instants until `end` for each of the steps, J.
fn imbalance(text: &dyn Fn(f64) -> String, steps: [f64; 3], end: f64) -> [f64; 3] {
    steps.map(|h| {
        let mut sim = Simulation::of(&text(h));
        let mut worst = 0.0_f64;
        sim.run(end, end / 20.0, |sim| {
            worst = worst.max(sim.get("energy.balance").abs())
        });
        worst
    })
}

fn orders(errors: [f64; 3]) -> [f64; 2] {
    [0, 1].map(|i| (errors[i] / errors[i + 1]).log2())
}

fn quick_return(coefficient: f64, h: f64) -> String {
    common::bundled("quick_return")
        .replace(
            "\nstep = 1e-4\n",
            &format!("\nstep = {h}\nposition_tolerance = 1e-12\n"),
        )
        .replace(
            "static_coefficient = 0.35",
            &format!("static_coefficient = {coefficient}"),
        )
        .replace(
            "kinetic_coefficient = 0.30",
            &format!("kinetic_coefficient = {coefficient}"),
        )
}

#[test]
fn books_of_the_quick_return_close_as_the_step_shrinks() {
    let smooth = imbalance(&|h| quick_return(0.0, h), [4e-4, 2e-4, 1e-4], 0.2);
    println!("frictionless: {smooth:?} J, orders {:.2?}", orders(smooth));
    assert!(orders(smooth).iter().all(|p| *p > 1.7));
    // Friction is booked as F_f Δs with the force at the end of the step: of first order, but
    // never negative.
    let rough = imbalance(&|h| quick_return(0.3, h), [2e-4, 1e-4, 5e-5], 0.2);
    println!("with friction: {rough:?} J, orders {:.2?}", orders(rough));
    assert!(orders(rough).iter().all(|p| *p > 0.9));
    assert!(rough[2] < 1e-3 * 45.0, "of 45 J that friction takes");
}

#[test]
fn books_of_the_driven_mass_on_the_bridge_close_with_second_order() {
    let driven = |h: f64| {
        common::bundled("moving_mass_on_bridge")
            .replace("\nstep = 1e-3\n", &format!("\nstep = {h}\n"))
            .replace(
                "[initial.points.wheel]\nvx = \"speed\"",
                "[motions.drive]\npoint = \"wheel\"\ndirection = \"x\"\n\
                 amplitude = \"2*span\"\nhistory.ramp = { duration = 2.0 }",
            )
    };
    let errors = imbalance(&driven, [4e-3, 2e-3, 1e-3], 2.0);
    println!("{errors:?} J, orders {:.2?}", orders(errors));
    assert!(orders(errors).iter().all(|p| *p > 1.9));
}

/// A flexible pendulum pushed by a horizontal force that the host sets.
fn pushed_pendulum(h: f64) -> String {
    format!(
        r#"
name = "PushedPendulum"
[solver]
step = {h}
spectral_radius = 0.8
position_tolerance = 1e-13
[points]
pivot = [0.0, 0.0]
tip = [0.0, -1.0]
[materials.soft]
young_modulus = 2e8
shear_modulus = 1e8
density = 1000.0
[sections.strip]
rectangle = {{ height = 0.05, width = 0.05 }}
[members.rod]
from = "pivot"
to = "tip"
elements = 2
material = "soft"
section = "strip"
[supports.pivot]
point = "pivot"
fix = ["x", "y"]
[gravity]
y = -9.81
[loads.push]
point = "tip"
fx = 0.0
[interface]
inputs = ["loads.push.fx"]
outputs = ["energy.*"]
"#
    )
}

#[test]
fn books_of_a_pendulum_pushed_by_a_host_close_as_the_step_shrinks() {
    // The host's force is a stair of 20 ms: each of its jumps costs a step of first order.
    let errors = [4e-4, 2e-4, 1e-4, 5e-5].map(|h| {
        let mut sim = Simulation::of(&pushed_pendulum(h));
        let mut worst = 0.0_f64;
        for i in 0..50 {
            let t = 0.02 * f64::from(i);
            sim.set("loads.push.fx", 20.0 * (5.0 * t).sin());
            sim.step(0.02);
            worst = worst.max(sim.get("energy.balance").abs());
        }
        println!(
            "{h}: {worst:.2e} J of {:.2} J",
            sim.get("energy.input_work")
        );
        worst
    });
    assert!(errors.windows(2).all(|e| e[0] / e[1] > 1.8), "{errors:?}");
}

#[test]
fn numerical_damping_only_takes_energy() {
    // Nothing drives it after the first instant, so that the balance is what has been lost.
    let text =
        pushed_pendulum(1e-3).replace("fx = 0.0", "fx = 0.0\n[initial.points.tip]\nvx = 3.0");
    let mut sim = Simulation::of(&text);
    let mut lost = 0.0;
    sim.run(2.0, 0.05, |sim| {
        let now = sim.get("energy.balance");
        assert!(now > lost, "{now} after {lost}");
        lost = now;
    });
    println!("lost {lost:.3e} J");
}

#[test]
fn a_quasi_static_analysis_has_no_kinetic_energy() {
    let text = |analysis: &str| {
        format!(
            r#"
name = "pulled"
[solver]
analysis = "{analysis}"
step = 1e-2
[points]
wall = [-1.0, 0.0]
block = [0.0, 0.0]
[materials.rubber]
young_modulus = 1e6
poisson_ratio = 0.3
density = 0.0
[sections.rod]
properties = {{ area = 1e-4, second_moment = 1e-9 }}
[members.rod]
from = "wall"
to = "block"
elements = 1
material = "rubber"
section = "rod"
[supports.wall]
point = "wall"
fix = ["y", "rotation"]
[motions.wall]
point = "wall"
direction = "x"
amplitude = 0.2
history.ramp = {{ duration = 1.0 }}
[masses.block]
point = "block"
mass = 1.0
[loads.hold]
point = "block"
fx = -5.0
[supports.line]
point = "block"
fix = ["y"]
[interface]
outputs = ["energy.*", "points.block.vx"]
"#
        )
    };
    let mut sim = Simulation::of(&text("quasi_static"));
    sim.run(0.5, 0.1, |sim| {
        assert!(sim.get("points.block.vx") > 1e-3, "it moves");
        assert_eq!(sim.get("energy.kinetic"), 0.0);
        // The rod keeps its length: all work of the drive goes to the load.
        let balance = sim.get("energy.balance");
        assert!(balance.abs() < 1e-9, "{balance}");
    });
    let mut sim = Simulation::of(&text("dynamic"));
    sim.run(0.5, 0.1, |_| {});
    let v = sim.get("points.block.vx");
    assert!((sim.get("energy.kinetic") - 0.5 * v * v).abs() < 1e-12);
}
