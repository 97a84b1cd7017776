//! Rigid members against closed forms, own integrations and rigid bodies.

use std::f64::consts::PI;

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check, sharp};
use crate::common::{self, Simulation, orders, runge_kutta};

const G: f64 = 9.81;

/// A bar of 2 kg and 1.2 m that hangs at its end and is let go along +x.
fn bar() -> String {
    Mechanism::new("bar")
        .step(1e-3)
        .points("top = [0.0, 0.0], tip = [1.2, 0.0]")
        .member("bar", ["top", "tip"], "rigid = true, mass = 2.0, inertia = 0.24")
        .pin("top")
        .gravity(-9.81)
        .probe("bar", "rotation = { point = 'top' }")
        .outputs("points.* members.* probes.* energy.*")
        .text()
}

#[test]
fn a_rigid_bar_swings_as_its_own_equation_does_and_its_pin_carries_it() {
    let (mass, half, about_top) = (2.0, 0.6, 0.24 + 2.0 * 0.36);
    let rise = move |p: f64| -mass * G * half * p.cos() / about_top;
    let errors = ["2e-3", "1e-3"].map(|step| {
        let mut sim = Simulation::of(&bar().edit("step = 1e-3", &format!("step = {step}")));
        let (mut exact, mut before, mut worst) = ([0.0, 0.0], 0.0, 0.0_f64);
        sim.run(2.0, 0.02, |sim| {
            let t = sim.time();
            exact = runge_kutta(exact, before, t, 200, move |_, &[p, v]| [v, rise(p)]);
            before = t;
            let [p, v] = exact;
            worst = worst.max((sim.get("probes.bar") - p).abs());
            // m a of the middle, less the weight.
            let along = -mass * half * v * v;
            let across = mass * half * rise(p);
            let fx = along * p.cos() - across * p.sin();
            let fy = along * p.sin() + across * p.cos() + mass * G;
            let found = ["fx", "fy"].map(|k| sim.get(&format!("members.bar.from.{k}")));
            assert!(
                (found[0] - fx).abs() < 2e-2 && (found[1] - fy).abs() < 2e-2,
                "{found:?} {fx} {fy}"
            );
            for end in ["to.fx", "to.fy"] {
                assert!(sim.get(&format!("members.bar.{end}")).abs() < 1e-9);
            }
            assert!((sim.get("members.bar.centre_x") - half * p.cos()).abs() < 1e-3);
            let turning = about_top * v;
            assert!(
                (sim.get("members.bar.angular_momentum") - turning).abs()
                    < 2e-3 * turning.abs() + 1e-3
            );
        });
        assert!(sim.get("energy.balance").abs() < 1e-3);
        worst
    });
    println!("{errors:?}, order {:.2?}", orders(&errors));
    assert!(errors[1] < 3e-5 && orders(&errors)[0] > 1.9, "{errors:?}");
}

/// The first frequency of what hangs at `top`, rad/s.
fn frequency(text: &str) -> f64 {
    Simulation::of(text).frequencies(1)[0]
}

/// What a section of 0.01 m² and 2e-5 m⁴ of 800 kg/m³ makes of a member.
const MADE: &str = r#"material = "wood"
section = "plank"
[materials.wood]
young_modulus = 1e10
poisson_ratio = 0.3
density = 800.0
[sections.plank]
properties = { area = 0.01, second_moment = 2e-5 }
"#;

#[test]
fn mass_and_inertia_follow_from_material_and_section_along_any_axis() {
    let hanging = bar().edit("tip = [1.2, 0.0]", "tip = [0.0, -1.2]");
    let given = frequency(&hanging);
    let exact = (2.0 * G * 0.6 / (0.24 + 2.0 * 0.36)).sqrt();
    assert!((given / exact - 1.0).abs() < 1e-9, "{given} {exact}");
    let made = hanging.edit("mass = 2.0\ninertia = 0.24\n", MADE);
    let uniform = frequency(&made);
    let exact = (1.5 * G / 1.2).sqrt();
    assert!((uniform / exact - 1.0).abs() < 1e-9, "{uniform} {exact}");
    let thick = frequency(&made.edit("material =", "rotary_inertia = true\nmaterial ="));
    let about = 0.01 * 1.2_f64.powi(3) / 3.0 + 2e-5 * 1.2;
    let exact = (0.01 * 1.2 * G * 0.6 / about).sqrt();
    assert!((thick / exact - 1.0).abs() < 1e-9, "{thick} {exact}");
    // Half a circle of radius R that hangs at one end, its other end in the initial configuration below: centre and inertia by hand.
    let radius: f64 = 0.6;
    let mass = PI * radius;
    let aside = 2.0 * radius / PI;
    let inertia = mass * radius * radius - mass * aside * aside;
    let far = radius.hypot(aside);
    let exact = (mass * G * far / (inertia + mass * far * far)).sqrt();
    // Turned so that its centre of mass hangs below its end.
    let (sin, cos) = (aside / radius).atan().sin_cos();
    let tip = format!("tip = [{:?}, {:?}]", 1.2 * sin, -1.2 * cos);
    let bow = made
        .edit("tip = [0.0, -1.2]", &tip)
        .edit("rigid = true", "rigid = true\nelements = 6\narc.angle = 3.14159265358979");
    let found = frequency(&bow);
    println!("bar {given}, plank {uniform}, half circle {found} of {exact} rad/s");
    assert!((found / exact - 1.0).abs() < 1e-9, "{found} {exact}");
}

