//! Random paths: straight, in several members, round, curved, rigid or flexible; and what slides on them.

use coulisse::axis::{Arc, Axis, Place, PlaneSpline};

use super::draft::{Body, Draft, Mesh};
use super::friction::friction;

/// Members in a chain, and where sliders are drawn on it.
pub struct Path {
    members: Vec<String>,
    pub places: Vec<Place>,
    pub length: f64,
    /// What holds it: all of these fix x and y.
    pub supports: Vec<String>,
}

/// The ways a path may be drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    Straight,
    /// Up to three members, perhaps with corners where all of them are rigid.
    Chain,
    /// Turns by this angle, to the left if positive.
    Arc(f64),
    Spline,
}

/// A slider's joint.
pub struct Slide<'a> {
    pub slider: &'a str,
    pub path: &'a Path,
    pub kind: &'static str,
    /// More keys of the joint's kind, each after a comma.
    pub more: String,
    /// Lines beside the kind, friction for one.
    pub surface: String,
}

impl Path {
    /// A straight member that stands already, with a place at one share of it.
    pub fn of(member: &str, (from, to): ([f64; 2], [f64; 2]), share: f64) -> Path {
        let axis = Axis::Straight { from, to };
        Path {
            members: vec![member.to_owned()],
            places: vec![axis.at(share)],
            length: axis.length(),
            supports: Vec::new(),
        }
    }
}

impl Draft {
    pub fn any_shape(&mut self) -> Shape {
        match self.dice.whole(0, 5) {
            0 | 1 => Shape::Straight,
            2 => Shape::Chain,
            3 => Shape::Arc(self.dice.sign() * self.dice.between(0.1, 1.0)),
            4 => Shape::Arc(self.dice.sign() * self.dice.between(0.5, 2.5)),
            _ => Shape::Spline,
        }
    }

    pub fn any_body(&mut self) -> Body {
        self.dice.choose(&[Body::Rigid, Body::Flexible])
    }

    /// A path that begins at `from` and ends at `to`, with places at these shares of its length.
    pub fn path(
        &mut self, name: &str, ends: [[f64; 2]; 2], shares: &[f64], shape: Shape, body: Body,
    ) -> Path {
        match shape {
            Shape::Straight => self.straight(name, ends, shares, 1, body),
            Shape::Chain => {
                let parts = self.dice.whole(2, 3);
                self.straight(name, ends, shares, parts, body)
            }
            Shape::Arc(angle) => {
                let line = format!("arc.angle = {angle:?}\n");
                let axis = Axis::Arc(Arc::new(ends[0], ends[1], angle));
                self.curved(name, ends, shares, (axis, line), angle.abs(), body)
            }
            Shape::Spline => {
                let [[x0, y0], [x1, y1]] = ends;
                let bow = 0.12 * (x1 - x0).hypot(y1 - y0);
                let via: Vec<[f64; 2]> = (1..4)
                    .map(|i| {
                        let (part, off) = (f64::from(i) / 4.0, self.dice.between(-bow, bow));
                        let (dx, dy) = (x1 - x0, y1 - y0);
                        let length = dx.hypot(dy);
                        [x0 + part * dx - off * dy / length, y0 + part * dy + off * dx / length]
                    })
                    .collect();
                let line = format!("spline = {via:?}\n");
                let all: Vec<[f64; 2]> =
                    [ends[0]].into_iter().chain(via).chain([ends[1]]).collect();
                match PlaneSpline::through(&all) {
                    Some(spline) => {
                        self.curved(name, ends, shares, (Axis::Spline(spline), line), 4.0, body)
                    }
                    None => self.straight(name, ends, shares, 1, body),
                }
            }
        }
    }

