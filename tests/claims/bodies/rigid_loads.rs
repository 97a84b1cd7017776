//! Loads along edges of rigid bodies: what keeps its direction and what turns with the body.

use super::rigid::plate;
use crate::common::edit::Edit;
use crate::common::{Simulation, runge_kutta, sensitivity};

const MASS: f64 = 7850.0 * 0.01 * 0.2;

/// Inertia about the corner at which the plate hangs.
const INERTIA: f64 = MASS * (1.04 / 12.0 + 0.26);

const PIVOT: &str = "[supports.pivot]\npoint = \"A\"\nfix = [\"x\", \"y\"]\n";

/// The plate on its pivot without weight, under a load.
fn loaded(step: f64, load: &str) -> String {
    let text = plate(step, "", &format!("{PIVOT}[loads.wind]\n{load}\n"));
    text.edit("y = -9.81", "y = 0.0")
}

#[test]
fn a_pressure_that_turns_with_a_pendulum_is_a_constant_moment() {
    // 40 N/m into the body on 1 m of its bottom; a drag along it passes through the pivot.
    let mut run =
        Simulation::of(&loaded(1e-3, "edge = \"rod.bottom\"\nnormal = 40.0\ntangential = 7.0"));
    run.run(1.0, 0.1, |run| {
        let exact = 0.5 * 20.0 / INERTIA * run.time().powi(2);
        let turn = run.get("points.A.rotation");
        // The generalized-α method is exact for a constant acceleration of the rotation; the pivot's force turns.
        assert!((turn - exact).abs() < 2e-5 * (1.0 + exact), "{turn} {exact}");
        assert!((run.get("energy.input_work") - 20.0 * exact).abs() < 1e-3 * (1.0 + exact));
        assert!(run.get("energy.balance").abs() < 1e-3 * (1.0 + exact));
    });
}

#[test]
fn a_load_that_keeps_its_direction_pulls_a_pendulum_as_gravity_does_at_its_centroid() {
    // From 0.2 to 0.8 m of the bottom, three times as strong at its end: 36 N, 0.55 m from the pivot.
    let load = "edge = \"rod.bottom\"\nqy = -30.0\nbetween = [0.2, 0.8]\nvariation = [1.0, 3.0]";
    let (force, lever) = (30.0 * 2.0 * 0.6, 0.2 + 0.6 * 7.0 / 12.0);
    let errors = [2e-3, 1e-3].map(|step| {
        let mut run = Simulation::of(&loaded(step, load));
        let mut worst = 0.0_f64;
        run.run(1.0, 0.1, |run| {
            let exact = runge_kutta([0.0, 0.0], 0.0, run.time(), 4000, |_, &[turn, rate]| {
                [rate, -force * lever * turn.cos() / INERTIA]
            });
            worst = worst.max((run.get("points.A.rotation") - exact[0]).abs());
        });
        assert!(run.get("energy.balance").abs() < 1e-3, "{}", run.get("energy.balance"));
        worst
    });
    println!("{errors:?} rad");
    assert!(errors[1] < 0.3 * errors[0] && errors[1] < 2e-5, "{errors:?}");
}

#[test]
fn loads_along_a_curved_edge_move_a_rigid_body_as_an_elastic_one_that_is_stiff() {
    for load in [
        "qx = 30.0\nqy = -20.0",
        "normal = 25.0\ntangential = -10.0",
        "qx = 60.0\nnormal = 60.0\nvariation = [1.0, -1.0]",
        "qy = 20.0\nnormal = 9.0\nbetween = [0.3, 0.7]\nhistory.ramp = { duration = 0.1 }",
    ] {
        let load = format!("edge = \"rod.top\"\n{load}");
        let top = "{ name = \"top\", from = \"C\", to = \"D\"";
        let text = loaded(1e-3, &load).edit(top, &format!("{top}, arc.angle = 1.2"));
        // Of high order, as the mass of the rigid one is that of the arc itself, and its loads follow the mesh.
        let text = text.edit("thickness = 0.01", "thickness = 0.01\norder = 4");
        let elastic = text.edit("rigid = true", "state = \"plane_stress\"");
        let [rigid, elastic] = [text, elastic.edit("2.1e11", "2.1e12")].map(|text| {
            let mut run = Simulation::of(&text);
            let mut course = Vec::new();
            run.run(0.3, 0.05, |run| course.push([run.get("points.C.x"), run.get("points.C.y")]));
            course
        });
        let pairs = rigid.iter().flatten().zip(elastic.iter().flatten());
        let off = pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        let way = (rigid[5][1] - 0.2).abs();
        println!("{load:?}: {off:.1e} m of {way:.3} m");
        // Of bending, which falls with the modulus.
        assert!(off < 1e-7 && way > 5e-3, "{load}: {off} {way}");
    }
}

