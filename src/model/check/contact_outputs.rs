//! What can be read of contacts of surfaces.

use super::joint_outputs::slider_outputs;
use crate::message::listed;
use crate::model::checked::{
    Checked, OfContact, OfRigidContact, Output, OutputVariable, SurfaceContact, SurfacePart,
};
use crate::model::quantity::Quantity;

/// The outputs of all contacts, in the order of the file.
pub(super) fn contact_outputs(model: &Checked) -> Vec<OutputVariable> {
    let mut all = Vec::new();
    for (id, contact) in model.contacts.iter().enumerate() {
        let surface = names_of(model, &contact.surface);
        for &of in OfContact::ALL {
            if of == OfContact::Pressure && !has_thickness(model, contact) {
                continue;
            }
            let (key, quantity, what) = words(of);
            all.push(OutputVariable {
                path: format!("contacts.{}.{key}", contact.name),
                output: Output::Contact { contact: id, of },
                quantity,
                description: what.replace("{surface}", &surface),
            });
        }
    }
    for (id, contact) in model.rigid_contacts.iter().enumerate() {
        let surface = names_of(model, &contact.surface);
        for &of in OfRigidContact::ALL {
            let (key, quantity, what) = words_of_rigid(of);
            all.push(OutputVariable {
                path: format!("contacts.{}.{key}", contact.name),
                output: Output::RigidContact { contact: id, of },
                quantity,
                description: what.replace("{surface}", &surface),
            });
        }
        all.extend(contact.corners.clone().flat_map(|j| slider_outputs(model, j)));
    }
    all
}

fn names_of(model: &Checked, surface: &[SurfacePart]) -> String {
    let names = surface.iter().map(|&part| model.name_of_surface(part));
    let names: Vec<String> = names.collect();
    listed(names.iter().map(String::as_str))
}

/// Whether pressure is known by area, not by length alone.
fn has_thickness(model: &Checked, contact: &SurfaceContact) -> bool {
    contact.surface.iter().all(|part| match *part {
        SurfacePart::Edge(edge) => model.thickness_of_body(edge.body).is_some(),
        SurfacePart::Face { member, .. } => {
            let body = model.body_under(member);
            body.is_some_and(|body| model.thickness_of_body(body).is_some())
        }
    })
}

fn words(of: OfContact) -> (&'static str, Quantity, &'static str) {
    match of {
        OfContact::NormalForce => (
            "normal_force",
            Quantity::Force,
            "Sum of the sizes of the normal forces of {surface} on both faces",
        ),
        OfContact::ForceX => {
            ("fx", Quantity::Force, "Force along x of {surface}, exerted on the path")
        }
        OfContact::ForceY => {
            ("fy", Quantity::Force, "Force along y of {surface}, exerted on the path")
        }
        OfContact::Moment => (
            "moment",
            Quantity::Moment,
            "Moment about the middle of {surface}, exerted on the path",
        ),
        OfContact::FrictionForce => (
            "friction_force",
            Quantity::Force,
            "Friction force of {surface}; positive resists growing s",
        ),
        OfContact::LinePressure => {
            ("line_pressure", Quantity::LineLoad, "Largest normal force by length of {surface}")
        }
        OfContact::Pressure => {
            ("pressure", Quantity::Pressure, "Largest normal force by area of {surface}")
        }
        OfContact::ContactLength => {
            ("contact_length", Quantity::Length, "Length of {surface} that touches a face")
        }
        OfContact::Centre => (
            "centre",
            Quantity::Length,
            "Place along the path of the mean normal force of {surface}; its middle where nothing touches",
        ),
        OfContact::Sticking => (
            "sticking",
            Quantity::Dimensionless,
            "Share of the length of {surface} in contact that friction holds",
        ),
        OfContact::Gap => (
            "gap",
            Quantity::Length,
            "Least distance of {surface} from the faces of its guide; below 0 how deep its contact layer is pressed in",
        ),
        OfContact::Sides => {
            ("sides", Quantity::Count, "Number of faces of the guide that {surface} touches")
        }
        OfContact::Position => {
            ("position", Quantity::Length, "Place of the middle of {surface} along the path")
        }
        OfContact::DissipatedEnergy => (
            "dissipated_energy",
            Quantity::Energy,
            "Energy that the friction of {surface} has dissipated since the start",
        ),
        OfContact::StoredEnergy => (
            "stored_energy",
            Quantity::Energy,
            "Energy in the contact layer under {surface}, across and along the faces",
        ),
    }
}

fn words_of_rigid(of: OfRigidContact) -> (&'static str, Quantity, &'static str) {
    match of {
        OfRigidContact::NormalForce => words(OfContact::NormalForce),
        OfRigidContact::ForceX => words(OfContact::ForceX),
        OfRigidContact::ForceY => words(OfContact::ForceY),
        OfRigidContact::Moment => (
            "moment",
            Quantity::Moment,
            "Moment about the mean place of the corners of {surface}, exerted on the path",
        ),
        OfRigidContact::FrictionForce => words(OfContact::FrictionForce),
        OfRigidContact::Centre => (
            "centre",
            Quantity::Length,
            "Place along the path of the mean normal force of {surface}; the mean of its corners where nothing touches",
        ),
        OfRigidContact::Sticking => (
            "sticking",
            Quantity::Dimensionless,
            "Share of the corners of {surface} in contact that friction holds",
        ),
        OfRigidContact::Gap => (
            "gap",
            Quantity::Length,
            "Least distance of the corners of {surface} from the faces of their guide; 0 where one touches",
        ),
        OfRigidContact::Sides => words(OfContact::Sides),
        OfRigidContact::Position => {
            ("position", Quantity::Length, "Mean place of the corners of {surface} along the path")
        }
        OfRigidContact::DissipatedEnergy => words(OfContact::DissipatedEnergy),
    }
}
