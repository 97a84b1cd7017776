//! Couplings of coordinates against closed forms, small differential equations, differences and the balance of energies.

mod random;
mod rates;

use std::f64::consts::PI;

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, orders, runge_kutta};

/// Two wheels on fixed axles, a moment on the pinion.
fn gears() -> String {
    Mechanism::new("gears")
        .step(1e-3)
        .points("pinion = [0.0, 0.0], wheel = [0.35, 0.0]")
        .wheel("pinion", 1.0, 0.02)
        .wheel("wheel", 4.0, 0.3)
        .pin("pinion")
        .pin("wheel")
        .coupling("gears", "driven = { to = 'wheel' }, drivers = [{ to = 'pinion', ratio = -0.4 }]")
        .load("motor", "point = 'pinion', moment = 1.5")
        .probe("pinion", "rotation = { point = 'pinion' }")
        .probe("wheel", "rotation = { point = 'wheel' }")
        .inputs("loads.motor.moment")
        .outputs("points.* probes.* couplings.* energy.* solver.*")
        .text()
}

#[test]
fn a_pair_of_gears_has_the_acceleration_and_energy_of_its_reduced_inertia() {
    let (a, b, i, moment) = (0.02, 0.3, -0.4, 1.5);
    let acceleration = moment / (a + i * i * b);
    let mut sim = Simulation::of(&gears());
    sim.run(2.0, 0.01, |sim| {
        let t = sim.time();
        let pinion = 0.5 * acceleration * t * t;
        for (name, exact) in [("probes.pinion", pinion), ("probes.wheel", i * pinion)] {
            let error = sim.get(name) - exact;
            assert!(error.abs() < 1e-9 * exact.abs(), "{name}: {error:e} of {exact}");
        }
        let way = sim.get("couplings.gears.angle");
        assert!((way - i * sim.get("couplings.gears.drivers[0].angle")).abs() < 1e-12 * way.abs());
        assert!(
            (sim.get("couplings.gears.rate") - i * acceleration * t).abs()
                < 1e-9 * t.max(1.0) * acceleration
        );
        let on_wheel = b * i * acceleration;
        let error = sim.get("couplings.gears.moment") - on_wheel;
        assert!(error.abs() < 1e-7 * on_wheel.abs(), "{error:e} of {on_wheel}");
        let error = sim.get("couplings.gears.drivers[0].moment") + i * on_wheel;
        assert!(error.abs() < 1e-7 * on_wheel.abs(), "{error:e} of {on_wheel}");
        let kinetic = 0.5 * (a + i * i * b) * (acceleration * t).powi(2);
        assert!((sim.get("energy.kinetic") - kinetic).abs() < 1e-9 * kinetic);
        assert!((sim.get("energy.input_work") - moment * pinion).abs() < 1e-9 * kinetic);
        assert!(sim.get("energy.balance").abs() < 1e-9 * kinetic);
    });
    // More than a turn: rotations are not modulo.
    assert!(sim.get("probes.pinion") > 2.0 * PI);
}

/// A rack on rollers that a falling weight at a drum's rim would pull: a pinion with a moment moves a mass along a slope.
#[test]
fn a_rack_and_pinion_along_a_slope_has_its_acceleration_and_force() {
    let (inertia, mass, radius, moment): (f64, f64, f64, f64) = (0.05, 3.0, 0.08, 4.0);
    let (sin, cos) = 0.3_f64.sin_cos();
    let mut sim = Mechanism::new("rack")
        .step(1e-3)
        .points("pinion = [0.0, 0.1], rack = [0.0, 0.0]")
        .and(format!("low = [{:?}, {:?}]", -5.0 * cos, -5.0 * sin))
        .and(format!("high = [{:?}, {:?}]", 20.0 * cos, 20.0 * sin))
        .wheel("pinion", 1.0, inertia)
        .mass("rack", mass)
        .pin("pinion")
        .guide("guide", ["low", "high"], "elements = 1, order = 1")
        .slider("rack", "rack", "guide", "")
        .coupling("teeth", "driven = { to = 'rack', along = ['2.0*cos(0.3)', '2.0*sin(0.3)'] }")
        .and(format!("drivers = [{{ to = 'pinion', ratio = {radius:?} }}]"))
        .load("motor", format!("point = 'pinion', moment = {moment:?}"))
        .gravity(-9.81)
        .outputs("points.* couplings.* energy.*")
        .simulation();
    let acceleration = (moment / radius - mass * 9.81 * sin) / (mass + inertia / (radius * radius));
    let force = mass * (acceleration + 9.81 * sin);
    sim.run(1.0, 0.01, |sim| {
        let t = sim.time();
        let exact = 0.5 * acceleration * t * t;
        let way = sim.get("couplings.teeth.displacement");
        assert!((way - exact).abs() < 1e-9 * exact, "{way} {exact}");
        assert!((sim.get("joints.rack.position") - 5.0 - exact).abs() < 1e-9);
        assert!((sim.get("couplings.teeth.force") - force).abs() < 1e-7 * force);
        let on_pinion = sim.get("couplings.teeth.drivers[0].moment");
        assert!((on_pinion + radius * force).abs() < 1e-7 * force);
        assert!(sim.get("energy.balance").abs() < 1e-9);
    });
}

