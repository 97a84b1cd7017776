//! The page `documentation/index.html` of an FMU.

mod equations;
mod mechanism;
mod table;

use crate::template::fill;
use coulisse::fmu::{Blueprint, Interface, Refusal, Role, Variable};
use coulisse::model::Checked;
use coulisse::model::checked::{Analysis, Method, Reconstruction};
use coulisse::model::quantity::{LARGEST, SMALLEST};
use quick_xml::escape::escape;

use crate::drawing;
use table::{Cell, Table, figure};

const STYLE: &str = include_str!("style.css");

/// A page that needs nothing from the network.
///
/// # Errors
/// The fault of a mechanism that cannot be built.
pub fn page(blueprint: &Blueprint) -> Result<String, Refusal> {
    let model = blueprint.checked();
    let name = escape(&model.name);
    let title = format!("{} as it starts", model.name);
    let system = &blueprint.built()?.system;
    let picture = drawing::svg(&drawing::draw(system), &title);
    let about = about(model);
    let sections = [
        variables(blueprint.interface(), model),
        mechanism::sections(system),
        solver(model),
        equations::section(model),
    ];
    Ok(fill(
        include_str!("page.html"),
        &[
            ("name", &name),
            ("style", STYLE),
            ("description", &escape(&model.description)),
            ("about", &about),
            ("picture", &picture),
            ("sections", &sections.concat()),
            ("version", env!("CARGO_PKG_VERSION")),
        ],
    ))
}

fn about(model: &Checked) -> String {
    let about = &model.about;
    let parts = [
        ("Author", &about.author),
        ("version", &about.version),
        ("copyright", &about.copyright),
        ("licence", &about.license),
    ];
    let said: Vec<String> = parts
        .into_iter()
        .filter_map(|(what, text)| Some(format!("{what}: {}", escape(text.as_deref()?))))
        .collect();
    match said.is_empty() {
        true => String::new(),
        false => format!("<p>{}.</p>\n", said.join(", ")),
    }
}

fn variables(interface: &Interface, model: &Checked) -> String {
    let all = || interface.variables().iter();
    let mut parameters = Table::new(&["Parameter", "Unit", "Value", "Allowed", "Meaning"]);
    for v in all().filter(|v| v.is_parameter()) {
        parameters.row([
            Cell::code(&v.name),
            unit(v),
            Cell::number(v.start),
            Cell::text(allowed(v)),
            Cell::text(&v.description),
        ]);
    }
    let mut calculated = Table::new(&["Calculated from parameters", "Unit", "Meaning"]);
    for v in all().filter(|v| matches!(v.role, Role::Calculated(_))) {
        calculated.row([Cell::code(&v.name), unit(v), Cell::text(&v.description)]);
    }
    let mut inputs = Table::new(&["Input", "Unit", "Start", "Between two points", "Meaning"]);
    for v in all() {
        let Role::Input(input) = v.role else { continue };
        let between = match model.inputs[input].reconstruction {
            Reconstruction::Hold => "keeps its value",
            Reconstruction::Linear => "straight line to the value that is set",
            Reconstruction::Cubic => "to the value that is set without a jump of the slope",
        };
        inputs.row([
            Cell::code(&v.name),
            unit(v),
            Cell::number(v.start),
            Cell::text(between),
            Cell::text(&v.description),
        ]);
    }
    let mut outputs = Table::new(&["Output", "Unit", "Meaning"]);
    for v in all().filter(|v| matches!(v.role, Role::Output(_))) {
        outputs.row([Cell::code(&v.name), unit(v), Cell::text(&v.description)]);
    }
    let tables = [
        parameters.section("Parameters"),
        calculated.section("Calculated parameters"),
        inputs.section("Inputs"),
        outputs.section("Outputs"),
    ];
    tables.concat()
}

fn unit(v: &Variable) -> Cell {
    Cell::text(match v.kind {
        coulisse::fmu::Kind::Real => v.quantity.unit(),
        kind => kind.name(),
    })
}

/// The range of a parameter, but for the sizes that bound every number.
fn allowed(v: &Variable) -> String {
    let tiny = |bound: f64| bound == SMALLEST;
    match v.range.map(|bound| bound.filter(|b| b.abs() != LARGEST)) {
        [None, None] => String::new(),
        [Some(low), None] if tiny(low) => "above 0".to_owned(),
        [Some(low), None] => format!("{} or above", figure(low)),
        [None, Some(high)] => format!("{} or below", figure(high)),
        [Some(low), Some(high)] if tiny(low) => format!("above 0, at most {}", figure(high)),
        [Some(low), Some(high)] => format!("{} to {}", figure(low), figure(high)),
    }
}

fn solver(model: &Checked) -> String {
    let solver = &model.solver;
    let mut table = Table::new(&["Setting", "Value"]);
    table.row([
        Cell::text("analysis"),
        Cell::text(match solver.analysis {
            Analysis::Dynamic => "dynamic",
            Analysis::QuasiStatic => "quasi-static: equilibrium at every step",
        }),
    ]);
    if solver.analysis == Analysis::Dynamic {
        let method = match solver.method {
            Method::GeneralizedAlpha => {
                "TR-BDF2 and generalized-α, constraints on positions and velocities"
            }
            Method::Index3GeneralizedAlpha => "generalized-α, constraints on positions (index 3)",
            Method::Newmark => "Newmark, constraints on positions",
        };
        table.row([Cell::text("method"), Cell::text(method)]);
        table.row([
            Cell::text("spectral radius at high frequencies"),
            Cell::value(solver.spectral_radius),
        ]);
    }
    for (what, value) in [
        ("longest substep, s", solver.step),
        ("default communication step, s", model.experiment.communication_step),
        ("default end, s", model.experiment.stop_time),
        ("tolerance of positions", solver.position_tolerance),
        ("tolerance of forces", solver.force_tolerance),
        ("iterations before a step is halved", solver.max_iterations as f64),
        ("halvings before a step is given up", f64::from(solver.max_halvings)),
    ] {
        table.row([Cell::text(what), Cell::value(value)]);
    }
    if let Some(share) = solver.energy_tolerance {
        table.row([Cell::text("tolerance of the energy balance"), Cell::value(share)]);
    }
    table.section("Solver")
}
