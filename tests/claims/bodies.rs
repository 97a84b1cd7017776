//! Plane bodies as models: the numbers of an independent solver on the same meshes, and what must hold
//! for any.

mod corners;
mod dishes;
mod drawn;
mod edge_beams;
mod edge_friction;
mod edges;
mod isolator;
mod places;
mod pressed;
mod quick_return;
mod random;
mod rigid;

mod rigid_loads;
mod rigid_paths;
mod rigid_random;
mod rods;
mod rough_edges;
mod without_shape;

use coulisse::model::Model;

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// A patch between four corners, clamped at its left edge.
struct Patch {
    corners: [[f64; 2]; 4],
    cells: [usize; 2],
    order: usize,
    poisson: f64,
    state: &'static str,
    /// The point that the load is measured at.
    point: &'static str,
    more: String,
}

impl Patch {
    fn square(order: usize, cells: usize) -> Patch {
        Patch {
            corners: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            cells: [cells, cells],
            order,
            poisson: 0.3,
            state: "plane_stress",
            point: "m",
            more: "[supports.wall]\nedge = \"plate.left\"\nfix = [\"x\", \"y\"]".into(),
        }
    }

    fn text(&self) -> String {
        let [a, b, c, d] = self.corners;
        let Patch { cells: [n, m], order, poisson, state, point, more, .. } = self;
        Mechanism::new("patch")
            .points(format!("a = {a:?}, b = {b:?}, c = {c:?}, d = {d:?}"))
            .and(format!("m = [{:?}, {:?}]", 0.5 * (b[0] + c[0]), 0.5 * (b[1] + c[1])))
            .material("unit", 1.0, *poisson, 1.0)
            .body("plate", format!("material = 'unit', thickness = 1.0, state = '{state}'"))
            .and(format!("order = {order}, points = ['{point}']"))
            .patch("plate", [*n, *m], "bottom: a, right: b, top: c, left: d")
            .add(more)
            .text()
    }
}

/// A quasi-static load of 1e-6 along y on the right edge, whose length is `height`.
fn sheared(height: f64, variation: &str) -> String {
    Mechanism::part()
        .step(1.0)
        .solver("analysis = 'quasi_static'")
        .support("wall", "edge = 'plate.left', fix = ['x', 'y']")
        .load("shear", format!("edge = 'plate.right', qy = '1e-6/{height}', {variation}"))
        .outputs("points.* supports.*")
        .text()
}

#[test]
fn cooks_membrane_bends_as_in_an_independent_solver_on_the_same_mesh() {
    let cases =
        [(1, 32, 23.8155), (2, 16, 23.9510), (3, 8, 23.9504), (3, 16, 23.9615), (4, 16, 23.9646)];
    for (order, cells, known) in cases {
        let cook = Patch {
            corners: [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]],
            poisson: 1.0 / 3.0,
            more: sheared(16.0, ""),
            ..Patch::square(order, cells)
        };
        let run = Simulation::of(&cook.text());
        let seen = (run.get("points.m.y") - 52.0) / 1e-6;
        println!("Cook's membrane, order {order}, {cells} x {cells}: {seen:.4} ({known})");
        assert!((seen / known - 1.0).abs() < 1e-4, "{order} {cells}: {seen}");
        let reaction = run.get("supports.wall.fy");
        assert!((reaction / -1e-6 - 1.0).abs() < 1e-6, "{reaction}");
    }
}

fn frequencies(patch: &Patch, count: usize) -> Vec<f64> {
    let step = "\n[solver]\nstep = 0.01\n[interface]\noutputs = [\"points.m.y\"]\n";
    Simulation::of(&(patch.text() + step)).frequencies(count)
}

