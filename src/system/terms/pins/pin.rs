//! Pins: conditions between unknowns that are no sliders', each with its multipliers. Means of places that coincide have two,
//! [couplings](super::coupling) one.
//!
//! Weighted means of places that coincide:
//!
//! ```text
//! c = Σ w_k x_k = 0,    x_k = Y_k + R(r_k) d_k
//! ```
//!
//! along x and along y, with constant weights that add up to 0: those of the nodes of a hole are their shares of its length,
//! those of what it is held on are negative. A place of a rigid body turns about its centre of mass Y with the arm d; nodes
//! have none. The multipliers act on Y_k with w_k λ and on r_k with w_k λ·J R d, J R d = ∂x/∂r. Points of a rigid body are
//! pinned to it in the same way, so is the end of a member at a hinge with friction, and the mean places of an edge that slide
//! are to the edge, with weights of both signs; where it
//! is curved they turn what they weigh, and w is a matrix that stretches and turns.

use super::coupling::PlacedCoupling;
use crate::checked::{Bearing, Checked, EdgeId, Member, MemberId, Part, PointId, Turning, turning};
use crate::nodes::Nodes;
use crate::numerics::positions::{Coordinates, Position, Positions};
use crate::system::material_point::MaterialPoint;
use crate::system::numbers::Number;

/// One pin.
#[derive(Debug, Clone)]
pub(crate) struct Pin {
    /// What it is or belongs to, in the words of messages.
    pub name: String,
    /// The rigid body, or the end of a member, that it ties to a point. What a rigid member has for an end of its own is tied to its body as a
    /// point is.
    pub ties: Option<(Part, PointId)>,
    pub condition: Condition,
    /// Place of its first multiplier in the border; a second follows.
    pub border: usize,
    /// Whether its force presses a hinge with friction, so that its rows are not its columns transposed.
    pub presses: bool,
}

/// What a pin closes.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    /// Places that coincide along x and y.
    Means(Vec<Weighed>),
    /// A coupling, whose second multiplier is none.
    Coupled(PlacedCoupling),
}

/// A material point with its weight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weighed {
    pub point: MaterialPoint,
    pub weight: Turning,
}

impl Weighed {
    /// w v of what the point has.
    pub fn weighed<D: Number>(&self, [x, y]: [D; 2]) -> [D; 2] {
        turning(self.weight).map(|[a, b]| x * a + y * b)
    }
}

