//! Kinds of random mechanisms.

use std::f64::consts::FRAC_PI_2;

use super::draft::{Body, Draft};
use super::path::{Path, Shape, Slide};

/// What draws a mechanism.
type Kind = fn(&mut Draft);

/// All kinds with their names.
const KINDS: &[(&str, Kind)] = &[
    ("coupler", coupler),
    ("crank", crank),
    ("belt", belt),
    ("isolation", isolation),
    ("pendulum", pendulum),
    ("vehicle", vehicle),
    ("many", many),
    ("lift_off", lift_off),
    ("stop", stop),
    ("rod", rod),
    ("sleeve", sleeve),
    ("let_go", let_go),
];

/// A random mechanism.
pub struct Mechanism {
    pub kind: &'static str,
    /// The model file.
    pub text: String,
    /// The solver's step, s, and how many are to be run.
    pub step: f64,
    pub steps: usize,
}

/// Number `seed` of them.
pub fn mechanism(seed: u64) -> Mechanism {
    let mut draft = Draft::new(seed);
    let (step, steps) = (draft.step, draft.steps);
    let (kind, draw) = draft.dice.choose(KINDS);
    draw(&mut draft);
    let text = draft.finish(&format!("{kind}_{seed}"));
    Mechanism { kind, text, step, steps }
}

/// A way from `a` in a direction.
fn from([x, y]: [f64; 2], angle: f64, length: f64) -> [f64; 2] {
    [x + length * angle.cos(), y + length * angle.sin()]
}

/// A guide from the left to the right, a little inclined.
fn guide(d: &mut Draft, name: &str, shares: &[f64]) -> Path {
    let (shape, body) = (d.any_shape(), d.any_body());
    let ends = [-1.5, 1.5].map(|x| [x + d.dice.between(-0.5, 0.5), d.dice.between(-0.3, 0.3)]);
    d.path(name, ends, shares, shape, body)
}

/// A flexible member, perhaps without mass.
fn link(d: &mut Draft, name: &str, ends: [&str; 2]) {
    let mesh = d.mesh();
    let body = (d.dice).choose(&[Body::Flexible, Body::Flexible, Body::Massless]);
    d.member(name, ends, "", mesh, body);
}

/// A flexible coupler between sliders on two guides.
fn coupler(d: &mut Draft) {
    let shares = [d.dice.between(0.2, 0.8), d.dice.between(0.2, 0.8)];
    let one = guide(d, "one", &shares[..1]);
    let (shape, body) = (d.any_shape(), d.any_body());
    let centre = [d.dice.between(-0.5, 0.5), d.dice.between(1.0, 1.8)];
    let (angle, half) = (d.dice.between(-0.9, 0.9), d.dice.between(0.6, 1.0));
    let ends = [from(centre, angle, -half), from(centre, angle, half)];
    let two = d.path("two", ends, &shares[1..], shape, body);
    d.point("u", one.places[0].position);
    d.point("v", two.places[0].position);
    link(d, "coupler", ["u", "v"]);
    d.mass_or_none("u");
    d.mass_or_none("v");
    let kind = (d.dice).choose(&["cylindrical", "cylindrical", "prismatic"]);
    d.held("u", &one, kind);
    d.held("v", &two, "cylindrical");
    d.load("u");
    d.maybe_load("v");
    d.ground(&one.supports, "y", 0.3);
    d.maybe_slide("u", one.places[0].angle);
}

