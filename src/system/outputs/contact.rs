//! Outputs of contacts of surfaces.

use super::{Connector, List, Source};
use crate::checked::{Checked, Subject, SurfaceContact, SurfacePart};
use crate::message::listed;
use crate::surfaces::layer::Touch;
use crate::surfaces::local::{Local, Locals};
use crate::surfaces::point::{Placed, SurfacePoint};
use crate::system::numbers::Numbers;
use crate::system::surface_look::Look;
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
    Centre => at_forces("centre", Length, "Place along the path of the mean normal force of {}; its middle where nothing touches"),
    Sticking => at_forces("sticking", Dimensionless, "Share of the length of {} in contact that friction holds"),
    Gap => at_positions("gap", Length, "Least distance of {} from the faces of its guide; below 0 how deep its contact layer is pressed in"),
    /// Integer.
    Sides => at_forces("sides", Count, "Number of faces of the guide that {} touches"),
    Position => at_positions("position", Length, "Place of the middle of {} along the path"),
    DissipatedEnergy => from_zero("dissipated_energy", Energy, "Energy that the friction of {} has dissipated since the start"),
    StoredEnergy => at_forces("stored_energy", Energy, "Energy in the contact layer under {}, across and along the faces"),
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
        let normal = |look: Look<'_>| look.at_point.pressed.force;
        let length = |i: usize| system.points[i].surface.length;
        match self {
            OfContact::NormalForce => state.with(system.sum_over(contact, now, normal), |by| {
                system.sum_over(contact, now, |look| look.normal_change(by))
            }),
            OfContact::ForceX => force(system, state, contact)[0],
            OfContact::ForceY => force(system, state, contact)[1],
            OfContact::Moment => moment(system, state, contact),
            OfContact::FrictionForce => {
                let points = system.contacts[contact].points.clone();
                state.get(|s| s.points[points.clone()].iter().map(|p| p.friction).sum())
            }
            OfContact::LinePressure | OfContact::Pressure => {
                let by_length = |i: usize| match self {
                    OfContact::Pressure => system.points[i].thickness.map_or(1.0, f64::recip),
                    _ => 1.0,
                };
                let value = |look: &Look<'_>| look.line_pressure() * by_length(look.i);
                let (most, value) = system.largest_of(contact, now, value);
                state.with(value.max(0.0), |by| {
                    system.sum_over(contact, now, |look| match look.i == most {
                        true => look.line_pressure_change(by) * by_length(most),
                        false => 0.0,
                    })
                })
            }
            OfContact::ContactLength => whole(touching_length(system, now, contact, |_| true)),
            OfContact::Sticking => {
                let sticks = touching_length(system, now, contact, |touch| touch == Touch::Sticks);
                let touches = touching_length(system, now, contact, |_| true);
                whole(if touches > 0.0 { sticks / touches } else { 0.0 })
            }
            OfContact::Sides => {
                let mut sides = [false; 2];
                system.each_look(contact, now, |look| {
                    if look.at_point.pressed.force > 0.0 {
                        sides[usize::from(look.at_point.side > 0.0)] = true;
                    }
                });
                whole(sides.iter().map(|&side| f64::from(u8::from(side))).sum())
            }
            OfContact::Gap => {
                // Beyond the ends of the path there is no face, unless all of it is there.
                let some = system.any_of(contact, now, |look| look.at_point.bearing > 0.0);
                let depth = |look: &Look<'_>| match look.at_point.bearing > 0.0 || !some {
                    true => system.depth_at(look.i, look.evaluated),
                    false => f64::NEG_INFINITY,
                };
                let (most, depth) = system.largest_of(contact, now, depth);
                state.with(-depth, |by| {
                    system.sum_over(contact, now, |look| match look.i == most {
                        true => -look.depth_change(by),
                        false => 0.0,
                    })
                })
            }
            OfContact::Centre | OfContact::Position => {
                let pressed = system.sum_over(contact, now, normal);
                let loaded = self == OfContact::Centre && pressed > 0.0;
                let weight = |look: &Look<'_>| match loaded {
                    true => look.at_point.pressed.force,
                    false => length(look.i),
                };
                let all = system.sum_over(contact, now, |look| weight(&look));
                let sum = system.sum_over(contact, now, |look| weight(&look) * look.at_point.s);
                let centre = sum / all;
                state.with(centre, |by| {
                    let change = system.sum_over(contact, now, |look| {
                        let change = match loaded {
                            true => look.normal_change(by),
                            false => 0.0,
                        };
                        weight(&look) * look.moved(&by.q)[1] + change * (look.at_point.s - centre)
                    });
                    change / all
                })
            }
            OfContact::DissipatedEnergy => {
                state.get(|s| s.contacts[contact].work - s.contacts[contact].stored)
            }
            OfContact::StoredEnergy => {
                let across = system.sum_over(contact, now, |look| look.at_point.pressed.stored);
                let rate = |by: &State| {
                    system.sum_over(contact, now, |look| {
                        let [distance, _, passing] = look.moved(&by.q);
                        let pressed = &look.at_point.pressed;
                        look.at_point.side * pressed.force * distance
                            + pressed.along[0] * passing
                            + pressed.by_advance[1] * by.points[look.i].advance
                    })
                };
                state.with(across, rate) + state.get(|s| s.contacts[contact].stored)
            }
        }
    }

    pub(super) fn sources(self, _: &System, contact: usize) -> Vec<Source> {
        vec![Source::Of(Connector::Contact, contact)]
    }
}

