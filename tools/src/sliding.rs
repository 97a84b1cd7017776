//! `coulisse sliding`: how surfaces slide in their guides, whether they jam, and from which value of a number on.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use coulisse::fmu::Blueprint;
use coulisse::joints::regime::Sense;
use coulisse::model::Checked;
use coulisse::sliding::sliding;

use crate::number::short;
use crate::table::plain;
use crate::{assignment, print, run};

#[derive(Args)]
pub struct Request {
    /// Model file (TOML) with contacts of surfaces.
    model: PathBuf,
    /// The contact; all of them unless given.
    #[arg(long, value_name = "NAME")]
    contact: Option<String>,
    /// Find the value of a number of the file, between these two, from which on the contact jams.
    #[arg(long, value_name = "NAME=FROM:TO", value_parser = range, allow_hyphen_values = true)]
    limit: Option<(String, f64, f64)>,
    /// Slide backwards, towards falling s, in the search for the limit.
    #[arg(long, requires = "limit")]
    backwards: bool,
    /// Slide under the loads of this time, s.
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = seconds, allow_hyphen_values = true)]
    time: f64,
    /// Set a number of the file; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
}

/// Share of the range to which the limit is found.
const SHARPNESS: f64 = 1e-6;

/// Prints what `request` asks for.
///
/// # Errors
/// When the model has faults, or nothing slides in it.
pub fn perform(request: &Request) -> Result<()> {
    let blueprint = load(&request.model, &request.set)?;
    let model = blueprint.checked();
    let chosen = contacts(model, &request.model, request.contact.as_deref())?;
    let contacts = &model.contacts;
    if request.limit.is_some() && chosen.len() > 1 {
        let names: Vec<&str> = contacts.iter().map(|contact| contact.name.as_str()).collect();
        bail!("--limit: name one of the contacts with --contact: {}", names.join(", "));
    }
    let mut table =
        plain(["contact", "sense", "acceleration in m/s²", "normal forces in N", ""], 2..4);
    for &contact in &chosen {
        for sense in [Sense::Forward, Sense::Backward] {
            let name = contacts[contact].name.clone();
            let [a, normal, says] = match slides(&blueprint, contact, sense, request.time) {
                Ok((a, normal)) => {
                    let jams = a * sense.sign() <= 0.0;
                    let says = match jams {
                        true => "stays: friction is more than what drives it",
                        false => "slides",
                    };
                    [short(a), short(normal), says.to_string()]
                }
                Err(why) => [String::new(), String::new(), why.to_string()],
            };
            let towards = match sense {
                Sense::Backward => "falling s",
                _ => "growing s",
            };
            table.add_row([name, towards.to_string(), a, normal, says]);
        }
    }
    print(&table.trim_fmt())?;
    match (&request.limit, &chosen[..]) {
        (Some(limit), &[contact]) => print(&found(request, limit, &contacts[contact].name)?),
        _ => Ok(()),
    }
}

fn load(file: &Path, values: &[(String, f64)]) -> Result<Blueprint> {
    Ok(Blueprint::of(run::with_values(run::model(file)?, values)?)?)
}

/// The contacts of surfaces that may slide: the one with this `name`, or all.
///
/// # Errors
/// When there is none; the message says what to do about rigid contacts.
pub fn contacts(model: &Checked, file: &Path, name: Option<&str>) -> Result<Vec<usize>> {
    let contacts: Vec<&str> = model.contacts.iter().map(|c| c.name.as_str()).collect();
    let rigid: Vec<&str> = (model.rigid_contacts.iter().map(|c| c.name.as_str()))
        .filter(|rigid| name.is_none_or(|name| name == *rigid))
        .collect();
    let found = name.map(|name| contacts.iter().position(|contact| *contact == name));
    let refused = match (found, name) {
        (Some(Some(contact)), _) => return Ok(vec![contact]),
        (None, _) if !contacts.is_empty() => return Ok((0..contacts.len()).collect()),
        _ if !rigid.is_empty() => format!(
            "contacts.{} has `rigid = true`: how the load is distributed over its corners in steady sliding depends on the stiffness of a contact \
             layer. Give the contact a `stiffness` instead of `rigid = true`, or find out by `coulisse run` whether it slides or jams",
            rigid.join(" and contacts.")
        ),
        (Some(None), Some(name)) if !contacts.is_empty() || !model.rigid_contacts.is_empty() => {
            let rigid = model.rigid_contacts.iter().map(|c| c.name.as_str());
            let known: Vec<&str> = contacts.into_iter().chain(rigid).collect();
            format!("no contact `{name}`; there are: {}", known.join(", "))
        }
        _ if !model.sliders.is_empty() => "has no contact of surfaces ([contacts.NAME]). Friction of joints is not linearised about steady \
             sliding: simulate it with `coulisse run`, and look whether `joints.NAME.sticking` and the velocity settle or a stick-slip \
             oscillation remains"
            .to_string(),
        _ => "has no contact of surfaces ([contacts.NAME])".to_string(),
    };
    bail!("{}: {refused}", file.display())
}

/// Acceleration along growing s and sum of the normal forces.
fn slides(blueprint: &Blueprint, contact: usize, sense: Sense, time: f64) -> Result<(f64, f64)> {
    let system = &blueprint.built()?.system;
    let inputs: Vec<f64> = (blueprint.checked().inputs.iter()).map(|input| input.start).collect();
    let found = sliding(system, &inputs, contact, sense, time)?;
    Ok((found.acceleration, system.surfaces.normal_force_of(contact, &found.state)))
}

/// The value from which on a contact jams, in words.
fn found(
    request: &Request, (name, from, to): &(String, f64, f64), contact: &str,
) -> Result<String> {
    let sense = match request.backwards {
        true => Sense::Backward,
        false => Sense::Forward,
    };
    let jams = |value: f64| -> Result<bool> {
        let mut values = request.set.clone();
        values.push((name.clone(), value));
        let blueprint = load(&request.model, &values)?;
        let contact = contacts(blueprint.checked(), &request.model, Some(contact))?[0];
        let (a, _) = slides(&blueprint, contact, sense, request.time)
            .with_context(|| format!("{name} = {}", short(value)))?;
        Ok(a * sense.sign() <= 0.0)
    };
    let (mut low, mut high) = (*from, *to);
    let [first, last] = [jams(low)?, jams(high)?];
    if first == last {
        let does = if first { "jams" } else { "slides" };
        return Ok(format!(
            "contact {contact} {does} at both ends of {name} = {}:{}",
            short(low),
            short(high)
        ));
    }
    while (high - low).abs() > SHARPNESS * (to - from).abs() {
        let middle = 0.5 * (low + high);
        match jams(middle)? == first {
            true => low = middle,
            false => high = middle,
        }
    }
    let [before, beyond] = match first {
        true => ["jams", "slides"],
        false => ["slides", "jams"],
    };
    Ok(format!(
        "contact {contact} {before} up to {name} = {} and {beyond} from there on",
        short(0.5 * (low + high))
    ))
}

fn range(text: &str) -> Result<(String, f64, f64), String> {
    let wrong = || format!("`{text}` is no NAME=FROM:TO");
    let (name, values) = text.split_once('=').ok_or_else(wrong)?;
    let (from, to) = values.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from != to => Ok((name.trim().to_string(), from, to)),
        _ => Err(wrong()),
    }
}

pub fn seconds(text: &str) -> Result<f64, String> {
    let time = text.parse().ok().filter(|t: &f64| t.is_finite() && *t >= 0.0);
    time.ok_or_else(|| format!("`{text}` is no time from 0 s on"))
}
