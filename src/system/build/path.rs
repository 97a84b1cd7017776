//! The path of a slider from the members and edges that carry it.

use crate::checked::{
    BodyId, Carrier, Checked, Member, MemberId, MemberLine, PathEnds, PathPart, Slider, SliderKind,
};
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::joints::element::PathElement;
use crate::joints::flexibility::Stiffness;
use crate::joints::path::Path;
use crate::joints::regime::End;
use crate::joints::roughness::{Profile, Roughness};
use crate::nodes::{Node, Nodes};
use crate::numerics::plane::{nearest_on_curve, nearest_on_segment};

/// Places per curved element among which the one nearest to the slider is looked for.
const SAMPLES: usize = 16;

/// The path of a slider and the initial s of the slider.
///
/// `surfaces` are those of the sliders before: two wheels on one road follow the same one.
pub fn of(
    model: &Checked, slider: &Slider, nodes: &Nodes, prescribed: &[bool],
    surfaces: &mut Vec<Surface>,
) -> (Path, f64) {
    let route = Route {
        parts: &slider.path,
        closed: slider.ends == PathEnds::Closed,
        smooth: slider.smooth,
    };
    let Chain { path, stiffness, places } = route.chain(model, nodes);
    let length = path.length();
    let surface =
        (slider.roughness.as_ref()).map(|roughness| followed(roughness, length, surfaces));
    let (mut path, initial) = route.carried(
        model,
        nodes,
        (path.with_roughness(surface), &places),
        model.points[slider.point].position,
    );
    if slider.kind == SliderKind::Prismatic {
        path = path.turning_on([End::First, End::Last].map(|end| slider.ends.keeps_at(end)));
    }
    if slider.kind == SliderKind::Prismatic && !path.is_on_body() {
        // What supports and motions hold in all its nodes is rigid, whatever it is made of.
        let moves = |element: &PathElement| {
            let unknowns = |node: &Node| node.position.into_iter().chain(node.rotation);
            element.nodes.iter().flat_map(unknowns).any(|u| !prescribed[u])
        };
        let elements = path.elements().iter().zip(stiffness);
        let stiffness: Vec<Stiffness> =
            elements.map(|(element, own)| own.filter(|_| moves(element))).collect();
        path = path.with_flexibility(&stiffness);
    }
    (path, initial)
}

/// Members and edges that a path leads along.
#[derive(Debug, Clone, Copy)]
pub struct Route<'a> {
    pub parts: &'a [PathPart],
    pub closed: bool,
    /// Whether it passes smoothly from element to element.
    pub smooth: bool,
}

/// A path in the initial configuration, with how stiff its elements are.
struct Chain {
    path: Path,
    stiffness: Vec<Stiffness>,
    /// Of a path on a rigid body the places that stand for its nodes, in the initial configuration, m.
    places: Vec<[f64; 2]>,
}

