//! A film for ParaView: a folder with a file for each frame and a list of them with their times.
//!
//! Every element of a member is a poly-line of its own, because forces jump where elements meet; the triangles of
//! a body share their nodes; every slider and every point of a surface in contact is a vertex. Numbers stand in the XML as base64 of their bytes with their count in front.

use std::path::Path;

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use coulisse::elements::plane::stress::Stress;
use coulisse::mesh::Mesh;
use coulisse::model::Checked;
use coulisse::model::checked::BodyId;
use coulisse::numerics::positions::Positions;
use coulisse::system::{Look, SurfaceForce, System};

use crate::film::{Film, Frame, state_of};
use crate::{drawing, files};

/// Endings of the files that the folder holds.
pub const ENDINGS: [&str; 2] = ["pvd", "vtu"];

/// Numbers of VTK's kinds of cells.
const VERTEX: u8 = 1;
const POLY_LINE: u8 = 4;
/// Its nodes are counted as those of the [lattice](coulisse::numerics::triangle::lattice) are.
const LAGRANGE_TRIANGLE: u8 = 69;

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
    /// Force on the path by length of the surface.
    line_force: Vec<[f64; 3]>,
    line_pressure: Vec<f64>,
    line_friction: Vec<f64>,
    touch: Vec<f64>,
    von_mises: Vec<f64>,
    /// σ_xx, σ_yy, σ_xy, σ_zz.
    stress: Vec<[f64; 4]>,
    /// Points of all cells, one cell after the other.
    connectivity: Vec<i64>,
    /// Number of these up to the end of each cell.
    ends: Vec<i64>,
    kinds: Vec<u8>,
    /// Place of the member, the body, the joint or the contact in the model file's table; −1 for a cell of another kind.
    member: Vec<i32>,
    body: Vec<i32>,
    joint: Vec<i32>,
    contact: Vec<i32>,
}

/// What a cell is part of.
enum Part {
    Member(usize),
    Body(usize),
    Joint(usize),
    Contact(usize),
}

/// A file of some bodies as they are drawn.
pub fn meshes(model: &Checked, bodies: &[BodyId]) -> String {
    let mut grid = Grid::default();
    for &body in bodies {
        let mesh = &model.bodies[body].mesh;
        let first = grid.points.len();
        for &place in &mesh.nodes {
            grid.add_point(place, place, [0.0; 2]);
        }
        grid.add_triangles(mesh, body, first);
    }
    grid.file(0.0)
}

fn of_frame(system: &System, frame: &Frame) -> String {
    let mut grid = Grid::default();
    let q = Positions::from(&frame.q[..]);
    let look = Look::new(system, &q, &frame.acting);
    for member in 0..system.model().members.len() {
        grid.add_member(system, frame, &look, member);
    }
    for body in 0..system.model().bodies.len() {
        grid.add_body(system, frame, body);
    }
    for slider in 0..system.model().sliders.len() {
        grid.add_slider(system, frame, slider);
    }
    for (contact, points) in frame.surfaces.iter().enumerate() {
        points.iter().for_each(|point| grid.add_contact(contact, point));
    }
    grid.file(frame.time)
}

impl Grid {
    fn add_member(&mut self, system: &System, frame: &Frame, look: &Look<'_>, member: usize) {
        let described = &system.model().members[member];
        let pieces = drawing::pieces(described.order);
        let places: Vec<f64> =
            (0..=pieces).map(|k| -1.0 + 2.0 * k as f64 / pieces as f64).collect();
        for element in 0..described.elements {
            let on_axis = |xi: f64, q: &[f64]| system.drawing().interpolate(member, element, xi, q);
            let sections = look.sections_of(member, element, &places);
            for now in &sections {
                let (place, axis) = on_axis(now.xi, system.initial());
                // Velocities are interpolated as positions are.
                let (velocity, _) = on_axis(now.xi, &frame.velocity);
                self.add_point(now.place, place, velocity);
                self.rotation.push(now.axis - axis);
                self.normal_force.push(now.forces.normal);
                self.shear_force.push(now.forces.shear);
                self.bending_moment.push(now.forces.moment);
            }
            self.end_line(POLY_LINE, Part::Member(member), sections.len());
        }
    }

    fn add_body(&mut self, system: &System, frame: &Frame, body: usize) {
        let first = self.points.len();
        let nodes = system.drawing().nodes_of_body(body);
        let stress = system.drawing().stress_of_body(body, &frame.q);
        for (node, stress) in nodes.iter().zip(stress) {
            let velocity = node.velocity(&frame.q, &frame.velocity);
            self.add_point(node.place(&frame.q), node.place(system.initial()), velocity);
            let Stress { xx, yy, xy, zz } = stress;
            self.von_mises.push(stress.von_mises());
            self.stress.push([xx, yy, xy, zz]);
        }
        self.add_triangles(&system.model().bodies[body].mesh, body, first);
    }

    /// Triangles between the points from `first` on.
    fn add_triangles(&mut self, mesh: &Mesh, body: BodyId, first: usize) {
        for triangle in mesh.triangles() {
            let points = triangle.iter().map(|node| (first + node) as i64);
            self.connectivity.extend(points);
            self.end_cell(LAGRANGE_TRIANGLE, Part::Body(body));
        }
        self.fill();
    }

    fn add_slider(&mut self, system: &System, frame: &Frame, slider: usize) {
        let unknowns = system.drawing().unknowns_of_point(system.model().sliders[slider].point);
        let of = |values: &[f64]| unknowns.map(|u| values[u]);
        self.add_point(of(&frame.q), of(system.initial()), of(&frame.velocity));
        let [x, y] = frame.contact[slider];
        self.contact_force.push([x, y, 0.0]);
        self.end_line(VERTEX, Part::Joint(slider), 1);
    }