#[test]
fn a_unit_square_vibrates_as_in_an_independent_solver() {
    let clamped = [0.65849, 1.57979, 1.77223, 2.81597, 3.03747];
    let free = [0.0, 0.0, 0.0, 2.43265, 2.59097, 2.59097, 2.75536, 3.13164];
    let cases: [(&str, bool, &[f64]); 4] = [
        ("plane_stress", true, &clamped),
        ("plane_stress", false, &free),
        ("plane_strain", true, &[0.67853, 1.66342, 1.81896]),
        ("plane_strain", false, &[0.0, 0.0, 0.0, 2.44107, 2.68662, 2.68662]),
    ];
    for (state, held, known) in cases {
        let mut square = Patch { state, ..Patch::square(3, 8) };
        if !held {
            square.more.clear();
        }
        let found = frequencies(&square, known.len());
        for (seen, known) in found.into_iter().zip(known) {
            assert!((seen - known).abs() < 1e-5, "{state} {held}: {seen} {known}");
        }
    }
}

#[test]
fn the_slender_cantilever_bends_by_timoshenkos_theory() {
    // Unit square of cells, ν = 0: 4 L³ + 6/5 · 2 L/… in units of 1/E.
    for (cells, known) in [([10, 1], 0.040_239_2), ([20, 2], 0.040_240_2)] {
        let beam = Patch {
            corners: [[0.0, -0.5], [10.0, -0.5], [10.0, 0.5], [0.0, 0.5]],
            cells,
            poisson: 0.0,
            point: "b",
            more: sheared(1.0, ""),
            ..Patch::square(3, 1)
        };
        let run = Simulation::of(&beam.text());
        // 1e-6 of load on E = 1; the source has E = 1e5.
        let seen = (run.get("points.b.y") + 0.5) / 1e-6 / 1e5;
        println!("cantilever {cells:?}: {seen:.7} ({known})");
        // A uniform shear in place of a parabolic one changes the tip by the end's own distortion.
        assert!((seen / known - 1.0).abs() < 1e-3, "{cells:?}: {seen}");
    }
}

/// A quarter of a ring from radius 1 to 2, held in its planes of symmetry, under a pressure from inside.
fn quarter_ring(order: usize, more: &str) -> String {
    Mechanism::new("ring")
        .points("m = [0.0, 0.0], a = [1.0, 0.0], b = [2.0, 0.0], c = [0.0, 2.0]")
        .and("d = [0.0, 1.0]")
        .material("unit", 1.0, 0.3, 1.0)
        .body("ring", "material = 'unit', thickness = 0.5, state = 'plane_stress'")
        .and(format!("order = {order}, outline.size = 0.25, outline.largest_turn = 0.2"))
        .and(
            "outline.edges = [{ name = 'bottom', from = 'a', to = 'b' }, { name = 'outside', \
                 from = 'b', to = 'c', arc.radius = 2.0 }, { name = 'left', from = 'c', \
                 to = 'd' }, { name = 'inside', from = 'd', to = 'a', arc.radius = -1.0 }]",
        )
        .support("bottom", "edge = 'ring.bottom', fix = ['y']")
        .support("left", "edge = 'ring.left', fix = ['x']")
        .add(more)
        .text()
}

#[test]
fn a_thick_ring_under_pressure_widens_and_is_stressed_as_lame_says() {
    let more = &Mechanism::part()
        .step(1.0)
        .solver("analysis = 'quasi_static'")
        .load("pressure", "edge = 'ring.inside', normal = 0.5e-6")
        .outputs("points.*")
        .text();
    for (order, tolerance) in [(2, 2e-3), (3, 2e-4), (4, 2e-5)] {
        let run = Simulation::of(&quarter_ring(order, more));
        // p = 1e-6: u = p a/E ((a² + b²)/(b² − a²) + ν); σ_φ(a) = p (a² + b²)/(b² − a²), σ_r(a) = −p.
        let seen = (run.get("points.a.x") - 1.0) / 1e-6;
        let known = 5.0 / 3.0 + 0.3;
        assert!((seen / known - 1.0).abs() < tolerance, "{order}: {seen}");
        let hoop = run.get("points.a.stress_yy") / 1e-6;
        let radial = run.get("points.a.stress_xx") / 1e-6;
        println!(
            "ring, order {order}: {seen:.6} ({known:.6}), {hoop:.4} (1.6667), {radial:.4} (-1)"
        );
        // Stresses are of one order less.
        assert!((hoop - 5.0 / 3.0).abs() < 30.0 * tolerance, "{hoop}");
        assert!((radial + 1.0).abs() < 30.0 * tolerance, "{radial}");
        let outer = run.get("points.b.principal_1") / 1e-6;
        assert!((outer - 2.0 / 3.0).abs() < 30.0 * tolerance, "{outer}");
    }
}