/// A crank whose end slides in a slotted link, which may drive a third member.
fn crank(d: &mut Draft) {
    let (radius, angle) = (d.dice.between(0.1, 0.3), d.dice.between(-3.1, 3.1));
    let pin = from([0.0, 0.0], angle, radius);
    let root = [0.0, d.dice.between(-0.9, -0.5)];
    let reach = d.dice.between(1.6, 2.2);
    let tip = [0, 1].map(|i| root[i] + reach * (pin[i] - root[i]));
    d.point("o", [0.0, 0.0]);
    d.point("pin", pin);
    link(d, "arm", ["o", "pin"]);
    d.support("o", &["x", "y"]);
    d.point("root", root);
    d.point("tip", tip);
    let mesh = d.mesh();
    d.member("slot", ["root", "tip"], "", mesh, Body::Flexible);
    d.support("root", &["x", "y"]);
    let slot = Path::of("slot", (root, tip), 1.0 / reach);
    d.mass_or_none("pin");
    d.mass_or_none("tip");
    d.held("pin", &slot, "cylindrical");
    if d.dice.chance(0.5) {
        let far = d.dice.between(0.3, 0.6);
        d.point("ram", [tip[0] + far, tip[1]]);
        let ends = [-1.5, 1.5].map(|x| [tip[0] + far + x, tip[1]]);
        let path = d.path("guide", ends, &[0.5], Shape::Straight, Body::Rigid);
        link(d, "rod", ["tip", "ram"]);
        d.write("[joints.tip]\nhinge = { point = \"tip\" }");
        d.any_mass("ram");
        d.held("ram", &path, "cylindrical");
        d.maybe_load("ram");
    }
    d.turn("o", "arm");
}

/// A block on a path that moves, held by a spring.
fn belt(d: &mut Draft) {
    let shape = d.any_shape();
    let ends = [[-1.5, 0.0], [1.5, d.dice.between(-0.2, 0.2)]];
    let share = d.dice.between(0.4, 0.6);
    let path = d.path("belt", ends, &[share], shape, Body::Rigid);
    let place = path.places[0];
    d.point("block", place.position);
    let wall = from(place.position, d.dice.between(-0.3, 0.3), -0.8);
    d.point("wall", wall);
    d.spring("tie", ["wall", "block"]);
    d.support("wall", &["x", "y"]);
    d.any_mass("block");
    d.held("block", &path, "cylindrical");
    d.maybe_load("block");
    let direction = d.dice.choose(&["x", "x", "y"]);
    d.ground(&path.supports, direction, 1.0);
}

/// A dish that the ground shakes, with a slider that may carry a column.
fn isolation(d: &mut Draft) {
    let turn = d.dice.between(0.3, 1.2);
    let body = (d.dice).choose(&[Body::Rigid, Body::Rigid, Body::Flexible]);
    let share = d.dice.between(0.3, 0.7);
    let ends = [[-1.0, 0.0], [1.0, 0.0]];
    let dish = d.path("dish", ends, &[share], Shape::Arc(turn), body);
    let place = dish.places[0];
    d.point("shoe", place.position);
    d.any_mass("shoe");
    if d.dice.chance(0.6) {
        let height = d.dice.between(0.3, 1.5);
        d.point("top", from(place.position, place.angle + FRAC_PI_2, height));
        link(d, "column", ["shoe", "top"]);
        d.any_mass("top");
        d.held("shoe", &dish, "prismatic");
        d.maybe_load("top");
    } else if d.dice.chance(0.5) {
        d.standing("shoe", &dish, "");
    } else {
        d.held("shoe", &dish, "cylindrical");
    }
    let direction = d.dice.choose(&["x", "x", "y"]);
    d.ground(&dish.supports, direction, 0.9);
}

/// A flexible pendulum on a slider.
fn pendulum(d: &mut Draft) {
    let share = d.dice.between(0.1, 0.9);
    let path = guide(d, "guide", &[share]);
    let place = path.places[0];
    d.point("block", place.position);
    let (angle, length) = (d.dice.between(-3.1, 3.1), d.dice.between(0.2, 1.0));
    d.point("bob", from(place.position, angle, length));
    link(d, "link", ["block", "bob"]);
    d.mass_or_none("block");
    d.any_mass("bob");
    let kind = d.dice.choose(&["cylindrical", "prismatic"]);
    d.held("block", &path, kind);
    d.maybe_load("block");
    d.maybe_load("bob");
    let direction = d.dice.choose(&["x", "y"]);
    d.ground(&path.supports, direction, 0.4);
    d.maybe_slide("block", place.angle);
}

