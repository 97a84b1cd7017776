//! Section forces anywhere, forces on the ends of members, deflections from chords, centres of mass and momenta.

use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};

/// A beam of 4 m of a rectangle of 0.1 × 0.05 m: I = 4.1667e-6 m⁴, W = 8.333e-5 m³, A = 5e-3 m².
fn beam(orders: &str, supports: &str, load: &str, outputs: &str) -> String {
    Mechanism::new("beam")
        .step(0.1)
        .solver("analysis = 'quasi_static'")
        .points("a = [1.0, 2.0], b = [5.0, 2.0]")
        .material("steel", 2e11, 0.3, 7850.0)
        .rectangle("bar", 0.1, 0.05)
        .member("beam", ["a", "b"], format!("{orders}, material = 'steel', section = 'bar'"))
        .add(load)
        .add(supports)
        .probe("middle", "section = { member = 'beam', at = 2.0 }")
        .probe("quarter", "section = { member = 'beam', at = 1.0 }")
        .probe("sag", "chord = { member = 'beam', at = 2.0 }")
        .entry("interface", format!("outputs = ['probes.*', 'members.*', 'supports.*'{outputs}]"))
        .text()
}

const FINE: &str = "elements = 8\norder = 3";
const CLAMP: &str = "[supports.a]\npoint = \"a\"\nfix = [\"x\", \"y\", \"rotation\"]\n";
const CLAMP_B: &str = "[supports.b]\npoint = \"b\"\nfix = [\"y\", \"rotation\"]\n";
const HINGE: &str = "[supports.a]\npoint = \"a\"\nfix = [\"x\", \"y\"]\n";
const ROLLER: &str = "[supports.b]\npoint = \"b\"\nfix = [\"y\"]\n";
const UNIFORM: &str = "[loads.q]\nmember = \"beam\"\nqy = -100.0\n";
const TIP: &str = "[loads.tip]\npoint = \"b\"\nfy = -50.0\nfx = 3000.0\n";

/// `seen` is within the share `within` of `exact`, or of `size` where that is given.
fn near(seen: f64, exact: f64, within: f64, what: &str) {
    println!("{what}: {seen:.9e} instead of {exact:.9e}");
    let size = if exact == 0.0 { 1.0 } else { exact.abs() };
    assert!((seen - exact).abs() <= within * size, "{what}: {seen} {exact}");
}

