//! Rigid stops of springs: bouncing between lengths and angles, rest on a stop, and energy that never grows.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check, sharp};
use crate::common::{Simulation, tier};
use crate::random_mechanisms::Dice;

/// A wheel of 0.02 kg·m² that −0.5 N·m turns towards its stop, 0.3 rad away.
fn wheel(step: f64, restitution: f64) -> String {
    Mechanism::new("wheel")
        .step(step)
        .points("axle = [0.0, 0.0]")
        .entry("masses.wheel", "point = 'axle', mass = 1.0, rotary_inertia = 0.02")
        .pin("axle")
        .spring("limit", "to = 'axle', direction = 'rotation'")
        .and(format!("stop = {{ least = -0.3, rigid = true, restitution = {restitution:?} }}"))
        .load("push", "point = 'axle', moment = -0.5")
        .inputs("loads.push.moment")
        .outputs("springs.* points.* energy.*")
        .text()
}

#[test]
fn a_wheel_bounces_off_its_stop_as_a_ball_does_and_comes_to_rest_on_it() {
    let (e, pull) = (0.6_f64, 0.5_f64 / 0.02);
    for step in [1e-2, 1e-3, 1e-4] {
        let mut sim = Simulation::of(&wheel(step, e));
        let first = (2.0 * 0.3 / pull).sqrt();
        let speed = pull * first;
        let end = first + 2.0 * speed / pull * e / (1.0 - e);
        let mut worst = 0.0_f64;
        sim.run(end + 0.2, 1e-2, |sim| {
            let t = sim.time();
            // The flight in which it is: the angle above the stop.
            let (mut begin, mut up) = (first, e * speed);
            let exact = if t < first {
                0.3 - 0.5 * pull * t * t
            } else {
                while t > begin + 2.0 * up / pull && up > 1e-6 {
                    begin += 2.0 * up / pull;
                    up *= e;
                }
                let since = t - begin;
                if up > 1e-6 { up * since - 0.5 * pull * since * since } else { 0.0 }
            };
            let angle = sim.get("springs.limit.angle");
            assert!(angle >= -0.3 - 1e-9, "{step}: {angle} at {t}");
            worst = worst.max((angle + 0.3 - exact).abs());
        });
        println!("{step} s: off by {worst:.1e} rad");
        assert!(worst < 1e-6, "{step}: {worst}");
        // At rest on the stop, which holds with the moment that pushes.
        assert!((sim.get("springs.limit.angle") + 0.3).abs() < 1e-12);
        assert!(sim.get("springs.limit.rate").abs() < 1e-9);
        assert!((sim.get("springs.limit.stop_moment") + 0.5).abs() < 1e-6);
        let lost = 0.5 * 0.3;
        let [impacts, numerical] =
            ["impact_loss", "numerical_dissipation"].map(|e| sim.get(&format!("energy.{e}")));
        println!("lost {impacts} of {lost} J, numerical {numerical:e}");
        // Bounces shorter than a step's part end in it.
        assert!((impacts + numerical - lost).abs() < 1e-9 * lost && numerical.abs() < 1e-3 * lost);
        assert!(sim.get("energy.balance").abs() < 1e-9);
        // It leaves when it is pulled off, and with no other force.
        sim.set("loads.push.moment", 0.1);
        let t = sim.time();
        sim.run(t + 0.1, 1e-2, |_| {});
        let gone = 0.5 * 0.1 / 0.02 * 0.01;
        assert!(
            (sim.get("springs.limit.angle") + 0.3 - gone).abs()
                < 1e-3 * gone + 0.1 * step * step / 1e-2
        );
        assert!(sim.get("springs.limit.stop_moment").abs() < 1e-12);
    }
}

