//! Surfaces of rigid bodies: what presses on their outlines is the integral over what is pressed in, however they are meshed.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// Stiffness of the contact layer, N/m².
pub const K: f64 = 1e6;

/// A brick of 0.2 m tilted by 30° whose lowest corner touches the floor, pressed in by `depth` (m) until 1 s, with what
/// else there is.
fn brick(cells: [usize; 2], order: usize, floor: &str, depth: f64, more: &str) -> String {
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let corner = |a: f64, b: f64| {
        let (x, y) = (a * cos - b * sin, a * sin + b * cos);
        format!("[{x:?}, {y:?}]")
    };
    let side = 0.2;
    Mechanism::new("brick")
        .step(0.01)
        .solver("analysis = 'quasi_static'")
        .points(format!("c0 = {}, c1 = {}", corner(0.0, 0.0), corner(side, 0.0)))
        .and(format!("c2 = {}, c3 = {}", corner(side, side), corner(0.0, side)))
        .and(format!("m = {}, g0 = [-1.0, 0.0]", corner(0.5 * side, 0.5 * side)))
        .and("g1 = [1.0, 0.0]")
        .body("brick", format!("rigid = true, mass = 1.0, inertia = 0.01, order = {order}"))
        .and("points = ['m']")
        .patch("brick", [cells[0], cells[1]], "bottom: c0, right: c1, top: c2, left: c3")
        .add(floor)
        .contact("f", "surface = ['brick.bottom', 'brick.left'], path = ['floor']")
        .and(format!("stiffness = {K:?}"))
        .then(more)
        .motion("y", format!("point = 'm', direction = 'y', amplitude = {:?}", -depth))
        .and("history.table.times = [0.0, 1.0, 2.0], history.table.values = [0.0, 1.0, 1.0]")
        .and("history.table.interpolation = 'linear'")
        .outputs("motions.* supports.* contacts.f.*")
        .text()
}

pub const STILL: &str = "[members.floor]\nfrom = \"g0\"\nto = \"g1\"\nelements = 1\norder = 1\n[supports.floor]\nmember = \"floor\"\nfix = [\"x\", \"y\", \"rotation\"]\n";

/// A rigid member, which has mass and unknowns of its own.
const RIGID: &str = "[members.floor]\nfrom = \"g0\"\nto = \"g1\"\nrigid = true\n[supports.floor]\nmember = \"floor\"\nfix = [\"x\", \"y\", \"rotation\"]\n";

/// k d²/2 (1/sin + 1/cos) at the centre of pressure, which is a third of the way from the corner to where each side comes out.
#[test]
fn a_tilted_brick_is_borne_by_what_is_pressed_in_whatever_its_mesh() {
    let (sin, cos, depth) = (0.5, 0.75_f64.sqrt(), 0.01);
    let held = "[supports.m]\npoint = \"m\"\nfix = [\"x\", \"rotation\"]\n";
    for (cells, floor) in
        [([1, 1], STILL), ([1, 1], RIGID), ([3, 2], STILL), ([3, 2], RIGID), ([16, 16], STILL)]
    {
        for order in 1..=3 {
            let mut sim = Simulation::of(&brick(cells, order, floor, depth, held));
            sim.run(1.0, 0.01, |_| {});
            let get = |of: &str| sim.get(&format!("contacts.f.{of}"));
            let force = 0.5 * K * depth * depth * (1.0 / sin + 1.0 / cos);
            // Where the corner is after the way down, and where each side comes out of the floor.
            let [right, left] = [depth / sin * cos, depth / cos * sin];
            let centre = 0.5 * K * depth * depth * (right / sin - left / cos) / 3.0 / force;
            let found = get("normal_force");
            println!(
                "{cells:?} order {order}: {found} N, exact {force}, centre {} {centre}",
                get("centre") - 1.0
            );
            assert!((found / force - 1.0).abs() < 1e-10, "{cells:?} {order}: {found} {force}");
            assert!((get("centre") - 1.0 - centre).abs() < 1e-10);
            assert!((get("fy") + force).abs() < 1e-9 * force);
            assert!((get("line_pressure") / (K * depth) - 1.0).abs() < 1e-10);
            assert!((get("contact_length") / (depth / sin + depth / cos) - 1.0).abs() < 1e-10);
        }
    }
}

