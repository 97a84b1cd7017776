//! Friction pendulums and the building that stands on them.

use crate::common::edit::Edit;
use crate::common::{self, Simulation};

/// The bundled building with its feet clamped to the ground instead of isolated.
fn clamped() -> String {
    let text = common::bundled("isolated_building_frame");
    let from = text.find("[joints.foot_l]").expect("joints");
    let to = text.find("[loads.floor_1]").expect("loads");
    let mut text = format!("{}{}", &text[..from], &text[to..]);
    text += "\n[supports.foot_l]\npoint = \"l0\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
        [supports.foot_r]\npoint = \"r0\"\nfix = [\"x\", \"y\", \"rotation\"]\n";
    text.edit("supports = [\"dish_*\"]", "supports = [\"dish_*\", \"foot_*\"]")
}

/// Largest values over the ground motion.
#[derive(Default, Debug)]
struct Peaks {
    /// Base shear, N.
    shear: f64,
    /// Drift of each storey, m.
    drifts: [f64; 5],
    /// Way of the left and the right slider from where they start, m, where there are any.
    ways: [f64; 2],
}

impl Peaks {
    fn of(text: &str, mass_damping: f64) -> Peaks {
        let mut sim = Simulation::with(text, &[("parameters.mass_damping", mass_damping)]);
        let feet = ["joints.foot_l.position", "joints.foot_r.position"];
        let there = |path: &str| sim.system.model().outputs.iter().any(|o| o.path == path);
        let feet: Vec<(&str, f64)> = (feet.into_iter())
            .filter(|path| there(path))
            .map(|path| (path, sim.get(path)))
            .collect();
        let mut most = Peaks::default();
        sim.run(21.0, 5e-3, |sim| {
            let raise = |most: &mut f64, value: f64| *most = most.max(value.abs());
            raise(&mut most.shear, sim.get("motions.horizontal.reaction"));
            for (storey, drift) in most.drifts.iter_mut().enumerate() {
                raise(drift, sim.get(&format!("probes.drift_{}", storey + 1)));
            }
            for (way, (path, start)) in most.ways.iter_mut().zip(&feet) {
                raise(way, sim.get(path) - start);
            }
        });
        most
    }

    /// The storey that drifts most, from 1 on, and its drift.
    fn worst(&self) -> (usize, f64) {
        let drifts = self.drifts.iter().enumerate();
        let (storey, drift) = drifts.max_by(|a, b| a.1.total_cmp(b.1)).expect("five storeys");
        (storey + 1, *drift)
    }
}

/// Slow: an earthquake on the building with and without its isolators.
#[test]
fn isolation_spares_the_building() {
    for mass_damping in [1.0, 0.0] {
        let isolated = Peaks::of(&common::bundled("isolated_building_frame"), mass_damping);
        let fixed = Peaks::of(&clamped(), mass_damping);
        println!("isolated: {isolated:?}\nclamped:  {fixed:?}");
        assert!(isolated.shear < 0.4 * fixed.shear);
        assert!(isolated.worst().1 < 0.9 * fixed.worst().1);
        // As in the paper the worst drift goes from the third storey to the first.
        assert_eq!((fixed.worst().0, isolated.worst().0), (3, 1));
        for way in isolated.ways {
            assert!(way > 0.02 && way < 0.10, "{way}");
        }
    }
}

/// Slow: an earthquake on the building, several times.
#[test]
fn damping_in_proportion_to_mass_holds_an_isolated_building_back() {
    let building = common::bundled("isolated_building_frame");
    let [without, with] = [0.0, 1.0].map(|part| Peaks::of(&building, part));
    assert!(with.worst().1 < 0.8 * without.worst().1);
    assert!(with.ways[0] < 0.75 * without.ways[0] && with.ways[1] < 0.9 * without.ways[1]);
}

/// Radius of the dishes, m.
const RADIUS: f64 = 0.24765;

