//! Friction of hinges whose sides are elastic: the one that turns has a node of its own there, held by a pin.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};
use crate::common::{self, Simulation, orders, runge_kutta};

/// A rotor of two arms of 0.6 kg each, clamped to each other on the end of a post.
fn rotor() -> String {
    Mechanism::new("rotor")
        .step(1e-3)
        .points("root = [0.0, -0.5], axle = [0.0, 0.0], a = [-0.3, 0.0], b = [0.3, 0.0]")
        .material("stiff", 2e11, 0.3, 2000.0)
        .material("light", 2e11, 0.3, 0.0)
        .section("arm", "properties = { area = 1e-3, second_moment = 1e-6 }")
        .member("left", ["axle", "a"], "elements = 1, material = 'stiff', section = 'arm'")
        .member("right", ["axle", "b"], "elements = 1, material = 'stiff', section = 'arm'")
        .member("post", ["root", "axle"], "elements = 1, material = 'light', section = 'arm'")
        .clamp("root")
        .joint("bearing", "hinge = { point = 'axle', release = ['post'], radius = 0.02 }")
        .and("friction.coulomb = { coefficient = 0.3 }")
        .gravity(-9.81)
        .load("turn", "point = 'a', moment = 0.0")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("a", "rotation_rate = 5.0")
        .probe("arm", "rotation = { point = 'axle', member = 'left' }")
        .inputs("loads.turn.moment")
        .outputs("joints.* probes.* members.* energy.*")
        .text()
}

/// Mass and moment of inertia of the rotor.
const MASS: f64 = 1.2;
const INERTIA: f64 = 0.036;

#[test]
fn an_elastic_rotor_spins_down_on_an_elastic_post_and_stays() {
    let mut sim = Simulation::of(&rotor());
    let brake = 0.3 * 0.02 * MASS * 9.81;
    let (time, angle) = (5.0 * INERTIA / brake, 0.5 * 25.0 * INERTIA / brake);
    let mut worst = 0.0_f64;
    sim.run(3.0, 0.01, |sim| {
        let t = sim.time().min(time);
        let exact = 5.0 * t - 0.5 * brake / INERTIA * t * t;
        worst = worst.max((sim.get("probes.arm") - exact).abs());
    });
    println!("angle {} of {angle} rad, off by {worst:.1e}", sim.get("probes.arm"));
    assert!(worst < 1e-4 * angle, "{worst:e}");
    assert_eq!(sim.get("joints.bearing.sticking"), 1.0);
    assert!((sim.get("joints.bearing.normal_force") - MASS * 9.81).abs() < 1e-3);
    // The post carries what presses.
    assert!((sim.get("members.post.to.fy") + MASS * 9.81).abs() < 1e-3);
    let lost = sim.get("joints.bearing.dissipated_energy");
    assert!((lost - 0.5 * INERTIA * 25.0).abs() < 1e-4, "{lost}");
    assert!(sim.get("energy.balance").abs() < 1e-5);
}

#[test]
fn an_elastic_bearing_holds_up_to_its_moment_and_slips_beyond_in_motion_and_in_statics() {
    let still = rotor().edit("rotation_rate = 5.0", "rotation_rate = 0.0");
    let limit = 0.3 * 0.02 * MASS * 9.81;
    for (share, slides) in [(0.99, false), (1.01, true)] {
        let text = still.edit("moment = 0.0", &format!("moment = {:?}", share * limit));
        let mut sim = Simulation::of(&text);
        sim.run(1.0, 0.01, |_| {});
        let slipped = sim.get("joints.bearing.position").abs() / 0.02;
        let exact = if slides { 0.5 * 0.01 * limit / INERTIA } else { 0.0 };
        // The load that begins at once lets the arms swing by microradians.
        assert!((slipped - exact).abs() < 2e-2 * exact + 1e-5, "{share}: {slipped} {exact}");
    }
    let text = still
        .edit("[solver]", "[solver]\nanalysis = \"quasi_static\"")
        .edit("[initial]\nvelocities = \"rigid_mechanism\"\n[initial.points.a]\nrotation_rate = 0.0\n", "")
        .edit("moment = 0.0", "moment = 0.05");
    let mut sim = Simulation::of(&text);
    sim.run(0.1, 0.01, |_| {});
    let friction = sim.get("joints.bearing.friction_force") * 0.02;
    assert!((friction.abs() - 0.05).abs() < 1e-9, "{friction}");
    assert!(sim.get("joints.bearing.position").abs() < 1e-12);
}

