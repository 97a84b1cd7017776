//! The points of contacts of surfaces.

use super::path::Route;
use crate::elements::frame::section::half_height;
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::joints::path::Path;
use crate::model::checked::{
    Behaviour, Checked, Course, Stiffness, SurfaceContact as Described, SurfacePart, facing,
};
use crate::nodes::{Node, Nodes};
use crate::numerics::gauss;
use crate::numerics::lagrange::{MAX_NODES, shape};
use crate::numerics::positions::Positions;
use crate::surfaces::foot::Foot;
use crate::surfaces::lining::Lining;
use crate::surfaces::point::SurfacePoint;
use crate::system::SystemFault;
use crate::system::surface_contact::{ContactPoint, Facing, SurfaceContact};

/// Places of each element of a path among which the one nearest to a point is looked for.
const SAMPLES: usize = 8;

/// All contacts and their points.
///
/// # Errors
/// When the path of one has a corner inside an edge.
pub fn of(
    model: &Checked,
    nodes: &Nodes,
    free: impl Fn(usize) -> bool,
) -> Result<(Vec<SurfaceContact>, Vec<ContactPoint>), SystemFault> {
    let (mut contacts, mut points) = (Vec::new(), Vec::new());
    for described in &model.contacts {
        let first = points.len();
        let pieces = pieces(model, described, nodes);
        let at = pieces.first().map_or([0.0; 2], |piece| piece.middle(model));
        let route = Route {
            parts: &described.guide.path,
            closed: described.guide.closed,
            smooth: true,
        };
        let (path, _) = route.path(model, nodes, at);
        let inner = path.elements().split_last().map(|(_, inner)| inner);
        if inner.is_some_and(|inner| inner.iter().any(|element| element.ends_member)) {
            return Err(SystemFault(format!(
                "contacts.{}: an edge of its path has a corner, where a surface has no face to bear on; round it off, or \
                 make a contact of each side of it",
                described.name
            )));
        }
        let drawn = Positions::from(&nodes.initial[..]);
        let before = points.len();
        let total: f64 = pieces.iter().map(Piece::length).sum();
        for piece in &pieces {
            piece.add_points(model, described, (&path, &drawn), total, &mut points);
        }
        for point in &mut points[before..] {
            point.contact = contacts.len();
        }
        let carriers = (0..path.elements().len()).flat_map(|element| path.carriers(element));
        let moves = carriers.flat_map(Node::unknowns).any(&free);
        let longest = |longest: f64, point: &ContactPoint| longest.max(point.surface.length);
        contacts.push(SurfaceContact {
            fade: (!described.guide.closed).then(|| points[first..].iter().fold(0.0, longest)),
            path,
            points: first..points.len(),
            moves,
            offset: described.guide.offset(),
            deepest: described.deepest,
            friction: described.friction.kind(),
            length: total,
        });
    }
    Ok((contacts, points))
}

/// The unknowns that meet where a surface bears on its path: of each element of the surface, those of one element of the path at
/// a time. The first list is that of guides that stand still, whose surfaces are all that they couple.
pub fn couplings(
    contacts: &[SurfaceContact],
    points: &[ContactPoint],
    free: impl Fn(usize) -> bool,
) -> [Vec<Vec<usize>>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    for contact in contacts {
        let unknowns = |nodes: &[Node]| {
            let all = nodes.iter().flat_map(Node::unknowns);
            all.filter(|u| free(*u)).collect::<Vec<usize>>()
        };
        let mut own: Vec<Vec<usize>> = (points[contact.points.clone()].iter())
            .map(|point| unknowns(&point.surface.nodes))
            .collect();
        own.dedup();
        if !contact.moves {
            lists[0].append(&mut own);
            continue;
        }
        for element in 0..contact.path.elements().len() {
            let carriers = unknowns(contact.path.carriers(element));
            lists[1].extend(own.iter().map(|own| {
                let mut all = [&own[..], &carriers[..]].concat();
                all.sort_unstable();
                all.dedup();
                all
            }));
        }
    }
    lists
}

/// Most entries of the tangent that friction makes unsymmetric.
pub fn beside(
    contacts: &[SurfaceContact],
    points: &[ContactPoint],
    free: impl Fn(usize) -> bool,
) -> usize {
    let count = |nodes: &[Node]| {
        let unknowns = nodes.iter().flat_map(Node::unknowns);
        unknowns.filter(|u| free(*u)).count()
    };
    let most = contacts.iter().map(|contact| {
        let elements = 0..contact.path.elements().len();
        let carriers = elements.map(|element| count(contact.path.carriers(element)));
        let carried = carriers.max().unwrap_or(0);
        let own = points[contact.points.clone()].iter();
        own.map(|point| (count(&point.surface.nodes) + carried).pow(2))
            .sum::<usize>()
    });
    most.sum()
}

/// An element or a side of a triangle of a surface.
struct Piece {
    part: SurfacePart,
    axis: InitialAxis,
    nodes: Vec<Node>,
}

fn pieces(model: &Checked, described: &Described, nodes: &Nodes) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for &part in &described.surface {
        let list: Vec<Node> = match part {
            SurfacePart::Edge(edge) if model.is_rigid(edge.body) => {
                let body = nodes.of_rigid_body(edge.body);
                body.map(Node::from).into_iter().collect()
            }
            SurfacePart::Edge(edge) => nodes.of_edge(edge).iter().map(|&n| n.into()).collect(),
            SurfacePart::Face { member, .. } => {
                nodes.of_member(member).iter().map(|&n| n.into()).collect()
            }
        };
        for (k, axis) in model.axes_of_surface(part).into_iter().enumerate() {
            let order = axis.order();
            let own = match list.len() {
                1 => list.clone(),
                _ => list[k * order..=(k + 1) * order].to_vec(),
            };
            pieces.push(Piece {
                part,
                axis,
                nodes: own,
            });
        }
    }
    pieces
}

