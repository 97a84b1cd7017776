//! The main job, shown: a model becomes an FMU, is co-simulated, motion and curves are drawn.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use coulisse::fmu::Blueprint;

use crate::archive::Standard;
use crate::libraries::{Libraries, Wanted};
use crate::number::short;
use crate::results::Results;
use crate::run::{Settings, Subject};
use crate::{archive, bundled, files, page, print};

/// What the page shows and what to look at there.
const PANELS: [&str; 4] = [
    "probes.tip_deflection",
    "joints.N.velocity",
    "joints.N.friction_force",
    "joints.N.normal_force",
];

const TEXT: &str = "A crank turns at 2.5 revolutions a second and swings a flexible arm by a \
    slider; the arm pushes a second slider, N, along a rough guide: slowly to the left, quickly \
    back. The arm bends most, by about 6 mm, in the quick return. At both dead centres N stops, \
    sticks for a moment, and the friction force drops from one branch to the other.";

/// Packs the quick return into `folder`, runs the FMU through its C interface, leaves the curves.
///
/// # Errors
/// When the folder cannot be written or the FMU does not run.
pub fn run(folder: &Path) -> Result<()> {
    files::make_folder(folder)?;
    let fmu = folder.join("quick_return.fmu");
    let blueprint = bundled::model("quick_return").and_then(Blueprint::of)?;
    // It runs here; that others can use it is not always to be had.
    let libraries = Libraries::of(&Wanted::Portable).or_else(|_| Libraries::of(&Wanted::Native))?;
    let packed = archive::pack(&blueprint, Standard::Fmi2, &libraries.inside, None, &[])?;
    files::write(&fmu, &packed)?;

    let clock = Instant::now();
    let mut subject = Subject::open(&fmu)?;
    let outcome = subject.run(&Settings::default())?;
    let elapsed = clock.elapsed().as_secs_f64();
    let results = &outcome.results;
    if let Some(failure) = outcome.failure {
        return Err(failure);
    }
    let csv = folder.join("quick_return.csv");
    results.write(&csv, false)?;
    let panels: Vec<usize> = PANELS
        .iter()
        .filter_map(|name| results.columns.iter().position(|c| c.name == *name))
        .collect();
    // An FMU does not show its inside; the model gives the same numbers.
    let seen = Subject::of(blueprint)?.run(&Settings { film: true, ..Settings::default() })?;
    let html = folder.join("quick_return.html");
    let page = page::page("Quick return", TEXT, results, &[], &panels, seen.film.as_ref())?;
    files::write(&html, page.as_bytes())?;

    let end = results.times.last().copied().unwrap_or(0.0);
    let files = [&csv, &html].map(|file| format!("{}\n", file.display()));
    print(&format!(
        "Quick-return mechanism with a flexible arm and friction at the guide\n\
         {end} s co-simulated through the C interface in {elapsed:.2} s\n\n{}\n{}: for {}\n{}\n\
         Open the page in a browser: the mechanism in motion, and curves.",
        peaks(results, &panels),
        fmu.display(),
        libraries.words(),
        files.concat()
    ))
}

/// Largest absolute value of each shown output, and when.
fn peaks(results: &Results, panels: &[usize]) -> String {
    let mut text = String::new();
    for &panel in panels {
        let column = &results.columns[panel];
        let largest = results
            .column(panel)
            .zip(&results.times)
            .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        if let Some((value, time)) = largest {
            text += &format!(
                "{:<26} {:>10} {:<4} at {time:.3} s\n",
                column.name,
                short(value),
                column.unit
            );
        }
    }
    text
}
