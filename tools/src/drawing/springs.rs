//! Springs between points.

use coulisse::joints::regime::End;
use coulisse::model::checked::{Between, Bushing, PointId, Section, SideOf, SpringEnd};

use super::Drawing;
use super::scene::{Anchor, Frame, Ink, Pixel};
use super::symbols;

/// Half the length of the bar of a stop, px.
pub const HALF_STOP: f64 = 8.0;
/// Where the bars of a stop of rotations begin and end, and the arc between them, px from the point.
const STOP_OF_ANGLES: [f64; 3] = [15.0, 27.0, 21.0];
/// Angle of the arc at a stop that is alone, rad.
const ALONE: f64 = 0.6;

/// Width of the bar of a stop, px.
fn width(rigid: bool) -> f64 {
    if rigid { 4.5 } else { 2.2 }
}

/// Places of a zigzag between two points, as shares of the way and px across it.
pub fn zigzag() -> Vec<[f64; 2]> {
    const TURNS: usize = 5;
    const HEIGHT: f64 = 7.0;
    const END: f64 = 0.2;
    let mut places = vec![[0.0, 0.0], [END, 0.0]];
    for k in 0..2 * TURNS {
        let share = (k as f64 + 0.5) / (2 * TURNS) as f64;
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        places.push([END + (1.0 - 2.0 * END) * share, side * HEIGHT]);
    }
    places.extend([[1.0 - END, 0.0], [1.0, 0.0]]);
    places
}

