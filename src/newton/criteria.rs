//! When an iterate of Newton's method is a solution: every force balances, every joint's gap is
//! closed, and the last correction is small; and why it is none.

use std::cmp::Ordering;

use fearless_simd::dispatch;

use super::tolerances::POSITION_ROUNDING;
use crate::numerics::lanes::{larger, level};
use crate::system::{Iterate, Run, System, Workspace};

/// Which criteria an iterate does not meet: of each the worst, relative to its tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Unmet {
    /// A force that is not in equilibrium, or a place kept along a path that is missed.
    pub force: Option<Miss>,
    /// A joint's gap.
    pub gap: Option<Miss>,
    /// What the last correction has moved.
    pub moved: Option<Miss>,
    /// A point of a contact that is pressed in deeper than it may be, or held off by as much.
    pub depth: Option<Miss>,
    /// The slider that has sticking, sliding or contact changed where all else was met.
    pub regime: Option<u32>,
}

impl Unmet {
    /// All criteria are met, but slider `j` changes what it does.
    pub fn regime(j: Option<u32>) -> Unmet {
        Unmet { regime: j, ..Unmet::default() }
    }
}

/// One equation or correction beyond its tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Miss {
    pub of: Of,
    /// Absolute value; N, N·m, m or rad.
    pub by: f64,
    pub allowed: f64,
}

/// What an equation or correction belongs to. Numbers are short, so that a failed attempt costs little to hand on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Of {
    /// The forces on a nodal unknown.
    Nodal(u32),
    /// The forces on a slider along its path.
    Along { slider: u32 },
    /// The place along its path that a slider keeps.
    Place { slider: u32 },
    /// A component of a slider's gap: two lengths, then a rotation.
    Gap { slider: u32, component: u8 },
    /// A component of a pin's gap.
    Pin { pin: u32 },
    /// The last correction of an unknown or a sliding coordinate.
    Correction { unknown: u32 },
    /// A point of a contact and its face.
    Depth { contact: u32 },
}

/// Rounding of positions, m, in what it does to forces.
fn rounding(system: &System) -> f64 {
    POSITION_ROUNDING * system.size
}

/// What rounding of positions makes of the forces beside the stiffest unknown, N.
pub fn rounding_of_forces(system: &System, work: &Workspace) -> f64 {
    let stiffest = work.stiffness.iter().fold(0.0_f64, |a, b| a.max(*b));
    rounding(system) * stiffest
}

/// Every nodal equation with what it misses and what is allowed.
#[inline(always)]
fn nodal_equations<'a>(
    system: &System, work: &'a Workspace, run: Run,
) -> impl Iterator<Item = Miss> + 'a {
    let tolerance = system.model.solver.force_tolerance * work.force_scale;
    let rounding = rounding(system);
    let residual = run.unknowns().zip(&work.residual[run.unknowns()]);
    let stiffness = work.stiffness[run.equations()].iter().zip(&work.borne[run.equations()]);
    residual.zip(stiffness).map(move |((u, residual), (own, borne))| Miss {
        of: Of::Nodal(u as u32),
        by: residual.abs(),
        // What is soft bears what joints bring to it, with the rounding of others.
        allowed: tolerance + rounding * larger(*own, *borne),
    })
}

/// Every equation of a joint with what it misses and what is allowed.
fn joint_equations<'a>(
    system: &'a System, at: &'a Iterate, work: &'a Workspace,
) -> impl Iterator<Item = Miss> + 'a {
    let solver = &system.model.solver;
    let tolerance = solver.force_tolerance * work.force_scale;
    let (rounding, rounded) = (rounding(system), rounding_of_forces(system, work));
    let sliders = system.sliders.iter().zip(&at.sliders).enumerate();
    let joints = sliders.flat_map(move |(j, (slider, own))| {
        // Where s is kept the row is a length, and one solution closes it.
        let (of, allowed) = if own.keeps_place() {
            (Of::Place { slider: j as u32 }, rounding)
        } else {
            (Of::Along { slider: j as u32 }, tolerance + rounded)
        };
        let along = Miss { of, by: work.border[slider.border].abs(), allowed };
        let gaps = &work.border[slider.border + 1..][..slider.conditions()];
        let gaps = gaps.iter().enumerate().map(move |(component, gap)| {
            let (slider, of_edge) = (j as u32, slider.carries_friction_of_edge());
            let (of, allowed) = if of_edge && component == 1 {
                (Of::Along { slider }, tolerance + rounded)
            } else {
                let component = component as u8;
                let allowed = solver.position_tolerance * system.size;
                (Of::Gap { slider, component }, allowed)
            };
            Miss { of, by: gap.abs(), allowed }
        });
        std::iter::once(along).chain(gaps)
    });
    let pins = system.pins.list.iter().enumerate().flat_map(move |(p, pin)| {
        let gaps = work.border[pin.border..][..pin.rows()].iter();
        let size = if pin.turns() { 1.0 } else { system.size };
        gaps.map(move |gap| Miss {
            of: Of::Pin { pin: p as u32 },
            by: gap.abs(),
            allowed: solver.position_tolerance * size,
        })
    });
    joints.chain(pins)
}