#[test]
fn an_elastic_bar_spins_down_at_a_support_by_the_force_of_its_own_turning() {
    // J ω′ = −μ r F with F² = (m d ω²)² + (m d ω′)².
    let (mass, d, length, mu, r) = (1.2, 0.3, 0.6, 0.25, 0.03);
    let about: f64 = mass * length * length / 3.0;
    let rise = move |w: f64| {
        let share: f64 = mu * r * mass * d / about;
        -share * w * w / (1.0 - share * share).sqrt()
    };
    let text = rotor()
        .edit("a = [-0.3, 0.0]", "a = [-0.6, 0.0]")
        .edit("[members.right]\nfrom = \"axle\"\nto = \"b\"\nelements = 1\nmaterial = \"stiff\"\nsection = \"arm\"\n", "")
        .edit("[members.post]\nfrom = \"root\"\nto = \"axle\"\nelements = 1\nmaterial = \"light\"\nsection = \"arm\"\n", "")
        .edit("b = [0.3, 0.0]\n", "")
        .edit("point = \"root\"\nfix = [\"x\", \"y\", \"rotation\"]", "point = \"axle\"\nfix = [\"x\", \"y\"]")
        .edit("release = [\"post\"], radius = 0.02", "release = [\"left\"], radius = 0.03")
        .edit("coefficient = 0.3", "coefficient = 0.25")
        .edit("[gravity]\ny = -9.81\n", "")
        .edit("rotation_rate = 5.0", "rotation_rate = 20.0");
    let errors = ["4e-3", "2e-3", "1e-3"].map(|step| {
        let mut sim = Simulation::of(&text.edit("step = 1e-3", &format!("step = {step}")));
        let (mut exact, mut before, mut worst) = ([0.0, 20.0], 0.0, 0.0_f64);
        sim.run(1.0, 0.02, |sim| {
            let t = sim.time();
            exact = runge_kutta(exact, before, t, 20, move |_, &[_, w]| [w, rise(w)]);
            before = t;
            worst = worst.max((sim.get("probes.arm") - exact[0]).abs());
        });
        let balance = sim.get("energy.balance");
        println!("balance {balance:.1e} of {:.1} J", 0.5 * about * 400.0);
        worst
    });
    println!("{errors:?} rad, order {:.2?}", orders(&errors));
    assert!(errors[2] < 1e-3);
}

/// Two arms that swing from a support, the knee between them rubs.
fn chain(young: &str, step: &str, lower_is_rigid: bool) -> String {
    let bar = |kind: &str| format!("{kind}, material = 'steel', section = 'bar'");
    let chain = Mechanism::new("chain")
        .solver(format!("step = {step}"))
        .points("top = [0.0, 0.0], knee = [0.5, 0.0], tip = [0.9, 0.1]")
        .entry("materials.steel", format!("young_modulus = {young}"))
        .and("poisson_ratio = 0.3, density = 4000.0")
        .rectangle("bar", 0.03, 0.01)
        .member("upper", ["top", "knee"], bar("rigid = true"))
        .member(
            "lower",
            ["knee", "tip"],
            bar(if lower_is_rigid { "rigid = true" } else { "elements = 2" }),
        )
        .pin("top")
        .mass("knee", 0.2)
        .joint("knee", "hinge = { point = 'knee', release = ['lower'], radius = 0.03 }")
        .and("friction.coulomb = { coefficient = 0.2 }")
        .gravity(-9.81)
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("knee", "vy = -0.5")
        .start("tip", "vx = 3.0")
        .load("push", "point = 'tip', fy = 0.0")
        .inputs("loads.push.fy")
        .outputs("joints.* points.tip.* energy.*");
    let damping = "[damping.all]\nstiffness_coefficient = 3e-4";
    chain.add(if lower_is_rigid { "" } else { damping }).text()
}

