//! Particles on paths against closed forms and small ordinary differential equations.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation, runge_kutta};

const G: f64 = 9.81;

/// A block of 2 kg on a long fixed incline.
fn incline(angle: f64, kind: &str, friction: &str) -> String {
    let (sin, cos) = angle.sin_cos();
    // What nothing turns has no use for it.
    let inertia = if kind == "prismatic" { "rotary_inertia = 0.01" } else { "" };
    Mechanism::new("Incline")
        .step(1e-3)
        .points(format!("block = [0.0, 0.0], low = [{}, {}]", -1000.0 * cos, -1000.0 * sin))
        .and(format!("high = [{}, {}]", 10.0 * cos, 10.0 * sin))
        .guide("guide", ["high", "low"], "elements = 1, order = 1")
        .entry("masses.block", format!("point = 'block', mass = 2.0, {inertia}"))
        .joint("block", format!("{kind} = {{ slider = 'block', path = ['guide'] }}"))
        .and(friction)
        .gravity(-9.81)
        .outputs("energy.* solver.*")
        .text()
}

fn coulomb(s: f64, k: f64) -> String {
    format!(
        "friction.stribeck = {{ static_coefficient = {s}, kinetic_coefficient = {k}, \
         decay_velocity = 1e-3 }}"
    )
}

#[test]
fn block_on_an_incline_accelerates_by_g_sin_minus_mu_cos() {
    let angle = 0.6_f64;
    for kind in ["cylindrical", "prismatic"] {
        let mut sim = Simulation::of(&incline(angle, kind, &coulomb(0.25, 0.25)));
        let s0 = sim.get("joints.block.position");
        sim.run(2.0, 0.01, |_| ());
        let a = G * (angle.sin() - 0.25 * angle.cos());
        // μ_s = μ_k: constant acceleration, which the integrator reproduces to rounding.
        assert!((sim.get("joints.block.velocity") - 2.0 * a).abs() < 1e-9, "{kind}");
        assert!((sim.get("joints.block.position") - s0 - 2.0 * a).abs() < 1e-9, "{kind}");
        assert!((sim.get("joints.block.displacement") - 2.0 * a).abs() < 1e-9, "{kind}");
        let force = 0.25 * 2.0 * G * angle.cos();
        // The block goes down to the left: what gravity does not take to accelerate it presses on the guide.
        let exact = [2.0 * a * angle.cos(), 2.0 * (a * angle.sin() - G)];
        for (output, exact) in ["joints.block.fx", "joints.block.fy"].into_iter().zip(exact) {
            assert!((sim.get(output) - exact).abs() < 1e-6, "{kind} {output}");
        }
        // Positions on 1 km are rounded to 1e-13 m, times m/Δt².
        let seen = sim.get("joints.block.friction_force");
        assert!((seen - force).abs() < 1e-6, "{seen} {force}");
        assert!((sim.get("energy.friction_work") - force * 2.0 * a).abs() < 1e-6);
        assert!(sim.get("energy.balance").abs() < 1e-6);
    }
}

#[test]
fn block_below_the_friction_angle_stays_for_ever() {
    // tan 0.53 = 0.586 < 0.6.
    for transition in ["siqueira_coda_2023", "set_valued"] {
        let friction = format!(
            "friction.stribeck = {{ static_coefficient = 0.6, kinetic_coefficient = 0.5, \
             decay_velocity = 0.05, transition = \"{transition}\" }}"
        );
        let mut sim = Simulation::of(&incline(0.53, "cylindrical", &friction));
        let s0 = sim.get("joints.block.position");
        let mut farthest = 0.0_f64;
        sim.run(100.0, 0.1, |sim| {
            farthest = farthest.max((sim.get("joints.block.position") - s0).abs());
            assert_eq!(sim.get("joints.block.sticking"), 1.0);
        });
        println!("{transition}: moved {farthest:.1e} m in 100 s");
        assert!(farthest < 1e-12, "{transition}: {farthest:e}");
    }
}

#[test]
fn block_just_above_the_friction_angle_goes() {
    // tan 0.55 = 0.613 > 0.6.
    let mut sim = Simulation::of(&incline(0.55, "cylindrical", &coulomb(0.6, 0.5)));
    let s0 = sim.get("joints.block.position");
    sim.run(5.0, 0.1, |_| ());
    assert!(sim.get("joints.block.position") - s0 > 1.0);
}

#[test]
fn block_on_an_accelerating_belt_creeps_as_its_law_says() {
    let creep = |transition| {
        let text = common::text("tests/models/accelerating_belt").edit(
            "decay_velocity = 0.05",
            &format!("decay_velocity = 0.05\ntransition = \"{transition}\""),
        );
        let mut sim = Simulation::of(&text);
        sim.run(1.0, 0.1, |_| ());
        let s = sim.get("joints.block.position");
        sim.run(2.0, 0.1, |_| ());
        sim.get("joints.block.position") - s
    };
    // Stick on the absolute motion: the relative velocity settles near −a Δt = −2 mm/s.
    let absolute = creep("siqueira_coda_2023");
    println!("creep in 1 s: {absolute:.3e} m");
    assert!((absolute + 2e-3).abs() < 2e-6, "{absolute}");
    assert_eq!(creep("set_valued"), 0.0);
}

