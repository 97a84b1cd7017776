//! Sliders that lift off their paths and touch down again.

use crate::common::bead::Bead;
use crate::common::mechanism::Mechanism;
use crate::common::reach::reached;
use crate::common::{self, Simulation, orders};

const G: f64 = 9.81;
const HEIGHT: f64 = 0.1;
const WAVENUMBER: f64 = std::f64::consts::PI;

/// A bead of 1 kg on hills h = 0.1 cos πx, in a valley with the velocity `speed` along x, and perhaps with friction.
fn hills(step: f64, speed: f64, coefficient: f64) -> Simulation {
    let friction = if coefficient > 0.0 {
        format!("friction.coulomb = {{ coefficient = {coefficient:?} }}")
    } else {
        String::new()
    };
    let bead = Bead {
        step,
        length: 20.0,
        elements: 3,
        at: [1.0, -HEIGHT],
        speed,
        contact: ", contact = \"unilateral\"",
        surface: &format!(
            "roughness.cosine = {{ amplitude = {HEIGHT}, wavelength = 2.0 }}\n{friction}"
        ),
    };
    Simulation::of(&bead.text())
}

/// h, h′, h″ of the hills.
fn surface(x: f64) -> [f64; 3] {
    let (sin, cos) = (WAVENUMBER * x).sin_cos();
    let slope = -HEIGHT * WAVENUMBER * sin;
    [HEIGHT * cos, slope, -HEIGHT * WAVENUMBER * WAVENUMBER * cos]
}

/// The event-driven solution: on the surface until g + h″ ẋ² = 0, then a parabola until it meets the
/// surface, then on with the velocity along it. x, y, ẋ, ẏ at `end`, with the instants of both kinds.
fn exact(speed: f64, end: f64, coefficient: f64) -> ([f64; 4], Vec<f64>) {
    // Friction acts along the surface and belongs to the force normal to it, (g + h″ ẋ²)/√(1 + h′²).
    let slide = |_, y: &[f64; 2]| {
        let [_, slope, bend] = surface(y[0]);
        let square = 1.0 + slope * slope;
        let presses = bend * y[1] * y[1] + G;
        [y[1], -(slope + coefficient) * presses / square]
    };
    let (mut t, mut x, mut v, mut events) = (0.0, 1.0, speed, Vec::new());
    let (step, sharp) = (1e-4_f64, 1e-13);
    loop {
        // Presses as long as this is above 0.
        let presses = |[x, v]: [f64; 2]| G + surface(x)[2] * v * v;
        let (mut h, mut now) = (step, [x, v]);
        while h > sharp && t < end - sharp {
            let next = common::runge_kutta(now, t, t + h.min(end - t), 1, slide);
            if presses(next) > 0.0 {
                (t, now) = (t + h.min(end - t), next);
            } else {
                h *= 0.5;
            }
        }
        [x, v] = now;
        let [height, slope, _] = surface(x);
        if t >= end - sharp {
            return ([x, height, v, slope * v], events);
        }
        events.push(t);
        let (from, up, left) = ([x, height], slope * v, t);
        let flight = |t: f64| {
            let t = t - left;
            [from[0] + v * t, from[1] + up * t - 0.5 * G * t * t]
        };
        let above = |t: f64| {
            let [x, y] = flight(t);
            y - surface(x)[0]
        };
        // The gap begins with the third power of the time.
        (t, h) = (t + 2e-3, step);
        while h > sharp && t < end - sharp {
            if above(t + h) > 0.0 {
                t += h;
            } else {
                h *= 0.5;
            }
        }
        if t >= end - sharp {
            let [x, y] = flight(end);
            return ([x, y, v, up - G * (end - left)], events);
        }
        events.push(t);
        x = flight(t)[0];
        let slope = surface(x)[1];
        v = (v + slope * (up - G * (t - left))) / (1.0 + slope * slope);
    }
}

