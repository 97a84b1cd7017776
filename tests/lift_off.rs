//! Sliders that lift off their paths and touch down again.

mod common;

use common::Simulation;

const G: f64 = 9.81;
const HEIGHT: f64 = 0.1;
const WAVENUMBER: f64 = std::f64::consts::PI;

/// A bead of 1 kg on hills h = 0.1 cos πx, in a valley with the velocity `speed` along x.
fn hills(step: f64, speed: f64, more: &str) -> Simulation {
    Simulation::of(&format!(
        r#"
name = "Hills"
[solver]
step = {step:?}
spectral_radius = 0.8
position_tolerance = 1e-13
[points]
a = [0.0, 0.0]
b = [20.0, 0.0]
bead = [1.0, -0.1]
[members.m]
from = "a"
to = "b"
elements = 3
order = 1
[supports.m]
member = "m"
fix = ["x", "y", "rotation"]
[masses.bead]
point = "bead"
mass = 1.0
[gravity]
y = -9.81
[initial.points.bead]
vx = {speed:?}
[joints.bead]
cylindrical = {{ slider = "bead", path = ["m"], contact = "unilateral" }}
roughness.cosine = {{ amplitude = {HEIGHT}, wavelength = 2.0 }}
{more}
[interface]
outputs = ["points.bead.*", "energy.*", "solver.*"]
"#
    ))
}

#[test]
fn x() {
    for h in [4e-3, 2e-3, 1e-3, 5e-4] {
        let mut sim = hills(h, 4.1, "");
        let mut reg = 0.0;
        sim.run(2.0, h, |sim| {
            let r = sim.get("joints.bead.regime");
            if r != reg {
                println!(
                    "{h} {r} t {:.6} x {:.8} y {:.8} gap {:e} F {:.3}",
                    sim.time(), sim.get("points.bead.x"), sim.get("points.bead.y"),
                    sim.get("joints.bead.gap"), sim.get("joints.bead.normal_force")
                );
                reg = r;
            }
        });
        println!("{h} end x {:.8} y {:.8} bal {:.6} steps {} it {} rej {} tr {}", sim.get("points.bead.x"), sim.get("points.bead.y"), sim.get("energy.balance"), sim.get("solver.steps"), sim.get("solver.iterations"), sim.get("solver.rejections"), sim.get("joints.bead.transitions"));
    }
}