#[test]
fn bead_on_a_rotating_rod_follows_its_own_equation() {
    for mu in [0.0, 0.2] {
        // r̈ = ω² r − μ |2 ω ṙ| sgn ṙ, with ω = 3.
        let exact =
            runge_kutta([0.5, 0.0], 0.0, 1.0, 20_000, |_, y| [y[1], 9.0 * y[0] - mu * 6.0 * y[1]]);
        let mut errors = Vec::new();
        for step in [2e-3, 1e-3] {
            let text = common::text("tests/models/rotating_rod")
                .edit("step = 1e-3", &format!("step = {step}"));
            let mut sim = Simulation::with(&text, &[("parameters.mu", mu)]);
            sim.run(1.0, 0.1, |_| ());
            errors.push((sim.get("joints.bead.position") - exact[0]).abs());
        }
        println!("mu = {mu}: errors {errors:?} m of {} m", exact[0]);
        assert!(errors[1] < 1e-5 * exact[0], "mu = {mu}: {errors:?}");
    }
}

/// A bead of 2 kg at rest on a fixed guide of 1 m; `along` is its place on it, m.
fn clamped(angle: f64, elements: usize, ends: [&str; 2], along: f64) -> Simulation {
    let (sin, cos) = angle.sin_cos();
    let [from, to] = ends;
    Mechanism::new("Clamped")
        .step(1e-3)
        .points(format!("l = [0.3, -0.2], r = [{}, {}]", 0.3 + cos, -0.2 + sin))
        .and(format!("P = [{}, {}]", 0.3 + along * cos, -0.2 + along * sin))
        .guide("g", [from, to], format!("elements = {elements}"))
        .mass("P", 2.0)
        .slider("P", "P", "g", "start = 'l'")
        .gravity(-9.81)
        .outputs("supports.*")
        .simulation()
}

#[test]
fn moment_of_a_held_member_is_that_of_a_clamp_at_its_from() {
    for elements in [1, 4] {
        for (angle, along) in [(0.0, 0.5), (0.0, 0.23), (0.4, 0.7)] {
            // The start looks at accelerations a short way on: 1e-7 m along the guide.
            // Only the force across the guide is carried; the bead slides along it freely.
            let normal = 2.0 * G * f64::cos(angle);
            let sim = clamped(angle, elements, ["l", "r"], along);
            let moment = sim.get("supports.g.moment");
            assert!((moment - normal * along).abs() < 1e-5, "{elements}: {moment}");
            let force = [sim.get("supports.g.fx"), sim.get("supports.g.fy")];
            assert!((force[0] + normal * angle.sin()).abs() < 1e-5, "{force:?}");
            assert!((force[1] - normal * angle.cos()).abs() < 1e-5, "{force:?}");
            let sim = clamped(angle, elements, ["r", "l"], along);
            let moment = sim.get("supports.g.moment");
            assert!((moment + normal * (1.0 - along)).abs() < 1e-5, "{moment}");
        }
    }
}

/// A girder between two bearings with a clamped approach before it, whose bearing and foot are at one point; 12 kN stand in its middle.
#[test]
fn supports_that_share_a_point_bear_the_loads_once() {
    let mut sim = Mechanism::new("shared")
        .points("begin = [-2.0, 0.0], left = [0.0, 0.0], middle = [3.0, 0.0], right = [6.0, 0.0]")
        .material("steel", 2.1e11, 0.3, 0.0)
        .rectangle("bar", 0.2, 0.1)
        .member("approach", ["begin", "left"], "elements = 1")
        .member("girder", ["left", "middle"], "elements = 2, material = 'steel', section = 'bar'")
        .member("rest", ["middle", "right"], "elements = 2, material = 'steel', section = 'bar'")
        .entry("supports.approach", "member = 'approach', fix = ['x', 'y', 'rotation']")
        .entry("supports.again", "point = 'right', fix = ['x']")
        .pin("left")
        .pin("right")
        .joint("left", "hinge = { point = 'left' }")
        .load("weight", "point = 'middle', fy = -12e3")
        .solver("analysis = 'quasi_static', step = 1.0")
        .outputs("supports.*")
        .simulation();
    sim.step(1.0);
    let [approach, left, right] =
        ["approach", "left", "right"].map(|name| sim.get(&format!("supports.{name}.fy")));
    println!("{approach} {left} {right} N");
    assert!(approach.abs() < 1e-6 && (left - 6e3).abs() < 1e-2 && (right - 6e3).abs() < 1e-2);
    // Deflected, the girder pulls both bearings together: the first in the file has it all.
    let [pull, again, other] =
        ["left", "again", "right"].map(|name| sim.get(&format!("supports.{name}.fx")));
    assert!(
        pull < -1.0 && (pull + again).abs() < 1e-4 * again && other == 0.0,
        "{pull} {again} {other}"
    );
    assert!(sim.get("supports.approach.moment").abs() < 1e-6);
}

/// A weight of 10 N at 3.5 m from the `from` of a rigid rail that a support holds as a whole, level and turned by 0.3 rad.
#[test]
fn the_moment_on_a_whole_rigid_member_is_that_of_a_clamp_at_its_from() {
    for angle in [0.0_f64, 0.3] {
        let (sin, cos) = angle.sin_cos();
        let at = |s: f64| format!("[{}, {}]", -2.0 + s * cos, s * sin);
        let text = Mechanism::new("rail")
            .step(1e-3)
            .gravity(-10.0)
            .points(format!("a = {}, b = {}, s = {}", at(0.0), at(6.0), at(3.5)))
            .guide("rail", ["a", "b"], "elements = 1")
            .mass("s", 1.0)
            .slider("s", "s", "rail", "")
            .and("friction.coulomb = { coefficient = 0.6 }")
            .outputs("supports.*")
            .text()
            .edit("elements = 1", "rigid = true");
        let rail = Simulation::of(&text);
        let seen = rail.get("supports.rail.moment");
        assert!((seen - 35.0 * cos).abs() < 1e-9, "{angle}: {seen}");
    }
}
