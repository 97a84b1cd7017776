//! Random chains of bars whose hinges rub: friction only takes, and the balance of energies closes.

use std::f64::consts::TAU;

use crate::common::Simulation;
use crate::random_mechanisms::Dice;

/// A chain of bars that hangs from the ground, each on the one before, drawn in any directions.
fn chain(seed: u64, step: f64) -> String {
    let dice = &mut Dice::seeded(seed);
    let bars = dice.whole(1, 3);
    let mut points = "j0 = [0.0, 0.0]\n".to_string();
    let (mut x, mut y) = (0.0, 0.0);
    let mut inside = "[supports.j0]\npoint = \"j0\"\nfix = [\"x\", \"y\"]\n".to_string();
    for i in 0..bars {
        let (length, angle) = (dice.scale(0.2, 1.0), dice.between(0.0, TAU));
        let (along, across) = ([angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]);
        for (k, [u, v]) in [[0.0, -0.02], [length, -0.02], [length, 0.02], [0.0, 0.02]]
            .into_iter()
            .enumerate()
        {
            let at = [0, 1].map(|d| [x, y][d] + u * along[d] + v * across[d]);
            points += &format!("c{i}{k} = {at:?}\n");
        }
        (x, y) = (x + length * along[0], y + length * along[1]);
        points += &format!("j{} = [{x:?}, {y:?}]\n", i + 1);
        let mass = dice.scale(0.1, 10.0);
        let edges: Vec<String> = (0..4)
            .map(|k| {
                format!(
                    "{{ name = \"e{k}\", from = \"c{i}{k}\", to = \"c{i}{}\" }}",
                    (k + 1) % 4
                )
            })
            .collect();
        inside += &format!(
            "[bodies.b{i}]\nrigid = true\nmass = {mass:e}\ninertia = {:e}\npoints = [\"j{i}\", \"j{}\"]\n\
             [bodies.b{i}.patch]\ncells = [1, 1]\nedges = [{}]\n",
            mass * length * length / 12.0,
            i + 1,
            edges.join(", ")
        );
        let mu = dice.scale(0.02, 1.0);
        let law = match dice.whole(0, 3) {
            0 => format!("coulomb = {{ coefficient = {mu:e} }}"),
            1 => format!(
                "coulomb = {{ coefficient = {mu:e}, static_coefficient = {:e} }}",
                1.3 * mu
            ),
            2 => format!(
                "stribeck = {{ static_coefficient = {:e}, kinetic_coefficient = {mu:e}, decay_velocity = 0.01 }}",
                1.3 * mu
            ),
            _ => format!(
                "spring_friction = {{ stiffness = {:e}, coefficient = {mu:e} }}",
                1e5 * mass
            ),
        };
        inside += &format!(
            "[joints.h{i}]\nhinge = {{ point = \"j{i}\", release = [\"b{i}\"], radius = {:e} }}\nfriction.{law}\n",
            dice.scale(0.003, 0.05)
        );
    }
    format!(
        "name = \"chain\"\n[solver]\nstep = {step:e}\nspectral_radius = 0.9\n[gravity]\ny = -9.81\n\
         [interface]\noutputs = [\"energy.*\", \"joints.*\"]\n[points]\n{points}{inside}"
    )
}

#[test]
fn friction_of_random_chains_only_takes_and_their_energy_balances() {
    let chains = std::env::var("COULISSE_RANDOM").map_or(24, |n| n.parse().expect("a number"));
    let mut off = Vec::new();
    for seed in 0..chains {
        let step = [1e-4, 1e-3][seed as usize % 2];
        let text = chain(seed, step);
        let mut sim = Simulation::of(&text);
        let bars = sim.system.model().bodies.len();
        let mut lost = vec![0.0_f64; bars];
        let mut largest = 0.0_f64;
        for n in 0..200 {
            let h = 5.0 * step;
            if let Err(fault) = sim.try_step(f64::from(n) * h, h) {
                panic!("seed {seed}: {fault}\n{text}");
            }
            let energies = ["kinetic", "potential", "friction_work"];
            let energies = energies.map(|e| sim.get(&format!("energy.{e}")).abs());
            largest = energies.into_iter().fold(largest, f64::max);
            for (i, before) in lost.iter_mut().enumerate() {
                let now = sim.get(&format!("joints.h{i}.dissipated_energy"));
                assert!(
                    now >= *before - 1e-6 * largest,
                    "seed {seed}, hinge {i}: {now} after {before}"
                );
                *before = now;
            }
        }
        let share = sim.get("energy.balance").abs() / largest;
        if share > 1e-3 {
            off.push((seed, share));
        }
    }
    println!(
        "{} of {chains} balances off by more than 1e-3 of the largest energy: {off:?}",
        off.len()
    );
    assert!(off.len() <= chains as usize / 24, "{off:?}");
}
