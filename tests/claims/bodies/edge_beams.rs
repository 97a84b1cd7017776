//! Members along edges of bodies: what carries moments between members and bodies, and paths with a normal of their own.

use crate::common::{Simulation, check};

/// A beam of 1 m × 0.1 m × 1 m, its first half plane stress and its second a member that ends at the middle of the face, with a
/// edge_beam of `height` and `stiffness` times the modulus along the face.
fn half_and_half(height: f64, stiffness: f64) -> String {
    format!(
        r#"
        name = "half"
        [solver]
        analysis = "quasi_static"
        step = 1.0
        [points]
        a = [0.0, -0.05]
        b = [0.5, -0.05]
        c = [0.5, 0.05]
        d = [0.0, 0.05]
        face = [0.5, 0.0]
        tip = [1.0, 0.0]
        [materials]
        soft = {{ young_modulus = 1e9, poisson_ratio = 0.0, density = 1000.0 }}
        stiff = {{ young_modulus = "{stiffness:?}*1e9", poisson_ratio = 0.0, density = 0.0 }}
        [sections]
        beam.rectangle = {{ height = 0.1, width = 1.0 }}
        edge_beam.rectangle = {{ height = {height:?}, width = 1.0 }}
        [bodies.block]
        material = "soft"
        thickness = 1.0
        state = "plane_stress"
        points = ["face"]
        patch.cells = [10, 2]
        patch.edges = [
          {{ name = "bottom", from = "a", to = "b" }},
          {{ name = "face", from = "b", to = "c" }},
          {{ name = "top", from = "c", to = "d" }},
          {{ name = "wall", from = "d", to = "a" }},
        ]
        [members]
        edge_beam = {{ edge = "block.face", material = "stiff", section = "edge_beam" }}
        beam = {{ from = "face", to = "tip", elements = 4, material = "soft", section = "beam" }}
        [supports.wall]
        edge = "block.wall"
        fix = ["x", "y"]
        [loads.tip]
        point = "tip"
        fy = -1.0
        [initial]
        equilibrium = true
        [interface]
        outputs = ["points.tip.y"]
        "#
    )
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
    let edge_beam =
        "edge_beam = { edge = \"block.face\", material = \"stiff\", section = \"edge_beam\" }";
    let text = text.replace(edge_beam, "").replace("equilibrium = true", "");
    let run = Simulation::of(&text.replace("quasi_static", "dynamic"));
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
    format!(
        r#"
        name = "lined"
        [solver]
        analysis = "quasi_static"
        step = 1.0
        [points]
        a = [0.0, 0.0]
        b = [2.0, 0.0]
        c = [2.0, 1.0]
        d = [0.0, 1.0]
        [materials]
        foam = {{ young_modulus = 0.1, poisson_ratio = 0.0, density = 1.0 }}
        steel = {{ young_modulus = 1e9, poisson_ratio = 0.3, density = 1000.0 }}
        [sections]
        bar.rectangle = {{ height = 0.05, width = 0.1 }}
        [bodies.strip]
        material = "foam"
        thickness = 1e-3
        state = "plane_stress"
        order = {order}
        patch.cells = [8, 2]
        patch.edges = [
          {{ name = "bottom", from = "a", to = "b"{curve} }},
          {{ name = "right", from = "b", to = "c" }},
          {{ name = "top", from = "c", to = "d" }},
          {{ name = "left", from = "d", to = "a" }},
        ]
        [members.bar]
        {}
        material = "steel"
        section = "bar"
        [supports.a]
        point = "a"
        fix = ["x", "y", "rotation"]
        [loads.b]
        point = "b"
        fy = -500.0
        [initial]
        equilibrium = true
        [interface]
        outputs = ["points.b.x", "points.b.y", "probes.*"]
        [probes.inside]
        displacement = {{ member = "bar", at = 0.9, direction = "y" }}
        [probes.turn]
        displacement = {{ member = "bar", at = 0.9, direction = "rotation" }}
        "#,
        member.replace(", ", "\n        ")
    )
}

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
        format!(
            r#"
            name = "ring"
            [solver]
            step = 1e-4
            [points]
            a = [-1.0, -1.0]
            b = [1.0, -1.0]
            c = [1.0, 1.0]
            d = [-1.0, 1.0]
            m = [0.0, 0.0]
            [materials]
            foam = {{ young_modulus = 1.0, poisson_ratio = 0.0, density = 1e-9 }}
            steel = {{ young_modulus = 1e9, poisson_ratio = 0.3, density = 1000.0 }}
            [sections.bar.rectangle]
            height = 0.02
            width = 0.1
            [bodies.plate]
            material = "foam"
            thickness = 1e-3
            state = "plane_stress"
            [bodies.plate.outline]
            size = 0.5
            largest_turn = 0.3
            edges = [
              {{ name = "bottom", from = "a", to = "b" }},
              {{ name = "right", from = "b", to = "c" }},
              {{ name = "top", from = "c", to = "d" }},
              {{ name = "left", from = "d", to = "a" }},
            ]
            holes = [[{{ name = "bore", circle = {{ center = "m", radius = 0.5 }} }}]]
            [members]
            {edge_beam}
            "#
        )
    };
    let lined = Simulation::of(&text(
        "ring = { edge = \"plate.bore\", material = \"steel\", section = \"bar\" }",
    ));
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
        text.replace("edge = \"block.face\",", &format!("edge = \"block.face\", {key},"))
    };
    for key in ["from = \"b\"", "elements = 3", "order = 3", "arc.angle = 0.1"] {
        let message = check(&with(key), &[]).map_or_else(|fault| fault, |_| String::new());
        let word = key.split([' ', '.']).next().unwrap_or_default();
        assert!(message.contains(&format!("`{word}`")), "{message}");
    }
}
