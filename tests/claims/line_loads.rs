//! Loads along members against closed forms, and the energy that they bring in.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation, runge_kutta};
use coulisse::continuation::{Ended, Station, follow};
use coulisse::modes::{Loads, Sliding, modes};
use coulisse::sensitivity::Perturbation;
use coulisse::solve::Stepper;
use coulisse::start::equilibrium;
use coulisse::system::{State, System};

const E: f64 = 200e9;
const G: f64 = 80e9;
const LENGTH: f64 = 2.0;
const SIDE: f64 = 0.02;
const EI: f64 = E * SIDE * SIDE * SIDE * SIDE / 12.0;
const GA: f64 = G * SIDE * SIDE;

/// A beam of 2 m from (0, 0) along x, in statics, with supports and loads.
fn beam(analysis: &str, supports: &str, loads: &str) -> String {
    Mechanism::new("Beam")
        .step(0.05)
        .solver(format!("analysis = '{analysis}', position_tolerance = 1e-12"))
        .points(format!("left = [0.0, 0.0], right = [{LENGTH}, 0.0]"))
        .entry("materials.steel", format!("young_modulus = {E}, shear_modulus = {G}"))
        .and("density = 7850.0")
        .rectangle("square", SIDE, SIDE)
        .beam("beam", ["left", "right"], [8, 3], "steel square")
        .probe("mid", "displacement = { member = 'beam', at = 1.0, direction = 'y' }")
        .probe("tip", format!("displacement.member = 'beam', displacement.at = {LENGTH}"))
        .and("displacement.direction = 'y'")
        .probe("turn", "rotation = { point = 'right' }")
        .add(supports)
        .add(loads)
        .outputs("probes.* supports.* points.* energy.* solver.*")
        .text()
}

const CLAMP: &str = r#"
[supports.left]
point = "left"
fix = ["x", "y", "rotation"]
"#;

/// Deflection of the tip of the clamped beam under q(x) = `q`: that of bending and of shear.
fn tip_under(q: impl Fn(f64) -> f64) -> f64 {
    let n = 20_000;
    let h = LENGTH / f64::from(n);
    (0..n)
        .map(|i| (f64::from(i) + 0.5) * h)
        .map(|x| h * q(x) * (x * x * (3.0 * LENGTH - x) / (6.0 * EI) + x / GA))
        .sum()
}

#[test]
fn a_beam_on_two_supports_sags_by_five_384ths_under_a_uniform_load() {
    let supports = &Mechanism::part().pin("left").roller("right").text();
    let q = 1e-2;
    let load = format!("[loads.snow]\nmember = \"beam\"\nqy = -{q}");
    let sim = Simulation::of(&beam("quasi_static", supports, &load));
    let exact = -(5.0 * q * LENGTH.powi(4) / (384.0 * EI) + q * LENGTH * LENGTH / (8.0 * GA));
    let sag = sim.get("probes.mid");
    assert!((sag / exact - 1.0).abs() < 1e-8, "{sag} {exact}");
    for support in ["left", "right"] {
        let force = sim.get(&format!("supports.{support}.fy"));
        assert!((force - 0.5 * q * LENGTH).abs() < 1e-10, "{force}");
    }
}

#[test]
fn a_clamped_beam_bends_under_a_part_of_it_loaded_and_under_a_triangle() {
    let part = |x: f64| if (0.33..1.71).contains(&x) { 1.0 } else { 0.0 };
    let triangle = |x: f64| 0.2 + 0.8 * x / LENGTH;
    let both = |x: f64| part(x) * (2.0 - 3.0 * (x - 0.33) / 1.38);
    let cases: [(&str, &dyn Fn(f64) -> f64); 3] = [
        ("between = [0.33, 1.71]", &part),
        ("variation = [0.2, 1.0]", &triangle),
        ("between = [0.33, 1.71]\nvariation = [2.0, -1.0]", &both),
    ];
    for (keys, shape) in cases {
        let load = format!("[loads.q]\nmember = \"beam\"\nqy = 1e-2\n{keys}");
        let sim = Simulation::of(&beam("quasi_static", CLAMP, &load));
        let exact = 1e-2 * tip_under(shape);
        let tip = sim.get("probes.tip");
        // The midpoint sum of the exact value is good to 1e-7.
        assert!((tip / exact - 1.0).abs() < 1e-6, "{keys}: {tip} {exact}");
    }
}

/// A thin blade, of which stretch and shear, which the elastica does not have, are a few parts in a
/// million.
const BLADE: f64 = 0.1 * SIDE;

