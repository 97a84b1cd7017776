//! Forces of contacts against their energy, and their tangent and changes against differences.

use super::Dice;
use crate::model::Model;
use crate::numerics::positions::Positions;
use crate::surfaces::layer::{PointMemory, Touch};
use crate::system::{ContactPoint, Iterate, Linear, Residual, System, Workspace};

const HEAD: &str = r#"
name = "contact"
[solver]
step = 1e-3
[materials.steel]
young_modulus = 2e9
poisson_ratio = 0.3
density = 7850.0
[sections.bar]
rectangle = { height = 0.1, width = 0.05 }
[points]
a = [0.0, 0.0]
b = [1.0, 0.0]
c = [1.0, 0.4]
d = [0.0, 0.4]
left = [-1.0, 0.0]
right = [2.0, 0.0]
below = [-1.0, -0.5]
beneath = [2.0, -0.5]
hull = [-1.0, -0.05]
shell = [2.0, -0.05]
foot = [0.43, -0.5]
edge = [0.43, 0.0]
base = [0.07, -0.5]
crown = [0.07, 0.0]
nook = [0.31, -0.05]
"#;

fn patch(name: &str, corners: [&str; 4], order: usize, more: &str) -> String {
    let [a, b, c, d] = corners;
    format!(
        r#"
[bodies.{name}]
material = "steel"
order = {order}
{more}
[bodies.{name}.patch]
cells = [2, 1]
edges = [
  {{ name = "lower", from = "{a}", to = "{b}" }},
  {{ name = "front", from = "{b}", to = "{c}" }},
  {{ name = "upper", from = "{c}", to = "{d}" }},
  {{ name = "back", from = "{d}", to = "{a}" }},
]
"#
    )
}

const ELASTIC: &str = "thickness = 0.02\nstate = \"plane_stress\"";
const RIGID: &str = "thickness = 0.02\nrigid = true";

fn contact(surface: &str, path: &str, more: &str) -> String {
    format!(
        "[contacts.it]\nsurface = [\"{surface}\"]\npath = [\"{path}\"]\nstiffness = 1e9\n{more}\n\
         friction.stribeck = {{ static_coefficient = 0.4, kinetic_coefficient = 0.2, decay_velocity = 0.3, viscous_coefficient = 20.0 }}\n"
    )
}

fn member(name: &str, from: &str, to: &str, more: &str) -> String {
    format!(
        "[members.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\nelements = 2\norder = 3\nmaterial = \"steel\"\nsection = \"bar\"\n{more}\n"
    )
}

