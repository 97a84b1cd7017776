//! Springs between points.

use coulisse::model::checked::{Between, Bushing, PointId, Spring, SpringEnd};

use super::Drawing;
use super::scene::{Anchor, Frame, Ink, Pixel};
use super::symbols;

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
    /// A zigzag between the ends of every spring, a spiral where it turns, ground where it stands on it; rings of bushings.
    pub(super) fn springs(&mut self) {
        let model = self.model;
        for bushing in &model.bushings {
            self.bushing(bushing);
        }
        for (_, spring) in model.lone_springs() {
            match spring.between {
                Between::Line { from, to }
                | Between::Axis { from, to, .. }
                | Between::Along { from, to, .. } => {
                    self.spring_between(spring, from, to);
                }
                Between::Sections { to: (point, _), .. } => self.spiral(spring, point),
                Between::Bushing { .. } => {}
            }
        }
    }

    /// Two rings where it ends, dashes to where it begins, and the axes of its frame as drawn.
    fn bushing(&mut self, bushing: &Bushing) {
        let sides = &bushing.sides;
        let place = |point: PointId| self.model.points[point].position;
        let [begin, at] =
            [place(sides.from.point()), place(sides.to.0)].map(|place| self.pixel(place));
        if begin != at {
            self.scene.begin_picture();
            self.scene.dashes(&[begin, at], 1.2, Ink::Joint);
        }
        self.scene
            .begin(Anchor::Point(sides.to.0), Frame::new(at, [1.0, 0.0]));
        for radius in [4.0, 10.0] {
            let on = |k: i32| {
                let (sin, cos) = (f64::from(k) / 24.0 * std::f64::consts::TAU).sin_cos();
                [at[0] + radius * cos, at[1] - radius * sin]
            };
            let ring: Vec<Pixel> = (0..=24).map(on).collect();
            self.scene.line(&ring, 1.5, Ink::Joint);
        }
        let (sin, cos) = sides.angle.sin_cos();
        for way in [[cos, -sin], [-sin, -cos]] {
            let on = |radius: f64| [0, 1].map(|i| at[i] + radius * way[i]);
            self.scene.line(&[on(-10.0), on(-4.0)], 1.2, Ink::Joint);
            self.scene.line(&[on(4.0), on(14.0)], 1.2, Ink::Joint);
        }
        self.label(at, &bushing.name, Ink::Joint);
    }

    fn spring_between(&mut self, spring: &Spring, from: SpringEnd, to: PointId) {
        let place = |point: PointId| self.model.points[point].position;
        let [a, b] = [place(from.point()), place(to)].map(|place| self.pixel(place));
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
        self.scene.line(&line, 1.8, Ink::Joint);
        if let SpringEnd::Ground(_) = from {
            let half = 10.0;
            let floor = [1.0, -1.0].map(|side| [0, 1].map(|i| a[i] + side * half * across[i]));
            symbols::ground(&mut self.scene, &floor, 2.0);
        }
        self.label(on([0.5, 9.0]), &spring.name, Ink::Joint);
    }

    fn spiral(&mut self, spring: &Spring, point: PointId) {
        let at = self.pixel(self.model.points[point].position);
        self.scene
            .begin(Anchor::Point(point), Frame::new(at, [1.0, 0.0]));
        let on = |k: i32| {
            let turn = f64::from(k) / 12.0;
            let (sin, cos) = (turn * std::f64::consts::TAU / 2.0).sin_cos();
            let radius = 5.0 + 2.2 * turn;
            [at[0] + radius * cos, at[1] - radius * sin]
        };
        let line: Vec<Pixel> = (0..=60).map(on).collect();
        self.scene.line(&line, 1.5, Ink::Joint);
        self.label(at, &spring.name, Ink::Joint);
    }
}
