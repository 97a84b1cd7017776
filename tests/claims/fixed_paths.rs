//! Sliders on fixed paths of straight members: in line, over kinks, and at their ends.

use crate::common::edit::Edit;
use crate::common::{Simulation, runge_kutta};

const G: f64 = 9.81;

/// A fixed path of straight members through `points`, a bead of 1 kg at the first of them.
fn fixed_path(points: &[[f64; 2]], solver: &str, extra: &str) -> String {
    let mut text = format!("name = \"FixedPath\"\n[solver]\n{solver}\n[points]\n");
    for (i, [x, y]) in points.iter().enumerate() {
        text += &format!("p{i} = [{x}, {y}]\n");
    }
    let [x, y] = points[0];
    text += &format!("bead = [{x}, {y}]\n[masses.bead]\npoint = \"bead\"\nmass = 1.0\n");
    let mut names = Vec::new();
    for i in 1..points.len() {
        text += &format!(
            "[members.m{i}]\nfrom = \"p{}\"\nto = \"p{i}\"\nelements = 1\norder = 1\n\
             [supports.m{i}]\nmember = \"m{i}\"\nfix = [\"x\", \"y\", \"rotation\"]\n",
            i - 1
        );
        names.push(format!("m{i}"));
    }
    text += &format!(
        "[joints.bead]\ncylindrical = {{ slider = \"bead\", path = {names:?}, ends = \"continue\" }}\n\
         {extra}\n[interface]\noutputs = [\"points.bead.*\", \"energy.*\", \"solver.*\"]\n"
    );
    text
}

fn slides_at(speed: f64) -> String {
    format!("[initial.points.bead]\nvx = {speed}")
}

#[test]
fn members_in_line_are_one_smooth_path() {
    let points = [[0.0, 0.0], [0.7, 0.0], [1.0, 0.0], [3.0, 0.0]];
    let mut sim = Simulation::of(&fixed_path(&points, "step = 1e-3", &slides_at(1.0)));
    sim.run(2.5, 1e-3, |sim| {
        assert!((sim.get("joints.bead.velocity") - 1.0).abs() < 1e-10);
        assert!(sim.get("joints.bead.normal_force") < 1e-9);
    });
    assert!((sim.get("joints.bead.position") - 2.5).abs() < 1e-10);
}

#[test]
fn a_bead_loses_at_a_kink_what_an_inelastic_impact_takes() {
    // The impulse is normal to the new direction: v cos α is left, whatever the step.
    for rho in [0.0, 0.5, 0.9] {
        for angle in [0.05_f64, 0.3, -0.5, 0.9, -1.3] {
            for h in [1e-2, 1e-3] {
                let points = [[0.0, 0.0], [1.0, 0.0], [1.0 + 3.0 * angle.cos(), 3.0 * angle.sin()]];
                let solver = format!("step = {h}\nspectral_radius = {rho}");
                let mut sim = Simulation::of(&fixed_path(&points, &solver, &slides_at(0.951)));
                sim.run(4.0, h, |_| ());
                let v = sim.get("joints.bead.velocity");
                assert!((v - 0.951 * angle.cos()).abs() < 1e-6, "{rho} {angle} {h}: {v}");
                let lost = 0.5 * (0.951 * angle.sin()).powi(2);
                assert!((sim.get("energy.impact_loss") - lost).abs() < 1e-6);
                assert!(sim.get("energy.balance").abs() < 1e-6);
            }
        }
    }
}

#[test]
fn friction_takes_no_energy_from_a_bead_that_only_an_impact_presses_on_its_path() {
    // Impacts are frictionless, and but for the kink nothing presses.
    let points = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.5]];
    let angle = 0.5_f64.atan();
    for h in [1e-2, 3e-3, 1e-3] {
        let path = fixed_path(&points, &format!("step = {h}"), &slides_at(0.951));
        let friction = "friction.stribeck = { static_coefficient = 0.4, \
                        kinetic_coefficient = 0.4, decay_velocity = 0.1 }";
        let joint = path.find("ends = \"continue\"").expect("the joint");
        let line = joint + path[joint..].find('\n').expect("its line") + 1;
        let text = format!("{}{friction}\n{}", &path[..line], &path[line..]);
        let mut sim = Simulation::of(&text);
        sim.run(1.5, h, |_| ());
        assert!(sim.get("energy.friction_work").abs() < 1e-6);
        let lost = 0.5 * (0.951 * angle.sin()).powi(2);
        assert!((sim.get("energy.impact_loss") - lost).abs() < 1e-6, "{h}");
        assert!(sim.get("energy.balance").abs() < 1e-6, "{h}");
    }
}

