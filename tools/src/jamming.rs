//! How surfaces slide in their guides, whether they jam, and from which value of a number on.

use anyhow::{Context, Result, bail};
use coulisse::fmu::Blueprint;
use coulisse::joints::regime::Sense;
use coulisse::model::{Checked, Model};
use coulisse::sliding::{Sliding, sliding};

use crate::master::with_values;
use crate::number::short;
use crate::table::plain;

/// Share of the range to which a limit is found.
const SHARPNESS: f64 = 1e-6;

/// How each of these contacts slides in both senses under the loads of `time` (s), as a table.
///
/// # Errors
/// When the mechanism cannot be built.
pub fn table(blueprint: &Blueprint, chosen: &[usize], time: f64) -> Result<String> {
    blueprint.built()?;
    let contacts = &blueprint.checked().contacts;
    let mut table =
        plain(["contact", "sense", "acceleration in m/s²", "normal forces in N", ""], 2..4);
    for &contact in chosen {
        for sense in [Sense::Forward, Sense::Backward] {
            let name = contacts[contact].name.clone();
            let [a, normal, says] = match slides(blueprint, contact, sense, time) {
                Ok((found, normal)) => {
                    let says = match found.jams(sense) {
                        true => "stays: friction is more than what drives it",
                        false => "slides",
                    };
                    [short(found.acceleration), short(normal), says.to_string()]
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
    Ok(table.trim_fmt())
}

/// The contacts of surfaces that may slide: the one with this `name`, or all.
///
/// # Errors
/// When there is none; the message says what to do about rigid contacts.
pub fn contacts(model: &Checked, file: &str, name: Option<&str>) -> Result<Vec<usize>> {
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
             oscillation remains. From which coefficient on a joint jams, `coulisse run --list` finds with one coefficient in each row: a run \
             that jams ends and says so"
            .to_string(),
        _ => "has no contact of surfaces ([contacts.NAME])".to_string(),
    };
    bail!("{file}: {refused}")
}

/// How it slides, and the sum of its normal forces, N.
fn slides(
    blueprint: &Blueprint, contact: usize, sense: Sense, time: f64,
) -> Result<(Sliding, f64)> {
    let system = &blueprint.built()?.system;
    let inputs: Vec<f64> = (blueprint.checked().inputs.iter()).map(|input| input.start).collect();
    let found = sliding(system, &inputs, contact, sense, time)?;
    let normal = system.surfaces.normal_force_of(contact, &found.state);
    Ok((found, normal))
}

/// A number of a model file, and the values between which a contact begins to jam.
pub type Between = (String, f64, f64);

/// The value of a number from which on a contact jams, in words.
///
/// # Errors
/// When the number is none of the model, or nothing slides in it.
pub fn limit(
    model: &Model, (name, from, to): &Between, contact: &str, sense: Sense, time: f64,
) -> Result<String> {
    let jams = |value: f64| -> Result<bool> {
        let blueprint = Blueprint::of(with_values(model.clone(), &[(name.clone(), value)])?)?;
        let mut all = blueprint.checked().contacts.iter();
        let contact = all.position(|own| own.name == contact).context("no such contact")?;
        let found = slides(&blueprint, contact, sense, time)
            .with_context(|| format!("{name} = {}", short(value)))?;
        Ok(found.0.jams(sense))
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
        if jams(middle)? == first { low = middle } else { high = middle }
    }
    let [before, beyond] = if first { ["jams", "slides"] } else { ["slides", "jams"] };
    Ok(format!(
        "contact {contact} {before} up to {name} = {} and {beyond} from there on",
        short(0.5 * (low + high))
    ))
}
