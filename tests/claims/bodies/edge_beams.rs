//! Members along edges of bodies: what carries moments between members and bodies, and paths with a normal of their own.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check};

/// A beam of 1 m × 0.1 m × 1 m, its first half plane stress and its second a member that ends at the middle of the face, with a
/// edge_beam of `height` and `stiffness` times the modulus along the face.
fn half_and_half(height: f64, stiffness: f64) -> String {
    Mechanism::new("half")
        .step(1.0)
        .solver("analysis = 'quasi_static'")
        .points("a = [0.0, -0.05], b = [0.5, -0.05], c = [0.5, 0.05], d = [0.0, 0.05]")
        .and("face = [0.5, 0.0], tip = [1.0, 0.0]")
        .material("soft", 1e9, 0.0, 1000.0)
        .entry("materials.stiff", format!("young_modulus = '{stiffness:?}*1e9'"))
        .and("poisson_ratio = 0.0, density = 0.0")
        .rectangle("beam", 0.1, 1.0)
        .rectangle("edge_beam", height, 1.0)
        .body("block", "material = 'soft', thickness = 1.0, state = 'plane_stress'")
        .and("points = ['face']")
        .patch("block", [10, 2], "bottom: a, face: b, top: c, wall: d")
        .entry("members.edge_beam", "edge = 'block.face'")
        .and("material = 'stiff', section = 'edge_beam'")
        .member("beam", ["face", "tip"], "elements = 4, material = 'soft', section = 'beam'")
        .support("wall", "edge = 'block.wall', fix = ['x', 'y']")
        .load("tip", "point = 'tip', fy = -1.0")
        .entry("initial", "equilibrium = true")
        .outputs("points.tip.y")
        .text()
}

#[test]
fn an_edge_beam_carries_the_moment_of_a_beam_into_a_body() {
    let (modulus, second_moment, area) = (1e9_f64, 0.1_f64.powi(3) / 12.0, 0.1);
    // Shear with the factor 6/5 of a body and 1 of a member.
    let bent = 1.0 / (3.0 * modulus * second_moment);
    let exact = bent + 0.5 * (1.2 + 1.0) / (0.5 * modulus * area);
    let share = |height: f64, stiffness: f64| {
        let run = Simulation::of(&half_and_half(height, stiffness));
        -run.get("points.tip.y") / exact
    };
    // As high as the beam and stiff, or flat and stiffer still, it holds the section; flat and soft it is little more than a hinge.
    for [height, stiffness] in [[0.1, 1e3], [0.01, 1e6]] {
        let seen = share(height, stiffness);
        assert!((seen - 1.0).abs() < 5e-4, "{height} {stiffness}: {seen}");
    }
    let soft = share(0.01, 1.0);
    assert!(soft > 1.3, "{soft}");
}

#[test]
fn without_an_edge_beam_a_beam_turns_where_it_ends_at_a_body() {
    let text = half_and_half(0.1, 1e3);
    let edge_beam = "[members.edge_beam]\nedge = \"block.face\"\nmaterial = \"stiff\"\nsection = \"edge_beam\"\n";
    let text = text.edit(edge_beam, "").edit("equilibrium = true", "");
    let run = Simulation::of(&text.edit("quasi_static", "dynamic"));
    let frequencies = run.frequencies(2);
    assert!(frequencies[0] < 1e-3 * frequencies[1], "{frequencies:?}");
}

/// A strip of next to nothing under which an edge beam lies, as a cantilever along `edge` of the given order.
fn lined(order: usize, curve: &str, strip: bool) -> String {
    let member = if strip {
        "edge = \"strip.bottom\"".to_string()
    } else {
        format!("from = \"a\", to = \"b\", elements = 8, order = {order}{curve}")
    };
    Mechanism::new("lined")
        .step(1.0)
        .solver("analysis = 'quasi_static'")
        .points("a = [0.0, 0.0], b = [2.0, 0.0], c = [2.0, 1.0], d = [0.0, 1.0]")
        .material("foam", 0.1, 0.0, 1.0)
        .material("steel", 1e9, 0.3, 1000.0)
        .rectangle("bar", 0.05, 0.1)
        .body("strip", "material = 'foam', thickness = 1e-3, state = 'plane_stress'")
        .and(format!("order = {order}, patch.cells = [8, 2]"))
        .and(format!(
            "patch.edges = [{{ name = 'bottom', from = 'a', to = 'b'{curve} }}, \
                 {{ name = 'right', from = 'b', to = 'c' }}, {{ name = 'top', from = 'c', \
                 to = 'd' }}, {{ name = 'left', from = 'd', to = 'a' }}]"
        ))
        .entry("members.bar", member.replace(", ", "\n        "))
        .and("material = 'steel', section = 'bar'")
        .clamp("a")
        .load("b", "point = 'b', fy = -500.0")
        .entry("initial", "equilibrium = true")
        .outputs("points.b.x points.b.y probes.*")
        .probe("inside", "displacement = { member = 'bar', at = 0.9, direction = 'y' }")
        .probe("turn", "displacement = { member = 'bar', at = 0.9, direction = 'rotation' }")
        .text()
}

