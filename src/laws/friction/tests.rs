//! What every law must satisfy.

use std::collections::BTreeMap;

use super::*;
use crate::message::figure;

fn contacts(law: &Friction) -> Vec<Contact> {
    if law.kind().remembers {
        return remembered();
    }
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
                    ..Contact::default()
                });
            }
        }
    }
    all
}

/// Steps of a law with memory: short and long, bristles bent either way, also beyond what holds.
fn remembered() -> Vec<Contact> {
    let mut all = Vec::new();
    for step in [1e-4, 1e-2] {
        for velocity in [-0.7, -0.031, -2.3e-3, -1e-5, 2e-5, 1.1e-3, 3e-2, 1.9] {
            for normal_force in [1.7, 196.2] {
                for z in [-2e-2, -2.1e-4, -3e-6, 0.0, 1e-5, 1.8e-4, 7e-3] {
                    for second in [0.02, 0.31, 0.97] {
                        all.push(Contact {
                            velocity,
                            normal_force,
                            step,
                            memory: [z, second],
                            ..Contact::default()
                        });
                    }
                }
            }
        }
    }
    all
}

#[test]
fn tangent_is_the_finite_difference_of_the_force_within_a_branch() {
    for law in Friction::samples() {
        for contact in contacts(&law) {
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
            check(response.by_velocity, &|d| Contact { velocity: contact.velocity + d, ..contact });
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
fn what_slides_exactly_has_the_tangent_of_its_force_and_dissipates() {
    let laws = Friction::samples().into_iter();
    let mut count = 0;
    for law in laws.filter(|law| law.law().is_some()) {
        for contact in contacts(&law) {
            let direction = contact.velocity.signum();
            let force = |velocity: f64, normal_force: f64| {
                let moved = Contact { velocity, normal_force, ..contact };
                law.slide(&moved, direction)
            };
            let (v, n, e) = (contact.velocity, contact.normal_force, 1e-6);
            let here = force(v, n);
            assert!(here.force * v >= 0.0 && !here.sticking, "{law:?} {contact:?}");
            let [left, right] = [force(v - e, n), force(v + e, n)];
            // Not across rest or a corner of the curve.
            if v.abs() > e
                && (left.by_velocity - right.by_velocity).abs()
                    < 1e-3 * here.by_velocity.abs().max(1.0)
            {
                let slope = (right.force - left.force) / (2.0 * e);
                assert!(
                    (slope - here.by_velocity).abs() < 1e-5 * slope.abs().max(1.0),
                    "{law:?} {contact:?}"
                );
                count += 1;
            }
            let slope = (force(v, n + e).force - force(v, n - e).force) / (2.0 * e);
            assert!((slope - here.by_normal_force).abs() < 1e-5, "{law:?} {contact:?}");
        }
    }
    assert!(count > 500, "{count}");
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
            let e = 1e-6 * numbers[k].1.abs().max(1.0);
            let (left, right) = (moved(-e), moved(e));
            let mut by = vec![0.0; numbers.len()];
            by[k] = 1.0;
            let mut sure = 0;
            for contact in contacts(&law) {
                let response = law.respond(&contact);
                let (left, right) = (left.respond(&contact), right.respond(&contact));
                let close = |a: &Response| {
                    a.sticking == response.sticking
                        && (a.by_velocity - response.by_velocity).abs()
                            <= 1e-2 * response.by_velocity.abs().max(1.0)
                };
                let slope = law.change(&contact, &response, &Contact::default(), &by);
                let slope = slope.force;
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
        for contact in contacts(&law) {
            let mirrored = Contact {
                velocity: -contact.velocity,
                tangential_force: -contact.tangential_force,
                inertia_force: -contact.inertia_force,
                memory: turned(contact.memory),
                ..contact
            };
            let (there, back) = (law.respond(&contact), law.respond(&mirrored));
            assert_eq!(there.force, -back.force);
            assert_eq!(there.sticking, back.sticking);
            assert_eq!(there.memory, turned(back.memory));
            assert_eq!(there.work, back.work);
        }
    }
}

/// The memory of the mirrored motion.
fn turned([z, second]: Memory) -> Memory {
    [-z + 0.0, second]
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
                step: 1e-3,
                ..Contact::default()
            };
            assert!(law.respond(&contact).force * velocity >= 0.0, "{law:?}");
        }
    }
}