#[test]
fn a_pendulum_rises_behind_its_stop_as_its_restitution_lets_it() {
    let pendulum = &Mechanism::new("pendulum")
        .step(1e-3)
        .solver("spectral_radius = 0.99")
        .points("axle = [0.0, 0.0], a = [0.6, -0.05], b = [0.8, -0.05], c = [0.8, 0.05]")
        .and("d = [0.6, 0.05]")
        .body("bob", "rigid = true, mass = 2.0, inertia = 0.03, points = ['axle']")
        .patch("bob", [1, 1], "e0: a, e1: b, e2: c, e3: d")
        .pin("axle")
        .spring("wall", "to = 'axle', direction = 'rotation'")
        .and("stop = { least = '-pi/2', rigid = true, restitution = 0.7 }")
        .gravity(-9.81)
        .outputs("springs.* energy.* supports.*")
        .text();
    // From the side against a stop at its lowest place: 1 − cos φ is e² of what it was.
    let mut sim = Simulation::of(pendulum);
    let inertia = 0.03 + 2.0 * 0.49;
    let (mut struck, mut highest, mut before) = (0, [0.0_f64; 3], 0.0_f64);
    sim.run(3.0, 1e-3, |sim| {
        let (angle, rate) = (sim.get("springs.wall.angle"), sim.get("springs.wall.rate"));
        if before < -0.5 && rate > 0.0 {
            struck += 1;
        }
        before = rate;
        let up = angle + std::f64::consts::FRAC_PI_2;
        assert!(up > -1e-10);
        if struck < 3 {
            highest[struck] = highest[struck].max(1.0 - up.cos());
        }
        let balance = sim.get("energy.balance").abs();
        assert!(balance < 1e-5 * 2.0 * 9.81 * 0.7, "{balance:e}");
    });
    println!("struck {struck} times; 1 − cos φ {highest:?}, J {inertia}");
    assert!(struck >= 2);
    assert!((highest[1] - 0.49).abs() < 2e-4 && (highest[2] - 0.49 * 0.49).abs() < 2e-4);
}

#[test]
fn two_masses_with_a_gap_keep_their_momentum_and_part_with_newtons_restitution() {
    for (direction, limit) in
        [("line", "least = 0.2"), ("x", "least = 0.2"), ("x", "least = 0.2, most = 9.0")]
    {
        for (e, step) in [(0.0, 1e-2), (0.5, 1e-3), (1.0, 1e-4)] {
            let text = format!(
                "name = \"gap\"\n[solver]\nstep = {step:?}\n[points]\na = [0.0, 0.0]\nb = [1.0, 0.0]\n\
                 [masses.a]\npoint = \"a\"\nmass = 2.0\n[masses.b]\npoint = \"b\"\nmass = 0.5\n\
                 [supports.a]\npoint = \"a\"\nfix = [\"y\"]\n[supports.b]\npoint = \"b\"\nfix = [\"y\"]\n\
                 [springs.gap]\nfrom = \"a\"\nto = \"b\"\ndirection = \"{direction}\"\n\
                 stop = {{ {limit}, rigid = true, restitution = {e:?} }}\n\
                 [initial.points.a]\nvx = 3.0\n[initial.points.b]\nvx = -1.0\n\
                 [interface]\noutputs = [\"points.*\", \"springs.*\", \"energy.*\"]\n"
            );
            let mut sim = Simulation::of(&text);
            sim.run(0.35, 0.05, |sim| {
                assert!(sim.get("springs.gap.length") > 0.2 - 1e-9);
            });
            let mean = (2.0 * 3.0 - 0.5) / 2.5;
            let exact = [mean - e * 4.0 * 0.5 / 2.5, mean + e * 4.0 * 2.0 / 2.5];
            let found = ["a", "b"].map(|p| sim.get(&format!("points.{p}.vx")));
            println!("{direction} {e} {step}: {found:?} {exact:?}");
            for (found, exact) in found.iter().zip(exact) {
                assert!((found - exact).abs() < 1e-9);
            }
            // Where and when: the gap of 0.8 m closes at 4 m/s after 0.2 s.
            let since = 0.15;
            let place = 3.0 * 0.2 + exact[0] * since;
            assert!((sim.get("points.a.x") - place).abs() < 1e-9);
            let lost = 0.5 * (2.0 * 0.5 / 2.5) * 16.0 * (1.0 - e * e);
            assert!((sim.get("energy.impact_loss") - lost).abs() < 1e-9);
            assert!(sim.get("energy.balance").abs() < 1e-9);
        }
    }
}

/// Two masses, one above the other, each with a stop below, under their weights.
fn stack() -> String {
    Mechanism::new("stack")
        .step(1e-3)
        .points("floor = [0.0, 0.0], low = [0.0, 0.3], high = [0.0, 0.5]")
        .mass("low", 2.0)
        .mass("high", 3.0)
        .support("low", "point = 'low', fix = ['x']")
        .support("high", "point = 'high', fix = ['x']")
        .spring("low", "ground = 'floor', to = 'low', direction = 'y'")
        .and("stop = { least = 0.3, rigid = true }")
        .spring("high", "from = 'low', to = 'high', direction = 'y'")
        .and("stop = { least = 0.2, rigid = true }")
        .load("push", "point = 'high', fy = -5.0")
        .gravity(-9.81)
        .inputs("loads.push.fy")
        .outputs("springs.* points.* energy.*")
        .text()
}

