//! Positions of a mechanism whose deformations are exaggerated, for pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use coulisse::numerics::lagrange::shape;
use coulisse::system::System;

use super::bodies::{Bodies, Pose};
use super::nodes::Nodes;
use super::{PathData, deformations, exaggeration, extent, largest, path_data, poses};
use crate::film::Film;

/// The unknowns of each frame of a film with deformations `factor` times as large: what a body has moved and turned as a whole stays.
/// A rigid body keeps its shape: it goes and turns with the deformations around it.
///
/// Assemblies that only sliders support are moved onto their paths as these are then drawn: moved, turned and scaled, which is exact for
/// one and two sliders.
pub fn exaggerated(film: &Film, factor: f64) -> Vec<Vec<f64>> {
    if factor == 1.0 {
        return film.frames.iter().map(|frame| frame.q.clone()).collect();
    }
    let system = film.system();
    let mut nodes = Nodes::of(system);
    let paths = paths(system, &mut nodes);
    let bodies = Bodies::of(film, &nodes);
    let poses = poses(film, &nodes, &bodies);
    let all = deformations(film, &nodes, &bodies, &poses);
    let frames = film.frames.iter().zip(all).enumerate().map(|(index, (frame, deformations))| {
        let mut q = frame.q.clone();
        for (node, [u, v]) in deformations.into_iter().enumerate() {
            if let Some([x, y]) = nodes.unknowns(node) {
                q[x] += (factor - 1.0) * u;
                q[y] += (factor - 1.0) * v;
            }
        }
        let poses = |body: usize| &poses[body][index];
        exaggerate_rigid_bodies(&mut q, system, factor, &nodes, &bodies, poses);
        move_onto_paths(&mut q, &frame.q, system, &paths, &nodes, &bodies);
        place_carried_points(&mut q, &frame.q, system);
        q
    });
    frames.collect()
}

/// How much the page exaggerates deformations at first.
pub fn first_exaggeration(film: &Film) -> f64 {
    let nodes = Nodes::of(film.system());
    let bodies = Bodies::of(film, &nodes);
    let poses = poses(film, &nodes, &bodies);
    let all = deformations(film, &nodes, &bodies, &poses);
    let largest = largest(all.iter().flatten().flatten());
    exaggeration(largest, extent(film, &nodes), bodies.is_structure()).first
}

/// The path of each slider that has one.
fn paths(system: &System, nodes: &mut Nodes) -> Vec<(usize, Vec<PathData>)> {
    let sliders = system.model().sliders.iter().enumerate();
    let sliding = sliders.filter(|(_, slider)| !slider.path.is_empty());
    sliding
        .map(|(id, slider)| (id, path_data(system.drawing().path_of(id), &slider.path, nodes)))
        .collect()
}

/// Where the position s is on a path, m.
fn on_path(path: &[PathData], s: f64, nodes: &Nodes, q: &[f64]) -> [f64; 2] {
    let at = path.partition_point(|element| element.start <= s).saturating_sub(1);
    let element = &path[at];
    let xi = 2.0 * (s - element.start) / element.length - 1.0;
    let weights = shape(element.nodes.len() - 1, xi).value;
    let mut place = [0.0; 2];
    for (&node, weight) in element.nodes.iter().zip(weights) {
        let [x, y] = nodes.place(node, q);
        place = [place[0] + weight * x, place[1] + weight * y];
    }
    place
}

