//! Crank-rockers with a coupler that is a member with an arm, or a rigid body.

use std::f64::consts::PI;

use super::case::{Case, Drive, Force, Quantity, hinge, rod};
use super::jet::{Frame, Jet, meet};
use super::truth::{Lump, Reaction, Truth};
use crate::common::mechanism::Mechanism;
use crate::random_mechanisms::Dice;

#[derive(Clone)]
pub struct FourBar {
    crank: f64,
    coupler: f64,
    rocker: f64,
    /// Length and direction of the frame.
    frame: (f64, f64),
    start: f64,
    /// On which side of the diagonal the coupler's far joint is.
    left: bool,
    masses: [(f64, f64); 3],
    /// A point of the coupler, in its frame, with the mass of an arm there.
    point: [f64; 2],
    point_mass: f64,
    /// Whether the coupler is a rigid body, a triangle of its joints and the point.
    body: bool,
    drive: Drive,
}

impl FourBar {
    pub fn draw(dice: &mut Dice) -> FourBar {
        // A crank that turns all the way, with transmission angles of 25° and more.
        let [crank, coupler, rocker, frame] = loop {
            let crank = dice.scale(0.03, 0.2);
            let [l, s, g] = [0, 1, 2].map(|_| crank * dice.between(1.3, 5.0));
            let worst = [g - crank, g + crank]
                .map(|d| ((l * l + s * s - d * d) / (2.0 * l * s)).abs())
                .into_iter()
                .fold(0.0, f64::max);
            if worst < 0.9 {
                break [crank, l, s, g];
            }
        };
        let mass = dice.scale(0.05, 5.0);
        let masses = [crank, coupler, rocker].map(|length| {
            let own = mass * dice.scale(0.3, 3.0);
            (own, own * length * length * dice.between(0.02, 0.12))
        });
        let rate = dice.scale(5.0, 200.0) * dice.sign();
        let point =
            [coupler * dice.between(0.2, 1.3), coupler * dice.between(0.2, 0.6) * dice.sign()];
        FourBar {
            crank,
            coupler,
            rocker,
            frame: (frame, dice.between(-PI, PI)),
            start: dice.between(-PI, PI),
            left: dice.chance(0.5),
            masses,
            point,
            point_mass: mass * dice.scale(0.1, 2.0),
            body: dice.chance(0.5),
            drive: Drive::draw(dice, rate),
        }
    }

    fn far_pivot(&self) -> [f64; 2] {
        let (s, c) = self.frame.1.sin_cos();
        [self.frame.0 * c, self.frame.0 * s]
    }

    fn kinematics(&self, turned: Jet) -> [Frame; 3] {
        let crank = Frame::turned([Jet::default(); 2], turned + Jet::constant(self.start));
        let (a, d) = (crank.at([self.crank, 0.0]), self.far_pivot().map(Jet::constant));
        let b = if self.left {
            meet(a, self.coupler, d, self.rocker)
        } else {
            meet(d, self.rocker, a, self.coupler)
        };
        let coupler = Frame::towards(a, b, self.coupler);
        [crank, coupler, Frame::towards(d, b, self.rocker)]
    }

    fn truth(&self) -> Truth {
        let lengths = [self.crank, self.coupler, self.rocker];
        let mut bodies: Vec<Vec<Lump>> = (self.masses.iter().zip(lengths))
            .map(|(&(mass, inertia), length)| {
                let at = [0.5 * length, 0.0];
                vec![Lump { mass, inertia, at }]
            })
            .collect();
        if self.body {
            // The middle of a triangle.
            bodies[1][0].at = [(self.coupler + self.point[0]) / 3.0, self.point[1] / 3.0];
        } else {
            let (mass, at) = (self.point_mass, self.point);
            bodies[1].push(Lump { mass, inertia: 0.0, at });
        }
        let pins = [
            ((0, [0.0, 0.0]), None),
            ((1, [0.0, 0.0]), Some(0)),
            ((2, [self.rocker, 0.0]), Some(1)),
            ((2, [0.0, 0.0]), None),
        ];
        let mut reactions: Vec<Reaction> = (pins.iter())
            .flat_map(|&(on, against)| {
                [[1.0, 0.0], [0.0, 1.0]].map(|along| Reaction::Force { on, against, along })
            })
            .collect();
        reactions.push(Reaction::Moment(vec![(0, 1.0)]));
        let own = self.clone();
        Truth {
            coordinates: vec![self.drive.coordinate()],
            frames: Box::new(move |coordinates| own.kinematics(coordinates[0]).to_vec()),
            bodies,
            reactions,
            springs: Vec::new(),
            moments: Vec::new(),
            gravity: -9.81,
        }
    }

    fn sections(&self) -> String {
        let frames = self.kinematics(Jet::default());
        let place = |body: usize, at: [f64; 2]| frames[body].at(at).map(|x| x.0);
        let [a, b, c] = [[0.0, 0.0], [self.coupler, 0.0], self.point].map(|at| place(1, at));
        let d = self.far_pivot();
        let text = Mechanism::part()
            .points(format!("o = [0.0, 0.0], a = {a:?}, b = {b:?}, c = {c:?}, d = {d:?}"))
            .member("crank", ["o", "a"], rod(self.masses[0]))
            .member("rocker", ["d", "b"], rod(self.masses[2]));
        let text = if self.body {
            let corners = if self.point[1] > 0.0 { ["a", "b", "c"] } else { ["a", "c", "b"] };
            let edge = |i: usize| {
                let (from, to) = (corners[i], corners[(i + 1) % 3]);
                format!("{{ name = 'e{i}', from = '{from}', to = '{to}' }}")
            };
            let (size, edges) = (0.9 * self.coupler, [0, 1, 2].map(edge).join(", "));
            text.body("coupler", rod(self.masses[1]) + ", order = 1")
                .and(format!("outline = {{ size = {size:?}, edges = [{edges}] }}"))
                .joint("a", hinge("a", "crank"))
        } else {
            text.member("coupler", ["a", "b"], rod(self.masses[1]))
                .member("arm", ["b", "c"], "rigid = true")
                .mass("c", self.point_mass)
                .joint("a", hinge("a", "coupler"))
        };
        let text = text.joint("b", hinge("b", "rocker")).pin("o").pin("d").gravity(-9.81);
        text.text() + &self.drive.sections("o")
    }

    pub fn case(&self, seed: u64) -> Case {
        let (duration, turn) = self.drive.times();
        Case {
            kind: if self.body { "four-bar, body" } else { "four-bar" },
            seed,
            sections: self.sections(),
            truth: self.truth(),
            forces: vec![
                Force::pair("pivot", "supports.o.f", 0, 1.0),
                Force::pair("pin", "members.crank.to.f", 2, -1.0),
                Force::pair("far pin", "members.rocker.to.f", 4, 1.0),
                Force::pair("far pivot", "supports.d.f", 6, 1.0),
                Force::one("torque", "motions.drive.reaction", Quantity::Reaction(8, 1.0)),
                Force::acceleration("point", "c", (1, self.point)),
            ],
            turn,
            duration,
        }
    }
}
