//! Friction of edges all of whose nodes slide: that of a particle under the resultant.

use crate::common::Simulation;

const GRAVITY: f64 = 9.81;

/// A block of steel, 1 kg, 0.2 m long and 0.02 m high, whose sole lies on a guide at an angle to the horizontal; `points` and
/// `more` are written with it.
struct Block<'a> {
    order: usize,
    cells: [usize; 2],
    slope: f64,
    friction: &'a str,
    /// How the sole is drawn.
    sole: &'a str,
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
            more: "",
        }
    }
}

impl Block<'_> {
    fn run(&self) -> Simulation {
        let (sin, cos) = self.slope.sin_cos();
        let point = |name: &str, x: f64, y: f64| {
            format!(
                "points.{name} = [{:?}, {:?}]\n",
                cos * x - sin * y,
                sin * x + cos * y
            )
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
        let Block {
            order,
            cells,
            friction,
            sole,
            more,
            ..
        } = self;
        Simulation::of(&format!(
            r#"
            name = "block"
            {points}
            members.guide = {{ from = "left", to = "right", elements = 1, order = 1 }}
            supports.guide = {{ member = "guide", fix = ["x", "y", "rotation"] }}
            materials.steel = {{ young_modulus = 210e9, poisson_ratio = 0.3, density = 7850.0 }}
            gravity.y = -{GRAVITY}
            solver.step = 1e-3
            {more}
            [bodies.block]
            material = "steel"
            thickness = "1/(7850*0.2*0.02)"
            state = "plane_stress"
            order = {order}
            patch.cells = {cells:?}
            patch.edges = [
              {{ name = "sole", from = "a", to = "b"{sole} }},
              {{ name = "right", from = "b", to = "c" }},
              {{ name = "top", from = "c", to = "d" }},
              {{ name = "left", from = "d", to = "a" }},
            ]
            [joints.sole]
            sliding = {{ edge = "block.sole", path = ["guide"], nodes = "all" }}
            friction.{friction}
            [interface]
            outputs = ["joints.*", "energy.*"]
            "#
        ))
    }
}

/// Every order and some meshes.
fn meshes() -> impl Iterator<Item = (usize, [usize; 2])> {
    (1..=4).flat_map(|order| [[2, 1], [4, 1], [9, 2]].map(|cells| (order, cells)))
}

#[test]
fn a_block_thrown_along_a_rail_comes_to_rest_where_a_particle_does_whatever_its_mesh() {
    for (order, cells) in meshes() {
        let mut run = Block {
            order,
            cells,
            more: "initial.bodies.a = { vx = 1.0 }",
            ..Block::default()
        }
        .run();
        let begin = run.get("joints.sole.position");
        run.run(0.5, 1e-3, |_| ());
        let slid = run.get("joints.sole.position") - begin;
        let exact = 0.5 / (0.3 * GRAVITY);
        println!("order {order}, {cells:?} cells: slid {slid} m, {exact}");
        // The block is squeezed along its way by 1e-9 m.
        assert!(
            (slid - exact).abs() < 1e-7,
            "{order} {cells:?}: {slid} {exact}"
        );
        assert_eq!(run.get("joints.sole.regime"), 1.0);
        let normal = run.get("joints.sole.normal_force");
        assert!((normal - GRAVITY).abs() < 1e-3, "{normal}");
        let lost = run.get("joints.sole.dissipated_energy");
        assert!((lost - 0.5).abs() < 1e-6, "{lost}");
        let balance = run.get("energy.balance");
        // In the first step the weight comes to bear, which the trapezoid of friction's work does not resolve.
        assert!(balance.abs() < 2e-4, "{balance}");
    }
}

#[test]
fn a_block_on_a_slope_stays_below_the_angle_of_friction_and_slides_above_it() {
    for (order, cells) in meshes() {
        for slope in [0.29_f64.atan(), -0.31_f64.atan()] {
            let mut run = Block {
                order,
                cells,
                slope,
                ..Block::default()
            }
            .run();
            let begin = run.get("joints.sole.position");
            run.run(0.2, 1e-3, |_| ());
            let slid = run.get("joints.sole.position") - begin;
            let pull = GRAVITY * (slope.sin().abs() - 0.3 * slope.cos()).max(0.0);
            let exact = -slope.signum() * 0.5 * pull * 0.2 * 0.2;
            assert!(
                (slid - exact).abs() < 1e-7,
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
        let nodes: f64 = (1..=19)
            .map(|k| run.get(&format!("joints.sole[{k}].normal_force")))
            .sum();
        assert!(sole.is_empty() || nodes > 20.0 * GRAVITY, "{nodes}");
        let begin = run.get("joints.sole.position");
        run.run(0.5, 1e-3, |_| ());
        let slid = run.get("joints.sole.position") - begin;
        let exact = 0.5 / (0.3 * GRAVITY);
        println!("{nodes} N for {GRAVITY} N: slid {slid} m, {exact}");
        assert!((slid - exact).abs() < 1e-6, "{sole}: {slid} {exact}");
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
        assert!(
            moved > 1e-3 && worst < 1e-5 * moved,
            "{friction}: {worst} of {moved}"
        );
        let [block, particle] = get(&run, "dissipated_energy");
        assert!(
            (block - particle).abs() < 1e-4 * particle,
            "{friction}: {block} {particle}"
        );
        assert!(run.get("energy.balance").abs() < 1e-4 * particle);
    }
}
