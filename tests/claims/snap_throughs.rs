//! Equilibria of a quasi-static analysis that jump: at limit points, and where sliders break away.

use coulisse::fmu::Status;

use crate::common::Simulation;
use crate::common::edit::Edit;
use crate::common::rig::blueprint;
use crate::energy_watch::run;

/// Two bars of the Saint-Venant-Kirchhoff law between hinges 2 m apart, the crown 0.1 m higher; the load grows by 1e5 N/s.
const TRUSS: &str = r#"
    name = "von_mises_truss"
    points = { left = [-1.0, 0.0], right = [1.0, 0.0], crown = [0.0, 0.1] }
    materials.steel = { young_modulus = 210e9, poisson_ratio = 0.3, density = 7850.0 }
    sections.bar = { rectangle = { height = 0.05, width = 0.05 } }
    joints.crown = { hinge = { point = "crown" } }
    supports.left = { point = "left", fix = ["x", "y"] }
    supports.right = { point = "right", fix = ["x", "y"] }
    loads.push = { point = "crown", fy = -4e5, history.ramp = { duration = 4.0, smooth = false } }
    members.left = { from = "left", to = "crown", elements = 1, order = 1, material = "steel", section = "bar" }
    members.right = { from = "crown", to = "right", elements = 1, order = 1, material = "steel", section = "bar" }
    interface.outputs = ["points.crown.*"]
    solver = { analysis = "quasi_static", step = 0.01 }
"#;

/// P(y) = EA y (h² − y²)/L³, N.
fn truss_load(y: f64) -> f64 {
    210e9 * 0.0025 * y * (0.01 - y * y) / 1.0_f64.hypot(0.1).powi(3)
}

/// A block under 10 N on a rough plane, pulled by a spring of 100 N/m (and what it stiffens) whose end moves 1 m/s.
const BLOCK: &str = r#"
    name = "block"
    solver = { analysis = "quasi_static", step = 1e-4 }
    points = { left = [-5.0, 0.0], right = [5.0, 0.0], block = [0.0, 0.0], pull = [10.0, 0.0] }
    materials.soft = { young_modulus = 1e6, shear_modulus = 1e6, density = 0.0 }
    sections.spring = { rectangle = { height = 0.01, width = 0.1 } }
    members.plane = { from = "left", to = "right", elements = 1 }
    members.spring = { from = "block", to = "pull", elements = 1, order = 1, material = "soft", section = "spring" }
    supports.plane = { member = "plane", fix = ["x", "y", "rotation"] }
    supports.pull = { point = "pull", fix = ["y"] }
    motions.pull = { point = "pull", direction = "x", velocity = 1.0 }
    masses.block = { point = "block", mass = 1.0 }
    loads.press = { point = "block", fy = -10.0 }
    interface.outputs = ["points.block.x", "joints.block.*"]

    [joints.block]
    cylindrical = { slider = "block", path = ["plane"] }
    friction.stribeck = { static_coefficient = 0.5, kinetic_coefficient = 0.3, decay_velocity = 20.0 }
"#;

#[test]
fn a_truss_that_snaps_through_under_its_load_says_when_where_and_what_to_do() {
    let limit = truss_load(0.1 / 3.0_f64.sqrt());
    for step in ["0.01", "0.15", "1.0"] {
        let text = TRUSS.edit("step = 0.01", &format!("step = {step}"));
        let (_, status, heard) = run(blueprint(&text), 1.0, 4.0);
        assert_eq!(status, Status::Ok);
        let snap_throughs: Vec<&String> = (heard.iter().map(|(_, text)| text))
            .filter(|text| text.contains("the equilibrium jumps"))
            .collect();
        assert_eq!(snap_throughs.len(), 1, "{heard:?}");
        let words = snap_throughs[0];
        assert!(words.contains("`crown`") || words.contains("at point"), "{words}");
        assert!(words.contains("limit point") && words.contains("`coulisse static`"));
        // The load of the message is that of the closed form, as exactly as the jump is located: 2⁻¹⁰ of a step.
        let load = words.split("loads.push.fy = ").nth(1).expect("a load");
        let load: f64 = load.split(' ').next().expect("a number").parse().expect("N");
        let sharp = 2.0 * 1e5 * step.parse::<f64>().expect("s") / 1024.0;
        assert!((-load - limit).abs() < sharp + 1.0, "{load} N instead of {limit} N");
        let mut truss = Simulation::of(&text);
        truss.run(4.0, 1.0, |_| {});
        let y = truss.get("points.crown.y");
        assert!((truss_load(y) - 4e5).abs() < 1e-5 * 4e5, "{y} m");
    }
}