impl Piece {
    fn middle(&self, model: &Checked) -> [f64; 2] {
        model.on_surface(self.part, &self.axis, 0.0).0
    }

    fn length(&self) -> f64 {
        ArcLength::of(&self.axis).total()
    }

    /// Its thickness, and how stiff the elements below it are by its length, N/m².
    fn below(&self, model: &Checked) -> (Option<f64>, f64) {
        match self.part {
            SurfacePart::Edge(edge) => {
                let body = &model.bodies[edge.body];
                let modulus = match &body.behaviour {
                    Behaviour::Elastic(density, _) => density.stiffness(),
                    Behaviour::Rigid(_) => 0.0,
                };
                let thickness = body.matter().map(|matter| matter.thickness);
                let stiffness = modulus * thickness.unwrap_or(0.0) / self.length();
                (thickness, stiffness)
            }
            SurfacePart::Face { member, .. } => {
                let member = &model.members[member];
                let section = member.properties.as_ref();
                let stiffness = section.map_or(1.0, |p| {
                    let height = 2.0 * half_height(p);
                    p.young_modulus * p.area / (height * height)
                });
                let thickness = match member.course {
                    Course::Edge(edge) => model.thickness_of_body(edge.body),
                    Course::Axis(_) => None,
                };
                (thickness, stiffness)
            }
        }
    }

    fn add_points(
        &self,
        model: &Checked,
        described: &Described,
        (path, drawn): (&Path, &Positions),
        total: f64,
        points: &mut Vec<ContactPoint>,
    ) {
        let order = self.axis.order();
        let rule: Vec<(f64, f64)> = match described.stiffness {
            Stiffness::Nodes(_) => {
                let places = (0..=order).map(|k| 2.0 * k as f64 / order as f64 - 1.0);
                places.map(|xi| (xi, 2.0 / (order + 1) as f64)).collect()
            }
            // With both ends, so that corners bear where they are.
            _ => gauss::lobatto(order + 1),
        };
        let (thickness, below) = self.below(model);
        for (xi, weight) in rule {
            let at = self.axis.at(xi);
            let (place, outward) = model.on_surface(self.part, &self.axis, xi);
            let length = weight * at.stretch;
            let normal = match described.stiffness {
                Stiffness::Surface(k) => k * length,
                Stiffness::Penalty(times) => times * below * length,
                Stiffness::Nodes(k) => k,
            };
            let surface = self.point(model, xi, place, length);
            let again = |other: &ContactPoint| {
                let near = |i: usize| (other.surface.drawn[i] - place[i]).abs();
                near(0).max(near(1)) <= 1e-9 * total
            };
            // Two sides that meet in a node share its point.
            let before = points.iter_mut().rev();
            if let Some(other) = { before }.find(|other| other.is_new() && again(other)) {
                if !matches!(described.stiffness, Stiffness::Nodes(_)) {
                    other.lining.normal += normal;
                    other.lining.tangential += described.tangential_ratio * normal;
                }
                other.surface.length += length;
                other.lining.share += length / total;
                continue;
            }
            let s = nearest(path, drawn, &surface);
            let foot = Foot::of(path, drawn, &surface.at(drawn), s);
            let side = facing(foot.normal, outward);
            let inside = described.guide.width > 0.0 && side * foot.distance > 0.0;
            points.push(ContactPoint {
                contact: usize::MAX,
                drawn: foot.s(),
                facing: if inside {
                    Facing::Nearer
                } else {
                    Facing::Side(side)
                },
                lining: Lining {
                    normal,
                    tangential: described.tangential_ratio * normal,
                    share: length / total,
                },
                surface,
                thickness,
            });
        }
    }

    fn point(&self, model: &Checked, xi: f64, place: [f64; 2], length: f64) -> SurfacePoint {
        let order = self.axis.order();
        let mut weights = shape(order, xi).value;
        let at = self.axis.at(xi);
        let arm = match self.part {
            SurfacePart::Edge(edge) if model.is_rigid(edge.body) => {
                weights = [0.0; MAX_NODES];
                weights[0] = 1.0;
                let centre = model.bodies[edge.body].rigid().map_or(place, |r| r.centre);
                [place[0] - centre[0], place[1] - centre[1]]
            }
            SurfacePart::Edge(_) => [0.0; 2],
            SurfacePart::Face { .. } => {
                let (sin, cos) = at.angle.sin_cos();
                let height = model.height_of_surface(self.part);
                [-height * sin, height * cos]
            }
        };
        SurfacePoint {
            nodes: self.nodes.clone(),
            weights,
            arm,
            length,
            drawn: place,
        }
    }
}

impl ContactPoint {
    /// Whether its contact is not complete yet.
    fn is_new(&self) -> bool {
        self.contact == usize::MAX
    }
}

/// s of the place of a path that is nearest to a point as drawn.
fn nearest(path: &Path, drawn: &Positions, surface: &SurfacePoint) -> f64 {
    let at = surface.at(drawn);
    let mut best = (f64::INFINITY, 0.0);
    for element in path.elements() {
        for k in 0..=SAMPLES {
            let s = element.start + element.length * k as f64 / SAMPLES as f64;
            let distance = Foot::distance_at(path, drawn, &at, s);
            if distance < best.0 {
                best = (distance, s);
            }
        }
    }
    best.1
}
