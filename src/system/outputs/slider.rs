//! Outputs of sliders: of joints and of corners of contacts.

use super::item::at_forces;
use super::{Connector, Item, List, Source};
use crate::checked::{SliderKind, Subject};
use crate::joints::regime::Regime;
use crate::laws::bearing::SliderBearing;
use crate::laws::friction::Equivalent;
use crate::message::listed;
use crate::quantity::Quantity;
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What a slider does on its path.
    pub enum OfSlider of (model, j = usize) {
        let slider = &model.sliders[j];
        let of_edge = model.sliding_edges.iter().any(|edge| edge.friction == Some(j));
        let between = match slider.may_be_off() {
            false => "sticking and sliding",
            true => "sticking, sliding and being off its path",
        };
    }
    Position => at_positions("position", Length, "Sliding coordinate s of {}: initial arc length of the path").place(),
    /// s less its initial value.
    Displacement => at_positions("displacement", Length, "Sliding displacement of {} along its path from the initial position"),
    Velocity => at_velocities("velocity", Velocity, "Sliding velocity ds/dt of"),
    NormalForce => at_forces("normal_force", Force, match slider.bearing {
        SliderBearing::Point if of_edge => "Size of the resultant of the normal forces of",
        SliderBearing::Point | SliderBearing::Pin => "Size of the normal force of",
        SliderBearing::Ends { .. } => "Sum of the sizes of the two normal forces of",
        SliderBearing::Layer { .. } => "Sum of the sizes of the normal forces on both faces of",
    }).never_negative(),
    FrictionForce => at_forces("friction_force", Force, "Friction force of {}; positive resists positive ds/dt"),
    /// Normal force and friction force together.
    ForceX => at_forces("fx", Force, "Force along x of {}, exerted by the slider on the path"),
    ForceY => at_forces("fy", Force, "Force along y of {}, exerted by the slider on the path"),
    /// Deflection z of the bristles of a law with memory.
    MicroDisplacement => at_forces("micro_displacement", Length, "Deflection of the bristles of {}; positive after positive ds/dt"),
    /// Distance between slider and path of a joint that can open.
    Gap => at_positions("gap", Length, "Distance of {}; 0 while they touch"),
    /// Boolean.
    Sticking => at_forces("sticking", Truth, "Whether friction locks"),
    /// Enumeration: [`Regime`].
    Regime => at_forces("regime", JointRegime, format!("Regime of {{}}: {}", listed_regimes())),
    FrictionPower => at_forces("friction_power", Power, "Power that friction takes from {}: its force times the velocity along the path"),
    DissipatedEnergy => from_zero("dissipated_energy", Energy, "Energy that the friction of {} has dissipated since the start"),
    /// Integer.
    Transitions => from_zero("transitions", Count, format!("Changes of {{}} between {between} since the start")).never_negative(),
    /// Time of the last transition on the clock of the model, s.
    TransitionTime => from_zero("transition_time", Time, format!("Time of the last change of {{}} between {between}, or the start")).jumps(),
    /// λ₃ of a prismatic joint.
    Moment => at_forces("moment", Moment, "Moment of {}, exerted by the slider on the path"),
    /// N₁ of a prismatic joint whose slider bears with its ends.
    FrontForce => end_force("front_force", "growing"),
    /// N₂ of such a joint.
    RearForce => end_force("rear_force", "falling"),
    /// How much of its length the contact layer of a prismatic joint bears with the face that carries more.
    ContactLength => at_forces("contact_length", Length, "Length in contact of the contact layer of {}, on the face with the larger force"),
    /// The largest force by length of the contact layer of a prismatic joint.
    LinePressure => at_forces("line_pressure", LineLoad, "Largest normal force by length of the contact layer of"),
}

fn end_force(key: &'static str, towards: &str) -> Item {
    let words = format!(
        "Normal force of {{}} at the slider's end towards {towards} s; positive pushes the path to the left of growing s"
    );
    at_forces(key, Quantity::Force, words)
}

/// "1 stick, 2 slip_forward, …": tables and curves show the numbers only.
fn listed_regimes() -> String {
    let regimes = Regime::KINDS.map(|r| format!("{} {}", r.number(), r.name()));
    regimes.join(", ")
}

