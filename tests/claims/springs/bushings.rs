//! Bushings against closed forms, differences, conserved quantities and the balance of energies.

use nalgebra::{Matrix3, Vector3};

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check_run, sharp};
use crate::common::{Simulation, orders, tier};
use crate::random_mechanisms::Dice;

const MASS: f64 = 3.5;
const INERTIA: f64 = 0.02;
/// K, N/m, N/rad and N·m/rad.
const STIFFNESS: [[f64; 3]; 3] = [[9e3, 2e3, 300.0], [2e3, 5e3, -150.0], [300.0, -150.0, 60.0]];

/// A rigid body whose centre of mass is at the bushing, on the ground.
fn mount(step: f64, more: &str) -> String {
    Mechanism::new("mount")
        .step(step)
        .solver("spectral_radius = 0.99")
        .points("a = [-0.15, -0.1], b = [0.15, -0.1], c = [0.15, 0.1], d = [-0.15, 0.1]")
        .and("centre = [0.0, 0.0], foot = [0.0, 0.0]")
        .body("block", format!("rigid = true, mass = {MASS}, inertia = {INERTIA}"))
        .and("points = ['centre']")
        .patch("block", [1, 1], "bottom: a, right: b, top: c, left: d")
        .spring("mount", "ground = 'foot', to = 'centre'")
        .entry("springs.mount.bushing", "stiffness = [9e3, 5e3, 60.0]")
        .and("coupling = [2e3, 300.0, -150.0]")
        .then(more)
        .outputs("springs.* energy.* points.centre.*")
        .text()
}

fn stiffness() -> Matrix3<f64> {
    Matrix3::from_fn(|i, k| STIFFNESS[i][k])
}

#[test]
fn a_rigid_body_on_a_bushing_has_the_three_frequencies_of_its_matrix() {
    let root = Vector3::new(MASS, MASS, INERTIA).map(|m| 1.0 / m.sqrt());
    let scaled = Matrix3::from_diagonal(&root) * stiffness() * Matrix3::from_diagonal(&root);
    let mut exact: Vec<f64> = scaled.symmetric_eigenvalues().iter().map(|w| w.sqrt()).collect();
    exact.sort_by(f64::total_cmp);
    let found = Simulation::of(&mount(1e-3, "")).frequencies(3);
    println!("{found:?} rad/s, {exact:?}");
    for (found, exact) in found.iter().zip(&exact) {
        assert!((found / exact - 1.0).abs() < 1e-8);
    }
    // The frame turned by φ sees K turned back: as many frequencies, the same ones.
    let turned = Simulation::of(&mount(1e-3, "angle = 0.7")).frequencies(3);
    for (found, exact) in turned.iter().zip(&exact) {
        assert!((found / exact - 1.0).abs() < 1e-8);
    }
}

#[test]
fn a_load_moves_a_body_on_a_bushing_by_the_inverse_of_its_stiffness() {
    let loads = "[loads.push]\npoint = \"centre\"\nfx = 7.0\nfy = -4.0\nmoment = 0.3\n";
    let text = mount(1e-3, "").edit("step = 1e-3", "step = 1e-3\nanalysis = \"quasi_static\"");
    let sim = Simulation::of(&(text.clone() + loads));
    let force = Vector3::new(7.0, -4.0, 0.3);
    let exact = stiffness().try_inverse().expect("positive") * force;
    for (i, key) in ["x", "y", "angle"].iter().enumerate() {
        let moved = sim.get(&format!("springs.mount.{key}"));
        println!("{key}: {moved:e} {:e}", exact[i]);
        assert!((moved / exact[i] - 1.0).abs() < 1e-8);
    }
    for (i, key) in ["fx", "fy", "moment"].iter().enumerate() {
        let felt = sim.get(&format!("springs.mount.{key}"));
        assert!((felt - force[i]).abs() < 1e-7, "{key}");
    }
    let stored = 0.5 * exact.dot(&force);
    assert!((sim.get("springs.mount.stored_energy") / stored - 1.0).abs() < 1e-8);

    // A preload of the same size in the initial configuration, against it, leaves everything where it is drawn.
    let against = text.edit("coupling", "preload = [7.0, -4.0, 0.3]\ncoupling");
    let sim = Simulation::of(&(against + loads));
    let moved = ["x", "y", "angle"].map(|key| sim.get(&format!("springs.mount.{key}")));
    assert!(moved.iter().all(|u| u.abs() < 1e-12), "{moved:?}");
    // So does what is free there less K⁻¹ f.
    let free = -exact;
    let against = text.edit(
        "coupling",
        &format!("free = [{:?}, {:?}, {:?}]\ncoupling", free[0], free[1], free[2]),
    );
    let sim = Simulation::of(&(against + loads));
    let moved = ["x", "y", "angle"].map(|key| sim.get(&format!("springs.mount.{key}")));
    assert!(moved.iter().all(|u| u.abs() < 1e-12), "{moved:?}");
}

