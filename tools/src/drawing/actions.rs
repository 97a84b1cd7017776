//! What acts on the mechanism: imposed motions and loads.

use coulisse::model::checked::{Carrier, Direction, Extent, LineLoad, Motion, Moved, Target};
use coulisse::model::history::MotionLaw;

use super::scene::{Anchor, Frame, Ink, Pixel};
use super::{Drawing, symbols};

impl Drawing<'_> {
    pub(super) fn motions(&mut self) {
        for motion in &self.model.motions {
            let targets = match &motion.moved {
                Moved::Target(target) => vec![*target],
                Moved::Coupling(coupling) => {
                    let (_, point) = self.model.couplings[*coupling].driven.points();
                    vec![Target::Point { point, member: None }]
                }
                Moved::Supports(list) => {
                    (list.iter().map(|&s| self.model.supports[s].target)).collect()
                }
            };
            let value = match motion.law {
                MotionLaw::Position(value)
                | MotionLaw::Rate(value)
                | MotionLaw::Acceleration(value) => value,
                MotionLaw::Scaled { value, .. } => value,
                MotionLaw::Record { scale, .. } => scale,
            };
            for target in targets {
                self.motion(motion, value, target);
            }
        }
    }

    fn motion(&mut self, motion: &Motion, value: f64, target: Target) {
        let (at, anchor) = match target {
            Target::Point { point, .. } => (self.point(point), Anchor::Point(point)),
            Target::Member(member) => (self.along(member, 0.5), Anchor::Member(member)),
            Target::Edge(edge) => (self.along_line(Carrier::Edge(edge), 0.5), Anchor::Picture),
            Target::Body(_) => return,
        };
        self.begin(anchor, at, [1.0, 0.0]);
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
        self.scene.line(&frame.places(&[[12.0, -7.0], [12.0, 7.0]]), 2.5, Ink::Drive);
        symbols::arrow(&mut self.scene, &frame, 12.0, 58.0, Ink::Drive, false);
        self.label(frame.place(58.0, 0.0), &motion.name, Ink::Drive);
    }

    /// Forces end at their point; those that are zero in the file are dashed.
    pub(super) fn loads(&mut self) {
        let inputs: Vec<&str> = self.model.inputs.iter().map(|i| i.path.as_str()).collect();
        for load in &self.model.loads {
            let at = self.point(load.point);
            self.begin(Anchor::Point(load.point), at, [1.0, 0.0]);
            for (component, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
                let value = load.components[component];
                let input = inputs.contains(&format!("loads.{}.{key}", load.name).as_str());
                if value == 0.0 && !input {
                    continue;
                }
                let sign = if value < 0.0 { -1.0 } else { 1.0 };
                let dashed = value == 0.0 || !load.factors.is_constant(component);
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
    pub(super) fn line_loads(&mut self) {
        for load in &self.model.line_loads {
            let Some(carrier) = load.carrier() else {
                self.through_body(load);
                continue;
            };
            let mut last = self.along_line(carrier, 0.5);
            for component in (0..5).filter(|&c| load.components[c] != 0.0) {
                self.row_of_arrows(load, carrier, component, &mut last);
            }
            self.label(last, &load.name, Ink::Load);
        }
    }

    /// One arrow for each component, in the centroid.
    fn through_body(&mut self, load: &LineLoad) {
        let Extent::Through { body, .. } = load.extent else {
            return;
        };
        // The centroid with the mean displacement of the nodes: near enough for an arrow.
        let (now, initial) = (&self.nodes[body], &self.model.bodies[body].mesh.nodes);
        let count = now.len() as f64;
        let mean = |places: &[[f64; 2]], axis: usize| {
            places.iter().map(|place| place[axis]).sum::<f64>() / count
        };
        let centre = self.model.bodies[body].moments().centre;
        let at = [0, 1].map(|axis| centre[axis] + mean(now, axis) - mean(initial, axis));
        let at = self.pixel(at);
        let dashed = !load.factors.are_constant();
        let mut last = at;
        for (component, along) in [[1.0, 0.0], [0.0, -1.0]].into_iter().enumerate() {
            let size = load.components[component];
            if size == 0.0 {
                continue;
            }
            self.begin(Anchor::Picture, at, [1.0, 0.0]);
            let frame = Frame::new(at, along.map(|c| size.signum() * c));
            symbols::arrow(&mut self.scene, &frame, -26.0, 26.0, Ink::Load, dashed);
            last = frame.place(26.0, 0.0);
        }
        self.label(last, &load.name, Ink::Load);
    }

    fn row_of_arrows(
        &mut self, load: &LineLoad, carrier: Carrier, component: usize, last: &mut Pixel,
    ) {
        const ARROWS: usize = 6;
        let length = self.model.length_of_carrier(carrier);
        // A single arrow where it acts in one section, as long as that of a load at a point.
        let ([from, to], [first, second], last_arrow, longest) = match load.extent {
            Extent::Along { between, variation, .. } => (between, variation, ARROWS, 30.0),
            Extent::At { place, .. } => ([place; 2], [1.0; 2], 0, 52.0),
            Extent::Through { .. } => return,
        };
        let [from, to] = [from, to].map(|s| s / length);
        let largest = first.abs().max(second.abs());
        let dashed = !load.factors.are_constant();
        for i in 0..=last_arrow {
            let x = i as f64 / ARROWS as f64;
            let share = from + x * (to - from);
            let size = (1.0 - x) * first + x * second;
            let long = longest * size.abs() / largest;
            if long.is_nan() || long <= 4.0 {
                continue;
            }
            let at = self.along_line(carrier, share);
            let axis = self.direction(carrier, share);
            let normal = self.inwards(carrier, share);
            let sign = (size * load.components[component]).signum();
            let anchor = match carrier {
                Carrier::Member(member) => Anchor::Member(member),
                Carrier::Edge(_) => Anchor::Picture,
            };
            self.begin(anchor, at, [1.0, 0.0]);
            let directions = [[1.0, 0.0], [0.0, -1.0], normal, axis];
            let Some(along) = directions.get(component) else {
                let frame = Frame::new(at, [1.0, 0.0]);
                symbols::turning_arrow(&mut self.scene, &frame, sign, Ink::Load, dashed);
                *last = frame.place(22.0, 22.0);
                continue;
            };
            let frame = Frame::new(at, along.map(|c| sign * c));
            symbols::arrow(&mut self.scene, &frame, -6.0 - long, -6.0, Ink::Load, dashed);
            *last = frame.place(-8.0 - long, 0.0);
        }
    }
}
