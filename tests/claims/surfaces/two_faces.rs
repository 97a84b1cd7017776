//! A block whose two faces slide on an elastic member between them, with steps far longer than the periods of its layers.

use crate::common::Simulation;

/// A bead on a rail of its own, under friction of bounded bristles: its points, and the rest.
const BEAD: [&str; 2] = [
    "
rail_from = [6.5, 0.0]
rail_to = [9.5, 0.0]
bead = [7.0, 0.0]",
    r#"
[members.rail]
from = "rail_from"
to = "rail_to"
elements = 2
material = "soft"
section = "bar"
[supports.rail]
member = "rail"
fix = ["x", "y", "rotation"]
[masses.bead]
point = "bead"
mass = 1.0
[joints.bead]
cylindrical = { slider = "bead", path = ["rail"] }
friction.bristle_lcp = { stiffness = 1e4, coefficient = 0.2 }
[loads.bead]
point = "bead"
fx = 5.0"#,
];

/// The block, shaken along the member, with steps of `step` (s), beside something else.
fn shaken(step: f64, [points, rest]: [&str; 2]) -> Simulation {
    let mut sim = Simulation::of(&format!(
        r#"
name = "two_faces"
[solver]
step = {step:?}
spectral_radius = 0.8
[experiment]
communication_step = 0.005
[points]
from = [2.5, 0.11]
to = [5.5, 0.11]
a = [3.9, 0.0]
b = [4.16, 0.0]
c = [4.16, 0.22]
d = [3.9, 0.22]
middle = [4.03, 0.11]
ground = [6.0, 0.11]{points}
[materials.soft]
young_modulus = 3.2e10
poisson_ratio = 0.18
density = 811.5
[sections.bar]
rectangle = {{ height = 0.042, width = 0.012 }}
[members.bar]
from = "from"
to = "to"
elements = 5
order = 3
material = "soft"
section = "bar"
[supports.from]
point = "from"
fix = ["x", "y", "rotation"]
[supports.to]
point = "to"
fix = ["x", "y"]
[bodies.block]
material = "soft"
thickness = 0.0144
state = "plane_stress"
order = 2
points = ["middle"]
[bodies.block.patch]
cells = [2, 2]
edges = [
  {{ name = "low", from = "a", to = "b" }},
  {{ name = "right", from = "b", to = "c" }},
  {{ name = "top", from = "c", to = "d" }},
  {{ name = "left", from = "d", to = "a" }},
]
[contacts.faces]
surface = ["block.low", "block.top"]
path = ["bar"]
width = 0.22
clearance = 0
stiffness = "penalty"
friction.coulomb = {{ coefficient = 0.14, static_coefficient = 0.16 }}
[loads.shaking]
point = "middle"
fx = 33.0
history.sine = {{ frequency = 15.0 }}
[loads.corner]
point = "c"
fx = 21.0
[springs.back]
to = "middle"
ground = "ground"
direction = "x"
stiffness = 3600
damping = 135.0
actuator = -22.0
{rest}
[gravity]
y = -9.81
[initial]
velocities = "rest"
[interface]
outputs = ["points.*", "solver.*"]
"#
    ));
    sim.run(0.2, 0.005, |_| ());
    sim
}

/// With d and s taken from the positions Newton's method changes between sets of touching points here, and 6 parts of steps of 5 ms fail. The truth is that of
/// steps of 0.2 ms.
#[test]
fn steps_of_a_block_with_two_stiff_faces_are_rarely_halved() {
    let exact = shaken(2e-4, [""; 2]).get("points.middle.x") - 4.03;
    for (step, off) in [(5e-3, 0.2), (2.5e-3, 0.1), (1e-3, 0.02)] {
        let sim = shaken(step, [""; 2]);
        let moved = sim.get("points.middle.x") - 4.03;
        let rejections = sim.get("solver.rejections");
        let each = sim.get("solver.iterations") / sim.get("solver.steps");
        println!(
            "{step:?} s: moved {moved:.6} of {exact:.6} m, {rejections} rejections, {each:.1} iterations per step"
        );
        assert!((moved - exact).abs() < off * exact.abs(), "{step:?} s: {moved} of {exact}");
        assert!(rejections <= 1.0, "{step:?} s: {rejections}");
        assert!(each <= 10.0, "{step:?} s: {each}");
    }
}

/// Without what friction of the block makes unsymmetric in the tangent, a bead that the block knows nothing of would cost it five times the iterations.
#[test]
fn bounded_bristles_elsewhere_cost_a_contact_with_friction_no_iterations() {
    let [alone, beside] = [["", ""], BEAD].map(|more| {
        let sim = shaken(5e-3, more);
        let slid = more[0].is_empty() || sim.get("points.bead.x") > 7.01;
        assert!(slid, "the bead's bristles do not slip");
        ["iterations", "rejections"].map(|name| sim.get(&format!("solver.{name}")))
    });
    println!("iterations and rejections: {alone:?}, beside a bead {beside:?}");
    assert!(beside[0] <= 1.1 * alone[0] && beside[1] <= alone[1]);
}