#[test]
fn as_it_gets_stiffer_an_elastic_arm_slows_down_as_a_rigid_one() {
    let end = |text: &str| {
        let mut sim = Simulation::of(text);
        sim.run(0.4, 0.01, |_| {});
        ["x", "y"].map(|axis| sim.get(&format!("points.tip.{axis}")))
    };
    let exact = end(&chain("1e11", "1e-4", true));
    let errors = ["1e9", "1e10", "1e11"].map(|young| {
        let found = end(&chain(young, "1e-4", false));
        f64::hypot(found[0] - exact[0], found[1] - exact[1])
    });
    println!("off the rigid arm by {errors:?} m");
    assert!(errors[1] < 0.2 * errors[0] && errors[2] < 0.3 * errors[1], "{errors:?}");
    assert!(errors[2] < 1e-5, "{errors:?}");
}

#[test]
fn an_elastic_chain_whose_knee_has_friction_is_of_second_order_in_the_step() {
    let end = |step: &str| {
        let mut sim = Simulation::of(&chain("1e9", step, false));
        sim.run(0.2, 0.01, |_| {});
        ["x", "y"].map(|axis| sim.get(&format!("points.tip.{axis}")))
    };
    let all: Vec<[f64; 2]> = ["2e-4", "1e-4", "5e-5", "2.5e-5"].into_iter().map(end).collect();
    let errors: Vec<f64> = (all.windows(2))
        .map(|pair| f64::hypot(pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]))
        .collect();
    println!("{errors:?}, order {:.2?}", orders(&errors));
    // Between the first and the last step: how exactly each step finds its events varies.
    let order = 0.5 * orders(&errors).iter().sum::<f64>();
    assert!(order > 1.8, "{errors:?}");
}

#[test]
fn derivatives_of_an_elastic_hinge_that_rubs_are_those_of_differences() {
    let text = sharp(&chain("1e9", "1e-3", false), 1e-13)
        .edit("inputs = [", "parameters = [\"joints.knee.friction.*\"]\ninputs = [")
        .edit("outputs = [", "outputs = [\"members.lower.from.*\", ");
    let knowns = [("loads.push.fy", 0.1), ("joints.knee.friction.coulomb.coefficient", 1e-2)];
    // Forces are right to 1.1e-7 of the largest change; that along x is a hundredth of it.
    check_run(&text, 0.2, &knowns, 2e-5, 9);
}

#[test]
fn three_members_on_one_pin_rub_each_on_the_one_that_stays() {
    // Two equal arms that hang from the end of a post turn apart, each by a moment of its own; both rub by what they weigh.
    let text = rotor()
        .edit("[joints.bearing]\nhinge = { point = \"axle\", release = [\"post\"], radius = 0.02 }", "[joints.l]\nhinge = { point = \"axle\", release = [\"left\"], radius = 0.02 }\nfriction.coulomb = { coefficient = 0.3 }\n[joints.r]\nhinge = { point = \"axle\", release = [\"right\"], radius = 0.02 }")
        .edit("[initial]\nvelocities = \"rigid_mechanism\"\n[initial.points.a]\nrotation_rate = 5.0\n", "")
        .edit("a = [-0.3, 0.0]\nb = [0.3, 0.0]", "a = [0.0, 0.3]\nb = [0.0, -0.3]")
        .edit("[gravity]\ny = -9.81\n", "[damping.all]\nstiffness_coefficient = 1e-3\n[loads.left]\npoint = \"axle\"\nfx = 100.0\n[loads.pull]\npoint = \"a\"\nfy = 50.0\n");
    let limit = 0.3 * 0.02 * 50.0;
    let mut sim =
        Simulation::of(&text.edit("moment = 0.0", &format!("moment = {:?}", 0.9 * limit)));
    sim.run(0.2, 0.01, |_| {});
    // The load on the pin itself presses neither of them.
    assert!((sim.get("joints.l.normal_force") - 50.0).abs() < 1.0);
    assert!(sim.get("joints.r.normal_force").abs() < 1.0);
    assert_eq!(sim.get("joints.l.sticking"), 1.0);
    let found = sim.get("joints.l.friction_force") * 0.02;
    assert!((found.abs() - 0.9 * limit).abs() < 0.02 * limit, "{found}");
}