#[test]
fn textbook_beams_have_their_section_forces() {
    let (q, l, e_i) = (100.0, 4.0, 2e11 * 0.05 * 0.1_f64.powi(3) / 12.0);
    let held = |supports: &str, load: &str| {
        let mut sim = Simulation::of(&beam(FINE, supports, load, ""));
        sim.step(0.1);
        sim
    };
    // Loads are small, so that the theory of small deflections holds to about 1e-5 of their effects.
    let simple = held(&[HINGE, ROLLER].concat(), UNIFORM);
    near(
        simple.get("probes.middle.moment"),
        q * l * l / 8.0,
        1e-5,
        "simple beam, moment in its middle",
    );
    near(simple.get("probes.quarter.moment"), 3.0 * q * l * l / 32.0, 1e-5, "at a quarter");
    near(simple.get("probes.quarter.shear"), -q * l / 4.0, 1e-4, "shear at a quarter");
    near(simple.get("members.beam.largest_moment"), q * l * l / 8.0, 1e-5, "largest moment");
    near(simple.get("members.beam.largest_shear"), q * l / 2.0, 1e-4, "largest shear");
    near(simple.get("members.beam.from.fy"), q * l / 2.0, 1e-9, "reaction at the hinge");
    near(simple.get("members.beam.to.fy"), q * l / 2.0, 1e-9, "at the roller");
    near(simple.get("members.beam.from.moment"), 0.0, 1e-8, "moment at the hinge");
    near(simple.get("probes.middle.stress"), q * l * l / 8.0 / 8.333_333e-5, 1e-5, "stress");
    let shear = q * l * l / 8.0 / (2e11 / 2.6 * 5e-3);
    let sag = 5.0 * q * l.powi(4) / (384.0 * e_i) + shear;
    near(simple.get("probes.sag"), -sag, 1e-4, "deflection from the chord");

    let clamped = held(&[CLAMP, CLAMP_B].concat(), UNIFORM);
    near(
        clamped.get("members.beam.from.moment"),
        q * l * l / 12.0,
        1e-4,
        "clamped, moment at the end",
    );
    near(clamped.get("probes.middle.moment"), q * l * l / 24.0, 1e-4, "clamped, in the middle");
    near(clamped.get("members.beam.largest_moment"), q * l * l / 12.0, 1e-3, "clamped, largest");

    let cantilever = held(CLAMP, TIP);
    let drop = cantilever.get("members.beam.to.fy");
    near(drop, -50.0, 1e-9, "force on the tip");
    near(cantilever.get("probes.middle.normal"), 3000.0, 1e-5, "tension");
    // The pull takes a part of the moment away: M(x) = F/k sinh(k (L − x))/cosh(k L), k² = P/EI.
    let k = (3000.0 / e_i).sqrt();
    let moment = |x: f64| -50.0 / k * (k * (l - x)).sinh() / (k * l).cosh();
    near(cantilever.get("probes.middle.moment"), moment(2.0), 2e-4, "pulled cantilever, middle");
    near(
        cantilever.get("members.beam.from.moment"),
        -moment(0.0),
        2e-4,
        "pulled cantilever, clamp",
    );
    let stress = 3000.0 / 5e-3 + moment(2.0).abs() / 8.333_333e-5;
    near(cantilever.get("probes.middle.stress"), stress, 1e-4, "pulled cantilever, stress");
    for component in ["fx", "fy", "moment"] {
        let [end, support] = ["members.beam.from.", "supports.a."]
            .map(|path| cantilever.get(&format!("{path}{component}")));
        near(end, support, 1e-9, component);
    }
}

/// A cantilever 0.6 m high and 1 m long, of which a tip load of 1 kN lowers the end by F L³/3EI + F L/(G A_v).
#[test]
fn a_deep_cantilever_has_the_deflection_of_timoshenko_by_its_shear_area() {
    let (b, h, force, young, poisson) = (0.1, 0.6_f64, 1000.0, 2e11, 0.3);
    let (area, second) = (b * h, b * h.powi(3) / 12.0);
    for (key, shear) in
        [(", shear_area = 0.05", 5.0 / 6.0 * area), (", shear_area = 0.02", 0.02), ("", area)]
    {
        let section =
            format!("properties = {{ area = {area:?}, second_moment = {second:?}{key} }}");
        let file = Mechanism::new("deep").step(0.1).solver("analysis = 'quasi_static'");
        let file = file.points("a = [0.0, 0.0], b = [1.0, 0.0]").section("wall", section);
        let file = file.material("steel", young, poisson, 7850.0).clamp("a");
        let file = file
            .member("wall", ["a", "b"], "elements = 2, material = 'steel', section = 'wall'")
            .load("tip", format!("point = 'b', fy = {:?}", -force))
            .outputs("points.b.* members.*");
        let mut sim = Simulation::of(&file.text());
        sim.step(0.1);
        let sheared = force / (young / (2.0 * (1.0 + poisson)) * shear);
        let exact = force / (3.0 * young * second) + sheared;
        // Small: 1e-6 of the length.
        near(-sim.get("points.b.y"), exact, 1e-5, &format!("tip, A_v = {shear}"));
        near(sim.get("members.wall.largest_shear"), force, 1e-5, "shear force");
    }
}

