//! Places anywhere in bodies: where they are, how they move, what they bear.

use super::{Patch, quarter_ring};
use coulisse::continuation::{Ended, follow};
use coulisse::system::System;

use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check, sharp};
use crate::common::{self, Simulation};

const KEYS: [&str; 15] = [
    "x",
    "y",
    "vx",
    "vy",
    "ax",
    "ay",
    "stress_xx",
    "stress_yy",
    "stress_xy",
    "von_mises",
    "principal_1",
    "principal_2",
    "strain_xx",
    "strain_yy",
    "strain_xy",
];

/// Probes at places of the body `plate`, `name` and (x, y).
fn probes(places: &[(&str, [f64; 2])]) -> String {
    let probe = |(name, at): &(&str, [f64; 2])| {
        format!("[probes.{name}]\nplace = {{ body = \"plate\", at = {at:?} }}\n")
    };
    places.iter().map(probe).collect()
}

#[test]
fn a_place_that_is_a_node_has_what_the_point_there_has() {
    for order in 1..=4 {
        let square = Patch::square(order, 2);
        let places = probes(&[("here", [1.0, 0.5]), ("corner", [1.0, 0.0])]);
        let edge = "[probes.edge]\nedge_place = { edge = \"plate.right\", fraction = 0.5 }\n";
        let more = format!(
            "{}\n{places}\n{edge}[solver]\nstep = 1e-2\n[loads.tip]\npoint = \"c\"\nfx = 0.05\nfy = 0.02\n\
             [interface]\noutputs = [\"points.*\", \"probes.*\"]",
            square.more
        );
        let mut run = Simulation::of(&Patch { more, ..square }.text());
        run.run(0.3, 1e-2, |_| {});
        for (probe, point) in [("here", "m"), ("edge", "m"), ("corner", "b")] {
            for key in KEYS {
                let seen = run.get(&format!("probes.{probe}.{key}"));
                let known = run.get(&format!("points.{point}.{key}"));
                assert!(
                    (seen - known).abs() < 1e-12 * (1.0 + known.abs()),
                    "{order} {probe} {key}: {seen} {known}"
                );
            }
        }
    }
}

#[test]
fn a_stretched_strip_has_one_stress_and_straight_motion_at_every_place() {
    let places = [("p", [0.13, 0.41]), ("q", [0.721, 0.722]), ("r", [0.5, 1.0]), ("s", [0.4, 0.6])];
    for order in 1..=4 {
        let more = Mechanism::part()
            .add(probes(&places))
            .probe("t", "edge_place = { edge = 'plate.top', fraction = 0.3 }")
            .step(1.0)
            .solver("analysis = 'quasi_static'")
            .support("wall", "edge = 'plate.left', fix = ['x']")
            .support("corner", "point = 'a', fix = ['y']")
            .motion("pull", "edge = 'plate.right', direction = 'x', displacement = 0.2")
            .outputs("probes.*")
            .text();
        let strip = Patch { cells: [3, 2], more, ..Patch::square(order, 1) };
        let run = Simulation::of(&strip.text());
        let strain: f64 = 0.2 + 0.5 * 0.2 * 0.2;
        // σ = F S Fᵀ/J; the width shrinks by √(1 − 2 ν E₁₁), as the thickness does.
        let across = (1.0 - 0.6 * strain).sqrt();
        let stress = strain * 1.2 / (across * across);
        // The top runs from right to left, with the body on its left.
        for (name, [x, y]) in places.into_iter().chain([("t", [0.7, 1.0])]) {
            let get = |key: &str| run.get(&format!("probes.{name}.{key}"));
            assert!((get("x") - 1.2 * x).abs() < 1e-10 && (get("y") - across * y).abs() < 1e-10);
            for (key, known) in [
                ("stress_xx", stress),
                ("stress_yy", 0.0),
                ("stress_xy", 0.0),
                ("von_mises", stress),
                ("principal_1", stress),
                ("strain_xx", strain),
                ("strain_yy", -0.3 * strain),
            ] {
                let seen = get(key);
                assert!((seen - known).abs() < 1e-9, "{order} {name}.{key}: {seen} {known}");
            }
        }
    }
}