/// Rotation and place of the tip of an elastica that is clamped at the origin, under a load per
/// length that follows it: `[q_n, q_t]`. From the tip on, V′ = −κN − q_n, N′ = κV − q_t, M′ = −V, with
/// κ = M/EI; nothing in it knows where the tip is.
fn elastica([normal, tangential]: [f64; 2]) -> [f64; 3] {
    const EI: f64 = E * BLADE * BLADE * BLADE * BLADE / 12.0;
    // Over σ = L − s, so that every sign turns; then the place from the clamp on.
    let bent = |_: f64, y: &[f64; 4]| {
        let [n, v, m, _] = *y;
        let k = m / EI;
        [-(k * v - tangential), k * n + normal, v, k]
    };
    let total = runge_kutta([0.0; 4], 0.0, LENGTH, 2000, bent);
    let walk = |_: f64, y: &[f64; 6]| {
        let [n, v, m, angle, _, _] = *y;
        let k = m / EI;
        [k * v - tangential, -k * n - normal, -v, k, angle.cos(), angle.sin()]
    };
    let start = [total[0], total[1], total[2], 0.0, 0.0, 0.0];
    let end = runge_kutta(start, 0.0, LENGTH, 2000, walk);
    [end[3], end[4], end[5]]
}

#[test]
fn a_cantilever_under_a_load_that_follows_it_is_the_elastica() {
    const EI: f64 = E * BLADE * BLADE * BLADE * BLADE / 12.0;
    // 12 EI/L³ across turn the tip by more than a right angle; 6 EI/L³ along bend what is pushed aside.
    for [normal, tangential] in [[12.0, 0.0], [1.0, -6.0]] {
        let [normal, tangential] = [normal, tangential].map(|q| q * EI / LENGTH.powi(3));
        let loads = format!(
            "[loads.wind]\nmember = \"beam\"\nnormal = {normal}\ntangential = {tangential}\n\
             history.ramp = {{ duration = 1.0 }}"
        );
        let text = beam("quasi_static", CLAMP, &loads)
            .edit(
                &format!("height = {SIDE}, width = {SIDE}"),
                &format!("height = {BLADE}, width = {BLADE}"),
            )
            .edit("elements = 8\norder = 3", "elements = 16\norder = 4");
        let mut sim = Simulation::of(&text);
        sim.run(1.0, 0.05, |_| ());
        let [turn, x, y] = elastica([normal, tangential]);
        let ours = [sim.get("probes.turn"), sim.get("points.right.x"), sim.get("points.right.y")];
        println!("{normal} {tangential}: {ours:?}, elastica {turn} {x} {y}");
        for (ours, exact) in ours.into_iter().zip([turn, x, y]) {
            assert!((ours - exact).abs() < 1e-4, "{ours} {exact}");
        }
        let each = |sim: &Simulation| sim.get("solver.iterations") / sim.get("solver.steps");
        let dead = text.edit("normal =", "qy =").edit("tangential =", "qx =");
        let mut dead = Simulation::of(&dead);
        dead.run(1.0, 0.05, |_| ());
        println!("{} iterations per step, {} where it is dead", each(&sim), each(&dead));
        // With the symmetric half of the tangent alone they are many more.
        assert!(each(&sim) < each(&dead) + 2.0, "the tangent is not whole");
        let (work, balance) = (sim.get("energy.input_work"), sim.get("energy.balance"));
        assert!(work > 0.0);
        assert!(
            balance.abs() < 2e-2 * work,
            "trapezoidal rule over 20 steps: {balance} J of {work} J"
        );
    }
}

/// The clamped beam under a push of `load` · EI/L² in its last section that follows it.
fn becks_column(load: f64) -> String {
    let force = -load * EI / (LENGTH * LENGTH);
    let loads = format!(
        "[loads.push]\nmember = \"beam\"\ntangential = {force}\nat = {LENGTH}\n\
         [initial.points.right]\nvy = 1e-4"
    );
    beam("dynamic", CLAMP, &loads).edit("step = 0.05", "step = 2e-4\nspectral_radius = 0.98")
}

/// Largest deflection in the last and in the first half of 0.6 s after a small kick.
fn growth(load: f64) -> f64 {
    let text = becks_column(load);
    let mut sim = Simulation::of(&text);
    let mut peaks = [0.0_f64; 2];
    sim.run(0.6, 2e-4, |sim| {
        let half = usize::from(sim.time() > 0.3);
        peaks[half] = peaks[half].max(sim.get("probes.tip").abs());
    });
    peaks[1] / peaks[0]
}

#[test]
fn becks_column_flutters_above_20_05_and_not_below() {
    let (below, above) = (growth(19.4), growth(20.8));
    println!("growth {below} at 19.4, {above} at 20.8");
    assert!(below < 2.0, "{below}");
    assert!(above > 20.0, "{above}");
}