#[test]
fn ends_are_in_balance_however_coarse_the_mesh_is() {
    // A single element with its own weight, a load that follows it and a slider that stands on it.
    let text = beam("elements = 1\norder = 2", &[HINGE, ROLLER].concat(), UNIFORM, "")
        .edit("[probes.middle]", "[gravity]\ny = -9.81\n[loads.wind]\nmember = \"beam\"\nnormal = 30.0\n[probes.middle]")
        .edit("b = [5.0, 2.0]", "b = [5.0, 2.0]\nbead = [2.0, 2.0]")
        .edit("[probes.middle]", "[masses.bead]\npoint = \"bead\"\nmass = 10.0\n[joints.bead]\ncylindrical = { slider = \"bead\", path = [\"beam\"] }\n[supports.bead]\npoint = \"bead\"\nfix = [\"x\"]\n[probes.middle]");
    let mut sim = Simulation::of(&text);
    sim.step(0.1);
    for (end, support) in [("from", "a"), ("to", "b")] {
        let [seen, held] = [format!("members.beam.{end}.fy"), format!("supports.{support}.fy")]
            .map(|path| sim.get(&path));
        near(seen, held, 1e-9, end);
        assert!(held > 100.0);
    }
}

/// Two bars with a hinge between, thrown with a spin, one of them damped; a mass at a tip.
fn chain() -> String {
    Mechanism::new("chain")
        .step(1e-4)
        .points("a = [0.3, 0.4], b = [1.3, 0.4], c = [1.9, 1.2]")
        .material("rubber", 2e8, 0.3, 1200.0)
        .rectangle("bar", 0.05, 0.05)
        .member("first", ["a", "b"], "elements = 3, material = 'rubber', section = 'bar'")
        .member("second", ["b", "c"], "elements = 3, material = 'rubber', section = 'bar'")
        .joint("b", "hinge = { point = 'b' }")
        .entry("masses.tip", "point = 'c', mass = 2.0")
        .entry("masses.pin", "point = 'b', mass = 0.7")
        .entry("damping.first", "members = ['first'], mass_coefficient = 0.5")
        .and("stiffness_coefficient = 1e-4")
        .gravity(-9.81)
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("a", "vx = 1.0, vy = 6.0")
        .start("b", "vy = 2.0")
        .start("c", "vy = 4.0")
        .outputs("members.* mechanism.* points.*")
        .text()
}

#[test]
fn a_hinge_is_in_balance_with_the_mass_on_it() {
    let mut sim = Simulation::of(&chain());
    let mut largest: f64 = 0.0;
    sim.run(0.1, 1e-3, |sim| {
        for (component, key) in ["fx", "fy"].into_iter().enumerate() {
            let [left, right] =
                ["first.to", "second.from"].map(|end| sim.get(&format!("members.{end}.{key}")));
            let acceleration = sim.get(&format!("points.b.{}", ["ax", "ay"][component]));
            let weight = [0.0, -9.81][component];
            largest = largest.max(left.abs());
            // Mass-proportional damping acts on what is lumped at an end of a damped member, too.
            let speed = sim.get(&format!("points.b.{}", ["vx", "vy"][component]));
            let error = left + right + 0.7 * (acceleration - weight) + 0.5 * 0.7 * speed;
            assert!(
                error.abs() < 1e-6 * largest.max(1.0),
                "{} s {key}: {left} {right} {error}",
                sim.time()
            );
        }
        for end in ["first.from", "first.to", "second.from"] {
            let moment = sim.get(&format!("members.{end}.moment"));
            assert!(moment.abs() < 1e-6 * largest.max(1.0), "{end} {moment}");
        }
    });
    assert!(largest > 10.0, "{largest}");
}

