//! What drawings and films show of a mechanism: where its parts are among the unknowns, lines of members and edges, sections and stresses.

use super::surfaces::face;
use super::{
    Beside, ElementGroups, Look, MaterialPoint, MemberForces, SliderJoints, State, System,
};
use crate::checked::{BodyId, Carrier, Checked, Direction, EdgeId, MemberId, Part, PointId, Side};
use crate::elements::frame::resultants::SectionForces;
use crate::elements::plane::stress::{Deformed, Stress};
use crate::joints::path::Path;
use crate::nodes::{FrameNode, Nodes};
use crate::numerics::hypot::hypot;
use crate::numerics::lagrange::shape;
use crate::numerics::triangle::lattice;
use crate::numerics::triangle_map::Within;

/// A place on the axis of a member with the section there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedSection {
    /// In its element, from −1 to 1.
    pub xi: f64,
    /// Y of the axis, m.
    pub place: [f64; 2],
    /// Angle of the section's axis, rad.
    pub axis: f64,
    /// Zero in a member without material.
    pub forces: SectionForces,
}

/// A mechanism as drawings and films show it.
#[derive(Debug, Clone, Copy)]
pub struct Drawing<'a> {
    model: &'a Checked,
    nodes: &'a Nodes,
    groups: &'a ElementGroups,
    sliders: &'a SliderJoints,
    initial: &'a [f64],
}

impl System {
    /// What drawings and films show of it.
    pub fn drawing(&self) -> Drawing<'_> {
        let System { model, nodes, groups, sliders, initial, .. } = self;
        Drawing { model, nodes, groups, sliders, initial }
    }
}

impl Look<'_> {
    /// Sections of one element of a member at each ξ of `places`, which rise; on both sides of what acts inside, where it does, before and behind it.
    pub fn sections_of(
        &self, member: MemberId, element: usize, places: &[f64],
    ) -> Vec<PlacedSection> {
        let found = MemberForces::of(self.system, member).along(self, element);
        let mut wanted: Vec<(f64, Beside)> =
            places.iter().map(|&xi| (xi, Beside::Behind)).collect();
        if let Some(found) = &found {
            found.each_jump(|xi| wanted.extend([(xi, Beside::Before), (xi, Beside::Behind)]));
            wanted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        let section = |&(xi, beside): &(f64, Beside)| {
            let (place, axis) = self.system.drawing().interpolate(member, element, xi, self.q);
            let forces = found.as_ref().map(|found| found.section(xi, beside));
            PlacedSection { xi, place, axis, forces: forces.unwrap_or_default() }
        };
        wanted.iter().map(section).collect()
    }
}

impl<'a> Drawing<'a> {
    /// Unknowns Y₁, Y₂ of a point.
    pub fn unknowns_of_point(self, point: PointId) -> [usize; 2] {
        self.nodes.of_place(point)
    }

    /// A point as a place of the rigid body that it turns with; `None` of a point without one.
    pub fn point_on_its_body(self, point: PointId) -> Option<MaterialPoint> {
        let place = self.model.points[point].position;
        let body = self.model.carrier_at(point)?;
        MaterialPoint::on_body(self.model, self.nodes, body, place)
    }

    /// Unknowns Y₁, Y₂ of the centre of mass of a rigid body and its rotation r; `None` where the body is not rigid.
    pub fn unknowns_of_rigid_body(self, body: BodyId) -> Option<[usize; 3]> {
        self.nodes.of_rigid_body(body).map(|node| node.unknowns())
    }

    /// The unknown by which a section turns: that of the end of `member` at a point, or of the point's only rotation.
    pub fn rotation_of(self, point: PointId, member: Option<MemberId>) -> Option<usize> {
        self.nodes.rotation(point, member)
    }

