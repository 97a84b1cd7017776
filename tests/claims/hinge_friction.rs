//! Friction of hinges by their own force, against closed forms.

mod elastic;
mod random;
mod rigid_members;

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};
use crate::common::{Simulation, orders, runge_kutta};

/// A disc of 2 kg and 0.05 kg·m² on a pin of 20 mm in its middle.
fn disc() -> String {
    Mechanism::new("disc")
        .step(1e-3)
        .points("axle = [0.0, 0.0], a = [-0.1, -0.1], b = [0.1, -0.1], c = [0.1, 0.1]")
        .and("d = [-0.1, 0.1]")
        .body("disc", "rigid = true, mass = 2.0, inertia = 0.05, points = ['axle']")
        .patch("disc", [1, 1], "s: a, e: b, n: c, w: d")
        .pin("axle")
        .joint("bearing", "hinge = { point = 'axle', release = ['disc'], radius = 0.02 }")
        .and("friction.coulomb = { coefficient = 0.3 }")
        .gravity(-9.81)
        .start("axle", "rotation_rate = 5.0")
        .load("turn", "point = 'axle', moment = 0.0")
        .probe("disc", "rotation = { point = 'axle' }")
        .inputs("loads.turn.moment")
        .outputs("joints.* probes.* energy.*")
        .text()
}

#[test]
fn a_disc_spins_down_in_the_time_and_angle_of_its_bearing_and_stays() {
    let mut sim = Simulation::of(&disc());
    let brake = 0.3 * 0.02 * 2.0 * 9.81;
    let (time, angle) = (5.0 * 0.05 / brake, 0.5 * 25.0 * 0.05 / brake);
    assert!((sim.get("joints.bearing.normal_force") - 2.0 * 9.81).abs() < 1e-6);
    sim.run(3.0, 0.01, |sim| {
        let t = sim.time().min(time);
        let exact = 5.0 * t - 0.5 * brake / 0.05 * t * t;
        let found = sim.get("probes.disc");
        assert!((found - exact).abs() < 1e-5 * angle, "{t}: {found} {exact}");
    });
    println!("angle {} of {angle} rad", sim.get("probes.disc"));
    assert_eq!(sim.get("joints.bearing.sticking"), 1.0);
    let lost = sim.get("joints.bearing.dissipated_energy");
    assert!((lost - 0.5 * 0.05 * 25.0).abs() < 1e-5);
    assert!(sim.get("energy.balance").abs() < 1e-5);
}

/// A constant moment of friction, by a coefficient that falls with the force: no force of the pin changes it, also where none is known yet.
#[test]
fn a_coefficient_by_the_force_of_the_hinge_brakes_by_a_constant_moment_from_the_start_on() {
    let law = "coulomb = { coefficient = 0.3 }";
    for coefficient in ["0.1/(0.02*N)", "0.1/(0.02*max(N, 0.1))"] {
        let text = disc().edit(law, &format!("expression = {{ coefficient = \"{coefficient}\" }}"));
        let mut sim = Simulation::of(&text);
        let weight = 2.0 * 9.81;
        assert!((sim.get("joints.bearing.normal_force") - weight).abs() < 1e-9 * weight);
        assert!((sim.get("joints.bearing.friction_force") - 5.0).abs() < 1e-9);
        sim.run(2.0, 0.01, |_| {});
        let exact = 5.0 * 2.0 - 0.5 * 0.1 / 0.05 * 4.0;
        assert!((sim.get("probes.disc") - exact).abs() < 1e-6 * exact);
    }
}

#[test]
fn a_bearing_holds_up_to_its_moment_and_slips_beyond() {
    let still = disc().edit("rotation_rate = 5.0", "rotation_rate = 0.0");
    let limit = 0.3 * 0.02 * 2.0 * 9.81;
    for (share, slides) in [(0.99_f64, false), (1.01, true)] {
        let text = still.edit("moment = 0.0", &format!("moment = {:?}", share * limit));
        let mut sim = Simulation::of(&text);
        // Friction at the start, where no force of the pin is known before.
        let holds = sim.get("joints.bearing.friction_force") * 0.02;
        assert!(
            (holds - share.min(1.0) * limit).abs() < 1e-9 * limit,
            "{share}: {holds} of {limit} N·m"
        );
        assert_eq!(sim.get("joints.bearing.sticking"), f64::from(u8::from(!slides)));
        sim.run(1.0, 0.01, |_| {});
        let exact = if slides { 0.5 * 0.01 * limit / 0.05 } else { 0.0 };
        let found = sim.get("probes.disc");
        assert!((found - exact).abs() < 1e-3 * exact + 1e-9, "{share}: {found} {exact}");
    }
}

