//! Rods that buckle in tension, against the elastica.

use crate::common;
use crate::common::edit::Edit;
use coulisse::continuation::Ended;
use coulisse::model::statics::{Branch, Control, StaticPath};

use super::trace::{Trace, is_near};

/// The two rods of Zaccaria et al., drawn with the bar at `phi0` (degrees).
fn rods(phi0: f64, change: impl Fn(&mut StaticPath)) -> Trace {
    let text = common::bundled("tensile_buckling");
    Trace::of(&text, &[("parameters.phi0", phi0.to_radians())], change)
}

#[test]
fn straight_rods_lose_their_stability_in_tension_at_the_critical_force() {
    let rods = rods(0.0, |path| path.to = 2e-6);
    let found = rods.bifurcations();
    assert_eq!(found.len(), 1);
    is_near(rods.get(found[0], "motions.pull.reaction"), 11.84550, 2e-5);
    let last = rods.rows.last().expect("points");
    assert_eq!((rods.rows[0].unstable, last.unstable), (0, 1));
    assert!(rods.limits().is_empty());
}

#[test]
fn rods_that_have_buckled_in_tension_follow_the_elastica() {
    // Slider angle (degrees), force, displacement of the pull in mm: exact elastica.
    let table = [
        (5.0_f64, 11.773, 1.24),
        (10.0, 11.557, 4.99),
        (20.0, 10.713, 20.69),
        (30.0, 9.378, 49.58),
        (40.0, 7.658, 97.06),
        (50.0, 5.704, 174.6),
        (60.0, 3.703, 309.5),
    ];
    for (angle, force, pull) in table {
        let rods = rods(0.0, |path| {
            path.control = Control::ArcLength;
            path.switch = Some(Branch::Plus);
            path.to = pull * 1e-3;
        });
        assert_eq!(rods.ended, Ended::Reached);
        is_near(rods.end("motions.pull.reaction"), force, 1e-3);
        // The pull has three digits only, and the angle grows with its root.
        let turn = rods.end("probes.slider_rotation").abs();
        is_near(turn, angle.to_radians(), 3e-3);
        assert_eq!(rods.rows.last().map(|row| row.unstable), Some(0));
    }
}

#[test]
fn rods_with_an_inclined_bar_follow_the_elastica_without_a_bifurcation() {
    // Pull in mm, force for 0.1° and for 2°.
    let table = [
        (0.1, 11.2040, 3.00083),
        (1.0, 11.5853, 7.93992),
        (10.0, 11.2147, 10.03151),
        (50.0, 9.3343, 8.84477),
        (100.0, 7.5511, 7.23746),
        (200.0, 5.2120, 5.02782),
        (300.0, 3.8007, 3.67379),
    ];
    for (pull, slight, large) in table {
        for (phi0, force) in [(0.1, slight), (2.0, large)] {
            let rods = rods(phi0, |path| path.to = pull * 1e-3);
            is_near(rods.end("motions.pull.reaction"), force, 1e-3);
            assert!(rods.bifurcations().is_empty() && rods.limits().is_empty());
            assert!(rods.rows.iter().all(|row| row.unstable == 0));
        }
    }
}

#[test]
fn a_quasi_static_run_on_the_unstable_branch_says_so() {
    let text = common::bundled("tensile_buckling");
    let text = text.edit("step = 1.0\n", "step = 2e-4\n");
    let values = [("parameters.phi0", 0.0)];
    let mut rods = common::Simulation::with(&text, &values);
    // The straight rods lose their stability at 11.8456 N, at a pull of 1.0661 µm in 1.0661 ms.
    rods.run(2e-3, 2e-4, |now| {
        let unstable = now.get("solver.unstable_modes");
        let force = now.get("motions.pull.reaction");
        assert_eq!(unstable, f64::from(u8::from(force > 11.8455)), "{force} N");
    });
    assert_eq!(rods.state.unstable_modes, 1);
}