/// Two arms with a motor in the elbow that turns the one against the other.
fn arms() -> String {
    Mechanism::new("arms")
        .step(1e-3)
        .solver("spectral_radius = 0.99")
        .points("shoulder = [0.0, 0.0], elbow = [0.6, 0.0], hand = [1.0, 0.0], a0 = [0.0, -0.05]")
        .and("a1 = [0.6, -0.05], a2 = [0.6, 0.05], a3 = [0.0, 0.05], b0 = [0.6, -0.04]")
        .and("b1 = [1.0, -0.04], b2 = [1.0, 0.04], b3 = [0.6, 0.04]")
        .body("upper", "rigid = true, mass = 3.0, inertia = 0.1, points = ['shoulder', 'elbow']")
        .patch("upper", [1, 1], "s: a0, e: a1, n: a2, w: a3")
        .body("fore", "rigid = true, mass = 2.0, inertia = 0.03, points = ['elbow', 'hand']")
        .patch("fore", [1, 1], "s: b0, e: b1, n: b2, w: b3")
        .pin("shoulder")
        .coupling("elbow", "driven = { from = 'shoulder', to = 'hand' }")
        .motion("motor", "coupling = 'elbow', amplitude = 0.8")
        .and("history.sine = { frequency = 0.5, phase = 'pi/2' }")
        .gravity(-9.81)
        .probe("upper", "rotation = { point = 'shoulder' }")
        .probe("fore", "rotation = { point = 'hand' }")
        .outputs("points.* probes.* couplings.* motions.* energy.*")
        .text()
}

#[test]
fn a_driven_elbow_goes_as_its_differential_equation_with_the_moment_and_work_of_its_motor() {
    // Length of the upper arm, centres of mass, masses and inertias.
    let (a, c1, c2, m1, m2, j1, j2, g) = (0.6, 0.3, 0.2, 3.0, 2.0, 0.1, 0.03, 9.81);
    let drive = |t: f64| {
        let (sin, cos) = (PI * t + PI / 2.0).sin_cos();
        [0.8 * sin, 0.8 * PI * cos, -0.8 * PI * PI * sin]
    };
    // Of a rigid double pendulum: p the angle of the upper arm, p + u that of the lower.
    let terms = move |t: f64, p: f64, v: f64| {
        let [u, w, acceleration] = drive(t);
        let coupled = m2 * a * c2;
        let lower = j2 + m2 * c2 * c2;
        let inertia = j1 + m1 * c1 * c1 + m2 * a * a + lower + 2.0 * coupled * u.cos();
        let cross = lower + coupled * u.cos();
        let turning = -coupled * u.sin() * (2.0 * v * w + w * w);
        let weight = g * ((m1 * c1 + m2 * a) * p.cos() + m2 * c2 * (p + u).cos());
        let rise = -(cross * acceleration + turning + weight) / inertia;
        let motor = cross * rise
            + lower * acceleration
            + coupled * u.sin() * v * v
            + m2 * g * c2 * (p + u).cos();
        (rise, motor)
    };
    let errors = ["1e-3", "5e-4"].map(|step| {
        let mut sim = Simulation::of(&arms().edit("1e-3", step));
        // Where the assembly has turned the upper arm to.
        let start = sim.get("probes.upper");
        assert!((sim.get("couplings.elbow.angle") - 0.8).abs() < 1e-12);
        let mut worst = 0.0_f64;
        let mut shift = [start, 0.0];
        let mut before = 0.0;
        for n in 1..=20 {
            let t = 0.05 * f64::from(n);
            sim.run(t, 0.05, |_| {});
            shift = runge_kutta(shift, before, t, 2000, move |t, &[p, v]| [v, terms(t, p, v).0]);
            before = t;
            let [u, w, _] = drive(t);
            assert!((sim.get("couplings.elbow.angle") - u).abs() < 1e-12);
            let (_, motor) = terms(t, shift[0], shift[1]);
            let moment = sim.get("couplings.elbow.moment");
            assert!((moment - sim.get("motions.motor.reaction")).abs() < 1e-9);
            let power = sim.get("couplings.elbow.power");
            assert!((power - moment * w).abs() < 1e-9 * (1.0 + power.abs()));
            worst = worst.max((sim.get("probes.upper") - shift[0]).abs());
            worst = worst.max((moment - motor).abs() / 40.0);
        }
        assert!(sim.get("energy.balance").abs() < 1e-3 * sim.get("energy.input_work").abs());
        worst
    });
    println!("{errors:?}, order {:.2?}", orders(&errors));
    assert!(errors[1] < 2e-4, "{errors:?}");
}

