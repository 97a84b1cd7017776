//! Imposed motions, loads with histories, gravity and inputs against closed forms.

use crate::common::blocks::blocks_on_a_bar;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use std::f64::consts::TAU;

use crate::common::Simulation;
use coulisse::model::Model;
use coulisse::model::checked::Checked;

const MASS: f64 = 2.0;

/// A cart of 2 kg that a motion drives along x, and a spring with a bob of 0.5 kg on it
/// (ω = 40 rad/s) that nothing else holds. Both stay on the x axis.
fn cart(motion: &str, interface: &str) -> String {
    Mechanism::new("Cart")
        .step(1e-3)
        .points("cart = [0.0, 0.0], far = [3.0, 0.0], bob = [4.0, 0.0]")
        .material("spring", 800.0, 0.0, 0.0)
        .rectangle("unit", 1.0, 1.0)
        .beam("spring", ["far", "bob"], [1, 1], "spring unit")
        .mass("cart", MASS)
        .mass("bob", 0.5)
        .roller("cart")
        .support("far", "point = 'far', fix = ['y', 'rotation']")
        .support("bob", "point = 'bob', fix = ['y', 'rotation']")
        .motion("far", format!("point = 'far', direction = 'x', {motion}"))
        .motion("cart", format!("point = 'cart', direction = 'x', {motion}"))
        .entry("interface", interface)
        .outputs("points.* motions.* energy.*")
        .text()
}

/// Runs the cart and compares its motion and the force of the drive, m a, with the closed form
/// (position, velocity, acceleration) at every solver step, to `tolerance` of each.
fn assert_driven(motion: &str, tolerance: [f64; 3], exact: impl Fn(f64) -> [f64; 3]) {
    let mut sim = Simulation::of(&cart(motion, ""));
    let mut worst = [0.0_f64; 3];
    let mut farthest = 0.0_f64;
    sim.run(1.5, 1e-3, |sim| {
        let expected = exact(sim.time());
        for (i, name) in ["x", "vx", "ax"].into_iter().enumerate() {
            let error = sim.get(&format!("points.cart.{name}")) - expected[i];
            worst[i] = worst[i].max(error.abs());
        }
        farthest = farthest.max(expected[0].abs());
        assert_eq!(sim.get("motions.cart.position"), sim.get("points.cart.x"));
        let force = sim.get("motions.cart.reaction");
        assert!((force - MASS * sim.get("points.cart.ax")).abs() < 1e-12 * (1.0 + force.abs()));
    });
    println!("{motion:?}: errors {worst:?}");
    assert!(farthest > 0.01, "the cart has to move");
    for (error, allowed) in worst.iter().zip(tolerance) {
        assert!(*error <= allowed, "{motion}: {worst:?}, allowed {tolerance:?}");
    }
}

/// Rounding of values of order 100.
const EXACT: [f64; 3] = [1e-13, 1e-12, 1e-11];

#[test]
fn a_constant_velocity_needs_no_force() {
    assert_driven("velocity = 0.7", EXACT, |t| [0.7 * t, 0.7, 0.0]);
}

#[test]
fn a_sine_is_driven_by_minus_m_omega_squared_x() {
    let w = TAU * 2.0;
    let motion = "amplitude = 0.05\nhistory.sine = { frequency = 2.0, phase = 0.3 }";
    assert_driven(motion, EXACT, |t| {
        let (sin, cos) = (w * t + 0.3).sin_cos();
        [0.05 * sin, 0.05 * w * cos, -0.05 * w * w * sin]
    });
}

#[test]
fn a_smooth_ramp_is_a_quintic_and_ends_at_rest() {
    let motion = "amplitude = 0.2\nhistory.ramp = { start = 0.25, duration = 0.5 }";
    assert_driven(motion, EXACT, |t| {
        let x = ((t - 0.25) / 0.5).clamp(0.0, 1.0);
        // 10x³ − 15x⁴ + 6x⁵, written by its factors
        let rate = 30.0 * (x * (1.0 - x)).powi(2);
        let bend = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x);
        let value = 10.0 * x.powi(3) - 15.0 * x.powi(4) + 6.0 * x.powi(5);
        [0.2 * value, 0.2 * rate / 0.5, 0.2 * bend / 0.25]
    });
}

