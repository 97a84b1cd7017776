//! Friction of hinges that release rigid members under all that loads a member between its ends, against inverse dynamics: a motion turns the
//! member, so that its acceleration is known, and what is left of the balance of forces is the force of the hinge.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};

/// A bar of 1 m and 1.5 kg, whose hinge of this radius (m) has this coefficient of friction.
const MASS: f64 = 1.5;
const RADIUS: f64 = 0.01;
const FRICTION: f64 = 0.2;
const G: f64 = 9.81;

/// Rate at which the bar turns from the x axis, rad/s.
const RATE: f64 = 2.0;

/// How the bar is hinged.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Hinged {
    /// To a support, by its `from` or by its `to`.
    From,
    To,
    /// To another rigid member, which is fixed and loaded, too: the hinge releases the bar or that one.
    Released,
    Rest,
}

const ALL: [Hinged; 4] = [Hinged::From, Hinged::To, Hinged::Released, Hinged::Rest];

/// Forces on the bar, N, and their moment about the hinge, N·m.
type Forces = [f64; 3];

/// What loads the bar: sections of the file on this hinge, and its forces where the bar is at this angle and turns at this rate.
struct Loaded {
    name: &'static str,
    file: fn(Hinged) -> String,
    forces: fn(f64, f64) -> Forces,
}

/// A force at this distance from the hinge along the bar.
fn at(distance: f64, [fx, fy]: [f64; 2], angle: f64) -> Forces {
    let (sin, cos) = angle.sin_cos();
    [fx, fy, distance * (cos * fy - sin * fx)]
}

/// Forces along the bar and to its left, as forces along x and y.
fn turned([along, across]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [along * cos - across * sin, along * sin + across * cos]
}

/// A distance from the hinge as the file measures it, and the sign of what follows the axis.
fn along(hinged: Hinged, distance: f64) -> (f64, f64) {
    if hinged == Hinged::To { (1.0 - distance, -1.0) } else { (distance, 1.0) }
}

/// A mass of 0.4 kg that slides on the bar and stays on x = 0.7 m, as the joint says; a spring holds it there up.
fn slides(joint: &str) -> String {
    format!(
        "[points]\na = [0.7, 0.0]\nb = [0.7, 1.0]\n[masses.a]\npoint = \"a\"\nmass = 0.4\n\
         [supports.a]\npoint = \"a\"\nfix = [\"x\"]\n\
         [springs.a]\nground = \"b\"\nto = \"a\"\ndirection = \"y\"\nstiffness = 5.0\n[joints.a]\n{joint}\n"
    )
}

/// The force of the slider on the bar with this coefficient of friction. Its mass moves as y = 0.7 tan φ, ÿ = 1.4 φ̇² tan φ/cos² φ.
fn by_slider(friction: f64, angle: f64, rate: f64) -> Forces {
    let (tan, cos) = (angle.tan(), angle.cos());
    let up = 0.4 * (G + 1.4 * rate * rate * tan / (cos * cos)) + 5.0 * 0.7 * tan;
    // The slider moves away from the hinge; friction holds it back.
    let normal = up / (cos - friction * angle.sin());
    at(0.7 / cos, turned([friction * normal, -normal], angle), angle)
}

const LOADS: &[Loaded] = &[
    Loaded {
        name: "line loads that keep their direction",
        file: |_| "[loads.q]\nmember = \"bar\"\nqx = 3.0\nqy = -10.0\n".to_string(),
        forces: |angle, _| at(0.5, [3.0, -10.0], angle),
    },
    Loaded {
        name: "a line load on a part, as a triangle",
        file: |hinged| {
            let grows = if hinged == Hinged::To { "[1.0, 0.0]" } else { "[0.0, 1.0]" };
            format!(
                "[loads.q]\nmember = \"bar\"\nqy = -30.0\nbetween = [0.2, 0.8]\nvariation = {grows}\n"
            )
        },
        forces: |angle, _| at(0.6, [0.0, -9.0], angle),
    },
    Loaded {
        name: "line loads that follow",
        file: |hinged| {
            let (_, sign) = along(hinged, 0.0);
            let [t, n] = [4.0 * sign, -9.0 * sign];
            format!("[loads.q]\nmember = \"bar\"\ntangential = {t:?}\nnormal = {n:?}\n")
        },
        forces: |angle, _| at(0.5, turned([4.0, -9.0], angle), angle),
    },
    Loaded {
        name: "a force and a moment in a section",
        file: |hinged| {
            let (place, _) = along(hinged, 0.3);
            format!(
                "[loads.q]\nmember = \"bar\"\nat = {place:?}\nfx = 2.0\nfy = -10.0\nmoment = 1.0\n"
            )
        },
        forces: |angle, _| {
            let [x, y, moment] = at(0.3, [2.0, -10.0], angle);
            [x, y, moment + 1.0]
        },
    },
    Loaded {
        name: "a force that follows, in a section",
        file: |hinged| {
            let (place, sign) = along(hinged, 0.3);
            let [t, n] = [4.0 * sign, -9.0 * sign];
            format!(
                "[loads.q]\nmember = \"bar\"\nat = {place:?}\ntangential = {t:?}\nnormal = {n:?}\n"
            )
        },
        forces: |angle, _| at(0.3, turned([4.0, -9.0], angle), angle),
    },
    Loaded {
        name: "a slider with a mass and a spring",
        file: |_| slides("cylindrical = { slider = \"a\", path = [\"bar\"], start = \"g\" }"),
        forces: |angle, rate| by_slider(0.0, angle, rate),
    },
    Loaded {
        name: "a slider that friction holds back",
        file: |_| {
            slides(
                "cylindrical = { slider = \"a\", path = [\"bar\"], start = \"g\" }\nfriction.coulomb = { coefficient = 0.3 }",
            )
        },
        forces: |angle, rate| by_slider(0.3, angle, rate),
    },
    Loaded {
        name: "a slider that turns with the bar",
        file: |_| {
            slides(
                "prismatic = { slider = \"a\", path = [\"bar\"], start = \"g\" }\n[masses.a]\nrotary_inertia = 0.01",
            )
        },
        forces: |angle, rate| by_slider(0.0, angle, rate),
    },
    Loaded {
        name: "a contact that can open",
        file: |_| {
            slides(
                "cylindrical = { slider = \"a\", path = [\"bar\"], start = \"g\", contact = \"unilateral\" }",
            )
        },
        forces: |angle, rate| by_slider(0.0, angle, rate),
    },
];

