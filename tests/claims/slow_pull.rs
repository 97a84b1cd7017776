//! The bundled beams that buckle in tension, pulled slowly: Siqueira & Coda (2022), Sec. 8.2, Fig. 17.

use crate::common;
use crate::common::edit::Edit;
/// Pull in m and force in N, every 0.5 s of the bundled beams that are pulled slowly.
fn pulled(beams: &str, until: f64) -> Vec<[f64; 2]> {
    let mut run = common::Simulation::of(beams);
    let mut seen = Vec::new();
    run.run(until, 0.5, |now| {
        let outputs = ["motions.pull.position", "motions.pull.reaction"];
        seen.push(outputs.map(|path| now.get(path)));
    });
    seen
}

/// Slow: a pull so slow that it is one of equilibria.
#[test]
fn the_bundled_beams_on_a_rough_bar_follow_the_elastica_when_pulled_slowly() {
    let beams = common::bundled("doubly_bent_beams");
    let seen = pulled(&beams, 202.0);
    // Elastica for 2°: pull in mm, force.
    for (pull, force) in [(10.0, 10.03151), (50.0, 8.84477)] {
        let near: Vec<f64> =
            (seen.iter()).filter(|[u, _]| (1e3 * u - pull).abs() < 0.5).map(|[_, f]| *f).collect();
        let mean = near.iter().sum::<f64>() / near.len() as f64;
        println!("{pull} mm: {mean} N, elastica {force} N");
        assert!((mean / force - 1.0).abs() < 3e-3);
    }
    // And never far from the equilibria of the same model, once the first swings have died out.
    let still = (beams.edit("step = 0.005\n", "step = 0.5\nanalysis = \"quasi_static\"\n"))
        .edit("equilibrium = true", "");
    assert!(still.contains("quasi_static"));
    let off = (seen.iter().zip(pulled(&still, 202.0)))
        .filter(|([u, _], _)| *u > 2.5e-3)
        .fold(0.0, |most: f64, ([_, f], [_, still])| most.max((f / still - 1.0).abs()));
    println!("largest distance from the equilibria {off}");
    assert!(off < 5e-3, "{off}");
}

#[test]
fn without_damping_of_the_bar_the_force_on_the_pulled_beams_swings_on() {
    let beams = common::bundled("doubly_bent_beams");
    // Scatter about the line through the forces from 5 to 6 mm, relative to their mean.
    let scatter = |text: &str| {
        let seen = pulled(text, 24.0);
        let late: Vec<[f64; 2]> = seen.into_iter().filter(|[u, _]| *u > 5e-3).collect();
        let n = late.len() as f64;
        let [u, f] = [0, 1].map(|k| late.iter().map(|p| p[k]).sum::<f64>() / n);
        let slope = late.iter().map(|p| (p[0] - u) * (p[1] - f)).sum::<f64>()
            / late.iter().map(|p| (p[0] - u).powi(2)).sum::<f64>();
        let square = |p: &[f64; 2]| (p[1] - f - slope * (p[0] - u)).powi(2);
        (late.iter().map(square).sum::<f64>() / n).sqrt() / f
    };
    let damped = scatter(&beams);
    let rods = beams.edit("[damping.beams]", "[damping.beams]\nmembers = [\"left\", \"right\"]");
    let rods = rods.edit("modes = [1, 3]", "frequencies = [4.0, 80.0]");
    assert_ne!(rods, beams);
    let undamped = scatter(&rods);
    println!("scatter {damped:.1e}, with damping in the rods alone {undamped:.1e}");
    assert!(damped < 2e-3 && undamped > 1e-2);
}
