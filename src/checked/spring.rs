//! Springs between points, with every name resolved.

use std::ops::Range;

use super::{BushingNumber, Checked, MemberId, PointId, SpringNumber};
use crate::joints::regime::End;
use crate::laws::spring::Spring as Law;
use crate::numerics::hypot::hypot;
use crate::quantity::Quantity;

/// A spring with damper, stops, slip element and actuator.
#[derive(Debug, Clone)]
pub struct Spring {
    pub name: String,
    pub between: Between,
    pub law: Law,
    /// What its numbers are multiples of where inputs give them: 1, but of what a bushing is made of.
    pub unit: [f64; 4],
    /// The bushing that it is a part of.
    pub bushing: Option<usize>,
}

/// A stop of a spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringStop {
    /// At the least (first) or the most (last) that is free.
    pub end: End,
    /// Where what the spring measures meets it, m or rad.
    pub at: f64,
    /// Coefficient of restitution of a rigid one; `None`: it is elastic.
    pub restitution: Option<f64>,
}

/// A bushing: forces and a moment between two sections by how one stands to the other in the frame of one of them. With the
/// displacement u in that frame it holds ½ s (u − u₀)ᵀ K (u − u₀) and takes s_d u̇ᵀ C u̇.
#[derive(Debug, Clone)]
pub struct Bushing {
    pub name: String,
    pub sides: BushingSides,
    /// K in N/m, N/rad and N·m/rad.
    pub stiffness: [[f64; 3]; 3],
    /// C in N·s/m, N·s/rad and N·m·s/rad.
    pub damping: [[f64; 3]; 3],
    /// s and s_d.
    pub scales: [f64; 2],
    /// u₀ in m, m and rad; `None` where a preload says where that is.
    pub free: Option<[f64; 3]>,
    /// Forces and moment of an actuator.
    pub force: [f64; 3],
    /// What x, y and rotation measure in the initial configuration; u is counted from there.
    pub initial: [f64; 3],
    /// What it is made of; those of x, y and rotation are the first.
    pub springs: Range<usize>,
}

/// Between what a bushing is, and in which frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BushingSides {
    pub from: SpringEnd,
    /// Whose rotation, at the point where it begins.
    pub from_member: Option<MemberId>,
    pub to: Section,
    /// Whose rotation turns the frame.
    pub frame: SideOf,
    /// Initial angle of the frame, rad.
    pub angle: f64,
}

/// A side of a spring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideOf {
    From,
    To,
}

impl BushingSides {
    /// The section where it begins; none on the ground.
    pub fn section(&self) -> Option<Section> {
        match self.from {
            SpringEnd::Point(point) => Some((point, self.from_member)),
            SpringEnd::Ground(_) => None,
        }
    }
}

/// What a spring acts between, and what it measures there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Between {
    /// The distance of two places, m.
    Line { from: SpringEnd, to: PointId },
    /// How far `to` is from `from` along x (0) or y (1), m.
    Axis { axis: usize, from: SpringEnd, to: PointId },
    /// How far `to` is from `from` along a direction that stays, a unit vector, m.
    Along { direction: [f64; 2], from: SpringEnd, to: PointId },
    /// How far `to` has turned more than `from`, rad; without one more than the ground.
    Sections { from: Option<Section>, to: Section },
    /// A sum of multiples of what a bushing measures along x and y of its frame and as rotation.
    Bushing { sides: BushingSides, way: [f64; 3] },
}

/// The rotation at a point, that of a member's end where several turn on their own.
pub type Section = (PointId, Option<MemberId>);

/// Where a spring begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpringEnd {
    Point(PointId),
    /// Initial position of the point.
    Ground(PointId),
}

impl SpringEnd {
    /// The point that names it.
    pub fn point(self) -> PointId {
        match self {
            SpringEnd::Point(point) | SpringEnd::Ground(point) => point,
        }
    }
}