    fn add_contact(&mut self, contact: usize, point: &SurfaceForce) {
        self.add_point(point.place, point.initial, point.velocity);
        let [x, y] = point.by_length();
        self.line_force.push([x, y, 0.0]);
        self.line_pressure.push(point.pressure);
        self.line_friction.push(point.friction);
        self.touch.push(f64::from(state_of(point.touch)));
        self.end_line(VERTEX, Part::Contact(contact), 1);
    }

    fn add_point(&mut self, place: [f64; 2], initial: [f64; 2], velocity: [f64; 2]) {
        let [x, y] = place;
        self.points.push([x, y, 0.0]);
        self.displacement.push([x - initial[0], y - initial[1], 0.0]);
        self.velocity.push([velocity[0], velocity[1], 0.0]);
    }

    /// The last `count` points, in turn, are a cell.
    fn end_line(&mut self, kind: u8, part: Part, count: usize) {
        let end = self.points.len();
        self.connectivity.extend((end - count..end).map(|k| k as i64));
        self.end_cell(kind, part);
        self.fill();
    }

    fn end_cell(&mut self, kind: u8, part: Part) {
        self.ends.push(self.connectivity.len() as i64);
        self.kinds.push(kind);
        let (mut member, mut body, mut joint, mut contact) = (-1, -1, -1, -1);
        match part {
            Part::Member(id) => member = id as i32,
            Part::Body(id) => body = id as i32,
            Part::Joint(id) => joint = id as i32,
            Part::Contact(id) => contact = id as i32,
        }
        self.member.push(member);
        self.body.push(body);
        self.joint.push(joint);
        self.contact.push(contact);
    }

    /// Zeros for what the last points do not have.
    fn fill(&mut self) {
        let count = self.points.len();
        let numbers = [
            &mut self.rotation,
            &mut self.normal_force,
            &mut self.shear_force,
            &mut self.bending_moment,
            &mut self.von_mises,
            &mut self.line_pressure,
            &mut self.line_friction,
            &mut self.touch,
        ];
        numbers.into_iter().for_each(|list| list.resize(count, 0.0));
        self.contact_force.resize(count, [0.0; 3]);
        self.line_force.resize(count, [0.0; 3]);
        self.stress.resize(count, [0.0; 4]);
    }

    fn file(&self, time: f64) -> String {
        let vectors = |values: &[[f64; 3]]| values.concat();
        format!(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n{}</FieldData>\n\
             <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n{}</Points>\n\
             <Cells>\n{}{}{}</Cells>\n<PointData>\n{}{}{}{}{}{}{}{}{}{}{}{}{}</PointData>\n\
             <CellData>\n{}{}{}{}</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
            doubles("TimeValue", "NumberOfTuples=\"1\"", &[time]),
            self.points.len(),
            self.ends.len(),
            doubles("Points", VECTOR, &vectors(&self.points)),
            array("connectivity", "Int64", "", self.connectivity.iter().map(|i| i.to_le_bytes())),
            array("offsets", "Int64", "", self.ends.iter().map(|i| i.to_le_bytes())),
            array("types", "UInt8", "", self.kinds.iter().map(|i| i.to_le_bytes())),
            doubles("displacement", VECTOR, &vectors(&self.displacement)),
            doubles("velocity", VECTOR, &vectors(&self.velocity)),
            doubles("rotation", "", &self.rotation),
            doubles("normal_force", "", &self.normal_force),
            doubles("shear_force", "", &self.shear_force),
            doubles("bending_moment", "", &self.bending_moment),
            doubles("contact_force", VECTOR, &vectors(&self.contact_force)),
            doubles("contact_line_force", VECTOR, &vectors(&self.line_force)),
            doubles("contact_pressure", "", &self.line_pressure),
            doubles("contact_friction", "", &self.line_friction),
            doubles("contact_state", "", &self.touch),
            doubles("von_mises", "", &self.von_mises),
            doubles("stress", STRESS, &self.stress.concat()),
            array("member", "Int32", "", self.member.iter().map(|i| i.to_le_bytes())),
            array("body", "Int32", "", self.body.iter().map(|i| i.to_le_bytes())),
            array("joint", "Int32", "", self.joint.iter().map(|i| i.to_le_bytes())),
            array("contact", "Int32", "", self.contact.iter().map(|i| i.to_le_bytes())),
        )
    }
}

const VECTOR: &str = "NumberOfComponents=\"3\"";
const STRESS: &str = "NumberOfComponents=\"4\" ComponentName0=\"xx\" ComponentName1=\"yy\" \
                      ComponentName2=\"xy\" ComponentName3=\"zz\"";

fn doubles(name: &str, shape: &str, values: &[f64]) -> String {
    array(name, "Float64", shape, values.iter().map(|x| x.to_le_bytes()))
}

fn array<const N: usize>(
    name: &str, kind: &str, shape: &str, values: impl Iterator<Item = [u8; N]>,
) -> String {
    let content: Vec<u8> = values.flatten().collect();
    let mut bytes = (content.len() as u64).to_le_bytes().to_vec();
    bytes.extend(content);
    let text = STANDARD.encode(bytes);
    format!(
        "<DataArray type=\"{kind}\" Name=\"{name}\" {shape} format=\"binary\">{text}</DataArray>\n"
    )
}
