//! `coulisse mesh`: the triangles of the bodies of a model.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use coulisse::message::printable;
use coulisse::model::Checked;
use coulisse::model::checked::{BodyId, Carrier, EdgeId};

use crate::number::short;
use crate::table::plain;
use crate::{drawing, files, print, run, vtk};

#[derive(Args)]
pub struct Request {
    /// Model file (TOML).
    model: PathBuf,
    /// This body alone; of several, the one that --msh writes.
    #[arg(long, value_name = "NAME")]
    body: Option<String>,
    /// Write the mesh here for Gmsh (4.1, text), with names of edges and points; coulisse reads it back.
    #[arg(long, value_name = "MSH")]
    msh: Option<PathBuf>,
    /// Write the meshes here for ParaView.
    #[arg(long, value_name = "VTU")]
    vtu: Option<PathBuf>,
    /// Draw the meshes here.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Draw the meshes here, in two pixels for each of the SVG.
    #[arg(long, value_name = "PNG")]
    png: Option<PathBuf>,
}

/// Prints, draws and writes what `request` asks for.
///
/// # Errors
/// The faults of the model; no such body; what keeps a file from being written.
pub fn perform(request: &Request) -> Result<()> {
    let Request { model, body, msh, vtu, svg, png } = request;
    let shown = model.display();
    if run::is_fmu(model) {
        bail!("{shown}: an FMU; allowed: a model file (TOML)");
    }
    files::may_write([msh, vtu, svg, png].into_iter().flatten(), &[model])?;
    // A mesh can be looked at before the mechanism can be built, and without the step that it would get.
    let checked = &run::model(model)?.check()?;
    let bodies = match chosen(checked, body.as_deref()) {
        Ok(bodies) => bodies,
        Err(error) => bail!("{shown}: {error}"),
    };
    if let Some(file) = msh {
        let [body] = bodies[..] else {
            bail!("--msh takes one body; choose with --body one of: {}", names(checked));
        };
        let body = &checked.bodies[body];
        files::write(file, body.mesh.to_gmsh(&body.name).as_bytes())?;
    }
    if let Some(file) = vtu {
        files::write(file, vtk::meshes(checked, &bodies).as_bytes())?;
    }
    if svg.is_some() || png.is_some() {
        let scene = drawing::meshes(checked, &bodies);
        let drawn = drawing::svg(&scene, &format!("Mesh of {}", checked.name));
        if let Some(file) = svg {
            files::write(file, drawn.as_bytes())?;
        }
        if let Some(file) = png {
            files::write(file, &crate::png::png(&drawn)?)?;
        }
    }
    let texts: Vec<String> = bodies.iter().map(|&id| text(checked, id)).collect();
    print(&texts.join("\n"))
}

fn names(model: &Checked) -> String {
    let names: Vec<&str> = meshed(model).map(|b| model.bodies[b].name.as_str()).collect();
    names.join(", ")
}

/// All bodies but rigid members and those without a shape.
fn meshed(model: &Checked) -> impl Iterator<Item = BodyId> + '_ {
    let bodies = model.bodies.iter().enumerate();
    let shaped = bodies.filter(|(_, body)| body.member.is_none() && body.has_shape());
    shaped.map(|(body, _)| body)
}

fn chosen(model: &Checked, wanted: Option<&str>) -> Result<Vec<BodyId>> {
    if meshed(model).next().is_none() {
        bail!("has no bodies, so that there is nothing to mesh");
    }
    let Some(name) = wanted else {
        return Ok(meshed(model).collect());
    };
    match meshed(model).find(|&body| model.bodies[body].name == name) {
        Some(body) => Ok(vec![body]),
        None => bail!("no body `{name}`; there are: {}", names(model)),
    }
}

/// What the mesh of a body consists of, how good it is, and what it weighs.
fn text(model: &Checked, id: BodyId) -> String {
    let body = &model.bodies[id];
    let (mesh, quality) = (&body.mesh, body.mesh.quality());
    let middle = |triangle: usize| {
        let nodes = mesh.triangles().nth(triangle).unwrap_or_default();
        let sum = |i: usize| nodes.iter().take(3).map(|&n| mesh.nodes[n][i]).sum::<f64>();
        let [x, y] = [0, 1].map(|i| short(sum(i) / 3.0));
        format!("in the triangle around ({x}, {y})")
    };
    let moments = body.moments();
    let [mass, inertia] = body.weight().map(short);
    let thick = (body.matter())
        .map_or_else(String::new, |m| format!(", thickness {} m", short(m.thickness)));
    let [x, y] = moments.centre.map(short);
    let [shortest, longest] = quality.chords.map(short);
    let mut text = format!(
        "{}: {} triangles of order {}, {} nodes{thick}\n\
         sides: {shortest} to {longest} m\n\
         least angle: {}° {}\n\
         least scaled Jacobian: {} {}\n\
         area: {} m², mass: {mass} kg\n\
         centre of mass: ({x}, {y}) m\n\
         moment of inertia about it: {inertia} kg·m²\n",
        body.name,
        mesh.triangles().len(),
        mesh.order,
        mesh.nodes.len(),
        short(quality.least_angle.0.to_degrees()),
        middle(quality.least_angle.1),
        short(quality.scaled_jacobian.0),
        middle(quality.scaled_jacobian.1),
        short(moments.area),
    );
    let mut table = plain(["edge", "sides", "length, m", ""], 1..3);
    for (edge, described) in mesh.edges.iter().enumerate() {
        let carrier = Carrier::Edge(EdgeId { body: id, edge });
        table.add_row([
            described.name.clone(),
            (described.nodes.len() / mesh.order).to_string(),
            short(model.length_of_carrier(carrier)),
            if described.closed { "closed" } else { "" }.to_owned(),
        ]);
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}", table.trim_fmt());
    for (name, why) in &mesh.no_edges {
        let _ = writeln!(text, "no edge: curve `{}` {why}", printable(name));
    }
    for (name, why) in &mesh.no_points {
        let _ = writeln!(text, "no point: `{}` {why}", printable(name));
    }
    text
}
