//! Errors on the terminal: faults of a model file with the line that they are about and a marker, as rustc shows them.

use std::collections::HashMap;
use std::io::{Stderr, Stdout};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstream::{AutoStream, ColorChoice};
use coulisse::fmu::Refusal;
use coulisse::message::printable;
use coulisse::model::fault::MOST;
use coulisse::model::{Fault, Faults, Model};

/// Columns of a line of the file that are shown.
const WIDTH: usize = 120;

/// Where a report goes; only a terminal gets colours.
#[derive(Debug, Clone, Copy)]
pub enum To {
    Stdout,
    Stderr,
}

impl To {
    fn renderer(self) -> Renderer {
        let choice = match self {
            To::Stdout => AutoStream::<Stdout>::choice(&std::io::stdout()),
            To::Stderr => AutoStream::<Stderr>::choice(&std::io::stderr()),
        };
        match choice {
            ColorChoice::Never => Renderer::plain(),
            _ => Renderer::styled(),
        }
    }
}

/// What was being done and why it failed, outermost first; all faults of a model file with their lines.
pub fn error(error: &anyhow::Error, to: To) -> String {
    let refused = || error.downcast_ref::<Refusal>()?.faults.as_deref();
    let Some(faults) = error.downcast_ref::<Faults>().or_else(refused) else {
        return format!("error: {}", chain(error));
    };
    let mut contexts = chain(error);
    contexts.truncate(contexts.len() - chain_of(faults).len());
    let renderer = to.renderer().term_width(WIDTH);
    let show = |fault| shown(fault, Level::ERROR, &faults.text, &contexts, &renderer);
    let mut texts: Vec<String> = faults.list.iter().map(show).collect();
    match faults.list.len() {
        0 | 1 => {}
        MOST.. => texts.push(format!("only the first {MOST} faults are shown")),
        count => texts.push(format!("{count} faults in {}", faults.list[0].file)),
    }
    texts.join("\n\n")
}

/// A question about a model.
pub fn warning(question: &str, model: &Model, to: To) -> String {
    let renderer = to.renderer().term_width(WIDTH);
    shown(&model.fault(&question), Level::WARNING, model.text(), "", &renderer)
}

/// So many different warnings of several runs are shown.
const MOST_WARNINGS: usize = 20;

/// The warnings of several runs, each once with the number of runs and the first of them, which `which` names. Those that differ in
/// numbers alone are one.
pub fn of_runs<'a>(
    runs: impl IntoIterator<Item = &'a [String]>, which: impl Fn(usize) -> String,
) -> Vec<String> {
    let mut found: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut count = 0;
    for (run, texts) in runs.into_iter().enumerate() {
        count = run + 1;
        for text in texts {
            let form = text.replace(|c: char| c.is_ascii_digit(), "").replace(['.', '-'], "");
            let place = *places.entry(form).or_insert(found.len());
            if place == found.len() {
                found.push((text, Vec::new()));
            }
            let own = &mut found[place].1;
            if own.last() != Some(&run) {
                own.push(run);
            }
        }
    }
    let line = |(text, runs): &(&str, Vec<usize>)| {
        let first = which(runs[0]);
        match runs.len() {
            1 => format!("warning: {first}: {text}"),
            some => format!("warning: in {some} of {count} runs, first in {first}: {text}"),
        }
    };
    let mut lines: Vec<String> = found.iter().take(MOST_WARNINGS).map(line).collect();
    if found.len() > MOST_WARNINGS {
        lines.push(format!("warning: {} others are not shown", found.len() - MOST_WARNINGS));
    }
    lines
}

/// One fault or question: reason, line and marker, cure.
fn shown(
    fault: &Fault, level: Level<'static>, text: &str, contexts: &str, renderer: &Renderer,
) -> String {
    let titled = |title: String| Group::with_title(level.clone().primary_title(title));
    let line = (fault.line.checked_sub(1)).and_then(|before| text.lines().nth(before));
    let Some(line) = line else {
        let whole = titled(format!("{contexts}{fault}"));
        return renderer.render(&[whole]).to_string();
    };
    let (reason, cure) = fault.reason_and_cure();
    let byte = |column: usize| {
        let place = line.char_indices().nth(column - 1);
        place.map_or(line.len(), |(byte, _)| byte)
    };
    let end = match fault.end_line == fault.line {
        true => byte(fault.end_column),
        false => line.trim_end().len(),
    };
    let start = byte(fault.column);
    let marked = AnnotationKind::Primary.span(start..end.max(start));
    let snippet = Snippet::source(line).path(&fault.file);
    let snippet = snippet.line_start(fault.line).annotation(marked);
    let mut group = titled(format!("{contexts}{reason}")).element(snippet);
    if let Some(cure) = cure {
        group = group.element(Level::HELP.message(cure));
    }
    renderer.render(&[group]).to_string()
}

/// What was being done and why it failed, in one line for each of the causes' own. Names in it come from files that
/// anybody may have written.
pub fn chain(error: &anyhow::Error) -> String {
    let parts: Vec<String> = error.chain().map(|e| e.to_string()).collect();
    chain_of(&parts.join(": "))
}

fn chain_of(text: &impl ToString) -> String {
    let text = text.to_string();
    let lines: Vec<String> = text.trim_end().lines().map(printable).collect();
    lines.join("\n")
}
