//! Where the equations of a step are evaluated.

use std::ops::Deref;

use super::equations::Run;
use super::{Circling, Flow, Slider, System, Tuning};
use crate::joints::regime::{End, Regime, Sense};
use crate::laws::friction::Memory;
use crate::laws::spring::Begun;
use crate::numerics::hypot::hypot;
use crate::numerics::positions::{Position, Positions};
use crate::surfaces::layer::PointMemory;
use crate::surfaces::sample::Predicted;

/// Where the equations are evaluated.
#[derive(Debug, Clone)]
pub struct Iterate {
    pub q: Positions,
    /// Numbers of the friction laws.
    pub tuning: Tuning,
    /// q̈ of all unknowns; zero in statics.
    pub acceleration: Vec<f64>,
    /// q̇ of the nodal unknowns, for damping.
    pub flow: Flow,
    /// External force on each nodal unknown.
    pub external: Vec<f64>,
    /// Components of the line loads that turn with the axis.
    pub follower_loads: Vec<FollowerLoad>,
    /// q̈ of the nodal unknowns that have an equation and that a motion still drives: it will let
    /// them go. Their equations are pinned, their residual is the reaction.
    pub driven: Driven,
    pub sliders: Vec<Sliding>,
    /// Multipliers of each pin, N.
    pub pins: Vec<[f64; 2]>,
    /// What the points of contacts remember from the beginning of the step; where their faces have come in it.
    pub points: Vec<PointMemory>,
    /// Which of them turn back: for one correction their friction is that of rest, whatever its force.
    pub turns_back: Vec<bool>,
    /// Where the last correction leads the points of contacts, in the first iterate the steps before; empty where it is not known, and outside of
    /// Newton's method.
    pub predicted: Vec<Predicted>,
    /// Whether it is the first guess of a stage, whose error presses layers more than anything else does.
    pub guessed: bool,
    /// How often faces have come (`augmentation.rs`) towards what they bear since then.
    pub augmented: usize,
    /// How often λ₀ of redundant constraints has been renewed in the present solution.
    pub renewals: usize,
    /// The sense with which all points of each contact slide, whatever they remember; neither where they find it themselves.
    pub slips: Vec<Sense>,
    /// How far ahead friction looks of points that slide, s: where it jumps, to the end of the step that follows, else not.
    pub ahead: f64,
    /// What springs begin the step with.
    pub springs: Vec<Begun>,
    /// How much softer and rougher contacts of surfaces are than in the model.
    pub factors: ContinuationFactors,
    /// Length of the step, for the velocity in the friction law.
    pub step: f64,
    /// The instant for which it is looked for, s.
    pub time: f64,
    /// Whether the solution decides which contacts are open and which stops hold; otherwise they stay as they are.
    pub complementary: bool,
    /// Whether the forces of bounded bristles are being looked for together.
    pub together: bool,
    /// Whether friction that falls with speed is left out of the tangent: from rest Newton's method then gets to the speed at
    /// which it does not fall any more, where otherwise it goes to and fro.
    pub rises: bool,
}

/// The accelerations of what motions drive, of all nodal unknowns.
#[derive(Debug, Clone)]
pub struct Driven {
    accelerations: Vec<Option<f64>>,
    /// Unknowns with an acceleration, rising.
    unknowns: Vec<usize>,
}

impl Deref for Driven {
    type Target = [Option<f64>];

    fn deref(&self) -> &[Option<f64>] {
        &self.accelerations
    }
}

impl Driven {
    /// None of so many unknowns.
    fn of(unknowns: usize) -> Driven {
        Driven { accelerations: vec![None; unknowns], unknowns: Vec::with_capacity(unknowns) }
    }

    /// Those that are driven, rising.
    pub fn unknowns(&self) -> &[usize] {
        &self.unknowns
    }

    /// Gives an unknown this acceleration.
    pub fn drive(&mut self, unknown: usize, acceleration: f64) {
        if let Err(place) = self.unknowns.binary_search(&unknown) {
            self.unknowns.insert(place, unknown);
        }
        self.accelerations[unknown] = Some(acceleration);
    }

    /// Holds an unknown, unless it is driven.
    pub fn hold(&mut self, unknown: usize) {
        if self.accelerations[unknown].is_none() {
            self.drive(unknown, 0.0);
        }
    }

    /// Leaves all unknowns to their equations.
    pub fn clear(&mut self) {
        for u in self.unknowns.drain(..) {
            self.accelerations[u] = None;
        }
    }

    /// Leaves an unknown to its equation.
    pub fn release(&mut self, unknown: usize) {
        self.unknowns.retain(|&u| u != unknown);
        self.accelerations[unknown] = None;
    }
}

/// Factors of the stiffness of all contact layers and of all friction of contacts of surfaces, 1 but on the way of a continuation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContinuationFactors {
    pub stiffness: f64,
    pub friction: f64,
}