/// Pushed along, its friction is μ times that force, at the centre of pressure: the moment about its middle is that of both.
#[test]
fn a_tilted_brick_slides_with_the_friction_of_what_is_pressed_in() {
    let (depth, mu) = (0.01, 0.3);
    let more = format!(
        "friction.coulomb = {{ coefficient = {mu:?} }}\n[supports.m]\npoint = \"m\"\nfix = [\"rotation\"]\n\
         [motions.x]\npoint = \"m\"\ndirection = \"x\"\namplitude = 0.05\n\
         history.table = {{ times = [0.0, 1.0, 2.0], values = [0.0, 0.0, 1.0], interpolation = \"linear\" }}"
    );
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let force = 0.5 * K * depth * depth * (1.0 / sin + 1.0 / cos);
    // Pressure grows with the depth: its centre is at two thirds of that.
    let along = 0.5 * K * depth.powi(3) / 3.0 * (cos / (sin * sin) - sin / (cos * cos)) / force;
    let lever = [along - 0.1 * (cos - sin), depth / 3.0 - 0.1 * (sin + cos)];
    let moment = -force * (lever[0] + mu * lever[1]);
    for cells in [[1, 1], [5, 7]] {
        for order in [1, 2] {
            let mut sim = Simulation::of(&brick(cells, order, STILL, depth, &more));
            sim.run(2.0, 0.01, |_| {});
            let get = |of: &str| sim.get(&format!("contacts.f.{of}"));
            let share = get("friction_force").abs() / get("normal_force");
            assert!((share / mu - 1.0).abs() < 1e-9, "{share}");
            let found = sim.get("supports.m.moment");
            println!("{cells:?} order {order}: {found} N m, exact {moment}");
            assert!((found / moment - 1.0).abs() < 1e-9, "{found} {moment}");
        }
    }
}

/// On a floor that gives way the mesh of the brick plays no role either.
#[test]
fn on_an_elastic_floor_the_mesh_of_a_rigid_brick_plays_no_role() {
    let held = "[supports.m]\npoint = \"m\"\nfix = [\"x\", \"rotation\"]\n[materials.steel]\nyoung_modulus = 2e11\npoisson_ratio = 0.3\n\
        density = 7800.0\n[sections.bar]\nrectangle = { height = 0.02, width = 0.05 }\n[supports.g0]\npoint = \"g0\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
        [supports.g1]\npoint = \"g1\"\nfix = [\"x\", \"y\", \"rotation\"]\n";
    let bends = "[members.floor]\nfrom = \"g0\"\nto = \"g1\"\nelements = 40\norder = 3\nmaterial = \"steel\"\nsection = \"bar\"\n";
    let mut forces = Vec::new();
    for cells in [[1, 1], [4, 4], [16, 16]] {
        for order in [1, 2] {
            let mut sim = Simulation::of(&brick(cells, order, bends, 0.01, held));
            sim.run(1.0, 0.01, |_| {});
            forces.push(sim.get("contacts.f.normal_force"));
        }
    }
    println!("{forces:?} N");
    for force in &forces {
        assert!((force / forces[0] - 1.0).abs() < 1e-9, "{forces:?}");
    }
}

