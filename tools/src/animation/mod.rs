//! The film of a run as the page shows it: numbers for the script, symbols as SVG.
//!
//! Of each node the page gets its initial place X, the rigid motion of its body and the remaining
//! deformation u, so that it can draw x = rigid(X) + k u for any exaggeration k. Numbers are as fine
//! as one sees them: deformations in whole parts of their largest value, the rest in single
//! precision, all as base64.

mod bodies;
mod contacts;
mod exaggerated;
mod nodes;
mod solids;
mod springs;

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use coulisse::joints::element::PathElement;
use coulisse::joints::path::Path;
use coulisse::model::checked::{Carrier, PathPart};
use coulisse::numerics::plane;
use coulisse::system::System;
use serde::Serialize;

use crate::drawing::{self, Anchor};
use crate::film::Film;
use bodies::{Bodies, Body, Pose};
use contacts::ContactData;
pub use exaggerated::{exaggerated, first_exaggeration};
use nodes::Nodes;
use solids::{SolidData, StressData};
use springs::SpringData;

/// Parts that the largest deformation is counted in; fits into 16 bits.
const PARTS: f64 = 30_000.0;
/// Most places at which the surface of a rough path is given.
const MAX_HEIGHTS: f64 = 8000.0;
/// Places per shortest wavelength of a rough path.
const PER_WAVE: f64 = 8.0;
/// A structure whose deformations are smaller than this part of the picture is shown with larger
/// ones from the beginning, as programs for structures do.
const TOO_SMALL: f64 = 0.005;
/// What the largest deformation then is, and what it can be made, as parts of the picture.
const SEEN: f64 = 0.03;
const MAX_SEEN: f64 = 0.3;

/// What the script needs.
#[derive(Debug, Serialize)]
pub struct Animation {
    /// Row of the results that each frame belongs to.
    rows: Vec<usize>,
    points: Vec<String>,
    /// Initial places, x and y in turn, m.
    initial: Vec<f32>,
    /// Body of each node.
    body: Vec<usize>,
    bodies: Vec<BodyData>,
    /// Whether each assembly is held or driven by more than sliders.
    held: Vec<bool>,
    members: Vec<MemberData>,
    sliders: Vec<SliderData>,
    contacts: Vec<ContactData>,
    springs: Vec<SpringData>,
    /// What symbols turn by, by its unknown: rotations of each frame, rad, in single precision.
    turns: BTreeMap<usize, String>,
    /// Unit of forces by length of surfaces, N/m.
    pressure_unit: f64,
    solids: Vec<SolidData>,
    stress: Option<StressData>,
    /// Nodes that deformations are given of.
    moving: Vec<usize>,
    /// Unit of the deformations, m.
    unit: f64,
    /// Deformations u of these nodes, frame by frame: 16-bit numbers.
    deformations: String,
    exaggeration: Exaggeration,
    /// Groups of symbols, each in coordinates of what it moves with.
    #[serde(skip)]
    pub symbols: String,
}

#[derive(Debug, Serialize)]
struct BodyData {
    assembly: usize,
    centre: [f32; 2],
    /// Shift (m) and turn (rad) of each frame, in single precision; nothing where it stays.
    poses: String,
}

#[derive(Debug, Serialize)]
struct MemberData {
    name: String,
    nodes: Vec<usize>,
    order: usize,
    /// Pieces that each element is drawn with.
    pieces: usize,
    /// Height of the rectangle of its stiffness, m; none of a rigid member and of one that belongs to the ground.
    height: Option<f32>,
    /// Whether it is a rigid body that moves.
    rigid: bool,
}

#[derive(Debug, Serialize)]
struct SliderData {
    name: String,
    point: usize,
    path: Vec<PathData>,
    /// Sliding coordinate of each frame, m, in single precision.
    positions: String,
    /// Force of the slider on its path in each frame, N, in single precision.
    forces: String,
    roughness: Option<RoughnessData>,
}

#[derive(Debug, Serialize)]
struct PathData {
    nodes: Vec<usize>,
    start: f64,
    length: f64,
}

#[derive(Debug, Serialize)]
struct RoughnessData {
    /// Distance of the heights, m.
    step: f64,
    /// Heights to the left of the path, m, in single precision.
    heights: String,
    /// The largest of them without its sign, m.
    largest: f64,
}