/// Cook's membrane, turned by an angle about the origin with its load, and probed at two places.
fn cook(turn: f64) -> Simulation {
    let (sin, cos) = turn.sin_cos();
    let turned = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    let more = Mechanism::part()
        .support("wall", "edge = 'plate.left', fix = ['x', 'y']")
        .step(1.0)
        .solver("analysis = 'quasi_static', force_tolerance = 1e-12")
        .and("position_tolerance = 1e-13")
        .load("shear", format!("edge = 'plate.right', qx = {:?}", -1e-3 * sin))
        .and(format!("qy = {:?}", 1e-3 * cos))
        .add(probes(&[("p", turned([20.0, 30.0])), ("q", turned([41.3, 50.7]))]))
        .outputs("probes.*")
        .text();
    let corners = [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]].map(turned);
    Simulation::of(&Patch { corners, more, poisson: 1.0 / 3.0, ..Patch::square(3, 4) }.text())
}

#[test]
fn stresses_at_inner_places_of_cooks_membrane_turn_with_it() {
    let straight = cook(0.0);
    let get = |run: &Simulation, name: &str, key: &str| run.get(&format!("probes.{name}.{key}"));
    for turn in [0.7, -2.5] {
        let (turned, (sin, cos)) = (cook(turn), f64::sin_cos(turn));
        for name in ["p", "q"] {
            let [x, y] = ["x", "y"].map(|key| get(&straight, name, key));
            let [u, v] = ["x", "y"].map(|key| get(&turned, name, key));
            let miss = (u - cos * x + sin * y).hypot(v - sin * x - cos * y);
            assert!(miss < 1e-9, "{miss}");
            // R σ Rᵀ.
            let stress =
                ["xx", "yy", "xy"].map(|key| get(&straight, name, &format!("stress_{key}")));
            let [a, b, c] = stress;
            assert!(a.abs().max(b.abs()).max(c.abs()) > 1e-4, "{stress:?}");
            let known = [
                cos * cos * a + sin * sin * b - 2.0 * sin * cos * c,
                sin * sin * a + cos * cos * b + 2.0 * sin * cos * c,
                sin * cos * (a - b) + (cos * cos - sin * sin) * c,
            ];
            for (key, known) in ["xx", "yy", "xy"].into_iter().zip(known) {
                let seen = get(&turned, name, &format!("stress_{key}"));
                assert!((seen - known).abs() < 1e-11, "{turn} {name} {key}: {seen} {known}");
            }
            for key in ["von_mises", "principal_1", "principal_2"] {
                let (seen, known) = (get(&turned, name, key), get(&straight, name, key));
                assert!((seen - known).abs() < 1e-11, "{turn} {name} {key}: {seen} {known}");
            }
        }
    }
}

#[test]
fn a_thick_ring_bears_at_any_radius_and_angle_what_lame_says() {
    let places = [(1.1, 0.3), (1.37, 1.2), (1.9, 0.8)];
    let probe = |(k, (r, phi)): (usize, &(f64, f64))| {
        let at = [r * phi.cos(), r * phi.sin()];
        format!("[probes.p{k}]\nplace = {{ body = \"ring\", at = {at:?} }}\n")
    };
    let more = format!(
        "[solver]\nanalysis = \"quasi_static\"\nstep = 1.0\n[loads.pressure]\nedge = \"ring.inside\"\n\
         normal = 0.5e-6\n{}\n[probes.wall]\nedge_place = {{ edge = \"ring.inside\", fraction = 0.25 }}\n\
         [interface]\noutputs = [\"probes.*\"]",
        places.iter().enumerate().map(probe).collect::<String>()
    );
    let run = Simulation::of(&quarter_ring(4, &more));
    // p = 1e-6, a = 1, b = 2: σ = p a²/(b² − a²) (1 ± b²/r²).
    let known = |r: f64| [1.0, -1.0].map(|sign| (1.0 + sign * 4.0 / (r * r)) / 3.0);
    let all = places.iter().enumerate().map(|(k, &(r, _))| (format!("p{k}"), r));
    for (name, r) in all.chain([("wall".to_string(), 1.0)]) {
        for (key, known) in ["principal_1", "principal_2"].into_iter().zip(known(r)) {
            let seen = run.get(&format!("probes.{name}.{key}")) / 1e-6;
            println!("ring, r = {r}: {key} {seen:.5} ({known:.5})");
            assert!((seen - known).abs() < 2e-3, "{name} {key}: {seen} {known}");
        }
    }
    // A quarter of the way from (0, 1) to (1, 0).
    let [x, y] = ["x", "y"].map(|key| run.get(&format!("probes.wall.{key}")));
    let angle = std::f64::consts::FRAC_PI_2 * 0.75;
    assert!((y.atan2(x) - angle).abs() < 1e-6, "{x} {y}");
}

