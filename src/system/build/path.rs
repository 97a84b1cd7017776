//! The path of a slider from the members that carry it.

use std::f64::consts::PI;

use crate::axis::turn;
use crate::elements::initial::ArcLength;
use crate::joints::element::{KINK, PathElement};
use crate::joints::flexibility::Stiffness;
use crate::joints::path::Path;
use crate::joints::roughness::{Profile, Roughness};
use crate::model::checked::{Checked, Member, PathEnds, PathMember, Slider, SliderKind};
use crate::nodes::{Node, Nodes};
use crate::numerics::plane::{nearest_on_curve, nearest_on_segment};

/// Places per curved element among which the one nearest to the slider is looked for.
const SAMPLES: usize = 16;

/// The path of a slider and the s at which the slider is drawn.
///
/// `surfaces` are those of the sliders before: two wheels on one road follow the same one.
pub fn of(
    model: &Checked,
    slider: &Slider,
    nodes: &Nodes,
    surfaces: &mut Vec<Surface>,
) -> (Path, f64) {
    let mut elements: Vec<PathElement> = Vec::new();
    // How far the path has turned by its curves; corners between members are no turning.
    let (mut start, mut turned) = (0.0, 0.0);
    let (mut before, mut stiffness) = (None, Vec::new());
    for &part in &slider.path {
        let member = &model.members[part.member];
        let here = (member, part);
        if let (Some(before), Some(last)) = (before, elements.last_mut()) {
            last.ends_member = !goes_on(before, here, last, nodes);
        }
        add_member(&mut elements, here, nodes, &mut start, &mut turned);
        stiffness.resize(elements.len(), stiffness_of(member));
        before = Some(here);
    }
    let surface = (slider.roughness.as_ref()).map(|roughness| followed(roughness, start, surfaces));
    let path = if slider.ends == PathEnds::Closed {
        close(&mut elements, model, slider, nodes);
        Path::closed(elements, slider.smooth)
    } else {
        Path::new(elements, slider.smooth)
    };
    let mut path = path.with_roughness(surface);
    let drawn = nearest(&path, nodes, model.points[slider.point].position);
    path.turn_from(drawn);
    if slider.kind == SliderKind::Prismatic {
        path = path.with_flexibility(&stiffness);
    }
    (path, drawn)
}

/// Looks how a closed path goes on where it begins.
fn close(elements: &mut [PathElement], model: &Checked, slider: &Slider, nodes: &Nodes) {
    let member = |part: &PathMember| (&model.members[part.member], *part);
    let seam = [slider.path.last(), slider.path.first()].map(|part| part.map(member));
    if let ([Some(before), Some(here)], Some(last)) = (seam, elements.last_mut()) {
        last.ends_member = !goes_on(before, here, last, nodes);
    }
}

fn stiffness_of(member: &Member) -> Stiffness {
    let properties = member.properties.as_ref()?;
    let bending = properties.young_modulus * properties.second_moment;
    Some([bending, properties.shear_modulus * properties.area])
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
    surfaces.push(Surface {
        roughness: roughness.clone(),
        length,
        profile: profile.clone(),
    });
    profile
}

fn add_member(
    elements: &mut Vec<PathElement>,
    (member, part): (&Member, PathMember),
    nodes: &Nodes,
    start: &mut f64,
    turned: &mut f64,
) {
    let list = nodes.of_member(part.member);
    let total = member.axis.length();
    let length = total / member.elements as f64;
    let (first, side) = (*start, if part.reversed { -1.0 } else { 1.0 });
    let angle = member.axis.at(0.0).angle;
    let axes = member.element_axes();
    for k in 0..member.elements {
        let e = if part.reversed {
            member.elements - 1 - k
        } else {
            k
        };
        let own = list[e * member.order..=(e + 1) * member.order].iter();
        let mut own: Vec<Node> = own.map(|&node| node.into()).collect();
        if part.reversed {
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
            let axis = if part.reversed {
                axis.reversed()
            } else {
                axis.clone()
            };
            let curve = ArcLength::of(&axis);
            let angles = axis.nodes().iter().map(|node| node.angle);
            let direction = axis.nodes()[0].angle;
            element.start = *start;
            element.length = curve.total();
            element.curve = Some(Box::new(curve));
            element.normal = [-direction.sin(), direction.cos()];
            element.turned = angles.map(|a| *turned + a - direction).collect();
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

/// Whether a path goes on from one member to the next as it does inside of a curved one: both are
/// drawn in line and clamped to each other, and their polynomials alone meet at an angle.
fn goes_on(
    (member, part): (&Member, PathMember),
    (next, on): (&Member, PathMember),
    last: &PathElement,
    nodes: &Nodes,
) -> bool {
    if member.axis.is_straight() && next.axis.is_straight() {
        return false;
    }
    let leaving = direction(member, !part.reversed) + PI;
    let corner = turn(leaving, direction(next, on.reversed)).abs();
    let list = nodes.of_member(on.member);
    let joint = if on.reversed {
        list.last()
    } else {
        list.first()
    };
    let joint = joint.map(|&node| Node::from(node));
    corner <= KINK && last.nodes.last() == joint.as_ref()
}

/// Direction in which a member is entered, from its `to` where `reversed`.
fn direction(member: &Member, reversed: bool) -> f64 {
    if reversed {
        member.axis.at(1.0).angle + PI
    } else {
        member.axis.at(0.0).angle
    }
}

/// s of the place on the initial path that is nearest to a point.
fn nearest(path: &Path, nodes: &Nodes, at: [f64; 2]) -> f64 {
    let mut best = (f64::INFINITY, 0.0);
    for (e, element) in path.elements().iter().enumerate() {
        let (distance, s) = if element.curve.is_some() {
            on_curve(path, e, nodes, at)
        } else {
            on_line(element, nodes, at)
        };
        if distance < best.0 {
            best = (distance, s);
        }
    }
    best.1
}

fn on_line(element: &PathElement, nodes: &Nodes, at: [f64; 2]) -> (f64, f64) {
    let ends = [element.nodes[0], element.nodes[element.nodes.len() - 1]];
    let ends = ends.map(|node| node.position.map(|u| nodes.initial[u]));
    let (share, distance) = nearest_on_segment(ends, at);
    (distance, element.start + share * element.length)
}

fn on_curve(path: &Path, e: usize, nodes: &Nodes, at: [f64; 2]) -> (f64, f64) {
    let element = &path.elements()[e];
    let sum = |weights: &[f64], i: usize| -> f64 {
        let nodal = path.carriers(e).iter().zip(weights);
        nodal
            .map(|(node, w)| w * nodes.initial[node.position[i]])
            .sum()
    };
    let look = |share: f64| {
        let s = element.start + share * element.length;
        let [value, slope, _] = path.point_on(e, s).position;
        let away = [0, 1].map(|i| sum(&value, i) - at[i]);
        (away, [0, 1].map(|i| sum(&slope, i)))
    };
    let (share, distance) = nearest_on_curve(look, SAMPLES);
    (distance, element.start + share * element.length)
}