#[test]
fn a_bead_leaves_a_hill_flies_and_lands_as_the_event_driven_solution_with_second_order() {
    // In the air, on the surface again, after four hills.
    // Where in its step a bead leaves makes the errors a little ragged: each must be within c h².
    for (end, events, c) in [(0.4, 1, 20.0), (0.5, 2, 30.0), (2.0, 7, 230.0)] {
        let (place, instants) = exact(4.1, end, 0.0);
        assert_eq!(instants.len(), events);
        let steps = [4e-3, 2e-3, 1e-3, 5e-4];
        let errors = steps.map(|h| {
            let mut sim = hills(h, 4.1, 0.0);
            sim.run(end, h, |_| ());
            let seen = ["x", "y", "vx", "vy"].map(|c| sim.get(&format!("points.bead.{c}")));
            // At coarse steps it may leave a little early and touch once more before it is off.
            let more = sim.get("joints.bead.transitions") - events as f64;
            assert!(more == 0.0 || (more == 2.0 && h > 2e-3), "{h}: {more}");
            let open = events % 2 == 1;
            assert_eq!(sim.get("joints.bead.regime") == 5.0, open);
            assert_eq!(sim.get("joints.bead.normal_force") == 0.0, open);
            let late = sim.get("joints.bead.transition_time") - instants[events - 1];
            assert!(late.abs() < if open { h } else { 0.01 * h }, "{late:e}");
            let off = seen.iter().zip(&place).map(|(a, b)| (a - b).abs());
            off.fold(0.0_f64, f64::max)
        });
        println!("until {end} s: {errors:?}, orders {:.2?}", orders(&errors));
        for (h, error) in steps.into_iter().zip(errors) {
            assert!(error < c * h * h, "{h} {error:e}");
        }
    }
}

#[test]
fn a_bead_flies_over_hills_without_and_with_friction_as_the_event_driven_solution() {
    for (coefficient, speed, end, reach) in
        [(0.0, 4.1, 2.0, [1.5e-5, 1.1e-6]), (0.2, 5.0, 1.0, [4.2e-5, 2.6e-6])]
    {
        let (place, instants) = exact(speed, end, coefficient);
        let errors = [2e-3 / 3.0, 5e-4 / 3.0].map(|h| {
            let mut sim = hills(h, speed, coefficient);
            sim.run(end, h, |_| ());
            assert_eq!(sim.get("joints.bead.transitions"), instants.len() as f64);
            let seen = ["x", "y"].map(|c| sim.get(&format!("points.bead.{c}")));
            (seen[0] - place[0]).hypot(seen[1] - place[1])
        });
        let events = instants.len();
        for ((error, reach), h) in errors.iter().zip(reach).zip(["0.67", "0.17"]) {
            let what =
                format!("μ = {coefficient}, {events} events, {h} ms: position after {end} s");
            reached("6 hill", &what, Some(reach), *error, "m");
        }
        println!("{errors:?}, order {:.2}", (errors[0] / errors[1]).log2() / 2.0);
        assert!(events >= 2, "{instants:?}");
        // Where in its step a bead leaves makes the errors a little ragged.
        assert!(errors[0] < 1e-4 && errors[1] < 0.2 * errors[0], "{errors:?}");
    }
}

#[test]
fn in_the_air_the_gap_is_the_distance_to_the_hill_and_s_its_foot() {
    let mut sim = hills(1e-3, 4.1, 0.0);
    let mut highest = 0.0_f64;
    sim.run(2.0, 1e-2, |sim| {
        let (x, y) = (sim.get("points.bead.x"), sim.get("points.bead.y"));
        let nearest = (0..40_000).fold(f64::INFINITY, |least: f64, i| {
            let there = x + (f64::from(i) - 20_000.0) * 2e-5;
            least.min((y - surface(there)[0]).hypot(x - there))
        });
        let (gap, s) = (sim.get("joints.bead.gap"), sim.get("joints.bead.position"));
        // Not nearer than the best of the grid by more than its width allows.
        assert!(gap <= nearest + 1e-9 && nearest < gap.hypot(3e-5) + 1e-9, "{gap} {nearest}");
        assert!((y - surface(s)[0]).hypot(x - s) <= gap + 1e-9);
        highest = highest.max(gap);
    });
    assert!(highest > 0.02, "{highest}");
}