/// A bead that slides without friction on a rigid bar which turns freely about its middle.
fn turntable() -> String {
    Mechanism::new("turntable")
        .step(5e-4)
        .points("left = [-2.0, 0.0], middle = [0.0, 0.0], right = [2.0, 0.0], bead = [0.3, 0.0]")
        .member("a", ["left", "middle"], "rigid = true, mass = 1.5, inertia = 0.5")
        .member("b", ["middle", "right"], "rigid = true, mass = 1.5, inertia = 0.5")
        .mass("bead", 0.8)
        .pin("middle")
        .slider("bead", "bead", "a b", "start = 'left'")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("middle", "rotation_rate = 3.0")
        .start("bead", "vx = 0.0")
        .probe("turn", "rotation = { point = 'middle' }")
        .outputs("joints.* members.* mechanism.* probes.* energy.*")
        .text()
}

#[test]
fn a_bead_runs_out_on_two_clamped_rigid_members_and_slows_them() {
    // J ω + m r² ω and ½ J ω² + ½ m (ṙ² + r² ω²) stay.
    let (own, bead) = (2.0 * (0.5 + 1.5), 0.8);
    let spin = (own + bead * 0.09) * 3.0;
    let rise = move |_: f64, &[r, v, _]: &[f64; 3]| {
        let rate = spin / (own + bead * r * r);
        [v, rate * rate * r, rate]
    };
    let mut sim = Simulation::of(&turntable());
    let (mut exact, mut before, mut worst) = ([0.3, 0.0, 0.0], 0.0, [0.0_f64; 2]);
    sim.run(0.6, 0.01, |sim| {
        let t = sim.time();
        exact = runge_kutta(exact, before, t, 100, rise);
        before = t;
        let place = sim.get("joints.bead.position") - 2.0;
        worst[0] = worst[0].max((place - exact[0]).abs());
        worst[1] = worst[1].max((sim.get("probes.turn") - exact[2]).abs());
        assert!((sim.get("mechanism.angular_momentum") - spin).abs() < 1e-5);
    });
    println!("bead at {:.4} m, errors {worst:?}", exact[0]);
    assert!(exact[0] > 0.9 && worst[0] < 2e-5 && worst[1] < 2e-5, "{worst:?}");
    assert!(sim.get("energy.balance").abs() < 1e-4);
}

#[test]
fn a_bead_runs_out_on_a_massless_rigid_path_that_is_driven() {
    let mut sim = Mechanism::new("driven")
        .step(5e-4)
        .points("left = [0.0, 0.0], right = [4.0, 0.0], bead = [0.5, 0.0]")
        .member("path", ["left", "right"], "rigid = true")
        .mass("bead", 0.8)
        .pin("left")
        .motion("turn", "member = 'path', direction = 'rotation', rate = 2.0")
        .slider("bead", "bead", "path", "")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("bead", "vx = 0.0")
        .outputs("joints.* energy.*")
        .simulation();
    let mut worst = 0.0_f64;
    sim.run(1.2, 0.01, |sim| {
        let t = sim.time();
        let exact = 0.5 * (2.0 * t).cosh();
        worst = worst.max((sim.get("joints.bead.position") - exact).abs());
        let force = 2.0 * 0.8 * 2.0 * 0.5 * 2.0 * (2.0 * t).sinh();
        let found = sim.get("joints.bead.normal_force");
        assert!((found - force).abs() < 1e-3 * force + 1e-2, "{t}: {found} {force}");
    });
    println!("error {worst:e} m");
    assert!(worst < 1e-5);
    assert!(sim.get("energy.balance").abs() < 1e-4);
}

