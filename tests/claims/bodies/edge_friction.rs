//! Friction of edges all of whose nodes slide: that of a particle under the resultant.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, bundled, sensitivity};

const GRAVITY: f64 = 9.81;

/// The outline of the bundled bracket weighs: two legs, a fillet of 15 mm and a round end with a bore. The push grows by 0.8 % of this
/// between two communication points.
#[test]
fn the_bundled_bracket_breaks_away_at_a_push_of_mu_times_its_weight() {
    let [fillet, end, bore] = [0.015_f64, 0.01, 0.006].map(|radius| radius * radius);
    let round = std::f64::consts::PI * (end / 2.0 - bore - fillet / 4.0);
    let area = 0.12 * 0.02 + 0.09 * 0.02 + fillet + round;
    let limit = 0.2 * GRAVITY * 7850.0 * 0.01 * area;
    let mut run = Simulation::bundled("bracket_on_rail", &[]);
    let mut push = 0.0;
    run.run(0.02, 1e-4, |now| {
        if now.get("joints.sole[1].sticking") == 1.0 {
            push = 4.0 * (4.0 * std::f64::consts::PI * now.time()).sin();
        }
    });
    println!("{push} N, limit {limit} N");
    assert!((push - limit).abs() < 0.01 * limit, "{push} {limit}");
}

/// A block of steel, 1 kg, 0.2 m long and 0.02 m high, whose sole lies on a guide at an angle to the horizontal; `points` and
/// `more` are written with it.
struct Block<'a> {
    order: usize,
    cells: [usize; 2],
    slope: f64,
    friction: &'a str,
    /// How the sole is drawn, and which of its nodes slide.
    sole: &'a str,
    nodes: &'a str,
    /// What it slides on, and the keys of the solver.
    rail: &'a str,
    solver: &'a str,
    more: &'a str,
}

impl Default for Block<'_> {
    fn default() -> Self {
        Block {
            order: 3,
            cells: [4, 1],
            slope: 0.0,
            friction: "coulomb.coefficient = 0.3",
            sole: "",
            nodes: "all",
            rail: r#"
                members.guide = { from = "left", to = "right", elements = 1, order = 1 }
                supports.guide = { member = "guide", fix = ["x", "y", "rotation"] }
            "#,
            solver: "step = 1e-3",
            more: "",
        }
    }
}

impl Block<'_> {
    fn run(&self) -> Simulation {
        Simulation::of(&self.text())
    }

    fn text(&self) -> String {
        let (sin, cos) = self.slope.sin_cos();
        let point = |name: &str, x: f64, y: f64| {
            format!("points.{name} = [{:?}, {:?}]\n", cos * x - sin * y, sin * x + cos * y)
        };
        let points = [
            point("a", 0.0, 0.0),
            point("b", 0.2, 0.0),
            point("c", 0.2, 0.02),
            point("d", 0.0, 0.02),
            point("left", -1.0, 0.0),
            point("right", 2.0, 0.0),
        ]
        .concat();
        let Block { order, cells, friction, sole, nodes, rail, solver, more, .. } = self;
        Mechanism::new("block")
            .add(points)
            .add(rail)
            .steel()
            .gravity(-GRAVITY)
            .solver(solver)
            .add(more)
            .body("block", "material = 'steel', thickness = '1/(7850*0.2*0.02)'")
            .and(format!("state = 'plane_stress', order = {order}, patch.cells = {cells:?}"))
            .and(format!(
                "patch.edges = [{{ name = 'sole', from = 'a', to = 'b'{sole} }}, \
                     {{ name = 'right', from = 'b', to = 'c' }}, {{ name = 'top', from = 'c', \
                     to = 'd' }}, {{ name = 'left', from = 'd', to = 'a' }}]"
            ))
            .joint(
                "sole",
                format!(
                    "sliding = {{ edge = 'block.sole', path = ['guide'], \
                     nodes = '{nodes}' }}"
                ),
            )
            .and(format!("friction.{friction}"))
            .outputs("joints.* energy.*")
            .inputs("gravity.*")
            .text()
    }
}

/// Every order and some meshes.
fn meshes() -> impl Iterator<Item = (usize, [usize; 2])> {
    (1..=4).flat_map(|order| [[2, 1], [4, 1], [9, 2]].map(|cells| (order, cells)))
}