#[test]
fn a_strip_in_tension_has_one_stress_everywhere_whatever_its_mesh() {
    for order in 1..=4 {
        let strip = Patch {
            cells: [3, 2],
            point: "a",
            more: Mechanism::part()
                .step(1.0)
                .solver("analysis = 'quasi_static'")
                .support("wall", "edge = 'plate.left', fix = ['x']")
                .support("corner", "point = 'a', fix = ['y']")
                .motion("pull", "edge = 'plate.right', direction = 'x', displacement = 0.2")
                .outputs("points.* motions.* energy.*")
                .text(),
            ..Patch::square(order, 1)
        };
        let run = Simulation::of(&strip.text());
        // E₁₁ = 0.22, S₁₁ = E E₁₁, E₂₂ = −ν E₁₁.
        let strain = 0.2 + 0.5 * 0.2 * 0.2;
        for point in ["a", "b", "c", "d"] {
            let get = |key: &str| run.get(&format!("points.{point}.{key}"));
            assert!((get("strain_xx") - strain).abs() < 1e-10);
            assert!((get("strain_yy") + 0.3 * strain).abs() < 1e-10);
            assert!(get("strain_xy").abs() < 1e-10);
            // σ = F S Fᵀ/J with the stretches across of plane stress.
            let across = 1.0 - 0.6 * strain;
            let stress = strain * 1.2 * 1.2 / (1.2 * across);
            assert!((get("stress_xx") / stress - 1.0).abs() < 1e-9);
            assert!((get("von_mises") / stress - 1.0).abs() < 1e-9);
        }
        let pull = run.get("motions.pull.reaction");
        assert!((pull / (strain * 1.2) - 1.0).abs() < 1e-9, "{pull}");
    }
}

#[test]
fn a_body_in_free_flight_falls_as_a_point_and_keeps_its_energy() {
    let flying = Patch {
        cells: [2, 2],
        more: Mechanism::part()
            .step(2e-3)
            .gravity(-9.81)
            .start("a", "vx = 1.0, vy = 2.0")
            .start("b", "vx = 1.0, vy = 3.0")
            .start("c", "vx = 0.0, vy = 3.0")
            .start("d", "vx = 0.0, vy = 2.0")
            .start("m", "vx = 0.5, vy = 3.0")
            .entry("initial", "velocities = 'rigid_mechanism'")
            .outputs("points.* energy.*")
            .text(),
        ..Patch::square(2, 1)
    };
    let stiff = flying.text().replace("young_modulus = 1.0", "young_modulus = 1e6");
    let mut run = Simulation::of(&stiff);
    let middle = |run: &Simulation, axis: &str| {
        let corners = ["a", "b", "c", "d"].map(|p| run.get(&format!("points.{p}.{axis}")));
        corners.iter().sum::<f64>() / 4.0
    };
    let start = [middle(&run, "x"), middle(&run, "y")];
    run.run(1.0, 2e-3, |_| {});
    let exact = [start[0] + 0.5, start[1] + 2.5 - 0.5 * 9.81];
    let seen = [middle(&run, "x"), middle(&run, "y")];
    for (seen, exact) in seen.into_iter().zip(exact) {
        assert!((seen - exact).abs() < 1e-3, "{seen} {exact}");
    }
    let lost = run.lost().abs();
    assert!(lost < 1e-4 * 10.0, "{lost}");
}

