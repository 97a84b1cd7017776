//! Random gear trains, racks and drives: energy, and conditions that hold in every step.

use crate::common::{Simulation, tier};
use crate::random_mechanisms::Dice;

/// Wheels and masses in the plane, each coupled to what was there before it, some driven, with springs to the ground.
fn train(seed: u64, step: f64) -> String {
    let dice = &mut Dice::seeded(seed);
    let count = dice.whole(2, 5);
    let mut text = format!(
        "name = \"train\"\n[solver]\nstep = {step:e}\nspectral_radius = 0.9\n[gravity]\ny = -9.81\n\
         [interface]\noutputs = [\"energy.*\", \"couplings.*\"]\n[points]\nground = [0.0, -7.0]\n"
    );
    for i in 0..count {
        text += &format!("p{i} = [{:?}, {:?}]\n", i as f64, 0.3 * (i % 2) as f64);
    }
    let mut kinds = Vec::new();
    let mut inside = String::new();
    for i in 0..count {
        let turns = dice.chance(0.5);
        let inertia = dice.scale(1e-2, 1e2);
        // What does not turn moves along one direction, or in the plane with its distance coupled.
        let kind = if turns { 0 } else { dice.whole(1, 3) };
        inside += &format!("[masses.m{i}]\npoint = \"p{i}\"\nmass = {inertia:e}\n");
        match kind {
            0 => {
                inside += &format!("rotary_inertia = {inertia:e}\n");
                inside += &format!("[supports.s{i}]\npoint = \"p{i}\"\nfix = [\"x\", \"y\"]\n");
                inside += &format!(
                    "[loads.l{i}]\npoint = \"p{i}\"\nmoment = {:e}\n",
                    inertia * (dice.between(0.0, 4.0) - 2.0)
                );
            }
            1 => inside += &format!("[supports.s{i}]\npoint = \"p{i}\"\nfix = [\"x\"]\n"),
            _ => {}
        }
        let omega = dice.scale(0.5, 0.1 / step.max(1e-4));
        let stiffness = inertia * omega * omega;
        inside += &match kind {
            0 => format!(
                "[springs.k{i}]\nto = \"p{i}\"\ndirection = \"rotation\"\nstiffness = {stiffness:e}\n"
            ),
            _ => format!(
                "[springs.k{i}]\nground = \"ground\"\nto = \"p{i}\"\nstiffness = {stiffness:e}\n"
            ),
        };
        kinds.push(kind);
    }
    let coordinate = |i: usize, kinds: &[usize], dice: &mut Dice| match kinds[i] {
        0 => format!("to = \"p{i}\""),
        1 => format!("to = \"p{i}\", direction = \"y\""),
        2 => format!("ground = \"ground\", to = \"p{i}\", direction = \"line\""),
        _ => {
            let [x, y] = [0, 1].map(|_| dice.between(0.0, 2.0) - 1.0);
            format!("to = \"p{i}\", along = [{x:e}, {y:e}]")
        }
    };
    for i in 1..count {
        let driven = coordinate(i, &kinds, dice);
        let mut drivers = Vec::new();
        for k in 0..i {
            if k + 1 == i || dice.chance(0.2) {
                let driver = coordinate(k, &kinds, dice);
                let share = (dice.between(0.0, 2.0) - 1.0) + 0.2;
                drivers.push(if dice.chance(0.3) {
                    let driven = [0.9, 0.2, 0.0, 0.3, 1.0].map(|f| f * share);
                    format!("{{ {driver}, table = {{ driver = [-4.0, -1.0, 0.0, 1.5, 4.0], driven = {driven:?} }} }}")
                } else {
                    format!("{{ {driver}, ratio = {share:e} }}")
                });
            }
        }
        inside += &format!(
            "[couplings.c{i}]\ndriven = {{ {driven} }}\ndrivers = [{}]\n",
            drivers.join(", ")
        );
        if dice.chance(0.3) {
            inside += &format!(
                "[motions.m{i}]\ncoupling = \"c{i}\"\namplitude = {:e}\nhistory.ramp = {{ duration = {:e} }}\n",
                0.2 * dice.between(0.0, 1.0),
                300.0 * step
            );
        }
    }
    text + &inside
}

#[test]
fn random_trains_hold_their_conditions_and_keep_their_energy() {
    let trains = tier::random(60);
    let mut off = Vec::new();
    for seed in 0..trains {
        let step = [1e-5, 1e-4, 1e-3][seed as usize % 3];
        let text = train(seed, step);
        let mut sim = Simulation::of(&text);
        let mut largest = 0.0_f64;
        for n in 0..200 {
            let h = 5.0 * step;
            if let Err(fault) = sim.try_step(f64::from(n) * h, h) {
                panic!("seed {seed}: {fault}\n{text}");
            }
            largest = largest.max(sim.energy(&["kinetic", "strain", "potential", "input_work"]));
        }
        for (i, coupling) in sim.system.model().couplings.iter().enumerate() {
            let path = |key: &str| {
                let outputs = &sim.system.model().outputs;
                let begin = format!("couplings.{}.", coupling.name);
                outputs
                    .iter()
                    .any(|o| o.path == format!("{begin}{key}"))
                    .then(|| sim.get(&format!("{begin}{key}")))
            };
            let way = |at: &str| path(&format!("{at}angle")).or(path(&format!("{at}displacement")));
            let mut left = way("").expect("what is driven");
            for (k, driver) in coupling.drivers.iter().enumerate() {
                left -= driver.law.at(way(&format!("drivers[{k}].")).expect("a driver"))[0];
            }
            let drive = sim.system.model().drive_of(i);
            left -= drive.map_or(0.0, |m| sim.state.motions[m].value);
            assert!(left.abs() < 1e-8, "seed {seed}, {}: {left:e}", coupling.name);
        }
        let share = sim.get("energy.balance").abs() / largest;
        if share > 1e-3 {
            off.push((seed, share));
        }
    }
    println!(
        "{} of {trains} balances off by more than 1e-3 of the largest energy: {off:?}",
        off.len()
    );
    assert!(off.len() <= tier::allowed(trains as usize, 50), "{off:?}");
}
