//! What can be read of sliding joints and pins.

use crate::joints::regime::Regime;
use crate::laws::bearing::SliderBearing;
use crate::message::listed;
use crate::model::checked::{Checked, Output, OutputVariable, SliderKind, SlidingEdge};
use crate::model::quantity::Quantity;

/// The outputs of all sliding joints, then of all pins, in the order of the file.
pub(super) fn joint_outputs(model: &Checked) -> Vec<OutputVariable> {
    let sliders = model.sliders_of_joints();
    let mut all: Vec<OutputVariable> =
        sliders.flat_map(|(id, _)| slider_outputs(model, id)).collect();
    for (edge, sliding) in model.sliding_edges.iter().enumerate() {
        let on = format!("edge {} on its path", model.name_of_edge(sliding.edge));
        let exerts = |what: &str| format!("{what} of {on}, exerted on the path");
        let forces = ["Force along x", "Force along y", "Moment about its middle"].map(exerts);
        let [fx, fy, moment] = forces;
        let force = |component| Output::EdgeForce { edge, component };
        let of = if sliding.closed { "nodes" } else { "ends" };
        let position = format!("Sliding coordinate of the middle of {on}: mean of its {of}");
        let velocity = format!("Sliding velocity of the middle of {on}");
        for (key, output, quantity, description) in [
            ("position", Output::EdgePosition(edge), Quantity::Length, position),
            ("velocity", Output::EdgeVelocity(edge), Quantity::Velocity, velocity),
            ("fx", force(0), Quantity::Force, fx),
            ("fy", force(1), Quantity::Force, fy),
            ("moment", force(2), Quantity::Moment, moment),
        ] {
            all.push(OutputVariable {
                path: format!("joints.{}.{key}", sliding.name),
                output,
                quantity,
                description,
            });
        }
        all.extend(node_outputs(model, edge));
    }
    for (id, pin) in model.pins.iter().enumerate() {
        for (component, key) in ["fx", "fy"].into_iter().enumerate() {
            all.push(OutputVariable {
                path: format!("joints.{}.{key}", pin.name),
                output: Output::PinForce { pin: id, component },
                quantity: Quantity::Force,
                description: format!(
                    "Force along {} of hole {}, exerted on {}",
                    ["x", "y"][component],
                    model.name_of_edge(pin.hole),
                    pin.on.name(model)
                ),
            });
        }
    }
    all
}