#[test]
fn a_touch_down_takes_the_energy_of_the_velocity_across_the_surface_and_a_flight_none() {
    let mut sim = hills(2.5e-4, 4.1, 0.0);
    let mut before = (0.0, 5.0, [0.0; 4]);
    sim.run(2.0, 2.5e-4, |sim| {
        let regime = sim.get("joints.bead.regime");
        let now = ["x", "vx", "vy", "y"].map(|c| sim.get(&format!("points.bead.{c}")));
        let lost = sim.lost();
        if before.1 == 5.0 && regime != 5.0 && sim.time() > 0.1 {
            let [x, vx, vy, _] = before.2;
            let slope = surface(x)[1];
            let across = (vy - slope * vx) / 1.0_f64.hypot(slope);
            let exact = 0.5 * across * across;
            assert!((lost - before.0 - exact).abs() < 0.01 * exact, "{lost} {exact}");
        } else {
            assert!((lost - before.0).abs() < 1e-5, "{lost} {}", before.0);
        }
        before = (lost, regime, now);
    });
    assert!(before.0 > 0.5);
    assert!((sim.get("energy.impact_loss") - before.0).abs() < 1e-3 * before.0);
}

/// A mass of 1 kg at the end of a cantilever of negligible mass, on a table that shakes with
/// 2 mm · sin(2π 12 t).
fn shaken(step: f64) -> Simulation {
    Mechanism::new("Shaken")
        .step(step)
        .solver("spectral_radius = 0.8")
        .points("wall = [-1.0, 0.0], tip = [0.0, 0.0], a = [-0.5, 0.0], b = [0.5, 0.0]")
        .entry("materials.steel", "young_modulus = 2e11, shear_modulus = 8e10, density = 1e-3")
        .section("strip", "properties = { area = 1e-4, second_moment = 1e-9 }")
        .member("strip", ["wall", "tip"], "elements = 1, material = 'steel', section = 'strip'")
        .member("table", ["a", "b"], "elements = 1, order = 1")
        .clamp("wall")
        .support("table", "member = 'table', fix = ['x', 'rotation']")
        .motion("table", format!("member = 'table', direction = 'y', amplitude = {SHAKES:?}"))
        .and("history.sine = { frequency = 12.0 }")
        .mass("tip", 1.0)
        .gravity(-9.81)
        .joint("tip", "cylindrical.slider = 'tip', cylindrical.path = ['table']")
        .and("cylindrical.contact = 'unilateral'")
        .outputs("points.tip.* energy.* solver.*")
        .simulation()
}

const SHAKES: f64 = 2e-3;

