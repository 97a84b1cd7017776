//! Rigid bodies: three unknowns each, against equations of motion by hand.

use crate::common::{Simulation, check, refusal, runge_kutta, sensitivity};

const G: f64 = 9.81;

/// A rigid plate from (0, 0) to (1, 0.2) m, 10 mm thick, of steel: 15.7 kg.
const PLATE: &str = r#"
[materials.steel]
young_modulus = 210e9
poisson_ratio = 0.3
density = 7850.0
[bodies.rod]
material = "steel"
thickness = 0.01
rigid = true
[bodies.rod.patch]
edges = [
  { name = "bottom", from = "A", to = "B" },
  { name = "right", from = "B", to = "C" },
  { name = "top", from = "C", to = "D" },
  { name = "left", from = "D", to = "A" },
]
cells = [3, 1]
"#;

const MASS: f64 = 7850.0 * 0.01 * 0.2;
const INERTIA: f64 = MASS * (1.0 + 0.04) / 12.0;

/// A model with the plate, a solver step in s, more points and whatever else, with all outputs.
fn plate(step: f64, points: &str, more: &str) -> String {
    // A hinge has no outputs.
    let outputs: Vec<String> = (["joints.bead", "supports.", "motions.", "probes."].into_iter())
        .filter(|section| more.contains(&format!("[{section}")))
        .map(|section| format!("\"{}.*\"", section.trim_end_matches('.')))
        .collect();
    format!(
        r#"
name = "rigid"
[solver]
step = {step:?}
[gravity]
y = -9.81
[interface]
outputs = ["points.*", "energy.*", {}]
[points]
A = [0.0, 0.0]
B = [1.0, 0.0]
C = [1.0, 0.2]
D = [0.0, 0.2]
{points}
{PLATE}
{more}
"#,
        outputs.join(", ")
    )
}

const PIVOT: &str = "[supports.pivot]\npoint = \"A\"\nfix = [\"x\", \"y\"]\n";

#[test]
fn a_plate_on_a_pivot_swings_through_as_a_physical_pendulum() {
    let exact = |t: f64| {
        // The centre is at (0.5, 0.1) m from the pivot.
        let inertia = INERTIA + MASS * (0.25 + 0.01);
        let [turn, rate] = runge_kutta([0.0, 0.0], 0.0, t, 4000, |_, &[turn, rate]| {
            let lever = 0.5 * turn.cos() - 0.1 * turn.sin();
            [rate, -MASS * G * lever / inertia]
        });
        let acceleration = -MASS * G * (0.5 * turn.cos() - 0.1 * turn.sin()) / inertia;
        (turn, rate, acceleration)
    };
    let mut errors = Vec::new();
    for step in [4e-3, 2e-3, 1e-3] {
        let mut run = Simulation::of(&plate(step, "", PIVOT));
        let mut worst = 0.0_f64;
        run.run(2.0, 0.1, |run| {
            let (turn, rate, acceleration) = exact(run.time());
            let [x, y] = [turn.cos(), turn.sin()];
            worst = worst
                .max((run.get("points.B.x") - x).abs())
                .max((run.get("points.B.y") - y).abs())
                .max((run.get("points.C.rotation") - turn).abs());
            // The pivot carries weight and inertia.
            let centre = [0.5 * x - 0.1 * y, 0.5 * y + 0.1 * x];
            let pull = |i: usize| {
                let across = [-centre[1], centre[0]][i];
                MASS * (acceleration * across - rate * rate * centre[i])
            };
            let force = [pull(0), pull(1) + MASS * G];
            for (axis, force) in ["fx", "fy"].into_iter().zip(force) {
                let seen = run.get(&format!("supports.pivot.{axis}"));
                assert!(
                    (seen - force).abs() < 3e3 * step * step * MASS * G,
                    "{seen} {force}"
                );
            }
        });
        assert!(run.get("energy.balance").abs() < 30.0 * step * step);
        errors.push(worst);
    }
    assert!(errors[2] < 4e-5, "{errors:?}");
    let order = (errors[1] / errors[2]).log2();
    assert!((order - 2.0).abs() < 0.1, "{errors:?}");
}

