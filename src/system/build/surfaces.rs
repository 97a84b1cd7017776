//! The points of contacts of surfaces.

use super::path::Route;
use super::surface_pieces::{Piece, joined, pieces};
use crate::checked::{Analysis, Checked, Stiffness, SurfaceContact as Described, facing};
use crate::joints::path::Path;
use crate::nodes::{Node, Nodes};
use crate::numerics::gauss;
use crate::numerics::positions::Positions;
use crate::surfaces::closest_point::ClosestPoint;
use crate::surfaces::layer::Layer;
use crate::surfaces::point::SurfacePoint;
use crate::surfaces::side::Side;
use crate::surfaces::strip::Strip;
use crate::system::SystemFault;
use crate::system::surfaces::{
    Cache, ContactPoint, Facing, Stretch, SurfaceContact, SurfaceContacts,
};

/// Places of each element of a path among which the one nearest to a point is looked for.
const SAMPLES: usize = 8;

/// All contacts; the friction law of the first of them is number `first_law` of the mechanism.
///
/// # Errors
/// When the path of one has a corner inside an edge.
pub fn of(
    model: &Checked, nodes: &Nodes, first_law: usize, free: impl Fn(usize) -> bool,
) -> Result<SurfaceContacts, SystemFault> {
    let (mut contacts, mut points) = (Vec::new(), Vec::new());
    for described in &model.contacts {
        let first = points.len();
        let mut pieces = pieces(model, described, nodes);
        let at = pieces.first().map_or([0.0; 2], |piece| piece.middle(model));
        let route =
            Route { parts: &described.guide.path, closed: described.guide.closed, smooth: true };
        let (mut path, _) = route.path(model, nodes, at);
        let inner = path.elements().split_last().map(|(_, inner)| inner);
        if inner.is_some_and(|inner| inner.iter().any(|element| element.ends_member)) {
            return Err(SystemFault(format!(
                "contacts.{}: an edge of its path has a corner, where a surface has no face to touch; round it off, or \
                 make a contact of each side of it",
                described.name
            )));
        }
        let carriers = (0..path.elements().len()).flat_map(|element| path.carriers(element));
        let moves = carriers.flat_map(Node::unknowns).any(&free);
        // What deforms has to be loaded by pressures as its elements are.
        let at_nodes = matches!(described.stiffness, Stiffness::Nodes(_));
        let deforms = moves && !route.is_rigid(model) && !at_nodes;
        if deforms {
            path = path.traced_by_its_elements();
        }
        let initial = Positions::from(&nodes.initial[..]);
        let order = |nodes: usize| nodes.saturating_sub(1);
        let elements = path.elements();
        let of_path = elements.iter().map(|element| order(element.nodes.len()));
        let of_path = of_path.max().unwrap_or(1).max(1);
        let shortest = elements.iter().map(|element| element.length);
        let shortest = shortest.fold(f64::INFINITY, f64::min);
        if !at_nodes {
            // What a straight path touches changes evenly.
            let length = match deforms || path.is_curved() {
                true => shortest / of_path as f64,
                false => f64::INFINITY,
            };
            // Means over sides see no parabola.
            let turn = if deforms { 0.25 * Checked::OUTLINE_TURN } else { Checked::OUTLINE_TURN };
            pieces = joined(pieces, [length, turn], path.is_curved() && !deforms);
        }
        let total: f64 = pieces.iter().map(Piece::length).sum();
        let mut built = Built {
            model,
            described,
            path: &path,
            initial: &initial,
            total,
            below: (pieces.iter()).fold(0.0, |most, piece| most.max(piece.stiffness(model))),
            first,
            points: &mut points,
            stretches: Vec::new(),
            strips: Vec::new(),
        };
        for piece in &pieces {
            match deforms {
                true => built.add_side(piece),
                false if piece.rigid && !at_nodes => built.add_strip(piece),
                false => built.add_points(piece),
            }
        }
        let (stretches, strips) = (built.stretches, built.strips);
        for point in &mut points[first..] {
            point.contact = contacts.len();
        }
        let longest = |longest: f64, point: &ContactPoint| longest.max(point.surface.length);
        let of_surface = pieces.iter().map(|piece| piece.axis.order());
        let most = of_surface.fold(of_path, usize::max);
        let long = pieces.iter().map(Piece::length).fold(0.0, f64::max);
        // Of two that lie beside each other, one more; and where strains make them longer or shorter.
        let spans = (1.5 * long / shortest) as usize + 2;
        contacts.push(SurfaceContact {
            name: described.name.clone(),
            fade: (!described.guide.closed).then(|| points[first..].iter().fold(0.0, longest)),
            covers: deforms
                && !described.guide.closed
                && model.solver.analysis != Analysis::Dynamic,
            spans: spans.min(path.elements().len() + 2),
            rule: gauss::legendre(most + 3),
            path,
            points: first..points.len(),
            stretches,
            strips,
            moves,
            offset: described.guide.offset(),
            at_nodes,
            deepest: described.deepest,
            friction: described.friction.kind(),
            length: total,
            cache: Cache::default(),
        });
    }
    Ok(SurfaceContacts { contacts, points, first_law })
}

