//! What every law must satisfy.

use std::collections::BTreeMap;

use super::*;

fn contacts() -> Vec<Contact> {
    let mut all = Vec::new();
    for velocity in [-0.7, -0.031, -1e-4, 2e-5, 3e-3, 0.12, 1.9, 6.5] {
        for tangential_force in [-170.0, -95.0, -20.0, 3.0, 60.0, 190.0] {
            for inertia_force in [-11.0, 0.0, 7.0] {
                all.push(Contact {
                    velocity,
                    normal_force: 196.2,
                    tangential_force,
                    inertia_force,
                    stick_stiffness: 2e4,
                    rested: false,
                });
            }
        }
    }
    all
}

#[test]
fn tangent_is_the_finite_difference_of_the_force_within_a_branch() {
    for law in Friction::samples() {
        for contact in contacts() {
            let response = law.respond(&contact);
            let e = 1e-6;
            let check = |derivative: f64, moved: &dyn Fn(f64) -> Contact| {
                let (left, right) = (law.respond(&moved(-e)), law.respond(&moved(e)));
                let same_branch = left.sticking == right.sticking
                    && (left.by_velocity - right.by_velocity).abs()
                        <= 1e-3 * response.by_velocity.abs().max(1.0);
                if same_branch {
                    let difference = (right.force - left.force) / (2.0 * e);
                    let scale = derivative.abs().max(1.0);
                    assert!(
                        (difference - derivative).abs() < 1e-5 * scale,
                        "{law:?} {contact:?}: {difference} {derivative}"
                    );
                }
            };
            check(response.by_velocity, &|d| Contact {
                velocity: contact.velocity + d,
                ..contact
            });
            check(response.by_normal_force, &|d| Contact {
                normal_force: contact.normal_force + d,
                ..contact
            });
            check(response.by_resultant, &|d| Contact {
                tangential_force: contact.tangential_force + d,
                ..contact
            });
        }
    }
}

#[test]
fn change_by_parameters_is_the_finite_difference_of_the_force_within_a_branch() {
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    for law in Friction::samples() {
        let numbers = law.numbers();
        for (k, (name, _)) in numbers.iter().enumerate() {
            let moved = |e: f64| {
                let mut place = 0;
                law.map(&mut |_, value| {
                    place += 1;
                    *value + if place == k + 1 { e } else { 0.0 }
                })
            };
            let e = 1e-6;
            let (left, right) = (moved(-e), moved(e));
            let mut by = vec![0.0; numbers.len()];
            by[k] = 1.0;
            let mut sure = 0;
            for contact in contacts() {
                let response = law.respond(&contact);
                let (left, right) = (left.respond(&contact), right.respond(&contact));
                let close = |a: &Response| {
                    a.sticking == response.sticking
                        && (a.by_velocity - response.by_velocity).abs()
                            <= 1e-2 * response.by_velocity.abs().max(1.0)
                };
                let slope = law.change(&contact, &response, &by);
                if close(&left) && close(&right) {
                    let difference = (right.force - left.force) / (2.0 * e);
                    let scale = slope.abs().max(1.0);
                    assert!(
                        (difference - slope).abs() < 1e-5 * scale,
                        "{law:?} {contact:?} {name}: {difference} {slope}"
                    );
                    sure += usize::from(slope != 0.0);
                }
            }
            let key = format!("{}.{name}", law.name());
            *counted.entry(key).or_default() += sure;
        }
    }
    let unseen: Vec<_> = counted.iter().filter(|(_, sure)| **sure < 5).collect();
    assert!(unseen.is_empty(), "hardly tested: {unseen:?}");
}

#[test]
fn every_law_is_odd() {
    for law in Friction::samples() {
        for contact in contacts() {
            let mirrored = Contact {
                velocity: -contact.velocity,
                tangential_force: -contact.tangential_force,
                inertia_force: -contact.inertia_force,
                ..contact
            };
            let (there, back) = (law.respond(&contact), law.respond(&mirrored));
            assert_eq!(there.force, -back.force);
            assert_eq!(there.sticking, back.sticking);
        }
    }
}

#[test]
fn sliding_friction_dissipates() {
    for law in Friction::samples() {
        for velocity in [-3.0, -0.4, 0.2, 5.0] {
            // A slider in steady motion is pulled by what friction and nothing else resists.
            let contact = Contact {
                velocity,
                normal_force: 50.0,
                tangential_force: 0.0,
                inertia_force: 0.0,
                stick_stiffness: 1e3,
                rested: false,
            };
            assert!(law.respond(&contact).force * velocity >= 0.0, "{law:?}");
        }
    }
}