#[test]
fn becks_column_never_buckles_while_it_stands_still() {
    // The symmetric half of its stiffness alone would at 10.0, half of the load of the flutter.
    for (kind, critical) in [("tangential", 0), ("fx", 1)] {
        let text =
            becks_column(1.0).edit("tangential", kind) + "[static]\nto = 21.0\nfirst_step = 0.5\n";
        let model = common::check(&text, &[]).unwrap_or_else(|f| panic!("{f}"));
        let system = System::build(&model).unwrap_or_else(|fault| panic!("{fault}"));
        let path = model.statics.clone().expect("[static]");
        let (mut found, mut unstable) = (Vec::new(), 0);
        let ended = follow(&system, &[], &path, &mut |point| {
            if matches!(point.station, Station::Bifurcation { .. }) {
                found.push(point.factor);
            }
            unstable = unstable.max(point.state.unstable_modes);
        });
        assert_eq!(ended.unwrap_or_else(|fault| panic!("{fault}")), Ended::Reached);
        println!("{kind}: {found:?}");
        assert_eq!((found.len(), unstable), (critical, critical as u32));
        // Euler's load where the push keeps its direction.
        let euler = 0.25 * std::f64::consts::PI.powi(2);
        assert!(found.iter().all(|p| (p / euler - 1.0).abs() < 2e-4));
    }
}

#[test]
fn modes_under_loads_without_a_potential_are_refused() {
    let of = |load: f64, loads: Loads| {
        let model = common::check(&becks_column(load), &[]).unwrap_or_else(|f| panic!("{f}"));
        let system = System::build(&model).unwrap_or_else(|fault| panic!("{fault}"));
        let state = equilibrium(&system, &[]).unwrap_or_else(|fault| panic!("{fault}"));
        modes(&system, &state, 1, Sliding::Free, loads)
    };
    for load in [1.0, 19.0, 21.5] {
        let refused = of(load, Loads::Acting).expect_err("there is no such mode").to_string();
        println!("{refused}");
        assert!(refused.contains("without a potential"), "{refused}");
        assert!(of(load, Loads::Absent).is_ok());
    }
    assert!(of(0.0, Loads::Acting).is_ok());
}