/// How much deformations are exaggerated.
#[derive(Debug, Serialize)]
struct Exaggeration {
    first: f64,
    most: f64,
}

impl Animation {
    pub fn of(film: &Film) -> Animation {
        let system = film.system();
        let model = system.model();
        let mut nodes = Nodes::of(system);
        let sliders = sliders(film, &mut nodes);
        let pressure_unit = contacts::unit(film);
        let contacts = contacts::contacts(film, &mut nodes, pressure_unit);
        let bodies = Bodies::of(film, &nodes);
        let poses = poses(film, &nodes, &bodies);
        let all = deformations(film, &nodes, &bodies, &poses);

        let largest = largest(all.iter().flatten().flatten());
        let unit = if largest > 0.0 { largest / PARTS } else { 1.0 };
        let count = |u: f64| (u / unit).round() as i16;
        let is_seen = |node: &usize| all.iter().any(|u| u[*node].map(count) != [0; 2]);
        let moving: Vec<usize> = (0..nodes.count()).filter(is_seen).collect();
        let each = (all.iter()).flat_map(|u| moving.iter().flat_map(|&node| u[node].map(count)));
        let deformations = bytes(each.map(i16::to_le_bytes));

        let place = |node| nodes.place(node, system.initial());
        let initial = (0..nodes.count()).flat_map(place).map(|x| x as f32);
        let list = bodies.list.iter().zip(&poses);
        let scene = drawing::draw(system);
        let turning = scene.groups.iter().filter_map(|group| match group.anchor {
            Anchor::Section(_, unknown) => Some(unknown),
            _ => None,
        });
        let turned = |u: usize| singles(film.frames.iter().map(move |frame| frame.q[u]));
        Animation {
            rows: film.frames.iter().map(|frame| frame.row).collect(),
            points: model.points.iter().map(|p| p.name.clone()).collect(),
            initial: initial.collect(),
            body: bodies.of_node.clone(),
            bodies: list.map(|(body, poses)| body_data(body, poses)).collect(),
            members: members(system, &nodes),
            sliders,
            contacts,
            springs: springs::springs(film),
            turns: turning.map(|u| (u, turned(u))).collect(),
            pressure_unit,
            solids: solids::solids(film, &nodes),
            stress: solids::stress(film),
            moving,
            unit,
            deformations,
            exaggeration: exaggeration(largest, extent(film, &nodes), bodies.is_structure()),
            held: bodies.held,
            symbols: drawing::anchored(&scene),
        }
    }
}

/// Poses of each body, frame by frame.
fn poses(film: &Film, nodes: &Nodes, bodies: &Bodies) -> Vec<Vec<Pose>> {
    let initial = film.system().initial();
    let of_body = |body: &Body| {
        let mut turn = 0.0;
        let frames = film.frames.iter().map(|frame| {
            let pose = body.pose(nodes, initial, &frame.q, turn);
            turn = pose.turn;
            pose
        });
        frames.collect()
    };
    bodies.list.iter().map(of_body).collect()
}

/// What the rigid motions of their bodies leave of the nodes' displacements, frame by frame: nothing of what is rigid.
fn deformations(
    film: &Film, nodes: &Nodes, bodies: &Bodies, poses: &[Vec<Pose>],
) -> Vec<Vec<[f64; 2]>> {
    let initial = film.system().initial();
    let of_frame = |(index, frame): (usize, &crate::film::Frame)| {
        let of_node = |node: usize| {
            let id = bodies.of_node[node];
            let body = &bodies.list[id];
            if !body.deforms() {
                return [0.0; 2];
            }
            let rigid = body.carried(&poses[id][index], nodes.place(node, initial));
            let now = nodes.place(node, &frame.q);
            [now[0] - rigid[0], now[1] - rigid[1]]
        };
        (0..nodes.count()).map(of_node).collect()
    };
    film.frames.iter().enumerate().map(of_frame).collect()
}

/// Diagonal of all that is ever seen, m.
fn extent(film: &Film, nodes: &Nodes) -> f64 {
    let frames = film.frames.iter();
    let places = |values| (0..nodes.count()).map(move |node| nodes.place(node, values));
    plane::extent(frames.flat_map(|frame| places(&frame.q)))
}

