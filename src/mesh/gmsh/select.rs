//! The body among everything that a file holds.

use std::collections::{BTreeMap, BTreeSet};

use super::GmshFault;
use super::content::{Content, Element};
use super::curves::edges;
use super::element::Shape;
use crate::mesh::Mesh;
use crate::mesh::flaw::place;
use crate::message::{rounded, shown};
use crate::numerics::plane::extent;
use crate::numerics::triangle::lattice;

/// Largest difference in height, beside the body.
const FLAT: f64 = 1e-9;

fn fault<T>(message: String) -> Result<T, GmshFault> {
    Err(GmshFault::Content(message))
}

pub(super) fn body(content: &Content, surfaces: &[&str]) -> Result<Mesh, GmshFault> {
    let (order, triangles) = triangles(content, surfaces)?;
    let numbers = numbers(content, &triangles)?;
    let places = numbers.keys().map(|&index| content.places[index]);
    flat(places.clone())?;
    let mut mesh =
        Mesh { order, nodes: places.map(|[x, y, _]| [x, y]).collect(), ..Mesh::default() };
    let number = |tag: &u64| content.nodes.get(tag).and_then(|index| numbers.get(index)).copied();
    // All nodes of the triangles have a number by now.
    mesh.triangles =
        (triangles.iter()).flat_map(|triangle| triangle.nodes.iter().filter_map(number)).collect();
    turn(&mut mesh);
    edges(content, number, &mut mesh);
    points(content, number, &mut mesh);
    Ok(mesh)
}

/// The physical surfaces that a body is made of, in words, and their tags; `None` where all triangles are taken.
fn chosen(content: &Content, wanted: &[&str]) -> Result<Option<(String, Vec<i32>)>, GmshFault> {
    let surfaces = content.groups(2);
    let quoted = |name: &str| format!("`{}`", shown(name));
    let list = || {
        let names = surfaces.iter().map(|(name, _)| quoted(name));
        names.collect::<Vec<_>>().join(", ")
    };
    if wanted.is_empty() {
        return match &surfaces[..] {
            [] => Ok(None),
            [(name, tags)] => Ok(Some((format!("surface {}", quoted(name)), tags.clone()))),
            _ => fault(format!(
                "the file has the physical surfaces {}; choose with `surface` which one is the body, or several in a list",
                list()
            )),
        };
    }
    let mut all = Vec::new();
    for name in wanted {
        let number = name.parse().ok();
        let own = surfaces.iter().find(|(own, _)| own == name);
        let own = own.or_else(|| {
            let mut numbered = surfaces.iter();
            numbered.find(|(_, tags)| number.is_some_and(|number| tags.contains(&number)))
        });
        match own {
            Some((_, tags)) => all.extend(tags),
            None if content.has_name(2, name) => {
                return fault(format!(
                    "surface {} has no triangles; mesh it in two dimensions",
                    quoted(name)
                ));
            }
            None => {
                let there = match surfaces.len() {
                    0 => "the file has no physical surface; leave `surface` out".to_string(),
                    _ => format!("allowed: {}", list()),
                };
                return fault(format!(
                    "no physical surface has the name or number {}; {there}",
                    quoted(name)
                ));
            }
        }
    }
    let names: Vec<String> = wanted.iter().map(|name| quoted(name)).collect();
    Ok(Some((format!("surface {}", names.join(", ")), all)))
}

/// The triangles of the body and their order.
fn triangles<'a>(
    content: &'a Content, surfaces: &[&str],
) -> Result<(usize, Vec<&'a Element>), GmshFault> {
    let chosen = chosen(content, surfaces)?;
    let which = || match &chosen {
        Some((which, _)) => which.clone(),
        None => "the file".to_string(),
    };
    let mut order = None;
    let mut seen: BTreeSet<&[u64]> = BTreeSet::new();
    let mut triangles = Vec::new();
    for element in &content.elements {
        // Version 2 repeats a triangle for each of its groups.
        if element.shape.dimension() != 2
            || (chosen.as_ref()).is_some_and(|(_, tags)| !element.belongs(tags))
            || !seen.insert(&element.nodes)
        {
            continue;
        }
        let own = match element.shape {
            Shape::Triangle(own) => own,
            Shape::Other(other) => return fault(format!("{} has {other}", which())),
            Shape::Point | Shape::Line(_) => continue,
        };
        let order = *order.get_or_insert(own);
        if own != order {
            let tag = element.tag;
            return fault(format!(
                "triangle {tag} has order {own} and those before it have {order}; allowed: one order"
            ));
        }
        triangles.push(element);
    }
    match order {
        Some(order) => Ok((order, triangles)),
        None => fault(format!("{} has no triangles; mesh the surface in two dimensions", which())),
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
                "the node at {at} lies at z = {z} m and others at {level} m; allowed: one z for all, with the mesh in the x-y plane"
            ));
        }
    }
    Ok(())
}

/// Turns triangles that run clockwise; one that is folded over its neighbour walks their side as that does then,
/// which [`Mesh::check`] finds.
fn turn(mesh: &mut Mesh) {
    let lattice = lattice(mesh.order);
    let mirrored: Vec<usize> = (lattice.iter())
        .map(|&[i, j, k]| lattice.iter().position(|&node| node == [i, k, j]).unwrap_or(0))
        .collect();
    for nodes in mesh.triangles.chunks_exact_mut(lattice.len()) {
        let [a, b, c] = [0, 1, 2].map(|i| mesh.nodes[nodes[i]]);
        if (b[0] - a[0]) * (c[1] - a[1]) < (b[1] - a[1]) * (c[0] - a[0]) {
            let old = nodes.to_vec();
            for (node, &from) in nodes.iter_mut().zip(&mirrored) {
                *node = old[from];
            }
        }
    }
}

/// The named points of the body; what of several points is none is kept for whoever uses it.
fn points(content: &Content, number: impl Fn(&u64) -> Option<usize>, mesh: &mut Mesh) {
    for (name, tags) in content.groups(0) {
        let own = |element: &&Element| element.shape == Shape::Point && element.belongs(&tags);
        let found: BTreeSet<usize> = (content.elements.iter().filter(own))
            .filter_map(|element| number(&element.nodes[0]))
            .collect();
        if found.len() > 1 {
            let why = format!("is {} points; give each a name of its own", found.len());
            mesh.no_points.push((name, why));
        } else if let Some(node) = found.into_iter().next() {
            mesh.points.push((name, node));
        }
    }
}
