//! Pins: holes of bodies that turn by their mean place, or with all their nodes.

mod circles;

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, refusal};

/// A plate 0.1 x 0.4 m and 10 mm thick of steel that hangs down from `at`, with bores of 20 mm radius at `at` and 0.3 m below.
fn lug(name: &str, at: [f64; 2]) -> String {
    let [x, y] = at;
    let corner = |k: usize, dx: f64, dy: f64| format!("{name}{k} = [{:?}, {:?}]\n", x + dx, y + dy);
    Mechanism::part()
        .points(format!(
            "{}{}{}{}{name}_up = [{x:?}, \
                 {y:?}]",
            corner(0, -0.05, -0.35),
            corner(1, 0.05, -0.35),
            corner(2, 0.05, 0.05),
            corner(3, -0.05, 0.05)
        ))
        .and(format!("{name}_low = [{x:?}, {:?}]", y - 0.3))
        .body(name, "material = 'steel', thickness = 0.01, state = 'plane_stress'")
        .body(name, "outline.size = 0.05")
        .and(format!(
            "outline.edges = [{{ name = 'bottom', from = '{name}0', \
                 to = '{name}1' }}, {{ name = 'right', from = '{name}1', to = '{name}2' }}, \
                 {{ name = 'top', from = '{name}2', to = '{name}3' }}, {{ name = 'left', \
                 from = '{name}3', to = '{name}0' }}]"
        ))
        .and(format!(
            "outline.holes = [[{{ name = 'upper', circle = {{ center = '{name}_up', \
                 radius = 0.02 }} }}], [{{ name = 'lower', circle = {{ center = '{name}_low', \
                 radius = 0.02 }} }}]]"
        ))
        .text()
}

/// Lugs under gravity, with whatever holds them.
fn lugs(bodies: &[(&str, [f64; 2])], more: &str) -> String {
    let mut text = Mechanism::new("lugs")
        .step(1e-3)
        .steel()
        .gravity(-9.81)
        .support("pivot", "point = 'a_up', fix = ['x', 'y']")
        .outputs("joints.* points.* supports.* energy.*")
        .text();
    let mut points = String::from("[points]\n");
    for (name, at) in bodies {
        let body = lug(name, *at);
        let (own, body) = body.split_once("[bodies").expect("a body");
        points += own.trim().trim_start_matches("[points]");
        points += "\n";
        text += &format!("[bodies{body}");
    }
    text + &points + more
}

/// Mass, and moment of inertia about the upper bore, of a lug with polygonal bores left round.
fn mass_and_inertia() -> (f64, f64, f64) {
    use std::f64::consts::PI;
    let density = 7850.0 * 0.01;
    let (plate, bore) = (density * 0.04, density * PI * 0.02 * 0.02);
    let mass = plate - 2.0 * bore;
    let moment = plate * 0.15 - bore * 0.3;
    let of_plate = plate * ((0.1 * 0.1 + 0.4 * 0.4) / 12.0 + 0.15 * 0.15);
    let of_bores = bore * (0.02 * 0.02 + 0.3 * 0.3);
    (mass, moment / mass, of_plate - of_bores)
}

#[test]
fn a_lug_hangs_on_its_pin_with_its_weight_and_swings_as_a_physical_pendulum() {
    let text = lugs(
        &[("a", [1.0, 2.0])],
        &Mechanism::part()
            .joint("pin", "pin = { hole = 'a.upper', on = 'a_up' }")
            .entry("initial", "equilibrium = true")
            .text(),
    );
    let run = Simulation::of(&text);
    let (mass, arm, inertia) = mass_and_inertia();
    let weight = 9.81 * mass;
    // Circles of cubic sides are off round ones by 4e-5 of their radius.
    assert!((run.get("joints.pin.fy") / -weight - 1.0).abs() < 1e-4);
    assert!((run.get("supports.pivot.fy") / weight - 1.0).abs() < 1e-4);
    // Rounding of positions makes forces of E t ε = 5e-7 N in so stiff a lug.
    assert!(run.get("joints.pin.fx").abs() < 1e-8 * weight);
    let exact = (weight * arm / inertia).sqrt();
    let seen = run.frequencies(1)[0];
    assert!((seen / exact - 1.0).abs() < 1e-4, "{seen} {exact}");
}

