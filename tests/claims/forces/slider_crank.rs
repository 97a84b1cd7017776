//! Slider-cranks: driven, geared or let go, with an offset, eccentric masses, a spring and a damper.

mod file;

use std::f64::consts::{PI, TAU};

use super::case::Drive;
use super::jet::{Frame, Jet};
use super::truth::{Lump, Reaction, Spring, Truth};
use crate::random_mechanisms::Dice;

/// A mass on an arm of a member without mass of its own: kg, place in the member's frame, m.
pub type Eccentric = Option<(f64, [f64; 2])>;

/// A pair of gears before the crank.
#[derive(Clone, Copy)]
pub struct Gears {
    pub ratio: f64,
    /// Inertia of the pinion, kg·m².
    pub pinion: f64,
    /// Amplitude, rad, and frequency, Hz, of a motion added to the gears' own.
    pub added: Option<(f64, f64)>,
}

#[derive(Clone)]
pub struct SliderCrank {
    pub crank: f64,
    pub rod: f64,
    /// Distance of the guide from the crank's pivot, to its left.
    pub offset: f64,
    /// Direction of the guide, and of the crank in the initial configuration, rad.
    pub guide: f64,
    pub start: f64,
    /// Mass and inertia.
    pub crank_mass: (f64, f64),
    pub rod_mass: (f64, f64),
    pub piston: f64,
    pub flywheel: f64,
    pub eccentric: [Eccentric; 2],
    /// Stiffness, damping and free length.
    pub spring: Option<(f64, f64, f64)>,
    pub gears: Option<Gears>,
    /// Coefficient of friction of the slider, with the sign of the friction force along the guide for a normal
    /// force to the left of it.
    pub friction: f64,
    /// Where the guide ends with a stop, from the foot of the pivot on it, and its restitution.
    pub stop: Option<(f64, f64)>,
    pub drive: Drive,
    pub gravity: f64,
}

impl SliderCrank {
    /// A crank that `rate` drives, without spring and gears.
    pub fn draw(dice: &mut Dice) -> SliderCrank {
        let crank = dice.scale(0.03, 0.3);
        let rod = crank * dice.between(2.2, 6.0);
        let mass = dice.scale(0.05, 5.0);
        let bar = |dice: &mut Dice, length: f64| {
            let own = mass * dice.scale(0.3, 3.0);
            (own, own * length * length * dice.between(0.02, 0.12))
        };
        let eccentric = |dice: &mut Dice, length: f64| {
            let place = [dice.between(0.2, 0.8), dice.between(-0.5, 0.5)].map(|x| x * length);
            (dice.chance(0.5)).then(|| (mass * dice.scale(0.1, 2.0), place))
        };
        let rate = dice.scale(5.0, 200.0) * dice.sign();
        SliderCrank {
            crank,
            rod,
            offset: dice.between(-0.4, 0.4) * (rod - crank) * f64::from(u8::from(dice.chance(0.6))),
            guide: dice.between(-PI, PI),
            start: dice.between(-PI, PI),
            crank_mass: bar(dice, crank),
            rod_mass: bar(dice, rod),
            piston: mass * dice.scale(0.3, 3.0),
            flywheel: 0.0,
            eccentric: [eccentric(dice, crank), eccentric(dice, rod)],
            spring: None,
            gears: None,
            friction: 0.0,
            stop: None,
            drive: Drive::draw(dice, rate),
            gravity: -9.81,
        }
    }

    /// The spring between the slider and the ground; of a frequency of the order of the crank's.
    pub fn sprung(mut self, dice: &mut Dice) -> SliderCrank {
        let frequency = TAU / self.drive.times().1 * dice.between(0.2, 1.0);
        let stiffness = self.piston * frequency * frequency;
        let damping = 2.0 * dice.between(0.0, 0.3) * self.piston * frequency;
        let free_length = self.spring_length() * dice.between(0.8, 1.2);
        self.spring = Some((stiffness, damping, free_length));
        self
    }

    /// The crank let go with a flywheel.
    pub fn let_go(mut self, dice: &mut Dice) -> SliderCrank {
        let rate = dice.scale(5.0, 100.0) * dice.sign();
        let moving = self.piston + self.rod_mass.0 + self.crank_mass.0;
        self.drive = Drive::Free(rate);
        self.flywheel = dice.scale(0.5, 5.0) * moving * self.crank * self.crank;
        self.sprung(dice)
    }

    pub fn geared(mut self, dice: &mut Dice) -> SliderCrank {
        let ratio = dice.sign() * dice.between(0.15, 2.0);
        let added = match self.drive {
            Drive::Rate(rate) if dice.chance(0.5) => {
                let frequency = rate.abs() / TAU * dice.between(0.3, 1.5);
                Some((dice.between(0.05, 0.3), frequency))
            }
            _ => None,
        };
        self.gears = Some(Gears {
            ratio,
            pinion: self.piston * self.crank * self.crank * dice.between(0.05, 2.0),
            added,
        });
        self.drive = self.drive.times_ratio(1.0 / ratio);
        self
    }

