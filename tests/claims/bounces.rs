//! Impacts with restitution, against closed forms.

mod shaken_table;

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;
use crate::common::reach::reached;

const G: f64 = 9.81;

/// The model of a ball of 1 kg that falls from 1 m onto a level rigid path.
pub fn falling(restitution: f64, step: f64) -> String {
    Mechanism::new("ball")
        .step(step)
        .points("a = [-1.0, 0.0], b = [1.0, 0.0], ball = [0.0, 1.0]")
        .guide("table", ["a", "b"], "elements = 1")
        .mass("ball", 1.0)
        .joint("ball", "cylindrical.slider = 'ball', cylindrical.path = ['table']")
        .and("cylindrical.contact = 'unilateral'")
        .and(format!("cylindrical.restitution = {restitution:?}"))
        .gravity(-G)
        .outputs("points.ball.* joints.ball.* energy.*")
        .text()
}

fn ball(restitution: f64, step: f64) -> Simulation {
    Simulation::of(&falling(restitution, step))
}

#[test]
fn a_ball_bounces_by_the_closed_form_and_comes_to_rest_in_a_finite_time() {
    let fall = (2.0 / G).sqrt();
    for step in [1e-2, 3e-3, 1e-3, 1e-4] {
        let mut sim = ball(0.5, step);
        // Flights of e v₀, e² v₀, … begin after the fall, twice the fall, …
        for (begin, middle, share) in [(1.0, 1.5, 0.5), (2.0, 2.25, 0.25)] {
            sim.run(middle * fall, step, |_| ());
            let (t, v) = (sim.time() - begin * fall, share * G * fall);
            let off = sim.get("points.ball.y") - (v * t - 0.5 * G * t * t);
            if begin == 2.0 && step == 1e-3 {
                reached("6 ball", "e = ½, 1 ms: second flight", Some(1e-13), off.abs(), "m");
            }
            // Places round to 2e-16 m, accelerations to that over the step's square.
            assert!(off.abs() < 1e-12 + 1e-18 / (step * step) * 100.0, "{step}: {off:e} m");
        }
        let mut flies_until = 0.0;
        sim.run(1.5, step, |sim| {
            if sim.get("joints.ball.regime") == 5.0 {
                flies_until = sim.time();
            }
        });
        // The sum of all flights is finite.
        let late = flies_until - 3.0 * fall;
        if step == 1e-3 {
            let what = "e = ½, 1 ms: at rest, off the exact instant";
            reached("6 ball", what, Some(1.0), late.abs() / step, "steps");
        }
        assert!(late.abs() < 2.0 * step, "{step}: {late:e} s");
        assert!((sim.get("energy.impact_loss") - G).abs() < 1e-6 * G);
        assert!(sim.get("energy.balance").abs() < 1e-6 * G);
    }
}

#[test]
fn what_comes_back_from_an_impact_is_the_share_that_the_file_says() {
    for restitution in [0.0, 0.3, 1.0] {
        let mut sim = ball(restitution, 1e-3);
        let fall = (2.0 / G).sqrt();
        sim.run(fall + 2e-3, 1e-3, |_| ());
        let t = sim.time() - fall;
        let exact = if restitution > 0.0 { restitution * G * fall - G * t } else { 0.0 };
        assert!((sim.get("points.ball.vy") - exact).abs() < 1e-9);
        let lost = (1.0 - restitution * restitution) * G;
        assert!((sim.get("energy.impact_loss") - lost).abs() < 1e-9 * G);
    }
}

/// A mass that comes to a wall with 1 m/s, drawn on by a spring to another one that goes away with 6 m/s: ω h is up to 0.14 here.
#[test]
fn a_spring_to_what_moves_on_takes_nothing_of_a_bounce() {
    for (step, within) in [(1e-3, 0.1), (2e-4, 5e-3), (1e-5, 2e-4)] {
        for restitution in [1.0, 0.9, 0.3] {
            let file = Mechanism::new("drawn")
                .step(step)
                .points("o = [0.0, 0.0], p = [0.1001, 0.0], q = [0.5, 0.0]")
                .mass("p", 1.0)
                .mass("q", 1.0)
                .support("p", "point = 'p', fix = ['y']")
                .support("q", "point = 'q', fix = ['y']")
                .start("p", "vx = -1.0")
                .start("q", "vx = 6.0")
                .spring("wall", "ground = 'o', to = 'p', direction = 'x'")
                .and(format!(
                    "stop = {{ least = 0.1, rigid = true, restitution = {restitution:?} }}"
                ))
                .spring("k", "from = 'p', to = 'q', direction = 'x', stiffness = 1e4")
                .outputs("points.p.vx energy.*")
                .text();
            let mut sim = Simulation::of(&file);
            // x₁ + x₂ moves evenly, x₂ − x₁ swings: both meet the wall after some 0.1 ms.
            let (omega, mut t) = (2e4_f64.sqrt(), 1e-4);
            let place = |t: f64| 2.5 * t - 3.5 / omega * (omega * t).sin() + 1e-4;
            let speed = |t: f64| 2.5 - 3.5 * (omega * t).cos();
            (0..8).for_each(|_| t -= place(t) / speed(t));
            let lost = 0.5 * (1.0 - restitution * restitution) * speed(t).powi(2);
            sim.run(1e-3, 1e-3, |_| ());
            let loss = sim.get("energy.impact_loss");
            println!("{step}, {restitution}: {loss} J instead of {lost} J");
            assert!((loss - lost).abs() < within, "{step}, {restitution}: {loss} {lost}");
        }
    }
}

/// A bead on a massless rod in space runs against the stop at the rod's end.
fn rod(step: f64) -> Simulation {
    Mechanism::new("rod")
        .step(step)
        .points("a = [-1.0, 0.0], b = [1.0, 0.0], bead = [0.0, 0.0]")
        .material("m", 2e9, 0.3, 0.0)
        .rectangle("s", 0.05, 0.05)
        .member("rod", ["a", "b"], "elements = 4, material = 'm', section = 's'")
        .mass("a", 1.5)
        .mass("b", 1.5)
        .mass("bead", 1.0)
        .slider("bead", "bead", "rod", "ends = 'stop'")
        .start("bead", "vx = 2.0")
        .outputs("points.* energy.*")
        .simulation()
}

#[test]
fn a_bead_that_meets_the_stop_of_a_free_rod_keeps_the_momentum_and_loses_what_the_struck_bodies_take()
 {
    let momentum = |sim: &Simulation| {
        let velocity = |point: &str| sim.get(&format!("points.{point}.vx"));
        1.5 * velocity("a") + 1.5 * velocity("b") + velocity("bead")
    };
    for step in [1e-3, 1e-4, 1e-5] {
        let mut sim = rod(step);
        sim.run(0.6, 1e-3, |_| ());
        assert!((momentum(&sim) - 2.0).abs() < 1e-6);
        // Of 2 J: what 1 kg takes from the far end too is between that with 1.5 kg and with 3 kg.
        let loss = sim.get("energy.impact_loss");
        assert!(loss > 1.2 - 1e-3 && loss < 1.5, "{step}: {loss}");
        assert!(step > 1e-5 || loss < 1.2 + 1e-3, "{loss}");
    }
}
