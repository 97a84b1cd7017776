//! Bodies that stand on corners of their triangles.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// Corners of triangles of order 2 and 4 carry none of the mass of a body that is accelerated.
#[test]
fn a_block_that_stands_on_corners_of_its_triangles_turns_back_as_a_particle_does() {
    let corner = |name: &str, x: f64, y: f64| format!("points.{name} = [{x:?}, {y:?}]\n");
    let points = corner("a", 0.0, 0.0) + &corner("b", 0.2, 0.0) + &corner("c", 0.2, 0.02);
    let points = points + &corner("d", 0.0, 0.02) + &corner("particle", 0.5, 0.0);
    for order in 1..=4 {
        let mut run = Mechanism::new("block")
            .step(5e-4)
            .add(&points)
            .points("left = [-1.0, 0.0], right = [2.0, 0.0]")
            .guide("guide", ["left", "right"], "elements = 1, order = 1")
            .steel()
            .gravity(-9.81)
            .body("block", "material = 'steel', thickness = '1/(7850*0.2*0.02)'")
            .and(format!("state = 'plane_stress', order = {order}"))
            .patch("block", [4, 1], "sole: a, right: b, top: c, left: d")
            .mass("particle", 1.0)
            .joint("sole", "sliding.edge = 'block.sole', sliding.path = ['guide']")
            .and("sliding.nodes = 'ends'")
            .and("friction.coulomb.coefficient = 0.1")
            .slider("particle", "particle", "guide", "")
            .and("friction.coulomb.coefficient = 0.1")
            .load("block", "point = 'b', fx = 4.0, history.sine.frequency = 2.0")
            .load("particle", "point = 'particle', fx = 4.0, history.sine.frequency = 2.0")
            .outputs("joints.sole.position joints.particle.position")
            .simulation();
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
