//! Outputs of contacts of surfaces.

use num_dual::{Dual64, DualStruct};

use super::{Connector, List, Source};
use crate::checked::{Checked, Subject, SurfaceContact, SurfacePart};
use crate::message::listed;
use crate::surfaces::layer::Touch;
use crate::surfaces::local::Locals;
use crate::surfaces::point::Placed;
use crate::system::numbers::Numbers;
use crate::system::surfaces::{Configuration, PointView};
use crate::system::{State, System};

items! {
    /// What a contact of surfaces does.
    pub enum OfContact of (_model, _contact = usize) {}
    NormalForce => at_forces("normal_force", Force, "Sum of the sizes of the normal forces of {} on both faces"),
    ForceX => at_forces("fx", Force, "Force along x of {}, exerted on the path"),
    ForceY => at_forces("fy", Force, "Force along y of {}, exerted on the path"),
    Moment => at_forces("moment", Moment, "Moment about the middle of {}, exerted on the path"),
    FrictionForce => at_forces("friction_force", Force, "Friction force of {}; positive resists growing s"),
    LinePressure => at_forces("line_pressure", LineLoad, "Largest normal force by length of"),
    Pressure => at_forces("pressure", Pressure, "Largest normal force by area of"),
    ContactLength => at_forces("contact_length", Length, "Length of {} that touches a face"),
    Centre => at_forces("centre", Length, "Position along the path of the mean normal force of {}; its middle where nothing touches"),
    Sticking => at_forces("sticking", Dimensionless, "Fraction of the length of {} in contact that sticks"),
    Gap => at_positions("gap", Length, "Least distance of {} from the faces of its guide; below 0 the penetration of its contact layer"),
    /// Integer.
    Sides => at_forces("sides", Count, "Number of faces of the guide that {} touches"),
    Position => at_positions("position", Length, "Position of the middle of {} along the path"),
    DissipatedEnergy => from_zero("dissipated_energy", Energy, "Energy that the friction of {} has dissipated since the start"),
    StoredEnergy => at_forces("stored_energy", Energy, "Energy in the contact layer under {}, across and along the faces"),
}

items! {
    /// What a contact of surfaces does at a [station](Checked::stations) of its surface.
    pub enum OfLayerStation of (_model, _station = (usize, usize)) {}
    LinePressure => at_forces("line_pressures", LineLoad, "Normal force by length of").never_negative(),
    Pressure => at_forces("pressures", Pressure, "Normal force by area of").never_negative(),
}

/// The outputs of all contacts of surfaces, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, contact) in model.contacts.iter().enumerate() {
        let surface = names_of(model, &contact.surface);
        let thick = has_thickness(model, contact);
        for of in OfContact::ALL.iter().filter(|of| **of != OfContact::Pressure || thick) {
            list.add(&format!("contacts.{}", contact.name), &surface, of.of(Subject::Contact(id)));
        }
        let known = if thick { OfLayerStation::ALL } else { &OfLayerStation::ALL[..1] };
        for of in known {
            let path = format!("contacts.{}", contact.name);
            list.add_stations(&path, &surface, |at| of.of(Subject::LayerStation(id, at)));
        }
    }
}

