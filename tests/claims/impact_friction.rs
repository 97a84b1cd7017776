//! Friction in impacts, against closed forms of point masses, and that it never gives.

use crate::bounces::falling;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, tier};
use crate::random_mechanisms::dice::Dice;

const G: f64 = 9.81;

/// The ball that falls on a level path, thrown along it with `speed`, and rubbing in its impacts.
fn thrown(speed: f64, restitution: f64, friction: &str, step: f64) -> Simulation {
    let text = falling(restitution, step)
        .edit("[-1.0, 0.0]", "[-9.0, 0.0]")
        .edit("[1.0, 0.0]", "[9.0, 0.0]")
        .edit("\"unilateral\"", "\"unilateral\"\ncylindrical.impact_friction = true")
        .edit(
            "[gravity]",
            &format!("friction.{friction}\n[initial.points.ball]\nvx = {speed:?}\n[gravity]"),
        );
    Simulation::of(&text)
}

#[test]
fn a_thrown_ball_loses_the_coefficient_times_the_impulse_until_it_sticks() {
    let fall = (2.0 / G).sqrt();
    let normal = G * fall;
    for step in [1e-2, 1e-3, 1e-4] {
        for restitution in [0.0, 0.5] {
            for (speed, coefficient) in
                [(5.0, 0.3), (-5.0, 0.3), (5.0, 0.0), (1.0, 0.4), (-0.5, 0.4)]
            {
                let law = format!(
                    "coulomb = {{ coefficient = {coefficient:?}, static_coefficient = 0.9 }}"
                );
                let mut sim = thrown(speed, restitution, &law, step);
                // Up to the instant of the impact the flight is exact; behind it gravity and friction go on.
                sim.run(fall + 1.5 * step, step, |_| ());
                let impulse = (1.0 + restitution) * normal;
                let left = (speed.abs() - coefficient * impulse).max(0.0);
                let slides = if restitution == 0.0 && left > 0.0 {
                    coefficient * G * (sim.time() - fall)
                } else {
                    0.0
                };
                let expected = (left - slides) * speed.signum();
                let found = sim.get("points.ball.vx");
                // An instant is found to the rounding of places over the step.
                assert!(
                    (found - expected).abs() < 1e-8,
                    "{step} {restitution} {speed} {coefficient}: {found} instead of {expected}"
                );
                let lost = 0.5 * (1.0 - restitution * restitution) * normal * normal
                    + 0.5 * (speed * speed - left * left);
                let off = sim.get("energy.impact_loss") - lost;
                assert!(
                    off.abs() < 1e-8 * G,
                    "{step} {restitution} {speed} {coefficient}: {off:e} J"
                );
            }
        }
    }
}

#[test]
fn a_bead_rubs_at_a_kink_with_the_impulse_that_turns_it() {
    for (angle, coefficient) in [(0.3_f64, 0.2), (-0.5, 0.4), (0.9, 0.9)] {
        let [x, y] = [1.0 + 3.0 * angle.cos(), 3.0 * angle.sin()];
        let mut sim = Mechanism::new("kink")
            .step(1e-3)
            .points(format!("a = [0.0, 0.0], b = [1.0, 0.0], c = [{x:?}, {y:?}]"))
            .and("bead = [0.5, 0.0]")
            .guide("level", ["a", "b"], "elements = 1")
            .guide("slope", ["b", "c"], "elements = 1")
            .mass("bead", 1.0)
            .joint("bead", "cylindrical.slider = 'bead', cylindrical.path = ['level', 'slope']")
            .and("cylindrical.ends = 'continue', cylindrical.impact_friction = true")
            .and(format!("friction.coulomb = {{ coefficient = {coefficient:?} }}"))
            .start("bead", "vx = 2.0")
            .simulation();
        sim.run(0.4, 1e-3, |_| ());
        // Nothing presses but the impulse v |sin α|.
        let expected = 2.0 * (angle.cos() - coefficient * angle.sin().abs()).max(0.0);
        let found = sim.get("joints.bead.velocity");
        assert!(
            // The bead stands at the kink to the rounding of a regula falsi over the step.
            (found - expected).abs() < 1e-8,
            "{angle}: {found} instead of {expected}"
        );
    }
}

/// A rigid bar on two feet that falls at an angle, with a load of its own.
fn bar(dice: &mut Dice) -> Simulation {
    let mut number = |low: f64, high: f64| dice.between(low, high);
    let (angle, height) = (number(-0.6, 0.6), number(0.6, 1.0));
    let half = 0.5_f64;
    let [x, y] = [half * angle.cos(), half * angle.sin()];
    let (mu, e, side) = (number(0.0, 1.0), number(0.0, 0.9), number(-0.4, 0.4));
    Mechanism::new("bar")
        .step(number(2e-4, 2e-3))
        .points("a = [-20.0, 0.0], b = [20.0, 0.0]")
        .and(format!("left = [{:?}, {:?}], right = [{x:?}, {:?}]", -x, height - y, height + y))
        .material("stiff", 1e10, 0.3, 100.0)
        .rectangle("bar", 0.1, 0.1)
        .guide("ground", ["a", "b"], "elements = 1")
        .member("bar", ["left", "right"], "elements = 1, material = 'stiff', section = 'bar'")
        .mass("left", 1.0 + side)
        .joint("left", "cylindrical.slider = 'left', cylindrical.path = ['ground']")
        .and(format!("cylindrical.contact = 'unilateral', cylindrical.restitution = {e:?}"))
        .and("cylindrical.impact_friction = true")
        .and(format!("friction.coulomb = {{ coefficient = {mu:?} }}"))
        .joint("right", "cylindrical.slider = 'right', cylindrical.path = ['ground']")
        .and(format!("cylindrical.contact = 'unilateral', cylindrical.restitution = {e:?}"))
        .and("cylindrical.impact_friction = true")
        .and(format!("friction.coulomb = {{ coefficient = {mu:?} }}"))
        .gravity(-9.81)
        .start("left", format!("vx = {:?}", number(-4.0, 4.0)))
        .outputs("joints.* energy.*")
        .simulation()
}

#[test]
fn impacts_with_friction_make_no_energy_and_leave_nothing_below_the_ground() {
    let (mut lost, bars) = (0.0, tier::share(60));
    for seed in 1..=bars {
        let mut sim = bar(&mut Dice(seed));
        let h = sim.system.model().solver.step;
        let mut last = 0.0;
        sim.run(0.8, h, |sim| {
            let loss = sim.get("energy.impact_loss");
            assert!(loss >= last - 1e-9, "{seed}: an impact gives {:e} J", last - loss);
            last = loss;
            for foot in ["left", "right"] {
                let gap = sim.get(&format!("joints.{foot}.gap"));
                assert!(gap >= 0.0, "{seed}: {foot} is {gap:e} m deep");
            }
        });
        lost += last;
    }
    assert!(lost > bars as f64, "{lost} J");
}
