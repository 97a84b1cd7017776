//! Pressure between elastic bodies whose meshes match or do not: uniform pressure, and Hertz's under a cylinder on a block.

use std::f64::consts::PI;

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// A block on a wider one, each pressed by 3 % of its modulus: from above, and beside it. The sides of the triangles of both are so long where
/// they touch. One of the two is the surface. If they are `equal` in width there is nothing beside it.
fn blocks(order: usize, [upper, lower]: [f64; 2], lower_is_surface: bool, equal: bool) -> String {
    let narrow = "\"upper.bottom\"";
    let wide = "\"lower.right\", \"lower.top\", \"lower.left\"";
    let wide = if equal { "\"lower.top\"" } else { wide };
    let [surface, path] = if lower_is_surface { [wide, narrow] } else { [narrow, wide] };
    let half = if equal { 0.5 } else { 1.0 };
    let beside = |text: String| if equal { String::new() } else { text };
    let body = |name: &str| {
        format!(
            "[bodies.{name}]\nmaterial = \"rubber\"\nthickness = 0.1\nstate = \"plane_stress\"\norder = {order}\n\
             [bodies.{name}.outline]\nsize = 0.3\nedges = [\n"
        )
    };
    let edge = |name: &str, from: &str, to: &str, more: &str| {
        format!("  {{ name = \"{name}\", from = \"{from}\", to = \"{to}\"{more} }},\n")
    };
    let load = |name: &str, on: &str| format!("[loads.{name}]\nedge = \"{on}\"\nqy = -3e3\n");
    let [fine, coarse] = [upper, lower].map(|size| format!(", size = {size}"));
    [
        format!("name = \"blocks\"\n[solver]\nanalysis = \"quasi_static\"\nstep = 1.0\n[materials.rubber]\nyoung_modulus = 1e6\n\
         poisson_ratio = 0.3\ndensity = 1000.0\n[points]\na = [-{half:?}, -0.6]\nb = [{half:?}, -0.6]\nd = [0.5, 0.0]\n\
         e = [-0.5, 0.0]\ng = [-0.5, 0.5]\nh = [0.5, 0.5]\nk = [-0.5, 0.0]\nl = [0.5, 0.0]\n"),
        beside("c = [1.0, 0.0]\nf = [-1.0, 0.0]\n".to_string()),
        body("lower"),
        edge("floor", "a", "b", ""),
        edge("east", "b", if equal { "d" } else { "c" }, ""),
        beside(edge("right", "c", "d", "")),
        edge("top", "d", "e", &coarse),
        beside(edge("left", "e", "f", "")),
        edge("west", if equal { "e" } else { "f" }, "a", ""),
        "]\n".into(),
        body("upper"),
        edge("bottom", "k", "l", &fine),
        edge("east", "l", "h", ""),
        edge("roof", "h", "g", ""),
        edge("west", "g", "k", ""),
        "]\n[supports.floor]\nedge = \"lower.floor\"\nfix = [\"y\"]\n[supports.e]\npoint = \"e\"\nfix = [\"x\"]\n\
         [supports.g]\npoint = \"g\"\nfix = [\"x\"]\n"
            .into(),
        load("roof", "upper.roof"),
        beside(load("right", "lower.right")),
        beside(load("left", "lower.left")),
        format!(
            "[contacts.it]\nsurface = [{surface}]\npath = [{path}]\nstiffness = \"penalty\"\n[interface]\noutputs = [\"energy.*\"]\n"
        ),
    ]
    .concat()
}

/// The patch test: a uniform stress passes through the surfaces, whatever meshes they have, to rounding.
/// Slow: meshes of every order against each other.
#[test]
fn uniform_pressure_passes_between_matching_and_other_meshes() {
    for order in 1..=4 {
        let sizes = [[0.1, 0.1], [0.125, 0.09], [0.08, 0.125]];
        for case in 0..4 * sizes.len() {
            let (sizes, lower_is_surface, equal) = (sizes[case / 4], case % 2 == 1, case % 4 > 1);
            let text = blocks(order, sizes, lower_is_surface, equal);
            let sim = Simulation::of(&text);
            let pressures = sim.system.surfaces.forces_at_points(&sim.state, 0).into_iter();
            let loaded = pressures.filter(|point| point.initial[0].abs() <= 0.5 + 1e-9);
            let worst = loaded.map(|point| (point.pressure / 3e3 - 1.0).abs());
            let worst = worst.fold(0.0, f64::max);
            // All heights shrink by the same share.
            let height = |name: &str| sim.state.q[sim.point(name, 1)];
            let outer = if equal { ["d", "e"] } else { ["c", "f"] };
            let [c, d, f] = [outer[0], "d", outer[1]].map(|name| height(name) + 0.6);
            let bent = (d / c - 1.0).abs().max((f / c - 1.0).abs());
            println!(
                "order {order}, sides of {sizes:?} m, lower one the surface: {lower_is_surface}, of equal width: {equal}: pressure off by {worst:.1e}, heights by {bent:.1e}"
            );
            // Rounding of positions of 1 m beside a depth of 1e-5 m.
            assert!(worst < 1e-10 && bent < 1e-12, "{order} {sizes:?}: {worst} {bent}");
        }
    }
}

