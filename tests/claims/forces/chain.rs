//! Chains of pendulum rods that are let go.

use std::f64::consts::{PI, TAU};

use super::case::{self, Case, Force, hinge};
use super::jet::{Frame, Jet};
use super::truth::{Coordinate, Lump, Reaction, Truth};
use crate::common::mechanism::Mechanism;
use crate::random_mechanisms::Dice;

#[derive(Clone, Copy)]
pub struct Rod {
    pub length: f64,
    pub mass: f64,
    pub inertia: f64,
    /// At its far end.
    pub bob: f64,
    /// In the initial configuration, rad.
    pub angle: f64,
    /// Angular velocity at t = 0, rad/s.
    pub rate: f64,
}

const GRAVITY: f64 = 9.81;

pub struct Chain(pub Vec<Rod>);

impl Chain {
    pub fn draw(dice: &mut Dice) -> Chain {
        let count = dice.whole(1, 5);
        let (base, mass) = (dice.scale(0.1, 1.0), dice.scale(0.05, 5.0));
        let direction = dice.between(-PI, 0.0);
        let rod = |_| {
            let length = base * dice.between(0.6, 1.6);
            let own = mass * dice.scale(0.5, 2.0);
            Rod {
                length,
                mass: own,
                inertia: own * length * length * dice.between(0.05, 0.12),
                bob: own * dice.between(0.0, 2.0) * f64::from(u8::from(dice.chance(0.5))),
                angle: direction + dice.between(-0.5, 0.5),
                rate: 0.0,
            }
        };
        Chain((0..count).map(rod).collect())
    }

    pub fn truth(&self) -> Truth {
        let rods = self.0.clone();
        let count = rods.len();
        let force = |k: usize, along| Reaction::Force {
            on: (k, [0.0, 0.0]),
            against: k.checked_sub(1),
            along,
        };
        let lumps = |rod: &Rod| {
            let (mass, inertia) = (rod.mass, rod.inertia);
            let own = Lump { mass, inertia, at: [0.5 * rod.length, 0.0] };
            let bob = Lump { mass: rod.bob, inertia: 0.0, at: [rod.length, 0.0] };
            vec![own, bob]
        };
        Truth {
            coordinates: (rods.iter()).map(|rod| Coordinate::Free(rod.angle, rod.rate)).collect(),
            bodies: rods.iter().map(lumps).collect(),
            reactions: (0..count)
                .flat_map(|k| [[1.0, 0.0], [0.0, 1.0]].map(|along| force(k, along)))
                .collect(),
            frames: Box::new(move |angles| {
                let mut at = [Jet::default(); 2];
                let frame = |(rod, angle): (&Rod, &Jet)| {
                    let frame = Frame::turned(at, *angle);
                    at = frame.at([rod.length, 0.0]);
                    frame
                };
                rods.iter().zip(angles).map(frame).collect()
            }),
            springs: Vec::new(),
            moments: Vec::new(),
            gravity: -GRAVITY,
        }
    }

    pub fn sections(&self) -> String {
        let mut place = [0.0, 0.0];
        let mut text = Mechanism::part().pin("p0").gravity(-GRAVITY).points("p0 = [0.0, 0.0]");
        for (k, rod) in self.0.iter().enumerate() {
            let (s, c) = rod.angle.sin_cos();
            place = [place[0] + rod.length * c, place[1] + rod.length * s];
            let (name, [from, to]) = (format!("m{k}"), [k, k + 1].map(|k| format!("p{k}")));
            let keys = case::rod((rod.mass, rod.inertia));
            text = text.points(format!("{to} = {place:?}")).member(&name, [&from, &to], keys);
            if k > 0 {
                text = text.joint(&from, hinge(&from, &name));
            }
            if rod.bob > 0.0 {
                text = text.mass(&to, rod.bob);
            }
        }
        if let [rod] = self.0[..] {
            let rate = format!("rotation_rate = {:?}", rod.rate);
            text = text.entry("initial", "velocities = 'rigid_mechanism'").start("p0", rate);
        }
        text.text()
    }

    pub fn forces(&self) -> Vec<Force> {
        let last = self.0.len() - 1;
        let mut all = vec![Force::pair("pivot", "supports.p0.f", 0, 1.0)];
        let names = ["pin 1", "pin 2", "pin 3", "pin 4"];
        for (k, name) in (1..).zip(names).take(last) {
            let path = format!("members.m{k}.from.f");
            all.push(Force::pair(name, &path, 2 * k, 1.0));
        }
        let tip = (last, [self.0[last].length, 0.0]);
        all.push(Force::acceleration("tip", &format!("p{}", last + 1), tip));
        all
    }

    /// A run over a swing of the whole chain.
    pub fn case(&self, seed: u64) -> Case {
        let length: f64 = self.0.iter().map(|rod| rod.length).sum();
        let swing = TAU * (2.0 * length / (3.0 * GRAVITY)).sqrt();
        let kinds = ["pendulum", "chain of 2", "chain of 3", "chain of 4", "chain of 5"];
        Case {
            kind: kinds[self.0.len() - 1],
            seed,
            sections: self.sections(),
            truth: self.truth(),
            forces: self.forces(),
            turn: swing,
            duration: swing,
        }
        .in_turns_of_its_fastest()
    }
}
