//! A drawing of the mechanism as it starts.

mod labels;
mod png;
mod scene;
mod svg;
mod symbols;

use coulisse::laws::friction::Friction;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Direction, MemberId, Motion, Moved, PointId, ProbeKind, SliderKind, Support, Target,
};
use coulisse::model::history::{History, MotionLaw};

use labels::Label;
pub use png::png;
use scene::{Frame, Ink, Pixel, Scene};
pub use svg::svg;

/// Room for symbols and names around the mechanism, px.
const MARGIN: [f64; 2] = [90.0, 75.0];
/// Largest extent of the mechanism, px.
const LARGEST: [f64; 2] = [760.0, 460.0];
/// Smallest height of the mechanism's part of the picture, px: a beam is one line.
const LOWEST: f64 = 130.0;
/// Beyond, names would cover the drawing.
const MOST_NAMES: usize = 60;

/// Draws a model.
pub fn draw(model: &Checked) -> Scene {
    let mut drawing = Drawing::of(model);
    drawing.members();
    drawing.supports();
    drawing.probes();
    drawing.joints();
    drawing.masses();
    drawing.motions();
    drawing.loads();
    drawing.line_loads();
    drawing.surroundings();
    drawing.names();
    labels::place(&mut drawing.scene, drawing.labels);
    drawing.scene
}

struct Drawing<'a> {
    model: &'a Checked,
    scene: Scene,
    labels: Vec<Label>,
    /// px/m.
    scale: f64,
    /// Where the model's origin is.
    origin: Pixel,
}