#[test]
fn derivatives_of_places_by_a_load_are_those_of_differences() {
    let square = Patch::square(2, 2);
    let more = format!(
        "{}\n{}\n[solver]\nstep = 1e-2\n[loads.tip]\npoint = \"c\"\nfx = 0.05\nfy = 0.02\n\
         [interface]\ninputs = [\"loads.tip.fx\"]\noutputs = [\"probes.*\"]",
        square.more,
        probes(&[("p", [0.3, 0.6]), ("q", [0.5, 0.2])])
    );
    let text = sharp(&Patch { more, ..square }.text(), 1e-13);
    let mut run = Simulation::of(&text);
    run.run(0.2, 1e-2, |_| {});
    let sure = check(&run, &text, 0.05, &[("loads.tip.fx", 1e-2)], 1e-6);
    assert!(sure >= 28, "{sure}");
}

#[test]
fn the_nearest_place_that_a_refusal_names_is_one_of_the_body() {
    let model = |[x, y]: [f64; 2]| {
        let probe = format!("[probes.p]\nplace = {{ body = \"ring\", at = [{x:?}, {y:?}] }}\n");
        quarter_ring(3, &format!("{probe}[solver]\nstep = 1e-3\n"))
    };
    for (outside, exact) in [
        ([0.3, 0.4], [0.6, 0.8]),
        ([3.0, 4.0], [1.2, 1.6]),
        ([1.4, -0.5], [1.4, 0.0]),
        ([0.0, 0.0], [f64::NAN; 2]),
    ] {
        let said = common::check(&model(outside), &[]).expect_err("a refusal");
        let (_, rest) = said.split_once("place of the body is (").expect("a place");
        let (place, _) = rest.split_once(')').expect("its end");
        let number = |text: &str| text.trim().parse::<f64>().expect("a number");
        let (x, y) = place.split_once(',').expect("two numbers");
        let named = [number(x), number(y)];
        if exact[0].is_finite() {
            assert!((named[0] - exact[0]).hypot(named[1] - exact[1]) < 1e-4, "{said}");
        }
        // Taken over, it is no fault.
        Simulation::of(&model(named));
    }
}

#[test]
fn displacement_control_brings_a_place_inside_a_body_where_it_is_wanted() {
    let square = Patch::square(2, 2);
    let more = format!(
        "{}\n{}\n[solver]\nstep = 1.0\n[loads.side]\nedge = \"plate.right\"\nqy = 1.0\n\
         [static]\ncontrol = \"displacement\"\nquantity = \"probes.p.y\"\nto = 0.75\n\
         [interface]\noutputs = [\"probes.p.y\"]",
        square.more,
        probes(&[("p", [0.8, 0.6])])
    );
    let model = common::check(&Patch { more, ..square }.text(), &[]);
    let model = model.unwrap_or_else(|faults| panic!("{faults}"));
    let system = System::build(&model).unwrap_or_else(|fault| panic!("{fault}"));
    let path = model.statics.clone().expect("[static]");
    let mut last = [0.0; 2];
    let ended = follow(&system, &[], &path, &mut |point| {
        last = [point.factor, system.read(point.state, model.outputs[0].output)];
    });
    assert_eq!(ended.unwrap_or_else(|fault| panic!("{fault}")), Ended::Reached);
    assert!((last[1] - 0.75).abs() < 1e-12 && last[0] > 0.01, "{last:?}");
}
