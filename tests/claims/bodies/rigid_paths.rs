//! Edges of rigid bodies as paths, and rigid edges that slide.

use super::rigid::plate;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, sensitivity};

const G: f64 = 9.81;

#[test]
fn a_bead_flies_out_along_a_rigid_edge_that_turns() {
    let more = &Mechanism::part()
        .entry("masses.bead", "point = 'P', mass = 0.5")
        .slider("bead", "P", "rod.bottom", "")
        .support("pivot", "point = 'A', fix = ['x', 'y']")
        .motion("turn", "point = 'A', direction = 'rotation', rate = 2.0")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("P", "vx = 0.0")
        .text();
    let text = plate(5e-4, "P = [0.3, 0.0]", more).replace("y = -9.81", "y = 0.0");
    let mut run = Simulation::of(&text);
    run.run(0.5, 0.05, |run| {
        let (t, w) = (run.time(), 2.0);
        let (s, rate) = (0.3 * (w * t).cosh(), 0.3 * w * (w * t).sinh());
        let near = |path: &str, exact: f64, by: f64| {
            let seen = run.get(path);
            assert!((seen - exact).abs() < by, "{path} {seen} {exact} at {t}");
        };
        near("joints.bead.position", s, 1e-6);
        near("joints.bead.velocity", rate, 1e-5);
        near("joints.bead.normal_force", 0.5 * 2.0 * w * rate, 1e-4);
        near("points.P.x", s * (w * t).cos(), 1e-6);
    });
}

#[test]
fn a_bead_and_a_free_hoop_keep_their_momenta() {
    let mut run = Mechanism::new("hoop")
        .step(5e-4)
        .outputs("joints.* points.* energy.* probes.*")
        .points("M = [0.2, 0.1], P = [0.7, 0.1]")
        .material("steel", 210e9, 0.3, 1000.0)
        .body("hoop", "material = 'steel', thickness = 0.01, rigid = true, order = 4")
        .and("outline.size = 0.1")
        .and("outline.edges = [{ name = 'outer', circle = { center = 'M', radius = 0.6 } }]")
        .and("outline.holes = [[{ name = 'inner', circle = { center = 'M', radius = 0.5 } }]]")
        .entry("masses.bead", "point = 'P', mass = 2.0")
        .slider("bead", "P", "hoop.inner", "ends = 'closed'")
        .probe("centre", "place = { body = 'hoop', at = [0.75, 0.1] }")
        .start("P", "vy = 3.0")
        .simulation();
    let mass = 1000.0 * 0.01 * std::f64::consts::PI * (0.36 - 0.25);
    let total = mass + 2.0;
    let (x, y) = (run.get("points.P.x"), run.get("points.P.y"));
    assert!((run.get("points.P.vy") - 3.0).abs() < 1e-6);
    run.run(2.0, 0.1, |run| {
        let t = run.time();
        // The bead, and the hoop's centre from two of its places that are opposite of each other.
        let [px, py] = ["x", "y"].map(|axis| run.get(&format!("points.P.{axis}")));
        let place = [run.get("probes.centre.x"), run.get("probes.centre.y")];
        // The centre of mass of both moves on as it began; the bead stays on a circle about the hoop's centre.
        let both = [(2.0 * x + mass * 0.2) / total, (2.0 * y + mass * 0.1) / total];
        let now = [both[0], both[1] + 2.0 * 3.0 * t / total];
        let hoop = [0, 1].map(|i| (total * now[i] - 2.0 * [px, py][i]) / mass);
        let [dx, dy] = [place[0] - hoop[0], place[1] - hoop[1]];
        assert!((dx.hypot(dy) - 0.55).abs() < 1e-6, "{}", dx.hypot(dy));
        let off = (px - hoop[0]).hypot(py - hoop[1]) - 0.5;
        assert!(off.abs() < 2e-6, "{off}");
        // Nothing turns the hoop about its own centre: smooth forces point there.
        assert!(dy.atan2(dx).abs() < 2e-5, "{}", dy.atan2(dx));
        assert!(run.get("energy.balance").abs() < 1e-4, "{}", run.get("energy.balance"));
    });
}

#[test]
fn a_follower_on_an_eccentric_disc_rises_by_the_law_of_the_cam() {
    let mut run = Mechanism::new("cam")
        .step(1e-3)
        .outputs("joints.* points.* motions.* energy.*")
        .points("O = [0.0, 0.0], M = [0.1, 0.0], P = [0.0, 0.28284271247461906], low = [0.0, 0.1]")
        .and("high = [0.0, 0.6]")
        .steel()
        .body("disc", "material = 'steel', thickness = 0.01, rigid = true, order = 4")
        .and("points = ['O'], outline.size = 0.1")
        .and("outline.edges = [{ name = 'rim', circle = { center = 'M', radius = 0.3 } }]")
        .guide("guide", ["low", "high"], "elements = 1, order = 1")
        .support("axle", "point = 'O', fix = ['x', 'y']")
        .motion("turn", "point = 'O', direction = 'rotation', rate = 3.0")
        .entry("masses.follower", "point = 'P', mass = 0.4")
        .slider("rim", "P", "disc.rim", "ends = 'closed'")
        .slider("guide", "P", "guide", "")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .simulation();
    run.run(4.0, 0.1, |run| {
        let angle = 3.0 * run.time();
        let (e, r) = (0.1, 0.3_f64);
        let height = e * angle.sin() + (r * r - (e * angle.cos()).powi(2)).sqrt();
        let seen = run.get("points.P.y");
        // Sides of order 4 of 0.1 m are off the circle by 1e-8 m.
        assert!((seen - height).abs() < 2e-7, "{seen} {height} at {}", run.time());
    });
    assert!(run.get("energy.balance").abs() < 1e-4);
}