/// The names of what a surface consists of.
pub(super) fn names_of(model: &Checked, surface: &[SurfacePart]) -> String {
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

impl OfContact {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, contact: usize,
    ) -> N::Number {
        let now = state.now();
        let whole = |value: f64| N::Number::from(value);
        let sum = |term: &dyn Fn(&PointView<'_>) -> Dual64| {
            system.surfaces.sum_over(contact, state, term)
        };
        match self {
            OfContact::NormalForce => sum(&|point| point.normal_force()),
            OfContact::ForceX => sum(&|point| point.force()[0]),
            OfContact::ForceY => sum(&|point| point.force()[1]),
            OfContact::Moment => state.with(moment(system, now, None, contact).re, |by| {
                moment(system, now, Some(by), contact).eps
            }),
            OfContact::FrictionForce => {
                let points = system.surfaces.contacts[contact].points.clone();
                state.get(|s| s.points[points.clone()].iter().map(|p| p.friction).sum())
            }
            OfContact::LinePressure => {
                system.surfaces.largest_of(contact, state, |point| point.line_pressure())
            }
            OfContact::Pressure => system.surfaces.largest_of(contact, state, |point| {
                let thickness = system.surfaces.points[point.i].thickness;
                point.line_pressure() * thickness.map_or(1.0, f64::recip)
            }),
            OfContact::ContactLength => whole(touching_length(system, now, contact, |_| true)),
            OfContact::Sticking => {
                let sticks = touching_length(system, now, contact, |touch| touch == Touch::Sticks);
                let touches = touching_length(system, now, contact, |_| true);
                whole(if touches > 0.0 { sticks / touches } else { 0.0 })
            }
            OfContact::Sides => {
                let mut sides = [false; 2];
                system.surfaces.each_point(contact, now.into(), None, |point| {
                    if point.kinematics.pressed.force > 0.0 {
                        sides[usize::from(point.kinematics.side > 0.0)] = true;
                    }
                });
                whole(sides.iter().map(|&side| f64::from(u8::from(side))).sum())
            }
            OfContact::Gap => {
                // Beyond the ends of the path there is no face, unless all of it is there.
                let mut some = false;
                system.surfaces.each_point(contact, now.into(), None, |point| {
                    some |= point.kinematics.bearing > 0.0;
                });
                -system.surfaces.largest_of(contact, state, |point| {
                    match point.kinematics.bearing > 0.0 || !some {
                        true => point.depth(),
                        false => f64::NEG_INFINITY.into(),
                    }
                })
            }
            OfContact::Centre | OfContact::Position => {
                let pressed = sum(&|point| point.normal_force()).re();
                let weight =
                    |point: &PointView<'_>| match self == OfContact::Centre && pressed > 0.0 {
                        true => point.normal_force(),
                        false => system.surfaces.points[point.i].surface.length.into(),
                    };
                sum(&|point| weight(point) * point.place()[1]) / sum(&weight)
            }
            OfContact::DissipatedEnergy => {
                state.get(|s| s.contacts[contact].work - s.contacts[contact].stored)
            }
            OfContact::StoredEnergy => {
                sum(&|point| point.stored()) + state.get(|s| s.contacts[contact].stored)
            }
        }
    }

    pub(super) fn sources(self, _: &System, contact: usize) -> Vec<Source> {
        vec![Source::Of(Connector::Contact, contact)]
    }
}

impl OfLayerStation {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, (contact, at): (usize, usize),
    ) -> N::Number {
        let end = system.model.station(at) * system.surfaces.contacts[contact].length;
        let (first, pressure) = system.surfaces.pressure_at(contact, end, state);
        let thickness = system.surfaces.points[first].thickness;
        match self {
            OfLayerStation::LinePressure => pressure,
            OfLayerStation::Pressure => pressure * thickness.map_or(1.0, f64::recip),
        }
    }

    pub(super) fn sources(self, _: &System, (contact, _): (usize, usize)) -> Vec<Source> {
        vec![Source::Of(Connector::Contact, contact)]
    }
}

/// Length of the surface whose points touch a face and do what `counts`.
fn touching_length(
    system: &System, state: &State, contact: usize, counts: impl Fn(Touch) -> bool,
) -> f64 {
    system.surfaces.sum_over(contact, state, |point| {
        let touch = state.points[point.i].touch;
        if touch.touches() && counts(touch) { point.kinematics.length.into() } else { 0.0.into() }
    })
}

/// Moment about the middle of the surface that it exerts on its path.
fn moment(system: &System, now: &State, by: Option<&State>, contact: usize) -> Dual64 {
    let points = &system.surfaces.points[system.surfaces.contacts[contact].points.clone()];
    // Places are counted from one of them.
    let from = points[0].surface.at(&now.q).from;
    // A place that hangs on these unknowns, those of the surface first.
    let place = |placed: &Placed, locals: &Locals| {
        let mut place = [0, 1]
            .map(|k| Dual64::from(placed.place[k] + placed.from[k].displacement_from(from[k])));
        if let Some(by) = by {
            for local in locals.as_slice().iter().take_while(|local| local.surface) {
                for (own, weight) in place.iter_mut().zip(local.place) {
                    own.eps += weight * by.q[local.unknown];
                }
            }
        }
        place
    };
    let mut locals = Locals::default();
    let mut middle = [0.0; 2].map(Dual64::from);
    for point in points {
        let placed = point.surface.at(&now.q);
        locals.clear();
        point.surface.add_locals(&placed, &mut locals);
        let share = point.surface.length / system.surfaces.contacts[contact].length;
        for (middle, own) in middle.iter_mut().zip(place(&placed, &locals)) {
            *middle += own * share;
        }
    }
    let mut moment = Dual64::from(0.0);
    system.surfaces.each_point(contact, now.into(), by.map(Configuration::from), |point| {
        point.each_force(|sample, locals, [fx, fy]| {
            let [x, y] = place(&sample.placed, locals);
            moment += (x - middle[0]) * fy - (y - middle[1]) * fx;
        });
    });
    moment
}