/// A weight on a cam f(φ) = ½ a (3 φ² − |φ|³), which is the natural cubic spline through (−1, a), (0, 0), (1, a).
fn cam(height: f64, analysis: &str) -> String {
    Mechanism::new("cam")
        .step(1e-3)
        .solver(format!("analysis = '{analysis}', spectral_radius = 0.9"))
        .points("cam = [0.0, 0.0], follower = [0.0, 0.5]")
        .wheel("cam", 1.0, 0.04)
        .mass("follower", 2.0)
        .pin("cam")
        .support("follower", "point = 'follower', fix = ['x']")
        .coupling("cam", "driven = { to = 'follower', direction = 'y' }")
        .and(format!(
            "drivers = [{{ to = 'cam', table = {{ driver = [-1.0, 0.0, 1.0], \
                 driven = [{:?}, 7.0, {:?}] }} }}]",
            7.0 + height,
            7.0 + height
        ))
        .load("turn", "point = 'cam', moment = 0.0")
        .gravity(-9.81)
        .start("cam", "rotation_rate = 3.0")
        .probe("cam", "rotation = { point = 'cam' }")
        .inputs("loads.turn.moment")
        .outputs("points.* probes.* couplings.* energy.* solver.*")
        .text()
}

#[test]
fn a_cam_moves_its_follower_along_the_curve_of_its_table() {
    let (a, inertia, mass, g) = (0.15, 0.04, 2.0, 9.81);
    let jet = move |p: f64| {
        let x = p.abs();
        let value = 0.5 * a * (3.0 * x * x - x * x * x);
        let slope = 0.5 * a * (6.0 * x - 3.0 * x * x) * p.signum();
        [value, slope, 0.5 * a * (6.0 - 6.0 * x)]
    };
    let rise = move |p: f64, v: f64| {
        let [_, slope, bend] = jet(p);
        -(mass * slope * bend * v * v + mass * g * slope) / (inertia + mass * slope * slope)
    };
    let errors = ["1e-3", "5e-4"].map(|step| {
        let mut sim =
            Simulation::of(&cam(a, "dynamic").edit("step = 1e-3", &format!("step = {step}")));
        let (mut exact, mut before, mut worst) = ([0.0, 3.0], 0.0, 0.0_f64);
        let mut of_force = 0.0_f64;
        sim.run(2.0, 0.02, |sim| {
            let t = sim.time();
            exact = runge_kutta(exact, before, t, 200, move |_, &[p, v]| [v, rise(p, v)]);
            before = t;
            let [height, slope, bend] = jet(exact[0]);
            assert!(exact[0].abs() < 1.0);
            worst = worst.max((sim.get("probes.cam") - exact[0]).abs());
            worst = worst.max((sim.get("points.follower.y") - 0.5 - height).abs());
            let acceleration = slope * rise(exact[0], exact[1]) + bend * exact[1].powi(2);
            let force = mass * (g + acceleration);
            // What the start and each jump of the jerk in the middle leave of the force swings on, and dies away.
            if t > 0.1 {
                of_force = of_force.max((sim.get("couplings.cam.force") - force).abs() / force);
            }
        });
        assert!(of_force < 1e-2, "{of_force:e}");
        let balance = sim.get("energy.balance").abs();
        assert!(balance < 1e-5, "{balance:e} J");
        worst
    });
    println!("{errors:?}, order {:.2?}", orders(&errors));
    assert!(errors[1] < 1e-4 && orders(&errors)[0] > 1.9, "{errors:?}");
}