/// What the numbers of a spring are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpringUnits {
    pub measure: Quantity,
    pub rate: Quantity,
    pub force: Quantity,
    pub stiffness: Quantity,
    pub damping: Quantity,
}

impl SpringUnits {
    pub const LENGTHS: SpringUnits = SpringUnits {
        measure: Quantity::Length,
        rate: Quantity::Velocity,
        force: Quantity::Force,
        stiffness: Quantity::Stiffness,
        damping: Quantity::ViscousCoefficient,
    };
    pub const ANGLES: SpringUnits = SpringUnits {
        measure: Quantity::Angle,
        rate: Quantity::AngularVelocity,
        force: Quantity::Moment,
        stiffness: Quantity::RotationalStiffness,
        damping: Quantity::RotationalDamping,
    };
}

impl Between {
    /// What its numbers are.
    pub fn units(&self) -> SpringUnits {
        match self {
            Between::Line { .. } | Between::Axis { .. } | Between::Along { .. } => {
                SpringUnits::LENGTHS
            }
            Between::Bushing { way, .. } if way[..2] != [0.0; 2] => SpringUnits::LENGTHS,
            Between::Sections { .. } | Between::Bushing { .. } => SpringUnits::ANGLES,
        }
    }

    /// Along what it acts, in the words of the model file.
    pub fn direction(&self) -> &'static str {
        match self {
            Between::Line { .. } => "line",
            Between::Axis { axis: 0, .. } => "x",
            Between::Axis { .. } => "y",
            Between::Along { .. } => "a fixed direction",
            Between::Sections { .. } => "rotation",
            Between::Bushing { .. } => "its frame",
        }
    }

    /// Whether it is between sections.
    pub fn turns(&self) -> bool {
        matches!(self, Between::Sections { .. })
    }

    /// Where it begins and ends, as points; where it begins on a ground without a place, only its end.
    pub fn points(&self) -> (Option<PointId>, PointId) {
        match *self {
            Between::Line { from, to }
            | Between::Axis { from, to, .. }
            | Between::Along { from, to, .. } => (Some(from.point()), to),
            Between::Sections { from, to } => (from.map(|(point, _)| point), to.0),
            Between::Bushing { sides, .. } => (Some(sides.from.point()), sides.to.0),
        }
    }

    /// Points that move.
    pub fn moving(&self) -> impl Iterator<Item = PointId> + use<> {
        let (from, to) = match *self {
            Between::Line { from, to }
            | Between::Axis { from, to, .. }
            | Between::Along { from, to, .. } => match from {
                SpringEnd::Point(point) => (Some(point), to),
                SpringEnd::Ground(_) => (None, to),
            },
            Between::Sections { from, to } => (from.map(|(point, _)| point), to.0),
            Between::Bushing { sides, .. } => (sides.section().map(|(point, _)| point), sides.to.0),
        };
        from.into_iter().chain([to])
    }
}

impl Checked {
    /// The measure of a spring in the initial configuration, m or rad.
    pub fn initial_measure(&self, between: &Between) -> f64 {
        let place = |point: PointId| self.points[point].position;
        match *between {
            Between::Line { from, to } => {
                let (a, b) = (place(from.point()), place(to));
                hypot(b[0] - a[0], b[1] - a[1])
            }
            Between::Axis { axis, from, to } => place(to)[axis] - place(from.point())[axis],
            Between::Along { direction: [x, y], from, to } => {
                let (a, b) = (place(from.point()), place(to));
                (b[0] - a[0]) * x + (b[1] - a[1]) * y
            }
            Between::Sections { .. } => 0.0,
            Between::Bushing { sides, way } => {
                let (a, b) = (place(sides.from.point()), place(sides.to.0));
                let (sin, cos) = sides.angle.sin_cos();
                let along = [cos * way[0] - sin * way[1], sin * way[0] + cos * way[1]];
                (b[0] - a[0]) * along[0] + (b[1] - a[1]) * along[1]
            }
        }
    }