/// Half the width of contact that the cylinder is pressed to, m; its radius is 1 m.
const HALF: f64 = 0.01;

/// A cylinder of three times the modulus pressed on a block, plane strain, so many sides of a triangle on [`HALF`] of the surface, and of the
/// path by a ratio of their lengths, with what else there is.
fn cylinder(order: usize, sides: f64, ratio: f64, surface: &str, more: &str) -> String {
    let (wide, fine) = (6.0 * HALF, 1.6 * HALF);
    let own = HALF / sides;
    let (path, [upper, lower]) = match surface {
        "cylinder" => ("block", [own, ratio * own]),
        _ => ("cylinder", [ratio * own, own]),
    };
    let height = |x: f64| 1.0 - (1.0 - x * x).sqrt();
    let body = |name: &str, material: &str, corners: [[f64; 2]; 6], size: f64, curve: &str| {
        let points: String = (corners.iter().enumerate())
            .map(|(k, [x, y])| format!("{name}{k} = [{x:?}, {y:?}]\n"))
            .collect();
        let edges: String = (0..6)
            .map(|k| {
                let curve = if k < 3 { curve } else { "" };
                let size = if k == 1 { format!(", size = {size:?}") } else { String::new() };
                let to = (k + 1) % 6;
                format!("  {{ name = \"e{k}\", from = \"{name}{k}\", to = \"{name}{to}\"{curve}{size} }},\n")
            })
            .collect();
        format!(
            "[bodies.{name}]\nmaterial = \"{material}\"\nthickness = 1.0\nstate = \"plane_strain\"\norder = {order}\n\
             [bodies.{name}.outline]\nsize = {:?}\nedges = [\n{edges}]\n[points]\n{points}",
            2.4 * HALF * 6.0 / sides
        )
    };
    let x = [-wide, -fine, fine, wide, wide, -wide];
    let y = |k: usize| if k < 4 { height(x[k]) } else { 2.0 * wide };
    let above = std::array::from_fn(|k| [x[k], y(k)]);
    let below = std::array::from_fn(|k| {
        [-x[k] * if k == 1 || k == 2 { 1.25 } else { 1.0 }, if k < 4 { 0.0 } else { -2.0 * wide }]
    });
    // A motion holds the block along x where there is one.
    let fixed = if more.is_empty() { "\"x\", \"y\"" } else { "\"y\"" };
    let [above, below] = [
        body("cylinder", "hard", above, upper, ", arc.radius = 1.0"),
        body("block", "soft", below, lower, ""),
    ];
    let (points, bodies): (Vec<&str>, Vec<&str>) = [&above, &below]
        .map(|text| text.split_once("[points]\n").map_or(("", ""), |(body, points)| (points, body)))
        .into_iter()
        .unzip();
    Mechanism::new("hertz")
        .step(0.25)
        .solver("analysis = 'quasi_static'")
        .points(points.concat())
        .material("hard", 3e9, 0.3, 1000.0)
        .entry("materials.soft", "young_modulus = 1e9, poisson_ratio = 0.3, density = 1000.0")
        .add(bodies.concat())
        .support("block", format!("edge = 'block.e4', fix = [{fixed}]"))
        .support("cylinder", "edge = 'cylinder.e4', fix = ['x']")
        .motion("press", "edge = 'cylinder.e4', direction = 'y', amplitude = -1.5e-4")
        .and("history.ramp = { duration = 1.0, smooth = false }")
        .contact("it", format!("surface = ['{surface}.e1'], path = ['{path}.e1']"))
        .and("stiffness = 'penalty'")
        .add(more)
        .outputs("contacts.it.*")
        .text()
}

