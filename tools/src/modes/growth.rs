//! `coulisse modes --sliding`: small motions about steady sliding, and whether they grow.

use std::f64::consts::TAU;

use anyhow::Result;
use coulisse::joints::regime::Sense;
use coulisse::message::figure;
use coulisse::model::Model;
use coulisse::sliding::growth::{Growth, Motion, Outlook, growth};
use coulisse::system::System;

use super::Request;
use crate::jamming::contacts;
use crate::number::short;
use crate::rows::{Cell, Rows};
use crate::table::plain;
use crate::{files, print};

/// Prints and writes the small motions about steady sliding.
///
/// # Errors
/// When nothing slides in the model, a contact is not there, or a file cannot be written.
pub fn perform(request: &Request, model: &Model) -> Result<()> {
    let checked = &model.check()?;
    let names: Vec<&str> = checked.contacts.iter().map(|c| c.name.as_str()).collect();
    let contact =
        contacts(checked, &request.model.display().to_string(), request.contact.as_deref())?[0];
    let sense = if request.backwards { Sense::Backward } else { Sense::Forward };
    let system = System::build(checked).map_err(|fault| model.faults(&fault))?;
    let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
    let time = request.time;
    let found = growth(&system, &inputs, (contact, sense), time, request.count)
        .map_err(|fault| model.faults(&fault))?;
    if let Some(file) = &request.output {
        files::write(file, &csv(&system, &found)?)?;
    }
    let slides = found.contacts.iter().map(|(contact, sense)| {
        let towards = match sense {
            Sense::Backward => "falling",
            _ => "growing",
        };
        format!("contacts.{} towards {towards} s", names[*contact])
    });
    let slides: Vec<String> = slides.collect();
    let along = sense.sign() * found.sliding.acceleration;
    let mut text = format!(
        "{}: small motions about steady sliding of {} under the loads of t = {} s, sticking joints fixed\n\
         it slides with {} m/s² along growing s of contacts.{}{}\n\n",
        checked.name,
        slides.join(" and "),
        figure(time),
        short(found.sliding.acceleration),
        names[contact],
        if along > 0.0 { "" } else { ": it is slowed down, and nothing brings it to slide" }
    );
    text += &table(&system, &found.list, request.count);
    text += &said(&found);
    print(&text)
}

/// The motions, those that grow most first.
fn table(system: &System, list: &[Motion], count: usize) -> String {
    let mut table = plain(["growth, 1/s", "Hz", "", "moves most"], 0..2);
    for motion in list.iter().take(count) {
        table.add_row([
            rate(motion),
            short(motion.angular_frequency / TAU),
            word(motion.outlook).to_owned(),
            system.drawing().moves_most(&motion.shape),
        ]);
    }
    table.trim_fmt()
}

/// What was looked for, and what it says.
fn said(found: &Growth) -> String {
    let all = found.list.len() + found.neutral;
    let fastest = found.list.iter().map(|m| m.angular_frequency / TAU);
    let fastest = fastest.fold(0.0, f64::max);
    let mut text = match found.whole {
        true => format!("\n\nthese are of all {all} motions"),
        false => format!(
            "\n\nthese are of the {all} slowest motions; faster ones than of {} Hz were not looked at (more with -n), nor all with a \
             damping ratio above 50 %",
            short(fastest)
        ),
    };
    if found.neutral > 0 {
        text += &format!("; {} of them rigid: nothing resists these", found.neutral);
    }
    let count = |outlook| found.list.iter().filter(|m| m.outlook == outlook).count();
    text += &match (found.list.first(), count(Outlook::Grows)) {
        (Some(first), grows) if grows > 0 => format!(
            "\nGROWS: {grows} {} up by {}, the fastest e-fold in {} s at {} Hz: the sliding is not steady; damping may end it",
            if grows == 1 { "motion swings itself" } else { "motions swing themselves" },
            if first.angular_frequency > 0.0 { "friction" } else { "itself" },
            short(1.0 / first.rate),
            short(first.angular_frequency / TAU)
        ),
        _ if count(Outlook::Stays) > 0 => format!(
            "\nneither grows: {} keep their size, nothing damps them; small damping decides",
            count(Outlook::Stays)
        ),
        _ => "\ndecays: the sliding is steady".to_owned(),
    };
    text
}

fn rate(motion: &Motion) -> String {
    match motion.outlook {
        Outlook::Stays => "0".to_owned(),
        Outlook::Grows | Outlook::Decays => short(motion.rate),
    }
}

fn word(outlook: Outlook) -> &'static str {
    match outlook {
        Outlook::Grows => "grows",
        Outlook::Decays => "decays",
        Outlook::Stays => "stays",
    }
}

/// All numbers as CSV.
fn csv(system: &System, found: &Growth) -> Result<Vec<u8>> {
    let mut rows = Rows::under([
        "motion",
        "outlook",
        "growth",
        "angular_frequency",
        "frequency",
        "moves_most",
    ])?;
    for (number, motion) in found.list.iter().enumerate() {
        let numbers = [motion.rate, motion.angular_frequency, motion.angular_frequency / TAU];
        let most = system.drawing().moves_most(&motion.shape);
        let first = [Cell::from(number + 1), Cell::from(word(motion.outlook))];
        let numbers = numbers.map(Cell::from);
        rows.add(first.into_iter().chain(numbers).chain([Cell::from(&most)]))?;
    }
    rows.bytes()
}
