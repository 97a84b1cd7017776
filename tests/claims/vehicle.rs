//! The vehicle on the bridge: stands, is let go, brakes, comes to rest.

use crate::common::edit::Edit;
use crate::common::{self, Simulation};

const G: f64 = 9.81;
/// 100 km/h.
const SPEED: f64 = 100.0 / 3.6;

fn vehicle(values: &[(&str, f64)]) -> Simulation {
    Simulation::bundled("vehicle_on_bridge", values)
}

/// Mean and standard deviation.
fn spread(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
    [mean, square.sqrt()]
}

#[test]
fn its_bars_weigh_1500_kg_and_all_of_it_starts_with_100_km_per_h() {
    let sim = vehicle(&[("parameters.road", 0.0)]);
    let kinetic = 0.5 * 1500.0 * SPEED * SPEED;
    assert!((sim.get("energy.kinetic") / kinetic - 1.0).abs() < 1e-3);
}

/// Slow: the equilibrium of the vehicle on the bundled bridge.
#[test]
fn vehicle_and_bridge_stand_in_equilibrium() {
    let values = [
        ("parameters.road", 0.0),
        ("parameters.speed", 0.0),
        ("parameters.static_friction", 0.0),
        ("parameters.kinetic_friction", 0.0),
    ];
    let mut sim = vehicle(&values);
    // Mid-span of the first of two spans under their own weight: w L⁴/(192 EI).
    let bending = 20e9 * 3.5 * 0.5_f64.powi(3) / 12.0;
    let sag = -2500.0 * 3.5 * 0.5 * G * 25.0_f64.powi(4) / (192.0 * bending);
    sim.run(0.05, 1e-3, |sim| {
        let weight = sim.get("joints.front.normal_force") + sim.get("joints.rear.normal_force");
        assert!((weight / G - 1500.0).abs() < 1.0, "{weight}");
        // Shear and the finite sag make 2 parts in a thousand.
        assert!((sim.get("probes.first_span") / sag - 1.0).abs() < 4e-3);
        assert!(sim.get("energy.kinetic") < 1e-9);
    });
}

#[test]
fn its_speed_is_held_until_the_front_wheel_is_on_the_bridge() {
    let mut sim = vehicle(&[("parameters.road", 0.0), ("solver.step", 1e-3)]);
    let first = sim.get("joints.front.position");
    let (mut place, mut work) = (0.0, None);
    sim.run(0.8, 1e-3, |sim| {
        if sim.get("motions.drive.reaction") != 0.0 {
            place = sim.get("joints.front.position");
            let driven = SPEED * sim.time();
            assert!((sim.get("motions.drive.position") - driven).abs() < 1e-9);
        } else {
            let done = sim.get("energy.input_work");
            assert_eq!(*work.get_or_insert(done), done);
        }
    });
    assert!(work.is_some(), "it is let go");
    assert!((first - 5.35).abs() < 0.05, "{first}");
    // The last look before it is let go: up to one step of 28 mm short.
    assert!(place < 20.0 && place > 20.0 - 1.1e-3 * SPEED, "{place}");
}

#[test]
fn both_wheels_follow_the_same_road() {
    let text = common::bundled("vehicle_on_bridge")
        .edit("outputs = [", "outputs = [\"points.front_wheel.y\", \"points.rear_wheel.y\", ");
    let mut sim = Simulation::of(&text);
    let sliders = &sim.system.model().sliders;
    let roads = [0, 1].map(|j| sliders[j].roughness.clone().expect("a road").over(170.0));
    assert_eq!(roads[0], roads[1]);
    let road = &roads[0];
    let mut heights = Vec::new();
    sim.run(0.1, 1e-4, |sim| {
        for wheel in ["front", "rear"] {
            let s = sim.get(&format!("joints.{wheel}.position"));
            let y = sim.get(&format!("points.{wheel}_wheel.y"));
            assert!((y - road.at(s)[0]).abs() < 1e-9, "{wheel} {s}: {y}");
            heights.push(y);
        }
    });
    assert!(spread(&heights)[1] > 1e-4, "a road of class A is rough");
}

