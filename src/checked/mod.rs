//! The model with every name resolved to an index and every value in range.
//!
//! [`Checked`] can only be made by `Model::check`; everything downstream may rely on its
//! invariants and needs no error path for them. All values are SI; angles are in rad and are
//! *axis angles* (0 along +x).

mod actions;
mod body;
mod coupling;
mod edge;
mod ground;
mod hinge;
pub mod history;
mod member;
mod part;
mod path;
mod probe;
mod settings;
mod slider;
mod spring;
pub mod statics;
mod surface_contact;
mod unknowns;
mod variables;

pub use actions::{Carrier, Extent, LineLoad, Load, Motion, Moved, Start, StartVelocities};
pub use body::{
    Behaviour, Body, BodyId, EdgeId, Matter, On, Part, Place, PlaceId, Rigid, Source, Turning,
    turning, weighted,
};
pub use coupling::{Coupling, Driver};
pub use edge::{Bearing, Pin, SlidingEdge, Spread};
pub use ground::Ground;
pub use hinge::HingeForce;
pub use member::{Member, MemberLine};
pub(crate) use path::OFF_PATH;
pub use path::{Nearest, PathEnd, PathPart};
pub use probe::{Cut, Probe, ProbeKind};
pub use settings::{Analysis, Experiment, LARGEST_TOLERANCE, Method, Solver};
pub use slider::{Harmonic, PathEnds, Slider, SliderKind};
pub use spring::{
    Between, Bushing, BushingSides, Section, SideOf, Spring, SpringEnd, SpringStop, SpringUnits,
};
pub use surface_contact::{
    Guide, Outlined, RigidContact, Stiffness, SurfaceContact, SurfacePart, facing,
};

use self::statics::StaticPath;
use crate::columns::Read;
pub use crate::elements::frame::properties::{Properties, SectionShape};
pub use crate::joints::regime::Side;
use crate::laws::rayleigh::Rayleigh;
use crate::nodes::Nodes;
pub use crate::nodes::{Direction, MemberId, PointId, Target};
pub use variables::{
    BushingNumber, Element, Input, InputVariable, Output, OutputVariable, Parameter, Reach,
    Reconstruction, SpringNumber, Subject, Switch, Tunable,
};

/// A fault-free model. Every index stored anywhere inside is valid.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked {
    pub name: String,
    pub description: String,
    pub about: About,
    pub solver: Solver,
    pub experiment: Experiment,
    pub points: Vec<Point>,
    pub members: Vec<Member>,
    pub bodies: Vec<Body>,
    pub hinges: Vec<Hinge>,
    /// Hinges with friction.
    pub friction_hinges: Vec<FrictionHinge>,
    /// Rigid bodies that hinges with friction release at these points.
    pub released_bodies: Vec<(PointId, BodyId)>,
    /// Forces of hinges that can be read.
    pub hinge_forces: Vec<HingeForce>,
    /// Rigid stops of springs.
    pub rigid_stops: Vec<RigidStop>,
    pub damping: Vec<Damping>,
    pub masses: Vec<Mass>,
    pub supports: Vec<Support>,
    pub sliders: Vec<Slider>,
    /// Edges that slide: each is some of the sliders.
    pub sliding_edges: Vec<SlidingEdge>,
    pub pins: Vec<Pin>,
    /// Surfaces that touch the faces of guides.
    pub contacts: Vec<SurfaceContact>,
    /// Surfaces whose corners strike the faces of guides: each is some of the sliders.
    pub rigid_contacts: Vec<RigidContact>,
    /// Springs, dampers and actuators between points.
    pub springs: Vec<Spring>,
    /// Bushings, each with some of the springs.
    pub bushings: Vec<Bushing>,
    /// Conditions between coordinates.
    pub couplings: Vec<Coupling>,
    pub motions: Vec<Motion>,
    pub loads: Vec<Load>,
    pub line_loads: Vec<LineLoad>,
    /// Members and bodies without a weight of their own.
    pub weightless: Vec<Part>,
    /// Acceleration of gravity (g_x, g_y), m/s².
    pub gravity: [f64; 2],
    pub start: Start,
    /// The path of equilibria that the file asks for.
    pub statics: Option<StaticPath>,
    pub probes: Vec<Probe>,
    /// Sections of members to look at.
    pub cuts: Vec<Cut>,
    /// Places of bodies to look at.
    pub places: Vec<Place>,
    /// Values that a host may set before initialization ends.
    pub parameters: Vec<Parameter>,
    /// What follows from the parameters alone, for a host to read.
    pub calculated: Vec<OutputVariable>,
    /// Values that a host may set at every communication point.
    pub inputs: Vec<InputVariable>,
    /// Everything a host can read, in the order of the variable table.
    pub outputs: Vec<OutputVariable>,
    /// Equally spaced places along each member and contact layer, ends included, that have outputs of their own; none or 2 and above.
    pub stations: usize,
    /// Whether outputs that are whole numbers, truths or states are shown as Real.
    pub discrete_as_real: bool,
    /// Entries that can be switched on and off, in the order of the sections.
    pub switches: Vec<Switch>,
    /// With all of them on, where some are off: what a host sees, whatever is on. It need not be a mechanism that can be built.
    complete: Option<Box<Checked>>,
    /// Data files and how their columns were understood.
    pub read: Vec<DataRead>,
}

