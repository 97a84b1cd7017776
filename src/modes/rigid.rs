//! Motions of the whole as one body, which participation refers to.

use crate::system::System;

/// Centre of mass, m.
pub(super) fn centre(system: &System, q: &[f64]) -> [f64; 2] {
    system.loads.gravity.weight.each_ref().map(|weight| {
        let mass: f64 = weight.iter().map(|(_, m)| m).sum();
        let moment: f64 = weight.iter().map(|&(u, m)| m * q[u]).sum();
        if mass > 0.0 { moment / mass } else { 0.0 }
    })
}

/// Translations of all nodes along x and y and their turn about `middle`, without the joints' and
/// supports' leave.
pub(super) fn rigid_motions(system: &System, q: &[f64], middle: [f64; 2]) -> [Vec<f64>; 3] {
    let mut motions = [0, 1, 2].map(|_| vec![0.0; system.nodal]);
    let [along_x, along_y, turn] = &mut motions;
    for [x, y] in system.nodes.positions() {
        along_x[x] = 1.0;
        along_y[y] = 1.0;
        turn[x] = middle[1] - q[y];
        turn[y] = q[x] - middle[0];
    }
    for (turn, &rotates) in turn.iter_mut().zip(&system.is_rotation) {
        if rotates {
            *turn = 1.0;
        }
    }
    motions
}