#[test]
fn a_block_thrown_along_a_rail_comes_to_rest_where_a_particle_does_whatever_its_mesh() {
    for (order, cells) in meshes() {
        let mut run =
            Block { order, cells, more: "initial.bodies.a = { vx = 1.0 }", ..Block::default() }
                .run();
        let begin = run.get("joints.sole.position");
        run.run(0.5, 1e-3, |_| ());
        let slid = run.get("joints.sole.position") - begin;
        let exact = 0.5 / (0.3 * GRAVITY);
        println!("order {order}, {cells:?} cells: slid {slid} m, {exact}");
        // The block is squeezed along its way by 1e-9 m.
        assert!((slid - exact).abs() < 5e-6, "{order} {cells:?}: {slid} {exact}");
        assert_eq!(run.get("joints.sole.regime"), 1.0);
        let normal = run.get("joints.sole.normal_force");
        assert!((normal - GRAVITY).abs() < 1e-3, "{normal}");
        let lost = run.get("joints.sole.dissipated_energy");
        // The weight comes to bear in the first step, and friction with it: half of its work in that step.
        assert!((lost - 0.5).abs() < 0.6 * 0.3 * GRAVITY * 1e-3, "{lost}");
        let balance = run.get("energy.balance");
        // In the first step the weight comes to bear, which the trapezoid of friction's work does not resolve.
        assert!(balance.abs() < 2e-4, "{balance}");
    }
}

#[test]
fn a_block_on_a_slope_stays_below_the_angle_of_friction_and_slides_above_it() {
    for (order, cells) in meshes() {
        for slope in [0.29_f64.atan(), -0.31_f64.atan()] {
            let mut run = Block { order, cells, slope, ..Block::default() }.run();
            let begin = run.get("joints.sole.position");
            run.run(0.2, 1e-3, |_| ());
            let slid = run.get("joints.sole.position") - begin;
            let pull = GRAVITY * (slope.sin().abs() - 0.3 * slope.cos()).max(0.0);
            let exact = -slope.signum() * 0.5 * pull * 0.2 * 0.2;
            assert!(
                // Friction grows with the weight in the first step of 1 ms.
                (slid - exact).abs() < 3e-6,
                "{order} {cells:?}: {slid} {exact}"
            );
        }
    }
}

#[test]
fn what_strains_a_sole_against_its_rail_is_no_normal_force() {
    // 2 µm of sag over 0.2 m: the ends and the middle of the sole are pressed to the rail and pulled to it by hundreds of newtons.
    for sole in ["", ", arc.radius = 2500.0", ", arc.radius = -2500.0"] {
        let mut run = Block {
            cells: [6, 2],
            sole,
            more: "initial.bodies.a = { vx = 1.0 }",
            ..Block::default()
        }
        .run();
        let nodes: f64 = (1..=19).map(|k| run.get(&format!("joints.sole[{k}].normal_force"))).sum();
        assert!(sole.is_empty() || nodes > 20.0 * GRAVITY, "{nodes}");
        let begin = run.get("joints.sole.position");
        run.run(0.5, 1e-3, |_| ());
        let slid = run.get("joints.sole.position") - begin;
        let exact = 0.5 / (0.3 * GRAVITY);
        println!("{nodes} N for {GRAVITY} N: slid {slid} m, {exact}");
        // Friction grows with the weight in the first step of 1 ms.
        assert!((slid - exact).abs() < 0.3 * GRAVITY * 1e-6 * 1.2, "{sole}: {slid} {exact}");
    }
}

#[test]
fn every_law_acts_on_an_edge_as_on_a_particle() {
    let laws = [
        "coulomb = { coefficient = 0.3, static_coefficient = 0.4 }",
        "stribeck = { static_coefficient = 0.5, kinetic_coefficient = 0.2, decay_velocity = 0.1 }",
        "modified_coulomb = { coefficient = 0.3, threshold_velocity = 1e-3 }",
        "dahl = { coefficient = 0.3, stiffness = 1e4 }",
        "lugre = { static_coefficient = 0.4, kinetic_coefficient = 0.3, decay_velocity = 0.1, stiffness = 1e4, damping = 10.0 }",
        "bristle_lcp = { coefficient = 0.3, stiffness = 1e4 }",
    ];
    for friction in laws {
        let load = |point: &str| {
            format!(
                "loads.{point} = {{ point = \"{point}\", fx = 8.0, history.sine.frequency = 2.0 }}\n"
            )
        };
        let mut run = Block {
            friction,
            more: &(format!(
                r#"
                points.particle = [0.5, 0.0]
                masses.particle = {{ point = "particle", mass = 1.0 }}
                joints.particle.cylindrical = {{ slider = "particle", path = ["guide"] }}
                joints.particle.friction.{friction}
                "#
            ) + &load("b")
                + &load("particle")),
            ..Block::default()
        }
        .run();
        let get = |run: &Simulation, key: &str| {
            ["sole", "particle"].map(|joint| run.get(&format!("joints.{joint}.{key}")))
        };
        let begin = get(&run, "position");
        let (mut worst, mut moved) = (0.0_f64, 0.0_f64);
        run.run(2.0, 5e-3, |run| {
            let now = get(run, "position");
            let [block, particle] = [0, 1].map(|i| now[i] - begin[i]);
            worst = worst.max((block - particle).abs());
            moved = moved.max(particle.abs());
        });
        assert!(moved > 1e-3 && worst < 1e-4 * moved, "{friction}: {worst} of {moved}");
        let [block, particle] = get(&run, "dissipated_energy");
        assert!((block - particle).abs() < 1e-4 * particle, "{friction}: {block} {particle}");
        assert!(run.get("energy.balance").abs() < 1e-4 * particle);
    }
}