/// A body on springs with two wheels that may lift off, on a road.
fn vehicle(d: &mut Draft) {
    let (shape, body) =
        (d.dice.choose(&[Shape::Straight, Shape::Chain, Shape::Arc(-0.3)]), d.any_body());
    let shares = [d.dice.between(0.15, 0.3), d.dice.between(0.35, 0.5)];
    let mut road = d.path("road", [[-2.0, 0.0], [2.0, 0.0]], &shares, shape, body);
    let surface = d.roughness();
    let speed = d.dice.scale(1e-2, 5.0);
    let standing = d.dice.chance(0.6);
    let height = d.dice.between(0.2, 0.5);
    for (wheel, seat) in [("rear", "back"), ("front", "nose")] {
        let place = road.places[0];
        d.point(wheel, place.position);
        d.point(seat, from(place.position, FRAC_PI_2, height));
        d.spring(&format!("leg_{seat}"), [wheel, seat]);
        d.any_mass(wheel);
        d.any_mass(seat);
        if standing {
            d.standing(wheel, &road, &surface);
        } else {
            let more = d.ends();
            let surface = surface.clone();
            d.joint(&Slide { slider: wheel, path: &road, kind: "cylindrical", more, surface });
        }
        d.slide(wheel, place.angle, speed);
        d.velocity(seat, [Some(speed * place.angle.cos()), Some(speed * place.angle.sin())]);
        road.places.rotate_left(1);
    }
    link(d, "body", ["back", "nose"]);
    d.maybe_load("back");
    d.ground(&road.supports, "y", 0.2);
}

/// Several sliders on one bar, some of them tied to the next.
fn many(d: &mut Draft) {
    let count = d.dice.whole(2, 6);
    let shares: Vec<f64> =
        (0..count).map(|i| (i as f64 + d.dice.between(0.2, 0.8)) / count as f64).collect();
    let path = guide(d, "bar", &shares);
    let rigid = d.dice.chance(0.3);
    let mut last: Option<String> = None;
    for place in &path.places {
        let name = d.name("bead");
        d.point(&name, place.position);
        d.any_mass(&name);
        d.held(&name, &path, "cylindrical");
        d.maybe_load(&name);
        d.maybe_slide(&name, place.angle);
        if let Some(last) = last.filter(|_| d.dice.chance(0.6)) {
            let tie = d.name("tie");
            if rigid {
                link(d, &tie, [&last, &name]);
            } else {
                d.spring(&tie, [&last, &name]);
            }
        }
        last = Some(name);
    }
    let direction = d.dice.choose(&["x", "y"]);
    d.ground(&path.supports, direction, 0.3);
}

/// Beads on a hill or in a hollow that may lift off, some of them above it at the start.
fn lift_off(d: &mut Draft) {
    let share = d.dice.between(0.1, 0.9);
    let path = guide(d, "hill", &[share]);
    let place = path.places[0];
    let above =
        if d.dice.chance(0.3) { d.dice.scale(1e-4, 0.3).max(3e-4 * path.length) } else { 0.0 };
    let at = from(place.position, place.angle + FRAC_PI_2, above);
    d.point("bead", at);
    d.any_mass("bead");
    let surface = if d.dice.chance(0.2) { d.roughness() } else { String::new() };
    d.standing("bead", &path, &surface);
    if d.dice.chance(0.3) {
        // What it carries meets the path with it.
        let top = from(at, d.dice.between(0.5, 2.6), d.dice.between(0.1, 0.5));
        d.point("top", top);
        link(d, "pole", ["bead", "top"]);
        d.any_mass("top");
    }
    d.maybe_load("bead");
    if above == 0.0 && d.dice.chance(0.7) {
        let speed = d.dice.sign() * d.dice.scale(1e-2, 5.0);
        d.slide("bead", place.angle, speed);
    }
    let direction = d.dice.choose(&["x", "y", "y"]);
    d.ground(&path.supports, direction, 0.3);
}