#[test]
fn a_damped_mount_decays_with_its_decrement_and_books_what_it_takes() {
    // C = 2 β M: every mode decays with β.
    let beta = 2.0;
    let damping = format!(
        "damping = [{:?}, {:?}, {:?}]",
        2.0 * beta * MASS,
        2.0 * beta * MASS,
        2.0 * beta * INERTIA
    );
    let begun = "[initial.points.centre]\nvx = 0.02\nvy = -0.01\nrotation_rate = 0.3\n";
    let errors = [4e-4, 2e-4, 1e-4].map(|step| {
        let mut sim = Simulation::of(&(mount(step, &damping) + begun));
        let root = Vector3::new(MASS, MASS, INERTIA).map(f64::sqrt);
        let halves = Matrix3::from_diagonal(&root.map(|m| 1.0 / m));
        let eigen = (halves * stiffness() * halves).symmetric_eigen();
        let begun = Matrix3::from_diagonal(&root) * Vector3::new(0.02, -0.01, 0.3);
        let along = eigen.eigenvectors.transpose() * begun;
        let mut worst = 0.0_f64;
        let begin = sim.get("energy.kinetic");
        sim.run(0.5, 0.01, |sim| {
            let t = sim.time();
            let amplitudes = Vector3::from_fn(|i, _| {
                let omega = (eigen.eigenvalues[i] - beta * beta).sqrt();
                along[i] / omega * (-beta * t).exp() * (omega * t).sin()
            });
            let exact = halves * eigen.eigenvectors * amplitudes;
            for (i, key) in ["x", "y", "angle"].iter().enumerate() {
                let moved = sim.get(&format!("springs.mount.{key}"));
                worst = worst.max((moved - exact[i]).abs() * if i < 2 { 1.0 } else { 0.1 });
            }
            let lost = sim.get("springs.mount.dissipated_energy");
            assert!((lost - sim.get("energy.damping_work")).abs() < 1e-15);
            let now = sim.get("energy.kinetic") + sim.get("springs.mount.stored_energy");
            let numerical = sim.get("energy.numerical_dissipation");
            assert!((begin - lost - numerical - now).abs() < 2e-3 * begin);
        });
        worst
    });
    println!("{errors:?} m, orders {:.2?}", orders(&errors));
    assert!(errors[2] < 2e-6 && orders(&errors)[1] > 1.9);
}

/// What free places stand for a preload, as inputs.
const PRELOADED: &str = "preload = [20.0, -10.0, 1.0]";
const FREE: &str = "free = [5e-3, -4e-3, 0.02]";