#[test]
fn the_centre_of_mass_falls_and_the_momentum_follows_the_loads() {
    // Without damping, which resists the motion as a whole, too.
    let i = chain().find("[damping.first]").unwrap();
    let j = chain().find("[gravity]").unwrap();
    let text = [&chain()[..i], &chain()[j..]].concat();
    let mut sim = Simulation::of(&text);
    let names = ["centre_x", "centre_y", "momentum_x", "momentum_y", "angular_momentum"];
    let read = |sim: &Simulation| names.map(|name| sim.get(&format!("mechanism.{name}")));
    let mass = 1200.0 * 0.0025 * 2.0 + 2.7;
    let [x, y, px, py, spin] = read(&sim);
    let (vx, vy) = (px / mass, py / mass);
    assert!(vy.abs() > 0.1 && spin.abs() > 1.0, "{vx} {vy} {spin}");
    let parts: f64 =
        ["first", "second"].map(|m| sim.get(&format!("members.{m}.momentum_y"))).iter().sum();
    let lumped = 0.7 * sim.get("points.b.vy") + 2.0 * sim.get("points.c.vy");
    near(parts + lumped, py, 1e-12, "momentum of the parts");
    sim.run(0.1, 1e-2, |sim| {
        let (t, g) = (sim.time(), -9.81);
        let seen = read(sim);
        let exact = [x + vx * t, y + vy * t + 0.5 * g * t * t, px, py + mass * g * t];
        for ((name, seen), exact) in names.iter().zip(seen).zip(exact) {
            near(seen, exact, 1e-9, &format!("{name} at {t} s"));
        }
        // Of the weight about the origin: ∫ m g x dt.
        let turned = spin + mass * g * (x * t + 0.5 * vx * t * t);
        near(seen[4], turned, 1e-5, "angular momentum");
    });
}

/// A damped arm in two parts under a wind that follows it, on which a bead slides with friction; gravity and wind are inputs.
fn loaded() -> String {
    Mechanism::new("loaded")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [1.0, 0.0], c = [1.6, 0.3], bead = [0.4, 0.0]")
        .material("rubber", 2e8, 0.3, 1200.0)
        .rectangle("bar", 0.04, 0.05)
        .member("arm", ["a", "b"], "elements = 2, material = 'rubber', section = 'bar'")
        .member("lower", ["b", "c"], "elements = 2, material = 'rubber', section = 'bar'")
        .joint("b", "hinge = { point = 'b' }")
        .mass("bead", 0.8)
        .slider("bead", "bead", "arm", "")
        .and("friction.coulomb = { coefficient = 0.1 }")
        .clamp("a")
        .entry("damping.arm", "members = ['arm'], mass_coefficient = 0.2")
        .and("stiffness_coefficient = 1e-4")
        .load("wind", "member = 'arm', normal = 20.0, qx = 5.0")
        .gravity(-9.81)
        .probe("cut", "section = { member = 'arm', at = 0.3 }")
        .probe("sag", "chord = { member = 'arm', at = 0.5 }")
        .inputs("loads.wind.* gravity.*")
        .outputs("members.* mechanism.* probes.*")
        .text()
}

#[test]
fn derivatives_of_what_members_carry_are_those_of_differences() {
    let text = sharp(&loaded(), 1e-13);
    let knowns = [("loads.wind.normal", 1.0), ("loads.wind.qx", 1.0), ("gravity.y", 0.1)];
    check_run(&text, 0.1, &knowns, 1e-5, 60);
}

/// A clamped beam whose tip is pulled and bent, with one of the `sections`.
fn rolled(section: &str) -> Simulation {
    let text =
        beam(FINE, CLAMP, TIP, "").edit("rectangle = { height = 0.1, width = 0.05 }", section);
    let mut sim = Simulation::of(&text);
    sim.step(0.1);
    sim
}