/// The outputs of slider `j`.
pub(super) fn list(list: &mut List<'_>, j: usize) {
    let model = list.model;
    let slider = &model.sliders[j];
    let parts: Vec<String> = slider.path.iter().map(|p| p.carrier.plain(model)).collect();
    let parts = listed(parts.iter().map(String::as_str));
    let edge = model.sliding_edges.iter().find(|edge| edge.friction == Some(j));
    let point = |slider: usize| &model.points[model.sliders[slider].point].name;
    let on = match (slider.kind, edge) {
        (SliderKind::Hinge, _) => format!("hinge {} at its radius", slider.name),
        (_, Some(sliding)) => {
            format!("edge {} on its path ({parts})", model.name_of_edge(sliding.edge))
        }
        (SliderKind::Corner, None) => {
            format!("corner {} on the face of its guide ({parts})", point(j))
        }
        (_, None) => format!("point {} on its path ({parts})", point(j)),
    };
    let offered = |of: OfSlider| match of {
        // An edge has its own, with its forces.
        OfSlider::Position | OfSlider::Displacement | OfSlider::Velocity => {
            slider.kind != SliderKind::Edge
        }
        // What turns has no path in the plane.
        OfSlider::ForceX | OfSlider::ForceY => {
            !matches!(slider.kind, SliderKind::Edge | SliderKind::Hinge)
        }
        OfSlider::MicroDisplacement => slider.friction.kind().remembers,
        OfSlider::Gap => slider.may_be_off(),
        OfSlider::Moment => slider.kind == SliderKind::Prismatic,
        OfSlider::FrontForce | OfSlider::RearForce => {
            matches!(slider.bearing, SliderBearing::Ends { .. })
        }
        OfSlider::ContactLength | OfSlider::LinePressure => {
            matches!(slider.bearing, SliderBearing::Layer { .. })
        }
        _ => true,
    };
    for of in OfSlider::ALL.iter().filter(|of| offered(**of)) {
        list.add(&model.path_of_slider(j), &on, of.of(Subject::Slider(j)));
    }
}

impl OfSlider {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, j: usize,
    ) -> N::Number {
        let now = state.now();
        let slider = &system.sliders[j];
        let whole = |value: f64| N::Number::from(value);
        let velocity = || state.get(|s| s.velocity[slider.coordinate]);
        let bearing = || {
            let [_, normal, moment] = system.sliders[j].normal_force_of(state);
            (&slider.bearing, normal, moment)
        };
        let end_force = |end: usize| {
            let (bearing, normal, moment) = bearing();
            bearing.end_forces(normal, moment)[end]
        };
        match self {
            OfSlider::Position => state.get(|s| s.q[slider.coordinate]),
            OfSlider::Displacement => {
                let initial = system.initial[slider.coordinate];
                state.get(|s| s.q[slider.coordinate]) - whole(initial)
            }
            OfSlider::Velocity => velocity(),
            OfSlider::ForceX => state.get(|s| s.multipliers[j][0]),
            OfSlider::ForceY => state.get(|s| s.multipliers[j][1]),
            OfSlider::NormalForce => system.sliders[j].normal_force_of(state)[0],
            OfSlider::Gap => system.sliders[j].gap_in(state),
            OfSlider::FrictionForce => system.sliders.friction_force(j, state),
            OfSlider::MicroDisplacement => state.get(|s| s.sliders[j].memory[0]),
            OfSlider::Sticking => whole(f64::from(u8::from(now.sliders[j].regime.sticks()))),
            OfSlider::Moment => state.get(|s| s.multipliers[j][2]),
            OfSlider::FrontForce => end_force(0),
            OfSlider::RearForce => end_force(1),
            OfSlider::ContactLength => {
                let (bearing, normal, moment) = bearing();
                bearing.contact_length(normal, moment)
            }
            OfSlider::LinePressure => {
                let (bearing, normal, moment) = bearing();
                bearing.line_pressure(normal, moment)
            }
            OfSlider::Regime => whole(now.sliders[j].regime.number()),
            OfSlider::FrictionPower => state.get(|s| s.sliders[j].friction) * velocity(),
            OfSlider::DissipatedEnergy => state.get(|s| s.journal[j].work - s.journal[j].stored),
            OfSlider::Transitions => whole(now.journal[j].transitions as f64),
            OfSlider::TransitionTime => state.get(|s| s.journal[j].transition_time),
        }
    }

    pub(super) fn sources(self, _: &System, j: usize) -> Vec<Source> {
        vec![Source::Of(Connector::Slider, j)]
    }
}

items! {
    /// The damper and the spring that a slider's friction amounts to in a [harmonic motion](crate::checked::Harmonic).
    pub enum OfEquivalent of (_model, _slider = usize) {}
    /// b_e, N·s/m.
    Damping => from_zero("damping", ViscousCoefficient, "Linear damper that takes as much energy as the friction of joint"),
    /// k_e, N/m.
    Stiffness => from_zero("stiffness", Stiffness, "Linear spring that acts in the mean like the friction of joint"),
}

/// Equivalent damping and stiffness of all joints that ask for them.
pub(super) fn list_equivalents(list: &mut List<'_>) {
    let sliders = list.model.sliders.iter().enumerate();
    for (j, slider) in sliders.filter(|(_, slider)| slider.equivalent.is_some()) {
        let path = format!("joints.{}.equivalent", slider.name);
        for of in OfEquivalent::ALL {
            list.add(&path, &slider.name, of.of(Subject::Equivalent(j)));
        }
    }
}

impl OfEquivalent {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, j: usize,
    ) -> N::Number {
        let motion = system.model.sliders[j].equivalent;
        let found = motion.map_or_else(Equivalent::default, |motion| {
            let omega = std::f64::consts::TAU * motion.frequency;
            let law = state.now().tuning.friction(j);
            law.equivalent(motion.amplitude, omega, motion.normal_force)
        });
        N::Number::from(match self {
            OfEquivalent::Damping => found.damping,
            OfEquivalent::Stiffness => found.stiffness,
        })
    }

    /// Nothing of the mechanism: its law and that motion alone.
    pub(super) fn sources(self, _: &System, _: usize) -> Vec<Source> {
        Vec::new()
    }
}