/// The bar under a load, of so many elements; in dynamics or in statics.
fn bar(load: &Loaded, hinged: Hinged, elements: usize, dynamic: bool) -> String {
    let ends = if hinged == Hinged::To { ["t", "g"] } else { ["g", "t"] };
    let keys = format!("rigid = true, mass = {MASS:?}, inertia = 0.125, elements = {elements}");
    let mut file = Mechanism::new("bar")
        .step(1e-3)
        .gravity(-G)
        .points("g = [0.0, 0.0], t = [1.0, 0.0], w = [-0.5, 0.2]")
        .member("bar", ends, keys);
    if !dynamic {
        file = file.solver("analysis = 'quasi_static'");
    }
    file = match hinged {
        Hinged::From | Hinged::To => file.pin("g"),
        Hinged::Released | Hinged::Rest => file
            .member("base", ["w", "g"], "rigid = true, mass = 1.0, inertia = 0.02")
            .load("base", "member = 'base', qx = 6.0, qy = -7.0")
            .clamp("w"),
    };
    let released = if hinged == Hinged::Rest { "base" } else { "bar" };
    let hinge = format!("hinge = {{ point = 'g', release = ['{released}'], radius = {RADIUS:?} }}");
    let file = file
        .joint("pin", hinge)
        .and(format!("friction.coulomb = {{ coefficient = {FRICTION:?} }}"))
        .motion(
            "turn",
            format!("point = 'g', member = 'bar', direction = 'rotation', rate = {RATE:?}"),
        )
        .then((load.file)(hinged));
    let file = if dynamic { file.entry("initial", "velocities = 'rigid_mechanism'") } else { file };
    file.outputs("joints.pin.* motions.turn.*").text()
}

/// The force in the hinge and the moment of the motion.
fn exact(load: &Loaded, angle: f64, dynamic: bool) -> [f64; 2] {
    let rate = if dynamic { RATE } else { 0.0 };
    let (sin, cos) = angle.sin_cos();
    let towards = MASS * 0.5 * rate * rate;
    let weight = at(0.5, [0.0, -MASS * G], angle);
    let loads = (load.forces)(angle, rate);
    let [x, y, moment] = [0, 1, 2].map(|i| weight[i] + loads[i]);
    let normal = f64::hypot(-towards * cos - x, -towards * sin - y);
    [normal, FRICTION * RADIUS * normal - moment]
}

#[test]
fn the_normal_force_is_that_of_what_is_released_whatever_loads_the_member_between_its_ends() {
    let mut worst = 0.0_f64;
    for load in LOADS {
        for hinged in ALL {
            for (elements, dynamic) in [(1, true), (3, true), (1, false)] {
                let mut sim = Simulation::of(&bar(load, hinged, elements, dynamic));
                let mut look = |sim: &Simulation| {
                    let [normal, moment] = exact(load, RATE * sim.time(), dynamic);
                    let friction = sim.get("joints.pin.friction_force").abs();
                    let found = [
                        (sim.get("joints.pin.normal_force"), normal),
                        (sim.get("joints.pin.force"), normal),
                        (friction, FRICTION * normal),
                        (sim.get("motions.turn.reaction"), moment),
                    ];
                    for (k, (found, exact)) in found.into_iter().enumerate() {
                        let off = (found - exact).abs() / normal;
                        worst = worst.max(off);
                        let what = ["normal force", "force", "friction", "moment"][k];
                        assert!(
                            off < 1e-6,
                            "{}, {hinged:?}, {elements}, dynamic {dynamic}, t = {}: {what} {found} {exact}",
                            load.name,
                            sim.time()
                        );
                    }
                };
                if dynamic {
                    look(&sim);
                }
                sim.run(0.3, 0.05, look);
            }
        }
    }
    println!("{worst:.1e} of the normal force");
}

#[test]
fn derivatives_of_the_normal_force_by_loads_on_the_member_are_those_of_differences() {
    for (load, knowns) in [
        (&LOADS[0], [("loads.q.qx", 1.0), ("loads.q.qy", 1.0)]),
        (&LOADS[3], [("loads.q.fx", 1.0), ("loads.q.fy", 1.0)]),
    ] {
        for hinged in ALL {
            let text = bar(load, hinged, 1, true);
            let inputs = knowns.map(|(path, _)| format!("\"{path}\"")).join(", ");
            let text =
                text.replace("[interface]\n", &format!("[interface]\ninputs = [{inputs}]\n"));
            let text = sharp(&text, 1e-13);
            check_run(&text, 0.05, &knowns, 1e-6, 7);
        }
    }
}