impl Default for ContinuationFactors {
    fn default() -> ContinuationFactors {
        ContinuationFactors { stiffness: 1.0, friction: 1.0 }
    }
}

/// One slider in the equations of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sliding {
    /// λ₁, λ₂ (N) and λ₃ (N·m).
    pub multipliers: [f64; 3],
    /// Those where the step begins.
    pub begun: [f64; 3],
    /// ε of redundant constraints, m/N, m/N and rad/(N·m): see `regularisation.rs`.
    pub compliance: [f64; 3],
    /// λ₀ of the regularisation.
    pub reference: [f64; 3],
    /// c₀, the error of its constraints where the step begins, within the tolerance of positions: m, m and rad.
    pub left: [f64; 3],
    /// s at the beginning of the step, m.
    pub before: Position,
    /// What a law with memory remembers from there.
    pub memory: Memory,
    pub velocity: SlidingVelocity,
    pub constraint: Constraint,
    pub along: Along,
    /// Path element from which the step begins, where no kink is passed in it: what is behind one is an element
    /// before it, prolonged.
    pub from: Option<usize>,
    /// Of a slider off its path: it has not followed its nearest place from the place before, which is at a corner of
    /// the path or has jumped.
    pub strayed: bool,
    /// Of a slider off its path: it has [passed](Regime::Passed) an end of it where the step begins.
    pub passed: bool,
    pub decided: Decided,
}

/// The velocity of a slider in terms of its s at the end of a step, v = factor (s − origin).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SlidingVelocity {
    pub origin: Position,
    /// 1/s.
    pub factor: f64,
    /// Whether it is that of the time integration, which a correction of positions leaves as it is; otherwise it is the mean of the step.
    pub at_end: bool,
}

impl SlidingVelocity {
    /// v where the step ends at `s`.
    pub fn at(&self, s: Position) -> f64 {
        self.factor * s.displacement_from(self.origin)
    }

    /// Corrects s by a `way` (m).
    pub fn shift(&mut self, way: f64) {
        if self.at_end {
            self.origin = self.origin.plus(way);
        }
    }
}

/// Which constraints act on a slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Constraint {
    /// None: it is off its path, λ = 0.
    Open,
    /// Its path, c = 0.
    #[default]
    Path,
    /// Its path and the stop at its end, c = 0 and s = end.
    Stop(End),
}

/// What holds a slider along its path between the stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Along {
    /// Nothing.
    Free,
    /// Its friction law, which finds at the end of the step whether it sticks.
    #[default]
    Law,
    /// Whatever it takes: s does not change.
    Stick,
    /// Sliding friction against this sense.
    Slip(Sense),
    /// A motion, whatever friction does: sliding friction against the sense in which it moves the slider, none where it rests.
    Driven(Sense),
}

/// What Newton's method has decided about a slider on its way to one solution.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Decided {
    /// Path element that it stays on, whatever its s.
    pub element: Option<usize>,
    /// Whether it turns back: for one correction its friction is that of rest, whatever its force.
    pub reverses: bool,
    /// Which way its bounded bristles slip; neither where they hold.
    pub bristles: Sense,
    pub static_friction: StaticFriction,
    /// Whether it stood still when the step began.
    pub at_rest: bool,
}

/// Whether static friction locks a slider during a step. It changes between two solutions of
/// Newton's method, never within one, and never back: no iterate decides it in passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StaticFriction {
    /// It was at rest when the step began, or comes to rest in it.
    Holds,
    /// It was moving this way when the step began.
    Moving(Sense),
    /// Static friction did not suffice, or the law knows none.
    #[default]
    Fails,
}

impl Constraint {
    /// The constraints of a regime.
    pub fn of(regime: Regime) -> Constraint {
        match regime {
            Regime::Open | Regime::Passed => Constraint::Open,
            Regime::AtStop(end) => Constraint::Stop(end),
            Regime::Stick | Regime::Slip(_) => Constraint::Path,
        }
    }
}

impl Along {
    /// What holds `slider` along its path in a step that begins in `regime`.
    pub(crate) fn of(slider: &Slider, regime: Regime) -> Along {
        match regime {
            _ if !slider.cuts => Along::Law,
            Regime::Open | Regime::Passed => Along::Law,
            // At a stop, once it does not press any more.
            Regime::Stick | Regime::AtStop(_) | Regime::Slip(Sense::Neither) => Along::Stick,
            Regime::Slip(sense) => Along::Slip(sense),
        }
    }
}

impl Sliding {
    /// Whether its row of s says where it stays.
    pub fn keeps_place(&self) -> bool {
        self.constraint != Constraint::Path || self.along == Along::Stick
    }

    /// Its regime where its friction law, if that decides, has found that it `sticks` or `slips`.
    pub fn regime(&self, slips: Sense, sticks: bool) -> Regime {
        match (self.constraint, self.along) {
            (Constraint::Open, _) if self.passed => Regime::Passed,
            (Constraint::Open, _) => Regime::Open,
            (Constraint::Stop(end), _) => Regime::AtStop(end),
            (Constraint::Path, Along::Slip(sense)) => Regime::Slip(sense),
            (Constraint::Path, _) if sticks => Regime::Stick,
            (Constraint::Path, _) => Regime::Slip(slips),
        }
    }
}

