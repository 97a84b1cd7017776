//! A film for ParaView: a folder with a file for each frame and a list of them with their times.
//!
//! Every element is a poly-line of its own, because forces jump where elements meet; every slider is
//! a vertex. Numbers stand in the XML as base64 of their bytes with their count in front.

use std::path::Path;

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use coulisse::system::System;

use crate::film::{Film, Frame};
use crate::{drawing, files};

/// Endings of the files that the folder holds.
pub const ENDINGS: [&str; 2] = ["pvd", "vtu"];

/// Numbers of VTK's kinds of cells.
const VERTEX: u8 = 1;
const POLY_LINE: u8 = 4;

/// Writes a film into a folder, whole or not at all.
///
/// # Errors
/// When the folder does not take it.
pub fn write(folder: &Path, name: &str, film: &Film) -> Result<()> {
    let file = |index: usize| format!("{name}_{index:05}.vtu");
    let sets = film.frames.iter().enumerate().map(|(index, frame)| {
        let (time, file) = (frame.time, file(index));
        format!("<DataSet timestep=\"{time}\" part=\"0\" file=\"{file}\"/>\n")
    });
    let list = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" \
         byte_order=\"LittleEndian\">\n<Collection>\n{}</Collection>\n</VTKFile>\n",
        sets.collect::<String>()
    );
    let frames = film.frames.iter().enumerate();
    let frames = frames.map(|(index, frame)| (file(index), of_frame(film.system(), frame)));
    let list = std::iter::once((format!("{name}.pvd"), list));
    files::write_folder(folder, &ENDINGS, frames.chain(list))
}

/// What is known at each point of a grid.
#[derive(Default)]
struct Grid {
    points: Vec<[f64; 3]>,
    displacement: Vec<[f64; 3]>,
    velocity: Vec<[f64; 3]>,
    rotation: Vec<f64>,
    normal_force: Vec<f64>,
    shear_force: Vec<f64>,
    bending_moment: Vec<f64>,
    contact_force: Vec<[f64; 3]>,
    /// Number of points up to the end of each cell.
    ends: Vec<i64>,
    kinds: Vec<u8>,
    /// Place of the member or of the joint in the model file's table; −1 for a cell of the other.
    member: Vec<i32>,
    joint: Vec<i32>,
}

fn of_frame(system: &System, frame: &Frame) -> String {
    let mut grid = Grid::default();
    for member in 0..system.model().members.len() {
        grid.add_member(system, frame, member);
    }
    for slider in 0..system.model().sliders.len() {
        grid.add_slider(system, frame, slider);
    }
    grid.file(frame.time)
}

impl Grid {
    fn add_member(&mut self, system: &System, frame: &Frame, member: usize) {
        let described = &system.model().members[member];
        let pieces = drawing::pieces(described.order);
        let places: Vec<f64> = (0..=pieces)
            .map(|k| -1.0 + 2.0 * k as f64 / pieces as f64)
            .collect();
        // Velocities are interpolated as positions are.
        let velocity = system.axis_of(member, &frame.velocity, pieces);
        for element in 0..described.elements {
            let drawn = system.sections_of(member, element, system.initial(), &places);
            let now = system.sections_of(member, element, &frame.q, &places);
            for (k, (drawn, now)) in drawn.iter().zip(&now).enumerate() {
                self.add_point(now.place, drawn.place, velocity[element * pieces + k]);
                self.rotation.push(now.axis - drawn.axis);
                self.normal_force.push(now.forces.normal);
                self.shear_force.push(now.forces.shear);
                self.bending_moment.push(now.forces.moment);
                self.contact_force.push([0.0; 3]);
            }
            self.end_cell(POLY_LINE, member as i32, -1);
        }
    }

    fn add_slider(&mut self, system: &System, frame: &Frame, slider: usize) {
        let unknowns = system.unknowns_of_point(system.model().sliders[slider].point);
        let of = |values: &[f64]| unknowns.map(|u| values[u]);
        self.add_point(of(&frame.q), of(system.initial()), of(&frame.velocity));
        let none = [
            &mut self.rotation,
            &mut self.normal_force,
            &mut self.shear_force,
            &mut self.bending_moment,
        ];
        none.into_iter().for_each(|values| values.push(0.0));
        let [x, y, _] = frame.contact[slider];
        self.contact_force.push([x, y, 0.0]);
        self.end_cell(VERTEX, -1, slider as i32);
    }

    fn add_point(&mut self, place: [f64; 2], drawn: [f64; 2], velocity: [f64; 2]) {
        let [x, y] = place;
        self.points.push([x, y, 0.0]);
        self.displacement.push([x - drawn[0], y - drawn[1], 0.0]);
        self.velocity.push([velocity[0], velocity[1], 0.0]);
    }

    /// The points since the last cell are a cell.
    fn end_cell(&mut self, kind: u8, member: i32, joint: i32) {
        self.ends.push(self.points.len() as i64);
        self.kinds.push(kind);
        self.member.push(member);
        self.joint.push(joint);
    }

    fn file(&self, time: f64) -> String {
        let vectors = |values: &[[f64; 3]]| values.concat();
        // Every cell takes the points that follow those of the one before.
        let order: Vec<i64> = (0..self.points.len() as i64).collect();
        format!(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n{}</FieldData>\n\
             <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n{}</Points>\n\
             <Cells>\n{}{}{}</Cells>\n<PointData>\n{}{}{}{}{}{}{}</PointData>\n\
             <CellData>\n{}{}</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
            doubles("TimeValue", "NumberOfTuples=\"1\"", &[time]),
            self.points.len(),
            self.ends.len(),
            doubles("Points", VECTOR, &vectors(&self.points)),
            array(
                "connectivity",
                "Int64",
                "",
                order.iter().map(|i| i.to_le_bytes())
            ),
            array(
                "offsets",
                "Int64",
                "",
                self.ends.iter().map(|i| i.to_le_bytes())
            ),
            array(
                "types",
                "UInt8",
                "",
                self.kinds.iter().map(|i| i.to_le_bytes())
            ),
            doubles("displacement", VECTOR, &vectors(&self.displacement)),
            doubles("velocity", VECTOR, &vectors(&self.velocity)),
            doubles("rotation", "", &self.rotation),
            doubles("normal_force", "", &self.normal_force),
            doubles("shear_force", "", &self.shear_force),
            doubles("bending_moment", "", &self.bending_moment),
            doubles("contact_force", VECTOR, &vectors(&self.contact_force)),
            array(
                "member",
                "Int32",
                "",
                self.member.iter().map(|i| i.to_le_bytes())
            ),
            array(
                "joint",
                "Int32",
                "",
                self.joint.iter().map(|i| i.to_le_bytes())
            ),
        )
    }
}

const VECTOR: &str = "NumberOfComponents=\"3\"";

fn doubles(name: &str, shape: &str, values: &[f64]) -> String {
    array(
        name,
        "Float64",
        shape,
        values.iter().map(|x| x.to_le_bytes()),
    )
}

fn array<const N: usize>(
    name: &str,
    kind: &str,
    shape: &str,
    values: impl Iterator<Item = [u8; N]>,
) -> String {
    let content: Vec<u8> = values.flatten().collect();
    let mut bytes = (content.len() as u64).to_le_bytes().to_vec();
    bytes.extend(content);
    let text = STANDARD.encode(bytes);
    format!(
        "<DataArray type=\"{kind}\" Name=\"{name}\" {shape} format=\"binary\">{text}</DataArray>\n"
    )
}