#[test]
fn a_free_plate_keeps_its_momenta_and_falls_as_a_point_does() {
    let more = r#"
[probes.centre]
place = { body = "rod", at = [0.5, 0.1] }
[initial]
velocities = "rigid_mechanism"
[initial.points.A]
vx = 1.0
vy = 3.0
rotation_rate = 5.0
"#;
    let mut run = Simulation::of(&plate(1e-3, "", more));
    // v_C = v_A + ω × (C − A).
    let start = [1.0 - 5.0 * 0.1, 3.0 + 5.0 * 0.5];
    run.run(1.0, 0.05, |run| {
        let t = run.time();
        let near = |path: &str, exact: f64, by: f64| {
            let seen = run.get(path);
            assert!((seen - exact).abs() < by, "{path} {seen} {exact} at {t}");
        };
        near("probes.centre.x", 0.5 + start[0] * t, 1e-12);
        near(
            "probes.centre.y",
            0.1 + start[1] * t - 0.5 * G * t * t,
            1e-9,
        );
        near("probes.centre.vy", start[1] - G * t, 1e-11);
        near("points.B.rotation", 5.0 * t, 1e-11);
        let (x, y) = (run.get("probes.centre.x"), run.get("probes.centre.y"));
        let (sin, cos) = (5.0 * t).sin_cos();
        near("points.D.x", x - 0.5 * cos - 0.1 * sin, 1e-11);
        near("points.D.y", y - 0.5 * sin + 0.1 * cos, 1e-11);
        // Points have velocities of their own, which the method integrates: off by ω d (ω h)²/12.
        near(
            "points.D.vx",
            start[0] - 5.0 * (-0.5 * sin + 0.1 * cos),
            2e-5,
        );
        near("energy.balance", 0.0, 1e-8);
    });
}

#[test]
fn a_bead_flies_out_along_a_rigid_edge_that_turns() {
    let more = r#"
[masses.bead]
point = "P"
mass = 0.5
[joints.bead]
cylindrical = { slider = "P", path = ["rod.bottom"] }
[supports.pivot]
point = "A"
fix = ["x", "y"]
[motions.turn]
point = "A"
direction = "rotation"
rate = 2.0
[initial]
velocities = "rigid_mechanism"
[initial.points.P]
vx = 0.0
"#;
    let text = plate(5e-4, "P = [0.3, 0.0]", more).replace("y = -9.81", "y = 0.0");
    let mut run = Simulation::of(&text);
    run.run(0.5, 0.05, |run| {
        let (t, w) = (run.time(), 2.0);
        let (s, rate) = (0.3 * (w * t).cosh(), 0.3 * w * (w * t).sinh());
        let near = |path: &str, exact: f64, by: f64| {
            let seen = run.get(path);
            assert!((seen - exact).abs() < by, "{path} {seen} {exact} at {t}");
        };
        near("joints.bead.position", s, 1e-6);
        near("joints.bead.velocity", rate, 1e-5);
        near("joints.bead.normal_force", 0.5 * 2.0 * w * rate, 1e-4);
        near("points.P.x", s * (w * t).cos(), 1e-6);
    });
}

#[test]
fn a_bead_and_a_free_hoop_keep_their_momenta() {
    let text = r#"
name = "hoop"
[solver]
step = 5e-4
[interface]
outputs = ["joints.*", "points.*", "energy.*", "probes.*"]
[points]
M = [0.2, 0.1]
P = [0.7, 0.1]
[materials.steel]
young_modulus = 210e9
poisson_ratio = 0.3
density = 1000.0
[bodies.hoop]
material = "steel"
thickness = 0.01
rigid = true
order = 4
[bodies.hoop.outline]
size = 0.1
edges = [{ name = "outer", circle = { center = "M", radius = 0.6 } }]
holes = [[{ name = "inner", circle = { center = "M", radius = 0.5 } }]]
[masses.bead]
point = "P"
mass = 2.0
[joints.bead]
cylindrical = { slider = "P", path = ["hoop.inner"], ends = "closed" }
[probes.centre]
place = { body = "hoop", at = [0.75, 0.1] }
[initial.points.P]
vy = 3.0
"#;
    let mut run = Simulation::of(text);
    let mass = 1000.0 * 0.01 * std::f64::consts::PI * (0.36 - 0.25);
    let total = mass + 2.0;
    let (x, y) = (run.get("points.P.x"), run.get("points.P.y"));
    assert!((run.get("points.P.vy") - 3.0).abs() < 1e-6);
    run.run(2.0, 0.1, |run| {
        let t = run.time();
        // The bead, and the hoop's centre from two of its places that are opposite of each other.
        let [px, py] = ["x", "y"].map(|axis| run.get(&format!("points.P.{axis}")));
        let place = [run.get("probes.centre.x"), run.get("probes.centre.y")];
        // The centre of mass of both moves on as it began; the bead stays on a circle about the hoop's centre.
        let both = [
            (2.0 * x + mass * 0.2) / total,
            (2.0 * y + mass * 0.1) / total,
        ];
        let now = [both[0], both[1] + 2.0 * 3.0 * t / total];
        let hoop = [0, 1].map(|i| (total * now[i] - 2.0 * [px, py][i]) / mass);
        let [dx, dy] = [place[0] - hoop[0], place[1] - hoop[1]];
        assert!((dx.hypot(dy) - 0.55).abs() < 1e-6, "{}", dx.hypot(dy));
        let off = (px - hoop[0]).hypot(py - hoop[1]) - 0.5;
        assert!(off.abs() < 2e-6, "{off}");
        // Nothing turns the hoop about its own centre: smooth forces point there.
        assert!(dy.atan2(dx).abs() < 2e-5, "{}", dy.atan2(dx));
        assert!(
            run.get("energy.balance").abs() < 1e-4,
            "{}",
            run.get("energy.balance")
        );
    });
}