/// A bar of 1 kg and 0.6 m that swings about its end, where a pin rubs.
fn pendulum(law: &str, step: &str) -> String {
    disc()
        .edit("step = 1e-3", &format!("step = {step}"))
        .edit(
            "a = [-0.1, -0.1]\nb = [0.1, -0.1]\nc = [0.1, 0.1]\nd = [-0.1, 0.1]",
            "a = [0.0, -0.02]\nb = [0.6, -0.02]\nc = [0.6, 0.02]\nd = [0.0, 0.02]",
        )
        .edit("mass = 2.0\ninertia = 0.05", "mass = 1.0\ninertia = 0.03")
        .edit("friction.coulomb = { coefficient = 0.3 }", law)
        .edit("rotation_rate = 5.0", "rotation_rate = 0.0")
}

#[test]
fn a_pendulum_swings_under_the_friction_of_the_force_that_it_has_in_its_pin() {
    let (mass, c, own, g, mu, r) = (1.0, 0.3, 0.03, 9.81, 0.3, 0.02);
    // The force follows from the acceleration, which follows from the force: iterated.
    let rise = move |p: f64, v: f64| {
        let mut rise = 0.0;
        for _ in 0..60 {
            let along = -mass * c * v * v + mass * g * p.sin();
            let across = mass * c * rise + mass * g * p.cos();
            let brake = mu * r * f64::hypot(along, across) * v.signum();
            rise = (-mass * g * c * p.cos() - brake) / (own + mass * c * c);
        }
        rise
    };
    let errors = ["1e-3", "5e-4"].map(|step| {
        let mut sim = Simulation::of(&pendulum("friction.coulomb = { coefficient = 0.3 }", step));
        let (mut exact, mut before, mut worst) = ([0.0, -1e-12], 0.0, 0.0_f64);
        // It turns back after 0.7 s; before that nothing jumps.
        sim.run(0.6, 0.02, |sim| {
            let t = sim.time();
            exact = runge_kutta(exact, before, t, 100, move |_, &[p, v]| [v, rise(p, v)]);
            before = t;
            worst = worst.max((sim.get("probes.disc") - exact[0]).abs());
        });
        assert!(sim.get("energy.balance").abs() < 1e-4);
        worst
    });
    println!("{errors:?}, order {:.2?}", orders(&errors));
    assert!(errors[1] < 1e-5 && orders(&errors)[0] > 1.8, "{errors:?}");
}

#[test]
fn a_pendulum_comes_to_rest_where_friction_holds_it_under_every_law() {
    for law in [
        "friction.coulomb = { coefficient = 0.6, static_coefficient = 0.8 }",
        "friction.stribeck = { static_coefficient = 0.8, kinetic_coefficient = 0.5, decay_velocity = 0.01 }",
        "friction.lugre = { stiffness = 1e6, damping = 1e2, static_coefficient = 0.8, kinetic_coefficient = 0.6, decay_velocity = 0.01 }",
        "friction.dahl = { stiffness = 1e6, coefficient = 0.6 }",
    ] {
        let mut sim = Simulation::of(&pendulum(law, "1e-3"));
        let (mut lost, mut angle) = (0.0, 0.0);
        sim.run(12.0, 0.01, |sim| {
            let now = sim.get("joints.bearing.dissipated_energy");
            assert!(now >= lost - 1e-6, "{law}: {now} after {lost}");
            lost = now;
            if sim.time() < 11.5 {
                angle = sim.get("probes.disc");
            }
        });
        let rest = sim.get("probes.disc");
        // Friction holds m g c cos φ ≤ μ r m g.
        assert!((rest.cos() * 0.3).abs() <= 0.8 * 0.02 * 1.01, "{law}: {rest}");
        // Dahl's law creeps with every small swing of its load.
        let creeps = if law.contains("dahl") { 1e-3 } else { 1e-4 };
        assert!((rest - angle).abs() < creeps, "{law}: creeps from {angle} to {rest}");
        let balance = sim.get("energy.balance").abs();
        println!("{law}: rests at {rest:.4} rad, balance {balance:.1e} J");
        assert!(balance < 5e-3, "{law}: {balance:e}");
    }
}

#[test]
fn derivatives_of_a_friction_hinge_are_those_of_differences() {
    let text = sharp(&pendulum("friction.coulomb = { coefficient = 0.3 }", "1e-3"), 1e-13);
    let text = text.edit("inputs = [", "parameters = [\"joints.bearing.friction.*\"]\ninputs = [");
    let knowns =
        [("loads.turn.moment", 0.1), ("joints.bearing.friction.coulomb.coefficient", 1e-2)];
    check_run(&text, 0.3, &knowns, 1e-5, 9);
}