#[test]
fn a_load_through_a_rigid_body_moves_it_as_an_elastic_one_that_is_stiff_and_by_its_closed_form() {
    // About the centroid (0.5, 0.1) of 1 m × 0.2 m × 0.01 m.
    for (load, moment_about_centroid) in [
        ("by = 2e4", 0.0),
        ("bx = 1e4\nby = -1e4\ngradient = [0.0, 6.0]", -1e4 * 6.0),
        ("by = 3e3\nbx = 2e3\ngradient = [1.5, 0.0]", 3e3 * 1.5),
    ] {
        let text = loaded(1e-3, &format!("body = \"rod\"\n{load}"));
        let elastic = text.edit("rigid = true", "state = \"plane_stress\"");
        let [rigid, elastic] = [text, elastic.edit("2.1e11", "2.1e12")].map(|text| {
            let mut run = Simulation::of(&text);
            // C is 1 m to the right of the pivot.
            let begin = run.get("points.C.ay");
            let mut course = Vec::new();
            run.run(0.3, 0.05, |run| course.push([run.get("points.C.x"), run.get("points.C.y")]));
            (begin, course)
        });
        let pairs = rigid.1.iter().flatten().zip(elastic.1.iter().flatten());
        let off = pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        assert!(off < 1e-6, "{load}: {off} m");
        let component = |key: &str| {
            let line = load.lines().find_map(|line| line.strip_prefix(key));
            line.map_or(0.0, |number| number.parse::<f64>().expect("a number"))
        };
        let (bx, by) = (component("bx = "), component("by = "));
        let area = 0.2;
        // ∫ y² and ∫ x² of the rectangle.
        let second = if moment_about_centroid < 0.0 { 0.2_f64.powi(3) / 12.0 } else { 0.2 / 12.0 };
        let moment = 0.01 * (moment_about_centroid * second + area * (0.5 * by - 0.1 * bx));
        let exact = moment / INERTIA;
        // The start's acceleration is that of a short step.
        assert!((rigid.0 - exact).abs() < 1e-6 * exact.abs(), "{load}: {} {exact}", rigid.0);
    }
}

#[test]
fn gravity_is_the_load_of_its_density_through_a_body_of_any_order_whose_sides_are_curved() {
    for order in 1..=4 {
        let text = plate(1e-3, "", PIVOT)
            .edit("rigid = true", &format!("state = \"plane_stress\"\norder = {order}"))
            .edit("to = \"D\"", "to = \"D\", arc.angle = 1.2");
        let carried = text.edit("y = -9.81", "y = 0.0")
            + &format!("\n[loads.weight]\nbody = \"rod\"\nby = {:?}\n", -7850.0 * 9.81);
        let [weight, load] = [text, carried].map(|text| {
            let mut run = Simulation::of(&text);
            run.run(0.2, 0.05, |_| {});
            ["C.x", "C.y", "D.x", "D.y"].map(|place| run.get(&format!("points.{place}")))
        });
        for (a, b) in weight.iter().zip(load) {
            assert!((a - b).abs() < 1e-9, "order {order}: {weight:?} {load:?}");
        }
    }
}

