//! Drawings of a mechanism in a configuration.

mod actions;
mod bodies;
mod contacts;
mod couplings;
mod diagrams;
mod labels;
mod probes;
mod raster;
mod scene;
mod shape;
mod springs;
mod supports;
mod svg;
mod symbols;

use coulisse::laws::friction::Friction;
use coulisse::mesh::Edge;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Bearing, Carrier, EdgeId, MemberId, PathPart, PointId, Slider, SliderKind, weighted,
};
use coulisse::numerics::plane::nearest_on_segment;
use coulisse::system::{Look, System};

use crate::outline::places;
pub use bodies::meshes;
pub use diagrams::{Diagram, has_diagrams};
use labels::Label;
pub use raster::{Raster, raster};
pub use scene::{Anchor, Ink, Scene};
use scene::{Frame, Pixel};
pub use shape::shape;
pub use springs::{Stroke, symbol};
pub use svg::{anchored, svg};

/// Room for symbols and names around the mechanism, px.
const MARGIN: [f64; 2] = [90.0, 75.0];
/// Largest extent of the mechanism, px.
const LARGEST: [f64; 2] = [760.0, 460.0];
/// Smallest height of the mechanism's part of the picture, px: a beam is one line.
const LOWEST: f64 = 130.0;
/// Beyond, names would cover the drawing.
const MAX_NAMES: usize = 60;

/// Straight pieces that each element of a member is drawn with.
pub fn pieces(order: usize) -> usize {
    // One of order 1 is straight.
    if order == 1 { 1 } else { 8 }
}

/// Draws a mechanism in its initial configuration, with everything that acts on it and all names.
pub fn draw(system: &System) -> Scene {
    draw_at(system, system.initial(), None)
}

/// Draws a mechanism at the positions `q`, with everything that acts on it and all names; with a diagram of a section force as the look behind
/// it has it, whose positions `q` may exaggerate.
pub fn draw_at(system: &System, q: &[f64], diagram: Option<(Diagram, &Look<'_>)>) -> Scene {
    let mut drawing = Drawing::of(system, q);
    drawing.fit([drawing.extent()].into_iter());
    if let Some((diagram, look)) = diagram {
        drawing.diagram(look, diagram);
    }
    drawing.mechanism();
    drawing.probes();
    drawing.motions();
    drawing.loads();
    drawing.line_loads();
    drawing.surroundings();
    drawing.names();
    labels::place(&mut drawing.scene, drawing.labels);
    drawing.scene
}

/// A point that stays in the middle of a moving picture, and how wide the picture is, m.
pub type Followed = (PointId, f64);

/// Draws the bare mechanism at each of these positions, all in one view.
pub fn frames<'a>(
    system: &'a System, positions: &'a [&'a [f64]], followed: Option<Followed>,
) -> impl Iterator<Item = Scene> + 'a {
    let extents = positions.iter().map(|q| Drawing::of(system, q).extent());
    let extents: Vec<Extent> = extents.collect();
    positions.iter().map(move |q| {
        let mut drawing = Drawing::of(system, q);
        match followed {
            None => drawing.fit(extents.iter().copied()),
            Some((point, width)) => {
                // As high as the mechanism, as wide as it is wanted.
                let middle = drawing.points[point][0];
                let own = extents.iter().map(|[low, high]| {
                    [[middle - 0.5 * width, low[1]], [middle + 0.5 * width, high[1]]]
                });
                drawing.fit(own);
            }
        }
        drawing.mechanism();
        drawing.scene
    })
}

/// The smallest and the largest x and y of what is drawn, m.
type Extent = [[f64; 2]; 2];

struct Drawing<'a> {
    model: &'a Checked,
    /// The mechanism and its positions; `None` of a body alone.
    at: Option<(&'a System, &'a [f64])>,
    /// Places of the points, m.
    points: Vec<[f64; 2]>,
    /// Those of the nodes of each body's mesh.
    nodes: Vec<Vec<[f64; 2]>>,
    /// Places along the axis of each member, m.
    axes: Vec<Vec<[f64; 2]>>,
    /// Those along the edges of each body.
    edges: Vec<Vec<Vec<[f64; 2]>>>,
    /// Those along the faces of the guide of each contact.
    faces: Vec<Vec<Vec<[f64; 2]>>>,
    /// Those along the parts of the surface of each contact.
    surfaces: Vec<Vec<Vec<[f64; 2]>>>,
    scene: Scene,
    labels: Vec<Label>,
}

