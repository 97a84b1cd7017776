//! Sliders and contacts on edges from DXF drawings, against closed forms.

use std::f64::consts::PI;

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, runge_kutta};

const GRAVITY: f64 = 9.81;

/// A fixed rigid body from a drawing, with these keys of the drawing.
fn fixed(file: &str, keys: &str, points: &str, more: &str) -> String {
    Mechanism::new("drawn")
        .points(format!("H = [0.0, 0.0], {points}"))
        .steel()
        .body("base", "material = 'steel', thickness = 0.01, rigid = true, points = ['H']")
        .entry("bodies.base.drawing", format!("file = 'drawings/{file}.dxf', size = 0.005, {keys}"))
        .support("base", "point = 'H', fix = ['x', 'y', 'rotation']")
        .gravity(-GRAVITY)
        .add(more)
        .text()
}

#[test]
fn a_bead_swings_on_arcs_circles_and_splines_of_drawings_as_a_pendulum_does() {
    // Center and radius in m of the circle that each edge is a part of.
    for (file, keys, edge, ends, [x, y, radius]) in [
        ("ring", "", "bore", "closed", [0.003, 0.004, 0.020]),
        ("half", "corner = 0.1", "0.1", "stop", [0.005, 0.005, 0.010]),
        ("nurbs_disc", "", "0", "closed", [0.0, 0.0, 0.009]),
    ] {
        let begin = 0.6_f64;
        let place = [x + radius * begin.sin(), y - radius * begin.cos()];
        let more = format!(
            "[masses.bead]\npoint = \"P\"\nmass = 0.5\n[joints.bead]\n\
             cylindrical = {{ slider = \"P\", path = [\"base.{edge}\"], ends = \"{ends}\" }}\n\
             [solver]\nstep = 1e-4\n[interface]\noutputs = [\"points.P.*\", \"joints.bead.*\"]\n"
        );
        let text = fixed(file, keys, &format!("P = {place:?}"), &more);
        let mut run = Simulation::of(&text);
        let (mut state, mut worst, mut force) = ([begin, 0.0], 0.0_f64, 0.0_f64);
        run.run(0.3, 0.01, |run| {
            let swing = |_: f64, y: &[f64; 2]| [y[1], -GRAVITY / radius * y[0].sin()];
            state = runge_kutta(state, run.time() - 0.01, run.time(), 100, swing);
            let [angle, rate] = state;
            let (sin, cos) = angle.sin_cos();
            let off = (run.get("points.P.x") - x - radius * sin)
                .hypot(run.get("points.P.y") - y + radius * cos);
            worst = worst.max(off / radius);
            let exact = 0.5 * (GRAVITY * cos + radius * rate * rate);
            force = force.max((run.get("joints.bead.normal_force").abs() / exact - 1.0).abs());
        });
        println!("{file}: {worst:.1e} of the radius, normal force {force:.1e}");
        // The phase of generalized-α, and pieces of 5° of the outline.
        assert!(worst < 1e-4 && force < 2e-3, "{file}: {worst} {force}");
    }
}

#[test]
fn a_disc_pressed_into_the_bore_of_a_drawing_has_the_force_of_the_integral() {
    let (large, small, stiffness) = (0.020, 0.015, 1e10);
    for depth in [1e-5, 1e-4] {
        let more = Mechanism::part()
            .body("disc", "material = 'steel', thickness = 0.01, rigid = true, points = ['M']")
            .and("outline.size = 0.005")
            .and(format!(
                "outline.edges = [{{ name = 'rim', circle = {{ center = 'M', \
                     radius = {small:?} }} }}]"
            ))
            .motion("down", format!("point = 'M', direction = 'y', amplitude = {:?}", -depth))
            .and("history.ramp.duration = 1.0")
            .support("disc", "point = 'M', fix = ['x', 'rotation']")
            .contact("bore", "surface = ['disc.rim'], path = ['base.bore'], closed = true")
            .and(format!("stiffness = {stiffness:?}"))
            .step(0.1)
            .solver("analysis = 'quasi_static'")
            .outputs("contacts.bore.*")
            .text();
        let center = [0.003, 0.004 - (large - small)];
        let mut run = Simulation::of(&fixed("ring", "", &format!("M = {center:?}"), &more));
        run.run(1.0, 0.1, |_| {});
        let seen = run.get("contacts.bore.normal_force");
        // Along the rim of the disc, from its lowest place.
        let (count, mut exact) = (200_000, 0.0);
        let step = 2.0 * PI / f64::from(count);
        for k in 0..count {
            let (sin, cos) = (-PI + (f64::from(k) + 0.5) * step).sin_cos();
            let (x, y) = (small * sin, large - small + depth + small * cos);
            exact += stiffness * (x.hypot(y) - large).max(0.0) * small * step;
        }
        println!("{depth} m: {seen} N, {exact} N");
        assert!((seen / exact - 1.0).abs() < 1e-3, "{seen} {exact}");
    }
}
