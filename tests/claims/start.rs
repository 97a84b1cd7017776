//! The state at t = 0: sliders beside their path, velocities that the joints determine.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};

/// A bead of 2 kg, drawn at `bead`, on a fixed straight guide from the origin to (8, 6) m.
fn bead(bead: [f64; 2], more: &str) -> String {
    let [x, y] = bead;
    Mechanism::new("bead")
        .step(1e-3)
        .gravity(-9.81)
        .points(format!("O = [0.0, 0.0], A = [8.0, 6.0], P = [{x:?}, {y:?}]"))
        .guide("guide", ["O", "A"], "elements = 2")
        .mass("P", 2.0)
        .slider("P", "P", "guide", "")
        .outputs("points.P.* energy.*")
        .add(more)
        .text()
}

/// Mass, kg, moment of inertia, kg·m², and half the width, m, of a box that stands on two points.
const BOX: [f64; 3] = [12.0, 0.4, 0.1];

/// A box with its centre of mass at (x, y) from the middle of its sole, pushed there by `push` (N).
fn box_on_two_points([x, y]: [f64; 2], push: f64) -> String {
    let [mass, inertia, half] = BOX;
    Mechanism::new("box")
        .step(1e-3)
        .gravity(-9.81)
        .points("left = [-1.0, 0.0], right = [6.0, 0.0]")
        .and(format!("rear = [{}, 0.0], front = [{half}, 0.0], g = [{x}, {y}]", -half))
        .entry("bodies.box", format!("rigid = true, mass = {mass}, inertia = {inertia}"))
        .and("center = 'g', points = ['g', 'rear', 'front']")
        .guide("floor", ["left", "right"], "elements = 1")
        .slider("rear", "rear", "floor", "contact = 'unilateral'")
        .and("friction.coulomb = { coefficient = 0.6 }")
        .slider("front", "front", "floor", "contact = 'unilateral'")
        .and("friction.coulomb = { coefficient = 0.6 }")
        .load("push", format!("point = 'g', fx = {push}"))
        .outputs("points.g.* joints.*")
        .text()
}

/// A push between that which turns the box about its front edge and that which makes it slide: it turns about that edge, which
/// sticks, from the first instant on.
#[test]
fn a_box_that_is_pushed_over_begins_to_turn_about_the_edge_that_sticks() {
    let [mass, inertia, half] = BOX;
    let weight = 9.81 * mass;
    for k in 0..60 {
        let x = 0.08 * (f64::from(k) * 0.618).fract() - 0.04;
        let y = 0.25 + 0.4 * (f64::from(k) * 0.414).fract();
        let (lever, share) = (half - x, 0.2 + 0.6 * (f64::from(k) * 0.732).fract());
        let least = weight * lever / y;
        let push = least + share * (0.6 * weight - least);
        let turns = mass * (lever * lever + y * y) + inertia;
        let rate = (push * y - weight * lever) / turns;
        let [ax, ay] = [rate * y, rate * lever];
        let now = Simulation::of(&box_on_two_points([x, y], push));
        let expected = [
            ("points.g.ax", ax),
            ("points.g.ay", ay),
            ("joints.front.normal_force", weight + mass * ay),
            ("joints.front.friction_force", push - mass * ax),
            ("joints.rear.normal_force", 0.0),
        ];
        for (path, expected) in expected {
            let seen = now.get(path);
            let scale = if path.starts_with("joints") { weight } else { 9.81 };
            assert!((seen - expected).abs() < 1e-6 * scale, "{k} {path}: {seen} {expected}");
        }
        assert!(now.get("joints.front.sticking") == 1.0, "{k}");
    }
}

const ON_PATH: [f64; 2] = [4.0, 3.0];

fn started(velocities: &str) -> Simulation {
    Simulation::of(&bead(ON_PATH, &format!("[initial.points.P]\n{velocities}")))
}

fn refusal(velocities: &str) -> String {
    let text = bead(ON_PATH, &format!("[initial.points.P]\n{velocities}"));
    common::refusal(&text)
}