/// The nodes that each point of a contact hangs on, with the number of sides that it is a mean over; none where it stands for itself.
fn carried<'a>(
    contact: &'a SurfaceContact, points: &'a [ContactPoint],
) -> impl Iterator<Item = (Vec<Node>, usize)> + 'a {
    contact.points.clone().map(|i| {
        let sides = points[i].stretches.iter();
        let sides = sides.filter_map(|&[k, _]| contact.stretches[k].side.as_ref());
        let nodes: Vec<Node> = { sides.clone() }.flat_map(Side::nodes).copied().collect();
        if nodes.is_empty() { (points[i].surface.nodes.clone(), 0) } else { (nodes, sides.count()) }
    })
}

/// The free unknowns that contacts couple whose places on their paths never change.
pub fn couplings(
    SurfaceContacts { contacts, points, .. }: &SurfaceContacts, free: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    let still = contacts.iter().filter(|contact| !contact.moves);
    let own = still.flat_map(|contact| carried(contact, points));
    let mut lists: Vec<Vec<usize>> = own
        .map(|(nodes, _)| {
            let all = nodes.iter().flat_map(Node::unknowns);
            let mut all: Vec<usize> = all.filter(|u| free(*u)).collect();
            all.sort_unstable();
            all.dedup();
            all
        })
        .collect();
    lists.dedup();
    lists
}

/// Most entries of the tangent that friction and the ends of paths make unsymmetric.
pub fn beside(
    SurfaceContacts { contacts, points, .. }: &SurfaceContacts, free: impl Fn(usize) -> bool,
) -> usize {
    let count = |nodes: &[Node]| {
        let unknowns = nodes.iter().flat_map(Node::unknowns);
        unknowns.filter(|u| free(*u)).count()
    };
    let most = contacts.iter().map(|contact| {
        let elements = 0..contact.path.elements().len();
        let carriers = elements.map(|element| count(contact.path.carriers(element)));
        let carried_by = carriers.max().unwrap_or(0);
        let own = carried(contact, points);
        own.map(|(nodes, sides)| {
            let below = (contact.spans * sides).max(1).min(contact.path.elements().len());
            (count(&nodes) + below * carried_by).pow(2)
        })
        // Below an end of the path there is a side more.
        .fold([0; 2], |[sum, most], own: usize| [sum + own, most.max(own)])
    });
    most.map(|[sum, most]| sum + 2 * most).sum()
}

/// A contact that is being built.
struct Built<'a> {
    model: &'a Checked,
    described: &'a Described,
    path: &'a Path,
    initial: &'a Positions,
    /// Length of the surface, m, and how stiff the stiffest element below it is by its length, N/m²: one stiffness for all of the surface, as a
    /// uniform pressure would not press sides alike that have others.
    total: f64,
    below: f64,
    /// The first of its points.
    first: usize,
    points: &'a mut Vec<ContactPoint>,
    stretches: Vec<Stretch>,
    strips: Vec<Strip>,
}