impl Drawing<'_> {
    /// A zigzag between the ends of every spring, a spiral where it turns, ground where it stands on it, bars at its stops; rings of bushings.
    pub(super) fn springs(&mut self) {
        let model = self.model;
        for bushing in &model.bushings {
            self.bushing(bushing);
        }
        for (id, spring) in model.lone_springs() {
            match spring.between {
                Between::Line { from, to }
                | Between::Axis { from, to, .. }
                | Between::Along { from, to, .. } => {
                    self.spring_between(id, from, to);
                }
                Between::Sections { from, to } => self.spiral(id, from, to),
                Between::Bushing { .. } => {}
            }
        }
    }

    /// Two rings where it ends, dashes to where it begins, and the axes of its frame in the initial configuration.
    fn bushing(&mut self, bushing: &Bushing) {
        let sides = &bushing.sides;
        let [begin, at] = [self.point(sides.from.point()), self.point(sides.to.0)];
        if begin != at {
            self.scene.begin_picture();
            self.scene.dashes(&[begin, at], 1.2, Ink::Spring);
        }
        let turns = match sides.frame {
            SideOf::From => sides.section(),
            SideOf::To => Some(sides.to),
        };
        let anchor = self.turning(sides.to.0, turns);
        self.scene.begin(anchor, Frame::new(at, [1.0, 0.0]));
        for radius in [4.0, 10.0] {
            self.ring(at, radius, 1.5, Ink::Spring);
        }
        let (sin, cos) = (sides.angle + self.turn(turns)).sin_cos();
        for way in [[cos, -sin], [-sin, -cos]] {
            let on = |radius: f64| [0, 1].map(|i| at[i] + radius * way[i]);
            self.scene.line(&[on(-10.0), on(-4.0)], 1.2, Ink::Spring);
            self.scene.line(&[on(4.0), on(14.0)], 1.2, Ink::Spring);
        }
        self.label(at, &bushing.name, Ink::Spring);
    }

    /// What moves with a point and turns with a section, where that turns.
    fn turning(&self, point: PointId, section: Option<Section>) -> Anchor {
        let unknown = section.zip(self.at);
        let unknown =
            unknown.and_then(|((at, member), (own, _))| own.drawing().rotation_of(at, member));
        unknown.map_or(Anchor::Point(point), |u| Anchor::Section(point, u))
    }

    /// Angle by which a section has turned since the start, rad; 0 of the ground.
    fn turn(&self, section: Option<Section>) -> f64 {
        let unknown = section.zip(self.at);
        let angle = unknown.and_then(|((at, member), (system, q))| {
            system.drawing().rotation_of(at, member).map(|unknown| q[unknown])
        });
        angle.unwrap_or_default()
    }

    fn spring_between(&mut self, id: usize, from: SpringEnd, to: PointId) {
        let spring = &self.model.springs[id];
        let [start, end] = [from.point(), to].map(|point| self.points[point]);
        let [a, b] = [start, end].map(|place| self.pixel(place));
        let way = [b[0] - a[0], b[1] - a[1]];
        let across = match way[0].hypot(way[1]) {
            length if length > 0.0 => [-way[1] / length, way[0] / length],
            _ => [0.0; 2],
        };
        let on = |[share, height]: [f64; 2]| -> Pixel {
            [0, 1].map(|i| a[i] + share * way[i] + height * across[i])
        };
        let line: Vec<Pixel> = zigzag().into_iter().map(on).collect();
        self.scene.begin_picture();
        self.scene.line(&line, 1.8, Ink::Spring);
        if let SpringEnd::Ground(_) = from {
            let half = 10.0;
            let floor = [1.0, -1.0].map(|side| [0, 1].map(|i| a[i] + side * half * across[i]));
            symbols::ground(&mut self.scene, &floor, 2.0);
        }
        // The bars at which its end is stopped.
        let way = match spring.between {
            Between::Axis { axis, .. } => [[1.0, 0.0], [0.0, -1.0]][axis],
            Between::Along { direction, .. } => [direction[0], -direction[1]],
            _ => [across[1], -across[0]],
        };
        // In pixels y points down.
        let now = (end[0] - start[0]) * way[0] - (end[1] - start[1]) * way[1];
        for stop in self.model.stops_of_spring(id) {
            let beyond = self.scene.scale * (stop.at - now);
            let at = [0, 1].map(|i| b[i] + beyond * way[i]);
            let bar = [1.0, -1.0].map(|side| {
                let half = side * HALF_STOP;
                [at[0] - half * way[1], at[1] + half * way[0]]
            });
            let rigid = stop.restitution.is_some();
            self.scene.line(&bar, width(rigid), Ink::Text);
        }
        self.label(on([0.5, 9.0]), &spring.name, Ink::Spring);
    }

    /// The angle of a section in the initial configuration, rad: that of its member, seen from the point.
    fn initial_angle(&self, (point, member): Section) -> f64 {
        let ending = self.model.members_at(point);
        let Some(member) = member.or(ending.first().copied()) else {
            return 0.0;
        };
        let described = &self.model.members[member];
        let begins = described.from == point;
        let axis = self.at.map(|(system, _)| {
            system.drawing().axis_of(member, system.initial(), super::pieces(described.order))
        });
        let ends = match axis.as_deref().unwrap_or_default() {
            [a, b, ..] if begins => [*a, *b],
            [.., a, b] => [*b, *a],
            _ => return 0.0,
        };
        (ends[1][1] - ends[0][1]).atan2(ends[1][0] - ends[0][0])
    }

    /// Bars where a rotation is stopped, on an arc about the point: they turn with the section from which it is measured.
    fn stops_of_angles(&mut self, id: usize, from: Option<Section>, to: Section) {
        let stops = self.model.stops_of_spring(id);
        if stops.is_empty() {
            return;
        }
        let at = self.point(to.0);
        let anchor = self.turning(to.0, from);
        self.scene.begin(anchor, Frame::new(at, [1.0, 0.0]));
        let [inner, outer, between] = STOP_OF_ANGLES;
        let initial = self.initial_angle(to) + self.turn(from);
        let on = |radius: f64, turned: f64| -> Pixel {
            let (sin, cos) = (initial + turned).sin_cos();
            [at[0] + radius * cos, at[1] - radius * sin]
        };
        for stop in &stops {
            let bar = [on(inner, stop.at), on(outer, stop.at)];
            let rigid = stop.restitution.is_some();
            self.scene.line(&bar, width(rigid), Ink::Text);
        }
        let limit = |end: End| stops.iter().find(|stop| stop.end == end).map(|stop| stop.at);
        let (least, most) = match (limit(End::First), limit(End::Last)) {
            (Some(least), Some(most)) => (least, most),
            (Some(least), None) => (least, least + ALONE),
            (None, Some(most)) => (most - ALONE, most),
            (None, None) => return,
        };
        if most - least < std::f64::consts::TAU {
            let part = |k: i32| least + f64::from(k) / 24.0 * (most - least);
            let arc: Vec<Pixel> = (0..=24).map(|k| on(between, part(k))).collect();
            self.scene.dashes(&arc, 1.2, Ink::Ground);
        }
    }

    fn spiral(&mut self, id: usize, from: Option<Section>, to: Section) {
        let (spring, point) = (&self.model.springs[id], to.0);
        self.stops_of_angles(id, from, to);
        let at = self.point(point);
        self.scene.begin(Anchor::Point(point), Frame::new(at, [1.0, 0.0]));
        let on = |k: i32| {
            let turn = f64::from(k) / 12.0;
            let (sin, cos) = (turn * std::f64::consts::TAU / 2.0).sin_cos();
            let radius = 5.0 + 2.2 * turn;
            [at[0] + radius * cos, at[1] - radius * sin]
        };
        let line: Vec<Pixel> = (0..=60).map(on).collect();
        self.scene.line(&line, 1.5, Ink::Spring);
        self.label(at, &spring.name, Ink::Spring);
    }
}
