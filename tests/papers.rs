//! The bundled models against the numbers of independent solutions.

mod common;

use common::Simulation;

#[test]
fn tensile_buckling_follows_the_elastica() {
    let table = [
        (0.1e-3, 3.00082),
        (1e-3, 7.93989),
        (10e-3, 10.03159),
        (50e-3, 8.84492),
        (100e-3, 7.23759),
        (200e-3, 5.02787),
        (300e-3, 3.67379),
    ];
    let mut sim = Simulation::bundled("tensile_buckling", &[]);
    for (u, force) in table {
        let h = u / 1e-3 - sim.time();
        sim.step(h);
        let ours = sim.get("motions.pull.reaction");
        println!("u = {u} m: {ours:.5} N, reference {force} N");
        assert!((ours - force).abs() < 1e-3 * force);
    }
}