#[test]
fn both_velocities_of_a_slider_may_be_given_where_they_fit_its_path() {
    for velocities in ["vx = 4.0\nvy = 3.0", "vx = -4.0\nvy = -3.0001"] {
        let bead = started(velocities);
        let [vx, vy] = ["points.P.vx", "points.P.vy"].map(|path| bead.get(path));
        assert!((vx.abs() - 4.0).abs() < 1e-12, "{vx}");
        assert!((vy - 0.75 * vx).abs() < 1e-12, "along the path: {vx}, {vy}");
        assert!((bead.get("joints.P.velocity").abs() - 5.0).abs() < 1e-12);
    }
}

#[test]
fn velocities_that_do_not_fit_are_refused_with_their_difference() {
    let message = refusal("vx = 4.0\nvy = 3.1");
    assert!(message.contains("y of point `P` is given as 3.1 m/s"), "{message}");
    assert!(message.contains("make it 3 m/s, a difference of 0.1 m/s;"), "{message}");
}

#[test]
fn a_slider_drawn_a_little_off_its_path_starts_on_it() {
    // The nearest point of the path is (4, 3); the path is 10 m long.
    let off = 0.9e-3;
    let text = bead([4.0 - 0.6 * off, 3.0 + 0.8 * off], "");
    let mut bead = Simulation::of(&text);
    let place = |bead: &Simulation| ["points.P.x", "points.P.y"].map(|path| bead.get(path));
    let [x, y] = place(&bead);
    assert!((x - 4.0).abs() < 1e-9 && (y - 3.0).abs() < 1e-9, "{x}, {y}");
    assert!((bead.get("joints.P.position") - 5.0).abs() < 1e-9);
    // Down the slope with g·sin = 0.6·9.81 m/s².
    bead.run(0.5, 0.1, |_| {});
    let [x, y] = place(&bead);
    assert!((bead.get("joints.P.position") - (5.0 - 0.5 * 0.6 * 9.81 * 0.25)).abs() < 1e-6);
    assert!((y - 0.75 * x).abs() < 1e-9);
}

#[test]
fn a_slider_drawn_farther_off_is_refused() {
    let off = 1.1e-3;
    let text = bead([4.0 - 0.6 * off, 3.0 + 0.8 * off], "");
    let faults = common::check(&text, &[]).expect_err("off the path");
    assert!(faults.contains("0.0011 m off the path"), "{faults}");
}

#[test]
fn a_path_may_be_listed_from_either_end_of_its_chain() {
    // Three members of one line; s counts from `start` however they are listed.
    let model = |path: &str, start: &str| {
        let text = bead([3.2, 2.4], "")
            .edit("path = [\"guide\"]", &format!("path = [{path}], start = \"{start}\""));
        let text = text.edit("to = \"A\"", "to = \"B\"");
        let text = text.edit("A = [8.0, 6.0]", "B = [3.2, 2.4]\nC = [6.4, 4.8]\nA = [8.0, 6.0]");
        let held = |name: &str, from: &str, to: &str| {
            format!(
                "[members.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\nelements = 1\n\
                 [supports.{name}]\nmember = \"{name}\"\nfix = [\"x\", \"y\", \"rotation\"]\n"
            )
        };
        text + &held("middle", "C", "B") + &held("last", "C", "A")
    };
    let there = r#""guide", "middle", "last""#;
    let back = r#""last", "middle", "guide""#;
    for (path, start, s) in
        [(there, "O", 4.0), (back, "O", 4.0), (back, "A", 6.0), (there, "A", 6.0)]
    {
        let bead = Simulation::of(&model(path, start));
        assert!((bead.get("joints.P.position") - s).abs() < 1e-9, "{path} from {start}");
    }
    let faults = common::check(&model(there, "B"), &[]).expect_err("B is inside");
    assert!(faults.contains("joints.P"), "{faults}");
}

