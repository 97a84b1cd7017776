//! Bundled models of surfaces in guides do what their headers say.

use crate::common::Simulation;

/// What the energy balance leaves, by the work put in.
fn unexplained(sim: &Simulation) -> f64 {
    sim.get("energy.balance").abs() / sim.get("energy.input_work")
}

/// Table B of an independent implementation with eight-node elements: 2.650 m/s², and 7.290 m/s² between rigid corners.
#[test]
fn the_bundled_slider_accelerates_as_the_table_says() {
    let mut sim = Simulation::bundled("slider_in_guide", &[]);
    sim.run(0.1, 1e-2, |_| ());
    let before = sim.get("points.middle.vx");
    sim.run(0.2, 1e-2, |_| ());
    let found = (sim.get("points.middle.vx") - before) / 0.1;
    println!("{found} m/s², left {:e}", unexplained(&sim));
    assert!((found - 2.650).abs() < 5e-3 * 1500.0 / 125.6, "{found}");
    assert!(unexplained(&sim) < 1e-3);
    assert_eq!(sim.get("contacts.guide.sides"), 2.0);
}

#[test]
fn the_bundled_drawer_jams_without_play_and_comes_with_it() {
    for (play, comes) in [(0.0, false), (1e-3, true)] {
        for force in [30.0, 300.0] {
            // A pull ten times larger strains it ten times more.
            let values = [("parameters.force", force), ("parameters.play", play)];
            let mut sim = Simulation::bundled("slider_jams", &values);
            let begin = sim.get("points.middle.x");
            sim.run(0.4, 1e-2, |_| ());
            let way = sim.get("points.middle.x") - begin;
            println!("{play} m, {force} N: {way} m, left {:e}", unexplained(&sim));
            assert!(unexplained(&sim) < 1e-3);
            match comes {
                true => assert!(way > 0.1, "{way}"),
                // Strained by a force that is ten times larger.
                false => {
                    assert!(way < 1e-6 * force, "{way}");
                    assert!(sim.get("points.middle.vx").abs() < 1e-6);
                }
            }
        }
    }
}

/// Statics: P (a + l)/l at the mouth and P a/l at the end of the inner tube; P and its moment at the wall.
#[test]
fn the_bundled_telescope_bears_by_the_lever_rule() {
    let mut sim = Simulation::bundled("telescope", &[]);
    sim.run(1.0, 1e-2, |_| ());
    let [p, a, l] = [100.0, 1.0, 0.4];
    let normal = sim.get("contacts.overlap.normal_force");
    let lever = p * (a + l) / l + p * a / l;
    println!(
        "{normal} N, lever rule {lever} N, left {:e}",
        unexplained(&sim)
    );
    assert_eq!(sim.get("contacts.overlap.sides"), 2.0);
    assert!((normal - lever).abs() < 0.02 * lever, "{normal} {lever}");
    let [shear, moment] = ["fy", "moment"].map(|c| sim.get(&format!("supports.wall.{c}")));
    let turned = p * sim.get("points.tip.x");
    assert!((shear - p).abs() < 5e-3 * p, "{shear}");
    assert!((moment - turned).abs() < 5e-3 * turned, "{moment} {turned}");
    assert!(unexplained(&sim) < 1e-3);
}