#[test]
fn a_weight_on_a_cam_is_stable_in_its_hollow_and_not_on_its_hump_though_nothing_is_elastic() {
    for (height, unstable) in [(0.15, 0), (-0.15, 1)] {
        let text =
            cam(height, "quasi_static").edit("[initial.points.cam]\nrotation_rate = 3.0\n", "");
        let mut sim = Simulation::of(&text);
        assert_eq!(sim.state.unstable_modes, unstable, "{height}");
        // M = m g f′, small ones.
        sim.set("loads.turn.moment", 1e-3);
        sim.step(0.1);
        let angle = sim.get("probes.cam");
        let exact = 1e-3 / (2.0 * 9.81 * 3.0 * height);
        assert!((angle - exact).abs() < 1e-3 * exact.abs(), "{angle} {exact}");
        assert_eq!(sim.state.unstable_modes, unstable, "{height}");
    }
}

/// A boom with a load in its middle that a cylinder of given length lifts.
fn hoist() -> String {
    Mechanism::new("hoist")
        .step(1e-2)
        .solver("analysis = 'quasi_static'")
        .points("pivot = [0.0, 0.0], foot = [0.0, -0.6], eye = [0.8, 0.0], a0 = [0.0, -0.1]")
        .and("a1 = [2.0, -0.1], a2 = [2.0, 0.1], a3 = [0.0, 0.1]")
        .body("boom", "rigid = true, mass = 50.0, inertia = 20.0, points = ['pivot', 'eye']")
        .patch("boom", [1, 1], "s: a0, e: a1, n: a2, w: a3")
        .pin("pivot")
        .coupling("cylinder", "driven = { ground = 'foot', to = 'eye', direction = 'line' }")
        .motion("cylinder", "coupling = 'cylinder', displacement = 0.0")
        .gravity(-9.81)
        .probe("boom", "rotation = { point = 'pivot' }")
        .inputs("motions.cylinder.displacement")
        .outputs("points.* probes.* couplings.* motions.* energy.*")
        .text()
}

#[test]
fn a_cylinder_holds_its_boom_with_the_force_of_the_lever() {
    let mut sim = Simulation::of(&hoist());
    for n in 0..=20 {
        let extended = 0.015 * f64::from(n);
        sim.set("motions.cylinder.displacement", extended);
        sim.step(0.1);
        // The triangle of pivot, foot and eye.
        let length = 1.0 + extended;
        let cosine: f64 = (0.36 + 0.64 - length * length) / (2.0 * 0.6 * 0.8);
        let turned = cosine.acos() - PI / 2.0;
        let angle = sim.get("probes.boom");
        assert!((angle - turned).abs() < 1e-9, "{angle} {turned}");
        let lever = 0.6 * 0.8 * (1.0 - cosine * cosine).sqrt() / length;
        let force = 50.0 * 9.81 * turned.cos() / lever;
        let found = sim.get("couplings.cylinder.force");
        assert!((found - force).abs() < 1e-7 * force, "{found} {force}");
        assert!((sim.get("motions.cylinder.reaction") - force).abs() < 1e-7 * force);
        let way = sim.get("couplings.cylinder.displacement");
        assert!((way - extended).abs() < 1e-10);
    }
    // What it lifts is what it has done.
    let lifted = 50.0 * 9.81 * sim.get("probes.boom").sin();
    let work = sim.get("energy.input_work");
    assert!((work - lifted).abs() < 1e-3 * lifted, "{work} {lifted}");
}