/// Two rigid bodies that fly and turn, tied by a bushing off their centres of mass.
fn flying(step: f64, frame: &str) -> String {
    let body = |name: &str, x: f64, tie: &str| {
        format!(
            "[bodies.{name}]\nrigid = true\nmass = 2.0\ninertia = 0.05\npoints = [\"{tie}\"]\n[bodies.{name}.patch]\ncells = [1, 1]\n\
             edges = [{}]\n",
            [(0, 1), (1, 2), (2, 3), (3, 0)]
                .map(|(a, b)| format!(
                    "{{ name = \"e{a}\", from = \"{name}{a}\", to = \"{name}{b}\" }}"
                ))
                .join(", ")
        ) + &format!("# at {x}\n")
    };
    let corners = |name: &str, x: f64| {
        [(0.0, 0.0), (0.4, 0.0), (0.4, 0.2), (0.0, 0.2)]
            .iter()
            .enumerate()
            .map(|(i, (u, v))| format!("{name}{i} = [{:?}, {v:?}]\n", x + u))
            .collect::<String>()
    };
    format!(
        "name = \"flying\"\n[solver]\nstep = {step:?}\nspectral_radius = 0.99\n[points]\n{}{}ta = [0.4, 0.1]\ntb = [0.5, 0.13]\n",
        corners("a", 0.0),
        corners("b", 0.5)
    ) + &body("a", 0.0, "ta")
        + &body("b", 0.5, "tb")
        + &format!(
            "[springs.tie]\nfrom = \"ta\"\nto = \"tb\"\n[springs.tie.bushing]\nframe = \"{frame}\"\nangle = 0.3\n\
             stiffness = [4e3, 2e3, 40.0]\ncoupling = [500.0, 60.0, -30.0]\npreload = [20.0, -10.0, 1.0]\n\
             damping = [4.0, 9.0, 0.1]\ndamping_coupling = [2.0, 0.1, 0.2]\nfx = 1.0\nmoment = 0.1\n\
             [initial.points.ta]\nvx = 0.4\nvy = 1.0\nrotation_rate = 9.0\n[initial.points.tb]\nvx = -0.2\nvy = 1.8\nrotation_rate = 7.0\n\
             [interface]\ninputs = [\"springs.tie.*\"]\noutputs = [\"springs.*\", \"energy.*\", \"mechanism.*\", \"points.t*\"]\n"
        ).replace("\"points.t*\"", "\"points.ta.*\", \"points.tb.*\"")
}

#[test]
fn two_bodies_tied_by_a_bushing_keep_momentum_and_angular_momentum() {
    for frame in ["from", "to"] {
        let turns = [1e-3, 5e-4].map(|step| {
            let mut sim = Simulation::of(&flying(step, frame));
            let keys = ["momentum_x", "momentum_y", "angular_momentum"];
            let read = |sim: &Simulation| keys.map(|key| sim.get(&format!("mechanism.{key}")));
            let begin = read(&sim);
            let (mut worst, mut largest) = ([0.0_f64; 3], 0.0_f64);
            sim.run(1.0, 0.01, |sim| {
                for (worst, (now, then)) in worst.iter_mut().zip(read(sim).iter().zip(begin)) {
                    *worst = worst.max((now - then).abs());
                }
                largest = largest.max(sim.get("points.ta.rotation").abs());
            });
            println!("{frame}: {worst:?} of {begin:?}, turned by {largest} rad");
            assert!(largest > 6.0, "they turn");
            assert!(worst[0] < 1e-9 && worst[1] < 1e-9, "{worst:?}");
            let balance = sim.get("energy.balance").abs();
            let all = sim.get("energy.kinetic");
            assert!(balance < 1e-4 * all, "{balance:e} of {all}");
            worst[2]
        });
        // The time integration keeps angular momentum to its order.
        assert!(turns[1] < 1e-5 && orders(&turns)[0] > 1.8, "{turns:?}");
    }
}

