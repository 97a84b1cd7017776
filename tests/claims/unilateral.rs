//! Contacts that can open: start, statics, several at once, friction, derivatives, saved states.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::reach::reached;
use crate::common::{Simulation, refusal};
use coulisse::sensitivity::Perturbation;
use coulisse::solve::Stepper;
use coulisse::system::State;

const G: f64 = 9.81;

/// A member from a to b with a point that stands on it; `more` adds to both.
fn on_a_plank(solver: &str, plank: &str, joint: &str, more: &str) -> String {
    Mechanism::new("Plank")
        .solver(format!("spectral_radius = 0.8, {solver}"))
        .points("a = [0.0, 0.0], b = [2.0, 0.0]")
        .material("wood", 1e10, 0.3, 600.0)
        .rectangle("board", 0.03, 0.2)
        .member("plank", ["a", "b"], "")
        .then(plank)
        .slider("S", "s", "plank", format!("contact = 'unilateral'{joint}"))
        .then(more)
        .text()
}

const RIGID: &str = "elements = 1\norder = 1\n[supports.plank]\nmember = \"plank\"\nfix = [\"x\", \"y\", \"rotation\"]";

const ELASTIC: &str = r#"elements = 8
material = "wood"
section = "board"
[supports.a]
point = "a"
fix = ["x", "y"]
[supports.b]
point = "b"
fix = ["y"]"#;

const MASS: &str = "[masses.s]\npoint = \"s\"\nmass = 2.0\n[gravity]\ny = -9.81\n";

/// N on the path, below 0 where it is pulled.
fn pressed(sim: &Simulation, sliders: usize) -> f64 {
    // λ₂ on a path that is nearly horizontal has the sign of λ·n.
    let all = sim.state.multipliers[..sliders].iter();
    -all.fold(f64::NEG_INFINITY, |most, m| most.max(m[1]))
}

#[test]
fn a_mass_that_falls_on_an_elastic_plank_bounces_without_ever_pulling() {
    let more = format!(
        "{MASS}[interface]\noutputs = [\"points.s.*\", \"energy.*\", \"solver.*\", \"supports.*\"]"
    );
    let text =
        on_a_plank("step = 5e-4", ELASTIC, "", &more).edit("[points]", "[points]\ns = [0.9, 0.1]");
    let mut sim = Simulation::of(&text);
    assert_eq!(sim.get("joints.S.regime"), 5.0);
    assert!((sim.get("joints.S.gap") - 0.1).abs() < 1e-12);
    let (mut first, mut energy, mut grows) = (0.0, f64::INFINITY, 0.0_f64);
    let (mut largest, mut least, mut off) = (0.0_f64, 0.0_f64, 0.0_f64);
    sim.run(2.0, 5e-4, |sim| {
        if first == 0.0 && sim.get("joints.S.regime") != 5.0 {
            first = sim.get("joints.S.transition_time");
        }
        let parts = ["kinetic", "strain", "potential"];
        let now: f64 = parts.map(|part| sim.get(&format!("energy.{part}"))).iter().sum();
        grows = grows.max(now - energy);
        energy = energy.min(now);
        largest = largest.max(pressed(sim, 1));
        least = least.min(pressed(sim, 1));
        assert!(sim.get("joints.S.gap") == 0.0 || sim.get("joints.S.regime") == 5.0);
        // 2 kg under gravity and what the plank exerts, also at an instant at which the contact is about to open.
        let [x, y, _] = sim.state.multipliers[0];
        let [ax, ay] = ["x", "y"].map(|axis| sim.get(&format!("points.s.a{axis}")));
        off = off.max((2.0 * ax + x).abs()).max((2.0 * (ay + G) + y).abs());
    });
    assert!(off < 1e-7 * largest, "Newton's law: {off:e} N");
    let changes = sim.get("joints.S.transitions");
    reached(
        "7 lift-off",
        "mass on a plank, 0.5 ms: energy gained in 2 s, of 2 J",
        None,
        grows,
        "J",
    );
    println!("first {first} s, forces {least:e} to {largest} N, {changes} changes, {grows:e} J");
    // The plank swings by its own weight meanwhile, by up to 3.3 mm.
    assert!(first > (2.0 * 0.0999 / G).sqrt() && first < (2.0 * 0.1034 / G).sqrt());
    assert!(largest > 100.0 && least >= -1e-9 * largest);
    assert!(changes > 10.0, "it bounces");
    assert_eq!(sim.get("solver.rejections"), 0.0);
    // Of the 2 J that it falls with; the integration of the plank's vibration, not the contact.
    assert!(grows < 5e-4 * 2.0, "{grows}");
}

