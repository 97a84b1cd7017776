//! Natural frequencies and shapes against closed forms and the papers.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use std::f64::consts::PI;

use crate::common::{self, Simulation};
use coulisse::modes::{Loads, Mode, Modes, Nature, Sliding, modes};
use coulisse::start::equilibrium;
use coulisse::system::{State, System};

/// A thin steel strip along x from the origin to (`LENGTH`, 0).
const LENGTH: f64 = 2.0;
const HEIGHT: f64 = 0.01;
const WIDTH: f64 = 0.05;
const YOUNG: f64 = 200e9;
const DENSITY: f64 = 7800.0;
const MASS: f64 = DENSITY * HEIGHT * WIDTH * LENGTH;
const BENDING: f64 = YOUNG * WIDTH * HEIGHT * HEIGHT * HEIGHT / 12.0;

fn strip(elements: usize, more: &str) -> String {
    Mechanism::new("strip")
        .step(1e-3)
        .points(format!("a = [0.0, 0.0], b = [{LENGTH:?}, 0.0]"))
        .material("steel", YOUNG, 0.0, DENSITY)
        .rectangle("strip", HEIGHT, WIDTH)
        .beam("strip", ["a", "b"], [elements, 4], "steel strip")
        .add(more)
        .outputs("points.b.x")
        .text()
}

fn supports(a: &str, b: &str) -> String {
    let one = |point: &str, fixed: &str| match fixed {
        "" => String::new(),
        _ => format!("[supports.{point}]\npoint = \"{point}\"\nfix = [{fixed}]\n"),
    };
    one("a", a) + &one("b", b)
}

const CLAMP: &str = "\"x\", \"y\", \"rotation\"";
const PIN: &str = "\"x\", \"y\"";
const ROLLER: &str = "\"y\"";

/// Angular frequency of the Euler-Bernoulli beam with the eigenvalue βL.
fn euler_bernoulli(beta: f64) -> f64 {
    beta * beta * (BENDING / (MASS / LENGTH)).sqrt() / (LENGTH * LENGTH)
}