/// Slow: a meshed body and a member for every order.
#[test]
fn an_edge_beam_bends_as_a_member_that_is_drawn_there() {
    for (order, curve) in [(2, ""), (3, ""), (4, ""), (4, ", arc.angle = 0.4")] {
        let [along, alone] = [true, false].map(|strip| Simulation::of(&lined(order, curve, strip)));
        for output in ["points.b.x", "points.b.y", "probes.inside", "probes.turn"] {
            let [seen, exact] = [&along, &alone].map(|run| run.get(output));
            // The drawn arc is one, the edge's sides are polynomials between its nodes.
            let error = if curve.is_empty() { 1e-7 } else { 1e-5 };
            assert!((seen - exact).abs() < error, "{order} {output}: {seen} {exact}");
        }
    }
}

#[test]
fn a_lined_hole_is_a_ring_without_a_seam() {
    let text = |edge_beam: &str| {
        Mechanism::new("ring")
            .step(1e-4)
            .points("a = [-1.0, -1.0], b = [1.0, -1.0], c = [1.0, 1.0], d = [-1.0, 1.0]")
            .and("m = [0.0, 0.0]")
            .material("foam", 1.0, 0.0, 1e-9)
            .material("steel", 1e9, 0.3, 1000.0)
            .section("bar", "rectangle.height = 0.02, rectangle.width = 0.1")
            .body("plate", "material = 'foam', thickness = 1e-3, state = 'plane_stress'")
            .and("outline.size = 0.5, outline.largest_turn = 0.3")
            .and(
                "outline.edges = [{ name = 'bottom', from = 'a', to = 'b' }, \
                     { name = 'right', from = 'b', to = 'c' }, { name = 'top', from = 'c', \
                     to = 'd' }, { name = 'left', from = 'd', to = 'a' }]",
            )
            .and("outline.holes = [[{ name = 'bore', circle = { center = 'm', radius = 0.5 } }]]")
            .entry("members.ring", edge_beam)
            .text()
    };
    let lined = Simulation::of(&text("edge = 'plate.bore', material = 'steel', section = 'bar'"));
    // Three rigid motions; then the modes of the ring, two and two, ω² = n²(n² − 1)²/(n² + 1) EI/(ρA R⁴).
    let omega = |n: f64| {
        let bending = 1e9 * 0.02_f64.powi(2) / 12.0 / (1000.0 * 0.5_f64.powi(4));
        (n * n * (n * n - 1.0).powi(2) / (n * n + 1.0) * bending).sqrt()
    };
    let seen: Vec<f64> =
        lined.frequencies(10).into_iter().filter(|w| *w > 0.5 * omega(2.0)).collect();
    for (w, exact) in seen.iter().zip([omega(2.0), omega(2.0), omega(3.0), omega(3.0)]) {
        // Euler-Bernoulli against sections that turn on their own and have an extension.
        assert!((w / exact - 1.0).abs() < 5e-3, "{w} {exact}");
    }
    assert!(seen.len() >= 4);
}

#[test]
fn a_member_along_an_edge_has_neither_ends_nor_elements_of_its_own() {
    let text = half_and_half(0.1, 1e3);
    let with = |key: &str| {
        text.edit("edge = \"block.face\"\n", &format!("edge = \"block.face\"\n{key}\n"))
    };
    for key in ["from = \"b\"", "elements = 3", "order = 3", "arc.angle = 0.1"] {
        let message = check(&with(key), &[]).map_or_else(|fault| fault, |_| String::new());
        let word = key.split([' ', '.']).next().unwrap_or_default();
        assert!(message.contains(&format!("`{word}`")), "{message}");
    }
}
