//! Section forces beside what acts inside elements, against the balance of the part of the member beyond the section.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;
use coulisse::system::{ActingForces, Look, PlacedSection};

/// A force (N) with a moment (N·m) at a place along the only member, m.
type Acts = (f64, [f64; 3]);

/// How far a slider moves along its path as that bends, m.
const SAME: f64 = 1e-6;

const LENGTH: f64 = 4.0;
const ELEMENTS: usize = 3;

fn model(order: usize, end: [f64; 2], rest: Mechanism) -> String {
    Mechanism::new("beam")
        .entry("experiment", "stop_time = 1.0")
        .step(0.1)
        .solver("analysis = 'quasi_static'")
        .points(format!("a = [0.0, 0.0], b = [{}, {}]", end[0], end[1]))
        .steel()
        .rectangle("bar", 0.1, 0.05)
        .beam("beam", ["a", "b"], [ELEMENTS, order], "steel bar")
        .add(rest.text())
        .text()
}

/// The sections of the member with their places along it, m.
fn sections(sim: &Simulation) -> Vec<(f64, PlacedSection)> {
    let acting = ActingForces::of(&sim.state);
    let look = Look::new(&sim.system, &sim.state.q, &acting);
    let places = [-1.0, -0.7, -0.2, 0.35, 0.8, 1.0];
    let each = |e: usize| {
        let along = move |xi: f64| (e as f64 + 0.5 * (xi + 1.0)) * LENGTH / ELEMENTS as f64;
        look.sections_of(0, e, &places).into_iter().map(move |s| (along(s.xi), s))
    };
    (0..ELEMENTS).flat_map(each).collect()
}

/// Where a place along the deformed axis is.
fn place(sim: &Simulation, at: f64) -> [f64; 2] {
    let (element, xi) = sim.system.model().place_on_member(0, at);
    sim.system.drawing().interpolate(0, element, xi, &sim.state.q).0
}

/// Compares every section with what acts beyond it. Where two sections are at one place the first is before what acts there.
fn compare(sim: &Simulation, acts: &[Acts], [force, moment]: [f64; 2]) {
    let sections = sections(sim);
    let mut twice = 0;
    for (k, (s, section)) in sections.iter().enumerate() {
        let next = sections.get(k + 1);
        let includes = next.is_none_or(|(place, _)| (place - s).abs() < SAME);
        twice += usize::from(next.is_some_and(|(_, next)| next.xi == section.xi));
        let (mut sum, [x, y]) = ([0.0; 3], section.place);
        for &(at, [fx, fy, m]) in acts {
            if at > s + SAME || (at - s).abs() <= SAME && includes {
                let [px, py] = place(sim, at);
                sum[0] += fx;
                sum[1] += fy;
                sum[2] += m + (px - x) * fy - (py - y) * fx;
            }
        }
        let (sin, cos) = section.axis.sin_cos();
        let (normal, shear) = (sum[0] * cos + sum[1] * sin, sum[1] * cos - sum[0] * sin);
        let seen = section.forces;
        assert!((seen.normal - normal).abs() < force, "{s}: {seen:?} instead of N {normal}");
        assert!((seen.shear - shear).abs() < force, "{s}: {seen:?} instead of V {shear}");
        assert!((seen.moment - sum[2]).abs() < moment, "{s}: {seen:?} instead of M {}", sum[2]);
    }
    assert!(twice > 0, "something acts inside an element");
}

#[test]
fn forces_and_moments_inside_elements_are_steps_of_the_section_forces() {
    // Inclined by 0.4 rad; one force stands at a node, one near another.
    let end = [LENGTH * 0.4_f64.cos(), LENGTH * 0.4_f64.sin()];
    let acts: [Acts; 5] = [
        (0.5, [300.0, -200.0, 0.0]),
        (LENGTH / 3.0, [0.0, -50.0, 0.0]),
        (1.7, [0.0, 0.0, 80.0]),
        (1.9, [-100.0, 60.0, -30.0]),
        (3.999, [10.0, 20.0, 0.0]),
    ];
    for order in 1..=4 {
        let mut rest = Mechanism::part().clamp("a");
        for (k, (at, [fx, fy, m])) in acts.iter().enumerate() {
            let keys = format!("member = 'beam', at = {at:?}, fx = {fx:?}, fy = {fy:?}");
            rest = rest.load(format!("f{k}"), keys).and(format!("moment = {m:?}"));
        }
        let mut sim = Simulation::of(&model(order, end, rest));
        sim.step(0.1);
        // With order 1 the moment of an element is the mean of what its ends have; with others how far the axis is bent within one counts.
        compare(&sim, &acts, [1e-3, [400.0, 0.5, 0.05, 0.05][order - 1]]);
    }
}

#[test]
fn a_beam_bent_far_by_a_force_inside_an_element_is_in_balance_at_every_section() {
    let acts = [(2.3, [2e4, -4e4, 0.0])];
    let rest =
        Mechanism::part().clamp("a").load("f", "member = 'beam', at = 2.3, fx = 2e4, fy = -4e4");
    let mut sim = Simulation::of(&model(4, [LENGTH, 0.0], rest));
    sim.step(0.1);
    assert!(place(&sim, LENGTH)[1] < -0.2, "{:?}", place(&sim, LENGTH));
    // A polynomial of order 3 for moments of up to 9e4 N m; the force is exact.
    compare(&sim, &acts, [1e-2, 90.0]);
}

