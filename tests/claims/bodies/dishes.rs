//! Curved edges that slide in dishes by their mean places.

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, runge_kutta};

const OUTER: f64 = 1.0;
const INNER: f64 = 0.8;
const HALF: f64 = 0.4;
const GRAVITY: f64 = 9.81;

/// A piece of a ring that lies in a round dish, its lower face on it by `nodes`; `cells` along the face.
fn rocker(order: usize, cells: usize, joint: &str, sideways: f64) -> Simulation {
    let point = |name: &str, radius: f64, angle: f64| {
        let (sin, cos) = angle.sin_cos();
        format!("points.{name} = [{:?}, {:?}]\n", radius * sin, OUTER - radius * cos)
    };
    let points = [
        point("a", OUTER, -HALF),
        point("b", OUTER, HALF),
        point("c", INNER, HALF),
        point("d", INNER, -HALF),
        point("left", OUTER, -1.2),
        point("right", OUTER, 1.2),
    ]
    .concat();
    Mechanism::new("rocker")
        .step(1e-3)
        .add(points)
        .guide("dish", ["left", "right"], format!("elements = 48, arc.radius = {OUTER:?}"))
        .steel()
        .entry("gravity", format!("x = {sideways:?}, y = -{GRAVITY}"))
        .body("rocker", "material = 'steel', thickness = 0.01, state = 'plane_stress'")
        .and(format!("order = {order}, patch.cells = [{cells}, 2]"))
        .and(format!(
            "patch.edges = [{{ name = 'face', from = 'a', to = 'b', \
                 arc.radius = {OUTER:?} }}, {{ name = 'right', from = 'b', to = 'c' }}, \
                 {{ name = 'top', from = 'c', to = 'd', arc.radius = -{INNER:?} }}, \
                 {{ name = 'left', from = 'd', to = 'a' }}]"
        ))
        .entry("joints.face", "")
        .then(joint)
        .outputs("joints.* energy.*")
        .simulation()
}

/// Distance of the middle of the piece of a ring from that of the dish, m.
fn arm() -> f64 {
    let cubes = OUTER.powi(3) - INNER.powi(3);
    2.0 / 3.0 * cubes * HALF.sin() / (HALF * (OUTER * OUTER - INNER * INNER))
}

/// That distance by the square of the radius of gyration about the middle of the dish, 1/m.
fn stiffness() -> f64 {
    arm() / (0.5 * (OUTER * OUTER + INNER * INNER))
}

const MEAN: &str = r#"sliding = { edge = "rocker.face", path = ["dish"], nodes = "mean" }"#;

#[test]
fn a_curved_face_in_its_dish_swings_as_a_physical_pendulum_by_its_mean_places() {
    let exact = (GRAVITY * stiffness()).sqrt();
    for (order, cells) in [(1, 24), (2, 6), (3, 4), (3, 7), (4, 4)] {
        let joint = format!("{MEAN}\n[initial]\nequilibrium = true");
        let seen = rocker(order, cells, &joint, 0.0).frequencies(1)[0];
        // The chords of straight sides lie 1e-4 inside of the circle.
        let tolerance = if order == 1 { 1e-4 } else { 1e-6 };
        println!("order {order}, {cells} cells: {seen} rad/s, {exact}");
        assert!((seen / exact - 1.0).abs() < tolerance, "{order} {cells}: {seen} {exact}");
    }
}

#[test]
fn a_body_in_a_dish_starts_at_the_bottom_whatever_its_triangles_are() {
    let ends = MEAN.replace("mean", "ends");
    // The first correction swings it by 0.14 rad, over several elements of the dish.
    for (joint, order, cells) in [(&*ends, 2, 3), (MEAN, 3, 3), (MEAN, 4, 3), (&ends, 3, 3)] {
        let joint = format!("{joint}\n[initial]\nequilibrium = true");
        let mut run = rocker(order, cells, &joint, 0.0);
        let weight = GRAVITY * 7850.0 * 0.01 * HALF * (OUTER * OUTER - INNER * INNER);
        for _ in 0..2 {
            let (place, force) = (run.get("joints.face.position"), run.get("joints.face.fy"));
            println!("{order} {cells}: {place} m, {force} N");
            assert!((place - 1.2).abs() < 1e-6, "{order} {cells}: {place}");
            assert!((force / -weight - 1.0).abs() < 1e-3, "{order} {cells}: {force} {weight}");
            run.step(1e-3);
        }
    }
}

#[test]
fn a_curved_face_swings_widely_in_its_dish_as_a_rigid_pendulum_does() {
    let mut run = rocker(3, 4, MEAN, 3.0);
    let begin = run.get("joints.face.position");
    let (mut state, mut worst, mut most) = ([0.0, 0.0], 0.0_f64, 0.0_f64);
    run.run(2.0, 0.01, |run| {
        let swing =
            |_: f64, y: &[f64; 2]| [y[1], stiffness() * (3.0 * y[0].cos() - GRAVITY * y[0].sin())];
        state = runge_kutta(state, 0.0, 0.01, 10, swing);
        let angle = (run.get("joints.face.position") - begin) / OUTER;
        worst = worst.max((angle - state[0]).abs());
        most = most.max(state[0]);
    });
    println!("angle off by {worst} of {most} rad, balance {}", run.get("energy.balance"));
    // The phase of generalized-α at 1 ms.
    assert!(most > 0.5 && worst < 1e-4, "{worst} of {most}");
    assert!(run.get("energy.balance").abs() < 1e-6 * run.get("energy.kinetic").max(1.0));
}

#[test]
fn friction_holds_a_curved_face_up_to_the_push_of_the_closed_form() {
    // Normal forces at ±θ with the sum S and the difference D, a push H at the arm d from the middle of the dish:
    // H d = μ S R, H = D sin θ + μ S cos θ, W = S cos θ − μ D sin θ.
    let (mu, cos) = (0.2, (HALF / 3.0_f64.sqrt()).cos());
    let lever = OUTER / arm();
    let push = GRAVITY * mu * lever / (cos - mu * mu * (lever - cos));
    for (share, holds) in [(0.999, true), (1.001, false)] {
        let joint = format!("{MEAN}\nfriction.coulomb.coefficient = {mu:?}");
        let mut run = rocker(3, 4, &joint, share * push);
        let begin = run.get("joints.face.position");
        run.run(0.5, 0.01, |_| ());
        let slid = run.get("joints.face.position") - begin;
        assert_eq!(slid.abs() < 1e-6, holds, "{share}: {slid}");
    }
}