/// The way of a point that Stribeck friction brings to rest from v₀: ∫ v dv/(g μ(v)).
fn braking_distance(v0: f64) -> f64 {
    let n = 10_000;
    let h = v0 / f64::from(n);
    let share = |i: i32| {
        let v = (f64::from(i) + 0.5) * h;
        h * v / (G * (0.3 + 0.1 * (-v).exp()))
    };
    (0..n).map(share).sum()
}

/// Slow: the vehicle rocks for 14 s before it stands.
#[test]
fn friction_brings_it_to_rest_and_keeps_it_there() {
    let values = [
        ("parameters.road", 0.0),
        ("parameters.speed", 3.0),
        ("motions.drive.release.position.at", 6.0),
        ("solver.step", 1e-3),
    ];
    let mut sim = vehicle(&values);
    let place = |sim: &Simulation, wheel: &str| sim.get(&format!("joints.{wheel}.position"));
    // The body rocks on its arms for a while and drags the wheels along.
    sim.run(4.0, 1e-2, |_| ());
    let rest = ["front", "rear"].map(|wheel| place(&sim, wheel));
    let way = rest[0] - 6.0;
    assert!((way / braking_distance(3.0) - 1.0).abs() < 0.05, "{way}");
    sim.run(14.0, 1e-2, |sim| {
        for (wheel, rest) in ["front", "rear"].into_iter().zip(rest) {
            assert!((place(sim, wheel) - rest).abs() < 1e-9, "{wheel}");
            assert_eq!(sim.get(&format!("joints.{wheel}.sticking")), 1.0);
        }
    });
    assert!(sim.get("energy.kinetic") > 1e-3, "the body still rocks on the wheels that stand");
}

/// Standard deviation of the front wheel's force in the 0.4 s before the bridge.
fn restlessness(road: f64, seed: f64) -> f64 {
    let mut sim = vehicle(&[("parameters.road", road), ("parameters.seed", seed)]);
    let mut forces = Vec::new();
    sim.run(0.4, 1e-3, |sim| forces.push(sim.get("joints.front.normal_force")));
    spread(&forces)[1]
}

/// Slow: the vehicle crosses the bridge on several random roads.
#[test]
fn the_rougher_the_road_the_more_the_wheel_force_varies() {
    for seed in [1.0, 2.0] {
        let [smooth, a, b] = [0.0, 16e-6, 64e-6].map(|road| restlessness(road, seed));
        println!("seed {seed}: {smooth:.0} N, class A {a:.0} N, class B {b:.0} N");
        assert!(smooth < 0.15 * a && b > 1.2 * a, "{smooth} {a} {b}");
    }
}

/// Slow: the vehicle crosses the bridge on a coarse and on a fine mesh.
#[test]
fn the_wheel_force_on_a_road_is_that_of_the_road_and_not_of_the_bridges_mesh() {
    let text = common::bundled("vehicle_on_bridge");
    assert_eq!(text.matches("elements = 5\n").count(), 2, "the spans");
    let [coarse, fine] = [5, 50].map(|elements| {
        let text = text.edit("elements = 5\n", &format!("elements = {elements}\n"));
        let frictionless = [
            ("parameters.road", 16e-6),
            ("parameters.static_friction", 0.0),
            ("parameters.kinetic_friction", 0.0),
        ];
        let mut sim = Simulation::with(&text, &frictionless);
        let mut forces = Vec::new();
        // The front wheel is on the bridge from 0.5 s on and passes the middle support at 1.5 s.
        sim.run(1.6, 1e-3, |sim| forces.push(sim.get("joints.front.normal_force")));
        forces
    });
    let difference: Vec<f64> = coarse.iter().zip(&fine).map(|(a, b)| a - b).collect();
    let ([mean, one], [_, other]) = (spread(&fine), spread(&coarse));
    let off = spread(&difference)[1];
    println!("{mean:.0} N, varies by {one:.1} and {other:.1} N, one from the other by {off:.1} N");
    assert!(one > 0.3 * mean, "the road is felt");
    assert!(off < 0.01 * mean && (other / one - 1.0).abs() < 0.01);
}