#[test]
fn an_input_that_jumps_beyond_the_limit_load_goes_its_way_from_where_it_was() {
    let limit = truss_load(0.1 / 3.0_f64.sqrt());
    for (step, length) in [(0.01, 1.0), (1.0, 1.0), (1.0, 0.25)] {
        let ramp = "fy = -4e5, history.ramp = { duration = 4.0, smooth = false }";
        let text = TRUSS.edit(ramp, "fy = -1e5").edit(
            "interface.outputs",
            "interface.inputs = [\"loads.push.fy\"]\n    interface.outputs",
        );
        let mut truss = Simulation::with(&text, &[("solver.step", step)]);
        truss.run(length, length, |_| {});
        assert_eq!(truss.state.counters.snap_throughs, 0);
        truss.set("loads.push.fy", -4e5);
        truss.run(2.0 * length, length, |_| {});
        let y = truss.get("points.crown.y");
        assert!((truss_load(y) - 4e5).abs() < 1e-5 * 4e5, "{y} m");
        assert_eq!(truss.state.counters.snap_throughs, 1);
        // The jump is met on the way, which the solver's first step goes at once.
        let snap_through = truss.snap_through().expect("a jump");
        let whole = step.min(length);
        let reached = snap_through.between.map(|t| 1e5 + 3e5 * (t - length) / whole);
        println!("step {step} s of {length} s: between {reached:.0?} N, closed form {limit:.0} N");
        assert!(reached[0] <= limit && limit <= reached[1]);
        assert!(reached[1] - reached[0] < 400.0);
    }
}

#[test]
fn below_its_limit_load_a_truss_has_nothing_to_tell() {
    for step in ["0.01", "0.3", "3.0"] {
        let text = TRUSS.edit("step = 0.01", &format!("step = {step}"));
        let text = text.edit("fy = -4e5", "fy = -1.98e5");
        let mut truss = Simulation::of(&text);
        truss.run(4.0, 4.0, |_| {});
        assert_eq!(truss.state.counters.snap_throughs, 0, "step {step} s");
    }
}

#[test]
fn a_load_beyond_which_nothing_holds_ends_the_run_and_says_so() {
    // A force instead of the spring: above 5 N the block slides away for good.
    let lines = BLOCK.lines().filter(|line| !line.contains("pull"));
    let text = lines.collect::<Vec<_>>().join("\n").edit(
        "[joints.block]",
        "points = { left = [-5.0, 0.0], right = [5.0, 0.0], block = [0.0, 0.0] }\n\
         loads.push = { point = \"block\", fx = 6.0, history.ramp = { duration = 1.0 } }\n[joints.block]",
    );
    let (_, status, heard) = run(blueprint(&text), 0.1, 1.0);
    assert_eq!(status, Status::Discard);
    let words = &heard.last().expect("a reason").1;
    assert!(words.contains("nothing may support the loads"), "{words}");
}

#[test]
fn a_block_whose_friction_falls_breaks_away_and_slides_until_its_spring_pulls_with_sliding_friction()
 {
    let mut block = Simulation::of(BLOCK);
    let (mut last, mut jumps) = (0.0, Vec::new());
    block.run(0.2, 1e-4, |now| {
        let friction = now.get("joints.block.friction_force");
        if friction < last - 0.5 {
            jumps.push((last, friction));
        }
        last = friction;
    });
    // Sticks from 3 N to 5 N under 100 N/s: after 0.05 s every 0.02 s.
    assert_eq!(jumps.len(), 8, "{jumps:?}");
    assert_eq!(block.state.counters.snap_throughs, 8);
    for (before, after) in jumps {
        // One step of 0.1 ms pulls by 0.01 N; at 200 m/s friction is 4.5e-5 of its fall above the coefficient of sliding.
        assert!(
            (before - 5.0).abs() < 0.011 && (after - 3.0).abs() < 0.011,
            "{before} N to {after} N"
        );
    }
}

#[test]
fn a_block_that_breaks_away_is_reported_once_by_its_name() {
    let (_, status, heard) = run(blueprint(BLOCK), 1e-3, 0.1);
    assert_eq!((status, heard.len()), (Status::Ok, 1), "{heard:?}");
    assert!(heard[0].1.contains("joints.block breaks away"), "{heard:?}");
}

#[test]
fn bundled_models_in_statics_have_no_jump_to_tell() {
    for (name, step) in [("cantilever_rollup", 0.1), ("tensile_buckling", 1.0)] {
        let mut model = Simulation::bundled(name, &[]);
        let stop = model.system.model().experiment.stop_time;
        model.run(stop, step, |_| {});
        assert_eq!(model.state.counters.snap_throughs, 0, "{name}");
    }
}