/// An L of two clamped members of 1 kg/m, 1 m along x and 0.5 m down, that hangs in its corner.
#[test]
fn two_rigid_members_that_meet_without_a_hinge_turn_as_one() {
    let text = bar()
        .edit("tip = [1.2, 0.0]", "tip = [1.0, 0.0]\nlow = [0.0, -0.5]")
        .edit("mass = 2.0\ninertia = 0.24", "mass = 1.0\ninertia = 0.08333333333333333")
        .edit(
            "[supports.top]",
            "[members.leg]\nfrom = \"top\"\nto = \"low\"\nrigid = true\nmass = 0.5\ninertia = 0.010416666666666666\n[supports.top]",
        );
    let about = 1.0 / 3.0 + 0.125 / 3.0;
    let mut sim = Simulation::of(&text);
    let (mut exact, mut before, mut worst) = ([0.0, 0.0], 0.0, 0.0_f64);
    sim.run(1.5, 0.02, |sim| {
        let t = sim.time();
        let rise =
            |_: f64, &[p, v]: &[f64; 2]| [v, (-G * 0.5 * p.cos() - G * 0.125 * p.sin()) / about];
        exact = runge_kutta(exact, before, t, 200, rise);
        before = t;
        worst = worst.max((sim.get("probes.bar") - exact[0]).abs());
    });
    println!("error {worst:e} rad");
    assert!(worst < 5e-5);
    // Hinged they are two pendulums.
    let hinged =
        text.edit("[supports.top]", "[joints.corner]\nhinge = { point = \"top\" }\n[supports.top]");
    let mut sim = Simulation::of(&hinged.edit(
        "rotation = { point = \"top\" }",
        "rotation = { point = \"top\", member = \"bar\" }",
    ));
    let (mut exact, mut before) = ([0.0, 0.0], 0.0);
    sim.run(1.0, 0.02, |sim| {
        let t = sim.time();
        exact = runge_kutta(exact, before, t, 200, |_, &[p, v]| [v, -1.5 * G * p.cos()]);
        before = t;
        assert!((sim.get("probes.bar") - exact[0]).abs() < 5e-5);
    });
}

/// A slider-crank whose rigid crank turns at 10 rad/s: piston and forces by hand.
fn crank() -> String {
    Mechanism::new("slider_crank")
        .step(5e-4)
        .points("axle = [0.0, 0.0], pin = [0.1, 0.0], piston = [0.5, 0.0], left = [0.1, 0.0]")
        .and("right = [1.0, 0.0]")
        .member("crank", ["axle", "pin"], "rigid = true, mass = 0.5, inertia = 0.0005")
        .member("rod", ["pin", "piston"], "rigid = true, mass = 0.8, inertia = 0.0107")
        .guide("guide", ["left", "right"], "elements = 1, order = 1")
        .mass("piston", 1.2)
        .pin("axle")
        .motion("crank", "member = 'crank', direction = 'rotation', rate = 10.0")
        .joint("pin", "hinge = { point = 'pin' }")
        .slider("piston", "piston", "guide", "")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .outputs("points.* joints.* members.* motions.* energy.*")
        .text()
}

