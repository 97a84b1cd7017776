//! The physical curves of a file as edges of the body.

use std::collections::BTreeSet;

use super::chain::{Break, chain};
use super::content::{Content, Element};
use super::element::Shape;
use crate::mesh::flaw::place;
use crate::mesh::{Edge, Mesh};

/// Most pieces of a curve that a message lists.
const MAX_LISTED_PIECES: usize = 4;

/// The sides of all triangles by their corners.
type Sides = BTreeSet<(usize, usize)>;

/// Adds the physical curves on the body to the edges; why one is none is kept for whoever uses it.
pub(super) fn edges(content: &Content, number: impl Fn(&u64) -> Option<usize>, mesh: &mut Mesh) {
    let sides: Sides = (mesh.triangles())
        .flat_map(|nodes| [0, 1, 2].map(|i| (nodes[i], nodes[(i + 1) % 3])))
        .collect();
    for (name, tags) in content.groups(1) {
        let lines = lines(content, &number, mesh, &sides, &tags);
        let edge = lines.and_then(|lines| match lines.is_empty() {
            true => Ok(None),
            false => edge(&name, &lines, mesh, &sides).map(Some),
        });
        match edge {
            Ok(edge) => mesh.edges.extend(edge),
            Err(why) => mesh.no_edges.push((name, why)),
        }
    }
}

/// The lines of a curve, each by its nodes in walking order; none of one beside the body.
fn lines(
    content: &Content, number: impl Fn(&u64) -> Option<usize>, mesh: &Mesh, sides: &Sides,
    tags: &[i32],
) -> Result<Vec<Vec<usize>>, String> {
    let (mut lines, mut seen, mut beside) = (Vec::new(), BTreeSet::new(), None);
    for element in &content.elements {
        let Shape::Line(order) = element.shape else {
            continue;
        };
        if !element.belongs(tags) {
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
            return Err(format!("has lines of order {order}, and the triangles have {own}"));
        }
        // Gmsh lists both ends first.
        let inner = element.nodes[2..].iter().map(&number);
        let line: Option<Vec<usize>> =
            std::iter::once(Some(a)).chain(inner).chain([Some(b)]).collect();
        let Some(line) = line else {
            let at = place(&mesh.nodes[a]);
            return Err(format!("has a node near {at} that no triangle has"));
        };
        if seen.insert((a.min(b), a.max(b))) {
            lines.push(line);
        }
    }
    match beside {
        Some(element) if !lines.is_empty() => Err(format!(
            "lies on the body in part only: not at {}; give its parts names of their own",
            beginning(content, element)
        )),
        _ => Ok(lines),
    }
}

/// Where a line of the file begins.
fn beginning(content: &Content, line: &Element) -> String {
    let index = content.nodes.get(&line.nodes[0]);
    index.map_or("a node that is not there".to_string(), |&index| {
        let [x, y, _] = content.places[index];
        place(&[x, y])
    })
}

/// The edge that lines make, with the body on its left; one inside the body runs as its first line does.
fn edge(name: &str, lines: &[Vec<usize>], mesh: &Mesh, sides: &Sides) -> Result<Edge, String> {
    let none = |what: String| {
        Err(format!("is no single chain: {what}; give its parts names of their own"))
    };
    let at = |node: usize| place(&mesh.nodes[node]);
    let mut nodes = match chain(lines) {
        Ok(nodes) => nodes,
        Err(Break::Branch(node)) => {
            return none(format!("more than two of its lines meet at {}", at(node)));
        }
        Err(Break::Pieces(pieces)) => {
            let listed =
                pieces.iter().take(MAX_LISTED_PIECES).map(|&[from, to]| match from == to {
                    true => format!("one that closes at {}", at(from)),
                    false => format!("one from {} to {}", at(from), at(to)),
                });
            let listed: Vec<String> = listed.collect();
            let more = if pieces.len() > MAX_LISTED_PIECES { ", …" } else { "" };
            let count = pieces.len();
            return none(format!("it has {count} pieces, {}{more}", listed.join(", ")));
        }
    };
    if !sides.contains(&(nodes[0], nodes[mesh.order])) {
        nodes.reverse();
    }
    let closed = nodes.first() == nodes.last();
    let name = name.to_string();
    Ok(Edge { name, nodes, closed, curves: Vec::new() })
}