/// What can be read of slider `id` of a joint or of a corner of a contact.
pub(super) fn slider_outputs(model: &Checked, id: usize) -> Vec<OutputVariable> {
    let slider = &model.sliders[id];
    let path = model.path_of_slider(id);
    let mut all = Vec::new();
    let mut add = |key: &str, output, quantity, description: String| {
        all.push(OutputVariable { path: format!("{path}.{key}"), output, quantity, description });
    };
    let parts = slider.path.iter().map(|p| p.carrier.plain(model));
    let parts: Vec<String> = parts.collect();
    let edge = model.sliding_edges.iter().find(|e| e.friction == Some(id));
    let what = match edge {
        _ if slider.kind == SliderKind::Hinge => "hinge".to_string(),
        Some(sliding) => format!("edge {}", model.name_of_edge(sliding.edge)),
        None if slider.kind == SliderKind::Corner => {
            format!("corner {}", model.points[slider.point].name)
        }
        None => format!("point {}", model.points[slider.point].name),
    };
    let parts = listed(parts.iter().map(String::as_str));
    let on = match slider.kind {
        SliderKind::Hinge => format!("{what} at its radius"),
        SliderKind::Corner => format!("{what} on the face of its guide ({parts})"),
        _ => format!("{what} on its path ({parts})"),
    };
    // An edge has its own, with its forces.
    if slider.kind != SliderKind::Edge {
        add(
            "position",
            Output::SliderPosition(id),
            Quantity::Length,
            format!("Sliding coordinate s of {on}: initial arc length of the path"),
        );
        add(
            "velocity",
            Output::SliderVelocity(id),
            Quantity::Velocity,
            format!("Sliding velocity ds/dt of {on}"),
        );
    }
    add(
        "normal_force",
        Output::NormalForce(id),
        Quantity::Force,
        match slider.bearing {
            SliderBearing::Point if edge.is_some() => {
                format!("Size of the resultant of the normal forces of {on}")
            }
            SliderBearing::Point => format!("Size of the normal force of {on}"),
            SliderBearing::Ends { .. } => {
                format!("Sum of the sizes of the two normal forces of {on}")
            }
            SliderBearing::Layer { .. } => {
                format!("Sum of the sizes of the normal forces on both faces of {on}")
            }
        },
    );
    add(
        "friction_force",
        Output::FrictionForce(id),
        Quantity::Force,
        format!("Friction force of {on}; positive resists positive ds/dt"),
    );
    if slider.friction.kind().remembers {
        add(
            "micro_displacement",
            Output::MicroDisplacement(id),
            Quantity::Length,
            format!("Deflection of the bristles of {on}; positive after positive ds/dt"),
        );
    }
    if slider.may_be_off() {
        add(
            "gap",
            Output::Gap(id),
            Quantity::Length,
            format!("Distance of {on}; 0 while they touch"),
        );
    }
    add("sticking", Output::Sticking(id), Quantity::Truth, format!("Whether friction holds {on}"));
    add(
        "regime",
        Output::Regime(id),
        Quantity::JointRegime,
        format!("Regime of {on}: {}", listed_regimes()),
    );
    add(
        "friction_power",
        Output::FrictionPower(id),
        Quantity::Power,
        format!("Power that friction takes from {on}: its force times ds/dt"),
    );
    add(
        "dissipated_energy",
        Output::DissipatedEnergy(id),
        Quantity::Energy,
        format!("Energy that the friction of {on} has dissipated since the start"),
    );
    let between = match slider.may_be_off() {
        false => "sticking and sliding",
        true => "sticking, sliding and being off its path",
    };
    add(
        "transitions",
        Output::Transitions(id),
        Quantity::Count,
        format!("Changes of {on} between {between} since the start"),
    );
    add(
        "transition_time",
        Output::TransitionTime(id),
        Quantity::Time,
        format!("Time of the last change of {on} between {between}, or the start"),
    );
    if slider.kind == SliderKind::Prismatic {
        add(
            "moment",
            Output::Moment(id),
            Quantity::Moment,
            format!("Moment of {on}, exerted by the slider on the path"),
        );
    }
    if let SliderBearing::Ends { .. } = slider.bearing {
        for (key, front, towards) in
            [("front_force", true, "growing"), ("rear_force", false, "falling")]
        {
            add(
                key,
                Output::EndForce { slider: id, front },
                Quantity::Force,
                format!(
                    "Normal force of {on} at the slider's end towards {towards} s; positive \
                         pushes the path to the left of growing s"
                ),
            );
        }
    }
    if let SliderBearing::Layer { .. } = slider.bearing {
        add(
            "contact_length",
            Output::ContactLength(id),
            Quantity::Length,
            format!(
                "Length that the contact layer of {on} bears with on the face that carries more"
            ),
        );
        add(
            "line_pressure",
            Output::LinePressure(id),
            Quantity::LineLoad,
            format!("Largest normal force by length of the contact layer of {on}"),
        );
    }
    all
}

/// Forces of the single nodes of a sliding edge, and where all of them slide the lengths that these stand for
/// and the pressure.
fn node_outputs(model: &Checked, edge: usize) -> Vec<OutputVariable> {
    let sliding = &model.sliding_edges[edge];
    let mut all = Vec::new();
    for (node, slider) in sliding.sliders.clone().enumerate() {
        let name = &model.sliders[slider].name;
        let on = format!("point {} on its path", model.points[model.sliders[slider].point].name);
        let mut add = |key: &str, output, quantity, description: String| {
            all.push(OutputVariable {
                path: format!("joints.{name}.{key}"),
                output,
                quantity,
                description,
            });
        };
        for (component, axis) in ["x", "y"].into_iter().enumerate() {
            add(
                &format!("f{axis}"),
                Output::SliderForce { slider, component },
                Quantity::Force,
                format!("Force along {axis} of {on}, exerted on the path"),
            );
        }
        if sliding.spread.is_some() {
            add(
                "length",
                Output::EdgeLength { edge, node },
                Quantity::Length,
                format!("Initial length of the edge that the force of {on} stands for"),
            );
            add(
                "pressure",
                Output::EdgePressure { edge, node },
                Quantity::Pressure,
                format!("Pressure of the path on the edge at {on}"),
            );
        }
    }
    all
}

/// Whether an output is shown unless the file leaves it out: all of joints and contacts but those of the single nodes of
/// edges and of single corners.
pub(super) fn is_shown(model: &Checked, output: &OutputVariable) -> bool {
    let of_node = |edge: &SlidingEdge| {
        let nodes = output.path.strip_prefix("joints.");
        nodes.is_some_and(|rest| rest.starts_with(&format!("{}[", edge.name)))
    };
    let shown = ["joints.", "contacts.", "springs.", "couplings."];
    let of_joint = shown.iter().any(|section| output.path.starts_with(section));
    let of_corner = output.path.starts_with("contacts.") && output.path.contains('[');
    of_joint && !of_corner && !model.sliding_edges.iter().any(of_node)
}

/// "1 stick, 2 slip_forward, …": tables and curves show the numbers only.
fn listed_regimes() -> String {
    let regimes = Regime::KINDS.map(|r| format!("{} {}", r.number(), r.name()));
    regimes.join(", ")
}
