//! Rough edges of elastic bodies as paths: the normal of the edge's tangent carries the surface.

use proptest::prelude::*;

use super::random::{come_through, keeps_its_energy};
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation, sensitivity};

/// A plate of 1 m × 0.2 m that swings about its corner, or stands on its bottom, with a bead on its rough top, which is an arc of a
/// given rise (m).
fn plate(behaviour: &str, rise: f64, support: &str, more: &str) -> String {
    let top = 0.2 + rise;
    Mechanism::new("rough")
        .step(5e-4)
        .gravity(-9.81)
        .points("A = [0.0, 0.0], B = [1.0, 0.0], C = [1.0, 0.2], D = [0.0, 0.2]")
        .and(format!("P = [0.5, {top:?}]"))
        .material("any", 1e7, 0.3, 1000.0)
        .body("plate", format!("material = 'any', thickness = 0.01, {behaviour}"))
        .and("patch.cells = [8, 2]")
        .and(format!(
            "patch.edges = [{{ name = 'bottom', from = 'A', to = 'B' }}, \
                 {{ name = 'right', from = 'B', to = 'C' }}, {{ name = 'top', from = 'C', \
                 to = 'D'{} }}, {{ name = 'left', from = 'D', \
                 to = 'A' }}]",
            if rise == 0.0 { String::new() } else { format!(", arc.through = [0.5, {top:?}]") }
        ))
        .support("held", format!("{support}, fix = ['x', 'y']"))
        .entry("masses.bead", "point = 'P', mass = 0.3")
        .slider("bead", "P", "plate.top", "start = 'D'")
        .and(format!("roughness.harmonics = {{ {WAVES} }}"))
        .outputs("joints.* points.P.* energy.*")
        .add(more)
        .text()
}

const WAVES: &str = "amplitudes = [4e-3, 1e-3], wavelengths = [0.31, 0.07], phases = [0.4, 1.0]";
const ELASTIC: &str = "state = \"plane_stress\"";
const SWINGS: &str = "point = \"A\"";
const STANDS: &str = "edge = \"plate.bottom\"";
const RUBS: &str = "[joints.bead.friction]\ncoulomb.coefficient = 0.1";

fn path_of_bead(text: &str) -> Vec<[f64; 3]> {
    let mut run = Simulation::of(text);
    let mut course = Vec::new();
    run.run(0.2, 0.02, |run| {
        let outputs = ["points.P.x", "points.P.y", "joints.bead.position"];
        course.push(outputs.map(|output| run.get(output)));
    });
    course
}