fn exaggeration(largest: f64, extent: f64, structure: bool) -> Exaggeration {
    let times = |part: f64| round(part * extent / largest).max(1.0);
    // Nothing deforms, or nothing has an extent.
    if !(largest > 1e-9 * extent && extent > 0.0) {
        return Exaggeration { first: 1.0, most: 1.0 };
    }
    Exaggeration {
        first: if structure && largest < TOO_SMALL * extent { times(SEEN) } else { 1.0 },
        most: times(MAX_SEEN).max(10.0),
    }
}

/// 1, 2 or 5 times a power of ten, at most `value`.
fn round(value: f64) -> f64 {
    let power = 10.0_f64.powf(value.log10().floor());
    let steps = [5.0, 2.0, 1.0].map(|step| step * power).into_iter();
    steps.into_iter().find(|s| *s <= value).unwrap_or(power)
}

fn largest<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.fold(0.0_f64, |most, value| most.max(value.abs()))
}

fn bytes<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> String {
    STANDARD.encode(values.flatten().collect::<Vec<u8>>())
}

/// Single precision, little endian.
fn singles(values: impl Iterator<Item = f64>) -> String {
    bytes(values.map(|value| (value as f32).to_le_bytes()))
}

fn body_data(body: &Body, poses: &[Pose]) -> BodyData {
    let numbers = |pose: &Pose| [pose.shift[0], pose.shift[1], pose.turn];
    let moves = poses.iter().any(|pose| numbers(pose) != [0.0; 3]);
    BodyData {
        assembly: body.assembly,
        centre: body.centre.map(|x| x as f32),
        poses: if moves { singles(poses.iter().flat_map(numbers)) } else { String::new() },
    }
}

fn members(system: &System, nodes: &Nodes) -> Vec<MemberData> {
    let members = system.model().members.iter().zip(&nodes.members);
    let data = members.map(|(member, list)| MemberData {
        name: member.name.clone(),
        nodes: list.clone(),
        order: member.order,
        pieces: drawing::pieces(member.order),
        height: (member.properties).map(|p| (12.0 * p.second_moment / p.area).sqrt() as f32),
        rigid: member.rigid.is_some(),
    });
    data.collect()
}

/// The elements of a path, which has these parts.
fn path_data(path: &Path, parts: &[PathPart], nodes: &mut Nodes) -> Vec<PathData> {
    let carrier = parts.first().map(|part| part.carrier);
    let body = match carrier.filter(|_| path.is_on_body()) {
        Some(Carrier::Edge(edge)) => Some(edge.body),
        _ => None,
    };
    let part = |element: &PathElement| PathData {
        nodes: (element.nodes.iter())
            .map(|node| match body {
                // Numbered as the coordinates of the nodes of the body's mesh.
                Some(body) => nodes.bodies[body][node.position[0] / 2],
                None => nodes.number(node.position),
            })
            .collect(),
        start: element.start,
        length: element.length,
    };
    path.elements().iter().map(part).collect()
}

fn sliders(film: &Film, nodes: &mut Nodes) -> Vec<SliderData> {
    let system = film.system();
    let mut list = Vec::new();
    // Those of hinges come last and slide on nothing.
    let drawn = system.model().sliders.iter().enumerate();
    for (id, slider) in drawn.filter(|(_, slider)| !slider.path.is_empty()) {
        let path = system.drawing().path_of(id);
        let s = system.drawing().unknown_of_slider(id);
        let frames = film.frames.iter();
        list.push(SliderData {
            name: slider.name.clone(),
            point: slider.point,
            path: path_data(path, &slider.path, nodes),
            positions: singles(frames.clone().map(|frame| path.within_a_lap(frame.q[s]))),
            forces: singles(frames.flat_map(|f| [f.contact[id][0], f.contact[id][1]])),
            roughness: path.roughness().map(|profile| {
                let length = path.length();
                let count = (PER_WAVE * length / profile.shortest()).clamp(64.0, MAX_HEIGHTS);
                let step = length / count.ceil();
                let places = (0..=count.ceil() as usize).map(|k| step * k as f64);
                let heights: Vec<f64> = places.map(|s| profile.at(s)[0]).collect();
                RoughnessData {
                    step,
                    largest: largest(heights.iter()),
                    heights: singles(heights.into_iter()),
                }
            }),
        });
    }
    list
}