/// Solids, rigid bodies and faces of members on paths that stand still, move, turn and bend.
fn models() -> Vec<(&'static str, String)> {
    let slab = ["below", "beneath", "right", "left"];
    vec![
        (
            "solid on a line",
            patch("it", ["a", "b", "c", "d"], 2, ELASTIC)
                + "[members.line]\nfrom = \"left\"\nto = \"right\"\nelements = 1\norder = 1\n\
                   [supports.line]\nmember = \"line\"\nfix = [\"x\", \"y\", \"rotation\"]\n"
                + &contact("it.lower", "line", ""),
        ),
        (
            "solid on a solid",
            patch("it", ["a", "b", "c", "d"], 2, ELASTIC)
                + &patch("slab", slab, 3, ELASTIC)
                + &contact("it.lower", "slab.upper", ""),
        ),
        (
            "solid on a solid whose mesh does not match",
            patch("it", ["a", "b", "c", "d"], 2, ELASTIC)
                + &patch("slab", slab, 2, ELASTIC).replace("cells = [2, 1]", "cells = [5, 1]")
                + &contact("it.lower", "slab.upper", ""),
        ),
        (
            "rigid body on a solid",
            patch("it", ["a", "b", "c", "d"], 2, RIGID)
                + &patch("slab", slab, 3, ELASTIC).replace("cells = [2, 1]", "cells = [5, 1]")
                + &contact("it.lower", "slab.upper", ""),
        ),
        (
            "solid on a solid that ends below it",
            patch("it", ["a", "b", "c", "d"], 2, ELASTIC)
                + &patch("slab", ["foot", "beneath", "right", "edge"], 2, ELASTIC)
                    .replace("cells = [2, 1]", "cells = [9, 1]")
                + &contact("it.lower", "slab.upper", ""),
        ),
        (
            "solid on a narrow solid",
            patch("it", ["a", "b", "c", "d"], 3, ELASTIC)
                + &patch("slab", ["base", "foot", "edge", "crown"], 2, ELASTIC)
                + &contact("it.lower", "slab.upper", ""),
        ),
        (
            "solid with an arc on a narrow solid",
            patch("it", ["a", "b", "c", "d"], 2, ELASTIC)
                .replace("to = \"b\" }", "to = \"b\", arc.radius = -60.0 }")
                + &patch("slab", ["base", "foot", "edge", "crown"], 2, ELASTIC)
                + &contact("it.lower", "slab.upper", ""),
        ),
        (
            "rigid body on a solid that ends below it",
            patch("it", ["a", "b", "c", "d"], 2, RIGID)
                + &patch("slab", ["foot", "beneath", "right", "edge"], 2, ELASTIC)
                    .replace("cells = [2, 1]", "cells = [9, 1]")
                + &contact("it.lower", "slab.upper", ""),
        ),
        (
            "face on a member that ends below it",
            member("inner", "a", "b", "")
                + &member("outer", "nook", "shell", "")
                + &contact("inner.right", "outer", ""),
        ),
        (
            "rigid body on a rigid body",
            patch("it", ["a", "b", "c", "d"], 2, RIGID)
                + &patch("slab", slab, 3, RIGID)
                + &contact("it.lower", "slab.upper", ""),
        ),
        (
            "rigid body on a line",
            patch("it", ["a", "b", "c", "d"], 2, RIGID)
                + "[members.line]\nfrom = \"left\"\nto = \"right\"\nelements = 1\norder = 1\n\
                   [supports.line]\nmember = \"line\"\nfix = [\"x\", \"y\", \"rotation\"]\n"
                + &contact("it.lower", "line", ""),
        ),
        (
            "rigid body with an arc on a line",
            patch("it", ["a", "b", "c", "d"], 2, RIGID)
                .replace("to = \"b\" }", "to = \"b\", arc.radius = 2.6 }")
                + "[members.line]\nfrom = \"hull\"\nto = \"shell\"\nelements = 1\norder = 1\n\
                   [supports.line]\nmember = \"line\"\nfix = [\"x\", \"y\", \"rotation\"]\n"
                + &contact("it.lower", "line", ""),
        ),
        (
            "rigid body in an arc",
            patch("it", ["a", "b", "c", "d"], 2, RIGID)
                + "[members.line]\nfrom = \"left\"\nto = \"right\"\nelements = 3\norder = 2\narc.radius = 400.0\n\
                   [supports.line]\nmember = \"line\"\nfix = [\"x\", \"y\", \"rotation\"]\n"
                + &contact("it.lower", "line", ""),
        ),
        (
            "face on a member",
            member("inner", "a", "b", "")
                + &member("outer", "hull", "shell", "")
                + &contact("inner.right", "outer", ""),
        ),
        (
            "face in a curved guide with a width",
            member("inner", "a", "b", "")
                + &member("outer", "left", "right", "arc.radius = 40.0")
                + &contact("inner.left", "outer", "width = 0.1\nclearance = 0.03"),
        ),
        (
            "solid in an arc",
            patch("it", ["a", "b", "c", "d"], 3, ELASTIC)
                + "[members.line]\nfrom = \"left\"\nto = \"right\"\nelements = 3\norder = 2\narc.radius = 400.0\n\
                   [supports.line]\nmember = \"line\"\nfix = [\"x\", \"y\", \"rotation\"]\n"
                + &contact("it.lower", "line", ""),
        ),
    ]
}

/// An iterate in which points press, stick, slip and are open.
fn iterate(system: &System, dice: &mut Dice) -> Iterate {
    let mut at = Iterate::new(system);
    at.step = 1e-3;
    at.flow.factor = 700.0;
    for u in 0..system.nodal {
        let size = if system.is_rotation[u] { 0.01 } else { 0.004 };
        at.q.set(u, system.initial[u] + size * dice.roll());
        at.flow.origin.set(u, at.q[u] + 1e-3 * dice.roll());
    }
    let open = |point: &ContactPoint| PointMemory::open(point.initial);
    let open: Vec<PointMemory> = system.surfaces.points.iter().map(open).collect();
    let kinematics_of_points = system.surfaces.kinematics_of_points(&at.q, &open);
    for (memory, standing) in at.points.iter_mut().zip(kinematics_of_points) {
        let s = standing.s;
        *memory = PointMemory {
            s: s + 1e-5 * dice.roll(),
            anchor: s + 1e-2 * dice.roll().powi(3),
            friction: 100.0 * dice.roll(),
            // Its face has come, or not.
            advance: (1e-3 * dice.roll()).max(0.0),
            touch: [Touch::Sticks, Touch::Open][usize::from(dice.roll() > 0.5)],
        };
    }
    at
}

