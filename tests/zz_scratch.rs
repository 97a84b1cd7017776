mod common;
use common::Simulation;
#[test]
fn scratch() {
    let step: f64 = std::env::var("H").map_or(5e-3, |s| s.parse().unwrap());
    let rho: f64 = std::env::var("RHO").map_or(0.9, |s| s.parse().unwrap());
    let mu: f64 = std::env::var("MU").map_or(0.06, |s| s.parse().unwrap());
    let shake: f64 = std::env::var("SHAKE").map_or(1.0, |s| s.parse().unwrap());
    let vert: f64 = std::env::var("VERT").map_or(1.0, |s| s.parse().unwrap());
    let from: f64 = std::env::var("FROM").map_or(0.0, |s| s.parse().unwrap());
    let to: f64 = std::env::var("TO").map_or(22.0, |s| s.parse().unwrap());
    let every: usize = std::env::var("EVERY").map_or(10, |s| s.parse().unwrap());
    let text = common::bundled("isolated_building_frame").replace(
        "scale = \"shaking\", start = 2.0 }\n\n#",
        &format!("scale = {}, start = 2.0 }}\n\n#", vert * shake),
    );
    let mut sim = Simulation::with(
        &text,
        &[
            ("solver.step", step),
            ("solver.spectral_radius", rho),
            ("parameters.friction", mu),
            ("parameters.shaking", shake),
        ],
    );
    let mut i = 0;
    let n = (to / step).round() as usize;
    for k in 0..n {
        if let Err(e) = sim.try_step(k as f64 * step, step) {
            println!("{e}");
            break;
        }
        i += 1;
        if i % every == 0 && sim.time() > from {
            println!(
                "{:.4} s {:.5} {:.5} v {:.4} FN {:.0} {:.0} Ff {:.0} shear {:.0} drift {:.5} ax {:.3} ay {:.2} it {} bal {:.1}",
                sim.time(),
                sim.get("joints.foot_l.position"),
                sim.get("joints.foot_r.position"),
                sim.get("joints.foot_r.velocity"),
                sim.get("joints.foot_l.normal_force"),
                sim.get("joints.foot_r.normal_force"),
                sim.get("joints.foot_r.friction_force"),
                sim.get("motions.horizontal.reaction"),
                sim.get("probes.drift_1"),
                sim.get("points.r5.ax"),
                sim.get("points.r5.ay"),
                sim.get("solver.iterations"),
                sim.get("energy.balance")
            );
        }
    }
}