#[test]
fn what_rests_on_its_stops_presses_with_its_weight_and_gives_derivatives() {
    let mut sim = Simulation::of(&stack());
    let expect = |sim: &Simulation, push: f64| {
        let [low, high] =
            ["low", "high"].map(|name| sim.get(&format!("springs.{name}.stop_force")));
        assert!((low + 5.0 * 9.81 + push).abs() < 1e-6, "{low}");
        assert!((high + 3.0 * 9.81 + push).abs() < 1e-6, "{high}");
    };
    sim.run(0.1, 0.01, |sim| expect(sim, 5.0));
    sim.set("loads.push.fy", -50.0);
    sim.run(0.2, 0.01, |_| {});
    expect(&sim, 50.0);
    assert!((sim.get("points.high.y") - 0.5).abs() < 1e-12);
    assert_eq!(sim.get("energy.impact_loss"), 0.0);
    let text = sharp(&stack(), 1e-13);
    let mut sim = Simulation::of(&text);
    sim.run(0.05, 0.01, |_| {});
    let sure = check(&sim, &text, 0.01, &[("loads.push.fy", 1.0)], 1e-5);
    println!("{sure} derivatives");
    assert!(sure > 1);

    // Statics.
    let still = stack().edit("step = 1e-3", "step = 1e-3\nanalysis = \"quasi_static\"");
    let mut sim = Simulation::of(&still);
    sim.step(1e-2);
    expect(&sim, 5.0);
}

/// An elastic arm of two members with a knee that may bend from −0.2 to 0.4 rad only, swinging from the wall.
fn arm(step: f64, restitution: f64) -> String {
    Mechanism::new("arm")
        .step(step)
        .points("wall = [0.0, 0.0], knee = [0.6, 0.0], tip = [1.2, 0.0]")
        .material("steel", 2e9, 0.3, 1500.0)
        .rectangle("bar", 0.03, 0.02)
        .member("upper", ["wall", "knee"], "elements = 2, material = 'steel', section = 'bar'")
        .member("lower", ["knee", "tip"], "elements = 2, material = 'steel', section = 'bar'")
        .pin("wall")
        .joint("knee", "hinge = { point = 'knee' }")
        .spring("limit", "from = 'knee', from_member = 'upper', to = 'knee'")
        .and("to_member = 'lower', direction = 'rotation', damping = 0.02, stop.least = -0.2")
        .and(format!("stop.most = 0.4, stop.rigid = true, stop.restitution = {restitution:?}"))
        .start("tip", "vy = 2.0")
        .gravity(-9.81)
        .outputs("springs.* energy.*")
        .text()
}

#[test]
fn a_knee_of_elastic_members_stays_between_its_limits_and_makes_no_energy() {
    for (step, e) in [(1e-3, 0.0), (1e-3, 0.5), (2e-4, 0.9)] {
        let mut sim = Simulation::of(&arm(step, e));
        let (mut loss, mut touched) = (0.0_f64, [false; 2]);
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        sim.run(1.0, 5e-3, |sim| {
            let angle = sim.get("springs.limit.angle");
            range = [range[0].min(angle), range[1].max(angle)];
            let now = sim.get("energy.impact_loss");
            assert!(now >= loss - 1e-12, "{now} after {loss}");
            loss = now;
            let moment = sim.get("springs.limit.stop_moment");
            touched[0] |= moment < 0.0;
            touched[1] |= moment > 0.0;
        });
        let balance = sim.get("energy.balance").abs();
        println!(
            "{step} {e}: {range:?} rad, lost {loss:.3} J, balance {balance:.1e} J, touched {touched:?}"
        );
        assert!(range[0] > -0.2 - 1e-8 && range[1] < 0.4 + 1e-8);
        assert!(range[0] < -0.19 && loss > 0.0);
        assert!(balance < 1e-3);
    }
}

