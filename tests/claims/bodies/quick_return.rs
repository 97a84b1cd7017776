//! The quick return of plane solids (Siqueira & Coda 2022, Sec. 8.1) against an independent solver.

use std::f64::consts::TAU;

use crate::common::edit::Edit;
use crate::common::quick_return::with_all_nodes;
use crate::common::{Simulation, bundled, reference};

/// Periods of the lowest modes, ms.
fn periods(run: &Simulation, count: usize) -> Vec<f64> {
    let frequencies = run.frequencies(count);
    frequencies.iter().map(|w| 1e3 * TAU / w).collect()
}

#[test]
fn its_bodies_have_the_masses_of_the_paper() {
    let run = Simulation::bundled("quick_return_solid", &[]);
    let bodies = &run.system.model().bodies;
    let known = [6.3129, 1.3785, 1.6869, 0.3100, 2.4999];
    let mut triangles = 0;
    for (body, known) in bodies.iter().zip(known) {
        let [mass, _] = body.weight();
        assert!((mass - known).abs() < 1e-4, "{}: {mass} kg", body.name);
        triangles += body.mesh.triangles().len();
    }
    println!("{triangles} triangles");
    // 648 of the paper within a tenth.
    assert!((584..=712).contains(&triangles), "{triangles}");
}

#[test]
fn with_held_crank_it_vibrates_with_the_periods_of_an_independent_solver() {
    let mean = Simulation::bundled("quick_return_solid", &[]);
    let all = Simulation::of(&with_all_nodes());
    for (run, known) in
        [(&mean, &[21.884, 1.814, 1.091][..]), (&all, &[21.876, 1.8092, 1.0881, 0.8490])]
    {
        let found = periods(run, known.len());
        println!("{found:.5?} ms ({known:?})");
        for (seen, known) in found.iter().zip(known) {
            assert!((seen / known - 1.0).abs() < 1e-3, "{seen} {known}");
        }
    }
}

#[test]
fn ends_and_mean_places_of_its_sliders_let_the_arm_bend_within_them() {
    let all = bundled("quick_return_solid");
    let right = |block: &str, path: &str| {
        format!(
            "[joints.{block}_right]\nsliding = {{ edge = \"{block}.{block}_right\", path = [\"{path}\"], nodes = \"all\" }}\n"
        )
    };
    let left = all.edit(&right("S", "arm.right"), "").edit(&right("N", "low"), "");
    // Two conditions for each slider: one mean normal, one mean moment.
    for (text, nodes, known) in [(&all, "ends", 22.049), (&left, "mean", 22.19)] {
        let text = text.edit("nodes = \"all\" }", &format!("nodes = \"{nodes}\" }}"));
        let found = periods(&Simulation::of(&text), 1)[0];
        println!("{nodes}: {found:.4} ms ({known})");
        assert!((found / known - 1.0).abs() < 1e-3, "{nodes}: {found}");
    }
}

#[test]
fn it_moves_as_in_an_independent_solver() {
    let rows = reference::<12>("quick_return_solid_0.1s.csv.gz");
    let mut run = Simulation::bundled("quick_return_solid", &[]);
    let mut worst = [0.0_f64; 4];
    run.run(0.012, 1e-3, |run| {
        let row = rows.iter().find(|row| (row[0] - run.time()).abs() < 1e-9);
        let [_, deflection, _, velocity, at_s, _, at_n, ..] = *row.expect("a row");
        let of = |joints: [&str; 2]| {
            let sum = |key: &str| -> f64 {
                joints.iter().map(|j| run.get(&format!("joints.{j}.{key}"))).sum()
            };
            sum("fx").hypot(sum("fy"))
        };
        let apart = [
            run.get("probes.tip_deflection") - deflection,
            run.get("points.N.vx") - velocity,
            of(["S_left", "S_right"]) - at_s.abs(),
            of(["N_left", "N_right"]) - at_n.abs(),
        ];
        (worst.iter_mut().zip(apart)).for_each(|(worst, a)| *worst = worst.max(a.abs()));
    });
    println!("{worst:.6?}");
    assert!(worst[0] < 1e-4 && worst[1] < 0.03, "{worst:?}");
    // Of 2968 N and 465 N; the solver's own holes are squeezed on their circles, which the mean places are not.
    assert!(worst[2] < 0.02 * 2968.6 && worst[3] < 0.05 * 465.3, "{worst:?}");
    assert!(run.lost().abs() < 1e-3 * run.get("energy.kinetic"));
}

/// Slow: the bundled quick return of solids, twice.
#[test]
fn with_rigid_crank_and_link_it_moves_as_with_stiff_ones() {
    let stiff = bundled("quick_return_solid");
    let body = |name: &str| format!("[bodies.{name}]\nmaterial = \"stiff\"\nthickness = 0.0598\n");
    let rigid = ["crank", "link"].iter().fold(stiff.clone(), |text, name| {
        let state = "state = \"plane_stress\"\n";
        text.edit(&(body(name) + state), &(body(name) + "rigid = true\n"))
    });
    let [stiff, rigid] = [stiff, rigid].map(|text| {
        let mut run = Simulation::of(&text);
        run.run(0.01, 1e-3, |_| ());
        run
    });
    // A thousand times as stiff as the arm.
    for (path, off) in
        [("probes.tip_deflection", 1e-4), ("points.N.vx", 1e-5), ("motions.crank.reaction", 2e-3)]
    {
        let (a, b) = (stiff.get(path), rigid.get(path));
        println!("{path}: {a} stiff, {b} rigid");
        assert!((a / b - 1.0).abs() < off, "{path} {a} {b}");
    }
    let sizes = [&stiff, &rigid].map(|run| run.system.initial().len());
    println!("{sizes:?} unknowns");
    assert!(5 * sizes[1] < 3 * sizes[0], "{sizes:?}");
}