    fn straight(
        &mut self, name: &str, ends: [[f64; 2]; 2], shares: &[f64], parts: usize, body: Body,
    ) -> Path {
        let [a, b] = ends;
        let chord = (b[0] - a[0]).hypot(b[1] - a[1]);
        // Corners lie where no slider begins.
        let mut cuts: Vec<f64> = (1..parts)
            .map(|_| self.dice.between(0.05, 0.95))
            .filter(|cut| shares.iter().all(|share| (share - cut).abs() > 0.02))
            .collect();
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|a, b| (*a - *b).abs() < 0.05);
        let bends = body == Body::Rigid && self.dice.chance(0.3);
        let mut corners = vec![(0.0, a)];
        for cut in cuts {
            let off = if bends { self.dice.between(-0.05, 0.05) * chord } else { 0.0 };
            let (dx, dy) = ((b[0] - a[0]) / chord, (b[1] - a[1]) / chord);
            let at = [a[0] + cut * chord * dx - off * dy, a[1] + cut * chord * dy + off * dx];
            corners.push((cut, at));
        }
        corners.push((1.0, b));
        let names: Vec<String> = (0..corners.len()).map(|i| format!("{name}_{i}")).collect();
        for (point, (_, at)) in names.iter().zip(&corners) {
            self.point(point, *at);
        }
        let mut members = Vec::new();
        let mut length = 0.0;
        for (i, pair) in corners.windows(2).enumerate() {
            let member = format!("{name}_m{i}");
            let mesh = self.mesh();
            self.member(&member, [&names[i], &names[i + 1]], "", mesh, body);
            let [p, q] = [pair[0].1, pair[1].1];
            length += (q[0] - p[0]).hypot(q[1] - p[1]);
            members.push(member);
        }
        let place = |share: &f64| {
            let part = corners.windows(2).find(|pair| *share <= pair[1].0);
            let part = part.unwrap_or(&corners[corners.len() - 2..]);
            let [(s0, from), (s1, to)] = [part[0], part[1]];
            Axis::Straight { from, to }.at((share - s0) / (s1 - s0))
        };
        let places = shares.iter().map(place).collect();
        let supports = self.mount(&members, [&names[0], &names[names.len() - 1]], body);
        Path { members, places, length, supports }
    }

    fn curved(
        &mut self, name: &str, ends: [[f64; 2]; 2], shares: &[f64], (axis, line): (Axis, String),
        turn: f64, body: Body,
    ) -> Path {
        let names = [format!("{name}_0"), format!("{name}_1")];
        for (point, at) in names.iter().zip(ends) {
            self.point(point, at);
        }
        // So fine that what is drawn on the curve lies on its elements.
        let order = self.dice.choose(&[2, 3, 3, 4]);
        let part = if order == 2 { 0.05 } else { 0.15 };
        let least = ((turn / part).ceil() as usize).max(2);
        let mesh = Mesh { elements: self.dice.whole(least, least + 8), order };
        let member = format!("{name}_m0");
        self.member(&member, [&names[0], &names[1]], &line, mesh, body);
        let members = vec![member];
        let supports = self.mount(&members, [&names[0], &names[1]], body);
        Path {
            members,
            places: shares.iter().map(|share| axis.at(*share)).collect(),
            length: axis.length(),
            supports,
        }
    }

    /// Holds a flexible path at its ends.
    fn mount(&mut self, members: &[String], ends: [&str; 2], body: Body) -> Vec<String> {
        if body == Body::Rigid {
            return members.to_vec();
        }
        let clamp = ["x", "y", "rotation"];
        let (first, last) = match self.dice.whole(0, 3) {
            0 => (&clamp[..], &clamp[..0]),
            1 => (&clamp[..], &clamp[..]),
            2 => (&clamp[..2], &clamp[..2]),
            _ => (&clamp[..], &clamp[..2]),
        };
        let mut supports = Vec::new();
        for (end, fix) in ends.iter().zip([first, last]) {
            if !fix.is_empty() {
                self.support(end, fix);
                supports.push((*end).to_owned());
            }
        }
        supports
    }

    /// Keys of what happens at the ends of a path.
    pub fn ends(&mut self) -> String {
        let dice = &mut self.dice;
        let mut text = match dice.whole(0, 5) {
            0 => ", ends = \"error\"".to_owned(),
            1 => ", ends = \"continue\"".to_owned(),
            _ => ", ends = \"stop\"".to_owned(),
        };
        if text.contains("stop") && dice.chance(0.5) {
            text += &format!(", restitution = {:?}", dice.choose(&[0.2, 0.5, 0.8, 1.0]));
        }
        if dice.chance(0.1) {
            text += ", smooth = false";
        }
        text
    }

    /// A rough surface, or none.
    pub fn roughness(&mut self) -> String {
        let dice = &mut self.dice;
        match dice.whole(0, 3) {
            0 => format!(
                "roughness.cosine = {{ amplitude = {:?}, wavelength = {:?} }}\n",
                dice.scale(1e-4, 5e-3),
                dice.scale(0.2, 2.0)
            ),
            1 => format!(
                "roughness.iso8608 = {{ class = \"{}\", from = 0.25, to = 5.0, lines = 20, seed = {} }}\n",
                dice.choose(&["A", "B", "C"]),
                dice.whole(1, 99)
            ),
            _ => String::new(),
        }
    }

    /// A joint of the name of its slider.
    pub fn joint(&mut self, slide: &Slide) {
        let Slide { slider, path, kind, more, surface } = slide;
        let members = &path.members;
        // Laws that hold ask for it where nothing has mass.
        let sliding = if self.is_heavy(slider) {
            String::new()
        } else {
            format!(", sliding_mass = {:?}", self.dice.scale(1e-3, 1.0))
        };
        let friction = friction(&mut self.dice);
        self.write(&format!(
            "[joints.{slider}]\n{kind} = {{ slider = \"{slider}\", path = {members:?}{more}{sliding} }}\n{surface}{friction}"
        ));
    }

    /// A slider that its path holds, with friction.
    pub fn held(&mut self, slider: &str, path: &Path, kind: &'static str) {
        let more = self.ends();
        let surface = String::new();
        self.joint(&Slide { slider, path, kind, more, surface });
    }

    /// A slider that may lift off the side of its path that is up where it is drawn.
    pub fn standing(&mut self, slider: &str, path: &Path, surface: &str) {
        let place = path.places[0];
        let side = if place.angle.cos() > 0.0 { "left" } else { "right" };
        let mut more = self.ends();
        if !more.contains("restitution") && self.dice.chance(0.5) {
            more += &format!(", restitution = {:?}", self.dice.choose(&[0.3, 0.7, 1.0]));
        }
        more += &format!(", contact = \"unilateral\", side = \"{side}\"");
        let surface = surface.to_owned();
        self.joint(&Slide { slider, path, kind: "cylindrical", more, surface });
    }
}