/// Time between every other change of sign of what `look` sees, the mean over all from `from` to `to`.
fn period(
    sim: &mut Simulation, from: f64, to: f64, step: f64, look: impl Fn(&Simulation) -> f64,
) -> f64 {
    let mut crossings: Vec<f64> = Vec::new();
    let mut last = 0.0;
    sim.run(to, step, |sim| {
        let now = look(sim);
        if sim.time() > from && last * now < 0.0 {
            crossings.push(sim.time() - step * now / (now - last));
        }
        last = now;
    });
    let n = crossings.len();
    assert!(n > 6, "{n} crossings until {} s, last {last:e}", sim.time());
    2.0 * (crossings[n - 1] - crossings[0]) / (n - 1) as f64
}

#[test]
fn a_friction_pendulum_swings_with_the_period_of_its_radius() {
    let mut sim = Simulation::of(&common::text("tests/models/friction_pendulum"));
    let own = period(&mut sim, 0.0, 10.0, 1e-3, |sim| sim.get("points.foot.x"));
    let exact = std::f64::consts::TAU * (RADIUS / 9.81_f64).sqrt();
    println!("period {own} s, 2 pi sqrt(R/g) = {exact} s");
    assert!((own / exact - 1.0).abs() < 1e-3, "{own} {exact}");
}

#[test]
fn the_loop_of_a_friction_pendulum_is_two_mu_w_wide_and_rises_by_w_over_r() {
    const MU: f64 = 0.06;
    let mut sim = Simulation::of(&common::text("tests/models/friction_pendulum_loop"));
    let weight = 2000.0 * 9.81;
    let mut forces = Vec::new();
    sim.run(1.25, 1e-3, |sim| {
        let reaction = sim.get("motions.ground.reaction");
        forces.push((sim.get("motions.ground.position"), reaction));
    });
    // Forwards through the middle at 1 s, backwards at 0.5 s; at the ends the slope.
    let at = |t: f64| forces[(t / 1e-3_f64).round() as usize - 1];
    let (there, back) = (at(1.0), at(0.5));
    let width = there.1 - back.1;
    assert!((width / (2.0 * MU * weight) - 1.0).abs() < 1e-3, "{width}");
    let (begin, end) = (at(0.80), at(1.20));
    let slope = (end.1 - begin.1) / (end.0 - begin.0);
    // The restoring force is W tan a, and 10 mm are an angle of 0.04: its third power shows.
    assert!((slope / (weight / RADIUS) - 1.0).abs() < 5e-3, "{slope}");
}

#[test]
fn the_clamped_building_has_the_frequencies_of_the_paper() {
    let sim = Simulation::of(&clamped());
    let modes = sim.modes(11).list;
    // Siqueira & Coda (2022), Sec. 8.3, with 5 % in both.
    for (mode, reference) in [(&modes[0], 8.56), (&modes[10], 133.98)] {
        let (seen, ratio) = (mode.angular_frequency(), mode.damping_ratio);
        println!("{seen:.3} rad/s, damped {ratio:.5}");
        assert!((seen / reference - 1.0).abs() < 0.015, "{seen}");
        assert!((ratio / 0.05 - 1.0).abs() < 0.015, "{ratio}");
    }
}

/// Slow: an earthquake on the building.
#[test]
fn a_stiff_isolated_building_swings_as_one_mass_on_its_dishes() {
    let stiff =
        [("materials.column.young_modulus", 20e12), ("materials.beam.young_modulus", 20e12)];
    let calm =
        [("parameters.friction", 0.0), ("parameters.ratio", 0.0), ("parameters.shaking", 0.01)];
    let values: Vec<(&str, f64)> = stiff.into_iter().chain(calm).collect();
    let mut sim = Simulation::bundled("isolated_building_frame", &values);
    // Its weight spreads the feet: their mean swings about the middle.
    let both =
        |sim: &Simulation| sim.get("joints.foot_l.position") + sim.get("joints.foot_r.position");
    let middle = both(&sim);
    let rigid = period(&mut sim, 21.0, 39.0, 5e-3, |sim| both(sim) - middle);
    // 10 columns of 3 m and 5 beams of 6 m, under 34 kN/m on the beams.
    let mass = 0.25 * (30.0 * 2400.0 + 30.0 * 15168.2);
    let weight = 34e3 * 30.0;
    let exact = std::f64::consts::TAU * (mass * RADIUS / weight).sqrt();
    println!("period {rigid} s, 2 pi sqrt(m R/W) = {exact} s");
    assert!((rigid / exact - 1.0).abs() < 5e-3, "{rigid} {exact}");
}