/// A slider that runs against the stop at the end of its path, perhaps with something behind it.
fn stop(d: &mut Draft) {
    let (shape, body) = (d.any_shape(), d.any_body());
    let speed = d.dice.scale(1e-3, 5.0);
    let way = (speed * d.span() * d.dice.between(0.02, 0.7)).clamp(1e-7, 0.8);
    let ends = [[-1.0, d.dice.between(-0.3, 0.3)], [1.0, 0.0]];
    let share = 1.0 - 0.45 * way;
    let path = d.path("path", ends, &[share], shape, body);
    let place = path.places[0];
    d.point("bead", place.position);
    d.any_mass("bead");
    let restitution = d.dice.choose(&[0.0, 0.0, 0.3, 0.7, 1.0]);
    let more = format!(", ends = \"stop\", restitution = {restitution:?}");
    d.joint(&Slide {
        slider: "bead",
        path: &path,
        kind: "cylindrical",
        more,
        surface: String::new(),
    });
    let angle = place.angle + d.dice.between(-0.5, 0.5);
    match d.dice.whole(0, 3) {
        0 => {
            d.point("wall", from(place.position, angle, -0.7));
            d.spring("tie", ["wall", "bead"]);
            d.support("wall", &["x", "y"]);
        }
        1 => {
            d.point("tail", from(place.position, angle, -0.4));
            link(d, "rear", ["tail", "bead"]);
            d.any_mass("tail");
            d.velocity("tail", [Some(speed * place.angle.cos()), Some(speed * place.angle.sin())]);
        }
        _ => (),
    }
    d.maybe_load("bead");
    d.slide("bead", place.angle, speed);
}

/// A bead on a rod that is turned.
fn rod(d: &mut Draft) {
    let (angle, length) = (d.dice.between(-3.1, 3.1), d.dice.between(0.8, 2.0));
    let tip = from([0.0, 0.0], angle, length);
    let share = d.dice.between(0.2, 0.9);
    d.point("o", [0.0, 0.0]);
    d.point("tip", tip);
    let mesh = d.mesh();
    d.member("rod", ["o", "tip"], "", mesh, Body::Flexible);
    d.support("o", &["x", "y"]);
    let path = Path::of("rod", ([0.0, 0.0], tip), share);
    d.point("bead", path.places[0].position);
    d.any_mass("bead");
    d.mass_or_none("tip");
    d.held("bead", &path, "cylindrical");
    d.maybe_load("bead");
    // No motion determines it.
    d.slide("bead", angle, 0.0);
    d.turn("o", "rod");
}

/// A slider that bears with its two ends and is pushed beside its path.
fn sleeve(d: &mut Draft) {
    let share = d.dice.between(0.2, 0.8);
    let path = guide(d, "guide", &[share]);
    let place = path.places[0];
    d.point("sleeve", place.position);
    let (angle, arm) = (place.angle + d.dice.between(0.8, 2.3), d.dice.between(0.1, 0.6));
    d.point("handle", from(place.position, angle, arm));
    link(d, "arm", ["sleeve", "handle"]);
    d.mass_or_none("sleeve");
    d.any_mass("handle");
    let mut more = d.ends();
    if d.dice.chance(0.8) {
        more += &format!(", length = {:?}", d.dice.scale(0.02, 0.4));
    }
    d.joint(&Slide {
        slider: "sleeve",
        path: &path,
        kind: "prismatic",
        more,
        surface: String::new(),
    });
    d.load("handle");
    d.maybe_slide("sleeve", place.angle);
}

/// A slider that is driven and let go, perhaps with a pendulum or a spring.
fn let_go(d: &mut Draft) {
    let body = d.any_body();
    let path = d.path("guide", [[-1.5, 0.0], [1.5, 0.0]], &[0.4], Shape::Straight, body);
    d.point("cart", path.places[0].position);
    d.any_mass("cart");
    d.held("cart", &path, "cylindrical");
    if d.dice.chance(0.5) {
        let bob = from(path.places[0].position, d.dice.between(-3.1, 3.1), 0.4);
        d.point("bob", bob);
        link(d, "link", ["cart", "bob"]);
        d.any_mass("bob");
    } else {
        d.point("wall", [-1.4, 0.3]);
        d.spring("tie", ["wall", "cart"]);
        d.support("wall", &["x", "y"]);
    }
    d.drive("cart", path.length);
    d.maybe_load("cart");
}