#[test]
fn a_follower_on_an_eccentric_disc_rises_by_the_law_of_the_cam() {
    let text = r#"
name = "cam"
[solver]
step = 1e-3
[interface]
outputs = ["joints.*", "points.*", "motions.*", "energy.*"]
[points]
O = [0.0, 0.0]
M = [0.1, 0.0]
P = [0.0, 0.28284271247461906]
low = [0.0, 0.1]
high = [0.0, 0.6]
[materials.steel]
young_modulus = 210e9
poisson_ratio = 0.3
density = 7850.0
[bodies.disc]
material = "steel"
thickness = 0.01
rigid = true
order = 4
points = ["O"]
[bodies.disc.outline]
size = 0.1
edges = [{ name = "rim", circle = { center = "M", radius = 0.3 } }]
[members.guide]
from = "low"
to = "high"
elements = 1
order = 1
[supports.guide]
member = "guide"
fix = ["x", "y", "rotation"]
[supports.axle]
point = "O"
fix = ["x", "y"]
[motions.turn]
point = "O"
direction = "rotation"
rate = 3.0
[masses.follower]
point = "P"
mass = 0.4
[joints.rim]
cylindrical = { slider = "P", path = ["disc.rim"], ends = "closed" }
[joints.guide]
cylindrical = { slider = "P", path = ["guide"] }
[initial]
velocities = "rigid_mechanism"
"#;
    let mut run = Simulation::of(text);
    run.run(4.0, 0.1, |run| {
        let angle = 3.0 * run.time();
        let (e, r) = (0.1, 0.3_f64);
        let height = e * angle.sin() + (r * r - (e * angle.cos()).powi(2)).sqrt();
        let seen = run.get("points.P.y");
        // Sides of order 4 of 0.1 m are off the circle by 1e-8 m.
        assert!(
            (seen - height).abs() < 2e-7,
            "{seen} {height} at {}",
            run.time()
        );
    });
    assert!(run.get("energy.balance").abs() < 1e-4);
}