#[test]
fn a_slider_crank_of_rigid_members_has_the_forces_of_the_textbook() {
    let (r, l, w) = (0.1_f64, 0.4_f64, 10.0_f64);
    let (rod, own, piston) = (0.8, 0.0107, 1.2);
    let errors: Vec<f64> = ["5e-4", "2.5e-4"].into_iter().map(|step| {
    let mut sim = Simulation::of(&crank().edit("step = 5e-4", &format!("step = {step}")));
    let (mut worst, mut largest) = ([0.0_f64; 6], 0.0_f64);
    sim.run(2.0 * PI / w, PI / 300.0, |sim| {
        let p = w * sim.time();
        // Crank pin, then the rod's angle q below the line: l sin q = r sin p.
        let sin = r / l * p.sin();
        let cos = (1.0 - sin * sin).sqrt();
        let rate = r / l * w * p.cos() / cos;
        let bend = (-r / l * w * w * p.sin() + rate * rate * sin) / cos;
        let x = r * p.cos() + l * cos;
        let rise = -r * w * w * p.cos() - l * (bend * sin + rate * rate * cos);
        // Middle of the rod at pin + l/2 (cos q, −sin q).
        let ax = -r * w * w * p.cos() - 0.5 * l * (bend * sin + rate * rate * cos);
        let ay = -r * w * w * p.sin() - 0.5 * l * (bend * cos - rate * rate * sin);
        // On the rod at the piston: along x −m a; across from its moments about the pin (turning by −q).
        let bx = -piston * rise;
        let moment = -own * bend + rod * 0.5 * l * (cos * ay + sin * ax);
        let by = (moment - l * sin * bx) / (l * cos);
        let (fx, fy) = (rod * ax - bx, rod * ay - by);
        let found = [
            sim.get("points.piston.x") - x,
            sim.get("members.rod.to.fx") - bx,
            sim.get("members.rod.to.fy") - by,
            sim.get("members.rod.from.fx") - fx,
            sim.get("members.rod.from.fy") - fy,
            // The crank turns evenly about its end.
            sim.get("motions.crank.reaction") - r * (p.cos() * fy - p.sin() * fx),
        ];
        worst = std::array::from_fn(|i| worst[i].max(found[i].abs()));
        largest = largest.max(fx.hypot(fy));
    });
    println!("errors: place {:.1e} m, forces {:.1e} {:.1e} {:.1e} {:.1e} of {largest:.1} N, moment {:.1e} N m", worst[0], worst[1], worst[2], worst[3], worst[4], worst[5]);
    assert!(worst[0] < 1e-12);
    worst[1..].iter().fold(0.0_f64, |a, b| a.max(*b)) / largest
    }).collect();
    // The motion determines everything: whatever the step, nothing but rounding is left.
    println!("largest errors of forces {errors:?}");
    assert!(errors.iter().all(|error| *error < 1e-10));
}

#[test]
fn a_rigid_member_spins_down_in_a_bearing_at_its_end() {
    let text = bar()
        .edit("[gravity]\ny = -9.81", "[joints.bearing]\nhinge = { point = \"top\", release = [\"bar\"], radius = 0.03 }\nfriction.coulomb = { coefficient = 0.25 }\n[initial]\nvelocities = \"rigid_mechanism\"\n[initial.points.top]\nrotation_rate = 20.0")
        .edit("outputs = [", "outputs = [\"joints.*\", ");
    // J ω′ = −μ r m d ω² of the radial force alone; the friction's own moment presses across with J ω′/d of the rest.
    let (mass, d, own, mu, r) = (2.0, 0.6, 0.24, 0.25, 0.03);
    let about = own + mass * d * d;
    let rise = move |w: f64| {
        let mut rise = 0.0;
        for _ in 0..50 {
            let force = f64::hypot(mass * d * w * w, mass * d * rise);
            rise = -mu * r * force / about;
        }
        rise
    };
    let mut sim = Simulation::of(&text);
    let (mut exact, mut before) = ([0.0, 20.0], 0.0);
    sim.run(2.0, 0.05, |sim| {
        let t = sim.time();
        exact = runge_kutta(exact, before, t, 50, move |_, &[_, w]| [w, rise(w)]);
        before = t;
        assert!((sim.get("probes.bar") - exact[0]).abs() < 1e-4 * exact[0], "{t}");
    });
    println!("{} of {} rad", sim.get("probes.bar"), exact[0]);
}

#[test]
fn derivatives_of_rigid_members_are_those_of_differences() {
    let text = sharp(&turntable().edit("[initial]\n", "[loads.push]\npoint = \"right\"\nfy = 2.0\n[loads.along]\nmember = \"b\"\nqy = -3.0\n[gravity]\ny = -9.81\n[initial]\n"), 1e-13)
        .edit("[interface]\n", "[interface]\ninputs = [\"loads.*\", \"gravity.*\"]\n");
    let mut sim = Simulation::of(&text);
    sim.run(0.05, 0.01, |_| {});
    let sure = check(
        &sim,
        &text,
        0.01,
        &[("loads.push.fy", 1.0), ("loads.along.qy", 1.0), ("gravity.y", 1.0)],
        1e-6,
    );
    println!("{sure} derivatives");
    assert!(sure > 30);
}

#[test]
fn what_a_rigid_member_cannot_have_is_refused() {
    for (from, to, what) in [
        ("inertia = 0.24", "", "has `mass` but no `inertia`"),
        ("rigid = true\n", "elements = 1\n", "which needs `rigid = true`"),
        ("inertia = 0.24", "inertia = 0.24\narc.angle = 1.0", "which needs `elements`"),
    ] {
        let said = common::check(&bar().edit(from, to), &[]).expect_err("a fault");
        assert!(said.contains(what), "{said}");
    }
}