/// A stiff body on feet at ±0.2 m with most of its mass far outside of them, one foot lifted.
fn rocking(step: f64) -> Simulation {
    let tilt: f64 = 0.004;
    let at = |x: f64| [(x + 0.2) * tilt.cos() - 0.2, (x + 0.2) * tilt.sin()];
    let [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [-1.0, -0.2, 0.2, 1.0].map(at);
    Mechanism::new("Rocking")
        .step(step)
        .solver("spectral_radius = 0.8")
        .points(format!("p = [{ax:?}, {ay:?}], l = [{bx:?}, {by:?}], r = [{cx:?}, {cy:?}]"))
        .and(format!("q = [{dx:?}, {dy:?}], a = [-2.0, 0.0], b = [2.0, 0.0]"))
        .entry("materials.m", "young_modulus = 2e12, shear_modulus = 1e12, density = 1e-3")
        .rectangle("s", 0.1, 0.1)
        .member("left", ["p", "l"], "elements = 1, material = 'm', section = 's'")
        .member("middle", ["l", "r"], "elements = 1, material = 'm', section = 's'")
        .member("right", ["r", "q"], "elements = 1, material = 'm', section = 's'")
        .guide("ground", ["a", "b"], "elements = 1, order = 1")
        .mass("p", 1.0)
        .mass("q", 1.0)
        .gravity(-9.81)
        .slider("L", "l", "ground", "contact = 'unilateral'")
        .slider("R", "r", "ground", "contact = 'unilateral'")
        .outputs("points.l.* points.r.* points.q.* energy.* solver.*")
        .simulation()
}

#[test]
fn a_body_on_two_feet_rocks_by_the_closed_form_and_comes_to_rest() {
    // About one foot with α; each landing lifts the other foot, frictionless and inelastic:
    // ω⁺/ω⁻ = (1 − b²/l²)/(1 + b²/l²).
    let (b, l) = (0.2_f64, 1.0_f64);
    let alpha = G * b / (l * l + b * b);
    let ratio = (1.0 - b * b) / (1.0 + b * b);
    let quarter = (2.0 * 0.004 / alpha).sqrt();
    let mut sim = rocking(1e-3);
    let (mut lands, mut count, mut last, mut half) = (quarter, 0, 0.0, quarter);
    sim.run(3.0, 1e-3, |sim| {
        let change = sim.get("joints.L.transition_time");
        if change != last && count < 12 {
            assert!((change - lands).abs() < 1e-4, "{count}: {change} {lands}");
            (last, count, half) = (change, count + 1, half * ratio);
            lands += 2.0 * half;
        }
        assert!(pressed(sim, 2) >= 0.0, "it pulls at {} s", sim.time());
    });
    assert_eq!(count, 12);
    // Infinitely many landings in a finite time.
    for foot in ["L", "R"] {
        assert!(sim.get(&format!("joints.{foot}.regime")) < 4.0);
        assert!((sim.get(&format!("joints.{foot}.normal_force")) - G).abs() < 0.01 * G);
    }
}

const STRIBECK: &str = "friction.stribeck = { static_coefficient = 0.4, kinetic_coefficient = 0.25, decay_velocity = 0.1 }";

#[test]
fn what_is_pressed_all_the_time_moves_to_the_same_bits_as_with_a_joint_that_holds() {
    for set_valued in [false, true] {
        let transition = if set_valued { ", transition = \"set_valued\" }" } else { " }" };
        let more = format!(
            "roughness.cosine = {{ amplitude = 0.005, wavelength = 0.5 }}\n{}\n{MASS}[initial.points.s]\nvx = 1.0\n",
            STRIBECK.edit(" }", transition)
        );
        let one = on_a_plank("step = 1e-3", RIGID, "", &more)
            .edit("[points]", "[points]\ns = [0.5, 0.0]");
        let other = one.edit(", contact = \"unilateral\"", "");
        let [one, other] = [one, other].map(|text| {
            let mut sim = Simulation::of(&text);
            sim.run(0.6, 1e-3, |_| ());
            assert!(sim.get("joints.S.dissipated_energy") > 0.8);
            sim.state
        });
        assert_eq!(one, other);
    }
}

#[test]
fn a_block_thrown_onto_a_plank_slides_as_far_as_its_friction_lets_it() {
    // The impact knows no friction: 2 m/s are left, and μ = 0.5 takes them over v²/(2μg).
    for transition in ["set_valued", "siqueira_coda_2023"] {
        let more = format!(
            "friction.coulomb = {{ coefficient = 0.5, transition = \"{transition}\" }}\n{MASS}\
             [initial.points.s]\nvx = 2.0\n[interface]\noutputs = [\"points.s.*\", \"energy.*\"]"
        );
        let text = on_a_plank("step = 1e-3", RIGID, "", &more)
            .edit("[points]", "[points]\ns = [0.1, 0.2]");
        let mut sim = Simulation::of(&text);
        sim.run(1.0, 1e-2, |_| ());
        let far = 0.1 + 2.0 * (0.4_f64 / G).sqrt() + 4.0 / (2.0 * 0.5 * G);
        let x = sim.get("points.s.x");
        assert_eq!(sim.get("joints.S.regime"), 1.0);
        let tolerance = if transition == "set_valued" { 1e-5 } else { 2e-3 };
        assert!((x - far).abs() < tolerance, "{transition}: {x} {far}");
        // What friction takes is the energy of the sliding; what the fall had is gone in the impact.
        assert!((sim.get("energy.friction_work") - 4.0).abs() < 0.01);
        assert!((sim.get("energy.impact_loss") - 2.0 * G * 0.2).abs() < 0.01);
        assert!(sim.get("energy.balance").abs() < 0.01);
    }
}

#[test]
fn a_cantilever_that_rests_on_its_tip_is_lifted_off_in_statics_as_the_closed_form_says() {
    let text = Mechanism::new("Rest")
        .step(0.01)
        .solver("analysis = 'quasi_static'")
        .points("wall = [0.0, 0.0], tip = [1.0, 0.0], a = [0.5, 0.0], b = [1.5, 0.0]")
        .entry("materials.steel", "young_modulus = 2e11, shear_modulus = 8e10, density = 1.0")
        .section("strip", "properties = { area = 1e-4, second_moment = 1e-8 }")
        .member("strip", ["wall", "tip"], "elements = 2, material = 'steel', section = 'strip'")
        .clamp("wall")
        .guide("rest", ["a", "b"], "elements = 1, order = 1")
        .load("weight", "point = 'tip', fy = -10.0")
        .load("pull", "point = 'tip', fy = 30.0")
        .and("history.ramp = { duration = 1.0, smooth = false }")
        .joint("tip", "cylindrical.slider = 'tip', cylindrical.path = ['rest']")
        .and("cylindrical.contact = 'unilateral'")
        .outputs("points.tip.*")
        .text();
    let stiffness = 1.0 / (1.0 / (3.0 * 2000.0) + 1.0 / 8e6);
    let mut sim = Simulation::of(&text);
    let mut both = [false; 2];
    sim.run(1.0, 0.01, |sim| {
        let force = 30.0 * sim.time() - 10.0;
        let (normal, gap) = (sim.get("joints.tip.normal_force"), sim.get("joints.tip.gap"));
        // The shortening of the deflected strip is of second order.
        assert!((normal - (-force).max(0.0)).abs() < 1e-6, "{normal} {force}");
        let exact = force.max(0.0) / stiffness;
        assert!((gap - exact).abs() < 1e-4 * exact + 1e-12, "{gap} {exact}");
        both[usize::from(gap > 0.0)] = true;
    });
    assert_eq!(both, [true; 2]);
    assert_eq!(sim.get("joints.tip.transitions"), 1.0);
}

#[test]
fn a_slider_may_start_off_its_path_but_not_on_its_wrong_side() {
    let text = |side: &str, y: f64| {
        on_a_plank(
            "step = 1e-3",
            RIGID,
            side,
            &format!("roughness.cosine = {{ amplitude = 0.05, wavelength = 1.0 }}\n{MASS}"),
        )
        .edit("[points]", &format!("[points]\ns = [1.0, {y:?}]"))
    };
    // The surface is at 0.05 m there.
    let gap = |side: &str, y: f64| Simulation::of(&text(side, y)).get("joints.S.gap");
    assert!((gap("", 0.15) - 0.1).abs() < 1e-12);
    assert!((gap(", side = \"right\"", -0.1) - 0.15).abs() < 1e-12);
    // Drawn on the surface, and on the axis, which means the same.
    for y in [0.05, 0.0] {
        let sim = Simulation::of(&text("", y));
        assert!(sim.get("joints.S.regime") < 4.0 && sim.get("joints.S.gap") == 0.0);
        assert!((sim.get("joints.S.normal_force") - 2.0 * G).abs() < 1e-6);
    }
    let message = refusal(&text(", side = \"right\"", 0.15));
    assert!(message.contains("0.1 m to the left of the path"), "{message}");
    assert!(message.contains("side = \"left\""), "{message}");
}

#[test]
fn a_given_velocity_leads_a_slider_off_its_path() {
    let more = format!(
        "{MASS}[initial.points.s]\nvx = 0.5\nvy = 1.0\n[interface]\noutputs = [\"points.s.*\"]"
    );
    let text =
        on_a_plank("step = 1e-3", RIGID, "", &more).edit("[points]", "[points]\ns = [0.1, 0.0]");
    let mut sim = Simulation::of(&text);
    assert_eq!(sim.get("joints.S.regime"), 5.0);
    sim.run(0.1, 1e-3, |_| ());
    assert!((sim.get("points.s.y") - (0.1 - 0.5 * G * 0.01)).abs() < 1e-9);
    assert!((sim.get("joints.S.velocity") - 0.5).abs() < 1e-9);
    sim.run(0.3, 1e-3, |_| ());
    assert!((sim.get("joints.S.transition_time") - 2.0 / G).abs() < 1e-6);
}

/// A block on a plank under forces from a host.
fn hosted() -> String {
    let more = format!(
        "roughness.cosine = {{ amplitude = 0.02, wavelength = 0.9 }}\n{}\n{MASS}[loads.s]\n\
         point = \"s\"\nfx = 0.0\nfy = 0.0\n[initial.points.s]\nvx = 0.8\n[interface]\n\
         inputs = [\"loads.s.fx\", \"loads.s.fy\"]\noutputs = [\"points.s.*\", \"points.b.*\", \
         \"energy.*\"]",
        STRIBECK
    );
    on_a_plank("step = 1e-3", ELASTIC, "", &more).edit("[points]", "[points]\ns = [0.5, 0.0]")
}

fn push(sim: &mut Simulation, fx: f64, fy: f64) {
    sim.set("loads.s.fx", fx);
    sim.set("loads.s.fy", fy);
}

#[test]
fn derivatives_by_forces_are_those_of_differences_on_the_path_and_in_the_air() {
    for open in [false, true] {
        let mut sim = Simulation::of(&hosted());
        sim.run(0.02, 1e-3, |_| ());
        if open {
            push(&mut sim, 1.0, 40.0);
            sim.run(0.2, 1e-3, |_| ());
        }
        push(&mut sim, 2.0, -3.0);
        let (t, h) = (sim.time(), 4e-3);
        let mut perturbation = Perturbation::none(&sim.system);
        perturbation.inputs = vec![3.0, 7.0];
        let mut stepper = Stepper::new(&sim.system);
        let (end, by) =
            stepper.change(&sim.system, &sim.state, t, h, &perturbation).expect("a derivative");
        assert_eq!(end.sliders[0].regime.is_open(), open);
        let moved = |share: f64| {
            let mut state = sim.state.clone();
            for (input, d) in state.inputs.iter_mut().zip(&perturbation.inputs) {
                *input += share * d;
            }
            (Stepper::new(&sim.system).advance(&sim.system, &mut state, t, h)).expect("a step");
            state
        };
        // Rounding of the positions is seen in the accelerations.
        let e = 2e-2;
        let (high, low) = (moved(e), moved(-e));
        let mut seen = 0;
        for variable in &sim.system.model().outputs {
            let output = variable.output;
            let [high, low] = [&high, &low].map(|s| sim.system.read(s, output));
            let difference = (high - low) / (2.0 * e);
            let change = sim.system.output_change(&end, &by, output);
            let size = sim.system.read(&end, output).abs().max(1e-6);
            assert!(
                (change - difference).abs() < 2e-4 * size.max(change.abs()),
                "{} {open}: {change} {difference}",
                variable.path
            );
            let moves = ["gap", "position", "velocity"].map(|k| format!("joints.S.{k}"));
            seen += usize::from(moves.contains(&variable.path) && change != 0.0);
        }
        assert_eq!(seen, if open { 3 } else { 2 });
    }
}

#[test]
fn a_state_saved_in_the_air_goes_on_with_the_same_bits() {
    let mut one = Simulation::of(&hosted());
    push(&mut one, 0.0, 60.0);
    one.run(0.05, 1e-3, |_| ());
    push(&mut one, 0.0, 0.0);
    assert_eq!(one.get("joints.S.regime"), 5.0);
    let bytes = postcard::to_stdvec(&one.state).expect("bytes");
    let mut other = Simulation::of(&hosted());
    // The numbers of friction laws stand beside what is saved.
    let tuning = one.state.tuning.clone();
    other.state = State { tuning, ..postcard::from_bytes(&bytes).expect("a state") };
    for sim in [&mut one, &mut other] {
        sim.run(0.4, 1e-3, |_| ());
    }
    assert_eq!(one.state, other.state);
    assert!(one.get("joints.S.transitions") > 3.0);
}
