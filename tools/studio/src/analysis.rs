//! What is computed of a model beside its run: each gives a page of its own, and some a table.

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use coulisse::fmu::Blueprint;
use coulisse::joints::regime::Sense;
use coulisse::laws::friction::Friction;
use coulisse::modes::{Loads, Sliding};
use coulisse::records::{Baseline, Given, Series};
use coulisse::start::start;
use coulisse::system::System;
use coulisse_tools::drawing::{Diagram, has_diagrams};
use coulisse_tools::equilibria::{Asked, Early, Equilibria};
use coulisse_tools::ground::Ground;
use coulisse_tools::jamming::{Between, contacts, limit, table};
use coulisse_tools::law::{self, Law};
use coulisse_tools::shapes::{self, Found, Shapes};
use coulisse_tools::svg::{Plot, drawing};
use coulisse_tools::template::sheet;
use coulisse_tools::warnings;
use serde::Deserialize;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Analysis {
    /// The lowest modes about the start, in motion.
    Modes { count: usize },
    /// A path of equilibria, and the mechanism at its end.
    Statics {
        /// End of the path; that of the model, or its loads as written, where absent.
        to: Option<f64>,
        /// Section force that is drawn along elastic members.
        diagram: Option<String>,
    },
    /// The law of each joint with friction.
    Friction { normal_force: Option<f64> },
    /// How surfaces slide in their guides, and what jams by its drawing.
    Jamming {
        /// Time whose loads act, s; 0 where absent.
        time: Option<f64>,
        /// A number, and the values between which its limit is sought.
        limit: Option<Between>,
        /// The contact that it is the limit of.
        contact: Option<String>,
        #[serde(default)]
        backwards: bool,
    },
}

/// What an analysis shows.
#[derive(Debug, Default)]
pub struct Sheet {
    /// A self-contained page.
    pub page: String,
    /// Its numbers as CSV.
    pub rows: Option<Vec<u8>>,
}

/// Laws of joints that are shown: a building may have hundreds.
const MOST_LAWS: usize = 12;

/// Each plot as a drawing of its own, so that narrow pages show them below each other.
fn each(plots: &[Plot]) -> String {
    plots.chunks(1).map(drawing).collect()
}

impl Analysis {
    /// Performs it on a model.
    ///
    /// # Errors
    /// When the model has no such thing.
    pub fn of(&self, blueprint: &Blueprint) -> Result<Sheet> {
        match self {
            Analysis::Modes { count } => modes(blueprint, *count),
            Analysis::Statics { to, diagram } => statics(blueprint, *to, diagram.as_deref()),
            Analysis::Friction { normal_force } => friction(blueprint, *normal_force),
            Analysis::Jamming { time, limit, contact, backwards } => {
                let time = time.unwrap_or(0.0);
                jamming(blueprint, time, limit.as_ref(), contact.as_deref(), *backwards)
            }
        }
    }
}

fn modes(blueprint: &Blueprint, count: usize) -> Result<Sheet> {
    let (model, checked) = (blueprint.model(), blueprint.checked());
    let system = System::build(checked).map_err(|fault| model.faults(&fault))?;
    let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
    let state = start(&system, &inputs).map_err(|fault| model.faults(&fault))?;
    let loads = Loads::at_start(checked);
    let found = Found::about(system, state, "at the start", count, Sliding::Free, loads);
    let found = found.map_err(|fault| model.faults(&fault))?;
    Ok(Sheet { page: shapes::page(&found, &Shapes::of(&found))?, rows: None })
}

fn statics(blueprint: &Blueprint, to: Option<f64>, diagram: Option<&str>) -> Result<Sheet> {
    let checked = blueprint.checked();
    let diagram = diagram.map(|name| Diagram::from_str(name, true)).transpose();
    let diagram = diagram.map_err(|wrong| anyhow!("diagram: {wrong}"))?;
    diagram.map_or(Ok(()), |_| has_diagrams(checked))?;
    let path = Asked::until(to).path(checked, &checked.name)?;
    let found = Equilibria::of(blueprint, path, &[])?;
    let picture = found.picture(diagram).unwrap_or_default();
    let early = match found.ended() {
        Early::No => String::new(),
        Early::Points(points) => format!("\nends after {points} points"),
        Early::Stuck(why) => format!("\nthe path ends early: {why}"),
    };
    let doubts: String = found.doubts.iter().map(|line| format!("\n{line}")).collect();
    let drawn = picture + &each(&found.plots());
    let words = found.report() + &early + &doubts;
    Ok(Sheet { page: sheet(&checked.name, &drawn, &words), rows: Some(found.csv()?) })
}

fn friction(blueprint: &Blueprint, normal_force: Option<f64>) -> Result<Sheet> {
    let checked = blueprint.checked();
    let asked = law::Asked::default();
    let asked = law::Asked { normal_force: normal_force.unwrap_or(asked.normal_force), ..asked };
    let joints = checked.sliders_of_joints().map(|(_, slider)| (&slider.name, &slider.friction));
    let mut joints: Vec<(&String, &Friction)> =
        joints.filter(|(_, law)| **law != Friction::None).collect();
    joints.dedup_by(|next, before| next.0 == before.0);
    if joints.is_empty() {
        return Err(anyhow!("no sliding joint of {} has friction", checked.name));
    }
    let (mut drawn, mut words) = (String::new(), Vec::new());
    for (name, friction) in joints.iter().take(MOST_LAWS) {
        let found = Law::of(friction, &asked)?;
        drawn += &each(&found.plots);
        words.push(format!("joints.{name}: {}", found.text()));
    }
    if joints.len() > MOST_LAWS {
        words.push(format!("and {} joints more", joints.len() - MOST_LAWS));
    }
    Ok(Sheet { page: sheet(&checked.name, &drawn, &words.join("\n\n")), rows: None })
}

fn jamming(
    blueprint: &Blueprint, time: f64, between: Option<&Between>, contact: Option<&str>,
    backwards: bool,
) -> Result<Sheet> {
    let checked = blueprint.checked();
    let mut parts = warnings::of_jams(checked);
    match contacts(checked, &checked.name, contact) {
        Ok(chosen) => parts.push(table(blueprint, &chosen, time)?),
        // What there is to say of joints and of rigid contacts is said here.
        Err(why) if between.is_none() => parts.push(why.to_string()),
        Err(why) => return Err(why),
    }
    if let Some(between) = between {
        let contact = contact.context("choose the contact whose limit is sought")?;
        let sense = if backwards { Sense::Backward } else { Sense::Forward };
        parts.push(limit(blueprint.model(), between, contact, sense, time)?);
    }
    Ok(Sheet { page: sheet(&checked.name, "", &parts.join("\n\n")), rows: None })
}

/// What a data file holds, as a record of ground motion.
///
/// # Errors
/// When it is none that can be read without further numbers.
pub fn record(name: &str, bytes: &[u8]) -> Result<Sheet> {
    let text = std::str::from_utf8(bytes).with_context(|| format!("{name} is no text"))?;
    let series = Series::read(name, text, &Given::default());
    let series = series.map_err(|wrong| anyhow!("{name} {wrong}"))?;
    let ground = Ground::of(&series, Baseline::None).context("no record")?;
    Ok(Sheet { page: sheet(name, &each(&ground.plots()), &ground.text(name, &series)), rows: None })
}
