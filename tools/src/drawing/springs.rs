//! Springs and dampers between points.

use std::f64::consts::TAU;

use coulisse::joints::regime::End;
use coulisse::laws::spring::{Damper, Elastic, Spring};
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

/// A line of a symbol between two points, by shares of the way and px across it.
pub type Stroke = Vec<[f64; 2]>;

/// What of a spring its symbol shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parts {
    Spring,
    Damper,
    /// A spring with a damper parallel to it (Kelvin-Voigt).
    Both,
}

impl Parts {
    /// Stops, slip elements and actuators alone are drawn as a spring.
    fn of(law: &Spring) -> Parts {
        let of_law = matches!(&law.elastic, Elastic::Law(law) if law.damps());
        let damps = of_law || law.damper != Damper::Linear || law.setting.damping != 0.0;
        match (law.springs(), damps) {
            (true, true) => Parts::Both,
            (false, true) => Parts::Damper,
            (_, false) => Parts::Spring,
        }
    }
}

/// The symbol of a spring between two points: a zigzag, a dashpot, or both beside each other between bars.
pub fn symbol(law: &Spring) -> Vec<Stroke> {
    /// Of what stands alone, px.
    const HALF: f64 = 7.0;
    /// Of each of two, and the distance of both from the middle, px.
    const SMALL: [f64; 2] = [4.5, 8.0];
    /// Where the bars stand.
    const BARS: [f64; 2] = [0.15, 0.85];
    match Parts::of(law) {
        Parts::Spring => vec![zigzag([0.0, 1.0], 0.0, HALF)],
        Parts::Damper => dashpot([0.0, 1.0], 0.0, HALF),
        Parts::Both => {
            let [half, aside] = SMALL;
            let [first, last] = BARS;
            let bar = |share: f64| vec![[share, aside], [share, -aside]];
            let mut strokes = vec![
                vec![[0.0, 0.0], [first, 0.0]],
                bar(first),
                zigzag(BARS, aside, half),
                bar(last),
                vec![[last, 0.0], [1.0, 0.0]],
            ];
            strokes.extend(dashpot(BARS, -aside, half));
            strokes
        }
    }
}

/// A zigzag of the height ±`half` from one share of the way to another, `aside` of it.
fn zigzag([from, to]: [f64; 2], aside: f64, half: f64) -> Stroke {
    const TURNS: usize = 5;
    const END: f64 = 0.2;
    let on = |share: f64, high: f64| [from + share * (to - from), aside + high];
    let mut places = vec![on(0.0, 0.0), on(END, 0.0)];
    for k in 0..2 * TURNS {
        let share = (k as f64 + 0.5) / (2 * TURNS) as f64;
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        places.push(on(END + (1.0 - 2.0 * END) * share, side * half));
    }
    places.extend([on(1.0 - END, 0.0), on(1.0, 0.0)]);
    places
}

/// A pot, open to where the way ends, and the piston in it, as [`zigzag`].
fn dashpot([from, to]: [f64; 2], aside: f64, half: f64) -> Vec<Stroke> {
    const POT: [f64; 2] = [0.3, 0.7];
    const PISTON: f64 = 0.52;
    let on = |share: f64, high: f64| [from + share * (to - from), aside + high];
    let [bottom, rim] = POT;
    // The piston fits with a gap that one sees.
    let fits = half - 2.5;
    vec![
        vec![on(0.0, 0.0), on(bottom, 0.0)],
        vec![on(rim, half), on(bottom, half), on(bottom, -half), on(rim, -half)],
        vec![on(PISTON, fits), on(PISTON, -fits)],
        vec![on(PISTON, 0.0), on(1.0, 0.0)],
    ]
}

/// A pot and its piston on an arc about a point, above it, by px from there and turns: the symbol of a damper of rotations.
fn pot_on_an_arc() -> Vec<Stroke> {
    let [inner, middle, outer] = [18.0, 22.5, 27.0];
    let arc = |radius: f64, from: f64, to: f64| {
        let turn = move |k: i32| from + f64::from(k) / 12.0 * (to - from);
        (0..=12).map(move |k| [radius, turn(k)])
    };
    let pot = arc(inner, 0.20, 0.31).chain(arc(outer, 0.31, 0.20));
    vec![
        pot.collect(),
        vec![[inner + 2.0, 0.25], [outer - 2.0, 0.25]],
        arc(middle, 0.25, 0.14).collect(),
        arc(middle, 0.36, 0.31).collect(),
    ]
}

impl Drawing<'_> {
    /// A zigzag, a dashpot or both between the ends of every spring, a spiral, a pot on an arc or both where it turns, ground where it stands on
    /// it, bars at its stops; rings of bushings.
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
        self.scene.begin_picture();
        for stroke in symbol(&spring.law) {
            let line: Vec<Pixel> = stroke.into_iter().map(on).collect();
            self.scene.line(&line, 1.8, Ink::Spring);
        }
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
        if most - least < TAU {
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
        let on = |[radius, turn]: [f64; 2]| -> Pixel {
            let (sin, cos) = (turn * TAU).sin_cos();
            [at[0] + radius * cos, at[1] - radius * sin]
        };
        let parts = Parts::of(&spring.law);
        if parts != Parts::Damper {
            let line = (0..=60).map(|k| f64::from(k) / 24.0);
            let line: Vec<Pixel> = line.map(|turn| on([5.0 + 4.4 * turn, turn])).collect();
            self.scene.line(&line, 1.5, Ink::Spring);
        }
        if parts != Parts::Spring {
            for stroke in pot_on_an_arc() {
                let line: Vec<Pixel> = stroke.into_iter().map(on).collect();
                self.scene.line(&line, 1.5, Ink::Spring);
            }
        }
        self.label(at, &spring.name, Ink::Spring);
    }
}

#[cfg(test)]
mod tests {
    use coulisse::laws::spring::{Setting, Stops};

    use super::*;

    fn strokes(stiffness: f64, damping: f64) -> Vec<Stroke> {
        let setting = Setting { stiffness, damping, ..Setting::default() };
        let (elastic, damper) = (Elastic::Linear, Damper::Linear);
        symbol(&Spring { elastic, damper, stops: Stops::default(), slip: None, setting })
    }

    #[test]
    fn a_spring_a_damper_and_both_side_by_side_have_their_own_symbols_between_the_same_ends() {
        // A zigzag; stem, pot, piston and rod; and between two bars with their stems all of these.
        for (symbol, count) in
            [(strokes(1.0, 0.0), 1), (strokes(0.0, 1.0), 4), (strokes(1.0, 1.0), 9)]
        {
            assert_eq!(symbol.len(), count);
            let places = || symbol.iter().flatten();
            assert!(places().any(|place| *place == [0.0, 0.0]));
            assert!(places().any(|place| *place == [1.0, 0.0]));
            assert!(places().all(|[share, high]| (0.0..=1.0).contains(share) && high.abs() < 13.0));
        }
        let [sides, alone] = [strokes(1.0, 1.0), strokes(0.0, 0.0)];
        for side in [1.0, -1.0] {
            assert!(sides.iter().any(|stroke| stroke.iter().all(|[_, high]| side * high > 0.0)));
        }
        assert_eq!(alone, strokes(1.0, 0.0));
    }
}