/// A beam that gives way by a centimetre under the block.
fn beam() -> String {
    Mechanism::part()
        .member("guide", ["left", "right"], "elements = 12, material = 'soft', section = 'flat'")
        .material("soft", 5e9, 0.3, 1200.0)
        .rectangle("flat", 0.03, 0.03)
        .support("pivot", "point = 'left', fix = ['x', 'y']")
        .support("roller", "point = 'right', fix = ['y']")
        .entry("initial", "equilibrium = true, fixed_sliders = 'all'")
        .entry("initial.bodies.a", "vx = 1.0")
        .text()
}

#[test]
fn on_a_beam_an_edge_is_braked_by_its_resultant_as_by_its_mean_place() {
    let stops = ["all", "mean"].map(|nodes| {
        let block = Block { nodes, rail: &beam(), solver: "step = 5e-4", ..Block::default() };
        // A block that does not keep the beam from bending below it.
        let mut run = Simulation::of(&block.text().edit("2.1e11", "2e8"));
        let begin = run.get("joints.sole.position");
        let (mut slid, mut sizes) = (0.0, 0.0_f64);
        run.run(0.6, 5e-4, |run| {
            slid = run.get("joints.sole.position") - begin;
            if nodes == "all" {
                let [normal, friction] = ["normal_force", "friction_force"]
                    .map(|key| run.get(&format!("joints.sole.{key}")));
                let slips = run.get("joints.sole.regime") != 1.0;
                // What sticks at the end of a step may be about to break away.
                assert!(friction.abs() <= 0.3 * normal * 1.05);
                assert!(!slips || (friction.abs() - 0.3 * normal).abs() < 1e-7 * normal);
                let nodes = (1..=13).map(|k| run.get(&format!("joints.sole[{k}].normal_force")));
                sizes = sizes.max(nodes.sum::<f64>() / normal);
            }
        });
        let lost = run.get("energy.friction_work");
        assert!(run.get("energy.balance").abs() < 1e-3 * lost);
        println!("{nodes}: slid {slid} m, {lost} J, nodal forces {sizes} times the resultant");
        slid
    });
    // What it keeps of it shakes the beam by a third of the weight.
    assert!((stops[0] / stops[1] - 1.0).abs() < 2e-2, "{stops:?}");
}

#[test]
fn derivatives_with_friction_of_an_edge_are_those_of_the_step() {
    for (friction, parameter) in [
        ("coulomb.coefficient = 0.3", "coulomb.coefficient"),
        ("dahl = { coefficient = 0.3, stiffness = 1e4 }", "dahl.coefficient"),
    ] {
        let text = Block {
            cells: [2, 1],
            friction,
            rail: &beam(),
            solver: "step = 5e-4, position_tolerance = 2e-13, force_tolerance = 2e-11",
            more: "loads.b = { point = \"b\", fx = 0.0, fy = 0.0 }",
            ..Block::default()
        }
        .text();
        let parameter = format!("joints.sole.friction.{parameter}");
        let text = text.replace(
            "inputs = [\"gravity.*\"]",
            &format!("inputs = [\"loads.*\"]\nparameters = [\"{parameter}\"]"),
        );
        let mut run = Simulation::of(&text);
        run.run(0.03, 5e-4, |_| ());
        let knowns = [("loads.b.fx", 1.0), ("loads.b.fy", 1.0), (parameter.as_str(), 1e-2)];
        // Forces of single nodes alternate in sign and grow with the mesh.
        let sure = sensitivity::check(&run, &text, 5e-4, &knowns, 3e-4);
        println!("{friction}: {sure} derivatives sure");
        assert!(sure > 100, "{sure}");
    }
}