#[test]
fn a_straight_ramp_has_no_force_between_its_ends() {
    let motion =
        "amplitude = 0.2\nhistory.ramp = { start = 0.2505, duration = 0.5, smooth = false }";
    assert_driven(motion, EXACT, |t| {
        let x = ((t - 0.2505) / 0.5).clamp(0.0, 1.0);
        let moves = f64::from(u8::from(x > 0.0 && x < 1.0));
        [0.2 * x, 0.4 * moves, 0.0]
    });
}

/// A sine of 1 Hz and 0.1 m, sampled every 25 ms from 0 to 2 s: there its curvature is zero, so
/// that the natural spline is the complete one.
fn samples() -> (Vec<f64>, Vec<f64>) {
    let times: Vec<f64> = (0..=80).map(|k| 0.025 * f64::from(k)).collect();
    let values = times.iter().map(|t| (TAU * t).sin()).collect();
    (times, values)
}

#[test]
fn a_table_is_a_spline_with_the_accuracy_of_cubics() {
    let (times, values) = samples();
    let motion =
        format!("amplitude = 0.1\nhistory.table = {{ times = {times:?}, values = {values:?} }}");
    // Bounds of the complete cubic spline (Hall & Meyer 1976): 5/384 H⁴, 1/24 H³, 3/8 H² times
    // the largest fourth derivative.
    let (fourth, h) = (0.1 * TAU.powi(4), 0.025_f64);
    let bounds = [5.0 / 384.0 * h.powi(4), h.powi(3) / 24.0, 0.375 * h * h];
    assert_driven(&motion, bounds.map(|b| b * fourth), |t| {
        let (sin, cos) = (TAU * t).sin_cos();
        [0.1 * sin, 0.1 * TAU * cos, -0.1 * TAU * TAU * sin]
    });
}