impl Route<'_> {
    /// The path and the s that is nearest to `at`, from which its turning counts.
    pub fn path(&self, model: &Checked, nodes: &Nodes, at: [f64; 2]) -> (Path, f64) {
        let Chain { path, places, .. } = self.chain(model, nodes);
        self.carried(model, nodes, (path, &places), at)
    }

    fn chain(&self, model: &Checked, nodes: &Nodes) -> Chain {
        let mut elements: Vec<PathElement> = Vec::new();
        let body = self.rigid_body(model);
        // How far the path has turned by its curves; corners between members are no turning.
        let (mut start, mut turned) = (0.0, 0.0);
        let (mut before, mut stiffness, mut places) = (None, Vec::new(), Vec::new());
        for &part in self.parts {
            let count = elements.len();
            match part.carrier {
                Carrier::Member(id) => {
                    let member = &model.members[id];
                    if let MemberLine::Edge(edge) = member.line {
                        let list = nodes.of_member(id).iter().map(|&node| node.into());
                        let here = (model.axes_of_edge(edge), list.collect(), part.reversed);
                        add_edge(&mut elements, here, &mut start, &mut turned);
                    } else {
                        let here = (member, id, part.reversed);
                        add_member(&mut elements, here, nodes, &mut start, &mut turned);
                    }
                    stiffness.resize(elements.len(), stiffness_of(member));
                }
                Carrier::Edge(edge) => {
                    let axes = model.outline_of_edge(edge);
                    let list = match body {
                        Some(_) => places_along(&axes, &mut places),
                        None => {
                            (nodes.of_edge(edge).iter()).map(|&position| position.into()).collect()
                        }
                    };
                    let here = (axes, list, part.reversed);
                    add_edge(&mut elements, here, &mut start, &mut turned);
                    stiffness.resize(elements.len(), None);
                }
            }
            if let (Some(before), [.., last, next]) = (before, &mut elements[..=count]) {
                last.ends_member = !goes_on(model, [before, part], last, next);
            }
            before = Some(part);
        }
        let path = if self.closed {
            self.close(&mut elements, model);
            Path::closed(elements, self.smooth)
        } else {
            Path::new(elements, self.smooth)
        };
        Chain { path, stiffness, places }
    }

    /// The path on the rigid body that carries it, if one does, and the s that is nearest to `at`.
    fn carried(
        &self, model: &Checked, nodes: &Nodes, (mut path, places): (Path, &[[f64; 2]]),
        at: [f64; 2],
    ) -> (Path, f64) {
        let rigid = self.rigid_body(model);
        let rigid = rigid.and_then(|id| Some((&model.bodies[id], nodes.of_rigid_body(id)?)));
        let Some((body, node)) = rigid else {
            let initial = nearest(&path, &nodes.initial, at);
            path.turn_from(initial);
            return (path, initial);
        };
        let initial = nearest(&path, places.as_flattened(), at);
        path.turn_from(initial);
        let centre = body.rigid().map_or([0.0; 2], |rigid| rigid.centre);
        let arms = places.iter();
        let arms = arms.flat_map(|place| [place[0] - centre[0], place[1] - centre[1]]);
        (path.on_body(node, arms.collect()), initial)
    }

    /// The rigid body that carries the whole of it.
    fn rigid_body(&self, model: &Checked) -> Option<BodyId> {
        let bodies = self.parts.iter().filter_map(|part| match part.carrier {
            Carrier::Edge(edge) => Some(edge.body),
            Carrier::Member(_) => None,
        });
        { bodies }.find(|&body| model.is_rigid(body))
    }

    /// Whether it keeps its shape: on a rigid body, or on one rigid member.
    pub fn is_rigid(&self, model: &Checked) -> bool {
        let member = match self.parts {
            [PathPart { carrier: Carrier::Member(id), .. }] => model.members[*id].rigid,
            _ => None,
        };
        member.or_else(|| self.rigid_body(model)).is_some()
    }

    /// Looks how a closed path goes on where it begins.
    fn close(&self, elements: &mut [PathElement], model: &Checked) {
        let seam = self.parts.last().zip(self.parts.first());
        if let (Some((&before, &here)), [first, .., last]) = (seam, elements) {
            last.ends_member = !goes_on(model, [before, here], last, first);
        }
    }
}

/// The nodes of a chain of axes on a rigid body, numbered as the coordinates of `places`, to which they are added.
fn places_along(axes: &[InitialAxis], places: &mut Vec<[f64; 2]>) -> Vec<Node> {
    let own = axes.iter().enumerate().flat_map(|(k, axis)| {
        let own = axis.nodes().iter().skip(usize::from(k > 0));
        own.map(|node| node.position)
    });
    let own: Vec<[f64; 2]> = own.collect();
    let last = own.len() - 1;
    let number = |(k, place): (usize, [f64; 2])| {
        // Edges that meet share a place.
        let known = (k == 0 || k == last).then(|| places.iter().position(|other| *other == place));
        let n = known.flatten().unwrap_or_else(|| {
            places.push(place);
            places.len() - 1
        });
        [2 * n, 2 * n + 1].into()
    };
    own.into_iter().enumerate().map(number).collect()
}

fn stiffness_of(member: &Member) -> Stiffness {
    let properties = member.properties.as_ref()?;
    let bending = properties.young_modulus * properties.second_moment;
    Some([bending, properties.shear_modulus * properties.shear_area])
}

/// What a slider follows on a path of the given length.
#[derive(Debug)]
pub struct Surface {
    roughness: Roughness,
    length: f64,
    profile: Profile,
}

fn followed(roughness: &Roughness, length: f64, surfaces: &mut Vec<Surface>) -> Profile {
    let same = |s: &&Surface| s.length == length && s.roughness == *roughness;
    if let Some(known) = surfaces.iter().find(same) {
        return known.profile.clone();
    }
    let profile = roughness.over(length);
    surfaces.push(Surface { roughness: roughness.clone(), length, profile: profile.clone() });
    profile
}

