//! Rows of the complementarity problem of an instant: contacts, stops and friction of sliders.
//!
//! What is unilateral or set-valued at an instant, in an impact or where accelerations start afresh, is a row of the problem of
//! [`super::kernel`]. The rows are off the equations S, which keep the joints that hold; a unit force in each row and
//! the answer of S to it make the matrix G. Friction of a joint that holds is bounded by what presses in it, a force of S: it
//! follows the forces of the rows by a row of its own.

use super::kernel::{Kernel, Law};
use crate::joints::regime::End;
use crate::joints::slider::Kinematics;
use crate::laws::friction::{Contact, Friction};
use crate::linear::mlcp::{Bound, Coulomb};
use crate::model::checked::{PathEnds, Side};
use crate::numerics::positions::Positions;
use crate::system::{Slider, System};

/// Change of a coefficient that is none.
const SETTLED: f64 = 1e-9;

/// One row of the problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub slider: usize,
    pub kind: Kind,
    /// Force along s per force of the row.
    pub along: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Normal force of a contact that touches and is open in S.
    Normal,
    /// Opening of a contact that is closed in S.
    Opening,
    Stop(End),
    Friction,
    /// What presses in a joint of S, as a linear function of its multipliers.
    Pressing([f64; 3]),
}

/// The rows of an instant and room for their forces.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub kernel: Kernel,
    pub list: Vec<Row>,
    /// Where the slider of each row is.
    pub places: Vec<Kinematics>,
    /// Forces or impulses of the rows.
    pub forces: Vec<f64>,
    /// Those of contacts that are rows, as multipliers.
    pub multipliers: Vec<[f64; 3]>,
    /// Change of all unknowns by the last response of S.
    pub jump: Vec<f64>,
    /// Rows of friction that has reached its limit.
    pub slides: Vec<bool>,
}

impl Rows {
    pub fn new(system: &System) -> Rows {
        let most = system.sliders.iter().map(Slider::most_rows).sum();
        Rows {
            kernel: Kernel::new(most),
            list: Vec::with_capacity(most),
            places: Vec::with_capacity(most),
            forces: Vec::with_capacity(most),
            multipliers: vec![[0.0; 3]; system.sliders.len()],
            jump: vec![0.0; system.initial.len()],
            slides: Vec::with_capacity(most),
        }
    }
}

impl Rows {
    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.list.clear();
        self.kernel.clear();
    }

    /// Gives room to G and b of the rows that have been added, at the unknowns `q`.
    pub fn open(&mut self, system: &System, q: &Positions) {
        self.kernel.open();
        self.places.clear();
        let places = self
            .list
            .iter()
            .map(|row| system.kinematics(row.slider, q, None));
        self.places.extend(places);
        self.forces.clear();
        self.forces.resize(self.list.len(), 0.0);
    }

    /// Adds a row; returns its number.
    fn add(&mut self, slider: usize, kind: Kind, along: f64, law: Law) -> usize {
        let row = Row {
            slider,
            kind,
            along,
        };
        self.list.push(row);
        self.kernel.add(law)
    }

    /// Adds the normal force of a contact that touches and is open in S, with the force of its friction along s per normal force
    /// where it slides.
    pub fn add_normal(&mut self, slider: usize, friction: f64) -> usize {
        self.add(slider, Kind::Normal, friction, Law::Unilateral)
    }

    /// Adds the opening of a contact that is closed in S.
    pub fn add_opening(&mut self, slider: usize) {
        self.add(slider, Kind::Opening, 0.0, Law::Opening);
    }

    /// Adds the stop at an end of the path.
    pub fn add_stop(&mut self, slider: usize, end: End) {
        self.add(slider, Kind::Stop(end), -end.outward(), Law::Unilateral);
    }

    /// Adds friction of a contact whose row is `normal`, or of a joint that is closed in S.
    pub fn add_friction(
        &mut self,
        slider: &Slider,
        j: usize,
        normal: Option<usize>,
        k: &Kinematics,
    ) {
        let mut pressing = |by| self.add(j, Kind::Pressing(by), 0.0, Law::Bilateral);
        let normal = normal.unwrap_or_else(|| {
            let first = pressing(k.normal());
            if slider.leverage > 0.0 {
                pressing([0.0, 0.0, slider.leverage]);
            }
            first
        });
        let coefficient = 0.0;
        let law = Law::Friction(Coulomb {
            normal,
            coefficient,
        });
        self.add(j, Kind::Friction, 1.0, law);
    }
}

impl Row {
    /// Slider and kind.
    pub fn of(&self) -> (usize, Kind) {
        (self.slider, self.kind)
    }