#[test]
fn a_bead_slides_down_the_edge_of_a_body_with_friction_as_on_an_incline() {
    let (sin, cos) = 0.5_f64.sin_cos();
    let turned = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    let [x, y] = turned([3.0, 1.0]);
    let ramp = Patch {
        corners: [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [0.0, 1.0]].map(turned),
        cells: [8, 2],
        more: Mechanism::part()
            .support("ground", "edge = 'plate.bottom', fix = ['x', 'y']")
            .step(1e-3)
            .entry("gravity", "y = -9.81, weightless = ['plate']")
            .mass("bead", 1e-3)
            .joint("bead", "cylindrical.slider = 'bead', cylindrical.path = ['plate.top']")
            .and("cylindrical.contact = 'unilateral'")
            .and("friction.coulomb = { coefficient = 0.2 }")
            .outputs("joints.* energy.*")
            .text(),
        ..Patch::square(2, 1)
    };
    let text = ramp
        .text()
        .replace("[materials.unit]", &format!("bead = [{x:?}, {y:?}]\n[materials.unit]"))
        .replace("young_modulus = 1.0", "young_modulus = 1e5");
    let mut run = Simulation::of(&text);
    let start = run.get("joints.bead.position");
    run.run(0.5, 1e-3, |_| {});
    let exact = 0.5 * 9.81 * (sin - 0.2 * cos) * 0.25;
    // The edge runs with the body on its left: down the ramp.
    let seen = run.get("joints.bead.position") - start;
    assert!((seen / exact - 1.0).abs() < 1e-3, "{seen} {exact}");
    let force = run.get("joints.bead.normal_force");
    assert!((force / (9.81e-3 * cos) - 1.0).abs() < 1e-2, "{force}");
    assert!(run.get("joints.bead.friction_power") > 0.0);
}

#[test]
fn a_saved_state_of_a_body_goes_on_with_the_same_bits() {
    let more = &Mechanism::part().step(1e-3).gravity(-9.81).outputs("points.*").text();
    let text = quarter_ring(3, more).replace("young_modulus = 1.0", "young_modulus = 1e4");
    let mut run = Simulation::of(&text);
    run.run(0.01, 1e-3, |_| {});
    let saved = run.state.clone();
    run.run(0.02, 1e-3, |_| {});
    let mut again = Simulation::of(&text);
    again.state = saved;
    again.run(0.02, 1e-3, |_| {});
    assert_eq!(run.state.q, again.state.q);
    assert_eq!(run.state.acceleration, again.state.acceleration);
}

#[test]
fn physical_points_are_points_of_the_model_where_a_host_can_have_their_names() {
    let model = |file: &str| {
        Mechanism::new("plate")
            .step(1e-3)
            .points("far = [9.0, 9.0]")
            .material("unit", 1.0, 0.3, 1.0)
            .body("plate", "material = 'unit', thickness = 1.0, state = 'plane_stress'")
            .and(format!("mesh.file = '{file}'"))
            .text()
    };
    let text =
        String::from_utf8_lossy(include_bytes!("../meshes/plate_1_41_text.msh")).into_owned();
    // A number first is no name of FMI's structured ones, nor is one with a space, as `left corner`.
    for (name, known) in [("tip", true), ("1tip", false)] {
        let data = |_: &str| Ok(text.replace("\"tip\"", &format!("\"{name}\"")));
        let read = Model::parse(&model("plate.msh"), "model.toml", &data);
        let checked = read.and_then(|model| model.check());
        let points = checked.unwrap_or_else(|faults| panic!("{faults}")).points;
        let named: Vec<&str> = points.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(named.contains(&"plate.tip"), known, "{named:?}");
        assert_eq!(named.len(), 1 + usize::from(known), "{named:?}");
    }
}