/// A data file with columns.
#[derive(Debug, Clone)]
pub struct DataRead {
    /// The key that names it.
    pub path: String,
    pub file: String,
    pub columns: Vec<Read>,
}

impl Checked {
    /// The model without anything, to be filled by the checker.
    pub(super) fn empty() -> Checked {
        Checked {
            name: String::new(),
            description: String::new(),
            about: About::default(),
            solver: Solver {
                analysis: Analysis::Dynamic,
                method: Method::GeneralizedAlpha,
                step: 1e-3,
                step_is_given: false,
                tolerance: None,
                spectral_radius: 0.9,
                max_iterations: 25,
                position_tolerance: 1e-10,
                force_tolerance: 1e-8,
                max_halvings: 10,
                energy_tolerance: None,
            },
            experiment: Experiment {
                stop_time: 1.0,
                communication_step: 1e-3,
                extrapolation_order: 0,
            },
            points: Vec::new(),
            members: Vec::new(),
            bodies: Vec::new(),
            hinges: Vec::new(),
            friction_hinges: Vec::new(),
            released_bodies: Vec::new(),
            hinge_forces: Vec::new(),
            rigid_stops: Vec::new(),
            damping: Vec::new(),
            masses: Vec::new(),
            supports: Vec::new(),
            sliders: Vec::new(),
            sliding_edges: Vec::new(),
            pins: Vec::new(),
            contacts: Vec::new(),
            rigid_contacts: Vec::new(),
            springs: Vec::new(),
            bushings: Vec::new(),
            couplings: Vec::new(),
            motions: Vec::new(),
            loads: Vec::new(),
            line_loads: Vec::new(),
            weightless: Vec::new(),
            gravity: [0.0; 2],
            start: Start {
                velocities: StartVelocities::Rest,
                equilibrium: None,
                given: Vec::new(),
            },
            statics: None,
            probes: Vec::new(),
            cuts: Vec::new(),
            places: Vec::new(),
            parameters: Vec::new(),
            calculated: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            stations: 0,
            discrete_as_real: false,
            switches: Vec::new(),
            complete: None,
            read: Vec::new(),
        }
    }

    /// The model with every entry switched on, which lists its parameters, inputs and outputs in the same order. Some of its
    /// entries may contradict each other.
    pub fn complete(&self) -> &Checked {
        self.complete.as_deref().unwrap_or(self)
    }

    /// Notes what the model is with every entry switched on.
    pub(super) fn complete_with(&mut self, complete: Checked) {
        self.complete = Some(Box::new(complete));
    }

    /// Paths of the entries that are switched off.
    pub fn switched_off(&self) -> impl Iterator<Item = &str> {
        self.switches.iter().filter(|switch| !switch.on).map(|switch| switch.path.as_str())
    }