fn checked_with(text: &str, file: &str) -> Checked {
    let data = |name: &str| match name {
        "data/drive.csv" => Ok(file.to_string()),
        _ => Err(std::io::Error::other("no such file")),
    };
    let model = Model::parse(text, "model.toml", &data).expect("a readable model");
    model.check().unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn a_table_in_a_file_is_the_table_in_the_model() {
    let (times, values) = samples();
    let written =
        format!("amplitude = 0.1\nhistory.table = {{ times = {times:?}, values = {values:?} }}");
    let written = checked_with(&cart(&written, ""), "");
    for separator in [",", "; ", "\t"] {
        let rows: String =
            (times.iter().zip(&values)).map(|(t, v)| format!("{t}{separator}{v}\n")).collect();
        let file = format!("# measured\ntime{separator}value\n{rows}");
        let read = "amplitude = 0.1\nhistory.table.file = \"data/drive.csv\"";
        let read = checked_with(&cart(read, ""), &file);
        assert_eq!(read.motions[1].law, written.motions[1].law);
    }
}

#[test]
fn a_driven_rotation_needs_the_moment_of_inertia_times_its_acceleration() {
    let mut sim = Mechanism::new("Arm")
        .step(1e-3)
        .solver("spectral_radius = 0.5")
        .points("hub = [0.0, 0.0], tip = [0.8, 0.0]")
        .entry("materials.stiff", "young_modulus = 1e12, shear_modulus = 5e11, density = 0.0")
        .rectangle("bar", 0.1, 0.1)
        .member("arm", ["hub", "tip"], "elements = 1, material = 'stiff', section = 'bar'")
        .mass("tip", 1.5)
        .pin("hub")
        .motion("hub", "point = 'hub', direction = 'rotation', amplitude = 0.6")
        .and("history.ramp = { duration = 1.0 }")
        .outputs("motions.* supports.* points.tip.*")
        .simulation();
    let inertia = 1.5 * 0.8 * 0.8;
    let largest = inertia * 0.6 * 60.0 * 0.096_225;
    sim.run(1.0, 1e-2, |sim| {
        let x = sim.time();
        let angle = 0.6 * (10.0 * x.powi(3) - 15.0 * x.powi(4) + 6.0 * x.powi(5));
        let rate = 18.0 * (x * (1.0 - x)).powi(2);
        let bend = 36.0 * x * (1.0 - x) * (1.0 - 2.0 * x);
        let moment = sim.get("motions.hub.reaction");
        // Second order in the step: the arm is free to vibrate, far above what the step resolves.
        assert!((moment - inertia * bend).abs() < 1e-3 * largest, "t = {x}: {moment}");
        // The hub also pulls the mass to the centre and pushes it along.
        let (sin, cos) = angle.sin_cos();
        let fx = 1.5 * 0.8 * (-rate * rate * cos - bend * sin);
        assert!((sim.get("supports.hub.fx") - fx).abs() < 1e-3 * largest / 0.8);
    });
    assert!((sim.get("points.tip.y") - 0.8 * 0.6_f64.sin()).abs() < 1e-6);
}

/// Stretch of the spring under a base that moves with `v` from rest at t = 0.
fn lag(v: f64, t: f64) -> f64 {
    v * t - v / 40.0 * (40.0 * t).sin()
}

#[test]
fn a_position_from_the_host_goes_in_straight_lines_between_its_samples() {
    // The base moves 0.1 mm in each of three samples of 0.1 s; a held position would be a train
    // of impacts that leaves the bob swinging with 0.1 mm.
    let inputs = "inputs = [\"motions.far.displacement\", \"motions.cart.displacement\"]";
    let mut sim = Simulation::of(&cart("displacement = 0.0", inputs).edit("1e-3", "1e-4"));
    for k in 1..=3 {
        let to = 1e-4 * f64::from(k);
        sim.set("motions.far.displacement", to);
        sim.set("motions.cart.displacement", to);
        sim.step(0.1);
        assert_eq!(sim.get("points.cart.x"), to);
        assert!((sim.get("points.cart.vx") - 1e-3).abs() < 1e-15);
        assert_eq!(sim.get("motions.cart.reaction"), 0.0);
        let bob = sim.get("points.bob.x") - 4.0;
        // The Saint-Venant-Kirchhoff spring is nonlinear by 1.5 times its strain, 2.5e-5.
        let exact = lag(1e-3, sim.time());
        assert!((bob - exact).abs() < 1e-4 * 1e-4 + 2e-9, "{bob:e} {exact:e}");
    }
}

#[test]
fn a_velocity_from_the_host_is_held_and_its_integral_kept() {
    let inputs = "inputs = [\"motions.far.velocity\", \"motions.cart.velocity\"]";
    let mut sim = Simulation::of(&cart("velocity = 0.0", inputs));
    let mut x = 0.0;
    for (velocity, length) in [(0.3, 0.1), (-0.2, 0.05), (0.5, 0.0237), (0.0, 0.4)] {
        sim.set("motions.far.velocity", velocity);
        sim.set("motions.cart.velocity", velocity);
        sim.step(length);
        x += velocity * length;
        assert!((sim.get("points.cart.x") - x).abs() < 1e-14);
        assert_eq!(sim.get("points.cart.vx"), velocity);
    }
}

/// A free mass of 2 kg.
fn free_mass(extra: &str) -> String {
    Mechanism::new("FreeMass")
        .step(1e-3)
        .points("body = [0.0, 0.0]")
        .mass("body", MASS)
        .add(extra)
        .text()
}

const OUTPUTS: &str = "outputs = [\"points.*\", \"energy.*\"]";

#[test]
fn a_force_from_the_host_is_held_over_the_step() {
    let text = free_mass(&format!(
        "[loads.push]\npoint = \"body\"\nfx = 0.0\n[interface]\ninputs = [\"loads.push.fx\"]\n{OUTPUTS}"
    ));
    let mut sim = Simulation::of(&text);
    let (mut x, mut v) = (0.0, 0.0);
    for k in 0..20 {
        let force = f64::from((7 * k) % 5) - 2.0;
        sim.set("loads.push.fx", force);
        sim.step(0.1);
        let a = force / MASS;
        x += v * 0.1 + 0.5 * a * 0.01;
        v += 0.1 * a;
        // Constant accelerations are integrated exactly.
        assert!((sim.get("points.body.vx") - v).abs() < 1e-12);
        assert!((sim.get("points.body.x") - x).abs() < 1e-12);
    }
}

#[test]
fn forces_with_histories_give_the_impulse_of_their_closed_forms() {
    let (times, values) = samples();
    let table =
        format!("table = {{ times = {times:?}, values = {values:?}, interpolation = \"smooth\" }}");
    // Velocity after 1.25 s under 6 N times f(t), per m = 2 kg.
    let sine = |f: f64| (1.0 - (TAU * f * 1.25).cos()) / (TAU * f);
    for (history, integral) in [
        ("sine = { frequency = 0.4 }", sine(0.4)),
        ("ramp = { start = 0.25, duration = 0.5 }", 0.5 * 0.5 + 0.5),
        ("ramp = { start = 0.25, duration = 0.5, smooth = false }", 0.5 * 0.5 + 0.5),
        (table.as_str(), sine(1.0)),
    ] {
        let text = free_mass(&format!(
            "[loads.push]\npoint = \"body\"\nfx = 6.0\nfy = -3.0\nhistory.{history}\n[interface]\n{OUTPUTS}"
        ));
        let mut sim = Simulation::of(&text);
        sim.run(1.25, 0.05, |_| ());
        let [vx, vy] = ["vx", "vy"].map(|v| sim.get(&format!("points.body.{v}")));
        println!("{}: {vx} m/s, exact {}", &history[..4], 3.0 * integral);
        // Second order: (ωΔt)²/12 is 3e-6 for 1 Hz.
        assert!((vx - 3.0 * integral).abs() < 1e-5);
        assert!((vy + 1.5 * integral).abs() < 1e-5);
        let kinetic = sim.get("energy.kinetic");
        assert!((sim.get("energy.input_work") - kinetic).abs() < 1e-5 * kinetic);
    }
}

#[test]
fn gravity_is_a_parameter_and_an_input() {
    let text = |interface: &str| {
        free_mass(&format!("[gravity]\ny = -9.81\n[interface]\n{interface}\n{OUTPUTS}"))
    };
    let moon = [("gravity.y", -1.62), ("gravity.x", 0.5)];
    let mut sim = Simulation::with(&text("parameters = [\"gravity.x\", \"gravity.y\"]"), &moon);
    sim.run(2.0, 0.1, |_| ());
    // Constant acceleration is integrated exactly; rounding of y enters as ε/Δt² and is summed up.
    assert!((sim.get("points.body.y") + 3.24).abs() < 1e-9);
    assert!((sim.get("points.body.x") - 1.0).abs() < 1e-9);
    assert!(sim.get("energy.balance").abs() < 1e-9);

    let mut sim = Simulation::of(&text("inputs = [\"gravity.x\", \"gravity.y\"]"));
    sim.step(1.0);
    assert!((sim.get("points.body.y") + 4.905).abs() < 1e-9);
    sim.set("gravity.y", 9.81);
    sim.set("gravity.x", 2.0);
    sim.step(1.0);
    // Thrown back up: −4.905 − 9.81 + 4.905.
    assert!((sim.get("points.body.y") + 9.81).abs() < 1e-9);
    assert!((sim.get("points.body.x") - 1.0).abs() < 1e-9);
}

/// All numbers of a state, bit by bit.
fn bits(sim: &Simulation) -> Vec<u64> {
    let outputs = sim.system.model().outputs.iter();
    let read = outputs.map(|o| sim.system.read(&sim.state, o.output));
    let state = &sim.state;
    (state.q.iter().chain(&state.velocity).chain(&state.acceleration).chain(&state.algorithmic))
        .chain(state.multipliers.iter().flatten())
        .chain(&state.reactions)
        .copied()
        .chain(read)
        .map(f64::to_bits)
        .collect()
}

fn a_cycle_of_the_quick_return() -> Vec<u64> {
    let mut sim = Simulation::bundled("quick_return", &[]);
    sim.run(0.4, 1e-2, |_| ());
    bits(&sim)
}

#[test]
fn the_same_run_gives_the_same_bits_on_one_thread_and_on_many() {
    let once = a_cycle_of_the_quick_return();
    assert_eq!(once, a_cycle_of_the_quick_return());
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(a_cycle_of_the_quick_return)).collect();
    for thread in threads {
        assert_eq!(once, thread.join().expect("no panic"));
    }
}