/// A ring, loaded by its weight, that is turned on an axle by a force at its rim.
#[test]
fn a_ring_on_an_axle_is_braked_by_the_resultant_of_what_squeezes_it() {
    const BORE: f64 = 0.015;
    const RIM: f64 = 0.03;
    let mut run = Mechanism::new("ring")
        .step(0.05)
        .solver("analysis = 'quasi_static'")
        .gravity(-9810.0)
        .points(format!("O = [0.0, 0.0], p = [{RIM:?}, 0.0], q = [-{RIM:?}, 0.0]"))
        .and("far = [0.06, 0.0]")
        .material("arm", 47.04e9, 0.0, 1724.82)
        .material("stiff", 47.04e13, 0.0, 1e-6)
        .rectangle("shaft", 0.06, 0.06)
        .body("ring", "material = 'arm', thickness = 0.06, state = 'plane_stress', order = 4")
        .and("outline.size = 0.01")
        .and(
            "outline.edges = [{ name = 'upper', from = 'p', to = 'q', arc.angle = 'pi' }, \
                 { name = 'lower', from = 'q', to = 'p', arc.angle = 'pi' }]",
        )
        .and(format!(
            "outline.holes = [[{{ name = 'hole', circle = {{ center = 'O', \
                 radius = {BORE:?} }} }}]]"
        ))
        .body("axle", "material = 'arm', thickness = 0.06, state = 'plane_stress', order = 4")
        .and("outline.size = 0.01")
        .and(format!(
            "outline.edges = [{{ name = 'rim', circle = {{ center = 'O', \
                 radius = {BORE:?} }} }}]"
        ))
        .member("shaft", ["O", "far"], "elements = 1, material = 'stiff', section = 'shaft'")
        .pin("O")
        .support("axle", "edge = 'axle.rim', fix = ['x', 'y']")
        .slider("drive", "p", "shaft", "")
        .joint("pin", "sliding.edge = 'ring.hole', sliding.path = ['axle.rim']")
        .and("sliding.nodes = 'all', sliding.ends = 'closed'")
        .and("friction.coulomb.coefficient = 0.2")
        .motion("turn", "point = 'O', direction = 'rotation', amplitude = 1.0")
        .and("history.ramp = { duration = 1.0, smooth = false }")
        .outputs("motions.turn.reaction joints.*")
        .simulation();
    let weight = 9810.0 * 1724.82 * 0.06 * std::f64::consts::PI * (RIM * RIM - BORE * BORE);
    let mut turned = 0.0;
    run.run(1.0, 0.05, |run| {
        turned += 0.05_f64;
        let [normal, x, y] =
            ["normal_force", "fx", "fy"].map(|key| run.get(&format!("joints.pin.{key}")));
        let torque = run.get("motions.turn.reaction").abs();
        // Friction along the whole bore adds up to a couple alone.
        assert!((normal / x.hypot(y) - 1.0).abs() < 1e-6, "{normal} {x} {y}");
        assert!((torque / (0.2 * BORE * normal) - 1.0).abs() < 1e-4, "{turned}: {torque} {normal}");
        let push = torque / RIM;
        let exact = (weight * weight + push * push - 2.0 * weight * push * turned.cos()).sqrt();
        assert!((normal / exact - 1.0).abs() < 1e-4, "{turned}: {normal} {exact}");
    });
}

#[test]
fn the_bundled_mechanisms_of_solids_run_with_friction_at_all_nodes() {
    let rubs = |name: &str, law: &str| {
        let lines = bundled(name);
        let lines = lines.lines().map(|line| match line.starts_with("sliding = ") {
            true => format!("{line}\nfriction.{law}\n"),
            false => format!("{line}\n"),
        });
        lines.collect::<String>()
    };
    let law =
        "stribeck = { static_coefficient = 0.12, kinetic_coefficient = 0.1, decay_velocity = 0.1 }";
    let mut run = Simulation::of(&rubs("quick_return_solid", law));
    run.run(0.01, 1e-3, |_| ());
    let (lost, driven) = (run.get("energy.friction_work"), run.get("energy.input_work"));
    println!("friction takes {lost} J of {driven} J, balance {}", run.get("energy.balance"));
    assert!(lost > 1.0 && lost < driven && run.get("energy.balance").abs() < 1e-3 * driven);
    // The faces stick at the angle of 2°, and carry the pull as the frictionless ones do.
    let mut run = Simulation::of(&rubs("doubly_bent_beams_solid", "coulomb.coefficient = 0.1"));
    run.run(2.0, 0.5, |_| ());
    assert!(run.get("energy.friction_work").abs() < 1e-9 * run.get("energy.input_work"));
    assert!(run.get("energy.balance").abs() < 1e-4 * run.get("energy.input_work"));
}