#[test]
fn a_foot_a_million_times_as_stiff_as_its_isolator_stands_as_one_a_thousand_times() {
    let text = common::bundled("isolated_building");
    let [usual, stiff] = ["200e12", "200e15"].map(|modulus| {
        let text = text.edit(
            "stiff = { young_modulus = 200e12",
            &format!("stiff = {{ young_modulus = {modulus}"),
        );
        let mut sim = Simulation::of(&text);
        sim.run(0.05, 5e-3, |_| ());
        ["points.r5.x", "joints.sole_l.position", "probes.drift_1"].map(|path| sim.get(path))
    });
    println!("{usual:?} {stiff:?}");
    for (usual, stiff) in usual.iter().zip(stiff) {
        // The usual foot bends by some micrometres.
        assert!((usual - stiff).abs() < 1e-5, "{usual} {stiff}");
    }
}

/// Both feet come to rest within microseconds of each other, and a stiff, damped beam joins them: what is left of their velocities is no force.
#[test]
fn feet_that_a_damped_beam_joins_never_take_more_than_their_friction() {
    for (mu, step) in [(0.03, 2.5e-3), (0.05, 2.5e-3), (0.05, 1e-3), (0.08, 1e-3)] {
        let text = common::text("tests/models/isolated_frame");
        let mut sim = Simulation::with(&text, &[("parameters.mu", mu), ("solver.step", step)]);
        let normal = ["joints.l.normal_force", "joints.r.normal_force"].map(|path| sim.get(path));
        let weight: f64 = normal.iter().sum();
        let [mut share, mut shear, mut way] = [0.0_f64; 3];
        sim.run(3.0, step, |sim| {
            for foot in ["l", "r"] {
                let get = |of: &str| sim.get(&format!("joints.{foot}.{of}"));
                share = share.max((get("friction_force") / get("normal_force")).abs() / mu);
            }
            shear = shear.max(sim.get("motions.ground.reaction").abs());
            way = way.max(sim.get("joints.r.displacement").abs());
        });
        let expected = weight * (mu + way / 2.0);
        println!("{mu} {step}: {share} of the limit, {shear} N of {expected} N");
        assert!(share < 1.0 + 1e-9, "{mu} {step}: {share}");
        // The dishes are circles, and the frame moves up and down on them.
        assert!((shear / expected - 1.0).abs() < 0.05, "{mu} {step}: {shear} {expected}");
    }
}

/// The feet come to rest within a step; what vibrates in it then may ask for more than they bear at the instant that is reported.
#[test]
fn rows_after_a_catch_within_a_step_show_no_more_than_the_limit() {
    let text = common::text("tests/models/isolated_frame");
    for (mu, damping) in [(0.05, 4.1e-3), (0.08, 1e-3), (0.12, 4.1e-3), (0.12, 1e-2)] {
        let values = [
            ("parameters.mu", mu),
            ("damping.frame.stiffness_coefficient", damping),
            ("solver.step", 5e-3),
        ];
        let mut sim = Simulation::with(&text, &values);
        let mut share = 0.0_f64;
        sim.run(3.6, 5e-3, |sim| {
            for foot in ["l", "r"] {
                let get = |of: &str| sim.get(&format!("joints.{foot}.{of}"));
                share = share.max((get("friction_force") / get("normal_force")).abs() / mu);
            }
        });
        assert!(share < 1.0 + 1e-9, "{mu} {damping}: {share} of the limit");
    }
}
