//! What a host can read: one file for each subject, with everything that is known of its outputs.
//!
//! A table in each file lists the outputs of its subject with key, quantity, words and what is known of them before they
//! are read ([`Item`]). Beside it stand `value`, in numbers of any kind, `sources`, what the value follows from, and the list of
//! the subjects of a model. Another output of a subject is one row of its table and one arm of its `value`.

/// The outputs of a subject: an enum of them, each with its [`Item`] for a subject of a model.
macro_rules! items {
    ($(#[$about:meta])* pub enum $Name:ident of ($model:ident, $of:pat = $Of:ty) { $(let $known:pat = $value:expr;)* }
     $($(#[$one:meta])* $Key:ident => $item:expr,)*) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $Name {
            $($(#[$one])* $Key,)*
        }

        impl $Name {
            /// Each of them.
            pub const ALL: &'static [$Name] = &[$($Name::$Key,)*];

            /// This output of a subject.
            pub fn of(self, of: $crate::checked::Subject) -> $crate::checked::Output {
                $crate::checked::Output { of, item: self as usize }
            }

            /// Which of the outputs of its subject this is.
            pub(crate) fn at(output: $crate::checked::Output) -> $Name {
                $Name::ALL[output.item]
            }

            #[allow(unused_variables, unused_imports, reason = "not every table asks for all of it")]
            pub(super) fn item(self, $model: &$crate::checked::Checked, $of: $Of) -> super::Item {
                use super::item::{at_forces, at_positions, at_velocities, from_zero};
                use $crate::quantity::Quantity::*;
                $(let $known = $value;)*
                match self {
                    $($Name::$Key => $item,)*
                }
            }
        }
    };
}

mod bushing;
mod contact;
mod coupling;
mod edge;
mod energy;
mod field;
mod hinge;
mod item;
mod member;
mod momentum;
mod motion;
mod pin;
mod point;
mod probe;
mod rigid_contact;
mod slider;
mod solver;
mod source;
mod spring;
mod station;
mod steered;
mod support;
mod switched_off;

pub use bushing::OfBushing;
pub use contact::{OfContact, OfLayerStation};
pub use coupling::{OfCoupling, OfDriver};
pub use edge::{OfEdge, OfEdgeNode};
pub use energy::OfEnergy;
pub use field::Field;
pub use hinge::OfHinge;
pub use item::Item;
use item::List;
pub use member::{Largest, OfMemberEnd, OfSection};
pub use momentum::OfMass;
pub use motion::OfMotion;
pub use pin::OfPin;
pub use point::OfPoint;
pub use probe::OfProbe;
pub(crate) use probe::Probe;
pub use rigid_contact::OfRigidContact;
pub use slider::{OfEquivalent, OfSlider};
pub use solver::OfSolver;
pub(crate) use source::{Connector, Source};
pub use spring::OfSpring;
pub use station::OfStation;
pub use support::OfSupport;
pub use switched_off::OfSwitchedOff;

use super::numbers::{Numbers, StateWithRates, Varied};
use super::{State, System};
use crate::checked::{Checked, Output, OutputVariable, SliderKind, Subject};

/// Everything that can be read of a model.
pub fn all(model: &Checked) -> Vec<OutputVariable> {
    let mut list = List { model, all: Vec::new() };
    for (id, _) in model.sliders_of_joints() {
        slider::list(&mut list, id);
    }
    edge::list(&mut list);
    hinge::list(&mut list);
    pin::list(&mut list);
    contact::list(&mut list);
    rigid_contact::list(&mut list);
    spring::list(&mut list);
    bushing::list(&mut list);
    coupling::list(&mut list);
    point::list(&mut list);
    probe::list(&mut list);
    point::list_places(&mut list);
    member::list(&mut list);
    station::list(&mut list);
    momentum::list(&mut list);
    support::list(&mut list);
    motion::list(&mut list);
    energy::list(&mut list);
    solver::list(&mut list);
    list.all
}

/// What follows from the parameters of a model alone.
pub fn calculated(model: &Checked) -> Vec<OutputVariable> {
    let mut list = List { model, all: Vec::new() };
    slider::list_equivalents(&mut list);
    list.all
}

/// Whether an output is shown unless the file leaves it out: all of joints, contacts, springs and couplings but those of
/// the single nodes of edges and of single corners.
pub fn is_shown(model: &Checked, output: Output) -> bool {
    match output.of {
        Subject::Slider(j) => {
            let of_edge = model.sliding_edges.iter().any(|edge| edge.sliders.contains(&j));
            model.sliders[j].kind != SliderKind::Corner && !of_edge
        }
        Subject::Edge(_)
        | Subject::Hinge(_)
        | Subject::Pin(_)
        | Subject::Contact(_)
        | Subject::RigidContact(_)
        | Subject::Spring(_)
        | Subject::Bushing(_)
        | Subject::Coupling(_)
        | Subject::Driver(..) => true,
        _ => false,
    }
}

/// Does something with an output, as that of its subject, and with what it is of.
macro_rules! with_subject {
    ($output:expr, |$item:ident, $of:ident| $call:expr) => {{
        macro_rules! call {
            ($Name:ident, $subject:expr) => {{
                let ($item, $of) = ($Name::at($output), $subject);
                $call
            }};
        }
        match $output.of {
            Subject::Slider(j) => call!(OfSlider, j),
            Subject::Equivalent(j) => call!(OfEquivalent, j),
            Subject::Edge(edge) => call!(OfEdge, edge),
            Subject::EdgeNode(edge, node) => call!(OfEdgeNode, (edge, node)),
            Subject::Hinge(hinge) => call!(OfHinge, hinge),
            Subject::Pin(pin) => call!(OfPin, pin),
            Subject::Contact(contact) => call!(OfContact, contact),
            Subject::RigidContact(contact) => call!(OfRigidContact, contact),
            Subject::Spring(spring) => call!(OfSpring, spring),
            Subject::Bushing(bushing) => call!(OfBushing, bushing),
            Subject::Coupling(coupling) => call!(OfCoupling, coupling),
            Subject::Driver(coupling, driver) => call!(OfDriver, (coupling, driver)),
            Subject::Point(point) => call!(OfPoint, field::Of::Point(point)),
            Subject::Place(place) => call!(OfPoint, field::Of::Place(place)),
            Subject::PointField(point) => call!(Field, field::Of::Point(point)),
            Subject::PlaceField(place) => call!(Field, field::Of::Place(place)),
            Subject::Probe(probe) => call!(OfProbe, probe),
            Subject::Section(cut) => call!(OfSection, cut),
            Subject::Largest(member) => call!(Largest, member),
            Subject::Station(member, at) => call!(OfStation, (member, at)),
            Subject::LayerStation(contact, at) => call!(OfLayerStation, (contact, at)),
            Subject::MemberEnd(member, end) => call!(OfMemberEnd, (member, end)),
            Subject::Mass(part) => call!(OfMass, part),
            Subject::Support(support) => call!(OfSupport, support),
            Subject::Motion(motion) => call!(OfMotion, motion),
            Subject::Energy => call!(OfEnergy, ()),
            Subject::Solver => call!(OfSolver, ()),
            Subject::SwitchedOff => call!(OfSwitchedOff, ()),
        }
    }};
}

/// What is known of an output of a model before it is read.
pub fn item(model: &Checked, output: Output) -> Item {
    with_subject!(output, |item, of| item.item(model, of))
}

impl System {
    /// The value of an output in `state`. Booleans are 0 or 1, counters whole numbers.
    pub fn read(&self, state: &State, output: Output) -> f64 {
        // An empty sum is −0; a reader expects 0.
        self.value(state, output) + 0.0
    }

    /// Change of an output by the change `by` of `state`; 0 for what jumps.
    pub fn output_change(&self, state: &State, by: &State, output: Output) -> f64 {
        self.value(&Varied { now: state, by }, output).eps
    }

    /// First and second time derivative of an output, as far as they are known.
    pub fn output_rates(&self, state: &StateWithRates, output: Output) -> [Option<f64>; 2] {
        let value = self.value(state, output);
        [value.v1, value.v2].map(|rate| (!rate.is_nan()).then_some(rate))
    }

    /// The value of an output in numbers of any kind. What jumps is a number without derivatives.
    fn value<N: Numbers<State>>(&self, state: &N, output: Output) -> N::Number {
        with_subject!(output, |item, of| item.value(self, state, of))
    }

    /// What the value of an output follows from.
    pub(crate) fn sources(&self, output: Output) -> Vec<Source> {
        with_subject!(output, |item, of| item.sources(self, of))
    }
}
