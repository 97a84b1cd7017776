//! Surfaces of rigid bodies: what presses on their straight sides is the integral over what is pressed in, however they are meshed.

use crate::common::Simulation;

/// Stiffness of the lining, N/m².
const K: f64 = 1e6;

/// A brick of 0.2 m tilted by 30° whose lowest corner touches the floor, pressed in by `depth` (m) until 1 s, with what
/// else there is.
fn brick(cells: [usize; 2], order: usize, floor: &str, depth: f64, more: &str) -> String {
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let corner = |a: f64, b: f64| {
        let (x, y) = (a * cos - b * sin, a * sin + b * cos);
        format!("[{x:?}, {y:?}]")
    };
    let side = 0.2;
    format!(
        r#"
name = "brick"
[solver]
analysis = "quasi_static"
step = 0.01
[points]
c0 = {}
c1 = {}
c2 = {}
c3 = {}
m = {}
g0 = [-1.0, 0.0]
g1 = [1.0, 0.0]
[bodies.brick]
rigid = true
mass = 1.0
inertia = 0.01
order = {order}
points = ["m"]
[bodies.brick.patch]
cells = [{}, {}]
edges = [
  {{ name = "bottom", from = "c0", to = "c1" }},
  {{ name = "right", from = "c1", to = "c2" }},
  {{ name = "top", from = "c2", to = "c3" }},
  {{ name = "left", from = "c3", to = "c0" }},
]
{floor}
[contacts.f]
surface = ["brick.bottom", "brick.left"]
path = ["floor"]
stiffness = {K:?}
{more}
[motions.y]
point = "m"
direction = "y"
amplitude = {:?}
history.table = {{ times = [0.0, 1.0, 2.0], values = [0.0, 1.0, 1.0], interpolation = "linear" }}
[interface]
outputs = ["motions.*", "supports.*", "contacts.f.*"]
"#,
        corner(0.0, 0.0),
        corner(side, 0.0),
        corner(side, side),
        corner(0.0, side),
        corner(0.5 * side, 0.5 * side),
        cells[0],
        cells[1],
        -depth,
    )
}

const STILL: &str = "[members.floor]\nfrom = \"g0\"\nto = \"g1\"\nelements = 1\norder = 1\n[supports.floor]\nmember = \"floor\"\nfix = [\"x\", \"y\", \"rotation\"]\n";

/// k d²/2 (1/sin + 1/cos) at the centre of pressure, which is a third of the way from the corner to where each side comes out.
#[test]
fn a_tilted_brick_is_borne_by_what_is_pressed_in_whatever_its_mesh() {
    let (sin, cos, depth) = (0.5, 0.75_f64.sqrt(), 0.01);
    let held = "[supports.m]\npoint = \"m\"\nfix = [\"x\", \"rotation\"]\n";
    for cells in [[1, 1], [3, 2], [16, 16]] {
        for order in 1..=3 {
            let mut sim = Simulation::of(&brick(cells, order, STILL, depth, held));
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
            assert!(
                (found / force - 1.0).abs() < 1e-10,
                "{cells:?} {order}: {found} {force}"
            );
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
