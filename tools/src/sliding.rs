//! `coulisse sliding`: how surfaces slide in their guides, whether they jam, and from which value of a number on.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use coulisse::fmu::Blueprint;
use coulisse::joints::regime::Sense;

use crate::jamming::{Between, contacts, limit, table};
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
    limit: Option<Between>,
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

/// Prints what `request` asks for.
///
/// # Errors
/// When the model has faults, or nothing slides in it.
pub fn perform(request: &Request) -> Result<()> {
    let blueprint = Blueprint::of(run::with_values(run::model(&request.model)?, &request.set)?)?;
    let model = blueprint.checked();
    let file = request.model.display().to_string();
    let chosen = contacts(model, &file, request.contact.as_deref())?;
    let contacts = &model.contacts;
    if request.limit.is_some() && chosen.len() > 1 {
        let names: Vec<&str> = contacts.iter().map(|contact| contact.name.as_str()).collect();
        bail!("--limit: name one of the contacts with --contact: {}", names.join(", "));
    }
    print(&table(&blueprint, &chosen, request.time)?)?;
    let sense = if request.backwards { Sense::Backward } else { Sense::Forward };
    match (&request.limit, &chosen[..]) {
        (Some(between), &[contact]) => {
            let contact = &contacts[contact].name;
            print(&limit(blueprint.model(), between, contact, sense, request.time)?)
        }
        _ => Ok(()),
    }
}

fn range(text: &str) -> Result<Between, String> {
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