impl<'a> Drawing<'a> {
    fn of(system: &'a System, q: &'a [f64]) -> Drawing<'a> {
        let model = system.model();
        let point = |point| system.drawing().unknowns_of_point(point).map(|unknown| q[unknown]);
        let nodes =
            |body| system.drawing().nodes_of_body(body).iter().map(|node| node.place(q)).collect();
        let members = model.members.iter().enumerate();
        let axes =
            members.map(|(id, member)| system.drawing().axis_of(id, q, pieces(member.order)));
        Drawing {
            at: Some((system, q)),
            axes: axes.collect(),
            faces: contacts::all_faces(system, q),
            surfaces: contacts::all_surfaces(system, q),
            ..Drawing::new(
                model,
                (0..model.points.len()).map(point).collect(),
                (0..model.bodies.len()).map(nodes).collect(),
            )
        }
    }

    /// Of bodies alone, whose meshes have these `nodes` (m), and of `points`.
    fn new(model: &'a Checked, points: Vec<[f64; 2]>, nodes: Vec<Vec<[f64; 2]>>) -> Drawing<'a> {
        let edges = model.bodies.iter().zip(&nodes).map(|(body, nodes)| {
            let order = body.mesh.order;
            let line = |edge: &Edge| places(order, &edge.nodes, pieces(order), |node| nodes[node]);
            body.mesh.edges.iter().map(line).collect()
        });
        Drawing {
            model,
            at: None,
            edges: edges.collect(),
            points,
            nodes,
            axes: Vec::new(),
            faces: Vec::new(),
            surfaces: Vec::new(),
            scene: Scene::default(),
            labels: Vec::new(),
        }
    }

    /// What the mechanism consists of.
    fn mechanism(&mut self) {
        self.bodies(&Vec::from_iter(0..self.model.bodies.len()));
        self.members();
        self.supports();
        self.contacts();
        self.springs();
        self.couplings();
        self.joints();
        self.masses();
    }

    fn extent(&self) -> Extent {
        let places = (self.points.iter())
            .chain(self.axes.iter().flatten())
            .chain(self.edges.iter().flatten().flatten())
            .chain(self.faces.iter().flatten().flatten());
        extent_of(places)
    }

    /// Gives the picture the size and scale at which it shows all of these extents.
    fn fit(&mut self, extents: impl Iterator<Item = Extent>) {
        let corners: Vec<[f64; 2]> = extents.flatten().collect();
        let [low, high] = extent_of(corners.iter());
        let extent = [high[0] - low[0], high[1] - low[1]];
        let scales = [0, 1].map(|axis| LARGEST[axis] / extent[axis]);
        let scale = scales[0].min(scales[1]);
        // Points at one place, or numbers that no picture can hold.
        self.scene.scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        let height = (extent[1] * self.scene.scale).clamp(LOWEST, LARGEST[1]);
        let size = [LARGEST[0] + 2.0 * MARGIN[0], height + 2.0 * MARGIN[1]];
        let middle = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]) * self.scene.scale);
        [self.scene.width, self.scene.height] = size;
        self.scene.origin = [0.5 * size[0] - middle[0], 0.5 * size[1] + middle[1]];
    }

    fn pixel(&self, [x, y]: [f64; 2]) -> Pixel {
        [self.scene.origin[0] + self.scene.scale * x, self.scene.origin[1] - self.scene.scale * y]
    }

    fn point(&self, point: PointId) -> Pixel {
        self.pixel(self.points[point])
    }

    fn axis(&self, member: MemberId) -> Vec<Pixel> {
        self.line(Carrier::Member(member))
    }

    fn line(&self, carrier: Carrier) -> Vec<Pixel> {
        let places = self.places(carrier).iter();
        places.map(|place| self.pixel(*place)).collect()
    }

    fn places(&self, carrier: Carrier) -> &[[f64; 2]] {
        match carrier {
            Carrier::Member(member) => &self.axes[member],
            Carrier::Edge(EdgeId { body, edge }) => &self.edges[body][edge],
        }
    }

    /// A place on a member, given by its share of the length.
    fn along(&self, member: MemberId, share: f64) -> Pixel {
        self.along_line(Carrier::Member(member), share)
    }

    /// A place on a member or an edge, given by its share of the length.
    fn along_line(&self, carrier: Carrier, share: f64) -> Pixel {
        let axis = self.places(carrier);
        let at = share * (axis.len() - 1) as f64;
        let k = (at as usize).min(axis.len() - 2);
        let rest = at - k as f64;
        let between = |i: usize| axis[k][i] + rest * (axis[k + 1][i] - axis[k][i]);
        self.pixel([between(0), between(1)])
    }

    fn begin(&mut self, anchor: Anchor, at: Pixel, along: Pixel) {
        self.scene.begin(anchor, Frame::new(at, along));
    }

    fn label(&mut self, at: Pixel, text: &str, ink: Ink) {
        self.labels.push(Label { at, text: text.to_owned(), ink });
    }

    /// Elastic members as lines, rigid ones as bars, those that nothing moves as ground.
    fn members(&mut self) {
        for (id, member) in self.model.members.iter().enumerate() {
            let mut axis = self.axis(id);
            if member.rigid.is_some() {
                self.scene.line(&axis, 9.0, Ink::Member);
                self.scene.line(&axis, 5.0, Ink::Body);
                continue;
            }
            if member.properties.is_some() {
                self.scene.line(&axis, 4.0, Ink::Member);
                continue;
            }
            // Strokes below the line: to its right when it runs to the right.
            let (a, b) = (axis[0], axis[axis.len() - 1]);
            if (a[0], -a[1]) > (b[0], -b[1]) {
                axis.reverse();
            }
            symbols::ground(&mut self.scene, &axis, 3.0);
        }
    }

    /// To the left of a member or an edge at a share of its length.
    fn inwards(&self, carrier: Carrier, share: f64) -> Pixel {
        let axis = self.direction(carrier, share);
        // On the screen y points down: the left of the axis is that of the drawing.
        [axis[1], -axis[0]]
    }

    /// Direction of a member or an edge at a share of its length.
    fn direction(&self, carrier: Carrier, share: f64) -> Pixel {
        let [a, b] =
            [share - 1e-3, share + 1e-3].map(|s| self.along_line(carrier, s.clamp(0.0, 1.0)));
        Frame::new(a, [b[0] - a[0], b[1] - a[1]]).along
    }

    fn joints(&mut self) {
        for hinge in &self.model.hinges {
            let at = self.point(hinge.point);
            self.begin(Anchor::Point(hinge.point), at, [1.0, 0.0]);
            self.scene.circle(at, 5.0, Ink::Paper, Ink::Member);
        }
        for pin in &self.model.pins {
            let (anchor, at) = match pin.on {
                Bearing::Point(point) => (Anchor::Point(point), self.point(point)),
                // Its middle is no node that a page could follow.
                Bearing::Edge(edge) => (Anchor::Picture, self.pixel(self.middle_of_edge(edge))),
            };
            self.begin(anchor, at, [1.0, 0.0]);
            self.scene.circle(at, 5.0, Ink::Paper, Ink::Member);
        }
        let sliders = self.model.sliders.iter().enumerate();
        // Friction of an edge is drawn at its nodes, and corners by the lines of their surface.
        let drawn = |slider: &Slider| {
            !slider.path.is_empty() && !matches!(slider.kind, SliderKind::Edge | SliderKind::Corner)
        };
        for (id, slider) in sliders.filter(|(_, slider)| drawn(slider)) {
            let point = self.point(slider.point);
            let (on_path, along) = self.on_path(point, &slider.path);
            // Exaggerated deformations would part it from its path.
            let at = if slider.may_be_off() { point } else { on_path };
            self.begin(Anchor::Slider(id), at, along);
            let turns = slider.kind == SliderKind::Cylindrical;
            let friction = *self.model.friction_of(id) != Friction::None;
            symbols::slider(&mut self.scene, &Frame::new(at, along), turns, friction);
        }
    }

    /// Where a path is nearest to a place, and its direction of growing s there.
    fn on_path(&self, at: Pixel, path: &[PathPart]) -> (Pixel, Pixel) {
        let mut pieces: Vec<[Pixel; 2]> = Vec::new();
        for part in path {
            let mut axis = self.line(part.carrier);
            if part.reversed {
                axis.reverse();
            }
            pieces.extend(axis.windows(2).map(|w| [w[0], w[1]]));
        }
        let near = pieces.iter().map(|&[a, b]| {
            let (share, distance) = nearest_on_segment([a, b], at);
            let along = [b[0] - a[0], b[1] - a[1]];
            (distance, [0, 1].map(|i| a[i] + share * along[i]), along)
        });
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or((at, [1.0, 0.0]), |(_, place, along)| (place, along))
    }

    fn masses(&mut self) {
        for mass in &self.model.masses {
            let at = self.point(mass.point);
            self.begin(Anchor::Point(mass.point), at, [1.0, 0.0]);
            self.scene.circle(at, 6.5, Ink::Mass, Ink::Paper);
        }
    }

    /// Where the middle of an edge is, which a pin may turn about, m.
    fn middle_of_edge(&self, edge: EdgeId) -> [f64; 2] {
        let nodes = &self.model.bodies[edge.body].mesh.edges[edge.edge].nodes;
        let places = nodes.iter().map(|&node| self.nodes[edge.body][node]);
        weighted(places.zip(self.model.shares_of_edge(edge)))
    }

    /// Axes, scale and gravity.
    fn surroundings(&mut self) {
        self.scene.begin_picture();
        let bottom = self.scene.height - 22.0;
        for (along, name) in [([1.0, 0.0], "x"), ([0.0, -1.0], "y")] {
            let axis = Frame::new([22.0, bottom], along);
            symbols::arrow(&mut self.scene, &axis, 0.0, 36.0, Ink::Ground, false);
            self.scene.text(axis.place(44.0, 0.0), name, Ink::Ground);
        }
        let length = round_below(170.0 / self.scene.scale);
        let bar = Frame::new([self.scene.width - 24.0, bottom], [-1.0, 0.0]);
        let width = length * self.scene.scale;
        let ends = [[0.0, 4.0], [0.0, 0.0], [width, 0.0], [width, 4.0]];
        self.scene.line(&bar.places(&ends), 2.0, Ink::Ground);
        let name = format!("{length} m");
        self.scene.text(bar.place(0.5 * width, -12.0), &name, Ink::Ground);
        let gravity = self.model.gravity;
        let input = self.model.inputs.iter().any(|i| i.path.starts_with("gravity."));
        if gravity != [0.0; 2] || input {
            let along = if gravity == [0.0; 2] { [0.0, 1.0] } else { [gravity[0], -gravity[1]] };
            let down = Frame::new([self.scene.width - 40.0, 36.0], along);
            symbols::arrow(&mut self.scene, &down, -20.0, 24.0, Ink::Load, gravity == [0.0; 2]);
            self.scene.text(down.place(0.0, 14.0), "g", Ink::Load);
        }
    }

    /// One label for all that is at one place, and one in the middle of each member.
    fn names(&mut self) {
        let model = self.model;
        let mut places: Vec<(Pixel, Vec<&str>)> = Vec::new();
        let joints = model.single_sliders();
        let joints = joints.map(|id| (model.sliders[id].point, model.sliders[id].name.as_str()));
        let edges = model.sliding_edges.iter();
        let edges = edges.map(|e| (model.sliders[e.sliders.start].point, e.name.as_str()));
        let joints = joints.chain(edges);
        let hinges = model.hinges.iter().map(|h| (h.point, h.name.as_str()));
        let masses = model.masses.iter().map(|m| (m.point, m.name.as_str()));
        let points = model.points.iter().enumerate();
        let points = points.filter(|(_, p)| !p.is_nameless());
        let points = points.map(|(id, p)| (id, p.name.as_str()));
        for (point, name) in points.chain(joints).chain(hinges).chain(masses) {
            let at = self.point(point);
            let same = |p: &Pixel| (p[0] - at[0]).hypot(p[1] - at[1]) < 3.0;
            match places.iter_mut().find(|(p, _)| same(p)) {
                Some((_, names)) if !names.contains(&name) => names.push(name),
                Some(_) => {}
                None => places.push((at, vec![name])),
            }
        }
        if places.len() + model.members.len() > MAX_NAMES {
            return;
        }
        for (at, names) in places {
            self.scene.circle(at, 2.0, Ink::Text, Ink::Text);
            self.label(at, &names.join(", "), Ink::Text);
        }
        for (id, member) in model.members.iter().enumerate() {
            let middle = self.along(id, 0.5);
            let ink = if member.properties.is_some() || member.rigid.is_some() {
                Ink::Member
            } else {
                Ink::Ground
            };
            self.label(middle, &member.name, ink);
        }
    }
}

fn extent_of<'a>(places: impl Iterator<Item = &'a [f64; 2]>) -> Extent {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for place in places {
        for axis in 0..2 {
            low[axis] = low[axis].min(place[axis]);
            high[axis] = high[axis].max(place[axis]);
        }
    }
    [low, high]
}

/// 1, 2 or 5 times a power of ten, at most `length`.
fn round_below(length: f64) -> f64 {
    let power = 10.0_f64.powf(length.log10().floor());
    let steps = [5.0, 2.0, 1.0].into_iter();
    let fits = steps.map(|s| s * power).find(|l| *l <= length);
    // Without the last bits of the power.
    let digit = format!("{:.0e}", fits.unwrap_or(power));
    digit.parse().unwrap_or(power)
}