    /// Whether a point, or a member that ends at it, is among `targets`.
    pub fn is_among(&self, point: PointId, mut targets: impl Iterator<Item = Target>) -> bool {
        let ending = self.members_at(point);
        targets.any(|target| match target {
            Target::Point { point: p, .. } => p == point,
            Target::Member(member) => ending.contains(&member),
            Target::Body(body) => self.bodies_at(point).any(|b| b == body),
            Target::Edge(edge) => self.is_on_edge(point, edge),
        })
    }

    /// The rotations of a point, each with the members that share it. Groups of members that a hinge
    /// releases turn on their own, the others share one; a point without members turns only if
    /// a rotary inertia or a prismatic joint asks for it. A rigid body at the point shares the first of them.
    pub fn rotation_groups(&self, point: PointId) -> Vec<Vec<MemberId>> {
        let ending = self.members_at(point);
        let carried = self.rotation_carrier_at(point).is_some();
        if ending.is_empty() && !carried {
            let inertia = |m: &Mass| m.point == point && m.rotary_inertia > 0.0;
            let prismatic = |s: &Slider| s.point == point && s.kind == SliderKind::Prismatic;
            let turns = self.masses.iter().any(inertia) || self.sliders.iter().any(prismatic);
            return if turns { vec![Vec::new()] } else { Vec::new() };
        }
        let mut released: Vec<Vec<MemberId>> = Vec::new();
        let here = self.hinges.iter().filter(|h| h.point == point);
        for group in here.flat_map(|h| &h.released) {
            let is_free =
                |m: &&MemberId| group.contains(m) && !released.iter().flatten().any(|r| r == *m);
            let group: Vec<MemberId> = ending.iter().filter(is_free).copied().collect();
            released.extend((!group.is_empty()).then_some(group));
        }
        released.sort_unstable();
        let rest = ending.into_iter();
        let rest: Vec<MemberId> =
            rest.filter(|m| !released.iter().flatten().any(|r| r == m)).collect();
        let rest = (!rest.is_empty() || carried).then_some(rest);
        rest.into_iter().chain(released).collect()
    }

    /// Which ends of a member have nodes of their own, held at their points by pins: those at hinges with friction.
    pub fn ends_apart(&self, member: MemberId) -> [bool; 2] {
        let Member { from, to, .. } = self.members[member];
        [from, to].map(|point| {
            let own = |h: &FrictionHinge| h.presses == Part::Member(member) && h.point == point;
            self.friction_hinges.iter().any(own)
        })
    }

    /// Number of rotations of a point.
    pub fn rotations_at(&self, point: PointId) -> usize {
        self.rotation_groups(point).len()
    }

    /// Whether a moment at a point, on the end of `member` where one is named, has one rotation to act on.
    pub fn has_one_rotation(&self, point: PointId, member: Option<MemberId>) -> bool {
        match member {
            Some(member) => self.members_at(point).contains(&member),
            None => self.rotations_at(point) == 1,
        }
    }
}

/// Who made the model and how it may be used, where the file says so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    pub author: Option<String>,
    pub version: Option<String>,
    pub copyright: Option<String>,
    pub license: Option<String>,
}

impl Point {
    /// Whether it is a node of a sliding edge that the file has no name for: its own has a number in brackets.
    pub fn is_nameless(&self) -> bool {
        self.name.ends_with(']')
    }
}

#[derive(Debug, Clone)]
pub struct Point {
    pub name: String,
    /// Initial coordinates, m.
    pub position: [f64; 2],
}

/// At `point`, the ends of `released` groups of members turn freely of each other and of all the rest;
/// members of a group, and those that end there and are not listed stay rigidly connected.
#[derive(Debug, Clone)]
pub struct Hinge {
    pub name: String,
    pub point: PointId,
    pub released: Vec<Vec<MemberId>>,
}