/// Two sections that motions hold, each with x, y and angle as inputs, and a bushing between them.
fn held(frame: &str) -> String {
    let mut text = format!(
        "name = \"held\"\n[solver]\nstep = 1e-2\nanalysis = \"quasi_static\"\n[points]\na = [0.1, 0.0]\nb = [0.4, 0.2]\nfree = [1.0, 0.0]\n\
         [masses.free]\npoint = \"free\"\nmass = 1.0\n[supports.free]\npoint = \"free\"\nfix = [\"y\"]\n\
         [springs.free]\nground = \"a\"\nto = \"free\"\nstiffness = 1.0\n\
         [springs.tie]\nfrom = \"a\"\nto = \"b\"\n[springs.tie.bushing]\nframe = \"{frame}\"\nangle = 0.3\n\
         stiffness = [4e3, 2e3, 40.0]\ncoupling = [500.0, 60.0, -30.0]\npreload = [20.0, -10.0, 1.0]\n\
         [interface]\ninputs = [\"motions.*\"]\noutputs = [\"springs.*\", \"motions.*\"]\n"
    );
    for point in ["a", "b"] {
        text +=
            &format!("[masses.{point}]\npoint = \"{point}\"\nmass = 1.0\nrotary_inertia = 0.1\n");
        for (way, key) in [("x", "displacement"), ("y", "displacement"), ("rotation", "angle")] {
            text += &format!(
                "[motions.{point}{way}]\npoint = \"{point}\"\ndirection = \"{way}\"\n{key} = 0.0\n"
            );
        }
    }
    text
}

#[test]
fn what_turns_with_a_bushing_feels_the_same_forces_and_stores_the_same_energy() {
    let keys = ["x", "y", "angle", "fx", "fy", "moment", "stored_energy"];
    for frame in ["from", "to"] {
        let text = held(frame);
        // First apart, then all of it turned about the origin and moved.
        let place = |turn: f64, shift: [f64; 2]| {
            let mut sim = Simulation::of(&text);
            let (sin, cos) = turn.sin_cos();
            let sides = [("a", [0.1, 0.0, 0.0]), ("b", [0.41, 0.18, 0.1])];
            let drawn = [[0.1, 0.0], [0.4, 0.2]];
            let mut places = [[0.0; 2]; 2];
            for (i, (name, [x, y, r])) in sides.into_iter().enumerate() {
                places[i] = [cos * x - sin * y + shift[0], sin * x + cos * y + shift[1]];
                sim.set(&format!("motions.{name}x.displacement"), places[i][0] - drawn[i][0]);
                sim.set(&format!("motions.{name}y.displacement"), places[i][1] - drawn[i][1]);
                sim.set(&format!("motions.{name}rotation.angle"), r + turn);
            }
            sim.step(1e-2);
            // What the drives exert is in balance, moments about the origin included.
            let drive = |name: &str| {
                ["x", "y", "rotation"].map(|way| sim.get(&format!("motions.{name}{way}.reaction")))
            };
            let ([ax, ay, am], [bx, by, bm]) = (drive("a"), drive("b"));
            let [[x, y], [u, v]] = places;
            let size = ax.hypot(ay);
            assert!(size > 10.0 && (ax + bx).hypot(ay + by) < 1e-10 * size);
            let moments = am + bm + x * ay - y * ax + u * by - v * bx;
            assert!(moments.abs() < 1e-9 * size, "{moments:e}");
            keys.map(|key| sim.get(&format!("springs.tie.{key}")))
        };
        let still = place(0.0, [0.0; 2]);
        assert!(still.iter().all(|x| x.abs() > 1e-6), "{still:?}");
        for (turn, shift) in [(0.4, [0.0, 0.0]), (2.0, [3.0, -1.0]), (-11.0, [-20.0, 7.0])] {
            for (key, (a, b)) in keys.iter().zip(place(turn, shift).into_iter().zip(still)) {
                assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{turn}: {key} {a} {b}");
            }
        }
    }
}

#[test]
fn derivatives_by_the_numbers_of_a_bushing_are_those_of_differences() {
    for frame in ["from", "to"] {
        let text = sharp(&flying(1e-3, frame).edit(PRELOADED, FREE), 1e-13);
        let knowns = [
            ("springs.tie.bushing.fx", 1.0),
            ("springs.tie.bushing.fy", 1.0),
            ("springs.tie.bushing.moment", 0.1),
            ("springs.tie.bushing.stiffness_scale", 1e-2),
            ("springs.tie.bushing.damping_scale", 1e-1),
            ("springs.tie.bushing.free[0]", 1e-3),
            ("springs.tie.bushing.free[1]", 1e-3),
            ("springs.tie.bushing.free[2]", 1e-2),
        ];
        check_run(&text, 0.2, &knowns, 1e-5, 60);
    }
}