#[test]
fn a_rigid_block_on_two_of_its_corners_slides_down_a_slope_as_a_particle_does() {
    let slope: f64 = 0.5;
    let (sin, cos) = slope.sin_cos();
    // The block's bottom lies along the slope through the origin.
    let at = |along: f64, up: f64| {
        format!(
            "[{:?}, {:?}]",
            along * cos + up * sin,
            -along * sin + up * cos
        )
    };
    let text = format!(
        r#"
name = "block"
[solver]
step = 1e-3
[gravity]
y = -9.81
[interface]
outputs = ["joints.*", "points.*", "energy.*"]
[points]
A = {}
B = {}
C = {}
D = {}
top = {}
end = {}
[materials.steel]
young_modulus = 210e9
poisson_ratio = 0.3
density = 7850.0
[bodies.block]
material = "steel"
thickness = 0.01
rigid = true
[bodies.block.patch]
edges = [
  {{ name = "bottom", from = "A", to = "B" }},
  {{ name = "right", from = "B", to = "C" }},
  {{ name = "top", from = "C", to = "D" }},
  {{ name = "left", from = "D", to = "A" }},
]
cells = [1, 1]
[members.slope]
from = "top"
to = "end"
elements = 1
order = 1
[supports.slope]
member = "slope"
fix = ["x", "y", "rotation"]
[joints.block]
sliding = {{ edge = "block.bottom", path = ["slope"], nodes = "NODES" }}
friction.coulomb = {{ coefficient = 0.3 }}
"#,
        at(0.0, 0.0),
        at(0.4, 0.0),
        at(0.4, 0.2),
        at(0.0, 0.2),
        at(-1.0, 0.0),
        at(9.0, 0.0),
    );
    for nodes in ["ends", "mean"] {
        let mut run = Simulation::of(&text.replace("NODES", nodes));
        let acceleration = G * (sin - 0.3 * cos);
        let start = run.get("joints.block.position");
        run.run(1.0, 0.1, |run| {
            let t = run.time();
            let way = run.get("joints.block.position") - start;
            let exact = 0.5 * acceleration * t * t;
            assert!((way - exact).abs() < 1e-9, "{nodes}: {way} {exact}");
        });
        assert!(run.get("energy.balance").abs() < 1e-8);
    }
}

