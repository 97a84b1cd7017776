//! A path of static equilibria: what grows along it and how it is followed.

use std::ops::RangeInclusive;

use serde::Deserialize;

pub use super::actions::FixedSliders;
use super::{Checked, Output};
use crate::message::excerpt;
use crate::message::{did_you_mean, listed};
use crate::quantity::Quantity;

/// A path of equilibria over a factor p.
#[derive(Debug, Clone, PartialEq)]
pub struct StaticPath {
    /// What p stands for; the rest stays as it is at t = 0.
    pub scaled: Vec<Scaled>,
    pub control: Control,
    /// What displacement control prescribes.
    pub quantity: Option<Steered>,
    /// Where the path ends: p, or the quantity under displacement control.
    pub to: f64,
    /// First step, in the unit of `to`; [`StaticPath::FIRST_STEP`] of the way unless given.
    pub first_step: Option<f64>,
    /// Largest change between two points, relative to the mechanism's size; of rotations, rad.
    pub largest_move: f64,
    /// Most points.
    pub points: usize,
    /// Branch of the first bifurcation's other branch to go on.
    pub switch: Option<Branch>,
    pub fixed_sliders: FixedSliders,
}

/// What is prescribed from point to point of a path.
#[derive(Debug, Clone, Copy, Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    #[default]
    Load,
    Displacement,
    ArcLength,
}

/// The side to which a path goes on at a bifurcation.
#[derive(Debug, Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    Plus,
    Minus,
}

/// What the factor p of a path stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaled {
    /// p times the components of the load, its history left out.
    Load(usize),
    /// p times the components of the load along a member, its history left out.
    LineLoad(usize),
    /// p times the gravity of the file.
    Gravity,
    /// p is the displacement (m) or rotation (rad) of the motion.
    Motion(usize),
}

/// A quantity that displacement control can prescribe.
#[derive(Debug, Clone, PartialEq)]
pub struct Steered {
    pub path: String,
    pub output: Output,
    pub quantity: Quantity,
}

/// Points that a path of equilibria may have at the most.
pub const MOST_POINTS: usize = 1_000_000;

impl StaticPath {
    /// Defaults of the file for a path to `to`.
    pub const LARGEST_MOVE: f64 = 0.02;
    pub const POINTS: usize = 500;
    /// What `points` may be.
    pub const ALLOWED_POINTS: RangeInclusive<usize> = 1..=MOST_POINTS;
    /// Share of the way to `to` that is the first step.
    pub const FIRST_STEP: f64 = 0.01;

    /// A path to `to` under load control, with all defaults.
    pub fn new(model: &Checked, to: f64) -> StaticPath {
        StaticPath {
            scaled: Scaled::all(model),
            control: Control::Load,
            quantity: None,
            to,
            first_step: None,
            largest_move: StaticPath::LARGEST_MOVE,
            points: StaticPath::POINTS,
            switch: None,
            fixed_sliders: FixedSliders::Friction,
        }
    }

    /// What makes the entries contradict each other, if anything does.
    pub fn contradiction(&self, model: &Checked) -> Option<String> {
        let in_time = self.scaled.iter().find_map(|scaled| scaled.in_time(model));
        if let Some(load) = in_time {
            return Some(format!(
                "`loads.{load}` is a function of the time and has no size that could grow; give its size as a number and \
                 the function as `history.expression`, or scale others"
            ));
        }
        let motions = self.scaled.iter().filter(|s| matches!(s, Scaled::Motion(_)));
        match (motions.count(), self.scaled.len()) {
            (_, 0) => {
                return Some(
                    "nothing to scale: the model has no load, no gravity and no motion; give it \
                     what the structure shall bear"
                        .into(),
                );
            }
            (0, _) | (1, 1) => {}
            _ => {
                return Some(
                    "scale names a motion beside others; allowed: loads and gravity together, or \
                     one motion alone"
                        .into(),
                );
            }
        }
        let again = |i: &usize| self.scaled[..*i].contains(&self.scaled[*i]);
        if (0..self.scaled.len()).any(|i| again(&i)) {
            return Some(
                "scale names the same twice, which would count twice; name each once (`loads` are \
                 all loads)"
                    .into(),
            );
        }
        if self.control == Control::Displacement && self.quantity.is_none() {
            return Some(
                "control = \"displacement\" needs the `quantity` that it prescribes, like \
                 \"points.NAME.y\" or \"probes.NAME\""
                    .into(),
            );
        }
        None
    }
}

impl Scaled {
    /// What is scaled where nobody says: all loads, else gravity, else the only motion.
    pub fn all(model: &Checked) -> Vec<Scaled> {
        let loads = Scaled::loads(model);
        if !loads.is_empty() {
            loads
        } else if model.gravity != [0.0; 2] {
            vec![Scaled::Gravity]
        } else {
            (0..model.motions.len()).map(Scaled::Motion).collect()
        }
    }

    fn loads(model: &Checked) -> Vec<Scaled> {
        let along = (0..model.line_loads.len()).map(Scaled::LineLoad);
        (0..model.loads.len()).map(Scaled::Load).chain(along).collect()
    }

    /// The name of the load whose components are functions of the time.
    fn in_time(self, model: &Checked) -> Option<&str> {
        match self {
            Scaled::Load(id) => {
                let load = &model.loads[id];
                (load.factors.functions().next()).map(|_| load.name.as_str())
            }
            Scaled::LineLoad(id) => {
                let load = &model.line_loads[id];
                (load.factors.functions().next()).map(|_| load.name.as_str())
            }
            Scaled::Gravity | Scaled::Motion(_) => None,
        }
    }

    /// What a name stands for: `loads`, `loads.NAME`, `gravity`, `motions.NAME`.
    ///
    /// # Errors
    /// With the names that there are.
    pub fn named(model: &Checked, name: &str) -> Result<Vec<Scaled>, String> {
        let loads = model.loads.iter().map(|l| format!("loads.{}", l.name));
        let along = model.line_loads.iter().map(|l| format!("loads.{}", l.name));
        let motions = model.motions.iter().map(|m| format!("motions.{}", m.name));
        let single = (loads.zip((0..).map(Scaled::Load)))
            .chain(along.zip((0..).map(Scaled::LineLoad)))
            .chain(motions.zip((0..).map(Scaled::Motion)))
            .chain([("gravity".to_string(), Scaled::Gravity)]);
        let single: Vec<(String, Scaled)> = single.collect();
        let loads = Scaled::loads(model);
        if name == "loads" && !loads.is_empty() {
            return Ok(loads);
        }
        if let Some((_, scaled)) = single.iter().find(|(known, _)| known == name) {
            return Ok(vec![*scaled]);
        }
        let known = || single.iter().map(|(name, _)| name.as_str());
        Err(format!(
            "`{}` cannot be scaled; there are: {}{}",
            excerpt(name),
            listed(known()),
            did_you_mean(name, known())
        ))
    }
}