#[test]
fn a_fresh_stepper_at_every_step_gives_the_same_bits() {
    use coulisse::solve::Stepper;
    for (name, h) in [("quick_return", 1e-3), ("rabinowicz", 0.1), ("moving_mass_on_bridge", 1e-2)]
    {
        let mut kept = Simulation::bundled(name, &[]);
        let mut fresh = Simulation::bundled(name, &[]);
        for k in 0..170 {
            let t = f64::from(k) * h;
            kept.try_step(t, h).expect("a step");
            Stepper::new(&fresh.system)
                .advance(&fresh.system, &mut fresh.state, t, h)
                .expect("a step");
        }
        assert_eq!(bits(&kept), bits(&fresh), "{name}");
    }
}

#[test]
fn a_fresh_stepper_gives_the_same_bits_while_solids_slide_from_element_to_element() {
    use coulisse::solve::Stepper;
    let text = blocks_on_a_bar(1, 2e-4);
    let mut kept = Simulation::of(&text);
    let mut fresh = Simulation::of(&text);
    let (begin, h) = (kept.get("points.block0_1.x"), 2e-4);
    for k in 0..60 {
        let t = f64::from(k) * h;
        kept.try_step(t, h).expect("a step");
        Stepper::new(&fresh.system).advance(&fresh.system, &mut fresh.state, t, h).expect("a step");
    }
    // Elements of the path are 38 mm long, and there are 19 nodes on 120 mm.
    assert!(kept.get("points.block0_1.x") - begin > 0.02);
    assert_eq!(bits(&kept), bits(&fresh));
    let (energy, lost) = (kept.get("energy.kinetic"), kept.get("energy.balance"));
    assert!(lost.abs() < 1e-3 * energy, "{lost} J of {energy} J");
}