    /// Every node of a member, from `from` to `to`.
    pub fn nodes_of_member(self, member: MemberId) -> &'a [FrameNode] {
        self.nodes.of_member(member)
    }

    /// Every node of the mesh of a body.
    pub fn nodes_of_body(self, body: BodyId) -> Vec<MaterialPoint> {
        let mesh = &self.model.bodies[body].mesh;
        if self.model.is_rigid(body) {
            let places = mesh.nodes.iter();
            let on_body = |&place| MaterialPoint::on_body(self.model, self.nodes, body, place);
            return places.filter_map(on_body).collect();
        }
        let list = self.nodes.of_body(body).iter();
        list.map(|&node| node.into()).collect()
    }

    /// The path of a slider.
    pub fn path_of(self, slider: usize) -> &'a Path {
        &self.sliders[self.drawn_as(slider)].path
    }

    /// The unknown s of a slider.
    pub fn unknown_of_slider(self, slider: usize) -> usize {
        self.sliders[self.drawn_as(slider)].coordinate
    }

    /// The faces that the corners of a contact of a rigid surface look at, the same way.
    pub fn faces_of_corners(self, contact: usize, q: &[f64], pieces: usize) -> Vec<Vec<[f64; 2]>> {
        let described = &self.model.rigid_contacts[contact];
        let offset = described.guide.offset();
        let face_on = |side: Side| {
            // What stands on the one side of a face has the path there, too.
            let mut corners = self.sliders[described.corners.clone()].iter();
            let looks = corners.find(|slider| slider.side.is_some_and(|own| own != side))?;
            Some(face(&looks.path, side.sign() * offset, q, pieces))
        };
        let faces = [Side::Left, Side::Right].into_iter();
        faces.filter_map(face_on).collect()
    }

    /// Force of a slider on its path in a state, N; of an edge its nodes have it, of a hinge its members.
    pub fn contact_force(self, state: &State, slider: usize) -> [f64; 2] {
        let [x, y, _] = state.multipliers[slider];
        let own = &self.sliders[slider];
        if own.carries_friction_of_edge() || own.path.is_free() { [0.0; 2] } else { [x, y] }
    }

    /// The slider in whose place a slider is drawn: itself, or of an edge the node in its middle.
    fn drawn_as(self, slider: usize) -> usize {
        let nodes = &self.sliders[slider].shares;
        nodes.get(nodes.len() / 2).map_or(slider, |(node, _)| *node)
    }

    /// The axis of a member at the positions `q`: the places at which `pieces` equal parts of every
    /// element begin and end, each element's polynomial for itself. Of velocities or of the shape of a
    /// mode they are velocities or displacements.
    pub fn axis_of(self, member: MemberId, q: &[f64], pieces: usize) -> Vec<[f64; 2]> {
        let described = &self.model.members[member];
        let last = described.elements - 1;
        let parts = (0..described.elements).flat_map(|element| {
            // The end of an element is the beginning of the next.
            let count = if element == last { pieces + 1 } else { pieces };
            (0..count).map(move |k| (element, -1.0 + 2.0 * k as f64 / pieces as f64))
        });
        parts.map(|(element, xi)| self.interpolate(member, element, xi, q).0).collect()
    }

    /// An edge of a body, as [`Drawing::axis_of`] gives a member, by what each of its nodes has.
    fn edge_of(
        self, edge: EdgeId, pieces: usize, of: impl Fn(&MaterialPoint) -> [f64; 2],
    ) -> Vec<[f64; 2]> {
        let mesh = &self.model.bodies[edge.body].mesh;
        let order = mesh.order;
        let all = self.nodes_of_body(edge.body);
        let list: Vec<[f64; 2]> =
            (mesh.edges[edge.edge].nodes.iter()).map(|&node| of(&all[node])).collect();
        let mut places: Vec<[f64; 2]> = Vec::new();
        for side in list.windows(order + 1).step_by(order) {
            for k in 0..pieces {
                let weights = shape(order, -1.0 + 2.0 * k as f64 / pieces as f64).value;
                let nodes = || side.iter().copied().zip(weights);
                places.push([0, 1].map(|i| nodes().map(|(at, w)| w * at[i]).sum()));
            }
        }
        places.extend(list.last());
        places
    }

    /// A member or an edge at the positions `q`, as [`Drawing::axis_of`] gives a member.
    pub fn line_of(self, carrier: Carrier, q: &[f64], pieces: usize) -> Vec<[f64; 2]> {
        match carrier {
            Carrier::Member(member) => self.axis_of(member, q, pieces),
            Carrier::Edge(edge) => self.edge_of(edge, pieces, |node| node.place(q)),
        }
    }

    /// How a member or an edge moves from the positions `q` with the velocities `rates`, or in the shape of a mode.
    pub fn line_moves(
        self, carrier: Carrier, q: &[f64], rates: &[f64], pieces: usize,
    ) -> Vec<[f64; 2]> {
        match carrier {
            Carrier::Member(member) => self.axis_of(member, rates, pieces),
            Carrier::Edge(edge) => self.edge_of(edge, pieces, |node| node.velocity(q, rates)),
        }
    }

    /// Place on the axis (m) and axis angle (rad) of the section at ξ of an element of a member, at the positions `q`.
    pub fn interpolate(
        self, member: MemberId, element: usize, xi: f64, q: &[f64],
    ) -> ([f64; 2], f64) {
        let order = self.model.members[member].order;
        let nodes = &self.nodes.of_member(member)[element * order..=(element + 1) * order];
        let shape = shape(order, xi);
        let sum = |weights: &[f64], values: &[f64], direction: Direction| -> f64 {
            let each = nodes.iter().zip(weights);
            each.map(|(node, w)| w * values[node.unknown(direction)]).sum()
        };
        let translations = [Direction::X, Direction::Y];
        let place = translations.map(|d| sum(&shape.value, q, d));
        let initial = translations.map(|d| sum(&shape.first, self.initial, d));
        let turned = sum(&shape.value, q, Direction::Rotation);
        (place, initial[1].atan2(initial[0]) + turned)
    }

    /// Stress at every node of a body at the positions `q`, Pa: the mean of what the triangles around it have there.
    pub fn stress_of_body(self, body: BodyId, q: &[f64]) -> Vec<Stress<f64>> {
        let mesh = &self.model.bodies[body].mesh;
        let mut sums = vec![([0.0; 4], 0.0); mesh.nodes.len()];
        let places = lattice(mesh.order);
        if let Some(elements) = self.groups.of(Part::Body(body)) {
            for (element, nodes) in mesh.triangles().enumerate() {
                for (&node, place) in nodes.iter().zip(&places) {
                    let at = [1, 2].map(|i| place[i] as f64 / mesh.order as f64);
                    let within = Within { element, at };
                    let Some(Deformed { stress, .. }) = elements.deformed(within, |u| q[u]) else {
                        continue;
                    };
                    let (sum, count) = &mut sums[node];
                    let parts = [stress.xx, stress.yy, stress.xy, stress.zz];
                    sum.iter_mut().zip(parts).for_each(|(s, part)| *s += part);
                    *count += 1.0;
                }
            }
        }
        let mean = |(sum, count): ([f64; 4], f64)| {
            let [xx, yy, xy, zz] = sum.map(|s| s / f64::max(count, 1.0));
            Stress { xx, yy, xy, zz }
        };
        sums.into_iter().map(mean).collect()
    }

    /// The member or body, or the point without any, that moves most in a motion with this change of every unknown.
    pub fn moves_most(self, shape: &[f64]) -> String {
        let size = |[x, y]: [usize; 2]| hypot(shape[x], shape[y]);
        let members = self.model.members.iter().enumerate().map(|(id, member)| {
            let nodes = self.nodes.of_member(id).iter();
            let most = nodes.fold(0.0_f64, |most, node| most.max(size(node.position)));
            (most, format!("member {}", member.name))
        });
        let bodies = self.model.bodies.iter().enumerate().map(|(id, body)| {
            let centre = self.nodes.of_rigid_body(id).map(|node| node.position);
            let points = body.points.iter().map(|&(_, point)| self.nodes.of_place(point));
            let nodes = self.nodes.of_body(id).iter().copied().chain(centre).chain(points);
            (nodes.map(size).fold(0.0, f64::max), format!("body {}", body.name))
        });
        let alone = |&(id, _): &(usize, _)| self.model.parts_at(id).is_empty();
        let points = self.model.points.iter().enumerate().filter(alone);
        let points = points.map(|(id, point)| {
            let place = self.nodes.of_place(id);
            (size(place), format!("point {}", point.name))
        });
        // The first of equals.
        let most = members.chain(bodies).chain(points).reduce(|a, b| {
            let more = b.0 > a.0 * (1.0 + 1e-6);
            if more { b } else { a }
        });
        most.map_or(String::new(), |(_, name)| name)
    }
}