/// Moves and turns rigid bodies within what deforms. `poses`: how far each body of the picture has moved as a whole.
fn exaggerate_rigid_bodies<'a>(
    q: &mut [f64], system: &System, factor: f64, nodes: &Nodes, bodies: &Bodies,
    poses: impl Fn(usize) -> &'a Pose,
) {
    let (model, initial) = (system.model(), system.initial());
    for (id, list) in nodes.bodies.iter().enumerate() {
        let own = |node: &usize| *node >= model.points.len() || model.carrier_at(*node) == Some(id);
        let all = list.iter().chain(&nodes.carried[id]).copied();
        let node = all.clone().find(own).or_else(|| all.clone().next());
        let unknowns = system.drawing().unknowns_of_rigid_body(id);
        let (Some(node), Some([x, y, rotation])) = (node, unknowns) else {
            continue;
        };
        let group = bodies.of_node[node];
        let body = &bodies.list[group];
        if !body.deforms() {
            continue;
        }
        let pose = poses(group);
        let rigid = body.carried(pose, [initial[x], initial[y]]);
        let turned = q[rotation] - initial[rotation] - pose.turn;
        let turned = turned - TAU * (turned / TAU).round();
        q[x] += (factor - 1.0) * (q[x] - rigid[0]);
        q[y] += (factor - 1.0) * (q[y] - rigid[1]);
        q[rotation] += (factor - 1.0) * turned;
    }
}

/// Places points of rigid bodies that are not where they are `drawn` without exaggeration on their bodies.
fn place_carried_points(q: &mut [f64], drawn: &[f64], system: &System) {
    let drawing = system.drawing();
    for point in 0..system.model().points.len() {
        if let Some(on_body) = drawing.point_on_its_body(point) {
            let unknowns = drawing.unknowns_of_point(point);
            let place = on_body.place(q);
            let moves = unknowns.iter().any(|&unknown| q[unknown] != drawn[unknown]);
            if moves || place != on_body.place(drawn) {
                unknowns.into_iter().zip(place).for_each(|(unknown, x)| q[unknown] = x);
            }
        }
    }
}

/// Moves assemblies that only sliders support with their paths; `drawn`: the positions without exaggeration.
fn move_onto_paths(
    q: &mut [f64], drawn: &[f64], system: &System, paths: &[(usize, Vec<PathData>)], nodes: &Nodes,
    bodies: &Bodies,
) {
    let mut carried: BTreeMap<usize, Vec<[[f64; 2]; 2]>> = BTreeMap::new();
    for (slider, path) in paths {
        let point = system.model().sliders[*slider].point;
        let assembly = bodies.list[bodies.of_node[point]].assembly;
        if !bodies.held[assembly] {
            let s = system
                .drawing()
                .path_of(*slider)
                .within_a_lap(q[system.drawing().unknown_of_slider(*slider)]);
            // What keeps a distance from its path keeps it.
            let (old, new) = (on_path(path, s, nodes, drawn), on_path(path, s, nodes, q));
            let place = nodes.place(point, drawn);
            let to = [0, 1].map(|i| place[i] + new[i] - old[i]);
            let from = nodes.place(point, q);
            carried.entry(assembly).or_default().push([from, to]);
        }
    }
    for (assembly, pairs) in carried {
        let mean = |end: usize| {
            [0, 1].map(|i| pairs.iter().map(|pair| pair[end][i]).sum::<f64>() / pairs.len() as f64)
        };
        let (a, b) = (mean(0), mean(1));
        let [mut along, mut across, mut square] = [0.0; 3];
        for [from, to] in &pairs {
            let [x, y] = [from[0] - a[0], from[1] - a[1]];
            let [u, v] = [to[0] - b[0], to[1] - b[1]];
            along += x * u + y * v;
            across += x * v - y * u;
            square += x * x + y * y;
        }
        let [cos, sin] = if square > 0.0 { [along / square, across / square] } else { [1.0, 0.0] };
        let own = |node: &usize| bodies.list[bodies.of_node[*node]].assembly == assembly;
        let list = (0..nodes.count()).filter(own);
        let moved: BTreeMap<usize, usize> =
            list.clone().map(|node| nodes.carrier(node)).map(|[x, y]| (x, y)).collect();
        for (x, y) in moved {
            let [u, v] = [q[x] - a[0], q[y] - a[1]];
            q[x] = b[0] + cos * u - sin * v;
            q[y] = b[1] + sin * u + cos * v;
        }
        let turning: BTreeSet<usize> = list.filter_map(|node| nodes.rotation(node)).collect();
        for unknown in turning {
            q[unknown] += sin.atan2(cos);
        }
    }
}
