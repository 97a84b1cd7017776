//! Terms of the equations of motion: what a step evaluates of each is its force in plain numbers, its change is that of
//! differences, and its tangent is that change.

use std::path::Path;

use super::Dice;
use crate::model::Model;
use crate::system::{Circling, Iterate, System, Term, Workspace};

/// The model with every key of the model file.
fn everything() -> System {
    let folder = Path::new("tests/models");
    let text = std::fs::read_to_string(folder.join("everything.toml")).expect("a file");
    let data = |name: &str| std::fs::read(folder.join(name));
    let model = Model::parse(&text, "everything.toml", &data).unwrap_or_else(|f| panic!("{f}"));
    let model = model.check().unwrap_or_else(|f| panic!("{f}"));
    System::build(&model).unwrap_or_else(|f| panic!("{f}"))
}

/// An iterate near the initial configuration with forces and velocities.
fn iterate(system: &System, dice: &mut Dice) -> Iterate {
    let mut at = Iterate::new(system);
    at.flow.factor = 40.0;
    at.flow.circling = Circling(1.0);
    for u in 0..system.nodal {
        at.q.add(u, 0.01 * dice.roll());
        at.flow.origin.add(u, 0.01 * dice.roll());
    }
    at.pins.as_flattened_mut().fill_with(|| 5.0 * dice.roll());
    for own in &mut at.sliders {
        own.multipliers = std::array::from_fn(|_| 5.0 * dice.roll());
    }
    at.follower_loads.as_flattened_mut().fill_with(|| 5.0 * dice.roll());
    at
}

/// A change of positions and velocities that follow them; with `forces` of all else, too.
fn change(system: &System, dice: &mut Dice, forces: bool) -> Iterate {
    let mut by = Iterate::new(system);
    by.q.fill(0.0);
    by.flow.origin.fill(0.0);
    by.springs.fill_with(Default::default);
    for u in (0..system.nodal).filter(|&u| system.equation.has(u)) {
        by.q.set(u, dice.roll());
    }
    if forces {
        by.pins.as_flattened_mut().fill_with(|| dice.roll());
        for (slider, own) in system.sliders.iter().zip(&mut by.sliders) {
            by.q.set(slider.coordinate, dice.roll());
            own.multipliers = std::array::from_fn(|_| dice.roll());
        }
        by.follower_loads.as_flattened_mut().fill_with(|| dice.roll());
        for u in 0..system.nodal {
            by.flow.origin.set(u, dice.roll());
        }
        for begun in &mut by.springs {
            begun.anchor = dice.roll();
            begun.setting.free = dice.roll();
            begun.setting.stiffness = dice.roll();
            begun.setting.damping = dice.roll();
            begun.setting.force = dice.roll();
        }
    }
    by
}

/// The iterate with `share` times the change.
fn moved(at: &Iterate, by: &Iterate, share: f64) -> Iterate {
    let mut there = at.moved(by, share);
    let loads = there.follower_loads.as_flattened_mut().iter_mut();
    for (load, change) in loads.zip(by.follower_loads.as_flattened()) {
        *load += share * change;
    }
    there
}

/// Largest difference of two vectors as a share of their largest entry, where there is one.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().chain(b).fold(0.0_f64, |most, x| most.max(x.abs()));
    let apart = a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    if largest > 0.0 { apart / largest } else { 0.0 }
}

/// Holds a term of the system to its force; `rest` adds what of its tangent is not evaluated with it.
fn holds(name: &str, term: &impl Term, system: &System, rest: impl Fn(&Iterate, &mut Workspace)) {
    let (mut dice, mut work) = (Dice(7), Workspace::new(system));
    let mut forces = |at: &Iterate, tangent: bool| {
        work.residual.fill(0.0);
        work.matrix.restart().fill(0.0);
        if tangent {
            rest(at, &mut work);
        }
        term.evaluate(&system.equation, at, &mut work, tangent);
        (work.residual.clone(), work.matrix.clone())
    };
    for _ in 0..20 {
        let at = iterate(system, &mut dice);
        let (evaluated, mut matrix) = forces(&at, true);
        let mut plain = vec![0.0; system.nodal];
        term.each_force(&at, |u, force| plain[u] += force);
        assert!(plain.iter().any(|force| *force != 0.0), "{name} exerts no force");
        assert!(difference(&evaluated, &plain) < 1e-14, "{name}: its force");

        let by = change(system, &mut dice, true);
        let mut derived = vec![0.0; system.nodal];
        term.add_change(&at, &by, &mut derived);
        let eps = 1e-6;
        let [low, high] = [-eps, eps].map(|share| forces(&moved(&at, &by, share), false).0);
        let seen: Vec<f64> =
            high.iter().zip(&low).map(|(high, low)| (high - low) / (2.0 * eps)).collect();
        let apart = difference(&derived, &seen);
        assert!(apart < 1e-6, "{name}: its change is off by {apart}");

        let by = change(system, &mut dice, false);
        derived.fill(0.0);
        term.add_change(&at, &by, &mut derived);
        let derived: Vec<f64> = system.unknown.iter().map(|&u| derived[u]).collect();
        let x: Vec<f64> = system.unknown.iter().map(|&u| by.q[u]).collect();
        let mut product = vec![0.0; x.len()];
        for (row, column, place) in matrix.interior.layout.entries() {
            let value = matrix.interior.values[place];
            product[row] += value * x[column];
            if row != column {
                product[column] += value * x[row];
            }
        }
        let mut beside = vec![0.0; x.len()];
        matrix.take_beside().times(&x, &mut beside);
        (product.iter_mut().zip(beside)).for_each(|(sum, beside)| *sum += beside);
        let apart = difference(&product, &derived);
        assert!(apart < 1e-12, "{name}: its tangent is off by {apart}");
    }
}

#[test]
fn forces_changes_and_tangents_of_all_terms_agree() {
    let system = everything();
    holds("springs", &system.springs, &system, |_, _| ());
    holds("sliders", &system.sliders, &system, |_, _| ());
    holds("pins", &system.pins, &system, |_, _| ());
    holds("hinges", &system.hinges, &system, |_, _| ());
    holds("line loads", &system.loads.lines, &system, |_, _| ());
    let damped = system.damped(1.0).expect("damping");
    holds("damping", &damped, &system, |at, work| {
        system.set_constant_damping(at, &mut work.matrix.interior.values);
        damped.add_skew_tangent(&system.equation, at, work);
    });
}
