//! The body among everything that a file holds.

use std::collections::{BTreeMap, BTreeSet};

use super::GmshFault;
use super::chain::{Break, chain};
use super::content::{Content, Element};
use super::element::Shape;
use crate::mesh::flaw::place;
use crate::mesh::{Edge, Mesh};
use crate::message::{rounded, shown};
use crate::numerics::plane::extent;
use crate::numerics::triangle::lattice;

/// Largest difference in height, beside the body.
const FLAT: f64 = 1e-9;

fn fault<T>(message: String) -> Result<T, GmshFault> {
    Err(GmshFault::Content(message))
}

pub(super) fn body(content: &Content, surface: Option<&str>) -> Result<Mesh, GmshFault> {
    let (order, triangles) = triangles(content, surface)?;
    let numbers = numbers(content, &triangles)?;
    let places = numbers.keys().map(|&index| content.places[index]);
    flat(places.clone())?;
    let mut mesh = Mesh {
        order,
        nodes: places.map(|[x, y, _]| [x, y]).collect(),
        ..Mesh::default()
    };
    let number = |tag: &u64| {
        content
            .nodes
            .get(tag)
            .and_then(|index| numbers.get(index))
            .copied()
    };
    // All nodes of the triangles have a number by now.
    mesh.triangles = (triangles.iter())
        .flat_map(|triangle| triangle.nodes.iter().filter_map(number))
        .collect();
    turn(&mut mesh);
    edges(content, number, &mut mesh)?;
    points(content, number, &mut mesh)?;
    Ok(mesh)
}

/// The physical names of a dimension with the tags of their groups, in the order of the first tag.
fn named(content: &Content, dimension: i32) -> Vec<(&str, Vec<i32>)> {
    let mut found: Vec<(&str, Vec<i32>)> = Vec::new();
    for ((own, tag), name) in &content.names {
        if *own == dimension {
            match found.iter_mut().find(|(other, _)| other == name) {
                Some((_, tags)) => tags.push(*tag),
                None => found.push((name, vec![*tag])),
            }
        }
    }
    found
}

fn belongs(element: &Element, tags: &[i32]) -> bool {
    element.groups.iter().any(|group| tags.contains(group))
}

/// The triangles of the body and their order.
fn triangles<'a>(
    content: &'a Content,
    surface: Option<&str>,
) -> Result<(usize, Vec<&'a Element>), GmshFault> {
    let surfaces = named(content, 2);
    let list = || {
        let quoted = surfaces
            .iter()
            .map(|(name, _)| format!("`{}`", shown(name)));
        quoted.collect::<Vec<_>>().join(", ")
    };
    let wanted = match surface {
        None if surfaces.len() > 1 => {
            return fault(format!(
                "the file has the surfaces {}; state which one is the body",
                list()
            ));
        }
        None => surfaces.first(),
        Some(name) => {
            let found = surfaces.iter().find(|(own, _)| *own == name);
            if found.is_none() {
                let there = match surfaces.len() {
                    0 => "no surface of the file has a physical name".to_string(),
                    _ => format!("allowed: {}", list()),
                };
                return fault(format!(
                    "no physical surface is named `{}`; {there}",
                    shown(name)
                ));
            }
            found
        }
    };
    let mut order = None;
    let mut seen: BTreeSet<&[u64]> = BTreeSet::new();
    let mut triangles = Vec::new();
    for element in &content.elements {
        let Shape::Triangle(own) = element.shape else {
            continue;
        };
        // Version 2 repeats a triangle for each of its groups.
        if wanted.is_some_and(|(_, tags)| !belongs(element, tags)) || !seen.insert(&element.nodes) {
            continue;
        }
        let order = *order.get_or_insert(own);
        if own != order {
            let tag = element.tag;
            return fault(format!(
                "triangle {tag} has order {own} and those before it have {order}; allowed: one order"
            ));
        }
        triangles.push(element);
    }
    match (order, wanted) {
        (Some(order), _) => Ok((order, triangles)),
        (None, Some((name, _))) => fault(format!(
            "surface `{}` has no triangles; mesh it in two dimensions",
            shown(name)
        )),
        (None, None) => {
            fault("the file has no triangles; mesh the surface in two dimensions".to_string())
        }
    }
}

/// Own numbers of the nodes that the triangles use, by their place in the file.
fn numbers(content: &Content, triangles: &[&Element]) -> Result<BTreeMap<usize, usize>, GmshFault> {
    let mut used = BTreeSet::new();
    for triangle in triangles {
        for tag in &triangle.nodes {
            let Some(&index) = content.nodes.get(tag) else {
                return fault(format!(
                    "triangle {} names node {tag}, which the file does not have",
                    triangle.tag
                ));
            };
            used.insert(index);
        }
    }
    Ok(used.into_iter().zip(0..).collect())
}

/// That all nodes have the same z.
fn flat(places: impl Iterator<Item = [f64; 3]> + Clone) -> Result<(), GmshFault> {
    let size = extent(places.clone().map(|[x, y, _]| [x, y]));
    let Some([_, _, level]) = places.clone().next() else {
        return Ok(());
    };
    for [x, y, z] in places {
        if (z - level).abs() > FLAT * size {
            let at = place(&[x, y]);
            let [z, level] = [z, level].map(|z| rounded(z, 6));
            return fault(format!(
                "the node at {at} lies at z = {z} m and others at {level} m; allowed: all in one plane"
            ));
        }
    }
    Ok(())
}

