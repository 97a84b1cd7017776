//! Motions of the whole as one body, which participation refers to.

use crate::model::checked::Direction;
use crate::system::System;

/// Centre of mass, m.
pub(super) fn centre(system: &System, q: &[f64]) -> [f64; 2] {
    system.weight.each_ref().map(|weight| {
        let mass: f64 = weight.iter().map(|(_, m)| m).sum();
        let moment: f64 = weight.iter().map(|&(u, m)| m * q[u]).sum();
        if mass > 0.0 { moment / mass } else { 0.0 }
    })
}

/// Translations of all nodes along x and y and their turn about `middle`, without the joints' and
/// supports' leave.
pub(super) fn rigid_motions(system: &System, q: &[f64], middle: [f64; 2]) -> [Vec<f64>; 3] {
    let model = &system.model;
    let mut motions = [0, 1, 2].map(|_| vec![0.0; system.nodal]);
    let mut nodes: Vec<[Option<usize>; 3]> = Vec::new();
    for point in 0..model.points.len() {
        let [x, y] = system.nodes.of_place(point);
        nodes.push([Some(x), Some(y), None]);
        let rotations = system.nodes.rotations_of(point).iter();
        nodes.extend(rotations.map(|(r, _)| [None, None, Some(*r)]));
    }
    for member in 0..model.members.len() {
        let own = system.nodes.of_member(member).iter();
        nodes.extend(own.map(|node| node.map(Some)));
    }
    for node in nodes {
        if let [Some(x), Some(y), _] = node {
            motions[Direction::X as usize][x] = 1.0;
            motions[Direction::Y as usize][y] = 1.0;
            motions[Direction::Rotation as usize][x] = middle[1] - q[y];
            motions[Direction::Rotation as usize][y] = q[x] - middle[0];
        }
        if let [_, _, Some(r)] = node {
            motions[Direction::Rotation as usize][r] = 1.0;
        }
    }
    motions
}
