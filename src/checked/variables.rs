//! What a host sees of a [`Checked`](super::Checked) model: parameters, inputs and outputs.

use std::ops::Range;

use super::{MemberId, Part, PlaceId, PointId};
use crate::joints::regime::End;
use crate::quantity::Quantity;

/// An enum together with the list of its variants.
macro_rules! every {
    ($(#[$about:meta])* pub enum $Name:ident { $($(#[$one:meta])* $Variant:ident,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $Name {
            $($(#[$one])* $Variant,)*
        }

        impl $Name {
            /// Each of them.
            pub const ALL: &'static [$Name] = &[$($Name::$Variant,)*];
        }
    };
}

/// A number in the model file that a host may change before initialization ends. Changing it is
/// the same as writing the new number into the file: see [`crate::model::Model::with_value`].
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Dotted path of the number in the file.
    pub path: String,
    pub value: f64,
    pub quantity: Quantity,
    /// Smallest and largest value that the checker accepts.
    pub range: [f64; 2],
    /// What of the start may follow from it.
    pub reach: Reach,
    /// Whether it is a number of elements, with which the plan gets another size.
    pub structural: bool,
    pub description: String,
    /// Of an entry of `[parameters]`: the unit with which the comment behind it begins.
    pub stated_unit: Option<String>,
    /// Set where the host may change it between communication steps too.
    pub tunable: Option<Tunable>,
}

/// An entry whose key `enabled` is written in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// Dotted path of the entry, as `supports.base`.
    pub path: String,
    /// Whether the entry is there.
    pub on: bool,
}

/// Where a number begins to act on the consistent start: positions are found first, velocities
/// follow from them, accelerations and forces from both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    Positions,
    Velocities,
    Forces,
    /// The output does not depend on it.
    Nowhere,
}

/// A number of a friction law. It can change between two steps, because neither geometry
/// nor mass nor the state depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tunable {
    /// Those that have it, among [`super::Checked::sliders`] or, behind them, [`super::Checked::contacts`]: one law, or the same of both
    /// ends of an edge that slides.
    pub laws: Range<usize>,
    /// Place in [`Friction::numbers`](crate::laws::friction::Friction::numbers).
    pub number: usize,
}

/// A number in the model file that a host may change while the simulation runs.
#[derive(Debug, Clone)]
pub struct InputVariable {
    pub path: String,
    pub input: Input,
    /// Value in the file.
    pub start: f64,
    /// What it does between communication points.
    pub reconstruction: Reconstruction,
    /// The smallest value that it may have.
    pub least: f64,
    pub quantity: Quantity,
    pub description: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    /// Component 0, 1, 2 (F_x, F_y, M) of a load.
    Load { load: usize, component: usize },
    /// Component of a load on a member or an edge, in the order of [`LineLoad::keys`](super::LineLoad::keys).
    LineLoad { load: usize, component: usize },
    /// The displacement or angle of a motion whose law is [`MotionLaw::Position`](super::history::MotionLaw::Position).
    MotionPosition { motion: usize },
    /// The velocity or rate of a motion whose law is [`MotionLaw::Rate`](super::history::MotionLaw::Rate).
    MotionRate { motion: usize },
    /// The acceleration of a motion whose law is [`MotionLaw::Acceleration`](super::history::MotionLaw::Acceleration).
    MotionAcceleration { motion: usize },
    /// Component 0 or 1 of gravity.
    Gravity { component: usize },
    /// A number of a [spring](super::Spring).
    Spring { spring: usize, number: SpringNumber },
    /// A number of a [bushing](super::Bushing).
    Bushing { bushing: usize, number: BushingNumber },
    /// A number of an entry that is switched off; it acts on nothing.
    SwitchedOff,
}

