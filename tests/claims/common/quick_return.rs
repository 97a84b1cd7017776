//! Variants of the quick return of solids.

use super::bundled;
use super::edit::Edit;
use super::mechanism::Mechanism;

/// The bundled model with all nodes of every hole on the circle in it; the crank alone is turned by the mean place of its bore.
pub fn with_all_nodes() -> String {
    let axle = &Mechanism::part()
        .body("axle", "material = 'arm', thickness = 0.0598, state = 'plane_stress'")
        .and("outline.size = 0.01")
        .and("outline.edges = [{ name = 'rim', circle = { center = 'B', radius = 'bore' } }]")
        .support("axle", "edge = 'axle.rim', fix = ['x', 'y']")
        .text();
    let all = |text: String, [hole, before, on]: [&str; 3]| {
        text.edit(
            &format!("\"{hole}\", on = \"{before}\" }}"),
            &format!("\"{hole}\", on = \"{on}\", nodes = \"all\" }}"),
        )
    };
    let holes = [
        ["arm.hole_B", "B", "axle.rim"],
        ["crank.hole_S", "S.S_ring", "S.S_ring"],
        ["link.hole_N", "N.N_ring", "N.N_ring"],
        ["arm.hole_A", "link.hole_A", "link.hole_A"],
    ];
    holes.into_iter().fold(bundled("quick_return_solid"), all) + axle
}