/// Largest error of the energy balance until t = 0.6 s, as a share of the initial kinetic energy; the vehicle is
/// let go at 0.53 s.
fn unexplained(road: f64, step: f64) -> f64 {
    let mut sim = vehicle(&[("parameters.road", road), ("solver.step", step)]);
    let kinetic = sim.get("energy.kinetic");
    let mut most = 0.0_f64;
    sim.run(0.6, 1e-3, |sim| most = most.max(sim.get("energy.balance").abs()));
    most / kinetic
}

/// Slow: the order of the balance needs two runs in steps of 0.1 ms and less.
#[test]
fn the_energy_balance_closes_to_a_millionth_in_any_step() {
    let smooth = unexplained(0.0, 1e-4);
    let [coarse, fine] = [1e-4, 5e-5].map(|step| unexplained(16e-6, step));
    println!("smooth {smooth:.2e}, class A {coarse:.2e}, at half the step {fine:.2e}");
    assert!(smooth < 1e-9 && coarse < 1e-6 && fine < 1e-6);
}

/// Slow: the vehicle crosses the whole bridge in steps of a millisecond.
#[test]
fn what_the_time_integration_takes_on_a_rough_road_is_an_entry_of_its_own() {
    // Behind the bridge, where contact forces of more than 100 kN change within a few steps.
    let mut sim = vehicle(&[("parameters.road", 16e-6)]);
    let kinetic = sim.get("energy.kinetic");
    let mut most = 0.0_f64;
    sim.run(4.6, 1e-3, |sim| most = most.max(sim.get("energy.balance").abs()));
    let taken = sim.get("energy.numerical_dissipation") / kinetic;
    println!("off by {:.2e}, time integration {taken:.2e}", most / kinetic);
    assert!(most < 1e-4 * kinetic && taken > 3e-4);
}

/// The vehicle with wheels that may lift off.
fn free_to_lift_off(values: &[(&str, f64)]) -> Simulation {
    let text = common::bundled("vehicle_on_bridge");
    let free = text.edit("\"exit\"] }", "\"exit\"], contact = \"unilateral\" }");
    assert_eq!(free.matches("unilateral").count(), 2);
    Simulation::with(&free, values)
}

/// Slow: the vehicle crosses the bridge on two roads.
#[test]
fn wheels_that_may_lift_off_are_never_pulled_and_do_lift_off() {
    let weight = 1500.0 * G;
    for road in [16e-6, 64e-6] {
        let mut sim = free_to_lift_off(&[("parameters.road", road)]);
        let kinetic = sim.get("energy.kinetic");
        let (mut least, mut flights, mut gained) = (f64::INFINITY, [0; 2], 0.0_f64);
        sim.run(0.8, 1e-3, |sim| {
            for (j, wheel) in ["front", "rear"].into_iter().enumerate() {
                // The path is pushed to the right of growing s: down.
                least = least.min(-common::signed_normal_force(sim, j));
                let gap = sim.get(&format!("joints.{wheel}.gap"));
                assert!(gap > -1e-9, "{wheel}: {gap}");
                flights[j] += usize::from(gap > 1e-6);
            }
            gained = gained.min(sim.lost());
        });
        println!("{road}: least {least:.1} N, in the air {flights:?} of 800, gained {gained:.1} J");
        assert!(least >= -1e-6 * weight, "{least}");
        assert!(flights.iter().all(|&count| count > 20), "{flights:?}");
        // Landing loses energy; nothing gives any.
        assert!(gained > -1e-3 * kinetic, "{gained} of {kinetic}");
    }
}

/// Slow: the vehicle rocks for 8 s before it stands.
#[test]
fn wheels_that_may_lift_off_come_to_rest_and_stay_there() {
    let values = [
        ("parameters.road", 16e-6),
        ("parameters.speed", 3.0),
        ("motions.drive.release.position.at", 6.0),
        ("solver.step", 1e-3),
    ];
    let mut sim = free_to_lift_off(&values);
    sim.run(4.0, 1e-2, |_| ());
    let place = |sim: &Simulation, wheel: &str| sim.get(&format!("joints.{wheel}.position"));
    let rest = ["front", "rear"].map(|wheel| place(&sim, wheel));
    sim.run(8.0, 1e-2, |sim| {
        for (wheel, rest) in ["front", "rear"].into_iter().zip(rest) {
            assert!((place(sim, wheel) - rest).abs() < 1e-9, "{wheel}");
        }
    });
}
