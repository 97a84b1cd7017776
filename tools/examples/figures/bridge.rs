//! The bundled vehicle on its bridge, on smooth and on rough roads, with friction and without; Figs. 18 to
//! 22 of Siqueira & Coda (2023) from these runs.

mod figures;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use coulisse::fmu::Blueprint;
use coulisse::model::Model;
use coulisse::model::checked::Output;
use coulisse::solve::Stepper;
use coulisse::start::start;

use crate::number::short;
use crate::svg::Plot;

#[derive(Args)]
pub struct Request {
    /// Folder that takes the figures; nothing is drawn without.
    pub folder: Option<PathBuf>,
    /// End of the runs, s.
    #[arg(long, value_name = "T", default_value_t = 12.0, allow_negative_numbers = true)]
    pub stop: f64,
    /// Seed of the road; the model's own unless given.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u32>,
    /// Wheels that may lift off the road instead of being held down.
    #[arg(long)]
    pub unilateral: bool,
}

const MODEL: &str = include_str!("../../../resources/models/vehicle_on_bridge.toml");

/// Time between two samples, s.
const SAMPLE: f64 = 1e-3;

/// How much of the road is left where a vehicle that nothing brakes is stopped, m.
const LEFT: f64 = 2.0;

/// Below this kinetic energy and with both wheels stuck it is said to stand, as a share of that at
/// the start: what rocks on the wheels is not looked at.
const STANDS: f64 = 1e-3;

/// The roads: name and G_d(0.1 cycle/m), m³.
const ROADS: [(&str, f64); 3] = [("smooth", 0.0), ("class A", 16e-6), ("class B", 64e-6)];

/// One run.
pub struct Run {
    road: &'static str,
    rubs: bool,
    /// The samples, from the start on.
    samples: Vec<Sample>,
    /// Wall clock per solver step, s.
    cost: f64,
}

/// What is seen every millisecond.
#[derive(Clone, Copy)]
struct Sample {
    time: f64,
    /// Sliding coordinate of the front wheel, m.
    front: f64,
    /// Displacements of the vehicle's middle, m.
    vehicle: [f64; 2],
    /// That of the middle of the left span, m.
    span: f64,
    /// Friction force of the front wheel, N.
    friction: f64,
    /// Normal forces of both wheels, N; above 0 where the wheel presses on the road.
    pressing: [f64; 2],
    /// Kinetic energy, J.
    kinetic: f64,
    /// What the time integration and impacts have taken, and the error of the energy balance, J.
    numerical: f64,
    impacts: f64,
    balance: f64,
    stuck: bool,
}

/// Runs the vehicle, draws what `request` asks for and returns the table of what became of it.
///
/// # Errors
/// When a run does not come to its end or a file cannot be written.
pub fn perform(request: &Request) -> Result<String> {
    let runs = runs(request)?;
    if let Some(folder) = &request.folder {
        crate::write(folder, &figures(&runs, request)?)?;
    }
    Ok(table(&runs).trim_fmt())
}

/// Every road with friction, then without.
///
/// # Errors
/// When a run does not come to its end.
pub fn runs(request: &Request) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for rubs in [true, false] {
        for (road, level) in ROADS {
            let run = Run::of(road, level, rubs, request)
                .with_context(|| format!("{road}, {}", friction_word(rubs)))?;
            runs.push(run);
        }
    }
    Ok(runs)
}

/// Figs. 18 to 22 with their names.
///
/// # Errors
/// When the model is wrong.
pub fn figures(runs: &[Run], request: &Request) -> Result<Vec<(String, Vec<Plot>)>> {
    Ok(figures::of(runs, &blueprint(&[], request)?))
}

fn friction_word(rubs: bool) -> &'static str {
    if rubs { "friction" } else { "frictionless" }
}

/// The bundled model with some of its numbers replaced.
fn blueprint(values: &[(&str, f64)], request: &Request) -> Result<Blueprint> {
    let no_data =
        |name: &str| Err::<String, _>(std::io::Error::other(format!("{name}: not bundled")));
    let text = if request.unilateral {
        let held = "\"exit\"] }";
        assert_eq!(MODEL.matches(held).count(), 2, "both wheels");
        MODEL.replace(held, "\"exit\"], contact = \"unilateral\" }")
    } else {
        MODEL.to_owned()
    };
    let mut model = Model::parse(&text, "vehicle_on_bridge.toml", &no_data)
        .map_err(|faults| anyhow!("{faults}"))?;
    let seed = request.seed.map(|seed| ("parameters.seed", f64::from(seed)));
    for (path, value) in values.iter().copied().chain(seed) {
        model = model.with_value(path, value).map_err(|fault| anyhow!("{fault}"))?;
    }
    Ok(Blueprint::of(model)?)
}