#[test]
fn a_bushing_stands_where_its_inputs_say_that_it_is_free() {
    let text = mount(1e-3, "free = [1e-3, -2e-3, 0.1]")
        .edit("[solver]", "[solver]\nanalysis = \"quasi_static\"")
        .edit("[interface]", "[interface]\ninputs = [\"springs.mount.bushing.*\"]");
    let mut sim = Simulation::of(&text);
    for free in [[1e-3, -2e-3, 0.1], [5e-3, 4e-3, -0.2]] {
        for (k, value) in free.into_iter().enumerate() {
            sim.set(&format!("springs.mount.bushing.free[{k}]"), value);
        }
        sim.step(0.01);
        for (key, exact) in ["x", "y", "angle"].into_iter().zip(free) {
            let found = sim.get(&format!("springs.mount.{key}"));
            assert!((found - exact).abs() < 1e-9, "{key}: {found} {exact}");
        }
    }
}

#[test]
fn inputs_of_a_bushing_do_the_work_that_the_balance_misses_without_them() {
    // All of them, and those alone that move where it is free.
    work_of_inputs("", "\"springs.tie.*\"");
    work_of_inputs("free", "\"springs.tie.bushing.free[0]\", \"springs.tie.bushing.free[2]\"");
}

/// Those whose names begin with `of`, which are these `inputs`.
fn work_of_inputs(of: &str, inputs: &str) {
    let text = flying(1e-3, "to")
        .edit(PRELOADED, FREE)
        .edit("\"springs.tie.*\"", inputs)
        .edit("outputs", "linear = [\"springs.*\"]\noutputs");
    let mut sim = Simulation::of(&text);
    let mut largest = 0.0_f64;
    for n in 0..200 {
        let t = 0.005 * f64::from(n + 1);
        let values = [
            ("fx", 20.0 * (9.0 * t).sin()),
            ("fy", 10.0 * (7.0 * t).sin()),
            ("moment", 0.1 + (5.0 * t).sin()),
            ("stiffness_scale", 1.0 + 0.5 * (11.0 * t).sin()),
            ("damping_scale", 1.0 + (13.0 * t).sin()),
            ("free[0]", 1e-3 * (8.0 * t).sin()),
            ("free[2]", 0.02 * (6.0 * t).sin()),
        ];
        for (key, value) in values.into_iter().filter(|(key, _)| key.starts_with(of)) {
            sim.set(&format!("springs.tie.bushing.{key}"), value);
        }
        sim.step(0.005);
        largest = largest.max(sim.get("energy.input_work").abs());
    }
    let (balance, all) = (sim.get("energy.balance").abs(), sim.get("energy.kinetic"));
    println!("{of}: {balance:.1e} J of {all:.2} J, inputs {largest:.2} J");
    assert!(largest > 1e-3 && balance < 1e-4 * all);
}