#[test]
fn what_an_elastic_hinge_cannot_have_is_refused() {
    let both = "[joints.other]\nhinge = { point = \"axle\", release = [\"left\", \"right\"] }\n[joints.bearing]";
    let alone = rotor()
        .edit("point = \"axle\", release = [\"post\"]", "point = \"a\", release = [\"left\"]");
    for (text, what) in [
        (rotor().edit("[joints.bearing]", both), "it is open against which of them"),
        (
            alone.edit("[loads.turn]\npoint = \"a\"", "[loads.turn]\npoint = \"b\""),
            "nothing else is at point `a`",
        ),
    ] {
        let said = common::check(&text, &[]).expect_err("a fault");
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn a_saved_state_of_an_elastic_hinge_goes_on_to_the_same_bits() {
    let text = chain("1e9", "1e-3", false);
    let mut sim = Simulation::of(&text);
    sim.run(0.1, 0.01, |_| {});
    let saved = sim.state.clone();
    sim.run(0.2, 0.01, |_| {});
    let mut other = Simulation::of(&text);
    other.state = saved;
    other.run(0.2, 0.01, |_| {});
    for output in ["joints.knee.position", "joints.knee.friction_force", "points.tip.x"] {
        assert_eq!(sim.get(output).to_bits(), other.get(output).to_bits());
    }
}

#[test]
fn an_elastic_hinge_takes_springs_drives_masses_and_paths_at_its_point() {
    // The knee is driven by a coupling: friction asks the drive for its power, and the balance closes.
    let driven = chain("1e9", "1e-3", false).edit(
        "[interface]",
        "[couplings.knee]\ndriven = { from = \"knee\", from_member = \"upper\", to = \"knee\", to_member = \"lower\" }\n\
         [motions.knee]\ncoupling = \"knee\"\nrate = 3.0\n[interface]",
    );
    let driven = driven.edit("outputs = [", "outputs = [\"couplings.*\", \"motions.*\", ").edit(
        "[initial.points.knee]\nvy = -0.5\n[initial.points.tip]\nvx = 3.0\n",
        "[initial.points.knee]\nvy = -0.5\n",
    );
    let mut sim = Simulation::of(&driven);
    sim.run(0.3, 0.01, |_| {});
    assert!((sim.get("joints.knee.position") - 0.03 * 0.9).abs() < 1e-9);
    let force = sim.get("joints.knee.normal_force");
    assert!((sim.get("joints.knee.friction_force") - 0.2 * force).abs() < 1e-9 * force);
    assert!(sim.get("energy.balance").abs() < 1e-4);
    // A spring of rotations with stops limits it: elastic ones, or rigid ones with friction that has a stiffness, as friction that
    // sticks would hold what a closed stop holds.
    let limited = |stop: &str, law: &str| {
        let text = chain("1e9", "1e-3", false).edit(
            "[interface]",
            &format!(
                "[springs.limit]\nfrom = \"knee\"\nto = \"knee\"\nfrom_member = \"upper\"\nto_member = \"lower\"\n\
                 direction = \"rotation\"\nstiffness = 2.0\nstop = {{ least = -0.3, most = 0.3, {stop} }}\n[interface]"
            ),
        );
        let text = text.edit("outputs = [", "outputs = [\"springs.*\", ");
        let text = text.edit("tip]\nvx = 3.0", "tip]\nvx = 1.0");
        Simulation::of(&text.edit("coulomb = { coefficient = 0.2 }", law))
    };
    let bristles = "bristle_lcp = { stiffness = 1e6, coefficient = 0.2 }";
    for (stop, law, beyond) in [
        ("stiffness = 1e4", "coulomb = { coefficient = 0.2 }", 1e-2),
        ("rigid = true", bristles, 1e-6),
        ("rigid = true", "coulomb = { coefficient = 0.2 }", 1e-6),
    ] {
        let mut sim = limited(stop, law);
        let mut most = 0.0_f64;
        sim.run(1.0, 0.01, |sim| {
            let turned = sim.get("joints.knee.position") / 0.03;
            most = most.max(turned.abs());
            assert!((turned - sim.get("springs.limit.angle")).abs() < 1e-9);
        });
        println!("{stop}: up to {most} rad, balance {:e} J", sim.get("energy.balance"));
        assert!(most > 0.299 && most < 0.3 + beyond, "{most}");
        // The elastic stop is hit and left within ten steps.
        assert!(sim.get("energy.balance").abs() < 1.2e-2);
    }
}