#[test]
fn a_load_that_begins_and_ends_inside_elements_has_corners_there() {
    let (from, to, q) = (0.9, 3.3, [-400.0, 900.0]);
    for order in [2, 3] {
        let rest = Mechanism::part()
            .clamp("a")
            .load("q", "member = 'beam', qy = 1.0")
            .and(format!("between = [{from:?}, {to:?}], variation = [{:?}, {:?}]", q[0], q[1]));
        let mut sim = Simulation::of(&model(order, [LENGTH, 0.0], rest));
        sim.step(0.1);
        for (s, section) in sections(&sim) {
            // ∫ q and ∫ (t − s) q from max(s, from) to `to`.
            let begin = s.clamp(from, to);
            let slope = (q[1] - q[0]) / (to - from);
            let at = |t: f64| q[0] + slope * (t - from);
            let (length, first, last) = (to - begin, at(begin), at(to));
            let shear = 0.5 * length * (first + last);
            let about = length * length * (first / 6.0 + last / 3.0);
            let moment = about + (begin - s) * shear;
            let seen = section.forces;
            assert!((seen.shear - shear).abs() < 1e-2, "{order} {s}: {seen:?} instead of {shear}");
            assert!((seen.moment - moment).abs() < 0.1, "{order} {s}: {seen:?}, not {moment}");
        }
    }
}

/// A simply supported beam with a slider on it that a force presses and a spring keeps at its place.
fn with_slider(order: usize, at: f64, path: &str, joint: &str) -> Simulation {
    let rest = Mechanism::part()
        .pin("a")
        .roller("b")
        .add(format!("points.p = [{at:?}, 0.0]\npoints.c = [4.5, 0.0]\n"))
        .add("[members.more]\nfrom = \"c\"\nto = \"b\"\nelements = 2\nmaterial = \"steel\"\nsection = \"bar\"\n")
        .joint("j", format!("cylindrical = {{ slider = 'p', path = {path}{joint} }}"))
        .support("p", "point = 'p', fix = ['x']")
        .load("p", "point = 'p', fx = 0.0, fy = -1000.0");
    let mut sim = Simulation::of(&model(order, [LENGTH, 0.0], rest));
    sim.step(0.1);
    sim
}

#[test]
fn the_shear_force_beside_a_slider_is_that_of_the_simply_supported_beam() {
    let force = -1000.0;
    for order in [1, 2, 3, 4] {
        for at in [0.3, 1.5, 2.0, 2.6, 3.9] {
            // Against the direction of the path the member ends where the path goes on; smooth, three elements have the slider's force.
            for (path, joint) in [
                ("['beam']", ""),
                ("['beam']", ", smooth = false"),
                ("['beam', 'more']", ""),
                ("['more', 'beam']", ""),
            ] {
                let sim = with_slider(order, at, path, joint);
                // Normal to the axis where it stands.
                let [x, y] = sim.system.drawing().contact_force(&sim.state, 0);
                assert!((y - force).abs() < 1e-6 * force.abs() && x.abs() < 5.0, "{x} {y}");
                let ([a, b], [end, _]) = (place(&sim, at), place(&sim, LENGTH));
                let right = -(a * y - b * x) / end;
                let acts = [(at, [x, y, 0.0]), (LENGTH, [0.0, right, 0.0])];
                compare(&sim, &acts, [0.05, if order == 1 { 700.0 } else { 2.0 }]);
            }
        }
    }
}

#[test]
fn probes_and_largest_values_are_those_of_the_beam_of_the_textbook() {
    // P b/L and P a/L on both sides of P, P a b/L below it.
    let (p, at) = (200.0, 1.7);
    let rest = Mechanism::part()
        .pin("a")
        .roller("b")
        .load("p", format!("member = 'beam', at = {at:?}, fy = {:?}", -p))
        .probe("there", format!("section = {{ member = 'beam', at = {at:?} }}"))
        .probe("beside", "section = { member = 'beam', at = 1.4 }")
        .outputs("probes.* members.*");
    let mut sim = Simulation::of(&model(3, [LENGTH, 0.0], rest));
    sim.step(0.1);
    let (left, right) = (p * (LENGTH - at) / LENGTH, p * at / LENGTH);
    for (path, exact) in [
        ("probes.beside.shear", -left),
        ("probes.beside.moment", left * 1.4),
        // Behind the load, towards `to`.
        ("probes.there.shear", right),
        ("probes.there.moment", left * at),
        ("members.beam.largest_shear", left),
        ("members.beam.largest_moment", left * at),
    ] {
        let seen = sim.get(path);
        // Slopes of 2e-4 change components by their squares.
        assert!((seen - exact).abs() < 1e-4 * exact.abs(), "{path}: {seen} instead of {exact}");
    }
}

#[test]
fn an_input_inside_an_element_acts_on_one_side_of_it() {
    let rest = Mechanism::part()
        .clamp("a")
        .load("p", "member = 'beam', at = 1.7, fy = -100.0")
        .probe("before", "section = { member = 'beam', at = 1.5 }")
        .probe("behind", "section = { member = 'beam', at = 1.9 }")
        .inputs("loads.p.fy")
        .outputs("probes.*");
    let text = model(3, [LENGTH, 0.0], rest);
    let shear = |value: f64| {
        let mut sim = Simulation::of(&text);
        sim.set("loads.p.fy", value);
        sim.step(0.1);
        ["probes.before.shear", "probes.behind.shear"].map(|path| sim.get(path))
    };
    let [one, two] = [shear(-100.0), shear(-200.0)];
    assert!((one[0] + 100.0).abs() < 1e-3 && (two[0] + 200.0).abs() < 1e-3, "{one:?} {two:?}");
    assert!(one[1].abs() < 1e-3 && two[1].abs() < 1e-3, "{one:?} {two:?}");
}