    /// What it measures is the product with ċ at constant s, or with the multipliers.
    pub fn direction(&self, system: &System, k: &Kinematics) -> [f64; 3] {
        let side = system.sliders[self.slider].side.map_or(1.0, Side::sign);
        match self.kind {
            Kind::Normal => k.normal().map(|n| side * n),
            Kind::Opening => k.normal().map(|n| -side * n),
            Kind::Stop(_) | Kind::Friction => tangential(k, self.along),
            Kind::Pressing(by) => by,
        }
    }

    /// Force on the slider per force of the row.
    pub fn force(&self, system: &System, k: &Kinematics) -> [f64; 3] {
        let mut force = self.direction(system, k);
        if self.kind == Kind::Normal {
            let rubs = tangential(k, self.along);
            (force.iter_mut().zip(rubs)).for_each(|(force, rubs)| *force += rubs);
        }
        force
    }

    /// Whether it acts in the row of s of S, and is measured there, when the contact is `closed` in S.
    pub fn is_in_s(&self, closed: bool) -> bool {
        closed && matches!(self.kind, Kind::Stop(_) | Kind::Friction)
    }

    /// Whether it is a force of S.
    pub fn presses(&self) -> bool {
        matches!(self.kind, Kind::Pressing(_))
    }

    fn presses_in(&self, slider: usize) -> bool {
        self.presses() && self.slider == slider
    }
}

/// The force on a slider whose part along s is `by`.
fn tangential(k: &Kinematics, by: f64) -> [f64; 3] {
    let square = k.tangent[0] * k.tangent[0] + k.tangent[1] * k.tangent[1];
    [by * k.tangent[0] / square, by * k.tangent[1] / square, 0.0]
}

/// The largest force of friction per force that presses: of rest, or of sliding with `speed` (m/s).
pub(super) fn friction_limit(law: &Friction, pressing: f64, speed: f64, slides: bool) -> f64 {
    if !slides {
        return law.static_force(pressing) / pressing;
    }
    let force = |normal_force| {
        let velocity = speed;
        let seen = Contact {
            velocity,
            normal_force,
            ..Contact::default()
        };
        law.slide(&seen, 1.0).force
    };
    (force(pressing) - force(0.0)) / pressing
}

impl Slider {
    /// Rows that it may have: a stop, and a contact that can open or what presses in a joint with its friction.
    fn most_rows(&self) -> usize {
        let pressing = match (self.friction.rubs, self.leverage > 0.0) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        let stop = usize::from(self.ends == PathEnds::Stop);
        let contact = usize::from(self.side.is_some());
        stop + contact + pressing + usize::from(self.friction.rubs)
    }
}

impl Rows {
    /// Gives friction the limits that go with the forces; whether that changes any.
    pub fn bound_friction(&mut self, coefficient: impl Fn(usize, f64, bool) -> f64) -> bool {
        let mut any = false;
        for (r, row) in self.list.iter().enumerate() {
            let Law::Friction(before) = self.kernel.law(r) else {
                continue;
            };
            let mut normal = before.normal;
            for n in (0..r)
                .rev()
                .take_while(|n| self.list[*n].presses_in(row.slider))
            {
                if self.forces[n] < 0.0 {
                    self.kernel.scale(n, -1.0);
                    self.forces[n] *= -1.0;
                    any = true;
                }
                if self.forces[n] > self.forces[normal] {
                    normal = n;
                }
            }
            let pressing = self.forces[normal].max(0.0);
            let now = Coulomb {
                normal,
                coefficient: coefficient(row.slider, pressing, self.slides[r]),
            };
            any |= normal != before.normal
                || (now.coefficient - before.coefficient).abs() > SETTLED * now.coefficient;
            self.kernel.set_law(r, Law::Friction(now));
        }
        any
    }

    /// Marks friction that has reached its limit as that of sliding; whether there is any more than before.
    pub fn let_slide(&mut self) -> bool {
        let mut any = false;
        for (r, slides) in self.slides.iter_mut().enumerate() {
            let now = self.list[r].kind == Kind::Friction && self.kernel.bound(r) != Bound::Neither;
            any |= now && !*slides;
            *slides |= now;
        }
        any
    }
}

/// Room for impacts.
#[derive(Debug, Clone)]
pub(super) struct Impacts {
    /// Velocities of all unknowns before.
    pub before: Vec<f64>,
    /// Sliders that meet a stop, a kink or their path.
    pub meets: Vec<bool>,
    /// Contacts that have hardly been open: they do not bounce.
    pub hardly: Vec<bool>,
}

impl Impacts {
    pub fn new(system: &System) -> Impacts {
        Impacts {
            before: vec![0.0; system.initial.len()],
            meets: vec![false; system.sliders.len()],
            hardly: vec![false; system.sliders.len()],
        }
    }
}
