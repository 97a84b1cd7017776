//! What acts on the mechanism: imposed motions and loads.

use coulisse::model::checked::{Direction, Target};
use coulisse::model::history::{History, MotionLaw};

use super::scene::{Anchor, Frame, Ink};
use super::{Drawing, symbols};

impl Drawing<'_> {
    pub(super) fn motions(&mut self) {
        for motion in &self.model.motions {
            let (at, anchor) = match motion.target {
                Target::Point { point, .. } => (self.point(point), Anchor::Point(point)),
                Target::Member(member) => (self.along(member, 0.5), Anchor::Member(member)),
            };
            self.begin(anchor, at, [1.0, 0.0]);
            let value = match motion.law {
                MotionLaw::Held(value) | MotionLaw::Rate(value) => value,
                MotionLaw::Scaled { value, .. } => value,
            };
            let sign = if value < 0.0 { -1.0 } else { 1.0 };
            let along = match motion.direction {
                Direction::X => [sign, 0.0],
                Direction::Y => [0.0, -sign],
                Direction::Rotation => {
                    let frame = Frame::new(at, [1.0, 0.0]);
                    symbols::turning_arrow(&mut self.scene, &frame, sign, Ink::Drive, false);
                    self.label(frame.place(22.0, 22.0), &motion.name, Ink::Drive);
                    continue;
                }
            };
            let frame = Frame::new(at, along);
            // A bar at the foot tells an imposed motion from a force.
            self.scene
                .line(&frame.places(&[[12.0, -7.0], [12.0, 7.0]]), 2.5, Ink::Drive);
            symbols::arrow(&mut self.scene, &frame, 12.0, 58.0, Ink::Drive, false);
            self.label(frame.place(58.0, 0.0), &motion.name, Ink::Drive);
        }
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
}
