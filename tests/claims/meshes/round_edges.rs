//! Edges on circles and ellipses between points, against closed forms.

use std::f64::consts::PI;

use coulisse::model::{Checked, Faults, Model};

/// A rigid body of 1 kg/m² inside these edges, between points on a circle of 2 m and an ellipse of 3 m × 1 m around m = (1, 2).
fn body(edges: &str) -> Result<Checked, Faults> {
    let text = format!(
        "name = \"round\"\n[materials.m]\nyoung_modulus = 1e9\npoisson_ratio = 0.3\ndensity = 1.0\n\
         [points]\nm = [1.0, 2.0]\nright = [3.0, 2.0]\nleft = [-1.0, 2.0]\nlow = [1.0, 0.0]\n\
         far = [4.0, 2.0]\ntop = [1.0, 3.0]\nback = [-2.0, 2.0]\n\
         [bodies.b]\nmaterial = \"m\"\nthickness = 1.0\nrigid = true\n[bodies.b.outline]\nsize = 0.5\nedges = [\n{edges}\n]\n"
    );
    Model::parse(&text, "m.toml", &|_: &str| -> std::io::Result<Vec<u8>> { unreachable!() })?
        .check()
}

/// Area, m², centroid from (1, 2), m, and polar moment about that, m⁴.
fn moments(edges: &str) -> [f64; 4] {
    let body = &body(edges).unwrap_or_else(|faults| panic!("{faults}")).bodies[0];
    let rigid = body.rigid().expect("a rigid body");
    [rigid.mass, rigid.centre[0] - 1.0, rigid.centre[1] - 2.0, rigid.inertia]
}

fn agree(edges: &str, expected: [f64; 4]) {
    let seen = moments(edges);
    for (seen, expected) in seen.into_iter().zip(expected) {
        assert!(
            (seen - expected).abs() < 1e-12 * (1.0 + expected.abs()),
            "{edges}: {seen} {expected}"
        );
    }
}

#[test]
fn arcs_about_a_center_have_any_angle_and_both_senses() {
    let disc = [4.0 * PI, 0.0, 0.0, 8.0 * PI];
    agree("{ name = \"rim\", from = \"low\", to = \"low\", circle.center = \"m\" }", disc);
    agree(
        "{ name = \"rim\", from = \"low\", to = \"low\", circle = { center = \"m\", radius = 2.0, clockwise = true } }",
        disc,
    );
    // Half of it and 270° of it, with its corner in the middle.
    let first = 2.0 / 3.0 * 8.0 / (2.0 * PI);
    let half = [2.0 * PI, 0.0, first, 4.0 * PI - 2.0 * PI * first * first];
    agree(
        "{ name = \"arc\", from = \"right\", to = \"left\", circle.center = \"m\" },\n{ name = \"cut\", from = \"left\", to = \"right\" }",
        half,
    );
    agree(
        "{ name = \"arc\", from = \"left\", to = \"right\", circle = { center = \"m\", clockwise = true } },\n\
         { name = \"cut\", from = \"right\", to = \"left\" }",
        half,
    );
    let off = 8.0 / 3.0 / (3.0 * PI);
    agree(
        "{ name = \"arc\", from = \"right\", to = \"low\", circle.center = \"m\" },\n\
         { name = \"up\", from = \"low\", to = \"m\" },\n{ name = \"out\", from = \"m\", to = \"right\" }",
        [3.0 * PI, -off, off, 6.0 * PI - 3.0 * PI * 2.0 * off * off],
    );
}

#[test]
fn ellipses_and_parts_of_them_have_the_moments_of_closed_forms() {
    // ¼ π a b (a² + b²).
    agree(
        "{ name = \"rim\", ellipse = { center = \"m\", radii = [3.0, 1.0], rotation = 0.7 } }",
        [3.0 * PI, 0.0, 0.0, 7.5 * PI],
    );
    let quarter = [4.0 * 3.0 / (3.0 * PI), 4.0 / (3.0 * PI)];
    let polar = 7.5 * PI / 4.0 - 0.75 * PI * (quarter[0] * quarter[0] + quarter[1] * quarter[1]);
    agree(
        "{ name = \"arc\", from = \"far\", to = \"top\", ellipse = { center = \"m\", radii = [3.0, 1.0] } },\n\
         { name = \"down\", from = \"top\", to = \"m\" },\n{ name = \"out\", from = \"m\", to = \"far\" }",
        [0.75 * PI, quarter[0], quarter[1], polar],
    );
    // The half above, clockwise from its left end.
    let height = 4.0 / (3.0 * PI);
    agree(
        "{ name = \"arc\", from = \"back\", to = \"far\", ellipse = { center = \"m\", radii = [3.0, 1.0], clockwise = true } },\n\
         { name = \"cut\", from = \"far\", to = \"back\" }",
        [1.5 * PI, 0.0, height, 3.75 * PI - 1.5 * PI * height * height],
    );
}

#[test]
fn round_edges_meet_their_points() {
    let says = |edges: &str, part: &str| {
        let faults = body(edges).expect_err("a fault").to_string();
        assert!(faults.contains(part), "{faults}");
    };
    let cut = "{ name = \"cut\", from = \"top\", to = \"right\" }";
    says(
        &format!(
            "{{ name = \"a\", from = \"right\", to = \"top\", circle.center = \"m\" }},\n{cut}"
        ),
        "point `top` is not on the circle of radius 2 m: its distance from the center is 0.5 times as large",
    );
    says(
        &format!(
            "{{ name = \"a\", from = \"right\", to = \"top\", ellipse = {{ center = \"m\", radii = [3.0, 1.0] }} }},\n{cut}"
        ),
        "point `right` is not on the ellipse",
    );
    says("{ name = \"a\", circle.center = \"m\" }", "none of `from`, `circle.radius`, `ellipse`");
    says(
        "{ name = \"a\", circle = { center = \"m\", radius = 1.0 }, ellipse = { center = \"m\", radii = [1.0, 2.0] } }",
        "has `circle` and `ellipse`; give at most one",
    );
}
