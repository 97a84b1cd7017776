//! A mesh as a `.msh` file of version 4.1 in text.

use std::fmt::Write;

use crate::mesh::Mesh;

/// Types of lines and triangles by their order.
const LINES: [i32; 4] = [1, 8, 26, 27];
const TRIANGLES: [i32; 4] = [2, 9, 21, 23];
const POINT: i32 = 15;

/// The file; each edge is a curve, each named node a point, and all nodes stand with the surface.
pub(super) fn file(mesh: &Mesh, surface: &str) -> String {
    let mut out = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n".to_string();
    let points = mesh.points.iter().map(|(name, _)| (0, name.as_str()));
    let curves = mesh.edges.iter().map(|edge| (1, edge.name.as_str()));
    let names: Vec<(i32, &str)> = points.chain(curves).chain([(2, surface)]).collect();
    // Tags count up within a dimension, and an entity has that of its group.
    let mut tags = [0; 3];
    let _ = writeln!(out, "$PhysicalNames\n{}", names.len());
    for (dimension, name) in names {
        let tag = &mut tags[dimension as usize];
        *tag += 1;
        let _ = writeln!(out, "{dimension} {tag} \"{name}\"");
    }
    out += "$EndPhysicalNames\n";
    entities(&mut out, mesh);
    let count = mesh.nodes.len();
    let _ = writeln!(out, "$Nodes\n1 {count} 1 {count}\n2 1 0 {count}");
    for tag in 1..=count {
        let _ = writeln!(out, "{tag}");
    }
    for [x, y] in &mesh.nodes {
        let _ = writeln!(out, "{x} {y} 0");
    }
    out += "$EndNodes\n";
    elements(&mut out, mesh);
    out
}

fn entities(out: &mut String, mesh: &Mesh) {
    let (points, curves) = (mesh.points.len(), mesh.edges.len());
    let _ = writeln!(out, "$Entities\n{points} {curves} 1 0");
    for (tag, (_, node)) in (1..).zip(&mesh.points) {
        let [x, y] = mesh.nodes[*node];
        let _ = writeln!(out, "{tag} {x} {y} 0 1 {tag}");
    }
    for (tag, edge) in (1..).zip(&mesh.edges) {
        let around = around(edge.nodes.iter().map(|&node| mesh.nodes[node]));
        let _ = writeln!(out, "{tag} {around} 1 {tag} 0");
    }
    let around = around(mesh.nodes.iter().copied());
    let _ = writeln!(out, "1 {around} 1 1 0\n$EndEntities");
}

/// The box around places.
fn around(places: impl Iterator<Item = [f64; 2]>) -> String {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for place in places {
        for i in 0..2 {
            low[i] = low[i].min(place[i]);
            high[i] = high[i].max(place[i]);
        }
    }
    format!("{} {} 0 {} {} 0", low[0], low[1], high[0], high[1])
}

fn elements(out: &mut String, mesh: &Mesh) {
    let p = mesh.order;
    let lines: usize = mesh.edges.iter().map(|edge| (edge.nodes.len() - 1) / p).sum();
    let count = mesh.points.len() + lines + mesh.triangles().len();
    let blocks = mesh.points.len() + mesh.edges.len() + 1;
    let _ = writeln!(out, "$Elements\n{blocks} {count} 1 {count}");
    let mut tag = 0;
    let mut element = |out: &mut String, nodes: &mut dyn Iterator<Item = usize>| {
        tag += 1;
        let _ = write!(out, "{tag}");
        for node in nodes {
            let _ = write!(out, " {}", node + 1);
        }
        out.push('\n');
    };
    for (entity, (_, node)) in (1..).zip(&mesh.points) {
        let _ = writeln!(out, "0 {entity} {POINT} 1");
        element(out, &mut [*node].into_iter());
    }
    for (entity, edge) in (1..).zip(&mesh.edges) {
        let kind = LINES[p - 1];
        let _ = writeln!(out, "1 {entity} {kind} {}", (edge.nodes.len() - 1) / p);
        for line in edge.nodes.windows(p + 1).step_by(p) {
            let ends = [line[0], line[p]].into_iter();
            element(out, &mut ends.chain(line[1..p].iter().copied()));
        }
    }
    let _ = writeln!(out, "2 1 {} {}", TRIANGLES[p - 1], mesh.triangles().len());
    for nodes in mesh.triangles() {
        element(out, &mut nodes.iter().copied());
    }
    out.push_str("$EndElements\n");
}
