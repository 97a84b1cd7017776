//! What a host sees of a [`Checked`](super::Checked) model: parameters, inputs and outputs.

use std::ops::Range;

use super::{Direction, MemberId, Part, PlaceId, PointId};
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
    pub description: String,
    /// Set where the host may change it between communication steps too.
    pub tunable: Option<Tunable>,
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
}

impl Input {
    /// Where it begins to act on a start, which may be an `equilibrium` of the loads.
    pub fn reach(self, equilibrium: bool) -> Reach {
        match self {
            Input::MotionPosition { .. } => Reach::Positions,
            Input::MotionRate { .. } => Reach::Velocities,
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
    /// How an input runs between communication points; see [`crate::system::Told`].
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
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Output {
    SliderPosition(usize),
    SliderVelocity(usize),
    NormalForce(usize),
    FrictionForce(usize),
    /// Deflection z of the bristles of a law with memory.
    MicroDisplacement(usize),
    /// Distance between slider and path of a joint that can open.
    Gap(usize),
    /// Boolean.
    Sticking(usize),
    /// λ₃ of a prismatic joint.
    Moment(usize),
    /// N₁ (`front`) or N₂ of a prismatic joint whose slider bears with its ends.
    EndForce {
        slider: usize,
        front: bool,
    },
    /// How much of its length the contact layer of a prismatic joint bears with the face that carries more.
    ContactLength(usize),
    /// The largest force by length of the contact layer of a prismatic joint.
    LinePressure(usize),
    /// Enumeration: [`Regime`](crate::joints::regime::Regime).
    Regime(usize),
    FrictionPower(usize),
    DissipatedEnergy(usize),
    /// Integer.
    Transitions(usize),
    /// On the model's clock.
    TransitionTime(usize),
    PointPosition {
        point: PointId,
        direction: Direction,
    },
    PointVelocity {
        point: PointId,
        direction: Direction,
    },
    PointAcceleration {
        point: PointId,
        direction: Direction,
    },
    /// Mean of the sliding coordinates of both ends of a [sliding edge](super::SlidingEdge), or of all nodes of a
    /// closed one, m.
    EdgePosition(usize),
    EdgeVelocity(usize),
    /// Force along x (0) or y (1), N, or moment about its middle (2), N·m, of all its nodes on
    /// the path.
    EdgeForce {
        edge: usize,
        component: usize,
    },
    /// Force of a [pin](super::Pin) along x (0) or y (1) on what its hole turns on, N.
    PinForce {
        pin: usize,
        component: usize,
    },
    /// Of a [contact of surfaces](super::SurfaceContact).
    Contact {
        contact: usize,
        of: OfContact,
    },
    /// Of a [contact of a rigid surface](super::RigidContact).
    RigidContact {
        contact: usize,
        of: OfRigidContact,
    },
    /// Of a [spring](super::Spring).
    Spring {
        spring: usize,
        of: OfSpring,
    },
    /// Of a [bushing](super::Bushing).
    Bushing {
        bushing: usize,
        of: OfBushing,
    },
    /// Of a [coupling](super::Coupling); `driver` counts what it follows.
    Coupling {
        coupling: usize,
        driver: usize,
        of: OfCoupling,
    },
    /// λ of a slider along x (0) or y (1): what it exerts on its path, N.
    SliderForce {
        slider: usize,
        component: usize,
    },
    /// Length of a node of a sliding edge, all of whose nodes slide, m; see [`super::Spread`].
    EdgeLength {
        edge: usize,
        node: usize,
    },
    /// Normal force of such a node by its length and the thickness, Pa; positive where the path presses.
    EdgePressure {
        edge: usize,
        node: usize,
    },
    /// Stress or strain at a point of a body.
    PointField {
        point: PointId,
        field: Field,
    },
    /// Where a [place of a body](super::Place) is along x (0) or y (1), m.
    PlacePosition {
        place: PlaceId,
        axis: usize,
    },
    PlaceVelocity {
        place: PlaceId,
        axis: usize,
    },
    PlaceAcceleration {
        place: PlaceId,
        axis: usize,
    },
    /// Stress or strain at a place of a body.
    PlaceField {
        place: PlaceId,
        field: Field,
    },
    Probe(usize),
    /// Of a [section that is looked at](super::Cut).
    Section {
        cut: usize,
        of: OfSection,
    },
    /// The largest size over a member.
    Largest {
        member: MemberId,
        of: OfSection,
    },
    /// What the rest of the mechanism exerts on the end of a member: force along x (0) or y (1), N, or moment (2), N·m.
    MemberEnd {
        member: MemberId,
        end: End,
        component: usize,
    },
    /// Of a part of the mechanism, or of all of it.
    Mass {
        part: Option<Part>,
        of: OfMass,
    },
    /// Force (N) or moment (N·m) that the support exerts on the structure, summed over its nodes.
    SupportReaction {
        support: usize,
        direction: Direction,
    },
    /// Force (N) or moment (N·m) that the motion's drive exerts on the structure.
    MotionReaction(usize),
    /// Current displacement (m) or rotation (rad) of a motion.
    MotionPosition(usize),
    Energy(Energy),
    /// b_e of a slider's friction, N·s/m; see [`super::Harmonic`].
    EquivalentDamping(usize),
    /// k_e of a slider's friction, N/m.
    EquivalentStiffness(usize),
    /// Integer.
    Counter(Counter),
}

every! {
    /// What a contact of surfaces does.
    pub enum OfContact {
        NormalForce,
        ForceX,
        ForceY,
        Moment,
        FrictionForce,
        LinePressure,
        Pressure,
        ContactLength,
        Centre,
        Sticking,
        Gap,
        /// Integer.
        Sides,
        Position,
        DissipatedEnergy,
        StoredEnergy,
    }
}

every! {
    /// What a contact of a rigid surface does.
    pub enum OfRigidContact {
        NormalForce,
        ForceX,
        ForceY,
        /// About the mean place of its corners.
        Moment,
        FrictionForce,
        Centre,
        /// Share of the corners that touch.
        Sticking,
        Gap,
        /// Integer.
        Sides,
        Position,
        DissipatedEnergy,
    }
}

every! {
    /// What a spring does.
    pub enum OfSpring {
        /// m.
        Measure,
        Rate,
        Force,
        Power,
        StoredEnergy,
        DissipatedEnergy,
        /// Of rigid stops, above 0 where they hold a growing measure.
        StopForce,
    }
}

every! {
    /// What a bushing does, in its frame.
    pub enum OfBushing {
        /// How far one side has moved from the other since the drawing, m and rad.
        X,
        Y,
        Angle,
        /// Their rates.
        Vx,
        Vy,
        Rate,
        /// Against growing x, y and angle.
        Fx,
        Fy,
        Moment,
        Power,
        StoredEnergy,
        DissipatedEnergy,
    }
}

every! {
    /// What a section of a member carries.
    pub enum OfSection {
        Normal,
        Shear,
        Moment,
        /// |N|/A + |M| e/I with the distance e of the outermost fibre.
        Stress,
    }
}

every! {
    /// Where the mass of a part is, and how it moves.
    pub enum OfMass {
        CentreX,
        CentreY,
        MomentumX,
        MomentumY,
        /// About the origin.
        AngularMomentum,
    }
}

every! {
    /// What a coupling does.
    pub enum OfCoupling {
        /// How far what follows has moved since the start, m or rad.
        Way,
        Rate,
        /// On what follows, N or N·m.
        Force,
        /// Of the motion that drives it.
        Power,
        /// How far a driver has moved since the start.
        DriverWay,
        /// On a driver.
        DriverForce,
    }
}

every! {
    /// What is known inside a body: Cauchy stress, Pa, and Green strain.
    pub enum Field {
        StressXx,
        StressYy,
        StressXy,
        VonMises,
        FirstPrincipal,
        SecondPrincipal,
        StrainXx,
        StrainYy,
        StrainXy,
    }
}

every! {
    /// Terms of the energy balance.
    pub enum Energy {
        Kinetic,
        Strain,
        Potential,
        InputWork,
        FrictionWork,
        FrictionStored,
        DampingWork,
        NumericalDissipation,
        ImpactLoss,
        Balance,
    }
}

every! {
    /// What is counted.
    pub enum Counter {
        Steps,
        Iterations,
        Rejections,
        /// Independent motions in which an equilibrium is unstable.
        UnstableModes,
    }
}