    /// The springs that are no parts of bushings, with their numbers.
    pub fn lone_springs(&self) -> impl Iterator<Item = (usize, &Spring)> {
        let all = self.springs.iter().enumerate();
        all.filter(|(_, spring)| spring.bushing.is_none())
    }

    /// The stops of a spring, elastic and rigid ones.
    pub fn stops_of_spring(&self, spring: usize) -> Vec<SpringStop> {
        let law = &self.springs[spring].law;
        let ends = [End::First, End::Last];
        let elastic = ends.into_iter().zip(law.stops.limits);
        let elastic = elastic
            .filter_map(|(end, limit)| limit.map(|at| SpringStop { end, at, restitution: None }));
        let mut all: Vec<SpringStop> = elastic.collect();
        for stop in self.rigid_stops.iter().filter(|stop| stop.spring == spring) {
            let slider = &self.sliders[stop.slider];
            let first = self.initial_measure(&stop.between) - stop.initial;
            for (end, at) in ends.into_iter().zip([first, first + stop.length]) {
                all.extend(slider.ends.stops_at(end).then_some(SpringStop {
                    end,
                    at,
                    restitution: Some(slider.restitution),
                }));
            }
        }
        all
    }

    /// The springs of a bushing that a component of u₀ moves, each with how far its m₀ follows.
    pub fn moved_by(
        &self, bushing: usize, number: BushingNumber,
    ) -> impl Iterator<Item = (usize, f64)> {
        let component = match number {
            BushingNumber::FreeX => Some(0),
            BushingNumber::FreeY => Some(1),
            BushingNumber::FreeAngle => Some(2),
            _ => None,
        };
        let parts = self.bushings[bushing].springs.clone();
        parts.filter_map(move |part| match self.springs[part].between {
            Between::Bushing { way, .. } => component.map(|i| (part, way[i])),
            _ => None,
        })
    }

    /// The springs of a bushing, and which of their numbers a number of it gives.
    pub fn fed_by(
        &self, bushing: usize, number: BushingNumber,
    ) -> impl Iterator<Item = (usize, SpringNumber)> {
        let parts = self.bushings[bushing].springs.clone();
        let first = parts.start;
        let (slot, axis) = match number {
            BushingNumber::StiffnessScale => (SpringNumber::Stiffness, None),
            BushingNumber::DampingScale => (SpringNumber::Damping, None),
            // See `moved_by`.
            BushingNumber::FreeX | BushingNumber::FreeY | BushingNumber::FreeAngle => {
                (SpringNumber::Free, Some(parts.end))
            }
            BushingNumber::Fx => (SpringNumber::Force, Some(first)),
            BushingNumber::Fy => (SpringNumber::Force, Some(first + 1)),
            BushingNumber::Moment => (SpringNumber::Force, Some(first + 2)),
        };
        let fed = move |part: &usize| match axis {
            Some(axis) => *part == axis,
            None => self.springs[*part].unit[slot as usize] != 0.0,
        };
        parts.filter(fed).map(move |part| (part, slot))
    }

    /// "from point a to point b", in the words of descriptions.
    pub fn name_of_ends(&self, between: &Between) -> String {
        let name = |point: PointId| format!("point {}", self.points[point].name);
        let ground = || "the ground".to_string();
        let from = |end: SpringEnd| match end {
            SpringEnd::Point(point) => name(point),
            SpringEnd::Ground(_) => ground(),
        };
        let section = |(point, member): Section| match member {
            Some(member) => {
                format!("member {} at point {}", self.members[member].name, self.points[point].name)
            }
            None => name(point),
        };
        let (from, to) = match *between {
            Between::Line { from: end, to }
            | Between::Axis { from: end, to, .. }
            | Between::Along { from: end, to, .. } => (from(end), name(to)),
            Between::Sections { from, to } => (from.map_or_else(ground, section), section(to)),
            Between::Bushing { sides, .. } => {
                let from = sides.section().map_or_else(ground, section);
                (from, section(sides.to))
            }
        };
        format!("from {from} to {to}")
    }
}