#[test]
fn derivatives_by_loads_along_a_rigid_edge_and_through_a_body_are_those_of_differences() {
    let edge = "edge = \"rod.top\"\nqx = 8.0\nqy = 3.0\nnormal = 5.0\ntangential = 4.0";
    let body = "body = \"rod\"\nbx = 8e3\nby = 3e3\ngradient = [0.5, 2.0]";
    for (load, keys, size, least) in
        [(edge, "qx qy normal tangential", 1.0, 12), (body, "bx by", 1e3, 6)]
    {
        let outputs = "\"points.C.vx\", \"points.C.y\", \"points.C.rotation\"";
        let text = loaded(1e-3, load)
            .edit("[interface]", "[interface]\ninputs = [\"loads.wind.*\"]")
            .edit("\"points.*\"", outputs);
        let text = sensitivity::sharp(&text, 1e-14);
        let mut sim = Simulation::of(&text);
        (0..20).for_each(|_| sim.step(1e-2));
        let paths: Vec<String> = keys.split(' ').map(|key| format!("loads.wind.{key}")).collect();
        let knowns: Vec<(&str, f64)> = paths.iter().map(|path| (path.as_str(), size)).collect();
        let sure = sensitivity::check(&sim, &text, 4e-3, &knowns, 1e-6);
        println!("{sure} derivatives sure");
        assert!(sure > least, "{sure}");
    }
}

#[test]
fn loads_along_the_curves_of_rigid_edges_have_the_resultants_of_closed_forms() {
    // The arc from C to D with the angle 2 h about (0.5, m), and half of an ellipse between the same points.
    let (h, length) = (0.6_f64, 1.2 * 0.5 / 0.6_f64.sin());
    let radius = 0.5 / h.sin();
    let middle = 0.2 - radius * h.cos();
    // ∫ x dS and ∫ y dS between two angles from the middle of the arc, towards D.
    let first = |from: f64, to: f64| {
        let (x, y) = (to.cos() - from.cos(), to.sin() - from.sin());
        let dead = 0.5 * radius * (to - from);
        [dead + radius * radius * x, middle * radius * (to - from) + radius * radius * y]
    };
    let [x, y] = first(-h, h);
    let part = first(0.3 / radius - h, 0.7 / radius - h);
    // Of what turns with the edge the resultant is that of the chord, and the moment of the normal that of the squares of its ends.
    let swept = 0.5 * (0.2 + radius * radius * (2.0 * h - (2.0 * h).sin()));
    let ellipse = 0.5 * (0.2 + std::f64::consts::PI * 0.5 * 0.1);
    let arc = "arc.angle = 1.2";
    let half = "ellipse = { center = \"M\", radii = [0.5, 0.1] }";
    let lever = radius * radius * 2.0 * (h.sin() - h * h.cos()) / h;
    for (curve, load, exact) in [
        (arc, "qx = 30.0\nqy = -20.0", [30.0 * length, -20.0 * length, -20.0 * x - 30.0 * y]),
        (arc, "qy = 20.0\nbetween = [0.3, 0.7]", [0.0, 20.0 * 0.4, 20.0 * part[0]]),
        (arc, "qy = 50.0\nvariation = [1.0, -1.0]", [0.0, 0.0, 50.0 * lever]),
        (arc, "normal = 25.0", [0.0, -25.0, -12.5]),
        (arc, "tangential = 25.0", [-25.0, 0.0, 50.0 * swept]),
        (arc, "at = 0.3\nfy = 2.0", [0.0, 2.0, 1.0 - 2.0 * radius * (0.3 / radius - h).sin()]),
        (half, "normal = 25.0", [0.0, -25.0, -12.5]),
        (half, "tangential = 25.0", [-25.0, 0.0, 50.0 * ellipse]),
    ] {
        let top = "{ name = \"top\", from = \"C\", to = \"D\"";
        let held = "[supports.pivot]\npoint = \"A\"\nfix = [\"x\", \"y\", \"rotation\"]\n";
        let load = format!("[loads.wind]\nedge = \"rod.top\"\n{load}\n");
        let text = plate(1e-3, "M = [0.5, 0.2]", &format!("{held}{load}"));
        let text = text.edit("y = -9.81", "y = 0.0").edit(top, &format!("{top}, {curve}"));
        for text in [text.clone(), text.edit("thickness = 0.01", "thickness = 0.01\norder = 1")] {
            let run = Simulation::of(&text);
            let seen = ["fx", "fy", "moment"].map(|key| -run.get(&format!("supports.pivot.{key}")));
            for (seen, exact) in seen.iter().zip(exact) {
                let off = (seen - exact).abs();
                assert!(off < 1e-9 * (1.0 + exact.abs()), "{load}: {seen} {exact}");
            }
        }
    }
}