    /// Crank pin, slider, and both frames.
    pub fn kinematics(&self, turned: Jet) -> [Frame; 2] {
        let crank = Frame::turned([Jet::default(); 2], turned + Jet::constant(self.start));
        let pin = crank.at([self.crank, 0.0]);
        let (s, c) = self.guide.sin_cos();
        let along = pin[0] * c + pin[1] * s;
        let across = Jet::constant(self.offset) - (pin[1] * c - pin[0] * s);
        let reach = (Jet::constant(self.rod * self.rod) - across * across).sqrt();
        let slider = [
            along * c + reach * c - Jet::constant(self.offset * s),
            along * s + reach * s + Jet::constant(self.offset * c),
        ];
        [crank, Frame::towards(pin, slider, self.rod)]
    }

    /// A place `along` the guide from the foot of the pivot on it.
    fn on_guide(&self, along: f64) -> [f64; 2] {
        let (s, c) = self.guide.sin_cos();
        [along * c - self.offset * s, along * s + self.offset * c]
    }

    /// What the guide exerts on the slider for each newton of normal force.
    fn guide_force(&self) -> [f64; 2] {
        let ((s, c), f) = (self.guide.sin_cos(), self.friction);
        [-s - f * c, c - f * s]
    }

    fn anchor(&self) -> [f64; 2] {
        self.on_guide(2.0 * (self.crank + self.rod))
    }

    /// Where the slider is drawn.
    pub fn slider(&self) -> [f64; 2] {
        self.kinematics(Jet::default())[1].at([self.rod, 0.0]).map(|x| x.0)
    }

    fn spring_length(&self) -> f64 {
        let ([x, y], [ax, ay]) = (self.slider(), self.anchor());
        (x - ax).hypot(y - ay)
    }

    pub fn truth(&self) -> Truth {
        let lumps = |(mass, inertia): (f64, f64), length: f64, eccentric: Eccentric| {
            let own = Lump { mass, inertia, at: [0.5 * length, 0.0] };
            let mut all = vec![own];
            all.extend(eccentric.map(|(mass, at)| Lump { mass, inertia: 0.0, at }));
            all
        };
        let mut crank = lumps(self.crank_mass, self.crank, self.eccentric[0]);
        crank.push(Lump { mass: 0.0, inertia: self.flywheel, at: [0.0, 0.0] });
        let mut rod = lumps(self.rod_mass, self.rod, self.eccentric[1]);
        let end = [self.rod, 0.0];
        rod.push(Lump { mass: self.piston, inertia: 0.0, at: end });
        let force = |on, against, along| Reaction::Force { on, against, along };
        let mut reactions = vec![
            force((0, [0.0, 0.0]), None, [1.0, 0.0]),
            force((0, [0.0, 0.0]), None, [0.0, 1.0]),
            force((1, [0.0, 0.0]), Some(0), [1.0, 0.0]),
            force((1, [0.0, 0.0]), Some(0), [0.0, 1.0]),
            force((1, end), None, self.guide_force()),
        ];
        let mut bodies = vec![crank, rod];
        match self.gears {
            None if matches!(self.drive, Drive::Free(_)) => {}
            None => reactions.push(Reaction::Moment(vec![(0, 1.0)])),
            Some(gears) => {
                bodies.push(vec![Lump { mass: 0.0, inertia: gears.pinion, at: [0.0, 0.0] }]);
                reactions.extend([
                    Reaction::Moment(vec![(2, 1.0)]),
                    Reaction::Moment(vec![(0, 1.0), (2, -gears.ratio)]),
                    force((2, [0.0, 0.0]), None, [1.0, 0.0]),
                    force((2, [0.0, 0.0]), None, [0.0, 1.0]),
                ]);
            }
        }
        let mut coordinates = vec![self.drive.coordinate()];
        if let Some((amplitude, frequency)) = self.gears.and_then(|gears| gears.added) {
            coordinates.push(Drive::Sine(amplitude, frequency).coordinate());
        }
        let springs = self.spring.map(|(stiffness, damping, free_length)| Spring {
            to: (1, end),
            ground: self.anchor(),
            stiffness,
            damping,
            free_length,
        });
        let own = self.clone();
        Truth {
            coordinates,
            frames: Box::new(move |coordinates| match own.gears {
                None => own.kinematics(coordinates[0]).to_vec(),
                Some(gears) => {
                    let added = coordinates.get(1).copied().unwrap_or_default();
                    let turned = coordinates[0] * gears.ratio + added;
                    let mut frames = own.kinematics(turned).to_vec();
                    frames.push(Frame::turned([Jet::default(); 2], coordinates[0]));
                    frames
                }
            }),
            bodies,
            reactions,
            springs: springs.into_iter().collect(),
            moments: Vec::new(),
            gravity: self.gravity,
        }
    }
}