/// The iterate moved by a share of a change of positions and of where faces have come.
fn moved(at: &Iterate, by: &Iterate, share: f64) -> Iterate {
    let mut other = at.clone();
    other.q = Positions::from(&at.q[..]);
    for (u, way) in by.q.iter().enumerate() {
        other.q.add(u, share * way);
    }
    for (point, by) in other.points.iter_mut().zip(&by.points) {
        point.advance += share * by.advance;
    }
    other
}

fn built(text: &str) -> System {
    let none = |name: &str| Err::<String, _>(std::io::Error::other(name.to_string()));
    let model =
        Model::parse(text, "contact.toml", &none).unwrap_or_else(|faults| panic!("{faults}"));
    let checked = model.check().unwrap_or_else(|faults| panic!("{faults}"));
    System::build(&checked).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn changes_and_tangents_of_all_kinds_of_contacts_agree_with_differences() {
    let analyses = ["dynamic", "quasi_static"];
    let all = models().into_iter();
    let all = all.flat_map(|(name, text)| analyses.map(|analysis| (name, text.clone(), analysis)));
    for (name, text, analysis) in all {
        let head = HEAD.replace("[solver]", &format!("[solver]\nanalysis = \"{analysis}\""));
        let system = built(&format!("{head}{text}"));
        let mut work = Workspace::new(&system);
        let (mut pressed, mut slips, mut sticks, mut worst) = (0, 0, 0, [0.0_f64; 2]);
        for seed in 1..=40 {
            let mut dice = Dice(seed);
            let at = iterate(&system, &mut dice);
            let mut by = at.clone();
            by.q = Positions::from(&vec![0.0; system.initial.len()][..]);
            by.flow.origin.fill(0.0);
            by.points.fill(PointMemory::default());
            by.points.iter_mut().for_each(|p| p.advance = dice.roll());
            by.external.fill(0.0);
            by.acceleration.fill(0.0);
            for u in 0..system.nodal {
                if system.equation.of(u).is_some() {
                    by.q.set(u, dice.roll());
                }
            }
            system.residual(&at, &mut work);
            let touches: Vec<Touch> = work.points.iter().map(|p| p.memory.touch).collect();
            let eps = 1e-7;
            let ends = [1.0, -1.0].map(|sign| {
                let other = moved(&at, &by, sign * eps);
                system.residual(&other, &mut work);
                let same = (work.points.iter().zip(&touches)).all(|(p, t)| p.memory.touch == *t);
                (work.residual.clone(), same)
            });
            // Where a point passes from one state to another there is no derivative.
            if !ends.iter().all(|(_, same)| *same) {
                continue;
            }
            pressed += touches.iter().filter(|t| t.touches()).count();
            sticks += touches.iter().filter(|t| **t == Touch::Sticks).count();
            slips += touches.iter().filter(|t| matches!(t, Touch::Slips(_))).count();
            let mut change = Residual::new(&system);
            let numbers: Vec<Vec<f64>> = (0..system.sliders.len() + system.surfaces.contacts.len())
                .map(|law| vec![0.0; at.tuning.friction(law).numbers().len()])
                .collect();
            let about = Linear::at(&system, &at);
            system.residual_change((&at, &about), &by, &numbers, &mut change);
            let scale = change.nodal.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            for (u, by_formula) in change.nodal.iter().enumerate() {
                let difference = (ends[0].0[u] - ends[1].0[u]) / (2.0 * eps);
                worst[0] = worst[0].max((difference - by_formula).abs() / scale);
            }
            by.points.fill(PointMemory::default());
            let about = Linear::at(&system, &at);
            system.residual_change((&at, &about), &by, &numbers, &mut change);
            // The matrix leads from the change of forces back to that of positions.
            system.residual_and_tangent(&at, &mut work, Some(1e6));
            work.matrix.factor().unwrap_or_else(|_| panic!("{name}: singular"));
            let mut forces = vec![0.0; system.nodal];
            system.mass.forces(&by.q, &mut forces);
            let mut x: Vec<f64> =
                (system.unknown.iter()).map(|&u| change.nodal[u] + 1e6 * forces[u]).collect();
            let mut y = change.border.clone();
            work.matrix.solve(&mut x, &mut y).unwrap_or_else(|_| panic!("{name}: not solved"));
            for (x, &u) in x.iter().zip(&system.unknown) {
                worst[1] = worst[1].max((x - by.q[u]).abs());
            }
        }
        println!(
            "{name}, {analysis}: {pressed} pressed, {slips} slip, {sticks} stick; {:.1e}, {:.1e}",
            worst[0], worst[1]
        );
        assert!(slips > 15 && sticks > 5, "{name}: {slips} {sticks}");
        assert!(worst[0] < 1e-5 && worst[1] < 1e-7, "{name}: {worst:?}");
    }
}
