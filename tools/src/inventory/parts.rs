//! Points with their degrees of freedom, members, bodies, their edges, and point masses.

use coulisse::model::Checked;
use coulisse::model::checked::{Carrier, Direction, Properties};
use coulisse::system::{Freedom, Freedoms, PointFreedom, System};

use super::members as names;
use crate::table::{Cell, Table};

pub fn points(system: &System) -> Table {
    let model = system.model();
    let columns = ["Point", "x in m", "y in m", "Along x", "Along y", "Rotation"];
    let named = model.points.iter().enumerate().filter(|(_, point)| !point.is_nameless());
    let rows = named.map(|(id, point)| {
        let freedoms = Freedoms::of(system).at(id);
        let [x, y, rotation] = [Direction::X, Direction::Y, Direction::Rotation].map(|direction| {
            let found: Vec<String> = (freedoms.iter().filter(|f| f.direction == direction))
                .map(|f| freedom(model, &freedoms, f))
                .collect();
            Cell::from(found.join(", "))
        });
        let [at_x, at_y] = point.position.map(Cell::from);
        [Cell::name(&point.name), at_x, at_y, x, y, rotation]
    });
    Table::new("Points", columns, rows)
}

/// "free", or with the members where the point has several rotations.
fn freedom(model: &Checked, all: &[PointFreedom], one: &PointFreedom) -> String {
    let word = match one.freedom {
        Freedom::Free => "free",
        Freedom::Fixed => "fixed",
        Freedom::Driven => "driven",
    };
    let alike = all.iter().filter(|f| f.direction == one.direction).count();
    match alike < 2 {
        true => word.to_owned(),
        false => format!("{word} ({})", names(model, &one.members).join(", ")),
    }
}

pub fn members(model: &Checked) -> Table {
    let columns = [
        "Member",
        "From",
        "To",
        "Axis",
        "Length in m",
        "Elements",
        "Order",
        "E in Pa",
        "G in Pa",
        "Density in kg/m³",
        "Area in m²",
        "Second moment in m⁴",
    ];
    let rows = model.members.iter().enumerate().map(|(id, m)| {
        let number = |value: fn(&Properties) -> f64| Cell::from(m.properties.as_ref().map(value));
        [
            Cell::name(&m.name),
            Cell::name(&model.points[m.from].name),
            Cell::name(&model.points[m.to].name),
            m.line.kind().into(),
            model.length_of(id).into(),
            m.elements.into(),
            m.order.into(),
            number(|p| p.young_modulus),
            number(|p| p.shear_modulus),
            number(|p| p.density),
            number(|p| p.area),
            number(|p| p.second_moment),
        ]
    });
    Table::new("Members", columns, rows)
}

pub fn bodies(model: &Checked) -> Table {
    let columns = [
        "Body",
        "Law",
        "Thickness in m",
        "Density in kg/m³",
        "Triangles",
        "Order",
        "Area in m²",
        "Mass in kg",
        "Edges",
    ];
    let rows = model.bodies.iter().map(|body| {
        let [mass, _] = body.weight();
        let matter = body.matter();
        let of_shape = |value: f64| Cell::from(body.has_shape().then_some(value));
        let edges = body.mesh.edges.iter().map(|edge| edge.name.as_str());
        [
            Cell::name(&body.name),
            body.summary().into(),
            matter.map(|m| m.thickness).into(),
            matter.map(|m| m.density).into(),
            of_shape(body.mesh.triangles().len() as f64),
            of_shape(body.mesh.order as f64),
            of_shape(body.moments().area),
            mass.into(),
            edges.collect::<Vec<_>>().join(", ").into(),
        ]
    });
    Table::new("Bodies", columns, rows)
}

pub fn edges(model: &Checked) -> Table {
    let rows = model.edges().map(|id| {
        let body = &model.bodies[id.body];
        let edge = &body.mesh.edges[id.edge];
        [
            Cell::name(model.name_of_edge(id)),
            (edge.nodes.len() / body.mesh.order).into(),
            model.length_of_carrier(Carrier::Edge(id)).into(),
            if edge.closed { "closed" } else { "open" }.into(),
        ]
    });
    Table::new("Edges of bodies", ["Edge", "Sides", "Length in m", "Line"], rows)
}

pub fn masses(model: &Checked) -> Table {
    let rows = model.masses.iter().map(|m| {
        [
            Cell::name(&m.name),
            Cell::name(&model.points[m.point].name),
            m.mass.into(),
            m.rotary_inertia.into(),
        ]
    });
    Table::new("Masses", ["Mass", "At", "Mass in kg", "Rotary inertia in kg·m²"], rows)
}