#[test]
fn a_rigid_body_at_the_tip_lowers_the_frequencies_of_a_cantilever_as_its_mass_and_inertia_do() {
    // A slender steel cantilever of 2 m up to A, the plate clamped to its tip in line.
    let more = r#"
[sections.bar]
rectangle = { height = 0.02, width = 0.05 }
[members.beam]
from = "W"
to = "A"
elements = 8
material = "steel"
section = "bar"
[supports.wall]
point = "W"
fix = ["x", "y", "rotation"]
"#;
    let text = plate(1e-3, "W = [-2.0, 0.0]", more).replace("y = -9.81", "y = 0.0");
    let run = Simulation::of(&text);
    let seen = run.frequencies(2);
    // Of a beam without inertia of rotation and shear with a body whose centre is at a before and b beside its tip.
    let stiffness = 210e9 * 0.05 * 0.02_f64.powi(3) / 12.0;
    let (line, length, ahead, beside) = (7850.0 * 0.02 * 0.05, 2.0, 0.5, 0.1_f64);
    let tension = 210e9 * 0.02 * 0.05;
    let determinant = |w: f64| {
        let k = (line * w * w / stiffness).powf(0.25);
        let (s, c, sh, ch) = (
            (k * length).sin(),
            (k * length).cos(),
            (k * length).sinh(),
            (k * length).cosh(),
        );
        // v = a (cosh − cos) + b (sinh − sin): v, v′, v″, v‴ of both at the tip.
        let a = [ch - c, k * (sh + s), k * k * (ch + c), k.powi(3) * (sh - s)];
        let b = [sh - s, k * (ch - c), k * k * (sh + s), k.powi(3) * (ch + c)];
        // u = d sin(p x) along the bar.
        let p = w * (line / tension).sqrt();
        let (u, force) = ((p * length).sin(), tension * p * (p * length).cos());
        // EI v‴ = −M w² (v + a v′) ; EI v″ = w² (J v′ + M a (v + a v′) − M b (u − b v′)); EA u′ = M w² (u − b v′).
        let mut rows = [[0.0; 3]; 3];
        for (j, [v, slope, bend, shear]) in [a, b].into_iter().enumerate() {
            let up = v + ahead * slope;
            let across = -beside * slope;
            rows[0][j] = stiffness * shear + MASS * w * w * up;
            rows[1][j] = stiffness * bend
                - w * w * (INERTIA * slope + MASS * ahead * up - MASS * beside * across);
            rows[2][j] = -MASS * w * w * across;
        }
        rows[1][2] = w * w * MASS * beside * u;
        rows[2][2] = force - MASS * w * w * u;
        let [[a, b, c], [d, e, f], [g, h, i]] = rows;
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    };
    let root = |near: f64| {
        let (mut low, mut high) = (0.9 * near, 1.1 * near);
        assert!(determinant(low) * determinant(high) < 0.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if determinant(low) * determinant(middle) <= 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    };
    for (seen, within) in seen.into_iter().zip([2e-4, 2e-3]) {
        let exact = root(seen);
        assert!((seen / exact - 1.0).abs() < within, "{seen} {exact}");
    }
}

#[test]
fn two_rigid_bodies_that_share_a_point_are_a_double_pendulum() {
    let second = r#"
[bodies.second]
material = "steel"
thickness = 0.01
rigid = true
[bodies.second.patch]
edges = [
  { name = "bottom", from = "B", to = "E" },
  { name = "right", from = "E", to = "F" },
  { name = "top", from = "F", to = "H" },
  { name = "left", from = "H", to = "B" },
]
cells = [1, 1]
[supports.pivot]
point = "A"
fix = ["x", "y"]
"#;
    let points = "E = [1.8, 0.0]\nF = [1.8, 0.1]\nH = [1.0, 0.1]";
    let step = 5e-4;
    let mut run = Simulation::of(&plate(step, points, second));
    let (m, j) = (
        7850.0 * 0.01 * 0.08,
        7850.0 * 0.01 * 0.08 * (0.64 + 0.01) / 12.0,
    );
    // Lagrange's equations in both angles, with centres at c from the joints.
    let equations = |_: f64, &[a, b, u, v]: &[f64; 4]| {
        let turned = |[x, y]: [f64; 2], t: f64| {
            let (sin, cos) = t.sin_cos();
            [cos * x - sin * y, sin * x + cos * y]
        };
        let [c, l, d] = [
            turned([0.5, 0.1], a),
            turned([1.0, 0.0], a),
            turned([0.4, 0.05], b),
        ];
        let dot = |p: [f64; 2], q: [f64; 2]| p[0] * q[0] + p[1] * q[1];
        let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
        let m11 = INERTIA + MASS * dot(c, c) + m * dot(l, l);
        let (m12, m22) = (m * dot(l, d), j + m * dot(d, d));
        let f1 = -m * cross(d, l) * v * v - MASS * G * c[0] - m * G * l[0];
        let f2 = m * cross(d, l) * u * u - m * G * d[0];
        let det = m11 * m22 - m12 * m12;
        [
            u,
            v,
            (m22 * f1 - m12 * f2) / det,
            (m11 * f2 - m12 * f1) / det,
        ]
    };
    run.run(1.5, 0.1, |run| {
        let [a, b, ..] = runge_kutta([0.0; 4], 0.0, run.time(), 8000, equations);
        for (path, exact) in [("points.C.rotation", a), ("points.E.rotation", b)] {
            let seen = run.get(path);
            assert!(
                (seen - exact).abs() < 2e-4,
                "{path} {seen} {exact} at {}",
                run.time()
            );
        }
    });
    assert!(
        run.get("energy.balance").abs() < 1e-2,
        "{}",
        run.get("energy.balance")
    );
}

#[test]
fn a_rigid_lever_balances_in_statics_and_its_hinged_rod_carries_the_force() {
    let more = r#"
[sections.bar]
rectangle = { height = 0.02, width = 0.05 }
[members.arm]
from = "B"
to = "W"
elements = 2
material = "steel"
section = "bar"
[joints.pin]
hinge = { point = "B" }
[supports.wall]
point = "W"
fix = ["x", "y"]
[supports.pivot]
point = "A"
fix = ["x", "y"]
[loads.side]
point = "C"
fx = -100.0
[gravity]
y = -9.81
weightless = ["arm"]
"#;
    let text = plate(1e-3, "W = [1.0, -2.0]", more)
        .replace("[gravity]\ny = -9.81\n[interface]", "[interface]")
        .replace("step = 0.001", "step = 0.001\nanalysis = \"quasi_static\"");
    let mut run = Simulation::of(&text);
    run.step(0.01);
    // About A: weight at 0.5 m and −100 N at a height of 0.2 m against the rod at 1 m; it shortens by micrometres.
    let rod = MASS * G * 0.5 - 100.0 * 0.2;
    let seen = run.get("supports.wall.fy");
    assert!((seen / rod - 1.0).abs() < 1e-4, "{seen} {rod}");
    let sum = run.get("supports.pivot.fy") + seen;
    assert!((sum / (MASS * G) - 1.0).abs() < 1e-9);
}

#[test]
fn what_a_rigid_body_cannot_have_is_refused_with_what_to_write() {
    let cases = [
        (
            "[supports.s]\nedge = \"rod.left\"\nfix = [\"x\"]",
            "name one of its points",
        ),
        (
            "[loads.q]\nedge = \"rod.top\"\nqy = -3.0",
            "give its resultant at a point",
        ),
        (
            "[damping.d]\nbodies = [\"rod\"]\nmass_coefficient = 1.0",
            "nothing in it is strained",
        ),
    ];
    for (more, says) in cases {
        let message = check(&plate(1e-3, "", more), &[]).expect_err(more);
        assert!(message.contains(says), "{message}");
    }
    let floats =
        plate(1e-3, "", "").replace("step = 0.001", "step = 0.001\nanalysis = \"quasi_static\"");
    let message = refusal(&floats);
    assert!(message.contains("body `rod`"), "{message}");
}

#[test]
fn derivatives_of_a_step_with_a_block_on_a_rough_rigid_edge_are_those_of_differences() {
    let more = r#"
[supports.pivot]
point = "A"
fix = ["x", "y"]
[masses.bead]
point = "P"
mass = 3.0
rotary_inertia = 0.02
[joints.bead]
prismatic = { slider = "P", path = ["rod.left", "rod.top"], length = 0.1 }
friction.stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.2, decay_velocity = 0.5 }
roughness.cosine = { amplitude = 0.002, wavelength = 0.1 }
[loads.push]
point = "C"
fx = 20.0
fy = 5.0
moment = 3.0
[loads.pull]
point = "P"
fx = -4.0
[probes.centre]
place = { body = "rod", at = [0.5, 0.1] }
[initial.points.P]
vx = 0.4
"#;
    let text = plate(1e-3, "P = [0.5, 0.2]", more).replace(
        "[interface]",
        "[interface]\ninputs = [\"loads.*\"]\nparameters = [\"joints.bead.friction.*\"]",
    );
    // Accelerations of points without mass are second differences of rounded places.
    let outputs = "\"points.C.vx\", \"points.C.y\", \"points.C.rotation\", \"points.P.*\"";
    let text = text.replace("\"points.*\"", outputs);
    let text = sensitivity::sharp(&text, 1e-14);
    let mut sim = Simulation::of(&text);
    let mut sure = 0;
    for _ in 0..3 {
        (0..15).for_each(|_| sim.step(2e-3));
        let knowns = [
            ("loads.push.fx", 1.0),
            ("loads.push.moment", 1.0),
            ("loads.pull.fx", 1.0),
            ("joints.bead.friction.stribeck.kinetic_coefficient", 1e-2),
        ];
        sure += sensitivity::check(&sim, &text, 4e-3, &knowns, 1e-6);
    }
    println!("{sure} derivatives sure");
    assert!(sure > 200, "{sure}");
}