#[test]
fn a_differential_shares_its_moment_and_takes_the_mean_of_its_shafts() {
    let wheel = |name: &str, inertia: f64| {
        format!(
            "[masses.{name}]\npoint = \"{name}\"\nmass = 1.0\nrotary_inertia = {inertia:?}\n\
             [supports.{name}]\npoint = \"{name}\"\nfix = [\"x\", \"y\"]\n"
        )
    };
    let text = format!(
        "name = \"differential\"\n[solver]\nstep = 1e-3\n[points]\nshaft = [0.0, 0.0]\nleft = [0.0, 1.0]\n\
         right = [0.0, -1.0]\n{}{}{}[couplings.differential]\ndriven = {{ to = \"shaft\" }}\n\
         drivers = [{{ to = \"left\", ratio = 0.5 }}, {{ to = \"right\", ratio = 0.5 }}]\n\
         [loads.engine]\npoint = \"shaft\"\nmoment = 6.0\n[loads.brake]\npoint = \"right\"\nmoment = -1.0\n\
         [interface]\noutputs = [\"couplings.*\", \"energy.*\"]\n",
        wheel("shaft", 0.1),
        wheel("left", 0.2),
        wheel("right", 0.5)
    );
    let mut sim = Simulation::of(&text);
    // 0.2 a = ½ M, 0.5 b = ½ M − 1, 0.1 (a + b)/2 = 6 − M with the moment M on the shaft's other side.
    let moment = (6.0 + 0.1) / (1.0 + 0.1 * 0.5 * (2.5 + 1.0));
    let (a, b) = (0.5 * moment / 0.2, (0.5 * moment - 1.0) / 0.5);
    sim.run(1.0, 0.1, |sim| {
        let t = sim.time();
        for (k, rise) in [(0, a), (1, b)] {
            let angle = sim.get(&format!("couplings.differential.drivers[{k}].angle"));
            assert!((angle - 0.5 * rise * t * t).abs() < 1e-9 * rise.abs());
            let found = sim.get(&format!("couplings.differential.drivers[{k}].moment"));
            assert!((found - 0.5 * moment).abs() < 1e-6, "{found}");
        }
        assert!((sim.get("couplings.differential.moment") + moment).abs() < 1e-6);
        assert!(sim.get("energy.balance").abs() < 1e-9 * sim.get("energy.input_work"));
    });
}

#[test]
fn gears_on_a_torsion_spring_swing_with_the_frequency_of_their_reduced_inertia() {
    let spring = "[springs.shaft]\nto = \"pinion\"\ndirection = \"rotation\"\nstiffness = 40.0\n[loads.motor]";
    let sim = Simulation::of(&gears().edit("[loads.motor]", spring));
    let exact = (40.0_f64 / (0.02 + 0.16 * 0.3)).sqrt();
    let found = sim.frequencies(1)[0];
    assert!((found - exact).abs() < 1e-9 * exact, "{found} {exact}");
}

#[test]
fn the_bundled_press_presses_as_its_parts_give_way_in_a_row() {
    let mut sim = Simulation::bundled("press", &[]);
    let mut largest = 0.0_f64;
    sim.run(1.2, 1e-3, |sim| {
        largest = largest.max(-sim.get("springs.workpiece.force"));
        let turned = sim.get("couplings.gears.angle") + 0.2 * 31.415_926_535_897_93 * sim.time();
        assert!(turned.abs() < 1e-9, "{turned}");
    });
    // At the lower dead centre crank and rod stand in a row: 3 mm by workpiece, rod (E A/L) and web of the crank.
    let give = 1.0 / 3e7 + 0.4 / (210e9 * 0.04 * 0.04) + 0.05 / (210e9 * 0.06 * 0.05);
    let exact = 3e-3 / give;
    println!("{largest:.1} N, in a row {exact:.1} N");
    assert!((largest - exact).abs() < 1e-3 * exact, "{largest} {exact}");
    let [work, balance] = ["energy.input_work", "energy.balance"].map(|path| sim.get(path));
    assert!(balance.abs() < 1e-2, "{work} {balance}");
}