/// A ring of 48 straight members of one element, R = 1 m, held at its lowest point, under a pressure.
fn ring(pressure: f64) -> String {
    const N: usize = 48;
    let mut text = beam("quasi_static", "", "");
    let from = text.find("[points]").expect("points");
    let to = text.find("[materials").expect("materials");
    let mut points = String::from("[points]\n");
    let mut members = String::new();
    for i in 0..N {
        let angle = std::f64::consts::TAU * (i as f64) / N as f64;
        points += &format!("p{i} = [{}, {}]\n", angle.sin(), -angle.cos());
        members += &format!(
            "[members.m{i}]\nfrom = \"p{i}\"\nto = \"p{}\"\nelements = 1\nmaterial = \"steel\"\n\
             section = \"square\"\n[loads.q{i}]\nmember = \"m{i}\"\nnormal = {pressure}\n",
            (i + 1) % N
        );
    }
    text.replace_range(from..to, &points);
    let from = text.find("[members.beam]").expect("the beam");
    let to = text.find("[interface]").expect("interface");
    let rest = "[supports.low]\npoint = \"p0\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
        [probes.across]\ndistance = { point = \"p24\", from = \"p0\" }\n\
        [probes.wide]\ndistance = { point = \"p36\", from = \"p12\" }\n";
    text.replace_range(from..to, &format!("{members}{rest}"));
    text
}

#[test]
fn a_ring_under_pressure_widens_by_p_r_squared_over_e_a_and_pulls_at_no_support() {
    let pressure = 100.0;
    // The normal stands to the left of the way round, which is inwards.
    let sim = Simulation::of(&ring(-pressure));
    let (across, wide) = (sim.get("probes.across") - 2.0, sim.get("probes.wide") - 2.0);
    let exact = 2.0 * pressure / (E * SIDE * SIDE);
    // A polygon of 48 sides bends between its corners; of the circle it differs by (π/48)².
    for change in [across, wide] {
        assert!((change / exact - 1.0).abs() < 0.02, "{change} {exact}");
    }
    for key in ["fx", "fy", "moment"] {
        let reaction = sim.get(&format!("supports.low.{key}"));
        assert!(reaction.abs() < 1e-6 * pressure, "{key} {reaction}");
    }
}

#[test]
fn weight_as_a_line_load_is_gravity_and_weightless_members_have_none() {
    let weight = 7850.0 * SIDE * SIDE * 9.81;
    let load = format!("[loads.weight]\nmember = \"beam\"\nqy = -{weight}");
    let gravity = "[gravity]\ny = -9.81";
    let none = "[gravity]\ny = -9.81\nweightless = [\"beam\"]";
    let tip = |loads: &str| Simulation::of(&beam("quasi_static", CLAMP, loads)).get("probes.tip");
    let sag = tip(gravity);
    assert!(sag < -1e-3, "{sag}");
    assert!((tip(&load) / sag - 1.0).abs() < 1e-9);
    assert_eq!(tip(none), 0.0);
}

#[test]
fn the_energy_balance_closes_over_a_swing_under_dead_and_follower_loads() {
    let loads = "[loads.q]\nmember = \"beam\"\nqy = -40.0\nqx = 25.0\nnormal = -30.0\ntangential = 20.0\n\
        between = [0.3, 1.8]\nvariation = [0.5, 1.5]\nhistory.sine = { frequency = 1.5 }";
    let balance = |step: f64| {
        let text = beam("dynamic", CLAMP, loads)
            .edit("step = 0.05", &format!("step = {step}\nspectral_radius = 0.98"));
        let mut sim = Simulation::of(&text);
        let mut most = 0.0_f64;
        sim.run(0.5, step, |sim| most = most.max(sim.get("energy.input_work").abs()));
        (sim.lost().abs() / most, most)
    };
    let ((coarse, work), (fine, _)) = (balance(1e-3), balance(2.5e-4));
    println!("balance {coarse} and {fine} of {work} J");
    assert!(work > 1e-3);
    assert!(fine < 1e-3, "{fine}");
    assert!(fine < 0.3 * coarse, "it shrinks with the step: {coarse} {fine}");
}

#[test]
fn inputs_of_a_line_load_act_as_the_numbers_in_the_file() {
    let keys = ["qx", "qy", "normal", "tangential"];
    let values = [3.0, -40.0, 20.0, -5.0];
    let written: String =
        (keys.iter().zip(values)).map(|(key, value)| format!("{key} = {value}\n")).collect();
    let text = |written: &str, inputs: &str| {
        let load = format!("[loads.q]\nmember = \"beam\"\n{written}");
        beam("quasi_static", CLAMP, &load).edit("[interface]", &format!("[interface]\n{inputs}"))
    };
    let mut file = Simulation::of(&text(&written, ""));
    let mut host = Simulation::of(&text("qy = 0.0\n", "inputs = [\"loads.q.*\"]"));
    for (key, value) in keys.iter().zip(values) {
        host.set(&format!("loads.q.{key}"), value);
    }
    for sim in [&mut file, &mut host] {
        sim.step(0.05);
    }
    let (a, b) = (file.get("probes.tip"), host.get("probes.tip"));
    assert!(a.abs() > 1e-3, "{a}");
    assert!((a - b).abs() < 1e-9 * a.abs(), "{a} {b}");
}

#[test]
fn derivatives_by_line_loads_are_those_of_a_repeated_step() {
    let load = "[loads.q]\nmember = \"beam\"\nqx = 2.0\nqy = -30.0\nnormal = 400.0\ntangential = -90.0\n\
        between = [0.3, 1.9]\nvariation = [0.4, 1.2]";
    let text = beam("dynamic", CLAMP, load)
        .edit("step = 0.05", "step = 5e-3")
        .edit("[interface]", "[interface]\ninputs = [\"loads.q.*\"]");
    let mut sim = Simulation::of(&text);
    sim.run(0.1, 5e-3, |_| ());
    let model = sim.system.model().clone();
    let names = ["probes.tip", "probes.turn", "supports.left.moment", "energy.input_work"];
    for input in 0..model.inputs.len() {
        let mut perturbation = Perturbation::none(&sim.system);
        perturbation.inputs[input] = 1.0;
        let mut stepper = Stepper::new(&sim.system);
        let (end, by) = stepper
            .change(&sim.system, &sim.state, sim.time(), 0.02, &perturbation)
            .expect("a derivative");
        let e = 1e-2;
        let [left, right] = [-e, e].map(|e| {
            let mut state = sim.state.clone();
            state.inputs[input] += e;
            stepper.advance(&sim.system, &mut state, sim.time(), 0.02).expect("a step");
            state
        });
        for name in names {
            let output = model.outputs.iter().find(|o| o.path == name).expect(name).output;
            let read = |state: &State| sim.system.read(state, output);
            let difference = (read(&right) - read(&left)) / (2.0 * e);
            let change = sim.system.output_change(&end, &by, output);
            let scale = difference.abs().max(1e-9 * read(&end).abs());
            assert!(
                (change - difference).abs() < 2e-4 * scale,
                "{name} by {}: {change} {difference}",
                model.inputs[input].path
            );
        }
    }
}