fn at_equilibrium(text: &str) -> (System, State) {
    let checked = common::check(text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let system = System::build(&checked).unwrap_or_else(|fault| panic!("{fault}"));
    let inputs: Vec<f64> = checked.inputs.iter().map(|i| i.start).collect();
    let state = equilibrium(&system, &inputs).unwrap_or_else(|fault| panic!("{fault}"));
    (system, state)
}

/// The lowest modes; there must be as many as asked for.
fn found(system: &System, state: &State, count: usize, sliding: Sliding) -> Modes {
    let found = modes(system, state, count, sliding, Loads::Acting)
        .unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(found.list.len(), count);
    found
}

#[test]
fn thin_beams_have_the_frequencies_of_euler_and_bernoulli() {
    for (name, a, b, betas) in [
        ("pinned", PIN, ROLLER, [PI, 2.0 * PI, 3.0 * PI, 4.0 * PI]),
        ("clamped", CLAMP, CLAMP, [4.730_041, 7.853_205, 10.995_608, 14.137_165]),
        ("cantilever", CLAMP, "", [1.875_104, 4.694_091, 7.854_757, 10.995_541]),
        ("propped", CLAMP, ROLLER, [3.926_602, 7.068_583, 10.210_176, 13.351_769]),
    ] {
        let sim = Simulation::of(&strip(8, &supports(a, b)));
        for (seen, beta) in sim.frequencies(4).into_iter().zip(betas) {
            let off = seen / euler_bernoulli(beta) - 1.0;
            println!("{name}: {seen:.5} rad/s, off by {off:.2e}");
            // Shear makes the fourth mode softer by (βh/L)² (E/G)/24 = 4e-4.
            assert!(off.abs() < 1e-3 && off < 1e-6, "{name}: {off}");
        }
    }
}

#[test]
fn bars_have_the_frequencies_of_standing_waves() {
    // Bending of this one is slower than it stretches only up to the tenth mode.
    let sim = Simulation::of(&strip(8, &supports(CLAMP, "")));
    let wave = 0.5 * PI / LENGTH * (YOUNG / DENSITY).sqrt();
    let along = |shape: &[f64], sim: &Simulation| {
        let [x, y] = [0, 1].map(|d| shape[sim.point("b", d)].abs());
        x > y
    };
    let modes = sim.modes(20).list;
    let first = modes.iter().find(|m| along(&m.shape, &sim)).expect("a bar mode");
    assert!((first.angular_frequency() / wave - 1.0).abs() < 1e-6);
    // φ = √(2/m) sin(πx/2L).
    let tip = first.shape[sim.point("b", 0)];
    assert!((tip - (2.0 / MASS).sqrt()).abs() < 1e-6 * tip, "{tip}");
    // Γ = √(2m)·2/π.
    let gamma = (2.0 * MASS).sqrt() * 2.0 / PI;
    assert!((first.participation[0] - gamma).abs() < 1e-6 * gamma);
    assert!((first.effective_mass()[0] / MASS - 8.0 / (PI * PI)).abs() < 1e-6);
}

#[test]
fn a_free_beam_has_three_rigid_motions_before_it_bends() {
    let sim = Simulation::of(&strip(8, ""));
    let found = sim.modes(5);
    let natures: Vec<Nature> = found.list.iter().map(|m| m.nature).collect();
    use Nature::{Rigid, Vibration};
    assert_eq!(natures, [Rigid, Rigid, Rigid, Vibration, Vibration]);
    for (mode, beta) in found.list[3..].iter().zip([4.730_041, 7.853_205]) {
        assert!((mode.angular_frequency() / euler_bernoulli(beta) - 1.0).abs() < 1e-3);
    }
    assert!(found.list[..3].iter().all(|m| m.angular_frequency() == 0.0));
    assert!((found.centre[0] - 0.5 * LENGTH).abs() < 1e-12 && found.centre[1].abs() < 1e-12);
}

#[test]
fn effective_masses_of_all_modes_come_to_the_whole_mass() {
    let block = "[masses.b]\npoint = \"b\"\nmass = 3.0\nrotary_inertia = 0.4\n";
    // Rigid motions have it all.
    let sim = Simulation::of(&strip(2, block));
    let found = sim.modes(1000);
    let total = MASS + 3.0;
    assert!((found.total[0] - total).abs() < 1e-12 * total);
    let centre = (MASS * 0.5 * LENGTH + 3.0 * LENGTH) / total;
    let inertia = MASS * (LENGTH * LENGTH / 12.0 + (centre - 0.5 * LENGTH).powi(2))
        + 3.0 * (LENGTH - centre).powi(2)
        + 0.4;
    assert!((found.total[2] - inertia).abs() < 1e-9 * inertia);
    for d in 0..3 {
        let sum: f64 = found.list.iter().map(|m| m.effective_mass()[d]).sum();
        println!("{d}: {sum} of {}", found.total[d]);
        assert!((sum - found.total[d]).abs() < 1e-8 * found.total[d]);
        let rigid: f64 = found.list[..3].iter().map(|m| m.effective_mass()[d]).sum();
        assert!((rigid - sum).abs() < 1e-6 * sum, "rigid {rigid}");
    }
    // Nine nodes with two masses each, and one rotation.
    assert_eq!(found.list.len(), 19);
    // Of a pinned beam along y: (8/π²)(1 + 1/9 + 1/25 + …), of which the first is 81.06 %.
    let sim = Simulation::of(&strip(8, &supports(PIN, ROLLER)));
    let share = sim.modes(1).list[0].effective_mass()[1] / MASS;
    assert!((share - 8.0 / (PI * PI)).abs() < 1e-4, "{share}");
}

#[test]
fn building_of_the_paper_has_its_first_and_eleventh_frequency() {
    let sim = Simulation::of(&common::text("tests/models/building"));
    let found = sim.modes(12).list;
    // How much the five columns of a side stretch together, by the largest displacement.
    let stretch = |shape: &[f64]| {
        let top = |side: &str, d: usize| shape[sim.point(&format!("{side}5"), d)];
        let members = 0..sim.system.model().members.len();
        let places = members.flat_map(|m| sim.system.drawing().axis_of(m, shape, 4));
        let most = places.fold(0.0, |most: f64, [x, y]| most.max(x.abs()).max(y.abs()));
        top("l", 1).abs().max(top("r", 1).abs()) / most
    };
    for (number, mode) in found.iter().enumerate() {
        println!(
            "{:>2}: {:.3} rad/s, stretch {:.3}, damped {:.4}",
            number + 1,
            mode.angular_frequency(),
            stretch(&mode.shape),
            mode.damping_ratio
        );
    }
    for (number, reference) in [(1, 8.56), (11, 133.98)] {
        let seen = found[number - 1].angular_frequency();
        assert!((seen / reference - 1.0).abs() < 0.015, "{seen} {reference}");
        // 5 % in both, and less between.
        assert!((found[number - 1].damping_ratio - 0.05).abs() < 1e-9);
    }
    assert!(found[1..10].iter().all(|m| m.damping_ratio < 0.05));
    assert!(found[..10].iter().all(|m| stretch(&m.shape) < 0.2));
    assert!(stretch(&found[10].shape) > 0.9);
}

#[test]
fn a_string_sounds_by_the_tension_of_its_equilibrium() {
    let tension = 200e3;
    let pull = format!("[loads.pull]\npoint = \"b\"\nfx = {tension:?}\n");
    let (system, state) = at_equilibrium(&strip(8, &(supports(PIN, ROLLER) + &pull)));
    let modes = found(&system, &state, 3, Sliding::Free);
    // ρA per drawn length: ω² = (nπ/L)² [T/ℓ + EI (nπ/L)²]/ρA with T = EA ℓ (ℓ² − 1)/2.
    let area = WIDTH * HEIGHT;
    let mut stretch = 1.0;
    for _ in 0..50 {
        stretch = 1.0 + 2.0 * tension / (YOUNG * area) / (stretch * (stretch + 1.0));
    }
    for (n, mode) in modes.list.iter().enumerate() {
        let k = (n + 1) as f64 * PI / LENGTH;
        let exact = k * ((tension / stretch + BENDING * k * k) / (DENSITY * area)).sqrt();
        let off = mode.angular_frequency() / exact - 1.0;
        println!("{:.4} rad/s, off by {off:.2e}", mode.angular_frequency());
        // Second terms in the strain and in the slenderness.
        assert!(off.abs() < 1e-3, "{off}");
    }
    assert!((modes.list[0].angular_frequency() / euler_bernoulli(PI) - 1.0).abs() > 5.0);
}

#[test]
fn a_column_is_reported_to_be_unstable_above_each_of_eulers_loads() {
    let euler = BENDING * (PI / LENGTH).powi(2);
    for (share, unstable) in
        [(0.5, 0), (0.999, 0), (1.001, 1), (2.0, 1), (3.99, 1), (4.01, 2), (12.0, 3)]
    {
        let load = format!("[loads.press]\npoint = \"b\"\nfx = {:?}\n", -share * euler);
        let (system, state) = at_equilibrium(&strip(8, &(supports(PIN, ROLLER) + &load)));
        let found = found(&system, &state, 4, Sliding::Free).list;
        let seen = found.iter().filter(|m| m.nature == Nature::Unstable).count();
        assert_eq!(seen, unstable, "{share} of Euler's load");
        // (nπ/L)⁴ EI/ρA (1 − P/n²P_E), by size; each with the sum of its two terms.
        let first = euler_bernoulli(PI).powi(2);
        let mut exact =
            [1.0, 4.0, 9.0, 16.0].map(|n| [n * (n - share) * first, n * (n + share) * first]);
        exact.sort_by(|a, b| a[0].total_cmp(&b[0]));
        for (mode, [exact, size]) in found.iter().zip(exact) {
            let off = (mode.square - exact).abs() / size;
            assert!(off < 1e-3, "{share}: {} {exact}", mode.square);
            assert_eq!(mode.growth() > 0.0, mode.nature == Nature::Unstable);
        }
    }
}

/// A pendulum on a slider of 2 kg that a soft bar holds; the bob of 3 kg hangs 1.5 m below.
fn slung() -> String {
    Mechanism::new("slung")
        .step(1e-3)
        .gravity(-9.81)
        .points("wall = [-1.0, 0.0], slider = [0.0, 0.0], bob = [0.0, -1.5], left = [-1.0, 0.0]")
        .and("right = [1.0, 0.0]")
        .material("soft", 1e6, 0.0, 0.0)
        .material("stiff", 1e13, 0.0, 0.0)
        .rectangle("wire", 0.01, 0.01)
        .beam("spring", ["wall", "slider"], [1, 1], "soft wire")
        .beam("rod", ["slider", "bob"], [1, 1], "stiff wire")
        .guide("guide", ["left", "right"], "elements = 4")
        .mass("slider", 2.0)
        .mass("bob", 3.0)
        .pin("wall")
        .slider("slider", "slider", "guide", "")
        .joint("turning", "hinge = { point = 'slider' }")
        .outputs("points.bob.x")
        .text()
}

#[test]
fn a_pendulum_on_a_slider_swings_faster_than_on_one_that_is_stuck() {
    let (system, state) = at_equilibrium(&slung());
    let (m, bob, length, g) = (2.0_f64, 3.0_f64, 1.5_f64, 9.81_f64);
    let spring = 1e6 * 1e-4;
    let free = found(&system, &state, 2, Sliding::Free);
    // (k − (M + m) w)(g − L w) = m L w² with w = ω².
    let (a, b, c) = (m * length, spring * length + (m + bob) * g, spring * g);
    let root = (b * b - 4.0 * a * c).sqrt();
    for (mode, exact) in free.list.iter().zip([-1.0, 1.0].map(|s| (b + s * root) / (2.0 * a))) {
        println!("{} {exact}", mode.square);
        assert!((mode.square / exact - 1.0).abs() < 1e-4);
    }
    let stuck = found(&system, &state, 1, Sliding::Stuck);
    let exact = g / length;
    println!("stuck: {} {exact}", stuck.list[0].square);
    assert!((stuck.list[0].square / exact - 1.0).abs() < 1e-4);
    assert_eq!(system.drawing().moves_most(&stuck.list[0].shape), "member rod");
    // Upside down it falls.
    let text = slung().edit("bob = [0.0, -1.5]", "bob = [0.0, 1.5]");
    let (system, state) = at_equilibrium(&text);
    let stuck = &found(&system, &state, 1, Sliding::Stuck).list[0];
    assert_eq!(stuck.nature, Nature::Unstable);
    assert!((stuck.growth() / exact.sqrt() - 1.0).abs() < 1e-4);
}

#[test]
fn frequencies_depend_neither_on_the_step_nor_on_motions_that_have_just_begun() {
    // A rod of 1.5 m whose point of suspension moves with 0.7 m/s from t = 0: ω² = g/(2 l/3).
    let pendulum = &Mechanism::new("pendulum")
        .gravity(-9.81)
        .step(1e-3)
        .points("pivot = [0.0, 0.0], bob = [0.0, -1.5]")
        .member("rod", ["pivot", "bob"], "rigid = true, mass = 3.0, inertia = 0.5625")
        .roller("pivot")
        .motion("pivot", "point = 'pivot', direction = 'x', velocity = 0.7")
        .text();
    let bars = common::bundled("doubly_bent_beams");
    let mut first: Option<Vec<f64>> = None;
    for (step, pull) in [(0.1, 1e-3), (1e-3, 0.0), (5e-5, 2.5e-4), (1e-5, 1e-3)] {
        let steps = ("solver.step", step);
        let square = Simulation::with(pendulum, &[steps]).modes(1).list[0].square;
        assert!((square / 9.81 - 1.0).abs() < 1e-10, "{square}");
        let sim = Simulation::with(&bars, &[steps, ("motions.pull.velocity", pull)]);
        let found = sim.frequencies(3);
        println!("{step}: {square} 1/s2, {found:?} rad/s");
        // Newton's method finds the equilibrium to 1e-9 or so.
        let same = first.get_or_insert(found.clone()).iter().zip(&found);
        same.for_each(|(a, b)| assert!((a / b - 1.0).abs() < 1e-6, "{found:?}"));
    }
}

#[test]
fn frequencies_that_repeat_are_all_found() {
    // Six equal cantilevers that have nothing to do with each other.
    let mut text = strip(3, &supports(CLAMP, ""));
    for k in 1..6 {
        let more = format!(
            "[members.strip{k}]\nfrom = \"a{k}\"\nto = \"b{k}\"\nelements = 3\norder = 4\n\
             material = \"steel\"\nsection = \"strip\"\n\
             [supports.a{k}]\npoint = \"a{k}\"\nfix = [{CLAMP}]\n[interface]"
        );
        text = text.edit("[interface]", &more).edit(
            "[points]",
            &format!("[points]\na{k} = [0.0, {k}.0]\nb{k} = [{LENGTH:?}, {k}.0]"),
        );
    }
    let sim = Simulation::of(&text);
    let seen = sim.frequencies(9);
    for (place, omega) in seen.iter().enumerate() {
        let beta = if place < 6 { 1.875_104 } else { 4.694_091 };
        assert!((omega / euler_bernoulli(beta) - 1.0).abs() < 1e-3, "{seen:?}");
    }
    let again = Simulation::of(&text).modes(9);
    assert_eq!(again, sim.modes(9), "the same bits");
    assert!(again.list.iter().all(|m| {
        let most = m.shape.iter().fold(0.0_f64, |a, b| if b.abs() > a.abs() { *b } else { a });
        most > 0.0
    }));
}

#[test]
fn all_modes_of_a_mechanism_begin_with_its_lowest_ones_and_none_is_made_of_rounding() {
    // Rods and rigid bars whose stiffnesses differ by a million; the mechanism is stable in the initial configuration.
    for name in ["doubly_bent_beams", "quick_return", "vehicle_on_bridge"] {
        let sim = Simulation::bundled(name, &[]);
        let (few, all) = (sim.modes(5).list, sim.modes(1000).list);
        let stable = |m: &Mode| m.nature == Nature::Vibration;
        assert!(all.len() > 50 && all.iter().all(stable), "{name}");
        for (few, all) in few.iter().zip(&all) {
            assert!((few.square / all.square - 1.0).abs() < 1e-6, "{name}");
        }
        let fastest = all.last().map(Mode::angular_frequency);
        println!("{name}: {} modes up to {fastest:.4?} rad/s", all.len());
    }
    let block = Simulation::bundled("incline", &[]);
    assert_eq!(block.modes(1000).list.len(), 1, "it slides, and that is all");
}

#[test]
fn a_model_of_thousands_of_unknowns_has_the_same_frequencies() {
    let sim = Simulation::of(&strip(600, &supports(PIN, ROLLER)));
    assert!(sim.system.equations() > 7000);
    for (n, seen) in sim.frequencies(5).into_iter().enumerate() {
        let off = seen / euler_bernoulli((n + 1) as f64 * PI) - 1.0;
        assert!(off.abs() < 1e-3, "{n}: {off:e}");
    }
}

#[test]
fn what_has_no_modes_says_why() {
    let text = strip(2, &supports(CLAMP, "")).edit("density = 7800.0", "density = 0.0");
    let refused = |text: &str| {
        let checked = common::check(text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
        let system = System::build(&checked).unwrap_or_else(|fault| panic!("{fault}"));
        let state = State::initial(&system, &[]);
        modes(&system, &state, 3, Sliding::Free, Loads::Absent)
            .expect_err("there are modes")
            .to_string()
    };
    assert!(refused(&text).contains("nothing that can move has a mass"));
    // One turn of the crank determines all positions; what is elastic is fixed.
    let compressor = refused(&common::bundled("compressor"));
    assert!(compressor.contains("nothing can vibrate"), "{compressor}");
    // A mass at the end of a light beam, which holds the one direction that the joint leaves.
    let text = strip(4, &supports(PIN, ROLLER))
        .edit("density = 7800.0", "density = 0.0")
        .edit("[points]", "[points]\nwheel = [0.0, 0.0]")
        .edit(
            "[interface]",
            "[masses.wheel]\npoint = \"wheel\"\nmass = 2.0\n[joints.wheel]\n\
             cylindrical = { slider = \"wheel\", path = [\"strip\"] }\n\
             [supports.wheel]\npoint = \"wheel\"\nfix = [\"x\"]\n[interface]",
        );
    assert!(refused(&text).contains("fix everything with mass"), "{}", refused(&text));
}
