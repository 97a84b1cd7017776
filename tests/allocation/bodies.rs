//! Bodies, their edges and pins.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};
use crate::counting::requests;
use crate::requests_of_a_run;

/// A lug that swings on a pin, and beside it a block with friction at all nodes of its edge below a beam.
fn block_and_lug() -> String {
    Mechanism::new("block_on_lug")
        .step(1e-3)
        .gravity(-9.81)
        .points("pivot = [0.0, 0.0], l0 = [-0.05, -0.3], l1 = [0.05, -0.3], l2 = [0.05, 0.05]")
        .and("l3 = [-0.05, 0.05], b0 = [-0.04, -0.32], b1 = [0.04, -0.32], b2 = [0.04, -0.3]")
        .and("b3 = [-0.04, -0.3], left = [-0.5, -0.3], right = [0.5, -0.3]")
        .steel()
        .rectangle("flat", 0.01, 0.02)
        .member("beam", ["left", "right"], "elements = 8, material = 'steel', section = 'flat'")
        .body("lug", "material = 'steel', thickness = 0.01, state = 'plane_stress', order = 2")
        .and("outline.size = 0.05")
        .and(
            "outline.edges = [{ name = 'bottom', from = 'l0', to = 'l1' }, { name = 'right', \
             from = 'l1', to = 'l2' }, { name = 'top', from = 'l2', to = 'l3' }, { name = 'left', \
             from = 'l3', to = 'l0' }]",
        )
        .and("outline.holes = [[{ name = 'bore', circle = { center = 'pivot', radius = 0.02 } }]]")
        .body("block", "material = 'steel', thickness = 0.02, state = 'plane_stress'")
        .patch("block", [3, 1], "bottom: b0, right: b1, top: b2, left: b3")
        .pin("pivot")
        .clamp("left")
        .clamp("right")
        .joint("pin", "pin = { hole = 'lug.bore', on = 'pivot' }")
        .joint("block", "sliding = { edge = 'block.top', path = ['beam'], nodes = 'all' }")
        .and("friction.coulomb.coefficient = 0.2")
        .load("shake", "point = 'b1', fx = 2.0, history.sine = { frequency = 2.0 }")
        .load("swing", "point = 'l0', fx = 5.0, history.sine = { frequency = 0.8 }")
        .outputs("joints.* energy.* points.l0.*")
        .text()
}

#[test]
fn friction_of_a_whole_edge_and_a_pin_allocate_nothing() {
    let sim = Simulation::of(&block_and_lug());
    let (count, switches) = requests_of_a_run(sim, 1.0, 1e-3);
    assert!(switches >= 4, "to and fro: {switches}");
    assert_eq!(count, 0);
}

#[test]
fn sliding_along_a_rough_edge_allocates_nothing() {
    let sim = Simulation::of(
        &Mechanism::new("rough_edge")
            .step(1e-3)
            .gravity(-9.81)
            .points("a = [0.0, 0.0], b = [1.0, 0.0], c = [1.0, 0.1], d = [0.0, 0.1]")
            .and("bead = [0.5, 0.1]")
            .material("rubber", 1e6, 0.3, 1000.0)
            .body("beam", "material = 'rubber', thickness = 0.05, state = 'plane_stress'")
            .patch("beam", [8, 1], "bottom: a, right: b, top: c, left: d")
            .support("a", "edge = 'beam.left', fix = ['x', 'y']")
            .support("b", "edge = 'beam.right', fix = ['x', 'y']")
            .mass("bead", 0.5)
            .start("bead", "vx = 1.0")
            .load("pull", "point = 'bead', fx = 6.0")
            .and("history.sine = { frequency = 2.0, phase = 'pi/2' }")
            .joint("bead", "cylindrical = { slider = 'bead', path = ['beam.top'], ends = 'stop' }")
            .and("roughness.cosine = { amplitude = 2e-3, wavelength = 0.1 }")
            .and("friction.coulomb = { coefficient = 0.1 }")
            .outputs("joints.* points.bead.* energy.*")
            .text(),
    );
    let (count, switches) = requests_of_a_run(sim, 1.0, 1e-3);
    assert!(switches >= 2, "to and fro: {switches}");
    assert_eq!(count, 0);
}

#[test]
fn loads_along_a_rigid_edge_allocate_nothing() {
    let text = block_and_lug()
        .edit(
            "thickness = 0.01\nstate = \"plane_stress\"\norder = 2",
            "thickness = 0.01\nrigid = true",
        )
        .edit("point = \"l0\"\nfx = 5.0", "edge = \"lug.left\"\nqx = 9.0\nnormal = 9.0");
    let (count, _) = requests_of_a_run(Simulation::of(&text), 0.5, 1e-3);
    assert_eq!(count, 0);
}

#[test]
fn a_bead_on_a_rigid_body_that_turns_allocates_nothing() {
    let text = common::text("tests/models/rigid_rocker");
    let mut sim = Simulation::of(&text);
    sim.step(1e-3);
    assert_eq!(requests(|| sim.run(1.0, 1e-3, |_| ())), 0);
    // It has slid with friction, hit the stop and left the other way.
    assert!(sim.get("joints.bead.dissipated_energy") > 0.0);
    assert!(sim.get("energy.impact_loss") > 0.0);
}

#[test]
fn reading_stresses_of_bodies_and_pressures_of_their_edges_allocates_nothing() {
    let outputs = "\"energy.*\", \"probes.*\", \"joints.*\", \"points.*\"]";
    let place = "\n[probes.inner]\nplace = { body = \"left\", at = [0.1, 0.0001] }\n";
    let text = common::bundled("doubly_bent_beams_solid").edit("\"energy.*\"]", outputs) + place;
    let mut sim = Simulation::of(&text);
    sim.step(0.1);
    let (count, _) = requests_of_a_run(sim, 0.4, 0.1);
    assert_eq!(count, 0);
}

#[test]
fn edges_that_slide_with_all_their_nodes_over_many_elements_allocate_nothing() {
    let mut sim = Simulation::of(&common::blocks::blocks_on_a_bar(1, 1e-4));
    let begin = sim.get("points.block0_1.x");
    sim.run(2e-4, 1e-4, |_| ());
    assert_eq!(requests(|| sim.run(0.025, 1e-4, |_| ())), 0);
    // Ends of elements are 38 mm apart, and nodes a third of 20 mm.
    let way = sim.get("points.block0_1.x") - begin;
    assert!(way > 0.15, "{way}");
}

#[test]
fn the_quick_return_of_solids_allocates_nothing() {
    let sim = Simulation::bundled("quick_return_solid", &[]);
    let (count, _) = requests_of_a_run(sim, 0.03, 1e-4);
    assert_eq!(count, 0);
}