/// Angle of a bead that starts at rest at −1.2 rad in a bowl of `n` straight pieces, after 1 s:
/// constant acceleration on each piece, v cos δ left at each kink.
fn polygon_bowl(n: i32) -> (f64, Vec<[f64; 2]>) {
    let points: Vec<[f64; 2]> = (0..=n)
        .map(|k| -1.2 + 2.4 * f64::from(k) / f64::from(n))
        .map(|a: f64| [a.sin(), -a.cos()])
        .collect();
    let kink = (2.4 / f64::from(n)).cos();
    let (mut left, mut v) = (1.0, 0.0_f64);
    for piece in points.windows(2) {
        let d = [piece[1][0] - piece[0][0], piece[1][1] - piece[0][1]];
        let length = d[0].hypot(d[1]);
        let a = -G * d[1] / length;
        let square = v * v + 2.0 * a * length;
        let arrival = square.max(0.0).sqrt();
        let time = if square > 0.0 {
            2.0 * length / (v + arrival)
        } else {
            f64::INFINITY // it turns round on this piece
        };
        if time >= left {
            let s = (v * left + 0.5 * a * left * left) / length;
            let at = [piece[0][0] + s * d[0], piece[0][1] + s * d[1]];
            return (at[0].atan2(-at[1]), points);
        }
        left -= time;
        v = arrival * kink;
    }
    panic!("the bead has left the bowl")
}

#[test]
fn a_bowl_of_straight_pieces_is_its_polygon_and_tends_to_the_pendulum() {
    let pendulum = runge_kutta([-1.2_f64, 0.0], 0.0, 1.0, 10_000, |_, y| [y[1], -G * y[0].sin()]);
    let mut errors = Vec::new();
    for n in [24, 48, 96] {
        let (exact, points) = polygon_bowl(n);
        let solver = "step = 2.5e-4";
        let mut sim = Simulation::of(&fixed_path(&points, solver, "[gravity]\ny = -9.81"));
        sim.run(1.0, 1e-3, |_| ());
        let angle = sim.get("points.bead.x").atan2(-sim.get("points.bead.y"));
        println!("{n} pieces: {angle:.6}, polygon {exact:.6}, pendulum {:.6}", pendulum[0]);
        // The kinks are found inside their steps, and between them the motion is uniformly accelerated.
        assert!((angle - exact).abs() < 2e-6, "{:e}", angle - exact);
        errors.push((angle - pendulum[0]).abs());
    }
    // The kinks take 1 − cos²δ of the energy each, n δ² in all: of first order.
    assert!(errors.windows(2).all(|e| (1.8..2.2).contains(&(e[0] / e[1]))), "{errors:?}");
}

#[test]
fn at_the_end_of_a_path_the_slider_stops_is_refused_or_goes_on() {
    let points = [[0.0, 0.0], [0.5, 0.0], [0.8, 0.4]];
    let pull = "[loads.pull]\npoint = \"bead\"\nfx = 0.0";
    let text = |ends: &str| {
        fixed_path(&points, "step = 1e-3", &format!("{}\n{pull}", slides_at(1.0)))
            .edit("ends = \"continue\"", &format!("ends = \"{ends}\""))
            .edit("[interface]", "[interface]\ninputs = [\"loads.pull.fx\"]")
    };
    // v cos α = 0.6 m/s on the second member; it ends at s = 1 m, after 0.5 s + 0.833 s.
    let mut stopped = Simulation::of(&text("stop"));
    stopped.run(2.0, 1e-2, |_| ());
    assert!((stopped.get("joints.bead.position") - 1.0).abs() < 1e-12);
    assert!(stopped.get("joints.bead.velocity").abs() < 1e-12);
    // Inelastic: all of ½ m v² is gone.
    assert!((stopped.get("energy.impact_loss") - 0.5).abs() < 1e-6);
    assert!(stopped.get("energy.balance").abs() < 1e-6);
    stopped.set("loads.pull.fx", -3.0);
    stopped.run(2.3, 1e-2, |_| ());
    // Pulled back along the path with 3 · 0.6 N for 0.3 s.
    let s = 1.0 - 0.5 * 1.8 * 0.09;
    assert!((stopped.get("joints.bead.position") - s).abs() < 3e-3);

    let mut refused = Simulation::of(&text("error"));
    let fault = (0..200).find_map(|k| refused.try_step(f64::from(k) * 1e-2, 1e-2).err());
    let fault = fault.expect("it leaves the path");
    assert!(fault.contains("joints.bead leaves its path") && fault.contains("continue"), "{fault}");
    assert!((refused.time() - 1.333).abs() < 2e-3, "{}", refused.time());
    assert!((refused.get("joints.bead.position") - 1.0).abs() < 1e-3);

    let mut goes_on = Simulation::of(&text("continue"));
    goes_on.run(2.0, 1e-2, |_| ());
    let s = goes_on.get("joints.bead.position");
    assert!((s - 1.4).abs() < 1e-3, "{s}");
    assert!((goes_on.get("points.bead.x") - 0.5 - 0.6 * (s - 0.5)).abs() < 1e-12);
    assert!((goes_on.get("points.bead.y") - 0.8 * (s - 0.5)).abs() < 1e-12);
}
