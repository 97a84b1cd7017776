//! Requests and answers as bytes.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::analysis::Analysis;
use crate::session::{Session, Subject};

/// Bytes of the length of the JSON.
const HEAD: usize = 4;

/// What a page asks for. Bytes behind the JSON are those of a file.
#[derive(Debug, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
enum Request {
    /// The JSON Schema of the model file.
    Schema,
    /// Names of the bundled models with what each shows.
    Models,
    /// Text and data files of a bundled model; its data files become those of the session.
    Model { name: String },
    /// Keeps a data file, under the name by which the model calls it.
    Keep { name: String },
    /// Names of the data files.
    Files,
    /// Forgets all data files.
    Clear,
    /// Findings of a model; one without faults is started at t = 0.
    Open(Subject),
    /// The text of a model with numbers replaced by those of `set`.
    Written(Subject),
    /// Steps of the run, with inputs that have other values from now on.
    Advance {
        steps: usize,
        #[serde(default)]
        set: Vec<(String, f64)>,
    },
    /// Closes the run, whether or not it has reached its end: its warnings.
    Close,
    /// The numbers of the page of a run, as far as it has come.
    Show,
    /// The self-contained page of the run, for a frame or a file.
    Page,
    /// The rows of the run as CSV.
    Rows,
    /// The motion of the run as GIF.
    Gif,
    /// The page of what is computed beside the run.
    Analyse(Analysis),
    /// The page of what a data file holds.
    Record { name: String },
    /// Begins a study of convergence, or goes on with it by so many steps.
    Converge { steps: usize },
    /// The page of the study that is done.
    Converged { accuracy: f64 },
    /// The numbers of the page that was computed last, as CSV.
    Table,
    /// Keeps a library for FMUs.
    Library,
    /// An FMU of the model that is open, with the libraries kept.
    Pack { date: Option<String> },
}

/// What a call gives: JSON, and bytes.
type Answer = (Json, Vec<u8>);

/// Performs a request; what is wrong with it is an answer, too: `{"error": …}`.
pub fn perform(session: &mut Session, request: &[u8]) -> Vec<u8> {
    let (json, bytes) =
        match parsed(request).and_then(|(request, file)| answer(session, request, file)) {
            Ok(answer) => answer,
            Err(error) => (json!({ "error": format!("{error:#}") }), Vec::new()),
        };
    framed(&json, &bytes)
}

fn parsed(request: &[u8]) -> Result<(Request, &[u8])> {
    let Some((head, rest)) = request.split_first_chunk::<HEAD>() else {
        bail!("a request of {} bytes; its head has {HEAD}", request.len());
    };
    let length = u32::from_le_bytes(*head) as usize;
    let (json, file) =
        rest.split_at_checked(length).context("a request shorter than its head says")?;
    Ok((serde_json::from_slice(json).context("no request")?, file))
}

/// Length of the JSON, JSON and bytes.
fn framed(json: &Json, bytes: &[u8]) -> Vec<u8> {
    let json = json.to_string();
    let head = u32::try_from(json.len()).unwrap_or(0).to_le_bytes();
    [&head, json.as_bytes(), bytes].concat()
}

fn page(page: &str) -> Result<Answer> {
    Ok((Json::Null, page.as_bytes().to_vec()))
}

fn answer(session: &mut Session, request: Request, file: &[u8]) -> Result<Answer> {
    let json = match request {
        Request::Schema => return Ok((Json::Null, coulisse_tools::schema::text()?.into_bytes())),
        Request::Models => serde_json::to_value(Session::models()?)?,
        Request::Model { name } => json!({ "text": session.take_bundled(&name)? }),
        Request::Keep { name } => {
            session.keep(name, file.to_vec());
            Json::Null
        }
        Request::Files => json!(session.files()),
        Request::Clear => {
            session.clear();
            Json::Null
        }
        Request::Open(subject) => serde_json::to_value(session.open(&subject)?)?,
        Request::Written(subject) => json!({ "text": session.written(&subject)? }),
        Request::Advance { steps, set } => {
            serde_json::to_value(session.run()?.advance(steps, &set)?)?
        }
        Request::Close => serde_json::to_value(session.run()?.close()?)?,
        Request::Show => {
            let (data, symbols) = session.run()?.data();
            // As text: the page reads it at once, and the page that is sent it hands it on.
            return Ok((json!({ "symbols": symbols }), serde_json::to_vec(&data)?));
        }
        Request::Page => return Ok((Json::Null, session.run()?.page()?.into_bytes())),
        Request::Rows => return Ok((Json::Null, session.run()?.rows()?)),
        Request::Gif => return Ok((Json::Null, session.run()?.gif()?)),
        Request::Analyse(analysis) => return page(session.analyse(&analysis)?),
        Request::Record { name } => return page(session.record(&name)?),
        Request::Converge { steps } => serde_json::to_value(session.converge(steps)?)?,
        Request::Converged { accuracy } => return page(session.converged(accuracy)?),
        Request::Table => return Ok((Json::Null, session.table()?)),
        Request::Library => json!({ "label": session.add_library(file)? }),
        Request::Pack { date } => return Ok((Json::Null, session.pack(date.as_deref())?)),
    };
    Ok((json, Vec::new()))
}