#[test]
fn a_leaf_spring_leaves_its_cam_where_inertia_outweighs_it() {
    // Strip of 200 x 20 x 1.5 mm with 33/140 of its mass at its tip; eccentricity 2 mm, radius 20 mm.
    let stiffness = 3.0 * 210e9 * 0.02 * 0.0015_f64.powi(3) / 12.0 / 0.2_f64.powi(3);
    let mass = 0.05 + 33.0 / 140.0 * 7850.0 * 0.2 * 0.02 * 0.0015;
    let limit = (2.0 * stiffness / (mass * 1.1)).sqrt();
    for (share, opens) in [(0.96, false), (1.02, true)] {
        let rate = share * limit;
        let values = [("motions.shaft.rate", rate)];
        let mut run = Simulation::bundled("cam_and_spring", &values);
        let (mut off, mut gap) = (0.0_f64, 0.0_f64);
        run.run(0.2, 1e-3, |run| {
            let (sin, cos) = (rate * run.time()).sin_cos();
            let [x, y] = ["x", "y"].map(|axis| run.get(&format!("points.tip.{axis}")));
            off = off.max(((x - 0.002 * sin).hypot(y + 0.002 * cos) - 0.02).abs());
            gap = gap.max(run.get("joints.tip.gap"));
        });
        println!("{rate} rad/s: {off} m off the round rim, gap {gap} m");
        // The sides of order 4 are off the circle by 2e-8 m.
        assert!((off - gap).abs() < 3e-8, "{off} {gap}");
        assert_eq!(gap > 1e-6, opens, "{gap}");
        assert!(run.get("energy.balance").abs() < 1e-5);
    }
}
