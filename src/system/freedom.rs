//! Which degrees of freedom a point has, for people who read a model.

use super::equations::Equations;
use super::{Constraint, Iterate, Motions, System};
use crate::checked::{Direction, MemberId, PointId};
use crate::nodes::Nodes;

/// What may happen to one degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freedom {
    /// The equations of motion decide.
    Free,
    /// A support fixes it.
    Fixed,
    /// A motion drives it, for a time at least.
    Driven,
}

/// One degree of freedom of a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointFreedom {
    pub direction: Direction,
    /// For a rotation: the members that share it.
    pub members: Vec<MemberId>,
    pub freedom: Freedom,
}

/// The degrees of freedom of the points of a mechanism.
#[derive(Clone, Copy)]
pub struct Freedoms<'a> {
    nodes: &'a Nodes,
    motions: &'a Motions,
    equation: &'a Equations,
}

impl<'a> Freedoms<'a> {
    /// Those of a `system`.
    pub fn of(system: &'a System) -> Freedoms<'a> {
        Freedoms { nodes: &system.nodes, motions: &system.motions, equation: &system.equation }
    }

    /// The degrees of freedom of a point: x, y, and each rotation of its own.
    pub fn at(&self, point: PointId) -> Vec<PointFreedom> {
        let [x, y] = self.nodes.of_place(point);
        let translations = [(Direction::X, x), (Direction::Y, y)];
        let translations = translations.map(|(direction, unknown)| PointFreedom {
            direction,
            members: Vec::new(),
            freedom: self.freedom(unknown),
        });
        let rotations = self.nodes.rotations_of(point).iter();
        let rotations = rotations.map(|(unknown, members)| PointFreedom {
            direction: Direction::Rotation,
            members: members.clone(),
            freedom: self.freedom(*unknown),
        });
        translations.into_iter().chain(rotations).collect()
    }

    fn freedom(&self, unknown: usize) -> Freedom {
        let mut driven = self.motions.iter().flat_map(|motion| &motion.unknowns);
        if driven.any(|&u| u == unknown) {
            Freedom::Driven
        } else if self.equation.has(unknown) {
            Freedom::Free
        } else {
            Freedom::Fixed
        }
    }
}

impl System {
    /// Independent motions that the joints of an iterate leave: its equations and sliding coordinates without its constraints
    /// and what motions drive for a time.
    pub(crate) fn independent_motions(&self, at: &Iterate) -> usize {
        let sliders = self.sliders.iter().zip(&at.sliders);
        let held = sliders.map(|(slider, own)| match own.constraint {
            Constraint::Open => 0,
            // Its s̄ follows the nodes.
            _ if slider.carries_friction_of_edge() => 0,
            _ => slider.conditions() - usize::from(!own.keeps_place()),
        });
        let driven = at.driven.iter().flatten().count();
        let held = held.sum::<usize>() + self.pins.rows() + driven;
        self.equations().saturating_sub(held)
    }
}