/// Friction of a hinge: its slider has gone s = r (φ − φ₀), and what presses it is the force of what it releases on the hinge's
/// point, that of a pin. A member has for that a node of its own there, on which its loads and its sliders act.
#[derive(Debug, Clone)]
pub struct FrictionHinge {
    /// Index in [`Checked::sliders`].
    pub slider: usize,
    pub point: PointId,
    /// Whose force on the point presses: a rigid body, or a member that ends there.
    pub presses: Part,
    /// r, m.
    pub radius: f64,
    /// What has turned by φ₀ and φ.
    pub sides: [Turns; 2],
}

/// A rigid stop of a spring: what the spring measures is how far a slider has gone on a path that nothing carries, whose ends
/// are stops.
#[derive(Debug, Clone)]
pub struct RigidStop {
    /// Index in [`Checked::sliders`].
    pub slider: usize,
    /// Index in [`Checked::springs`].
    pub spring: usize,
    pub between: Between,
    /// Length of the path, m or rad: from the least to the most that is free, where both are stops.
    pub length: f64,
    /// Its initial value on it, m or rad.
    pub initial: f64,
}

/// Something that turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    Ground,
    Body(BodyId),
    /// The end of a member at the hinge's point.
    Member(MemberId),
}

/// Structural damping of some members and bodies: D = c_m M + c_k K.
#[derive(Debug, Clone, PartialEq)]
pub struct Damping {
    pub name: String,
    /// Each of them with a material; none is in two entries.
    pub parts: Vec<Part>,
    pub law: DampingLaw,
    pub axes: Axes,
}

/// The axes in which the stiffness of structural damping is that of the members and bodies in the initial configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axes {
    /// Those of each section and of each place of a body, which turn with it.
    Turning,
    /// Those of the initial configuration.
    Initial,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DampingLaw {
    /// None of them negative.
    Coefficients(Rayleigh),
    /// Damping ratios of two modes of the [part](Checked::part) that these are, counted
    /// from 1.
    Modes { ratios: [f64; 2], modes: [usize; 2] },
}

#[derive(Debug, Clone)]
pub struct Mass {
    pub name: String,
    pub point: PointId,
    /// kg (≥ 0).
    pub mass: f64,
    /// kg·m² (≥ 0), on the rotation of `member`'s end (or the point's only rotation).
    pub rotary_inertia: f64,
    pub member: Option<MemberId>,
}

#[derive(Debug, Clone)]
pub struct Support {
    pub name: String,
    pub target: Target,
    pub fixed: Vec<Direction>,
}

impl Turns {
    /// Its rotation at a point; none of the ground.
    pub fn rotation(self, point: PointId, nodes: &Nodes) -> Option<usize> {
        match self {
            Turns::Ground => None,
            Turns::Body(body) => nodes.of_rigid_body(body).map(|node| node.rotation),
            Turns::Member(member) => nodes.rotation(point, Some(member)),
        }
    }
}

impl Checked {
    /// Whether nothing but loads, supports and motions acts on the point of a slider beside its joint: it carries them along
    /// the path, and where it has left that they act on nothing.
    pub fn is_bare(&self, slider: &Slider) -> bool {
        let point = slider.point;
        let springs = self.springs.iter().map(|spring| &spring.between);
        let mut coupled = springs.chain(self.couplings.iter().flat_map(Coupling::coordinates));
        let mut others = self.sliders.iter().filter(|other| other.point == point);
        self.parts_at(point).is_empty()
            && !self.masses.iter().any(|mass| mass.point == point)
            && !coupled.any(|between| between.moving().any(|moved| moved == point))
            && others.next().is_some()
            && others.next().is_none()
    }

    /// What a slider belongs to, as its section and its name.
    pub fn path_of_slider(&self, slider: usize) -> String {
        let slider = &self.sliders[slider];
        let section = match slider.kind {
            SliderKind::Stop => "springs",
            SliderKind::Corner => "contacts",
            _ => "joints",
        };
        format!("{section}.{}", slider.name)
    }

    /// Sliders of entries of `[joints]`, with their numbers.
    pub fn sliders_of_joints(&self) -> impl Iterator<Item = (usize, &Slider)> {
        let all = self.sliders.iter().enumerate();
        all.filter(|(_, slider)| !matches!(slider.kind, SliderKind::Stop | SliderKind::Corner))
    }
}