#[test]
fn a_pressed_mass_on_a_shaken_table_lifts_off_and_lands_for_fifty_cycles_as_it_should() {
    let omega = std::f64::consts::TAU * 12.0;
    // With the shear of the strip.
    let stiffness = 1.0 / (1.0 / (3.0 * 200.0) + 1.0 / 8e6);
    let table = |t: f64| {
        let (sin, cos) = (omega * t).sin_cos();
        [SHAKES * sin, SHAKES * omega * cos, -SHAKES * omega * omega * sin]
    };
    let pressed = |t: f64| {
        let [y, _, a] = table(t);
        a + G + stiffness * y
    };
    // y, ẏ of each instant, from events found by small steps and halving.
    let (mut t, mut open, mut lifted, mut exact) = (0.0_f64, false, [0.0; 3], Vec::new());
    let free = |t: f64, [t0, y0, v0]: [f64; 3]| {
        let (w, rest) = (stiffness.sqrt(), -G / stiffness);
        let (sin, cos) = (w * (t - t0)).sin_cos();
        [rest + (y0 - rest) * cos + v0 / w * sin, -(y0 - rest) * w * sin + v0 * cos]
    };
    let end = 50.0 / 12.0;
    let mut grid = 1;
    while t < end {
        let mut h = 1e-5;
        let next = grid as f64 * 1e-3;
        while h > 1e-13 {
            let stays = t + h <= next
                && if open {
                    free(t + h, lifted)[0] > table(t + h)[0] || t + h - lifted[0] < 1e-5
                } else {
                    pressed(t + h) > 0.0
                };
            if stays { t += h } else { h *= 0.5 }
        }
        if t > next - 1e-12 {
            exact.push(if open { free(t, lifted)[0] } else { table(t)[0] });
            grid += 1;
            t = next;
        } else {
            open = !open;
            let [y, v, _] = table(t);
            lifted = [t, y, v];
            if !open && pressed(t) < 0.0 {
                open = true;
            }
        }
    }
    let errors = [1e-3, 5e-4, 2.5e-4].map(|h| {
        let mut sim = shaken(h);
        let (mut worst, mut count) = (0.0_f64, 0);
        sim.run(end, 1e-3, |sim| {
            worst = worst.max((sim.get("points.tip.y") - exact[count]).abs());
            count += 1;
        });
        assert!(sim.get("joints.tip.transitions") >= 100.0);
        worst
    });
    println!("{errors:?} orders {:.2?}", orders(&errors));
    assert!(errors[0] < 5e-4 * SHAKES && errors[2] < 1e-4 * SHAKES);
}

#[test]
fn a_bead_leaves_a_path_at_a_kink_and_lands_on_the_next_member() {
    let mut sim = Mechanism::new("Ramp")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [1.0, 0.0], c = [5.0, -2.0], bead = [0.1, 0.0]")
        .guide("flat", ["a", "b"], "elements = 1, order = 1")
        .guide("ramp", ["b", "c"], "elements = 3, order = 1")
        .mass("bead", 1.0)
        .gravity(-9.81)
        .start("bead", "vx = 3.0")
        .joint("bead", "cylindrical.slider = 'bead', cylindrical.path = ['flat', 'ramp']")
        .and("cylindrical.contact = 'unilateral'")
        .outputs("points.bead.*")
        .simulation();
    // y = −½ g τ² meets y = −½ v τ.
    let (leaves, flies) = (0.3, 3.0 / G);
    let mut instants = Vec::new();
    let mut open = false;
    sim.run(1.0, 1e-3, |sim| {
        if (sim.get("joints.bead.regime") == 5.0) != open {
            open = !open;
            instants.push(sim.get("joints.bead.transition_time"));
        }
        let t = sim.time() - leaves;
        let (x, y) = (sim.get("points.bead.x"), sim.get("points.bead.y"));
        let (along, gain) = ((3.0 * 2.0 + 3.0) / 5.0_f64.sqrt(), G / 5.0_f64.sqrt());
        let (ex, ey) = if t < 0.0 {
            (1.0 + 3.0 * t, 0.0)
        } else if t < flies {
            (1.0 + 3.0 * t, -0.5 * G * t * t)
        } else {
            let t = t - flies;
            let s = along * t + 0.5 * gain * t * t;
            let (x, y) = (1.0 + 3.0 * flies, -1.5 * flies);
            (x + 2.0 * s / 5.0_f64.sqrt(), y - s / 5.0_f64.sqrt())
        };
        assert!((x - ex).hypot(y - ey) < 2e-5, "{t}: {x} {ex}, {y} {ey}");
    });
    println!("{instants:?}");
    assert_eq!(instants.len(), 2);
    assert!((instants[0] - leaves).abs() < 2e-5 && (instants[1] - leaves - flies).abs() < 1e-6);
}