/// Turns triangles that run clockwise all together.
fn turn(mesh: &mut Mesh) {
    let doubled = |nodes: &[usize]| {
        let [a, b, c] = [0, 1, 2].map(|i| mesh.nodes[nodes[i]]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let sum: f64 = mesh.triangles().map(doubled).sum();
    if sum >= 0.0 {
        return;
    }
    let lattice = lattice(mesh.order);
    let mirrored: Vec<usize> = (lattice.iter())
        .map(|&[i, j, k]| {
            lattice
                .iter()
                .position(|&node| node == [i, k, j])
                .unwrap_or(0)
        })
        .collect();
    for nodes in mesh.triangles.chunks_exact_mut(lattice.len()) {
        let old = nodes.to_vec();
        for (node, &from) in nodes.iter_mut().zip(&mirrored) {
            *node = old[from];
        }
    }
}

/// The named curves on the body as edges.
fn edges(
    content: &Content,
    number: impl Fn(&u64) -> Option<usize>,
    mesh: &mut Mesh,
) -> Result<(), GmshFault> {
    let sides: BTreeSet<(usize, usize)> = (mesh.triangles())
        .flat_map(|nodes| [0, 1, 2].map(|i| (nodes[i], nodes[(i + 1) % 3])))
        .collect();
    for (raw, tags) in named(content, 1) {
        let name = shown(raw);
        let (mut lines, mut seen, mut beside) = (Vec::new(), BTreeSet::new(), None);

        for element in &content.elements {
            let Shape::Line(order) = element.shape else {
                continue;
            };
            if !belongs(element, &tags) {
                continue;
            }
            let ends = [0, 1].map(|i| number(&element.nodes[i]));
            let side = |(a, b)| sides.contains(&(a, b)) || sides.contains(&(b, a));
            let (Some(a), Some(b)) = (ends[0], ends[1]) else {
                beside = beside.or(Some(element));
                continue;
            };
            if !side((a, b)) {
                beside = beside.or(Some(element));
                continue;
            }
            if order != mesh.order {
                let own = mesh.order;
                return fault(format!(
                    "curve `{name}` has lines of order {order}, and the triangles have {own}"
                ));
            }
            // Gmsh lists both ends first.
            let inner = element.nodes[2..].iter().map(&number);
            let line: Option<Vec<usize>> = std::iter::once(Some(a))
                .chain(inner)
                .chain([Some(b)])
                .collect();
            let Some(line) = line else {
                let at = place(&mesh.nodes[a]);
                return fault(format!(
                    "curve `{name}` has a node near {at} that no triangle has"
                ));
            };
            if seen.insert((a.min(b), a.max(b))) {
                lines.push(line);
            }
        }
        if lines.is_empty() {
            continue;
        }
        if let Some(element) = beside {
            let index = content.nodes.get(&element.nodes[0]);
            let at = index.map_or("a node that is not there".to_string(), |&index| {
                let [x, y, _] = content.places[index];
                place(&[x, y])
            });
            return fault(format!(
                "curve `{name}` lies on the body in part only: not at {at}; give its parts names of their own"
            ));
        }
        let edge = edge(raw, &lines, mesh, &sides)?;
        mesh.edges.push(edge);
    }
    Ok(())
}

/// The edge that lines make, with the body on its left; one inside the body runs as its first line does.
fn edge(
    name: &str,
    lines: &[Vec<usize>],
    mesh: &Mesh,
    sides: &BTreeSet<(usize, usize)>,
) -> Result<Edge, GmshFault> {
    let none = |what: &str, node: usize| {
        let (name, at) = (shown(name), place(&mesh.nodes[node]));
        fault(format!(
            "curve `{name}` is no single chain: {what} at {at}; give its parts names of their own"
        ))
    };
    let mut nodes = match chain(lines) {
        Ok(nodes) => nodes,
        Err(Break::Branch(node)) => return none("more than two of its lines meet", node),
        Err(Break::Piece(node)) => return none("another piece begins", node),
    };
    if !sides.contains(&(nodes[0], nodes[mesh.order])) {
        nodes.reverse();
    }
    let closed = nodes.first() == nodes.last();
    let name = name.to_string();
    Ok(Edge {
        name,
        nodes,
        closed,
    })
}

/// The named points of the body.
fn points(
    content: &Content,
    number: impl Fn(&u64) -> Option<usize>,
    mesh: &mut Mesh,
) -> Result<(), GmshFault> {
    for (name, tags) in named(content, 0) {
        let own = |element: &&Element| element.shape == Shape::Point && belongs(element, &tags);
        let found: BTreeSet<usize> = (content.elements.iter().filter(own))
            .filter_map(|element| number(&element.nodes[0]))
            .collect();
        if found.len() > 1 {
            let (name, count) = (shown(name), found.len());
            return fault(format!("{count} points are named `{name}`; allowed: one"));
        }
        let named = found.into_iter().map(|node| (name.to_string(), node));
        mesh.points.extend(named);
    }
    Ok(())
}