impl Input {
    /// Where it begins to act on a start, which may be an `equilibrium` of the loads.
    pub fn reach(self, equilibrium: bool) -> Reach {
        match self {
            Input::MotionPosition { .. } => Reach::Positions,
            Input::MotionRate { .. } => Reach::Velocities,
            Input::SwitchedOff => Reach::Nowhere,
            Input::Load { .. }
            | Input::LineLoad { .. }
            | Input::Gravity { .. }
            | Input::Spring { .. }
            | Input::Bushing { .. }
                if equilibrium =>
            {
                Reach::Positions
            }
            Input::Load { .. }
            | Input::LineLoad { .. }
            | Input::MotionAcceleration { .. }
            | Input::Gravity { .. }
            | Input::Spring { .. }
            | Input::Bushing { .. } => Reach::Forces,
        }
    }
}

every! {
    /// The numbers of a spring that a host may set while the simulation runs.
    pub enum SpringNumber {
        /// m₀.
        Free,
        Stiffness,
        Damping,
        /// F_a.
        Force,
    }
}

every! {
    /// The numbers of a bushing that a host may set while the simulation runs.
    pub enum BushingNumber {
        StiffnessScale,
        DampingScale,
        /// Where nothing of the stiffness has a force.
        FreeX,
        FreeY,
        FreeAngle,
        /// Forces of an actuator along x and y of the frame, and its moment.
        Fx,
        Fy,
        Moment,
    }
}

every! {
    /// How an input runs between communication points; see [`crate::system::HostInput`].
    pub enum Reconstruction {
        /// At the value that was set.
        Hold,
        /// On a straight line to the value that was set.
        Linear,
        /// To the value that was set without a jump of the slope.
        Cubic,
    }
}

/// Something a host may read.
#[derive(Debug, Clone)]
pub struct OutputVariable {
    pub path: String,
    pub output: Output,
    pub quantity: Quantity,
    pub description: String,
    /// Set where it is one number of an array; its path ends in its number, counted from 1, in brackets.
    pub element: Option<Element>,
}

/// Where a number stands in its array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Counted from 0.
    pub at: usize,
    /// Numbers in the array.
    pub of: usize,
    /// What the array is.
    pub array: String,
}

/// A number that can be read of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Output {
    pub of: Subject,
    /// Its place among what can be read of the subject; [`outputs`](crate::system::outputs) lists that.
    pub item: usize,
}

/// What outputs are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A [slider](super::Slider) of a joint, or a corner of a contact of a rigid surface.
    Slider(usize),
    /// The friction of a slider in the motion that its file states; see [`super::Harmonic`].
    Equivalent(usize),
    /// A [sliding edge](super::SlidingEdge).
    Edge(usize),
    /// A sliding edge and one of its nodes.
    EdgeNode(usize, usize),
    /// The [force of a hinge](super::HingeForce).
    Hinge(usize),
    /// A [pin](super::Pin).
    Pin(usize),
    /// A [contact of surfaces](super::SurfaceContact).
    Contact(usize),
    /// A [contact of a rigid surface](super::RigidContact).
    RigidContact(usize),
    /// A [spring](super::Spring).
    Spring(usize),
    /// A [bushing](super::Bushing).
    Bushing(usize),
    /// A [coupling](super::Coupling).
    Coupling(usize),
    /// A coupling and one of its drivers.
    Driver(usize, usize),
    Point(PointId),
    /// Stress and strain at a point of a body.
    PointField(PointId),
    /// A [place of a body](super::Place).
    Place(PlaceId),
    /// Stress and strain at a place of a body.
    PlaceField(PlaceId),
    Probe(usize),
    /// A [section that is looked at](super::Cut).
    Section(usize),
    /// The largest over the sections of a member.
    Largest(MemberId),
    /// A member and one of the places along it that [stations](super::Checked::stations) are.
    Station(MemberId, usize),
    /// A contact of surfaces and one of the places along its surface that stations are.
    LayerStation(usize, usize),
    MemberEnd(MemberId, End),
    /// The mass of a part of the mechanism, or of all of it.
    Mass(Option<Part>),
    Support(usize),
    Motion(usize),
    /// The energy balance.
    Energy,
    Solver,
    /// Of an entry that is switched off: 0.
    SwitchedOff,
}