/// A frame with two wheels, drawn at y = 0 on a straight road along x.
fn frame() -> String {
    Mechanism::new("frame")
        .step(1e-3)
        .gravity(-9.81)
        .points("a = [-10.0, 0.0], b = [50.0, 0.0], rear = [-8.0, 0.0], front = [-5.0, 0.0]")
        .and("rear_top = [-8.0, 1.0], front_top = [-5.0, 1.0], roof = [-6.5, 2.0]")
        .material("soft", 2e9, 0.3, 1000.0)
        .rectangle("tube", 0.1, 0.1)
        .guide("road", ["a", "b"], "elements = 1, order = 1")
        .member("rear_post", ["rear", "rear_top"], "elements = 1, material = 'soft'")
        .and("section = 'tube'")
        .member("front_post", ["front", "front_top"], "elements = 1, material = 'soft'")
        .and("section = 'tube'")
        .member("beam", ["rear_top", "front_top"], "elements = 2, material = 'soft'")
        .and("section = 'tube'")
        .member("rear_rafter", ["rear_top", "roof"], "elements = 1, material = 'soft'")
        .and("section = 'tube'")
        .member("front_rafter", ["front_top", "roof"], "elements = 1, material = 'soft'")
        .and("section = 'tube'")
        .slider("rear", "rear", "road", "")
        .and("roughness.iso8608.class = 'B', roughness.iso8608.from = 0.05")
        .and("roughness.iso8608.to = 1.0, roughness.iso8608.lines = 20")
        .and("roughness.iso8608.seed = 'seed'")
        .slider("front", "front", "road", "")
        .and("roughness.iso8608.class = 'B', roughness.iso8608.from = 0.05")
        .and("roughness.iso8608.to = 1.0, roughness.iso8608.lines = 20")
        .and("roughness.iso8608.seed = 'seed'")
        .entry("parameters", "seed = 1")
        .outputs("points.rear.* points.front.* energy.*")
        .text()
}

#[test]
fn a_frame_drawn_beside_a_rough_road_starts_with_both_wheels_on_it_and_unbent() {
    for seed in [1.0, 2.0, 3.0, 4.0] {
        let frame = Simulation::with(&frame(), &[("parameters.seed", seed)]);
        let sliders = &frame.system.model().sliders;
        let road = sliders[0].roughness.clone().expect("a road").over(60.0);
        for wheel in ["rear", "front"] {
            let [x, y] = ["x", "y"].map(|axis| frame.get(&format!("points.{wheel}.{axis}")));
            let s = frame.get(&format!("joints.{wheel}.position"));
            assert!((x + 10.0 - s).abs() < 1e-9, "seed {seed}, {wheel}: {x}");
            assert!((y - road.at(s)[0]).abs() < 1e-9, "seed {seed}, {wheel}: {y}");
            assert!(y.abs() > 1e-4, "seed {seed}, {wheel}: drawn on the road");
        }
        assert!(frame.get("energy.strain") < 1e-9, "seed {seed}");
    }
}

/// A mass drawn at 4 m on a cosine road of 10 mm, a crest, with a spring to a place `aside` (m) and 1.5 m above.
fn on_a_crest(aside: f64, stiffness: f64) -> Simulation {
    let text = Mechanism::new("crest")
        .step(1e-3)
        .points(format!("O = [0, 0], A = [8, 0], P = [4, 0], K = [{}, 1.5]", 4.0 + aside))
        .guide("road", ["O", "A"], "elements = 1")
        .mass("P", 1.0)
        .slider("P", "P", "road", "")
        .and("roughness.cosine = { amplitude = 0.01, wavelength = 1.0 }")
        .spring("k", format!("ground = 'K', to = 'P', stiffness = {stiffness:?}"))
        .outputs("points.P.* springs.k.*")
        .text();
    Simulation::of(&text)
}

#[test]
fn a_mass_on_a_rough_road_starts_where_it_is_drawn_whatever_spring_is_at_it() {
    for aside in [0.0, 1.0, 3.0] {
        for stiffness in [1e-9, 10.0, 1e6] {
            let sim = on_a_crest(aside, stiffness);
            let [x, y] = ["x", "y"].map(|axis| sim.get(&format!("points.P.{axis}")));
            assert!(
                (x - 4.0).abs() < 1e-9 && (y - 0.01).abs() < 1e-9,
                "{aside} {stiffness}: {x}, {y}"
            );
            // Its length is 0 at rest as it is drawn.
            let longer = aside.hypot(1.5 - 0.01) - aside.hypot(1.5);
            let force = sim.get("springs.k.force");
            assert!((force - stiffness * longer).abs() < 1e-6 * stiffness, "{force}");
        }
    }
}