/// Numbers from 0 to 1 that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        // Knuth's MMIX generator; the upper bits are the good ones.
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005))
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number over many powers of ten, either sign; sometimes 0.
    fn any(&mut self, low: f64, high: f64) -> f64 {
        let size = 10_f64.powf(low + (high - low) * self.roll());
        match self.roll() {
            x if x < 0.1 => 0.0,
            x if x < 0.55 => -size,
            _ => size,
        }
    }
}

#[test]
fn a_law_with_memory_never_drives_whatever_the_motion_and_the_normal_force() {
    let mut dice = Dice(7);
    // What laws by expressions store is not known: see `energy_gain`.
    let stores = |law: &&Friction| law.memory_law().is_some_and(|law| law.stiffness().re > 0.0);
    for law in Friction::samples().iter().filter(stores) {
        let mut memory = Memory::default();
        let (mut stored, mut passes) = (0.0, [0_u32; 2]);
        for pass in 0..200_000 {
            let step = 10_f64.powf(-6.0 + 5.0 * dice.roll());
            // Mostly small moves, so that the bristles see all of their range.
            let slid = dice.any(-9.0, if pass % 10 == 0 { 0.0 } else { -3.5 });
            let contact = Contact {
                velocity: slid / step,
                normal_force: dice.any(-6.0, 4.0).abs(),
                step,
                memory,
                ..Contact::default()
            };
            let answer = law.respond(&contact);
            let moved = contact.velocity * step;
            let at_end = answer.force * moved - (answer.stored - stored);
            let along = answer.work - (answer.stored - stored);
            // A limited damping force takes its size from that of the bristles.
            let elastic = law.memory_law().map_or(0.0, |law| law.stiffness().re) * answer.memory[0];
            let forces = answer.force.abs() + elastic.abs();
            let scale = answer.stored + stored + (forces * moved).abs();
            for taken in [at_end, along] {
                assert!(taken >= -1e-13 * scale, "{law:?} {contact:?} {answer:?}: {taken:e}");
            }
            // The step's force is the one that the equations feel.
            assert!(answer.force.is_finite() && answer.by_velocity.is_finite());
            assert!(answer.by_normal_force.is_finite());
            passes[usize::from(answer.sticking)] += 1;
            (memory, stored) = (answer.memory, answer.stored);
        }
        assert!(passes.iter().all(|n| *n > 10_000), "{law:?}: {passes:?}");
    }
}

#[test]
fn changes_of_memory_work_and_stored_energy_are_finite_differences_within_a_branch() {
    let e = 1e-6;
    for law in Friction::samples().iter().filter(|law| law.kind().remembers) {
        let mut sure = [0; 4];
        for contact in remembered() {
            let answer = law.respond(&contact);
            let stiffness = law.memory_law().map_or(0.0, |law| law.stiffness().re);
            let before = 0.5 * stiffness * contact.memory[0] * contact.memory[0];
            for (i, count) in sure.iter_mut().enumerate() {
                // z by what moves the force as much as a velocity does.
                let mut by = Contact::default();
                match i {
                    0 => by.velocity = 1.0,
                    1 => by.normal_force = 1.0,
                    2 => by.memory[0] = 1e-3,
                    _ => by.memory[1] = 1.0,
                }
                let moved = |e: f64| {
                    let at = Contact {
                        velocity: contact.velocity + e * by.velocity,
                        normal_force: contact.normal_force + e * by.normal_force,
                        memory: std::array::from_fn(|k| contact.memory[k] + e * by.memory[k]),
                        ..contact
                    };
                    law.respond(&at)
                };
                let (left, right) = (moved(-e), moved(e));
                let (less, more) = (moved(-0.5 * e), moved(0.5 * e));
                let change = law.change(&contact, &answer, &by, &vec![0.0; law.numbers().len()]);
                let values = |r: &Response| [r.force, r.memory[0], r.memory[1], r.work, r.stored];
                let all = [&left, &right, &less, &more].map(values);
                for (place, slope) in values(&change).into_iter().enumerate() {
                    let wide = (all[1][place] - all[0][place]) / (2.0 * e);
                    let near = (all[3][place] - all[2][place]) / e;
                    let scale = wide.abs().max(near.abs());
                    // A memory far from where it goes is a sum of both.
                    let size = values(&answer)[place].abs().max(contact.memory[0].abs());
                    let rounding = 1e-15 * size.max(answer.stored + before) / e;
                    // A corner or an edge between the four shows in the two differences.
                    if (wide - near).abs() <= 1e-4 * scale + rounding {
                        let off = (slope - near).abs();
                        assert!(
                            off <= 1e-3 * scale + 20.0 * rounding,
                            "{law:?} {contact:?} by {i}, value {place}: {near} {slope}"
                        );
                        *count += usize::from(slope != 0.0 && scale > 100.0 * rounding);
                    }
                }
            }
        }
        assert!(sure[..3].iter().all(|n| *n > 100), "{law:?}: {sure:?}");
    }
}