impl Pin {
    /// The pins of a model, whose multipliers begin at `border`.
    pub fn all(model: &Checked, nodes: &Nodes, border: usize) -> Vec<Pin> {
        let of_node = |&node: &[usize; 2], weight: Turning| Weighed { point: node.into(), weight };
        let on_body = |body, place| MaterialPoint::on_body(model, nodes, body, place);
        // The mean place of an edge.
        let mean = |id: EdgeId, weight: f64| -> Vec<Weighed> {
            if model.is_rigid(id.body) {
                let point = on_body(id.body, model.middle_of_edge(id));
                let weight = [weight, 0.0];
                return point.map(|point| Weighed { point, weight }).into_iter().collect();
            }
            let shares = model.shares_of_edge(id).into_iter();
            let nodes = nodes.of_edge(id).iter().zip(shares);
            nodes.map(|(node, w)| of_node(node, [weight * w, 0.0])).collect()
        };
        let point = |id| of_node(&nodes.of_place(id), [-1.0, 0.0]);
        // The node of its own that a member has for its end at a point, if it has one.
        let own_ends = |member: MemberId| {
            let (list, Member { from, to, .. }) = (nodes.of_member(member), &model.members[member]);
            let ends = [(*from, list.first()), (*to, list.last())].into_iter();
            let apart = ends.zip(model.ends_apart(member)).filter(|(_, apart)| *apart);
            apart.filter_map(|((at, node), _)| Some((at, node?.position)))
        };
        let own_end = |member, at| {
            let own = own_ends(member).find(|(point, _)| *point == at);
            own.map(|(_, node)| of_node(&node, [-1.0, 0.0]))
        };
        let mut pins: Vec<Pin> = Vec::new();
        let mut next = border;
        let mut close = |name: String, condition: Condition, ties| {
            let pin = Pin { name, ties, condition, border: next, presses: false };
            next += pin.rows();
            pins.push(pin);
        };
        let mut add =
            |name: String, terms: Vec<Weighed>, of| close(name, Condition::Means(terms), of);
        for pin in &model.pins {
            let mut terms = mean(pin.hole, 1.0);
            match pin.on {
                Bearing::Edge(id) => terms.extend(mean(id, -1.0)),
                Bearing::Point(id) => terms.push(point(id)),
            }
            add(format!("joints.{}", pin.name), terms, None);
        }
        let elastic = |edge: EdgeId| !model.is_rigid(edge.body);
        let on_lines = model.sliding_edges.iter();
        for sliding in on_lines.filter(|s| s.mean && elastic(s.edge)) {
            let points = model.weights_of_means(sliding.edge).into_iter();
            for (weights, j) in points.zip(sliding.sliders.clone()) {
                let edge = nodes.of_edge(sliding.edge).iter().zip(weights);
                let mut terms: Vec<Weighed> = edge.map(|(node, w)| of_node(node, w)).collect();
                terms.push(point(model.sliders[j].point));
                add(format!("joints.{}", sliding.name), terms, None);
            }
        }
        for (id, body) in model.bodies.iter().enumerate() {
            let held =
                |place| on_body(id, place).map(|point| Weighed { point, weight: [1.0, 0.0] });
            let end = |at| body.member.and_then(|member| own_end(member, at));
            for carried in body.carried() {
                if let Some(own) = held(model.points[carried].position) {
                    let name = &model.points[carried].name;
                    let name = format!("{} at point `{name}`", body.quoted());
                    let other = end(carried).unwrap_or_else(|| point(carried));
                    add(name, vec![own, other], Some((Part::Body(id), carried)));
                }
            }
            let nodes_of = |member| nodes.of_member(member).iter().map(|node| node.position);
            let list: Vec<[usize; 2]> = body.member.into_iter().flat_map(nodes_of).collect();
            let inner = list.get(1..list.len().saturating_sub(1)).unwrap_or_default();
            for (k, node) in inner.iter().enumerate() {
                if let Some(own) = held(node.map(|u| nodes.initial[u])) {
                    let name = format!("{} at its node {}", body.quoted(), k + 2);
                    add(name, vec![own, of_node(node, [-1.0, 0.0])], None);
                }
            }
        }
        for (id, member) in model.members.iter().enumerate() {
            for (at, node) in own_ends(id) {
                let name = &model.points[at].name;
                let name = format!("member `{}` at point `{name}`", member.name);
                let terms = vec![of_node(&node, [1.0, 0.0]), point(at)];
                add(name, terms, Some((Part::Member(id), at)));
            }
        }
        for point in 0..model.points.len() {
            let name = &model.points[point].name;
            for (k, members) in model.rotation_groups(point).iter().enumerate() {
                let mut clamped = model.rigid_among(point, (k, members));
                let first = clamped.next();
                for other in clamped {
                    let placed = first
                        .and_then(|body| PlacedCoupling::of_clamp(nodes, point, [body, other]));
                    if let Some(placed) = placed {
                        let name = format!("{} at point `{name}`", model.bodies[other].quoted());
                        close(name, Condition::Coupled(placed), None);
                    }
                }
            }
        }
        for (id, hinge) in model.friction_hinges.iter().enumerate() {
            if let Some(placed) = PlacedCoupling::of_hinge(nodes, (id, hinge)) {
                let name = format!("joints.{}", model.sliders[hinge.slider].name);
                close(name, Condition::Coupled(placed), None);
            }
        }
        for (id, stop) in model.rigid_stops.iter().enumerate() {
            if let Some(placed) = PlacedCoupling::of_stop(model, nodes, (id, stop)) {
                let name = model.path_of_slider(stop.slider);
                close(name, Condition::Coupled(placed), None);
            }
        }
        for (id, coupling) in model.couplings.iter().enumerate() {
            if let Some(placed) = PlacedCoupling::of(model, nodes, (id, coupling)) {
                let name = format!("couplings.{}", coupling.name);
                close(name, Condition::Coupled(placed), None);
            }
        }
        pins
    }