fn add_member(
    elements: &mut Vec<PathElement>, (member, id, reversed): (&Member, MemberId, bool),
    nodes: &Nodes, start: &mut f64, turned: &mut f64,
) {
    let list = nodes.of_member(id);
    let MemberLine::Axis(axis) = &member.line else {
        return;
    };
    let total = axis.length();
    let length = total / member.elements as f64;
    let (first, side) = (*start, if reversed { -1.0 } else { 1.0 });
    let angle = axis.at(0.0).angle;
    let axes = member.axes_along(axis);
    for k in 0..member.elements {
        let e = if reversed { member.elements - 1 - k } else { k };
        let own = list[e * member.order..=(e + 1) * member.order].iter();
        let mut own: Vec<Node> = own.map(|&node| node.into()).collect();
        if reversed {
            own.reverse();
        }
        let mut element = PathElement {
            start: first + k as f64 * length,
            length,
            curve: None,
            normal: [-side * angle.sin(), side * angle.cos()],
            turned: vec![*turned; own.len()],
            nodes: own,
            ends_member: k + 1 == member.elements,
        };
        if let Some(axis) = axes.get(e) {
            let axis = if reversed { axis.reversed() } else { axis.clone() };
            element.start = *start;
            element.follow(&axis, *turned);
        }
        element.turn_back(*turned);
        *start = element.start + element.length;
        *turned = element.turned[element.turned.len() - 1];
        elements.push(element);
    }
    if axes.is_empty() {
        *start = first + total;
    }
}

fn add_edge(
    elements: &mut Vec<PathElement>,
    (mut axes, mut nodes, reversed): (Vec<InitialAxis>, Vec<Node>, bool), start: &mut f64,
    turned: &mut f64,
) {
    if reversed {
        nodes.reverse();
        axes.reverse();
        axes.iter_mut().for_each(|axis| *axis = axis.reversed());
    }
    let (count, mut at) = (elements.len(), 0);
    for axis in &axes {
        let own = &nodes[at..=at + axis.order()];
        at += axis.order();
        let direction = axis.nodes()[0].angle;
        let mut element = PathElement {
            start: *start,
            length: ArcLength::of(axis).total(),
            curve: None,
            normal: [-direction.sin(), direction.cos()],
            turned: vec![*turned; own.len()],
            nodes: own.to_vec(),
            ends_member: true,
        };
        if !axis.is_straight() {
            element.follow(axis, *turned);
        }
        element.turn_back(*turned);
        *start = element.start + element.length;
        *turned = element.turned[element.turned.len() - 1];
        elements.push(element);
    }
    // Within an edge two sides go on in each other but where it has a corner.
    for k in count + 1..elements.len() {
        elements[k - 1].ends_member = !elements[k - 1].goes_on_in(&elements[k]);
    }
}

/// Whether a path goes on from one part to the next as it does inside of a curved one: both are
/// initially in line and clamped to each other, and their polynomials alone meet at an angle.
fn goes_on(model: &Checked, parts: [PathPart; 2], last: &PathElement, next: &PathElement) -> bool {
    let is_straight = |part: PathPart| match part.carrier {
        Carrier::Member(id) => model.members[id].line.is_straight(),
        Carrier::Edge(_) => false,
    };
    !parts.into_iter().all(is_straight) && last.goes_on_in(next)
}

/// s of the place on the initial path that is nearest to a point, where the unknowns of nodes have their `initial` values.
fn nearest(path: &Path, initial: &[f64], at: [f64; 2]) -> f64 {
    let mut best = (f64::INFINITY, 0.0);
    for (e, element) in path.elements().iter().enumerate() {
        let (distance, s) = if element.curve.is_some() {
            on_curve(path, e, initial, at)
        } else {
            on_line(element, initial, at)
        };
        if distance < best.0 {
            best = (distance, s);
        }
    }
    best.1
}

fn on_line(element: &PathElement, initial: &[f64], at: [f64; 2]) -> (f64, f64) {
    let ends = [element.nodes[0], element.nodes[element.nodes.len() - 1]];
    let ends = ends.map(|node| node.position.map(|u| initial[u]));
    let (share, distance) = nearest_on_segment(ends, at);
    (distance, element.start + share * element.length)
}

fn on_curve(path: &Path, e: usize, initial: &[f64], at: [f64; 2]) -> (f64, f64) {
    let element = &path.elements()[e];
    let sum = |weights: &[f64], i: usize| -> f64 {
        let nodal = path.carriers(e).iter().zip(weights);
        nodal.map(|(node, w)| w * initial[node.position[i]]).sum()
    };
    let look = |share: f64| {
        let s = element.start + share * element.length;
        let [value, slope, ..] = path.point_on(e, s).position;
        let away = [0, 1].map(|i| sum(&value, i) - at[i]);
        (away, [0, 1].map(|i| sum(&slope, i)))
    };
    let (share, distance) = nearest_on_curve(look, f64::INFINITY, SAMPLES);
    (distance, element.start + share * element.length)
}