/// Length of the surface whose points touch a face and do what `counts`.
fn touching_length(
    system: &System, state: &State, contact: usize, counts: impl Fn(Touch) -> bool,
) -> f64 {
    system.sum_over(contact, state, |look| {
        let touch = state.points[look.i].touch;
        match touch.touches() && counts(touch) {
            true => look.at_point.length,
            false => 0.0,
        }
    })
}

/// The resultant that a surface exerts on its path.
fn force<N: Numbers<State>>(system: &System, state: &N, contact: usize) -> [N::Number; 2] {
    let now = state.now();
    let friction = |state: &State, i: usize| state.points[i].friction;
    [0, 1].map(|axis| {
        let force = system.sum_over(contact, now, |look| look.force(friction(now, look.i))[axis]);
        state.with(force, |by| {
            system.sum_over(contact, now, |look| look.force_change(friction(now, look.i), by)[axis])
        })
    })
}

/// Moment about the middle of the surface that it exerts on its path.
fn moment<N: Numbers<State>>(system: &System, state: &N, contact: usize) -> N::Number {
    let now = state.now();
    let friction = |state: &State, i: usize| state.points[i].friction;
    let total = system.contacts[contact].length;
    // Places are counted from one of them.
    let first = &system.points[system.contacts[contact].points.start];
    let from = first.surface.at(&now.q).from;
    let place =
        |placed: &Placed| [0, 1].map(|k| placed.place[k] + placed.from[k].way_from(from[k]));
    let shift = |own: &[Local], by: &State| {
        own.iter().fold([0.0; 2], |sum, local| {
            [0, 1].map(|k| sum[k] + local.place[k] * by.q[local.unknown])
        })
    };
    let mean = |value: &dyn Fn(&SurfacePoint) -> [f64; 2]| {
        let points = &system.points[system.contacts[contact].points.clone()];
        points.iter().fold([0.0; 2], |sum, point| {
            let (share, value) = (point.surface.length / total, value(&point.surface));
            [0, 1].map(|k| sum[k] + share * value[k])
        })
    };
    let middle = mean(&|surface| place(&surface.at(&now.q)));
    let mut moment = 0.0;
    system.each_look(contact, now, |look| {
        look.each_act(friction(now, look.i), None, |sample, _, acts| {
            let ([x, y], [fx, fy]) = (place(&sample.placed), acts.force(sample));
            moment += (x - middle[0]) * fy - (y - middle[1]) * fx;
        });
    });
    state.with(moment, |by| {
        let moved = mean(&|surface| {
            let mut locals = Locals::default();
            surface.add_locals(&surface.at(&now.q), &mut locals);
            shift(locals.as_slice(), by)
        });
        let mut change = 0.0;
        system.each_look(contact, now, |look| {
            look.each_act(friction(now, look.i), Some(by), |sample, locals, acts| {
                let [x, y] = [0, 1].map(|k| place(&sample.placed)[k] - middle[k]);
                let own = locals.as_slice().iter();
                let own = own.take_while(|local| local.surface).copied();
                let own = shift(&own.collect::<Vec<_>>(), by);
                let [dx, dy] = [0, 1].map(|k| own[k] - moved[k]);
                let [fx, fy] = acts.force(sample);
                let [gx, gy] = acts.change(sample, locals, &by.q);
                change += dx * fy - dy * fx + x * gy - y * gx;
            });
        });
        change
    })
}