#[test]
fn solver_steps_in_one_communication_step_or_in_many_differ_by_rounding_only() {
    // Time is computed in other words, 0.02 · 3/200 or 0.0003.
    let run = |h: f64| {
        let mut sim = Simulation::bundled("quick_return", &[]);
        sim.run(0.2, h, |_| ());
        ["probes.tip_deflection", "joints.N.position", "joints.N.velocity"]
            .map(|name| sim.get(name))
    };
    let (fine, coarse) = (run(1e-4), run(0.02));
    for (a, b) in fine.iter().zip(coarse) {
        // Newton's position tolerance, 1e-10 of the mechanism's 2 m; velocities by 1/Δt.
        assert!((a - b).abs() < 1e-5, "{fine:?} {coarse:?}");
    }
}

/// Where the circles of radius `b` about `from` and `c` about `to` meet, on the left of the line from the one to the other.
fn left_of(from: [f64; 2], to: [f64; 2], b: f64, c: f64) -> [f64; 2] {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let distance = dx.hypot(dy);
    let along = (b * b - c * c + distance * distance) / (2.0 * distance);
    let across = (b * b - along * along).sqrt();
    let [x, y] = [dx / distance, dy / distance];
    [from[0] + along * x - across * y, from[1] + along * y + across * x]
}

/// A crank of 0.1 m, a coupler of 0.3 m and a rocker of 0.25 m, all of them rigid and without mass, on pivots 0.3 m apart: no force acts, and
/// the crank determines every position.
#[test]
fn a_four_bar_without_mass_and_loads_follows_its_crank_through_a_turn() {
    let crank = |angle: f64| [0.1 * angle.cos(), 0.1 * angle.sin()];
    let coupled = |angle: f64| left_of(crank(angle), [0.3, 0.0], 0.3, 0.25);
    let start = TAU / 6.0;
    let ([ax, ay], [bx, by]) = (crank(start), coupled(start));
    for (analysis, step) in [("dynamic", 1e-3), ("quasi_static", 1e-3), ("quasi_static", 1e-2)] {
        let text = Mechanism::new("four_bar")
            .step(step)
            .solver(format!("analysis = '{analysis}'"))
            .points(format!("o = [0.0, 0.0], a = [{ax:?}, {ay:?}]"))
            .and(format!("b = [{bx:?}, {by:?}], c = [0.3, 0.0]"))
            .member("crank", ["o", "a"], "rigid = true")
            .member("coupler", ["a", "b"], "rigid = true")
            .member("rocker", ["c", "b"], "rigid = true")
            .pin("o")
            .pin("c")
            .joint("a", "hinge = { point = 'a', release = ['crank'] }")
            .joint("b", "hinge = { point = 'b' }")
            .motion("crank", "member = 'crank', point = 'o', direction = 'rotation'")
            .and(format!("rate = {TAU:?}"))
            .outputs("points.* joints.* motions.*")
            .text();
        let mut sim = Simulation::of(&text);
        let mut off = 0.0_f64;
        let drawn = by.atan2(bx - 0.3);
        sim.run(1.0, 1e-2, |sim| {
            let [x, y] = coupled(start + TAU * sim.time());
            let angle = y.atan2(x - 0.3);
            off = off.max((sim.get("points.b.x") - x).abs()).max((sim.get("points.b.y") - y).abs());
            off = off.max((sim.get("points.c.rotation") - (angle - drawn)).abs());
            assert_eq!(sim.get("joints.a.force"), 0.0, "{analysis}");
            assert_eq!(sim.get("motions.crank.reaction"), 0.0, "{analysis}");
        });
        // Joints are closed to 1e-10 of the size.
        assert!(off < 1e-9, "{analysis}, {step} s: {off:e} m");
    }
}