impl<'a> Drawing<'a> {
    fn of(model: &'a Checked) -> Drawing<'a> {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in &model.points {
            for axis in 0..2 {
                low[axis] = low[axis].min(point.position[axis]);
                high[axis] = high[axis].max(point.position[axis]);
            }
        }
        let extent = [high[0] - low[0], high[1] - low[1]];
        let scales = [0, 1].map(|axis| LARGEST[axis] / extent[axis]);
        let scale = scales[0].min(scales[1]);
        // Points at one place, or numbers that no picture can hold.
        let scale = if scale.is_finite() && scale > 0.0 {
            scale
        } else {
            1.0
        };
        let height = (extent[1] * scale).clamp(LOWEST, LARGEST[1]);
        let size = [LARGEST[0] + 2.0 * MARGIN[0], height + 2.0 * MARGIN[1]];
        let middle = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]) * scale);
        Drawing {
            model,
            scene: Scene {
                width: size[0],
                height: size[1],
                shapes: Vec::new(),
            },
            labels: Vec::new(),
            scale,
            origin: [0.5 * size[0] - middle[0], 0.5 * size[1] + middle[1]],
        }
    }

    fn pixel(&self, [x, y]: [f64; 2]) -> Pixel {
        [
            self.origin[0] + self.scale * x,
            self.origin[1] - self.scale * y,
        ]
    }

    fn point(&self, point: PointId) -> Pixel {
        self.pixel(self.model.points[point].position)
    }

    fn ends(&self, member: MemberId) -> [Pixel; 2] {
        let m = &self.model.members[member];
        [self.point(m.from), self.point(m.to)]
    }

    fn label(&mut self, at: Pixel, text: &str, ink: Ink) {
        self.labels.push(Label {
            at,
            text: text.to_owned(),
            ink,
        });
    }

    /// Elastic members as lines, held ones as ground.
    fn members(&mut self) {
        for (id, member) in self.model.members.iter().enumerate() {
            let [a, b] = self.ends(id);
            if member.properties.is_some() {
                self.scene.line(&[a, b], 5.0, Ink::Member);
                continue;
            }
            // Strokes below the line: to its right when it runs to the right.
            let (a, b) = if (a[0], -a[1]) <= (b[0], -b[1]) {
                (a, b)
            } else {
                (b, a)
            };
            let frame = Frame::new(a, [b[0] - a[0], b[1] - a[1]]);
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            symbols::ground(&mut self.scene, &frame, 0.0, length, 3.0);
        }
    }

    /// Direction in which the members leave a point; upwards where there are none.
    fn outwards(&self, point: PointId) -> Pixel {
        let mut sum = [0.0, 0.0];
        for member in self.model.members_at(point) {
            let [a, b] = self.ends(member);
            let there = if self.model.members[member].from == point {
                b
            } else {
                a
            };
            let here = self.point(point);
            let along = Frame::new(here, [there[0] - here[0], there[1] - here[1]]).along;
            sum = [sum[0] + along[0], sum[1] + along[1]];
        }
        if sum[0].hypot(sum[1]) < 1e-6 {
            [0.0, -1.0]
        } else {
            sum
        }
    }

    fn supports(&mut self) {
        for support in &self.model.supports {
            if let Target::Point { point, .. } = support.target {
                self.support(support, point);
            }
        }
    }

    fn support(&mut self, support: &Support, point: PointId) {
        let at = self.point(point);
        let outwards = self.outwards(point);
        let up = Frame::new(at, [0.0, -1.0]);
        let side = Frame::new(at, [if outwards[0] < 0.0 { -1.0 } else { 1.0 }, 0.0]);
        let holds = |direction| support.fixed.contains(&direction);
        let scene = &mut self.scene;
        match (
            holds(Direction::X),
            holds(Direction::Y),
            holds(Direction::Rotation),
        ) {
            (true, true, true) => symbols::clamp(scene, &Frame::new(at, outwards)),
            (true, true, false) => symbols::pin(scene, &up),
            (false, true, false) => symbols::roller(scene, &up),
            (true, false, false) => symbols::roller(scene, &side),
            (false, true, true) => symbols::guided(scene, &up),
            (true, false, true) => symbols::guided(scene, &side),
            (false, false, _) => symbols::no_turn(scene, &up),
        }
    }

    fn joints(&mut self) {
        for hinge in &self.model.hinges {
            let at = self.point(hinge.point);
            self.scene.circle(at, 5.0, Ink::Paper, Ink::Member);
        }
        for slider in &self.model.sliders {
            let at = self.point(slider.point);
            let along = self.path_direction(at, slider.path.iter().map(|p| p.member));
            let turns = slider.kind == SliderKind::Cylindrical;
            let friction = slider.friction != Friction::None;
            symbols::slider(&mut self.scene, &Frame::new(at, along), turns, friction);
        }
    }

    /// Direction of the member of a path that is nearest to a place.
    fn path_direction(&self, at: Pixel, path: impl Iterator<Item = MemberId>) -> Pixel {
        let along = |[a, b]: [Pixel; 2]| [b[0] - a[0], b[1] - a[1]];
        let distance = |[a, b]: [Pixel; 2]| {
            let [x, y] = along([a, b]);
            let share = ((at[0] - a[0]) * x + (at[1] - a[1]) * y) / (x * x + y * y);
            let share = share.clamp(0.0, 1.0);
            (at[0] - a[0] - share * x).hypot(at[1] - a[1] - share * y)
        };
        let members = path.map(|m| self.ends(m));
        let nearest = members.min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        nearest.map_or([1.0, 0.0], along)
    }

    fn masses(&mut self) {
        for mass in &self.model.masses {
            let at = self.point(mass.point);
            self.scene.circle(at, 6.5, Ink::Mass, Ink::Paper);
        }
    }

    fn motions(&mut self) {
        for motion in &self.model.motions {
            let targets = match &motion.moved {
                Moved::Target(target) => vec![*target],
                Moved::Supports(list) => {
                    (list.iter().map(|&s| self.model.supports[s].target)).collect()
                }
            };
            let places = targets.into_iter().map(|target| match target {
                Target::Point { point, .. } => self.point(point),
                Target::Member(member) => {
                    let [a, b] = self.ends(member);
                    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
                }
            });
            let places: Vec<Pixel> = places.collect();
            let value = match motion.law {
                MotionLaw::Held(value)
                | MotionLaw::Rate(value)
                | MotionLaw::Acceleration(value) => value,
                MotionLaw::Scaled { value, .. } => value,
                MotionLaw::Record { scale, .. } => scale,
            };
            for at in places {
                self.motion(motion, value, at);
            }
        }
    }

    fn motion(&mut self, motion: &Motion, value: f64, at: Pixel) {
        let sign = if value < 0.0 { -1.0 } else { 1.0 };
        let along = match motion.direction {
            Direction::X => [sign, 0.0],
            Direction::Y => [0.0, -sign],
            Direction::Rotation => {
                let frame = Frame::new(at, [1.0, 0.0]);
                symbols::turning_arrow(&mut self.scene, &frame, sign, Ink::Drive, false);
                self.label(frame.place(22.0, 22.0), &motion.name, Ink::Drive);
                return;
            }
        };
        let frame = Frame::new(at, along);
        // A bar at the foot tells an imposed motion from a force.
        self.scene
            .line(&frame.places(&[[12.0, -7.0], [12.0, 7.0]]), 2.5, Ink::Drive);
        symbols::arrow(&mut self.scene, &frame, 12.0, 58.0, Ink::Drive, false);
        self.label(frame.place(58.0, 0.0), &motion.name, Ink::Drive);
    }

    /// Forces end at their point; those that are zero in the file are dashed.
    fn loads(&mut self) {
        let inputs: Vec<&str> = self.model.inputs.iter().map(|i| i.path.as_str()).collect();
        for load in &self.model.loads {
            let at = self.point(load.point);
            for (component, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
                let value = load.components[component];
                let input = inputs.contains(&format!("loads.{}.{key}", load.name).as_str());
                if value == 0.0 && !input {
                    continue;
                }
                let sign = if value < 0.0 { -1.0 } else { 1.0 };
                let dashed = value == 0.0 || load.history != History::Constant;
                let along = match component {
                    0 => [sign, 0.0],
                    1 => [0.0, -sign],
                    _ => {
                        let frame = Frame::new(at, [1.0, 0.0]);
                        symbols::turning_arrow(&mut self.scene, &frame, sign, Ink::Load, dashed);
                        self.label(frame.place(22.0, 22.0), &load.name, Ink::Load);
                        continue;
                    }
                };
                let frame = Frame::new(at, along);
                symbols::arrow(&mut self.scene, &frame, -62.0, -10.0, Ink::Load, dashed);
                self.label(frame.place(-62.0, 0.0), &load.name, Ink::Load);
            }
        }
    }

    /// Rows of arrows that end at the member, as long as the load is at their places.
    fn line_loads(&mut self) {
        const ARROWS: usize = 6;
        for load in &self.model.line_loads {
            let [a, b] = self.ends(load.member);
            let length = self.model.length_of(load.member);
            let axis = Frame::new(a, [b[0] - a[0], b[1] - a[1]]).along;
            // On the screen y points down: the left of the axis is that of the drawing.
            let normal = [axis[1], -axis[0]];
            let largest = load.variation[0].abs().max(load.variation[1].abs());
            let mut last = a;
            for (component, &q) in load.components.iter().enumerate() {
                if q == 0.0 || largest == 0.0 {
                    continue;
                }
                let along = [[1.0, 0.0], [0.0, -1.0], normal, axis][component];
                for i in 0..=ARROWS {
                    let x = i as f64 / ARROWS as f64;
                    let share = load.between[0] + x * (load.between[1] - load.between[0]);
                    let share = share / length;
                    let at = [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
                    let size = (1.0 - x) * load.variation[0] + x * load.variation[1];
                    let sign = (size * q).signum();
                    let long = 30.0 * size.abs() / largest;
                    if long > 4.0 {
                        let frame = Frame::new(at, along.map(|c| sign * c));
                        let dashed = load.history != History::Constant;
                        symbols::arrow(
                            &mut self.scene,
                            &frame,
                            -6.0 - long,
                            -6.0,
                            Ink::Load,
                            dashed,
                        );
                        last = frame.place(-8.0 - long, 0.0);
                    }
                }
            }
            self.label(last, &load.name, Ink::Load);
        }
    }

    fn probes(&mut self) {
        for probe in &self.model.probes {
            let at = match probe.kind {
                ProbeKind::Deflection { point, from, .. } | ProbeKind::Distance { point, from } => {
                    let line = [self.point(from), self.point(point)];
                    self.scene.dashes(&line, 1.5, Ink::Probe);
                    line[1]
                }
                ProbeKind::Rotation { point, .. } | ProbeKind::Drift { point, .. } => {
                    self.point(point)
                }
                ProbeKind::Displacement { member, at, .. } => {
                    let [a, b] = self.ends(member);
                    let share = at / self.model.length_of(member);
                    [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]
                }
            };
            let frame = Frame::new(at, [1.0, 0.0]);
            let corners = [[-6.0, 0.0], [0.0, 6.0], [6.0, 0.0], [0.0, -6.0]];
            self.scene
                .area(&frame.places(&corners), Ink::Paper, Ink::Probe);
            self.label(at, &probe.name, Ink::Probe);
        }
    }

    /// Axes, scale and gravity.
    fn surroundings(&mut self) {
        let bottom = self.scene.height - 22.0;
        for (along, name) in [([1.0, 0.0], "x"), ([0.0, -1.0], "y")] {
            let axis = Frame::new([22.0, bottom], along);
            symbols::arrow(&mut self.scene, &axis, 0.0, 36.0, Ink::Ground, false);
            self.scene.text(axis.place(44.0, 0.0), name, Ink::Ground);
        }
        let length = round_below(170.0 / self.scale);
        let bar = Frame::new([self.scene.width - 24.0, bottom], [-1.0, 0.0]);
        let width = length * self.scale;
        let ends = [[0.0, 4.0], [0.0, 0.0], [width, 0.0], [width, 4.0]];
        self.scene.line(&bar.places(&ends), 2.0, Ink::Ground);
        let name = format!("{length} m");
        self.scene
            .text(bar.place(0.5 * width, -12.0), &name, Ink::Ground);
        let gravity = self.model.gravity;
        let input = self
            .model
            .inputs
            .iter()
            .any(|i| i.path.starts_with("gravity."));
        if gravity != [0.0; 2] || input {
            let along = if gravity == [0.0; 2] {
                [0.0, 1.0]
            } else {
                [gravity[0], -gravity[1]]
            };
            let down = Frame::new([self.scene.width - 40.0, 36.0], along);
            symbols::arrow(
                &mut self.scene,
                &down,
                -20.0,
                24.0,
                Ink::Load,
                gravity == [0.0; 2],
            );
            self.scene.text(down.place(0.0, 14.0), "g", Ink::Load);
        }
    }

    /// One label for all that is at one place, and one in the middle of each member.
    fn names(&mut self) {
        let model = self.model;
        let mut places: Vec<(Pixel, Vec<&str>)> = Vec::new();
        let joints = model.sliders.iter().map(|s| (s.point, s.name.as_str()));
        let hinges = model.hinges.iter().map(|h| (h.point, h.name.as_str()));
        let masses = model.masses.iter().map(|m| (m.point, m.name.as_str()));
        let points = model.points.iter().enumerate();
        let points = points.map(|(id, p)| (id, p.name.as_str()));
        for (point, name) in points.chain(joints).chain(hinges).chain(masses) {
            let at = self.point(point);
            let same = |p: &Pixel| (p[0] - at[0]).hypot(p[1] - at[1]) < 3.0;
            match places.iter_mut().find(|(p, _)| same(p)) {
                Some((_, names)) if !names.contains(&name) => names.push(name),
                Some(_) => {}
                None => places.push((at, vec![name])),
            }
        }
        if places.len() + model.members.len() > MOST_NAMES {
            return;
        }
        for (at, names) in places {
            self.scene.circle(at, 2.0, Ink::Text, Ink::Text);
            self.label(at, &names.join(", "), Ink::Text);
        }
        for (id, member) in model.members.iter().enumerate() {
            let [a, b] = self.ends(id);
            let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            let ink = if member.properties.is_some() {
                Ink::Member
            } else {
                Ink::Ground
            };
            self.label(middle, &member.name, ink);
        }
    }
}

/// 1, 2 or 5 times a power of ten, at most `length`.
fn round_below(length: f64) -> f64 {
    let power = 10.0_f64.powf(length.log10().floor());
    let steps = [5.0, 2.0, 1.0].into_iter();
    let fits = steps.map(|s| s * power).find(|l| *l <= length);
    // Without the last bits of the power.
    let digit = format!("{:.0e}", fits.unwrap_or(power));
    digit.parse().unwrap_or(power)
}