#[test]
fn the_summary_of_a_law_has_every_number_that_is_not_its_default() {
    for law in Friction::samples() {
        let summary = law.summary();
        law.map(&mut |place, value| {
            let own = format!("{} ", Place { index: None, ..place });
            let number = figure(*value);
            let is_default = place.key.need == Need::Default(*value);
            let shown = summary.split_once(&own).map(|(_, rest)| rest);
            let has = shown.is_some_and(|rest| match place.index {
                None => {
                    rest == number
                        || rest.starts_with(&format!("{number} "))
                        || rest.starts_with(&format!("{number},"))
                }
                Some(_) => {
                    rest.starts_with("of ")
                        || rest.split(']').next().is_some_and(|list| list.contains(&number))
                }
            });
            assert_eq!(has, !is_default, "{place} of {summary}");
            *value
        });
    }
}

#[test]
fn one_decay_is_one_curve_under_stribeck_and_under_bristles() {
    let (own, kinetic, velocity, exponent) = (0.6, 0.2, 0.05, 1.3);
    let stribeck = Friction::Stribeck(Stribeck {
        static_coefficient: own,
        kinetic_coefficient: kinetic,
        decay_velocity: velocity,
        decay_exponent: exponent,
        ..Stribeck::blank()
    });
    let bristles = [
        Friction::Lugre(Lugre {
            stiffness: 1e6,
            static_coefficient: own,
            kinetic_coefficient: kinetic,
            decay_velocity: velocity,
            decay_exponent: exponent,
            ..Lugre::blank()
        }),
        Friction::ElastoPlastic(ElastoPlastic {
            stiffness: 1e6,
            static_coefficient: own,
            kinetic_coefficient: kinetic,
            decay_velocity: velocity,
            decay_exponent: exponent,
            ..ElastoPlastic::blank()
        }),
        Friction::Bristle(Bristle {
            stiffness: 1e6,
            static_coefficient: own,
            kinetic_coefficient: kinetic,
            decay_velocity: velocity,
            decay_exponent: exponent,
            dwell_time: 0.1,
            ..Bristle::blank()
        }),
    ];
    for v in [1e-4, 0.01, 0.05, 0.2, 3.0, 100.0] {
        let exact = kinetic + (own - kinetic) * (-f64::powf(v / velocity, exponent)).exp();
        for law in [&stribeck].into_iter().chain(&bristles) {
            let seen = law.characteristic(v, 100.0) / 100.0;
            assert!((seen - exact).abs() < 1e-12, "{}: {seen} {exact}", law.name());
        }
    }
}

#[test]
fn laws_by_expressions_give_energy_where_their_force_drives_alone() {
    let samples = Friction::samples().into_iter();
    let mut laws = samples.filter_map(|law| match law {
        Friction::ExpressionWithMemory(law) => Some(law),
        _ => None,
    });
    assert!(laws.clone().all(|law| law.gain().is_none()));
    let mut law = laws.next().expect("a sample");
    law.numbers.0[0].1 = -3e5;
    assert!(law.gain().is_some_and(|gain| gain.energy > 0.0));
}