#[test]
fn fibre_stress_of_a_rolled_section_is_that_of_its_section_modulus() {
    // IPE 300 by its table (EN 10365): A = 53.81 cm², I = 8356 cm⁴, W = 557.1 cm³.
    let by_shape =
        "i_section = { height = 0.3, width = 0.15, web = 0.0071, flange = 0.0107, fillet = 0.015 }";
    let by_moments = "properties = { area = 5.381e-3, second_moment = 8.356e-5, height = 0.3 }";
    for (section, within) in [(by_shape, 6e-4), (by_moments, 1e-4)] {
        let sim = rolled(section);
        let moment = sim.get("members.beam.largest_moment");
        let stress = 3000.0 / 5.381e-3 + moment / 557.1e-6;
        near(sim.get("members.beam.largest_stress"), stress, within, section);
    }
    // 0.3 × 0.2 m with walls of 0.01 m: A = 0.0096 m², I = (0.3³ · 0.2 − 0.28³ · 0.18)/12 m⁴.
    let sim = rolled("hollow_rectangle = { height = 0.3, width = 0.2, thickness = 0.01 }");
    let second = (0.027 * 0.2 - 0.021_952 * 0.18) / 12.0;
    let stress = 3000.0 / 0.0096 + sim.get("members.beam.largest_moment") * 0.15 / second;
    near(sim.get("members.beam.largest_stress"), stress, 1e-6, "hollow rectangle");
}

#[test]
fn the_web_of_an_i_section_carries_its_shear() {
    let tip = |more: &str| {
        let sizes = "height = 0.3, width = 0.15, web = 0.0071, flange = 0.0107, fillet = 0.015";
        let section = format!("i_section = {{ {sizes}{more} }}");
        let text = beam(FINE, CLAMP, TIP, ", 'points.b.y'")
            .edit("rectangle = { height = 0.1, width = 0.05 }", &section);
        let mut sim = Simulation::of(&text);
        sim.step(0.1);
        sim.get("points.b.y")
    };
    // Timoshenko's F L/(G A_v) with the web, 0.3 × 0.0071 m², in place of 5.38e-3 m², about the whole area. The pull makes the beam 0.3 % stiffer.
    let (shear_modulus, areas) = (2e11 / 2.6, [0.3 * 0.0071, 5.38e-3]);
    let more = 50.0 * 4.0 / shear_modulus * (1.0 / areas[0] - 1.0 / areas[1]);
    near(tip(", shear_area = 5.38e-3") - tip(""), more, 1e-2, "deflection by shear");
}

#[test]
fn without_a_height_there_is_no_stress() {
    let sim = rolled("properties = { area = 5.381e-3, second_moment = 8.356e-5 }");
    let outputs = &sim.system.model().outputs;
    assert!(outputs.iter().any(|output| output.path == "members.beam.largest_moment"));
    assert!(!outputs.iter().any(|output| output.path.contains("stress")));
}

#[test]
fn an_added_mass_has_weight_and_inertia() {
    let density = 7850.0 * 0.1 * 0.05;
    for keys in ["elements = 4", "rigid = true"] {
        let mut sim = Mechanism::new("beam")
            .step(0.1)
            .gravity(-10.0)
            .points("a = [1.0, 2.0], b = [5.0, 2.0]")
            .steel()
            .rectangle("bar", 0.1, 0.05)
            .member("beam", ["a", "b"], "material = 'steel', section = 'bar'")
            .and(format!("added_mass = 50.0, {keys}"))
            .clamp("a")
            .solver("analysis = 'quasi_static'")
            .outputs("supports.*")
            .simulation();
        sim.step(0.1);
        near(sim.get("supports.a.fy"), 40.0 * (density + 50.0), 1e-9, "weight");
        near(sim.get("supports.a.moment"), 80.0 * (density + 50.0), 1e-3, "moment");
    }
    let frequency = |added: f64| {
        let text = beam(&format!("{FINE}\nadded_mass = {added:?}"), CLAMP, "", "");
        let sim = Simulation::of(&text.edit("analysis = \"quasi_static\"\n", ""));
        sim.modes(1).list[0].angular_frequency()
    };
    near(frequency(0.0) / frequency(3.0 * density), 2.0, 1e-9, "four times the mass");
}