/// Largest pressure and half the width of contact by Hertz's under the same force.
fn by_hertz(text: &str) -> [f64; 2] {
    let mut sim = Simulation::of(text);
    sim.run(1.0, 0.25, |_| {});
    let [force, pressure, length] = ["normal_force", "pressure", "contact_length"]
        .map(|of| sim.get(&format!("contacts.it.{of}")));
    let modulus = 1.0 / (0.91 / 3e9 + 0.91 / 1e9);
    let largest = (force * modulus / PI).sqrt();
    let half = 2.0 * force / (PI * largest);
    [pressure / largest, 0.5 * length / half]
}

/// K. L. Johnson, Contact Mechanics, Eqs. 4.44-4.46: p = √(F E*/(π R)) whichever side is the surface, the sides of which the path's are longer or
/// shorter. The bodies are 12 half widths wide, which no half-plane is: 1 %.
/// Slow: the half width of contact needs a fine mesh, and three ratios of it.
#[test]
fn pressure_under_a_cylinder_is_that_of_hertz() {
    for (order, surface) in [
        (2, "cylinder"),
        (2, "block"),
        (3, "cylinder"),
        (3, "block"),
        (4, "cylinder"),
        (4, "block"),
    ] {
        for ratio in [1.0, 0.73, 1.37] {
            let [pressure, half] = by_hertz(&cylinder(order, 6.0, ratio, surface, ""));
            println!("order {order}, {surface}, {ratio}: {pressure:.4}, half width {half:.3}");
            assert!((pressure - 1.0).abs() < 0.02, "{order} {surface} {ratio}: {pressure}");
            // To half a side at each end.
            assert!((half - 1.0).abs() < 0.1, "{half}");
        }
    }
}

/// With triangles of order 1 the largest pressure comes nearer to Hertz's with the length of the sides, and slowly: those below the surface
/// are longer. (A path of few straight sides has corners: the cylinder is the surface.)
#[test]
fn pressure_of_linear_triangles_comes_near_to_hertz() {
    for ratio in [1.0, 0.73, 1.37] {
        let errors = [3.0, 12.0].map(|sides| {
            let [pressure, _] = by_hertz(&cylinder(1, sides, ratio, "cylinder", ""));
            println!("order 1, {ratio}, {sides} sides: {pressure:.4}");
            (pressure - 1.0).abs()
        });
        assert!(errors[1] < 0.8 * errors[0] && errors[1] < 0.035, "{errors:?}");
    }
}

/// The block drawn along below the cylinder, over sides that are longer or shorter: neither the largest pressure nor the force changes by 1 %,
/// wherever the nodes of both are.
/// Slow: 32 steps of two meshes fine enough to have ripples.
#[test]
fn meshes_that_slide_on_each_other_make_no_ripples() {
    for (order, sides, ratio) in [(2, 12.0, 0.73), (2, 12.0, 1.37), (3, 6.0, 1.37), (4, 6.0, 0.73)]
    {
        let way = 2.0 * ratio * HALF / sides;
        let more = format!(
            "[motions.slide]\nedge = \"block.e4\"\ndirection = \"x\"\namplitude = {way:?}\n\
             history.table = {{ times = [0.0, 1.0, 2.0], values = [0.0, 0.0, 1.0], interpolation = \"linear\" }}"
        );
        let mut sim = Simulation::of(&cylinder(order, sides, ratio, "cylinder", &more));
        let mut found = Vec::new();
        sim.run(2.0, 0.0625, |sim| {
            if sim.time() > 1.0 - 1e-9 {
                let force = sim.get("contacts.it.normal_force");
                // p² grows with the force.
                found.push([sim.get("contacts.it.pressure") / force.sqrt(), force]);
            }
        });
        let ripple = [0, 1].map(|k| {
            let all = || found.iter().map(|found| found[k]);
            all().fold(0.0, f64::max) / all().fold(f64::INFINITY, f64::min) - 1.0
        });
        println!(
            "order {order}, {sides} sides, {ratio}: pressure {:.2} %, force {:.3} %",
            100.0 * ripple[0],
            100.0 * ripple[1]
        );
        assert!(
            found.len() == 17 && ripple.iter().all(|r| *r < 0.01),
            "{order} {ratio}: {ripple:?}"
        );
    }
}