/// What a rigid shape is pressed on by a `depth` (m) until 1 s: the shape `it` whose reference is `m`, and what stands still.
pub fn pressed(points: &str, shape: &str, still: &str, contact: &str, depth: f64) -> Simulation {
    let text = format!(
        "name = \"pressed\"\n[solver]\nanalysis = \"quasi_static\"\nstep = 0.05\n[points]\nm = [0.0, 0.1]\n{points}\n{shape}\n{still}\n\
         [contacts.f]\nstiffness = {K:?}\n{contact}\n[supports.m]\npoint = \"m\"\nfix = [\"x\", \"rotation\"]\n\
         [motions.y]\npoint = \"m\"\ndirection = \"y\"\namplitude = {:?}\n\
         history.table = {{ times = [0.0, 1.0, 2.0], values = [0.0, 1.0, 1.0], interpolation = \"linear\" }}\n\
         [interface]\noutputs = [\"contacts.f.*\"]\n",
        -depth
    );
    let mut sim = Simulation::of(&text);
    sim.run(1.0, 0.05, |_| {});
    sim
}

/// The lower half of a rigid disc of 0.1 m as an edge `low`, with triangles of this size, and its ends.
fn disc(name: &str, order: usize, size: f64) -> String {
    format!(
        "[bodies.{name}]\nrigid = true\nmass = 1.0\ninertia = 0.01\norder = {order}\npoints = [\"m\"]\n[bodies.{name}.outline]\n\
         size = {size:?}\nedges = [\n  {{ name = \"low\", from = \"left\", to = \"right\", arc.radius = 0.1 }},\n  \
         {{ name = \"high\", from = \"right\", to = \"left\", arc.radius = 0.1 }},\n]\n"
    )
}

const DISC: &str = "left = [-0.1, 0.1]\nright = [0.1, 0.1]\ng0 = [-1.0, 0.0]\ng1 = [1.0, 0.0]";

/// Σ k ⟨depth⟩ over a face.
fn sum(length: f64, depth: impl Fn(f64) -> f64) -> f64 {
    let count = 200_000;
    let step = length / count as f64;
    let middles = (0..count).map(|k| (k as f64 + 0.5) * step - 0.5 * length);
    middles.map(|x| K * step * depth(x).max(0.0)).sum()
}

/// k ∫ ⟨d − R (1 − cos θ)⟩ R dθ = 2 k R ((d − R) θ₀ + R sin θ₀) on a plane, at each depth and for each mesh of the disc.
#[test]
fn a_rigid_disc_is_borne_by_its_arc_whatever_its_mesh() {
    let contact = "surface = [\"it.low\"]\npath = [\"floor\"]";
    for depth in [2e-3, 1e-4_f64] {
        let angle = (1.0 - depth / 0.1).acos();
        let exact = 0.2 * K * ((depth - 0.1) * angle + 0.1 * angle.sin());
        for (order, size) in [(1, 0.05), (1, 0.02), (1, 0.005), (3, 0.05)] {
            let sim = pressed(DISC, &disc("it", order, size), STILL, contact, depth);
            let get = |of: &str| sim.get(&format!("contacts.f.{of}"));
            let found = get("normal_force");
            println!("order {order}, {size} m, {depth} m deep: {found} N, exact {exact}");
            assert!((found / exact - 1.0).abs() < 5e-4, "{found} {exact}");
            assert!((get("line_pressure") / (K * depth) - 1.0).abs() < 1e-9);
            assert!((get("gap") / depth + 1.0).abs() < 1e-9);
            assert!((get("contact_length") / (0.2 * angle) - 1.0).abs() < 5e-4);
            assert!((get("fy") / found + 1.0).abs() < 0.02, "{}", get("fy"));
        }
    }
}

