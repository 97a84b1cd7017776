//! The rows of an impact and room for their impulses.

use super::kernel::{Kernel, Law};
use crate::joints::regime::{End, Regime};
use crate::joints::slider::Kinematics;
use crate::model::checked::PathEnds;
use crate::system::{Slider, State, System};

/// One row of the problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub slider: usize,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A contact that can open.
    Normal,
    Stop(End),
}

/// Room for impacts.
#[derive(Debug, Clone)]
pub(super) struct Impacts {
    pub kernel: Kernel,
    pub rows: Vec<Row>,
    /// Impulses of the rows.
    pub impulses: Vec<f64>,
    /// Those of contacts that are rows, as multipliers.
    pub multipliers: Vec<[f64; 3]>,
    /// Velocities of all unknowns before.
    pub before: Vec<f64>,
    /// Their change.
    pub jump: Vec<f64>,
    /// Sliders that meet a stop, a kink or their path.
    pub meets: Vec<bool>,
    /// Contacts that have hardly been open: they do not bounce.
    pub hardly: Vec<bool>,
}

impl Impacts {
    pub fn new(system: &System) -> Impacts {
        let most = system.sliders.iter().map(Slider::most_rows).sum();
        Impacts {
            kernel: Kernel::new(most),
            rows: Vec::with_capacity(most),
            impulses: Vec::with_capacity(most),
            multipliers: vec![[0.0; 3]; system.sliders.len()],
            before: vec![0.0; system.initial.len()],
            jump: vec![0.0; system.initial.len()],
            meets: vec![false; system.sliders.len()],
            hardly: vec![false; system.sliders.len()],
        }
    }
}

impl Row {
    /// Force on the slider per impulse; the velocity of the row is its product with ċ at constant s.
    pub fn direction(&self, system: &System, k: &Kinematics) -> [f64; 3] {
        let square = k.tangent[0] * k.tangent[0] + k.tangent[1] * k.tangent[1];
        let along = |by: f64| [by * k.tangent[0] / square, by * k.tangent[1] / square, 0.0];
        match self.kind {
            Kind::Normal => {
                let side = system.sliders[self.slider].side;
                k.normal().map(|n| side.map_or(1.0, |side| side.sign()) * n)
            }
            Kind::Stop(end) => along(-end.outward()),
        }
    }
}

impl Slider {
    /// Rows that it may have: a contact that can open, and a stop.
    fn most_rows(&self) -> usize {
        usize::from(self.side.is_some()) + usize::from(self.ends == PathEnds::Stop)
    }
}

impl Impacts {
    /// The rows of `state`: contacts that touch, and stops at which sliders stand.
    pub fn find_rows(&mut self, system: &System, state: &State) {
        self.rows.clear();
        self.kernel.clear();
        for (j, slider) in system.sliders.iter().enumerate() {
            let regime = state.sliders[j].regime;
            if slider.side.is_some() && !regime.is_open() {
                self.add(j, Kind::Normal);
            }
            if let Regime::AtStop(end) = regime {
                self.add(j, Kind::Stop(end));
            }
        }
        self.kernel.open();
        self.impulses.clear();
        self.impulses.resize(self.rows.len(), 0.0);
    }

    fn add(&mut self, slider: usize, kind: Kind) {
        self.rows.push(Row { slider, kind });
        self.kernel.add(Law::Unilateral);
    }
}