/// Every force balances within the tolerance, every constraint holds.
pub fn balanced(system: &System, at: &Iterate, work: &Workspace) -> bool {
    let mut balanced = true;
    dispatch!(level(), _ => for run in at.moving(system) {
        for row in nodal_equations(system, work, run) {
            balanced &= row.by <= row.allowed;
        }
    });
    balanced && joint_equations(system, at, work).all(|row| row.by <= row.allowed)
}

/// Whether the friction of everything that slides is that of what presses it.
pub fn friction_agrees(system: &System, at: &Iterate, work: &Workspace) -> bool {
    system.sliders.is_empty() || disagreeing_sliders(system, at, work).next().is_none()
}

/// Sliders whose friction is not that of what presses them.
pub fn disagreeing_sliders<'a>(
    system: &'a System, at: &'a Iterate, work: &'a Workspace,
) -> impl Iterator<Item = usize> + 'a {
    joint_equations(system, at, work).filter_map(|row| match row.of {
        Of::Along { slider } if row.by > row.allowed || row.by.is_nan() => Some(slider as usize),
        _ => None,
    })
}

/// The equations that an iterate does not meet.
pub fn unmet(system: &System, at: &Iterate, work: &Workspace) -> Unmet {
    let nodal = at.moving(system).flat_map(|run| nodal_equations(system, work, run));
    let is_gap = |row: &Miss| matches!(row.of, Of::Gap { .. } | Of::Pin { .. });
    Unmet {
        force: worst(nodal.chain(joint_equations(system, at, work)).filter(|row| !is_gap(row))),
        gap: worst(joint_equations(system, at, work).filter(is_gap)),
        ..Unmet::default()
    }
}

/// Changes of the unknowns and sliding coordinates with what each is relative to: the mechanism's size, or rad.
fn changes<'a>(
    system: &'a System, interior: &'a [f64], border: &'a [f64],
) -> impl Iterator<Item = (usize, f64, f64)> + 'a {
    let nodal = (system.unknown.iter().zip(interior)).map(|(&u, x)| (u, x.abs(), system.scale(u)));
    let sliding = (system.sliders.iter())
        .map(|slider| (slider.coordinate, border[slider.border].abs(), system.size));
    nodal.chain(sliding)
}

/// The part of a correction that is farthest beyond the tolerance of positions, if any is.
pub fn worst_correction(system: &System, interior: &[f64], border: &[f64]) -> Option<Miss> {
    let tolerance = system.model.solver.position_tolerance;
    worst(changes(system, interior, border).map(|(u, by, scale)| Miss {
        of: Of::Correction { unknown: u as u32 },
        by,
        allowed: tolerance * scale,
    }))
}

/// The largest of a change of the unknowns, `interior` and `border`, relative to the mechanism's size, or rad; no number where one of the
/// interior is none.
pub(crate) fn largest_change(system: &System, interior: &[f64], border: &[f64]) -> f64 {
    let ways = system.sliders.iter().map(|slider| border[slider.border].abs());
    let along = ways.fold(0.0, f64::max) / system.size;
    match system.largest_change(interior) {
        nodal if nodal < along => along,
        nodal => nodal,
    }
}

/// The one farthest beyond its tolerance, if any is.
fn worst(all: impl Iterator<Item = Miss>) -> Option<Miss> {
    // What is no number is beyond it, too.
    all.filter(|one| one.by.partial_cmp(&one.allowed).is_none_or(Ordering::is_gt))
        .max_by(|a, b| (a.by / a.allowed).total_cmp(&(b.by / b.allowed)))
}
