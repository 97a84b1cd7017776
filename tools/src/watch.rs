//! `coulisse check --watch`: a verdict at every save.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Result;

use crate::bundled;
use crate::interrupt::{self, Interrupted};
use crate::pictures::Pictures;
use crate::plot;
use crate::print;
use crate::report::{self, To};
use crate::run::{self, Settings, Value};
use crate::simulate::{Views, simulate};
use crate::verdict::{self, Format};

/// How often files are looked at.
const PERIOD: Duration = Duration::from_millis(200);

/// When a file was written last, and its size.
type Stamp = Option<(SystemTime, u64)>;

/// Prints a verdict now and whenever the file or one of its data files has been saved, until the user
/// ends it; draws the page of a run anew where there is no fault. `set`: numbers of the model file with other values.
///
/// # Errors
/// When nothing can be printed.
pub fn perform(path: &Path, set: &[Value], format: Format, html: Option<&Path>) -> Result<()> {
    interrupt::watch();
    // Programs read nothing but findings.
    let aside = |said: &str| match format {
        Format::Text => print(said),
        Format::Json => {
            eprintln!("{said}");
            Ok(())
        }
    };
    let mut files = vec![path.to_owned()];
    let mut seen: Option<Vec<Stamp>> = None;
    while interrupt::check().is_ok() {
        let now: Vec<Stamp> = files.iter().map(|file| stamp(file)).collect();
        // While an editor puts a new file in the place of the old one there is none.
        let is_there = now[0].is_some() || seen.is_none();
        if !is_there || seen.as_ref() == Some(&now) {
            std::thread::sleep(PERIOD);
            continue;
        }
        let verdict = verdict::of(path, set, format);
        print(&verdict.said)?;
        files = watched(path, &files);
        seen = Some(match now.len() == files.len() {
            true => now,
            // The files that the model names now count from here on.
            false => files.iter().map(|file| stamp(file)).collect(),
        });
        if let (true, Some(html)) = (verdict.is_sound, html) {
            match draw(path, set, html) {
                Err(error) if error.is::<Interrupted>() => break,
                Err(error) => aside(&report::error(&error, To::Stdout))?,
                Ok(()) => aside(&format!("{}: drawn", html.display()))?,
            }
        }
    }
    Ok(())
}

fn draw(path: &Path, set: &[Value], html: &Path) -> Result<()> {
    let settings = Settings { set: set.to_vec(), film: true, ..Settings::default() };
    let files = Views {
        rows: None,
        units: false,
        statistics: None,
        html: Some(html),
        vtk: None,
        pictures: &Pictures::default(),
        plot: &plot::Plots::default(),
    };
    simulate(path, settings, &files)
}

/// The model and the data files that it names; those of before where it cannot be read.
fn watched(path: &Path, before: &[PathBuf]) -> Vec<PathBuf> {
    if run::is_fmu(path) {
        return vec![path.to_owned()];
    }
    let Ok(model) = bundled::read(path) else {
        return before.to_vec();
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let data = model.data_files().map(|(name, _)| folder.join(name));
    std::iter::once(path.to_owned()).chain(data).collect()
}

fn stamp(file: &Path) -> Stamp {
    let there = std::fs::metadata(file).ok()?;
    Some((there.modified().ok()?, there.len()))
}