#[test]
fn a_mass_at_a_point_that_only_a_hole_holds_swings_at_the_middle_of_the_hole() {
    let text = lugs(
        &[("a", [0.0, 0.0])],
        &Mechanism::part()
            .joint("pin", "pin = { hole = 'a.upper', on = 'a_up', nodes = 'mean' }")
            .joint("bob", "pin = { hole = 'a.lower', on = 'a_low' }")
            .entry("masses.bob", "point = 'a_low', mass = 3.0")
            .entry("initial", "equilibrium = true")
            .text(),
    );
    let run = Simulation::of(&text);
    let (mass, arm, inertia) = mass_and_inertia();
    let moment = 9.81 * (mass * arm + 3.0 * 0.3);
    let exact = (moment / (inertia + 3.0 * 0.3 * 0.3)).sqrt();
    let seen = run.frequencies(1)[0];
    assert!((seen / exact - 1.0).abs() < 1e-4, "{seen} {exact}");
    // What the hole carries is on the point.
    assert!((run.get("joints.bob.fy") / (3.0 * 9.81) - 1.0).abs() < 1e-9);
}

/// Two lugs, one on the other, beside each other so that nothing is at rest.
fn double_pendulum() -> String {
    lugs(
        &[("a", [0.0, 0.0]), ("b", [0.0, -0.3])],
        &Mechanism::part()
            .joint("pivot", "pin = { hole = 'a.upper', on = 'a_up' }")
            .joint("knee", "pin = { hole = 'b.upper', on = 'a.lower' }")
            .joint("one", "pin = { hole = 'a.lower', on = 'a_low' }")
            .joint("other", "pin = { hole = 'b.upper', on = 'b_up' }")
            .entry("initial", "velocities = 'rigid_mechanism'")
            .start("a_low", "vx = 2.0")
            .start("b0", "vx = -1.0")
            .text(),
    )
}

#[test]
fn holes_that_are_pinned_stay_together_and_keep_their_energy() {
    let mut run = Simulation::of(&double_pendulum());
    let apart = |run: &Simulation| {
        ["x", "y", "vx", "vy", "ax", "ay"].map(|key| {
            run.get(&format!("points.a_low.{key}")) - run.get(&format!("points.b_up.{key}"))
        })
    };
    let begin = run.get("energy.kinetic");
    assert!(begin > 1.0, "{begin}");
    run.run(0.5, 1e-3, |run| {
        let [x, y, vx, vy, ..] = apart(run);
        // The method keeps velocities to its own order.
        assert!(x.abs().max(y.abs()) < 1e-12, "{x} {y}");
        assert!(vx.abs().max(vy.abs()) < 1e-9, "{vx} {vy}");
    });
    let (mass, ..) = mass_and_inertia();
    // Newton's second law for the whole: what hangs on the pivot carries all.
    assert!((run.get("joints.pivot.fx") + run.get("supports.pivot.fx")).abs() < 1e-6 * mass);
    assert!(run.lost().abs() < 1e-3 * begin, "{}", run.lost());
}

#[test]
fn a_pinned_mechanism_saved_and_restored_goes_on_with_the_same_bits() {
    let mut run = Simulation::of(&double_pendulum());
    run.run(0.02, 1e-3, |_| {});
    let kept = run.state.clone();
    run.run(0.04, 1e-3, |_| {});
    let first = std::mem::replace(&mut run.state, kept);
    run.run(0.04, 1e-3, |_| {});
    assert_eq!(first, run.state);
}

#[test]
fn two_pins_of_one_hole_on_one_point_are_named() {
    let text = lugs(
        &[("a", [0.0, 0.0])],
        &Mechanism::part()
            .joint("pin", "pin = { hole = 'a.upper', on = 'a_up' }")
            .joint("again", "pin = { hole = 'a.upper', on = 'a_up' }")
            .text(),
    );
    let said = refusal(&text);
    assert!(said.contains("joints.pin and joints.again constrain the same motion"), "{said}");
}

#[test]
fn a_hole_that_is_held_and_pinned_on_a_support_is_named() {
    let text = lugs(
        &[("a", [0.0, 0.0])],
        &Mechanism::part()
            .support("hole", "edge = 'a.upper', fix = ['x', 'y']")
            .joint("pin", "pin = { hole = 'a.upper', on = 'a_up' }")
            .text(),
    );
    let said = refusal(&text);
    assert!(said.contains("supports.hole (x) and joints.pin constrain"), "{said}");
}