/// Rigid blocks in a row, each tied to others or to the ground by bushings with any matrix.
fn net(seed: u64, step: f64) -> String {
    let dice = &mut Dice::seeded(seed);
    let bodies = dice.whole(1, 3);
    let mut points = String::from("ground = [0.0, 0.5]\n");
    let mut inside = String::new();
    for i in 0..bodies {
        let x = i as f64;
        for (k, [u, v]) in [[0.0, 0.0], [0.8, 0.0], [0.8, 0.5], [0.0, 0.5]].iter().enumerate() {
            points += &format!("c{i}_{k} = [{:?}, {v:?}]\n", x + u);
        }
        let mass = dice.scale(0.1, 10.0);
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0)]
            .map(|(a, b)| format!("{{ name = \"e{a}\", from = \"c{i}_{a}\", to = \"c{i}_{b}\" }}"))
            .join(", ");
        inside += &format!(
            "[bodies.b{i}]\nrigid = true\nmass = {mass:e}\ninertia = {:e}\n[bodies.b{i}.patch]\ncells = [1, 1]\nedges = [{edges}]\n",
            0.07 * mass
        );
        for tie in 0..dice.whole(1, 2) {
            let ground = i == 0 || dice.chance(0.3);
            let from = match ground {
                true => "ground = \"ground\"".to_string(),
                false => format!("from = \"c{}_{}\"", dice.whole(0, i - 1), dice.whole(0, 3)),
            };
            let omega = dice.scale(1.0, 0.2 / step.max(1e-4));
            let mut form = |scale: f64| {
                // A product of a random triangle with itself, in N, m and rad with a lever of 0.3 m.
                let l: Vec<f64> = (0..6).map(|_| dice.between(-1.0, 1.0)).collect();
                let rows = [[l[0], 0.0, 0.0], [l[1], l[2], 0.0], [l[3], l[4], l[5]]];
                let lever = [1.0, 1.0, 0.3];
                let of = |a: usize, b: usize| {
                    let dot: f64 = (0..3).map(|k| rows[a][k] * rows[b][k]).sum();
                    scale * dot * lever[a] * lever[b]
                };
                [[of(0, 0), of(1, 1), of(2, 2)], [of(0, 1), of(0, 2), of(1, 2)]]
            };
            let [k, c] = [form(mass * omega * omega), form(0.3 * mass * omega)];
            let frame = dice.choose(&["from", "to"]);
            inside += &format!(
                "[springs.s{i}_{tie}]\n{from}\nto = \"c{i}_{}\"\n[springs.s{i}_{tie}.bushing]\nframe = \"{frame}\"\nangle = {:?}\n\
                 stiffness = {:?}\ncoupling = {:?}\ndamping = {:?}\ndamping_coupling = {:?}\nfx = {:e}\n",
                dice.whole(0, 3),
                dice.between(-3.0, 3.0),
                k[0],
                k[1],
                c[0],
                c[1],
                mass * dice.between(-3.0, 3.0),
            );
        }
        inside += &format!(
            "[initial.points.c{i}_0]\nvx = {:?}\nrotation_rate = {:?}\n",
            dice.between(-1.0, 1.0),
            dice.between(-4.0, 4.0)
        );
    }
    format!(
        "name = \"net\"\n[solver]\nstep = {step:e}\n[gravity]\ny = -9.81\n[interface]\noutputs = [\"energy.*\", \"springs.*\"]\n\
         [points]\n{points}{inside}"
    )
}

#[test]
fn nets_of_random_bushings_keep_their_energy_and_take_none_back() {
    let nets = tier::random(60);
    let mut off = Vec::new();
    for seed in 0..nets {
        let step = [1e-5, 1e-4, 1e-3, 1e-2][seed as usize % 4];
        let text = net(seed, step);
        let mut sim = Simulation::of(&text);
        let names: Vec<String> = (sim.system.model().bushings.iter())
            .map(|bushing| format!("springs.{}.dissipated_energy", bushing.name))
            .collect();
        let mut before = vec![0.0_f64; names.len()];
        let mut largest = 0.0_f64;
        for n in 0..200 {
            let h = 5.0 * step;
            if let Err(fault) = sim.try_step(f64::from(n) * h, h) {
                panic!("seed {seed}: {fault}\n{text}");
            }
            largest = largest.max(sim.energy(&["kinetic", "strain", "input_work", "damping_work"]));
            for (name, before) in names.iter().zip(&mut before) {
                let now = sim.get(name);
                assert!(now >= *before, "seed {seed}: {name} {now} after {before}");
                *before = now;
            }
        }
        let share = sim.get("energy.balance").abs() / largest;
        if share > 1e-3 {
            off.push((seed, share));
        }
    }
    println!(
        "{} of {nets} balances off by more than 1e-3 of the largest energy: {off:?}",
        off.len()
    );
    assert!(off.len() <= tier::allowed(nets as usize, 50), "{off:?}");
}