#[test]
fn a_rigid_block_on_two_of_its_corners_slides_down_a_slope_as_a_particle_does() {
    let slope: f64 = 0.5;
    let (sin, cos) = slope.sin_cos();
    // The block's bottom lies along the slope through the origin.
    let at = |along: f64, up: f64| {
        format!("[{:?}, {:?}]", along * cos + up * sin, -along * sin + up * cos)
    };
    let text = Mechanism::new("block")
        .step(1e-3)
        .gravity(-9.81)
        .outputs("joints.* points.* energy.*")
        .points(format!("A = {}, B = {}, C = {}", at(0.0, 0.0), at(0.4, 0.0), at(0.4, 0.2)))
        .and(format!("D = {}, top = {}, end = {}", at(0.0, 0.2), at(-1.0, 0.0), at(9.0, 0.0)))
        .steel()
        .body("block", "material = 'steel', thickness = 0.01, rigid = true")
        .patch("block", [1, 1], "bottom: A, right: B, top: C, left: D")
        .guide("slope", ["top", "end"], "elements = 1, order = 1")
        .joint("block", "sliding.edge = 'block.bottom', sliding.path = ['slope']")
        .and("sliding.nodes = 'NODES'")
        .and("friction.coulomb = { coefficient = 0.3 }")
        .text();
    for nodes in ["ends", "mean"] {
        let mut run = Simulation::of(&text.replace("NODES", nodes));
        let acceleration = G * (sin - 0.3 * cos);
        let start = run.get("joints.block.position");
        run.run(1.0, 0.1, |run| {
            let t = run.time();
            let way = run.get("joints.block.position") - start;
            let exact = 0.5 * acceleration * t * t;
            assert!((way - exact).abs() < 1e-9, "{nodes}: {way} {exact}");
        });
        assert!(run.get("energy.balance").abs() < 1e-8);
    }
}

#[test]
fn derivatives_of_a_step_with_a_block_on_a_rough_rigid_edge_are_those_of_differences() {
    let more = &Mechanism::part()
        .support("pivot", "point = 'A', fix = ['x', 'y']")
        .entry("masses.bead", "point = 'P', mass = 3.0, rotary_inertia = 0.02")
        .joint("bead", "prismatic = { slider = 'P', path = ['rod.left', 'rod.top'], length = 0.1 }")
        .and("friction.stribeck.static_coefficient = 0.3")
        .and("friction.stribeck.kinetic_coefficient = 0.2, friction.stribeck.decay_velocity = 0.5")
        .and("roughness.cosine = { amplitude = 0.002, wavelength = 0.1 }")
        .load("push", "point = 'C', fx = 20.0, fy = 5.0, moment = 3.0")
        .load("pull", "point = 'P', fx = -4.0")
        .probe("centre", "place = { body = 'rod', at = [0.5, 0.1] }")
        .start("P", "vx = 0.4")
        .text();
    let text = plate(1e-3, "P = [0.5, 0.2]", more).replace(
        "[interface]",
        "[interface]\ninputs = [\"loads.*\"]\nparameters = [\"joints.bead.friction.*\"]",
    );
    // Accelerations of points without mass are second differences of rounded places.
    let outputs = "\"points.C.vx\", \"points.C.y\", \"points.C.rotation\", \"points.P.*\"";
    let text = text.replace("\"points.*\"", outputs);
    let text = sensitivity::sharp(&text, 1e-14);
    let mut sim = Simulation::of(&text);
    let mut sure = 0;
    for _ in 0..3 {
        (0..15).for_each(|_| sim.step(2e-3));
        let knowns = [
            ("loads.push.fx", 1.0),
            ("loads.push.moment", 1.0),
            // The pivot hardly feels it: a smaller step would show what Newton's method leaves of its force.
            ("loads.pull.fx", 20.0),
            ("joints.bead.friction.stribeck.kinetic_coefficient", 1e-2),
        ];
        sure += sensitivity::check(&sim, &text, 4e-3, &knowns, 1e-6);
    }
    println!("{sure} derivatives sure");
    assert!(sure > 200, "{sure}");
}

#[test]
fn a_leaf_spring_leaves_its_cam_where_inertia_outweighs_it() {
    // Strip of 200 x 20 x 1.5 mm with 33/140 of its mass at its tip; eccentricity 2 mm, radius 20 mm.
    let stiffness = 3.0 * 210e9 * 0.02 * 0.0015_f64.powi(3) / 12.0 / 0.2_f64.powi(3);
    let mass = 0.05 + 33.0 / 140.0 * 7850.0 * 0.2 * 0.02 * 0.0015;
    let limit = (2.0 * stiffness / (mass * 1.1)).sqrt();
    for (share, opens) in [(0.96, false), (1.02, true)] {
        let rate = share * limit;
        let values = [("motions.shaft.rate", rate)];
        let mut run = Simulation::bundled("cam_and_spring", &values);
        let (mut off, mut gap) = (0.0_f64, 0.0_f64);
        run.run(0.2, 1e-3, |run| {
            let (sin, cos) = (rate * run.time()).sin_cos();
            let [x, y] = ["x", "y"].map(|axis| run.get(&format!("points.tip.{axis}")));
            off = off.max(((x - 0.002 * sin).hypot(y + 0.002 * cos) - 0.02).abs());
            gap = gap.max(run.get("joints.tip.gap"));
        });
        println!("{rate} rad/s: {off} m off the round rim, gap {gap} m");
        // The sides of order 4 are off the circle by 2e-8 m.
        assert!((off - gap).abs() < 3e-8, "{off} {gap}");
        assert_eq!(gap > 1e-6, opens, "{gap}");
        assert!(run.get("energy.balance").abs() < 1e-5);
    }
}