/// Factor f of the mass matrix in the tangent K + f M, which is ∂q̈/∂q of the time integration, 1/s²;
/// `None` in statics.
pub type MassFactor = Option<f64>;

/// Components of a load along a member or an edge with its history, N/m: along x, along y, normal and tangential. The first two follow
/// nothing but the moment that they make on a rigid body.
pub type FollowerLoad = [f64; 4];

impl Iterate {
    /// The unknowns that are solved for: those with an equation that no motion drives.
    pub(crate) fn moving(&self, system: &System) -> impl Iterator<Item = Run> {
        system.equation.runs_without(&self.driven.unknowns)
    }

    /// A change of an iterate in which nothing changes yet.
    pub(crate) fn unchanged(system: &System) -> Iterate {
        let mut change = Iterate::new(system);
        change.q.fill(0.0);
        change.flow.origin.fill(0.0);
        change.springs.fill_with(Default::default);
        change
    }

    /// Room for an iterate of `system`.
    pub fn new(system: &System) -> Iterate {
        let unknowns = system.initial.len();
        Iterate {
            q: Positions::from(&system.initial[..]),
            tuning: Tuning::of(&system.model),
            acceleration: vec![0.0; unknowns],
            flow: Flow {
                origin: Positions::from(&system.initial[..system.nodal]),
                factor: 0.0,
                circling: Circling::default(),
            },
            external: vec![0.0; system.nodal],
            follower_loads: vec![[0.0; 4]; system.loads.lines.list.len()],
            driven: Driven::of(system.nodal),
            sliders: vec![Sliding::default(); system.sliders.len()],
            pins: vec![[0.0; 2]; system.pins.list.len()],
            points: vec![PointMemory::default(); system.surfaces.points.len()],
            predicted: Vec::with_capacity(system.surfaces.points.len()),
            guessed: false,
            turns_back: vec![false; system.surfaces.points.len()],
            augmented: 0,
            renewals: 0,
            slips: vec![Sense::Neither; system.surfaces.contacts.len()],
            ahead: 0.0,
            springs: (system.springs.list.iter())
                .map(|spring| spring.initial(&Positions::from(&system.initial[..])))
                .collect(),
            factors: ContinuationFactors::default(),
            step: 1.0,
            time: 0.0,
            complementary: false,
            together: false,
            rises: false,
        }
    }

    /// This iterate with `share` times the change `by` of its positions, accelerations and forces, and of its velocities.
    pub(crate) fn moved(&self, by: &Iterate, share: f64) -> Iterate {
        let mut there = self.clone();
        for u in 0..by.q.len() {
            there.q.add(u, share * by.q[u]);
            there.acceleration[u] += share * by.acceleration[u];
        }
        for u in 0..by.flow.origin.len() {
            there.flow.origin.add(u, share * by.flow.origin[u]);
        }
        for (own, change) in there.sliders.iter_mut().zip(&by.sliders) {
            own.velocity.origin = own.velocity.origin.plus(share * change.velocity.origin.rounded);
            for (own, change) in own.multipliers.iter_mut().zip(change.multipliers) {
                *own += share * change;
            }
        }
        for (own, change) in there.springs.iter_mut().zip(&by.springs) {
            own.anchor += share * change.anchor;
            own.setting = own.setting.moved(change.setting, share);
        }
        for (own, change) in there.pins.as_flattened_mut().iter_mut().zip(by.pins.as_flattened()) {
            *own += share * change;
        }
        there
    }

    /// Adds `share` of what a solution of the border has of them to the multipliers of sliders and pins.
    pub(crate) fn add_forces(&mut self, system: &System, share: f64, border: &[f64]) {
        for (slider, own) in system.sliders.iter().zip(&mut self.sliders) {
            let change = &border[slider.border + 1..][..slider.conditions()];
            let own = own.multipliers.iter_mut().zip(change);
            own.for_each(|(own, change)| *own += share * change);
        }
        for (own, change) in self.pins.iter_mut().zip(system.pins.of_border(border)) {
            (own.iter_mut().zip(change)).for_each(|(own, change)| *own += share * change);
        }
    }

    /// Gives what presses hinges with friction the size of their forces, which it has to first order.
    pub(crate) fn press_hinges(&mut self, system: &System) {
        for (slider, pin) in system.hinges.pairs() {
            let [x, y] = self.pins[pin];
            self.sliders[slider].multipliers[1] = hypot(x, y);
        }
    }

    /// Leaves friction out, where only the geometry is solved for.
    pub fn leave_friction_out(&mut self) {
        for slider in &mut self.sliders {
            slider.along = Along::Free;
        }
    }
}
