//! The page `documentation/index.html` of an FMU.

mod equations;

use crate::template::fill;
use coulisse::fmu::{Blueprint, Interface, Refusal, Role, Variable};
use coulisse::model::Checked;
use coulisse::model::checked::{Analysis, Method, Reconstruction};
use coulisse::model::quantity::{LARGEST, SMALLEST};
use quick_xml::escape::escape;

use crate::number::short;
use crate::table::{Cell, Table};
use crate::{drawing, inventory};

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
        inventory::of(system).iter().map(Table::html).collect(),
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
    if said.is_empty() { String::new() } else { format!("<p>{}.</p>\n", said.join(", ")) }
}

fn variables(interface: &Interface, model: &Checked) -> String {
    let all = || interface.variables().iter();
    let parameters = all().filter(|v| v.is_parameter()).map(|v| {
        let allowed = Cell::from(allowed(v));
        [Cell::name(&v.name), unit(v), v.start.into(), allowed, Cell::from(&v.description)]
    });
    let calculated = all().filter(|v| matches!(v.role, Role::Calculated(_)));
    let inputs = all().filter_map(|v| {
        let Role::Input(input) = v.role else { return None };
        let between = match model.inputs[input].reconstruction {
            Reconstruction::Hold => "keeps its value",
            Reconstruction::Linear => "straight line to the value that is set",
            Reconstruction::Cubic => "to the value that is set without a jump of the slope",
        };
        let meaning = Cell::from(&v.description);
        Some([Cell::name(&v.name), unit(v), v.start.into(), between.into(), meaning])
    });
    let outputs = all().filter(|v| matches!(v.role, Role::Output(_)));
    let meaning = |v: &Variable| [Cell::name(&v.name), unit(v), Cell::from(&v.description)];
    let tables = [
        Table::new("Parameters", ["Parameter", "Unit", "Value", "Allowed", "Meaning"], parameters),
        Table::new(
            "Calculated parameters",
            ["Calculated from parameters", "Unit", "Meaning"],
            calculated.map(meaning),
        ),
        Table::new("Inputs", ["Input", "Unit", "Start", "Between two points", "Meaning"], inputs),
        Table::new("Outputs", ["Output", "Unit", "Meaning"], outputs.map(meaning)),
    ];
    tables.iter().map(Table::html).collect()
}

fn unit(v: &Variable) -> Cell {
    Cell::from(match v.kind {
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
        [Some(low), None] => format!("{} or above", short(low)),
        [None, Some(high)] => format!("{} or below", short(high)),
        [Some(low), Some(high)] if tiny(low) => format!("above 0, at most {}", short(high)),
        [Some(low), Some(high)] => format!("{} to {}", short(low), short(high)),
    }
}

fn solver(model: &Checked) -> String {
    let solver = &model.solver;
    let mut rows: Vec<[Cell; 2]> = Vec::new();
    let analysis = match solver.analysis {
        Analysis::Dynamic => "dynamic",
        Analysis::QuasiStatic => "quasi-static: equilibrium at every step",
    };
    rows.push(["analysis".into(), analysis.into()]);
    if solver.analysis == Analysis::Dynamic {
        let method = match solver.method {
            Method::GeneralizedAlpha => {
                "TR-BDF2 and generalized-α, constraints on positions and velocities"
            }
            Method::Index3GeneralizedAlpha => "generalized-α, constraints on positions (index 3)",
            Method::Newmark => "Newmark, constraints on positions",
        };
        rows.push(["method".into(), method.into()]);
        let radius = solver.spectral_radius.into();
        rows.push(["spectral radius at high frequencies".into(), radius]);
    }
    let numbers = [
        ("longest substep, s", Some(solver.step)),
        ("default communication step, s", Some(model.experiment.communication_step)),
        ("default end, s", Some(model.experiment.stop_time)),
        ("tolerance of positions", Some(solver.position_tolerance)),
        ("tolerance of forces", Some(solver.force_tolerance)),
        ("iterations before a step is halved", Some(solver.max_iterations as f64)),
        ("halvings before a step is given up", Some(f64::from(solver.max_halvings))),
        ("tolerance of the energy balance", solver.energy_tolerance),
    ];
    let stated = numbers.into_iter().filter_map(|(what, value)| Some((what, value?)));
    rows.extend(stated.map(|(what, value)| [what.into(), value.into()]));
    Table::new("Solver", ["Setting", "Value"], rows).html()
}
