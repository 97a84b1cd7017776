//! `coulisse check`: what is wrong with a model file or an FMU, for people and for programs.

use std::path::Path;

use anyhow::{Result, bail};
use clap::ValueEnum;
use coulisse::fmu::Blueprint;
use coulisse::model::checked::DataRead;

use crate::check::{self, Finding, Severity};
use crate::findings::{Report, questions};
use crate::report::{self, To, chain};
use crate::run::Value;
use crate::{bundled, describe, findings, print, reference, run};

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines to read.
    Text,
    /// An array of objects with `file`, `line` and `column`, `end_line` and `end_column` behind the last character
    /// (0 where there is none), `severity`, `message` and, of a model file, `kind` (`syntax`, `structure` or
    /// `content`), for editors and other programs.
    Json,
}

/// What there is to say of a file.
pub struct Verdict {
    pub said: String,
    /// Whether there is no error in it.
    pub is_sound: bool,
}

/// Checks a model file or an FMU and prints what was found; where that is no error, `compares` runs the experiments of an
/// FMU and compares their results. `set`: numbers of a model file with other values.
///
/// # Errors
/// When there is an error in it, or it cannot be read.
pub fn perform(path: &Path, set: &[Value], format: Format, compares: bool) -> Result<()> {
    match format {
        Format::Text => {
            let said = text(path, set)?;
            // No "ok" above an error.
            let more = match compares {
                true => Some(reference::check(path)?),
                false => run::is_fmu(path).then(|| SCOPE.to_owned()),
            };
            print(&[said].into_iter().chain(more).collect::<Vec<_>>().join("\n"))
        }
        Format::Json => {
            let mut found = findings(path, set)?;
            if compares && errors(&found) == 0 {
                found.extend(reference::check(path).err().map(|error| of_run(path, &error)));
            }
            print(&serde_json::to_string_pretty(&found)?)?;
            match errors(&found) {
                0 => Ok(()),
                count => bail!("{}: {}", path.display(), counted(count, "error")),
            }
        }
    }
}

/// The same for who goes on whatever is found.
pub fn of(path: &Path, set: &[Value], format: Format) -> Verdict {
    let said = match format {
        Format::Text => text(path, set).map(|said| (said, true)),
        Format::Json => json(path, set),
    };
    match said {
        Ok((said, is_sound)) => Verdict { said, is_sound },
        Err(error) => Verdict { said: report::error(&error, To::Stdout), is_sound: false },
    }
}

/// All findings as programs read them, and whether none is an error.
fn json(path: &Path, set: &[Value]) -> Result<(String, bool)> {
    let found = findings(path, set)?;
    Ok((serde_json::to_string_pretty(&found)?, errors(&found) == 0))
}

/// All findings.
fn findings(path: &Path, set: &[Value]) -> Result<Vec<Report>> {
    run::not_a_system(path)?;
    Ok(match run::is_fmu(path) {
        true => check::fmu(path)?.iter().map(of_fmu).collect(),
        false => of_model(path, set)?,
    })
}

fn errors(found: &[Report]) -> usize {
    found.iter().filter(|f| f.severity == "error").count()
}

/// What a run of the experiments of an FMU has found.
fn of_run(path: &Path, error: &anyhow::Error) -> Report {
    Report {
        file: path.display().to_string(),
        line: 0,
        column: 0,
        end_line: 0,
        end_column: 0,
        severity: "error",
        message: chain(error),
        kind: None,
    }
}

/// What a check of an FMU is of.
const SCOPE: &str = "  description, archive and exports checked; --run also runs it";

/// What there is to say of a file without an error in it.
fn text(path: &Path, set: &[Value]) -> Result<String> {
    if !run::is_fmu(path) {
        let blueprint = Blueprint::of(run::with_values(run::model(path)?, set)?)?;
        let warning = |line: &String| {
            "\n".to_string() + &report::warning(line, blueprint.model(), To::Stdout)
        };
        let warnings: String = questions(&blueprint)?.iter().map(warning).collect();
        return Ok(describe::line(&blueprint)? + &data(&blueprint) + &warnings);
    }
    let findings = check::fmu(path)?;
    let shown = path.display();
    let lines: Vec<String> = findings.iter().map(|f| format!("\n  {f}")).collect();
    let lines = lines.concat();
    match findings.iter().map(|f| 1 + f.more).sum() {
        0 => Ok(format!("ok: {shown}")),
        count if findings.iter().all(|f| f.severity == Severity::Warning) => {
            Ok(format!("ok: {shown}: {}{lines}", counted(count, "warning")))
        }
        count => bail!("{shown}: {}{lines}", counted(count, "finding")),
    }
}

/// How the columns of data files were understood, a line for each file.
fn data(blueprint: &Blueprint) -> String {
    let line = |read: &DataRead| {
        let columns: Vec<String> = read.columns.iter().map(ToString::to_string).collect();
        format!("\n  {}: `{}` has {}", read.path, read.file, columns.join(", "))
    };
    blueprint.checked().read.iter().map(line).collect()
}

fn of_fmu(finding: &Finding) -> Report {
    let more = match finding.more {
        0 => String::new(),
        more => format!(" (and {more} more of this kind)"),
    };
    Report {
        file: finding.file.clone(),
        line: finding.line,
        column: 0,
        end_line: 0,
        end_column: 0,
        severity: match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: format!("{}{more}", finding.message),
        kind: None,
    }
}

fn of_model(path: &Path, set: &[Value]) -> Result<Vec<Report>> {
    let model = match bundled::read(path) {
        Ok(model) => Ok(run::with_values(model, set)?),
        Err(faults) => Err(faults),
    };
    Ok(findings::of_model(model))
}

/// `1 finding`, `2 findings`.
fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
