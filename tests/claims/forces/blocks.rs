//! A block with Coulomb's friction and a spring, about an instant at which it sticks, turns back or breaks
//! away; in closed form.

use super::events::Event;
use crate::common::mechanism::Mechanism;

const MASS: f64 = 2.0;
const GRAVITY: f64 = 9.81;
const NORMAL: f64 = MASS * GRAVITY;
/// Of the spring, N/m.
const STIFFNESS: f64 = 200.0;
const STATIC: f64 = 0.4;
const KINETIC: f64 = 0.25;
/// Of the spring in the initial configuration, whose free length is chosen so that its force is what it has to be.
const LENGTH: f64 = 3.0;

/// Frequency of the block on its spring, rad/s.
fn frequency() -> f64 {
    (STIFFNESS / MASS).sqrt()
}

/// The model with the spring's `pull` in the initial configuration towards growing x, the block's velocity and that of the
/// spring's far end.
fn sections(pull: f64, velocity: f64, speed: f64) -> String {
    let free = LENGTH - pull / STIFFNESS;
    Mechanism::part()
        .points("b = [0.0, 0.0], g0 = [-2.0, 0.0], g1 = [2.0, 0.0]")
        .and(format!("far = [{LENGTH:?}, 0.0]"))
        .guide("guide", ["g0", "g1"], "elements = 1, order = 1")
        .mass("b", MASS)
        .slider("b", "b", "guide", "")
        .and(format!("friction.coulomb.static_coefficient = {STATIC:?}"))
        .and(format!("friction.coulomb.coefficient = {KINETIC:?}"))
        .spring("s", format!("from = 'far', to = 'b', stiffness = {STIFFNESS:?}"))
        .and(format!("free_length = {free:?}"))
        .support("far", "point = 'far', fix = ['y']")
        .motion("far", format!("point = 'far', direction = 'x', velocity = {speed:?}"))
        .gravity(-GRAVITY)
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("b", format!("vx = {velocity:?}"))
        .text()
}

/// `course` gives the spring's pull and the block's acceleration.
fn event(
    name: &'static str, at: f64, sections: String, course: impl Fn(f64) -> [f64; 2] + 'static,
) -> Event {
    let one = |name, path: &str| (name, vec![path.to_string()]);
    let guide = ["x", "y"].map(|d| format!("supports.guide.f{d}"));
    Event {
        name,
        sections,
        forces: vec![
            one("spring", "springs.s.force"),
            one("friction", "joints.b.friction_force"),
            one("acceleration", "points.b.ax"),
            ("guide", guide.to_vec()),
        ],
        truth: Box::new(move |t| {
            let [pull, acceleration] = course(t);
            let friction = pull - MASS * acceleration;
            vec![vec![pull], vec![friction], vec![acceleration], vec![-friction, NORMAL]]
        }),
        at,
        input: None,
    }
}

/// The block moves towards growing x and comes to rest where the spring pulls by `rest`: there it sticks, or
/// goes on the other way.
fn comes_to_rest(name: &'static str, at: f64, rest: f64) -> Event {
    let (w, sliding) = (frequency(), KINETIC * NORMAL);
    // The pull about the one of equilibrium while it slides, by friction's direction.
    let slides = move |t: f64, direction: f64| {
        let (sin, cos) = (w * (t - at)).sin_cos();
        let swing = rest - direction * sliding;
        (direction * sliding + swing * cos, w * swing * sin / STIFFNESS)
    };
    let (pull, velocity) = slides(0.0, 1.0);
    event(name, at, sections(pull, velocity, 0.0), move |t| {
        if t <= at {
            let (pull, _) = slides(t, 1.0);
            [pull, (pull - sliding) / MASS]
        } else if rest.abs() <= STATIC * NORMAL {
            [rest, 0.0]
        } else {
            let (pull, _) = slides(t, -1.0);
            [pull, (pull + sliding) / MASS]
        }
    })
}

/// The far end pulls at a block at rest until it breaks away.
fn breaks_away(at: f64) -> Event {
    let (w, speed) = (frequency(), 0.5);
    let (most, sliding) = (STATIC * NORMAL, KINETIC * NORMAL);
    let first = most - STIFFNESS * speed * at;
    event("break-away", at, sections(first, 0.0, speed), move |t| {
        let after = t - at;
        if after <= 0.0 {
            return [most + STIFFNESS * speed * after, 0.0];
        }
        let (sin, cos) = (w * after).sin_cos();
        let drop = (most - sliding) * (1.0 - cos);
        let pull = most + STIFFNESS * speed * sin / w - drop;
        [pull, (pull - sliding) / MASS]
    })
}

pub fn events(at: f64) -> Vec<Event> {
    vec![
        comes_to_rest("block sticks", at, -0.3 * NORMAL),
        comes_to_rest("block turns back", at, -0.7 * NORMAL),
        breaks_away(at),
    ]
}