fn farthest(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// The surface crosses the straight edge where the bead is drawn, so that the start moves nothing.
const CROSSES: &str =
    "amplitudes = [4e-3, 1e-3], wavelengths = [0.25, 0.0625], phases = [\"pi/2\", \"pi/2\"]";

#[test]
fn a_stiff_rough_edge_is_that_of_a_rigid_body_the_nearer_the_stiffer_it_is() {
    for (rise, support) in [(0.0, SWINGS), (0.1, STANDS)] {
        for friction in ["", RUBS] {
            let text = |behaviour: &str, support: &str| {
                let text = plate(behaviour, rise, support, friction);
                if rise == 0.0 { text.edit(WAVES, CROSSES) } else { text }
            };
            let rigid = text("rigid = true", SWINGS);
            let rigid = path_of_bead(&match support == STANDS {
                true => rigid.edit("fix = [\"x\", \"y\"]", "fix = [\"x\", \"y\", \"rotation\"]"),
                false => rigid,
            });
            let off = [1e9, 1e11].map(|modulus| {
                let modulus = format!("young_modulus = {modulus:?}");
                let elastic = text(ELASTIC, support).edit("young_modulus = 1e7", &modulus);
                farthest(&path_of_bead(&elastic), &rigid)
            });
            println!("rise {rise} m, {friction:?}: {off:?} m");
            // Bending falls with the modulus, on the arc down to what directions between its nodes are off.
            assert!(off[1] < (0.05 * off[0]).max(3e-7) && off[1] < 1e-5, "{off:?}");
        }
    }
}

#[test]
fn a_light_layer_gives_a_rough_edge_the_same_normal() {
    let edge = plate(ELASTIC, 0.1, STANDS, RUBS).edit("young_modulus = 1e7", "young_modulus = 1e8");
    let layer = "[members]\nlining = { edge = \"plate.top\", material = \"film\", section = \"film\" }\n\
                  [sections]\nfilm.rectangle = { height = 1e-3, width = 0.01 }\n\
                  [materials.film]\nyoung_modulus = 1e8\npoisson_ratio = 0.3\ndensity = 0.0\n";
    let lined = edge
        .edit("path = [\"plate.top\"]", "path = [\"lining\"]")
        .edit("[supports.held]", &format!("{layer}[supports.held]"));
    let off = farthest(&path_of_bead(&edge), &path_of_bead(&lined));
    println!("with a lining {off:.2e} m off");
    // The contact layer turns under the contact force with the height as its lever.
    assert!(off < 1e-5, "{off}");
}

#[test]
fn a_bead_on_a_rough_edge_that_bends_and_swings_keeps_its_energy_with_second_order() {
    let errors = [2e-4, 1e-4].map(|step| {
        let text = plate(ELASTIC, 0.1, SWINGS, "").edit("step = 5e-4", &format!("step = {step:?}"));
        let mut run = Simulation::of(&text);
        let mut worst = 0.0_f64;
        run.run(0.2, 0.01, |run| {
            let [balance, taken] =
                ["balance", "numerical_dissipation"].map(|of| run.get(&format!("energy.{of}")));
            assert!(balance.abs() < 1e-9);
            worst = worst.max(taken.abs());
        });
        worst
    });
    println!("{errors:?} J");
    assert!(errors[1] < 0.35 * errors[0] && errors[1] < 1e-3, "{errors:?}");
}

#[test]
fn derivatives_of_a_step_on_a_rough_edge_are_those_of_differences() {
    let more = &Mechanism::part()
        .joint("bead", "friction.stribeck.static_coefficient = 0.3")
        .and("friction.stribeck.kinetic_coefficient = 0.2, friction.stribeck.decay_velocity = 0.5")
        .load("pull", "point = 'P', fx = -4.0")
        .load("push", "point = 'C', fx = 2.0")
        .start("P", "vx = 0.4")
        .text();
    let text = plate(ELASTIC, 0.1, STANDS, more)
        .edit(
            "[interface]",
            "[interface]\ninputs = [\"loads.pull.fx\", \"loads.push.fx\"]\nparameters = [\"joints.bead.friction.*\"]",
        )
        .edit("step = 5e-4", "step = 1e-3");
    let text = sensitivity::sharp(&text, 1e-14);
    let mut sim = Simulation::of(&text);
    let mut sure = 0;
    for _ in 0..3 {
        (0..10).for_each(|_| sim.step(2e-3));
        let knowns = [
            ("loads.pull.fx", 1.0),
            ("loads.push.fx", 1.0),
            ("joints.bead.friction.stribeck.kinetic_coefficient", 1e-2),
        ];
        sure += sensitivity::check(&sim, &text, 4e-3, &knowns, 1e-6);
    }
    println!("{sure} derivatives sure");
    assert!(sure > 60, "{sure}");
}

#[test]
fn a_saved_state_on_a_rough_edge_goes_on_with_the_same_bits() {
    let text = plate(ELASTIC, 0.1, SWINGS, RUBS);
    let mut run = Simulation::of(&text);
    run.run(0.05, 5e-3, |_| {});
    let saved = run.state.clone();
    run.run(0.1, 5e-3, |_| {});
    let mut again = Simulation::of(&text);
    again.state = saved;
    again.run(0.1, 5e-3, |_| {});
    assert_eq!(run.state.q, again.state.q);
    assert_eq!(run.state.multipliers, again.state.multipliers);
}

/// Rise, logarithm of the modulus, amplitude, wavelength, order, friction, step, whether it swings and may lift off.
type Scene = (f64, f64, f64, f64, usize, f64, f64, bool, bool);

fn scenes() -> impl Strategy<Value = Scene> {
    (
        0.0..0.2_f64,
        5.0..9.0_f64,
        0.0..5e-3_f64,
        0.05..0.6_f64,
        1..=4_usize,
        prop_oneof![Just(0.0), 0.05..0.6_f64],
        -4.5..-3.0_f64,
        any::<bool>(),
        any::<bool>(),
    )
}

#[test]
fn rough_edges_of_any_body_keep_their_energy_or_say_so() {
    let through = come_through(120, &scenes(), |scene| {
        let (rise, modulus, height, wave, order, friction, step, swings, lifts) = scene;
        let step = 10.0_f64.powf(step);
        // Sides of order 1 meet in corners on an arc, where a rough surface has steps.
        let rise = if order == 1 { 0.0 } else { rise };
        let rubs = match friction > 0.0 {
            true => format!("[joints.bead.friction]\ncoulomb.coefficient = {friction:?}"),
            false => String::new(),
        };
        let text = plate(ELASTIC, rise, if swings { SWINGS } else { STANDS }, &rubs)
            .edit("young_modulus = 1e7", &format!("young_modulus = {:?}", 10.0_f64.powf(modulus)))
            .edit(
                "amplitudes = [4e-3, 1e-3], wavelengths = [0.31, 0.07]",
                &format!(
                    "amplitudes = [{height:?}, {:?}], wavelengths = [{wave:?}, {:?}]",
                    0.1 * height,
                    0.3 * wave
                ),
            )
            .edit("patch.cells = [8, 2]", &format!("order = {order}\npatch.cells = [8, 2]"))
            .edit("step = 5e-4", &format!("step = {step:?}"));
        let text = match lifts {
            // The body is on the right of a path from D: the other side is outside.
            true => text
                .edit("start = \"D\"", "start = \"D\", contact = \"unilateral\", side = \"left\""),
            false => text,
        };
        keeps_its_energy(&mut Simulation::of(&text), step, 60)
    });
    assert!(6 * through >= 5 * common::tier::share(120), "only {through}");
}