impl Built<'_> {
    /// Adds points of a piece that stand for themselves.
    fn add_points(&mut self, piece: &Piece) {
        let order = piece.axis.order();
        let rule: Vec<(f64, f64)> = match self.described.stiffness {
            Stiffness::Nodes(_) => {
                let places = (0..=order).map(|k| 2.0 * k as f64 / order as f64 - 1.0);
                places.map(|xi| (xi, 2.0 / (order + 1) as f64)).collect()
            }
            // With both ends, so that corners bear where they are.
            _ => gauss::lobatto(order + 1),
        };
        for (xi, weight) in rule {
            let length = weight * piece.axis.at(xi).stretch;
            self.add_own_point(piece, xi, length);
        }
    }

    /// Adds a [point](Built::add_point) that stands for itself.
    fn add_own_point(&mut self, piece: &Piece, xi: f64, length: f64) -> usize {
        let count = self.points.len();
        let point = self.add_point(piece, xi, length);
        if point == count {
            self.points[point].stretches.push([self.stretches.len(), 0]);
            self.stretches.push(Stretch { points: vec![point], side: None });
        }
        point
    }

    /// Adds the points of a piece of a rigid body, its ends and where it is curved its middle, and the strip between them.
    fn add_strip(&mut self, piece: &Piece) {
        let Stiffness::Surface(stiffness) = self.described.stiffness else {
            return self.add_points(piece);
        };
        let (order, length) = (piece.axis.order(), piece.length());
        let xi = |k: usize| 2.0 * k as f64 / order as f64 - 1.0;
        let part = length / (order + 1) as f64;
        let points: Vec<usize> = (0..=order)
            .map(|k| match order {
                1 => self.add_own_point(piece, xi(k), part),
                _ => self.add_point(piece, xi(k), part),
            })
            .collect();
        for (end, &point) in points.iter().enumerate() {
            self.points[point].strips.push([self.strips.len(), end]);
        }
        if order > 1 {
            for (place, &point) in points.iter().enumerate() {
                self.points[point].stretches.push([self.stretches.len(), place]);
            }
            let initial = |k: usize| self.points[points[k]].initial;
            self.points[points[1]].initial = 2.0 * initial(1) - 0.5 * (initial(0) + initial(2));
            self.stretches.push(Stretch { points: points.clone(), side: None });
        }
        self.strips.push(Strip { points, length, stiffness: stiffness * length });
    }

    /// Adds the points at the nodes of a piece, and the side that they are those of.
    fn add_side(&mut self, piece: &Piece) {
        let axis = piece.axis.nodes();
        let places: Vec<[f64; 2]> = axis.iter().map(|place| place.position).collect();
        let angles: Vec<f64> = axis.iter().map(|place| place.angle).collect();
        let lever = piece.lever(self.model);
        let side = Side::new(piece.nodes.clone(), &places, &angles, lever);
        let order = piece.axis.order();
        let points: Vec<usize> = (0..=order)
            .zip(side.parts())
            .map(|(k, length)| {
                let xi = 2.0 * k as f64 / order as f64 - 1.0;
                let point = self.add_point(piece, xi, length);
                let here = [self.stretches.len(), k];
                self.points[point].stretches.push(here);
                point
            })
            .collect();
        self.stretches.push(Stretch { points, side: Some(side) });
    }

    /// Adds a point at ξ of a piece that stands for a `length` (m), or the length to that of the node there that another piece has, too.
    fn add_point(&mut self, piece: &Piece, xi: f64, length: f64) -> usize {
        let (described, model) = (self.described, self.model);
        let thickness = piece.thickness(model);
        let (place, outward) = model.on_surface(piece.part, &piece.axis, xi);
        let normal = match described.stiffness {
            Stiffness::Surface(k) => k * length,
            Stiffness::Penalty(times) => times * self.below * length,
            Stiffness::Nodes(k) => k,
        };
        let surface = piece.point(model, xi, place, length);
        let again = |other: &ContactPoint| {
            let near = |i: usize| (other.surface.initial[i] - place[i]).abs();
            near(0).max(near(1)) <= 1e-9 * self.total
        };
        // Two sides that meet in a node share its point.
        let share = length / self.total;
        let own = self.points[self.first..].iter().rposition(again);
        if let Some(i) = own {
            let other = &mut self.points[self.first + i];
            if !matches!(described.stiffness, Stiffness::Nodes(_)) {
                other.layer.normal += normal;
                other.layer.tangential += described.tangential_ratio * normal;
            }
            other.surface.length += length;
            other.layer.share += share;
            return self.first + i;
        }
        let (path, initial) = (self.path, self.initial);
        let s = nearest(path, initial, &surface);
        let closest = ClosestPoint::of(path, initial, &surface.at(initial), s);
        let side = facing(closest.normal, outward);
        let (distance, offset) = (closest.distance(), described.guide.offset());
        let inside =
            described.guide.width > 0.0 && (side * distance > 0.0 || distance.abs() < offset);
        self.points.push(ContactPoint {
            contact: usize::MAX,
            initial: closest.s(),
            stretches: Vec::new(),
            strips: Vec::new(),
            facing: if inside { Facing::Nearer } else { Facing::Side(side) },
            layer: Layer { normal, tangential: described.tangential_ratio * normal, share },
            surface,
            thickness,
        });
        self.points.len() - 1
    }
}

/// s of the place of a path that is nearest to a point in the initial configuration.
fn nearest(path: &Path, initial: &Positions, surface: &SurfacePoint) -> f64 {
    let at = surface.at(initial);
    let mut best = (f64::INFINITY, 0.0);
    for element in path.elements() {
        for k in 0..=SAMPLES {
            let s = element.start + element.length * k as f64 / SAMPLES as f64;
            let distance = ClosestPoint::distance_at(path, initial, &at, s);
            if distance < best.0 {
                best = (distance, s);
            }
        }
    }
    best.1
}
