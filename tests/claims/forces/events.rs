//! Mechanisms in which something happens at one instant: an impact, a rest at a stop, a jump of an input,
//! a release; each drawn a few steps before it.

use super::case::{Drive, Force, Quantity};
use super::chain::{Chain, Rod};
use super::integrate::Reference;
use super::jet::Jet;
use super::slider_crank::SliderCrank;
use super::truth::{Coordinate, Reaction, Truth};

pub struct Event {
    pub name: &'static str,
    /// The model file without name and solver.
    pub sections: String,
    /// What is compared: the paths of a force's components, in the order of the truth.
    pub forces: Vec<(&'static str, Vec<String>)>,
    /// The components of all forces at an instant.
    pub truth: Box<dyn Fn(f64) -> Vec<Vec<f64>>>,
    /// s.
    pub at: f64,
    /// An input and its value from the event on.
    pub input: Option<(&'static str, f64)>,
}

/// One side of an event: its equations, and values and rates of the free coordinates at the event.
struct Side {
    truth: Truth,
    free: Vec<f64>,
    forces: Vec<Force>,
}

impl Event {
    fn between(name: &'static str, at: f64, sections: String, sides: [Side; 2]) -> Event {
        let mut forces = Vec::new();
        for force in sides.iter().flat_map(|side| &side.forces) {
            if forces.iter().all(|(name, _)| *name != force.name) {
                let paths = force.entries.iter().map(|(path, _)| path.clone());
                forces.push((force.name, paths.collect::<Vec<_>>()));
            }
        }
        let listed = forces.clone();
        Event {
            name,
            sections,
            forces,
            truth: Box::new(move |t| {
                let side = &sides[usize::from(t > at)];
                let mut reference = Reference::from(&side.truth, at, side.free.clone());
                reference.advance(t);
                let now = reference.now();
                let of = |(name, paths): &(&'static str, Vec<String>)| {
                    let force = side.forces.iter().find(|force| force.name == *name);
                    // What a side does not list is 0 there: a drive after its release, a stop before its impact.
                    force.map_or(vec![0.0; paths.len()], |force| {
                        let quantities = force.entries.iter().map(|(_, quantity)| quantity);
                        quantities.map(|quantity| quantity.read(&now)).collect()
                    })
                };
                listed.iter().map(of).collect()
            }),
            at,
            input: None,
        }
    }
}

/// A rod that turns clockwise onto a rigid stop.
fn rod_and_stop(name: &'static str, at: f64, restitution: f64) -> Event {
    let (angle, rate) = (-1.2, -6.0);
    let mut rod = Rod { length: 0.6, mass: 1.0, inertia: 0.03, bob: 0.0, angle, rate };
    let before = Chain(vec![rod]);
    let truth = before.truth();
    let mut reference = Reference::from(&truth, at, vec![angle, rate]);
    reference.advance(0.0);
    (rod.angle, rod.rate) = (reference.free[0], reference.free[1]);
    let stop = format!(
        "[springs.stop]\nto = \"p0\"\ndirection = \"rotation\"\nstop = {{ least = {:?}, rigid = true, restitution = {restitution:?} }}\n",
        angle - rod.angle
    );
    let sections = Chain(vec![rod]).sections() + &stop;
    let mut forces = before.forces();
    let mut after = before.truth();
    let mut free = vec![angle, -restitution * rate];
    if restitution == 0.0 {
        after.coordinates = vec![Coordinate::Driven(Box::new(move |_| Jet::constant(angle)))];
        after.reactions.push(Reaction::Moment(vec![(0, 1.0)]));
        let moment = Quantity::Reaction(2, -1.0);
        forces.push(Force::one("stop", "springs.stop.stop_moment", moment));
        free.clear();
    }
    let before = Side { truth, free: vec![angle, rate], forces: before.forces() };
    let after = Side { truth: after, free, forces };
    Event::between(name, at, sections, [before, after])
}

/// A crank let go, at `start` of its turn with a rate of 10 rad/s.
fn crank(start: f64) -> SliderCrank {
    SliderCrank {
        crank: 0.1,
        rod: 0.35,
        offset: 0.03,
        guide: 0.4,
        start,
        crank_mass: (0.5, 6e-4),
        rod_mass: (0.6, 7e-3),
        piston: 1.0,
        flywheel: 0.02,
        eccentric: [Some((0.3, [0.02, 0.04])), None],
        spring: Some((100.0, 2.0, 0.4)),
        gears: None,
        friction: 0.0,
        stop: None,
        drive: Drive::Free(10.0),
        gravity: -9.81,
    }
}

/// The crank before an event that finds it at `at` (s) with `start` and 10 rad/s: in the initial configuration, and with the
/// stop, if it has one, where its slider is at the event.
fn crank_before(at: f64, restitution: Option<f64>) -> (SliderCrank, Side) {
    let then = crank(-1.0);
    let truth = then.truth();
    let mut reference = Reference::from(&truth, at, vec![0.0, 10.0]);
    reference.advance(0.0);
    let [turned, rate] = [reference.free[0], reference.free[1]];
    let mut drawn = crank(-1.0 + turned);
    drawn.drive = Drive::Free(rate);
    let (s, c) = then.guide.sin_cos();
    let [x, y] = then.slider();
    drawn.stop = restitution.map(|restitution| (x * c + y * s, restitution));
    let side = Side { truth, free: vec![0.0, 10.0], forces: then.forces() };
    (drawn, side)
}

fn crank_after(rate: f64, moment: f64) -> Side {
    let after = crank(-1.0);
    let mut truth = after.truth();
    truth.moments.push((0, moment));
    Side { truth, free: vec![0.0, rate], forces: after.forces() }
}

/// A driven crank without offset and spring passes its outer dead centre: the friction of its slider changes
/// sign. The normal force keeps its own, that of the weight.
fn dead_centre(at: f64) -> Event {
    let mut driven = crank(-10.0 * at);
    driven.drive = Drive::Rate(10.0);
    (driven.guide, driven.offset, driven.spring) = (0.0, 0.0, None);
    let [before, after] = [0.3, -0.3].map(|friction| {
        driven.friction = friction;
        let mut forces = driven.forces();
        // Here the acceleration is at its extreme: in so few steps it has no range.
        forces.retain(|force| force.name != "slider");
        Side { truth: driven.truth(), free: Vec::new(), forces }
    });
    Event::between("dead centre", at, driven.sections(), [before, after])
}

/// All events at about `at` (s), the one at `point` (s) where a host sets an input.
pub fn events(at: f64, point: f64) -> Vec<Event> {
    let (drawn, before) = crank_before(at, Some(0.5));
    let sides = [before, crank_after(-5.0, 0.0)];
    let impact = Event::between("slider against stop", at, drawn.sections(), sides);

    let (drawn, before) = crank_before(point, None);
    let load = "[loads.push]\npoint = \"o\"\nmoment = 0.0\n";
    let sections = drawn.sections() + load;
    let sides = [before, crank_after(10.0, 4.0)];
    let mut jump = Event::between("jump of torque", point, sections, sides);
    jump.input = Some(("loads.push.moment", 4.0));

    let mut driven = crank(-1.0 - 10.0 * at);
    driven.drive = Drive::Rate(10.0);
    let sections = driven.sections() + &format!("release.time = {at:?}\n");
    let before = Side { truth: driven.truth(), free: Vec::new(), forces: driven.forces() };
    let sides = [before, crank_after(10.0, 0.0)];
    let release = Event::between("release", at, sections, sides);

    vec![
        rod_and_stop("rod off stop", at, 0.5),
        rod_and_stop("rod onto stop", at, 0.0),
        impact,
        jump,
        release,
        dead_centre(at),
    ]
}
