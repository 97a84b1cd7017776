//! Friction pendulums of plane solids: a slider with two round faces between two plates.

use crate::common::Simulation;

/// One isolator between the ground and a foot that carries 510 kN and does not turn; its lower face has the `radius` and a roughness of the given
/// amplitude, all meshes are `fine` times as fine as those of the paper. `foot` says what moves it.
fn isolator(radius: f64, fine: usize, roughness: f64, foot: &str) -> String {
    let height = |radius: f64, half: f64| radius - (radius * radius - half * half).sqrt();
    let (low, sole) = (height(radius, 0.2), height(radius, 0.07));
    let [crown, cup] = [0.06, 0.08].map(|half| 0.07 - height(0.1, half));
    let [eight, four, two, ten] = [8, 4, 2, 10].map(|cells| cells * fine);
    format!(
        r#"
        name = "isolator"
        [points]
        g1 = [-0.2, -0.08]
        g2 = [0.2, -0.08]
        l1 = [-0.2, {low:?}]
        l2 = [0.2, {low:?}]
        s1 = [-0.07, {sole:?}]
        s2 = [0.07, {sole:?}]
        c1 = [-0.06, {crown:?}]
        c2 = [0.06, {crown:?}]
        u1 = [-0.08, {cup:?}]
        u2 = [0.08, {cup:?}]
        t1 = [-0.25, 0.12]
        t2 = [0.25, 0.12]
        foot = [0.0, 0.12]
        [materials]
        steel = {{ young_modulus = 200e9, poisson_ratio = 0.0, density = 7850.0 }}
        massless = {{ young_modulus = 200e9, poisson_ratio = 0.0, density = 0.0 }}
        rigid = {{ young_modulus = 200e15, poisson_ratio = 0.0, density = 0.0 }}
        [sections]
        lining.rectangle = {{ height = 0.01, width = 0.5 }}
        [bodies.lower]
        material = "steel"
        thickness = 0.5
        state = "plane_stress"
        patch.cells = [{eight}, {fine}]
        patch.edges = [
          {{ name = "ground", from = "g1", to = "g2" }},
          {{ name = "right", from = "g2", to = "l2" }},
          {{ name = "face", from = "l2", to = "l1", arc.radius = {minus:?} }},
          {{ name = "left", from = "l1", to = "g1" }},
        ]
        [bodies.slider]
        material = "steel"
        thickness = 0.5
        state = "plane_stress"
        patch.cells = [{four}, {two}]
        patch.edges = [
          {{ name = "sole", from = "s1", to = "s2", arc.radius = {radius:?} }},
          {{ name = "right", from = "s2", to = "c2" }},
          {{ name = "crown", from = "c2", to = "c1", arc.radius = 0.1 }},
          {{ name = "left", from = "c1", to = "s1" }},
        ]
        [bodies.upper]
        material = "steel"
        thickness = 0.5
        state = "plane_stress"
        points = ["foot"]
        patch.cells = [{ten}, {fine}]
        patch.edges = [
          {{ name = "face", from = "u1", to = "u2", arc.radius = -0.1 }},
          {{ name = "right", from = "u2", to = "t2" }},
          {{ name = "top", from = "t2", to = "t1" }},
          {{ name = "left", from = "t1", to = "u1" }},
        ]
        [members]
        dish = {{ edge = "lower.face", material = "massless", section = "lining" }}
        cup = {{ edge = "upper.face", material = "massless", section = "lining" }}
        cap = {{ edge = "upper.top", material = "rigid", section = "lining" }}
        [supports]
        ground = {{ edge = "lower.ground", fix = ["x", "y"] }}
        foot = {{ point = "foot", fix = ["rotation"] }}
        [joints.sole]
        sliding = {{ edge = "slider.sole", path = ["dish"], start = "l1", nodes = "all" }}
        roughness.cosine = {{ amplitude = {roughness:?}, wavelength = "2*pi/40" }}
        [joints.crown]
        sliding = {{ edge = "slider.crown", path = ["cup"], nodes = "all" }}
        [loads.weight]
        point = "foot"
        fy = -510e3
        [initial]
        equilibrium = true
        [interface]
        outputs = ["motions.*", "joints.sole.*", "joints.crown.*", "energy.*", "points.foot.*"]
        {foot}
        "#,
        minus = -radius,
    )
}

/// The foot is moved aside, up to 10 mm.
const ASIDE: &str = r#"
    [solver]
    analysis = "quasi_static"
    step = 0.1
    [motions.aside]
    point = "foot"
    direction = "x"
    amplitude = 0.01
    history.table = { times = [0.0, 1.0], values = [0.0, 1.0] }
"#;

#[test]
fn a_loaded_isolator_is_as_stiff_as_a_pendulum_between_the_centres_of_its_faces() {
    for radius in [0.24765, 0.9] {
        let mut run = Simulation::of(&isolator(radius, 1, 0.0, ASIDE));
        run.run(1.0, 0.1, |_| {});
        let distance = radius + 0.03;
        // A pendulum of that length under the weight, 10 mm aside.
        let exact = 510e3 * 0.01 / (distance * distance - 1e-4).sqrt();
        let seen = run.get("motions.aside.reaction");
        println!(
            "radius {radius} m: d = {:.5} m from W/k",
            510e3 * 0.01 / seen
        );
        assert!(
            (seen / exact - 1.0).abs() < 0.01,
            "{radius}: {seen} {exact}"
        );
        let weight = run.get("joints.sole.fy");
        assert!((weight / -510e3 - 1.0).abs() < 0.01, "{weight}");
    }
}

/// Faces that follow a rough path are strained between their nodes: the finer the mesh, the better they do.
#[test]
fn forces_of_a_rough_isolator_do_not_depend_on_its_mesh() {
    for path in ["dish", "lower.face"] {
        mesh_independence(path);
    }
}

fn mesh_independence(path: &str) {
    let course = |fine: usize| {
        let text = isolator(0.24765, fine, 1e-4, ASIDE);
        let mut run = Simulation::of(&text.replace("[\"dish\"]", &format!("[\"{path}\"]")));
        let mut all = Vec::new();
        run.run(1.0, 0.25, |run| {
            let outputs = [
                "motions.aside.reaction",
                "joints.sole.fx",
                "joints.sole.moment",
            ];
            all.push(outputs.map(|output| run.get(output)));
        });
        all
    };
    let [coarse, fine, finest] = [course(1), course(2), course(3)];
    // Shear as a share of the largest; the moment as one of the weight over half the sole.
    let largest = finest.iter().map(|row| row[0].abs()).fold(0.0, f64::max);
    for (k, whole) in [largest, largest, 510e3 * 0.07].into_iter().enumerate() {
        let off = [&coarse, &fine].map(|rows| {
            let off = rows.iter().zip(&finest).map(|(a, b)| (a[k] - b[k]).abs());
            off.fold(0.0, f64::max) / whole
        });
        println!("{path} {k}: {off:.4?} of {whole}");
        assert!(off[0] < 0.04 && off[1] < 0.015, "{path} {k}: {off:?}");
    }
}