    /// How many multipliers it has.
    pub fn rows(&self) -> usize {
        match self.condition {
            Condition::Means(_) => 2,
            Condition::Coupled(_) => 1,
        }
    }

    /// Its unknowns, perhaps more than once.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> + '_ {
        let terms = self.terms().iter().flat_map(|term| term.point.unknowns());
        terms.chain(self.coupled().into_iter().flat_map(PlacedCoupling::unknowns))
    }

    /// The places that it closes.
    pub fn terms(&self) -> &[Weighed] {
        match &self.condition {
            Condition::Means(terms) => terms,
            Condition::Coupled(_) => &[],
        }
    }

    /// The coupling that it is.
    pub fn coupled(&self) -> Option<&PlacedCoupling> {
        match &self.condition {
            Condition::Means(_) => None,
            Condition::Coupled(coupling) => Some(coupling),
        }
    }

    /// Whether what it closes is an angle.
    pub fn turns(&self) -> bool {
        self.coupled().is_some_and(|coupling| coupling.turns)
    }

    /// c.
    pub fn gap(&self, q: &Positions) -> [f64; 2] {
        if let Some(coupling) = self.coupled() {
            return [coupling.gap(q), 0.0];
        }
        // Measured from one of the nodes, so that a place far away costs no digits.
        let origin = self.terms().first().map(|term| term.point.node);
        let origin = origin.map_or([Position::default(); 2], |node| node.map(|u| q.place(u)));
        self.sum(|point| point.displacement_from(origin, q))
    }

    /// The second derivative of c at the positions `q` along two changes of the unknowns.
    pub fn curvature(&self, q: &Positions, [v, w]: [&[f64]; 2]) -> [f64; 2] {
        if let Some(coupling) = self.coupled() {
            let bent = coupling.parts(q).map(|part| {
                let [a, b] = [v, w].map(|v| part.measured.along(|u| v[u]));
                let curved = part.measured.curved(|u| v[u], |u| w[u]);
                part.bend * a * b + part.slope * curved
            });
            return [bent.sum(), 0.0];
        }
        self.sum(|point| {
            let arm = point.arm.as_ref();
            arm.map_or([0.0; 2], |arm| {
                let turns = v[arm.rotation] * w[arm.rotation];
                arm.turned(q[arm.rotation]).map(|arm| -arm * turns)
            })
        })
    }

    /// The rate of c at the positions `q` when the unknowns move with the velocities `rates`.
    pub fn rate(&self, q: &Positions, rates: &[f64]) -> [f64; 2] {
        if let Some(coupling) = self.coupled() {
            return [coupling.along(q, |u| rates[u]), 0.0];
        }
        let first = self.terms().first();
        let [x, y] = first.map_or([0.0; 2], |term| term.point.node.map(|u| rates[u]));
        self.sum(|point| {
            let [vx, vy] = point.velocity(q, rates);
            [vx - x, vy - y]
        })
    }

    /// Σ w of what the points have.
    fn sum(&self, of: impl Fn(&MaterialPoint) -> [f64; 2]) -> [f64; 2] {
        self.terms().iter().fold([0.0; 2], |sum, term| {
            let own = term.weighed(of(&term.point));
            [0, 1].map(|i| sum[i] + own[i])
        })
    }
}