/// A disc in a bore that is a little wider, whose curvature its own hardly exceeds: ∫ ⟨|X| − R⟩ over its arc.
#[test]
fn a_rigid_disc_is_borne_by_its_bore_whatever_its_mesh() {
    let bore = "[members.floor]\nfrom = \"g0\"\nto = \"g1\"\nelements = 40\norder = 3\narc.radius = 0.11\n\
                [supports.floor]\nmember = \"floor\"\nfix = [\"x\", \"y\", \"rotation\"]\n";
    // A little less than a half circle about [0, 0.11].
    let points = "left = [-0.1, 0.1]\nright = [0.1, 0.1]\ng0 = [-0.1099, \"0.11 - sqrt(0.11^2 - 0.1099^2)\"]\n\
                  g1 = [0.1099, \"0.11 - sqrt(0.11^2 - 0.1099^2)\"]";
    let contact = "surface = [\"it.low\"]\npath = [\"floor\"]";
    let depth = 5e-4;
    let exact = sum(0.1 * std::f64::consts::PI, |s| {
        let (sin, cos) = (s / 0.1).sin_cos();
        (0.1 * sin).hypot(0.1 - depth - 0.1 * cos - 0.11) - 0.11
    });
    for (order, size) in [(1, 0.05), (1, 0.01), (3, 0.03)] {
        let sim = pressed(points, &disc("it", order, size), bore, contact, depth);
        let found = sim.get("contacts.f.normal_force");
        println!("order {order}, {size} m: {found} N, exact {exact}");
        assert!((found / exact - 1.0).abs() < 1e-4, "{found} {exact}");
    }
}

/// The disc stands still, and a plate is pressed on it: ∫ ⟨R − |X|⟩ over the plate.
#[test]
fn a_rigid_disc_bears_with_its_arc_whatever_its_mesh() {
    let points = "left = [-0.1, 0.0]\nright = [0.1, 0.0]\na = [-0.05, 0.1]\nb = [0.05, 0.1]\nc = [0.05, 0.12]\nd = [-0.05, 0.12]\no = [0.0, 0.0]";
    let plate = "[bodies.it]\nrigid = true\nmass = 1.0\ninertia = 0.01\norder = 1\npoints = [\"m\"]\n[bodies.it.patch]\ncells = [3, 1]\n\
                 edges = [\n  { name = \"bottom\", from = \"a\", to = \"b\" },\n  { name = \"right\", from = \"b\", to = \"c\" },\n  \
                 { name = \"top\", from = \"c\", to = \"d\" },\n  { name = \"left\", from = \"d\", to = \"a\" },\n]\n";
    let contact = "surface = [\"it.bottom\"]\npath = [\"disc.high\"]";
    let depth = 1e-3;
    let exact = sum(0.1, |x| 0.1 - x.hypot(0.1 - depth));
    for (order, size) in [(1, 0.05), (1, 0.01), (3, 0.05)] {
        let still = disc("disc", order, size).replace("\"m\"", "\"o\"")
            + "[supports.o]\npoint = \"o\"\nfix = [\"x\", \"y\", \"rotation\"]\n";
        let sim = pressed(points, plate, &still, contact, depth);
        let found = sim.get("contacts.f.normal_force");
        println!("order {order}, {size} m: {found} N, exact {exact}");
        assert!((found / exact - 1.0).abs() < 1e-4, "{found} {exact}");
    }
}

/// On a floor that bends, the mesh of the disc plays no role either.
#[test]
fn on_an_elastic_floor_the_mesh_of_a_rigid_disc_plays_no_role() {
    let bends = "[materials.steel]\nyoung_modulus = 2e11\npoisson_ratio = 0.3\ndensity = 7800.0\n[sections.bar]\n\
        rectangle = { height = 0.02, width = 0.05 }\n[supports.g0]\npoint = \"g0\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
        [supports.g1]\npoint = \"g1\"\nfix = [\"x\", \"y\", \"rotation\"]\n[members.floor]\nfrom = \"g0\"\nto = \"g1\"\nelements = 40\n\
        order = 3\nmaterial = \"steel\"\nsection = \"bar\"\n";
    let contact = "surface = [\"it.low\"]\npath = [\"floor\"]";
    let forces = [(1, 0.05), (1, 0.01), (3, 0.05)].map(|(order, size)| {
        let sim = pressed(DISC, &disc("it", order, size), bends, contact, 2e-3);
        sim.get("contacts.f.normal_force")
    });
    println!("{forces:?} N");
    for force in forces {
        assert!((force / forces[0] - 1.0).abs() < 1e-9, "{forces:?}");
    }
}