impl Run {
    fn of(road: &'static str, level: f64, rubs: bool, request: &Request) -> Result<Run> {
        let mut values = vec![("parameters.road", level)];
        if !rubs {
            values.push(("parameters.static_friction", 0.0));
            values.push(("parameters.kinetic_friction", 0.0));
        }
        let blueprint = blueprint(&values, request)?;
        let stop = request.stop;
        if !(stop.is_finite() && stop > 0.0) {
            bail!("--stop is {stop}; allowed: a finite number above 0");
        }
        let built = blueprint.built()?;
        let system = &built.system;
        let output = |path: &str| -> Result<Output> {
            let found = blueprint.checked().outputs.iter().find(|o| o.path == path);
            found.map(|o| o.output).ok_or_else(|| anyhow!("no output {path}"))
        };
        let [front, friction] =
            ["position", "friction_force"].map(|key| output(&format!("joints.front.{key}")));
        let (front, friction) = (front?, friction?);
        let (x, y) = (output("probes.vehicle_x")?, output("probes.vehicle_y")?);
        let span = output("probes.first_span")?;
        let (kinetic, balance) = (output("energy.kinetic")?, output("energy.balance")?);
        let numerical = output("energy.numerical_dissipation")?;
        let impacts = output("energy.impact_loss")?;
        let sticking = ["front", "rear"].map(|j| output(&format!("joints.{j}.sticking")));
        let [front_sticks, rear_sticks] = sticking;
        let (front_sticks, rear_sticks) = (front_sticks?, rear_sticks?);
        let path = (blueprint.checked().sliders[0].path.iter())
            .map(|part| blueprint.checked().length_of_carrier(part.carrier))
            .sum::<f64>();

        let mut state = start(system, &built.inputs)?;
        let mut stepper = Stepper::new(system);
        let look = |state: &coulisse::system::State| Sample {
            time: state.time,
            front: system.read(state, front),
            vehicle: [x, y].map(|output| system.read(state, output)),
            span: system.read(state, span),
            friction: system.read(state, friction),
            // λ is the force on the path, which runs along x and turns little.
            pressing: [0, 1].map(|j| -state.multipliers[j][1]),
            kinetic: system.read(state, kinetic),
            numerical: system.read(state, numerical),
            impacts: system.read(state, impacts),
            balance: system.read(state, balance),
            stuck: [front_sticks, rear_sticks].iter().all(|&o| system.read(state, o) == 1.0),
        };
        let mut samples = vec![look(&state)];
        let clock = Instant::now();
        let count = (stop / SAMPLE).round() as u32;
        for i in 0..count {
            let time = f64::from(i) * SAMPLE;
            stepper.advance(system, &mut state, time, SAMPLE)?;
            let now = look(&state);
            samples.push(now);
            if now.front > path - LEFT {
                break;
            }
        }
        Ok(Run {
            road,
            rubs,
            samples,
            cost: clock.elapsed().as_secs_f64() / state.counters.steps.max(1) as f64,
        })
    }

    fn name(&self) -> String {
        if self.rubs { self.road.to_owned() } else { format!("{}, frictionless", self.road) }
    }

    /// The sample from which on it stands, if it does.
    fn stands(&self) -> Option<&Sample> {
        let most = STANDS * self.samples[0].kinetic;
        let first = self.samples.iter().position(|s| s.stuck && s.kinetic < most)?;
        Some(&self.samples[first])
    }
}

/// What became of the runs.
pub fn table(runs: &[Run]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header([
        "road",
        "friction",
        "stands at, s",
        "front wheel, m",
        "wheel force, N",
        "spread, N",
        "largest, N",
        "pulls, %",
        "integration, %",
        "impacts, %",
        "balance, %",
        "us/step",
    ]);
    for run in runs {
        let last = run.samples[run.samples.len() - 1];
        let end = run.stands().copied();
        // While it moves, both wheels.
        let moving = run.samples.iter().filter(|s| end.is_none_or(|end| s.time < end.time));
        let forces: Vec<f64> = moving.flat_map(|s| s.pressing).collect();
        let count = forces.len().max(1) as f64;
        let mean = forces.iter().map(|f| f.abs()).sum::<f64>() / count;
        let signed = forces.iter().sum::<f64>() / count;
        let square = forces.iter().map(|f| (f - signed).powi(2)).sum::<f64>() / count;
        let pulls = forces.iter().filter(|f| **f < 0.0).count() as f64 / count;
        let share = |energy: f64| format!("{:.4}", 100.0 * energy / run.samples[0].kinetic);
        let off = run.samples.iter().fold(0.0_f64, |most, s| most.max(s.balance.abs()));
        table.add_row([
            run.road.to_owned(),
            if run.rubs { "yes" } else { "no" }.to_owned(),
            end.map_or_else(|| "-".to_owned(), |s| short(s.time)),
            short(end.unwrap_or(last).front),
            short(mean.round()),
            short(square.sqrt().round()),
            short(forces.iter().fold(0.0_f64, |most, f| most.max(f.abs())).round()),
            format!("{:.1}", 100.0 * pulls),
            share(last.numerical),
            share(last.impacts),
            share(off),
            format!("{:.0}", 1e6 * run.cost),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