/// Masses in the plane with springs and rigid stops of every direction between them and to the ground.
fn net(seed: u64, step: f64) -> String {
    let dice = &mut Dice::seeded(seed);
    let masses = dice.whole(1, 4);
    let mut text = format!(
        "name = \"net\"\n[solver]\nstep = {step:e}\n[gravity]\ny = -9.81\n\
         [interface]\noutputs = [\"energy.*\", \"springs.*\"]\n[points]\nground = [0.0, 5.0]\n"
    );
    let place = |i: usize| [i as f64 + 0.3, if i.is_multiple_of(2) { 0.0 } else { 0.7 }];
    for i in 0..masses {
        text += &format!("p{i} = {:?}\n", place(i));
    }
    let mut inside = String::new();
    for i in 0..masses {
        let mass = dice.scale(1e-1, 1e1);
        inside += &format!("[masses.m{i}]\npoint = \"p{i}\"\nmass = {mass:e}\n");
        let [u, v] = [0, 1].map(|_| dice.between(-3.0, 3.0));
        inside += &format!("[initial.points.p{i}]\nvx = {u:e}\nvy = {v:e}\n");
        for n in 0..dice.whole(1, 2) {
            let to_ground = i == 0 || dice.chance(0.4);
            let (from, at) = match to_ground {
                true => ("ground = \"ground\"".to_string(), [0.0, 5.0]),
                false => {
                    let other = dice.whole(0, i - 1);
                    (format!("from = \"p{other}\""), place(other))
                }
            };
            let direction = dice.choose(&["line", "x", "y"]);
            let way = [0, 1].map(|k| place(i)[k] - at[k]);
            let drawn = match direction {
                "line" => way[0].hypot(way[1]),
                "x" => way[0],
                _ => way[1],
            };
            let gaps = [dice.between(0.0, 0.3), dice.between(0.0, 0.3)];
            let both = dice.whole(0, 2);
            let mut stop = String::new();
            if both != 1 {
                let least = drawn - gaps[0];
                let least = if direction == "line" { least.max(0.2 * drawn) } else { least };
                stop += &format!("least = {least:?}, ");
            }
            if both != 0 {
                stop += &format!("most = {:?}, ", drawn + gaps[1] + 1e-3);
            }
            let omega = dice.scale(1.0, 0.1 / step.max(1e-4));
            inside += &format!(
                "[springs.s{i}_{n}]\n{from}\nto = \"p{i}\"\ndirection = \"{direction}\"\nstiffness = {:e}\n\
                 stop = {{ {stop}rigid = true, restitution = {:?} }}\n",
                if dice.chance(0.5) { mass * omega * omega } else { 0.0 },
                dice.choose(&["0.0", "0.3", "0.8", "1.0"]).parse::<f64>().expect("a number"),
            );
        }
    }
    text + &inside
}

#[test]
fn nets_of_random_rigid_stops_never_gain_energy_and_stay_within_their_limits() {
    let nets = tier::random(60);
    let (mut refused, mut off, mut struck) = (Vec::new(), Vec::new(), 0);
    for seed in 0..nets {
        let step = [1e-5, 1e-4, 1e-3, 1e-2][seed as usize % 4];
        let text = net(seed, step);
        let mut sim = Simulation::of(&text);
        let springs = sim.system.model().springs.clone();
        let stops = sim.system.model().rigid_stops.clone();
        let (mut largest, mut loss) = (0.0_f64, 0.0_f64);
        for n in 0..200 {
            let h = 5.0 * step;
            if let Err(fault) = sim.try_step(f64::from(n) * h, h) {
                refused.push((seed, fault));
                break;
            }
            for stop in &stops {
                let name = &springs[stop.spring].name;
                let length = sim.get(&format!("springs.{name}.length"));
                let drawn = sim.system.model().initial_measure(&stop.between);
                let at = length - drawn + stop.initial;
                let ends = sim.system.model().sliders[stop.slider].ends;
                use coulisse::model::checked::PathEnds;
                let [first, last] = match ends {
                    PathEnds::Stop => [true, true],
                    _ => [
                        ends.stops_at(coulisse::joints::regime::End::First),
                        ends.stops_at(coulisse::joints::regime::End::Last),
                    ],
                };
                assert!(!first || at > -1e-7, "seed {seed}, {name}: {at:e}");
                assert!(!last || at < stop.length + 1e-7, "seed {seed}, {name}: {at:e}");
            }
            largest = largest.max(sim.energy(&[
                "kinetic",
                "strain",
                "input_work",
                "impact_loss",
                "potential",
            ]));
            let now = sim.get("energy.impact_loss");
            assert!(now >= loss - 1e-10 * largest, "seed {seed}: {now} after {loss}");
            loss = now;
        }
        struck += usize::from(loss > 0.0);
        let share = sim.get("energy.balance").abs() / largest;
        if share > 1e-3 {
            off.push((seed, share));
        }
    }
    println!("{struck} of {nets} struck; refused {refused:?}; balances off {off:?}");
    assert!(struck > nets as usize / 3);
    assert!(refused.len() <= tier::allowed(nets as usize, 50), "{refused:?}");
    assert!(off.len() <= tier::allowed(nets as usize, 50), "{off:?}");
}
