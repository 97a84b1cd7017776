//! What the value of an output follows from.

use crate::nodes::Node;
use crate::system::System;

/// What the value of an output follows from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Source {
    /// All of the mechanism.
    Everything,
    /// The initial configuration.
    Initial,
    /// What a joint, a contact or a spring does.
    Of(Connector, usize),
    /// The value of an unknown.
    Unknown(usize),
    /// The rate of an unknown, which what is fixed has none of.
    Rate(usize),
    /// The force on an unknown of all that it belongs to.
    Force(usize),
    /// A motion.
    Motion(usize),
}

/// Kinds of what connects unknowns, beside elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connector {
    Slider,
    Pin,
    Contact,
    Spring,
}

impl System {
    /// The unknowns of each connector, by kind; some come more than once.
    pub(crate) fn connected(&self) -> [Vec<Vec<usize>>; 4] {
        let sliders = self.sliders.iter().map(|slider| {
            let path = 0..slider.path.elements().len();
            let path = path.flat_map(|e| slider.path.nodes(e).iter().flat_map(Node::unknowns));
            slider.unknowns.iter().copied().chain(path).collect()
        });
        let pins = self.pins.list.iter().map(|pin| pin.unknowns().collect());
        let contacts = self.surfaces.contacts.iter().map(|contact| {
            let elements = 0..contact.path.elements().len();
            let path = elements.flat_map(|e| contact.path.carriers(e));
            let points = self.surfaces.points[contact.points.clone()].iter();
            let surface = points.flat_map(|point| &point.surface.nodes);
            path.chain(surface).flat_map(Node::unknowns).collect()
        });
        let springs = self.springs.list.iter().map(|spring| spring.measure.unknowns().collect());
        [sliders.collect(), pins.collect(), contacts.collect(), springs.collect()]
    }
}