#[test]
fn a_hinge_with_friction_between_two_bodies_brings_the_one_up_to_the_speed_of_the_other() {
    let text = disc()
        .edit("axle = [0.0, 0.0]", "axle = [0.0, 0.0]\nrim = [0.2, 0.0]\ne = [-0.2, -0.2]\nf = [0.2, -0.2]\ng = [0.2, 0.2]\nh = [-0.2, 0.2]")
        .edit("[bodies.disc]", "[bodies.table]\nrigid = true\nmass = 3.0\ninertia = 0.2\npoints = [\"axle\", \"rim\"]\n[bodies.table.patch]\ncells = [1, 1]\n\
            edges = [{ name = \"s\", from = \"e\", to = \"f\" }, { name = \"e\", from = \"f\", to = \"g\" }, { name = \"n\", from = \"g\", to = \"h\" }, { name = \"w\", from = \"h\", to = \"e\" }]\n[bodies.disc]")
        .edit("[probes.disc]\nrotation = { point = \"axle\" }", "[probes.disc]\nrotation = { point = \"rim\" }\n[couplings.own]\ndriven = { to = \"rim\" }\n[motions.own]\ncoupling = \"own\"\nrate = 5.0")
        .edit("[initial.points.axle]\nrotation_rate = 5.0\n", "")
        .edit("[loads.turn]\npoint = \"axle\"", "[loads.turn]\npoint = \"rim\"");
    // The table turns with 5 rad/s; the disc on it is brought up to that by μ r m g / I.
    let mut sim = Simulation::of(&text);
    let rise = 0.3 * 0.02 * 2.0 * 9.81 / 0.05;
    let end = 5.0 / rise;
    sim.run(3.0, 0.01, |sim| {
        let t = sim.time();
        let slipped = sim.get("joints.bearing.position") / 0.02;
        let u = t.min(end);
        let exact = 0.5 * rise * u * u - 5.0 * u;
        assert!((slipped - exact).abs() < 2e-4 * (1.0 + exact.abs()), "{t}: {slipped} {exact}");
    });
    assert_eq!(sim.get("joints.bearing.sticking"), 1.0);
}

#[test]
fn a_bearing_holds_in_statics_what_it_holds_in_motion() {
    let text = disc()
        .edit("[solver]", "[solver]\nanalysis = \"quasi_static\"")
        .edit("[initial.points.axle]\nrotation_rate = 5.0\n", "")
        .edit("moment = 0.0", "moment = 0.1");
    let mut sim = Simulation::of(&text);
    sim.run(0.1, 0.01, |_| {});
    assert!(sim.get("probes.disc").abs() < 1e-12);
    let friction = sim.get("joints.bearing.friction_force") * 0.02;
    assert!((friction.abs() - 0.1).abs() < 1e-9, "{friction}");
}

/// A crank (o to p) and two rigid bodies that hang on its pin p, with these joints.
fn three_on_a_pin(joints: &str) -> String {
    Mechanism::new("pin")
        .step(1e-3)
        .gravity(-9.81)
        .points("o = [0.0, 0.0], p = [0.4, 0.0], q = [0.8, 0.0], r = [0.4, 0.5], c2 = [0.6, 0.0], c3 = [0.4, 0.3]")
        .entry("bodies.b2", "rigid = true, mass = 1.3, inertia = 0.05, center = 'c2', points = ['p', 'q']")
        .entry("bodies.b3", "rigid = true, mass = 0.9, inertia = 0.03, center = 'c3', points = ['p', 'r']")
        .entry("members.b1", "from = 'o', to = 'p', rigid = true, mass = 0.7, inertia = 0.02")
        .pin("o")
        .outputs("points.*")
        .add(joints)
        .text()
}

/// Without friction that acts they move as on a plain hinge: three turn on their own.
#[test]
fn bodies_that_hinges_with_friction_release_are_not_clamped_to_the_member_that_stays() {
    let released = |body: &str| {
        format!(
            "[joints.{body}]\nhinge = {{ point = 'p', release = ['{body}'], radius = 0.05 }}\nfriction.coulomb = {{ coefficient = 0.0 }}\n"
        )
    };
    let [mut plain, mut pinned] =
        ["[joints.p]\nhinge = { point = 'p' }\n".to_owned(), released("b2") + &released("b3")]
            .map(|joints| Simulation::of(&three_on_a_pin(&joints)));
    for sim in [&mut plain, &mut pinned] {
        sim.run(0.3, 0.01, |_| ());
    }
    for path in ["points.p.x", "points.p.y", "points.q.x", "points.q.y", "points.r.x", "points.r.y"]
    {
        let [expected, seen] = [plain.get(path), pinned.get(path)];
        assert!((seen - expected).abs() < 1e-7, "{path}: {seen} {expected}");
    }
}
