//! Bodies that stand on corners of their triangles.

use crate::common::Simulation;

/// Corners of triangles of order 2 and 4 carry none of the mass of a body that is accelerated.
#[test]
fn a_block_that_stands_on_corners_of_its_triangles_turns_back_as_a_particle_does() {
    let corner = |name: &str, x: f64, y: f64| format!("points.{name} = [{x:?}, {y:?}]\n");
    let points = corner("a", 0.0, 0.0) + &corner("b", 0.2, 0.0) + &corner("c", 0.2, 0.02);
    let points = points + &corner("d", 0.0, 0.02) + &corner("particle", 0.5, 0.0);
    for order in 1..=4 {
        let mut run = Simulation::of(&format!(
            r#"
            name = "block"
            solver.step = 5e-4
            {points}
            points.left = [-1.0, 0.0]
            points.right = [2.0, 0.0]
            members.guide = {{ from = "left", to = "right", elements = 1, order = 1 }}
            supports.guide = {{ member = "guide", fix = ["x", "y", "rotation"] }}
            materials.steel = {{ young_modulus = 210e9, poisson_ratio = 0.3, density = 7850.0 }}
            gravity.y = -9.81
            [bodies.block]
            material = "steel"
            thickness = "1/(7850*0.2*0.02)"
            state = "plane_stress"
            order = {order}
            patch.cells = [4, 1]
            patch.edges = [
              {{ name = "sole", from = "a", to = "b" }},
              {{ name = "right", from = "b", to = "c" }},
              {{ name = "top", from = "c", to = "d" }},
              {{ name = "left", from = "d", to = "a" }},
            ]
            [masses.particle]
            point = "particle"
            mass = 1.0
            [joints.sole]
            sliding = {{ edge = "block.sole", path = ["guide"], nodes = "ends" }}
            friction.coulomb.coefficient = 0.1
            [joints.particle]
            cylindrical = {{ slider = "particle", path = ["guide"] }}
            friction.coulomb.coefficient = 0.1
            [loads.block]
            point = "b"
            fx = 4.0
            history.sine.frequency = 2.0
            [loads.particle]
            point = "particle"
            fx = 4.0
            history.sine.frequency = 2.0
            [interface]
            outputs = ["joints.sole.position", "joints.particle.position"]
            "#
        ));
        let place = |run: &Simulation, joint: &str| run.get(&format!("joints.{joint}.position"));
        let begin = ["sole", "particle"].map(|joint| place(&run, joint));
        run.run(2.0, 5e-3, |run| {
            let slid = |joint: &str, begin: f64| place(run, joint) - begin;
            let [block, particle] = [slid("sole", begin[0]), slid("particle", begin[1])];
            // What a step of 0.5 ms leaves of instants, 4 m/s² and 0.1 m.
            let error = (block - particle).abs();
            assert!(error < 5e-6, "order {order}: {block} {particle}");
        });
    }
}
