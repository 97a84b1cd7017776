//! Five sliders on a bar that is stiff against the step: redundant friction.

use super::driven::Driven;
use crate::common::Simulation;
use crate::common::bar::Bar;
use crate::common::edit::Edit;
use crate::common::reach::reached;

#[test]
fn five_redundant_sliders_on_a_stiff_bar_slide_as_one_block_without_a_failed_step() {
    // 78.5 kg of steel, drawn to and fro at one end with nearly twice of what its friction bears.
    let (mass, push, coefficient, gravity) = (78.5, 600.0, 0.4, 9.81);
    let omega = std::f64::consts::TAU * 2.0;
    let errors = [8e-3, 4e-3, 2e-3, 1e-3].map(|h| {
        let bar = Bar {
            analysis: "dynamic",
            gravity,
            ..Bar::new(&[0.0, 0.25, 0.5, 0.75, 1.0], 0.0, "coulomb = { coefficient = 0.4 }")
        };
        let text = bar
            .text()
            .edit("\nstep = 1e-3\n", &format!("\nstep = {h:?}\n"))
            .edit(
                "\nfx = 0.0\nfy = 0.0\n",
                &format!("\nfx = {push:?}\nhistory.sine = {{ frequency = 2.0 }}\n"),
            )
            .edit("inputs = [\"loads.skew.fx\", \"loads.skew.fy\"]\n", "")
            .edit("\"energy.*\"", "\"energy.*\", \"solver.*\"");
        let mut sim = Simulation::of(&text);
        let mut exact = Driven::new(push / mass, coefficient * gravity, omega, 0.0);
        let start = sim.get("joints.j0.position");
        let (mut farthest, mut taken, mut given) = (0.0_f64, 0.0, 0.0_f64);
        sim.run(2.0, h, |sim| {
            let slid = sim.get("joints.j0.position") - start;
            farthest = farthest.max((slid - exact.advance(sim.time())).abs());
            let work = sim.get("energy.friction_work");
            given = given.max(taken - work);
            taken = work;
        });
        assert_eq!(sim.get("solver.rejections"), 0.0, "{h} s");
        assert!(given < 1e-12 * taken, "{h} s: {given:e} J of {taken}");
        let what = format!("five sliders, {} ms: position over 2 s", 1e3 * h);
        reached("8 redundant", &what, (h == 1e-3).then_some(2.8e-5), farthest, "m");
        farthest
    });
    assert!(errors[3] < 2.8e-5 && errors[3] < 0.05 * errors[0], "{errors:?}");
}
