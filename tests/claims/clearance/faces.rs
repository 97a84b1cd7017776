//! Friction on faces that stand beside curved paths.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// Radius of the dish that the block slides in, m.
const RADIUS: f64 = 4.8;

/// Law of friction of the block.
const LAWS: [&str; 3] = [
    "coulomb = { coefficient = 0.2 }",
    "stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.1, decay_velocity = 0.5, viscous_coefficient = 0.02 }",
    "dahl = { coefficient = 0.2, stiffness = 2e4 }",
];

/// A block on a path whose nodes do not move, of which `course` is the shape, and a contact with this `width`.
fn block(ends: [[f64; 2]; 2], corners: [[f64; 2]; 2], course: &str, rest: &str) -> String {
    let [from, to] = ends;
    let [a, b] = corners;
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0].hypot(along[1]);
    let up = [-0.2 * along[1] / length, 0.2 * along[0] / length];
    let [c, d] = [b, a].map(|p| [p[0] + up[0], p[1] + up[1]]);
    Mechanism::new("block")
        .step(1e-3)
        .gravity(-9.81)
        .points(format!("from = {from:?}, to = {to:?}, a = {a:?}, b = {b:?}, c = {c:?}"))
        .and(format!("d = {d:?}"))
        .body("block", "rigid = true, mass = 8.0, inertia = 0.2")
        .patch("block", [1, 1], "lower: a, front: b, upper: c, rear: d")
        .guide("dish", ["from", "to"], format!("elements = 24, {course}"))
        .contact("dish", "surface = ['block.lower'], path = ['dish'], rigid = true")
        .then(rest)
        .text()
}

/// A place of the dish at an angle (rad) from its lowest, at this radius, m.
fn in_dish(radius: f64, angle: f64) -> [f64; 2] {
    [radius * angle.sin(), -radius * angle.cos()]
}

/// The block in a dish whose path stands `beside` (m) within the face.
fn in_a_dish(beside: f64, law: &str) -> String {
    let radius = RADIUS - beside;
    let ends = [-1.2, 1.2].map(|angle| in_dish(radius, angle));
    let corners = [0.55, 0.75].map(|angle| in_dish(RADIUS, angle));
    let rest = format!("width = {:?}\nfriction.{law}", 2.0 * beside);
    block(ends, corners, &format!("arc.radius = {radius:?}"), &rest)
}

/// Place of the block along its path (m), its friction work (J) and the friction force (N).
fn watch(text: &str, end: f64) -> Vec<[f64; 3]> {
    let mut sim = Simulation::of(text);
    let mut rows = Vec::new();
    sim.run(end, 0.05, |sim| {
        rows.push([
            sim.get("contacts.dish.position"),
            sim.get("contacts.dish.dissipated_energy"),
            sim.get("contacts.dish.friction_force"),
        ]);
    });
    rows
}

#[test]
fn friction_on_a_face_beside_an_arc_is_that_of_an_arc_that_is_the_face() {
    for law in LAWS {
        let own = watch(&in_a_dish(0.0, law), 2.0);
        assert!(own.iter().any(|row| row[1] > 1.0), "{law}: {own:?}");
        for beside in [0.1, 1.2] {
            let seen = watch(&in_a_dish(beside, law), 2.0);
            let mut off = [0.0_f64; 3];
            for (own, seen) in own.iter().zip(&seen) {
                let turned = seen[0] * RADIUS / (RADIUS - beside);
                let pairs = own.iter().zip([turned, seen[1], seen[2]]);
                (off.iter_mut().zip(pairs))
                    .for_each(|(off, (own, seen))| *off = off.max((own - seen).abs()));
            }
            println!("{law}, {beside} m: {off:?} of {:?}", own.last());
            assert!(off[0] < 1e-7 && off[1] < 1e-5 && off[2] < 1e-5, "{law}: {off:?}");
        }
    }
}
