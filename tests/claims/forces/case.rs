//! A mechanism as a model file and as its own truth, and what is compared.

use std::f64::consts::TAU;

use super::integrate::Reference;
use super::jet::Jet;
use super::truth::{Coordinate, Instant, Place, Truth};
use crate::random_mechanisms::Dice;

/// Where a component of a force is in the truth.
pub enum Quantity {
    /// A reaction times a factor.
    Reaction(usize, f64),
    /// The absolute value of a reaction.
    Size(usize),
    Spring(usize),
    /// The acceleration of a place along x (0) or y (1).
    Acceleration(Place, usize),
}

impl Quantity {
    pub fn read(&self, now: &Instant) -> f64 {
        match *self {
            Quantity::Reaction(k, factor) => factor * now.reactions[k],
            Quantity::Size(k) => now.reactions[k].abs(),
            Quantity::Spring(k) => now.springs[k],
            Quantity::Acceleration((body, at), direction) => now.frames[body].at(at)[direction].2,
        }
    }
}

/// What a user reads as one: a force, or both components of one.
pub struct Force {
    pub name: &'static str,
    pub entries: Vec<(String, Quantity)>,
}

impl Force {
    pub fn one(name: &'static str, path: &str, quantity: Quantity) -> Force {
        Force { name, entries: vec![(path.to_string(), quantity)] }
    }

    /// Components `path`x and `path`y, the reactions from number `first` on times a factor.
    pub fn pair(name: &'static str, path: &str, first: usize, factor: f64) -> Force {
        let entry = |i: usize| {
            let path = format!("{path}{}", ["x", "y"][i]);
            (path, Quantity::Reaction(first + i, factor))
        };
        Force { name, entries: vec![entry(0), entry(1)] }
    }

    pub fn acceleration(name: &'static str, point: &str, place: Place) -> Force {
        let entry = |i: usize| {
            let path = format!("points.{point}.a{}", ["x", "y"][i]);
            (path, Quantity::Acceleration(place, i))
        };
        Force { name, entries: vec![entry(0), entry(1)] }
    }
}

pub struct Case {
    pub kind: &'static str,
    pub seed: u64,
    /// The model file without name and solver.
    pub sections: String,
    pub truth: Truth,
    pub forces: Vec<Force>,
    /// The time of a turn at the highest rate, s.
    pub turn: f64,
    /// s.
    pub duration: f64,
}

impl Case {
    /// With the turn that of the highest rate of a free coordinate over the run.
    pub fn in_turns_of_its_fastest(mut self) -> Case {
        const SAMPLES: u32 = 200;
        let mut reference = Reference::new(&self.truth);
        let count = reference.free.len() / 2;
        let mut fastest = 0.0_f64;
        for i in 1..=SAMPLES {
            reference.advance(self.duration * f64::from(i) / f64::from(SAMPLES));
            let rates = reference.free[count..].iter();
            fastest = rates.fold(fastest, |most, rate| most.max(rate.abs()));
        }
        self.turn = TAU / fastest;
        self
    }

    /// The model file with a solver's step and spectral radius.
    pub fn text(&self, step: f64, radius: f64, solver: &str) -> String {
        let mut outputs = Vec::new();
        for force in &self.forces {
            outputs.extend(force.entries.iter().map(|(path, _)| path));
        }
        format!(
            "name = \"mechanism\"\n[solver]\nstep = {step:?}\nspectral_radius = {radius:?}\n{solver}\n{}\n[interface]\noutputs = {outputs:?}\n",
            self.sections
        )
    }
}

/// How a shaft is driven from its initial place.
#[derive(Debug, Clone, Copy)]
pub enum Drive {
    /// rad/s.
    Rate(f64),
    /// Amplitude, rad, and frequency, Hz.
    Sine(f64, f64),
    /// From rest, rad/s².
    Acceleration(f64),
    /// Let go with a rate, rad/s.
    Free(f64),
}

impl Drive {
    /// A drive whose highest rate over the run is about `rate`.
    pub fn draw(dice: &mut Dice, rate: f64) -> Drive {
        match dice.whole(0, 3) {
            0 => {
                let amplitude = dice.between(1.0, 5.0) * rate.signum();
                Drive::Sine(amplitude, rate / (TAU * amplitude))
            }
            1 => Drive::Acceleration(rate.abs() * rate / (4.0 * TAU)),
            _ => Drive::Rate(rate),
        }
    }

    /// The time of two turns, and that of a turn at the highest rate, s.
    pub fn times(self) -> (f64, f64) {
        match self {
            Drive::Rate(rate) | Drive::Free(rate) => (2.0 * TAU / rate.abs(), TAU / rate.abs()),
            Drive::Sine(amplitude, frequency) => {
                (1.0 / frequency, 1.0 / (amplitude.abs() * frequency))
            }
            Drive::Acceleration(a) => {
                let duration = (4.0 * TAU / a.abs()).sqrt();
                (duration, TAU / (a.abs() * duration))
            }
        }
    }

    pub fn coordinate(self) -> Coordinate {
        match self {
            Drive::Rate(rate) => Coordinate::Driven(Box::new(move |t| Jet(rate * t, rate, 0.0))),
            Drive::Sine(amplitude, frequency) => Coordinate::Driven(Box::new(move |t| {
                let w = TAU * frequency;
                let (sin, cos) = (w * t).sin_cos();
                Jet(sin, w * cos, -w * w * sin) * amplitude
            })),
            Drive::Acceleration(a) => {
                Coordinate::Driven(Box::new(move |t| Jet(0.5 * a * t * t, a * t, a)))
            }
            Drive::Free(rate) => Coordinate::Free(0.0, rate),
        }
    }

    /// The keys of the motion's law.
    fn law(self) -> String {
        match self {
            Drive::Rate(rate) => format!("rate = {rate:?}"),
            Drive::Sine(amplitude, frequency) => {
                format!("amplitude = {amplitude:?}\nhistory.sine = {{ frequency = {frequency:?} }}")
            }
            Drive::Acceleration(a) => format!("acceleration = {a:?}"),
            Drive::Free(_) => unreachable!("nothing drives it"),
        }
    }

    /// The sections that drive the rotation at `point`, or let it go with its rate.
    pub fn sections(self, point: &str) -> String {
        let initial = "[initial]\nvelocities = \"rigid_mechanism\"\n";
        match self {
            Drive::Free(rate) => {
                format!("{initial}[initial.points.{point}]\nrotation_rate = {rate:?}\n")
            }
            _ => format!(
                "{initial}[motions.drive]\npoint = {point:?}\ndirection = \"rotation\"\n{}\n",
                self.law()
            ),
        }
    }

    /// The drive that turns `factor` times as far.
    pub fn times_ratio(self, factor: f64) -> Drive {
        match self {
            Drive::Rate(rate) => Drive::Rate(factor * rate),
            Drive::Sine(amplitude, frequency) => Drive::Sine(factor * amplitude, frequency),
            Drive::Acceleration(a) => Drive::Acceleration(factor * a),
            Drive::Free(rate) => Drive::Free(factor * rate),
        }
    }
}

/// Keys of a rigid member with its mass and inertia.
pub fn rod((mass, inertia): (f64, f64)) -> String {
    format!("rigid = true, mass = {mass:?}, inertia = {inertia:?}")
}

/// Keys of a hinge at a point about which a member turns.
pub fn hinge(point: &str, release: &str) -> String {
    format!("hinge = {{ point = '{point}', release = ['{release}'] }}")
}
