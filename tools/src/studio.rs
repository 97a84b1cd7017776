//! `coulisse studio`: serves the studio on this machine, and to no other.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use coulisse::model::read_file;
use flate2::Compression;
use flate2::read::DeflateEncoder;
use serde_json::json;

use crate::libraries::{Libraries, Wanted};
use crate::library::Library;
use crate::{bundled, print, run};

/// What `coulisse studio` is asked for.
#[derive(clap::Args)]
pub struct Request {
    /// Model file (TOML) or bundled model to begin with.
    model: Option<PathBuf>,
    /// Port on 127.0.0.1; any that is free unless given.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Print the address and open no browser.
    #[arg(long)]
    no_browser: bool,
}

/// The file that every studio has.
const INDEX: &str = "index.html";
/// Largest file of a studio, bytes.
const LARGEST: u64 = 64 << 20;
/// Most bytes of the head of a request.
const LARGEST_HEAD: u64 = 64 << 10;
/// So long a browser may take with a request or an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A file of the studio: its name in the address, and its bytes.
type Page = (String, Vec<u8>);

/// Serves the studio until the user ends it.
///
/// # Errors
/// When it is not there, or the port is taken.
pub fn perform(request: &Request) -> Result<()> {
    let begin = request.model.as_deref().map_or(Ok(String::new()), address_of)?;
    let mut pages = files(&folder()?)?;
    pages.extend(libraries()?);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, request.port));
    let listener = listener.with_context(|| format!("--port {}", request.port))?;
    let url = format!("http://{}/{begin}", listener.local_addr()?);
    print(&format!("{url}\nCtrl-C ends it"))?;
    if !request.no_browser {
        browse(&url);
    }
    for stream in listener.incoming() {
        // What one browser does wrong is no matter for the next.
        let _ = stream.map_err(anyhow::Error::from).and_then(|stream| answer(stream, &pages));
    }
    Ok(())
}

/// What follows the address, so that the studio begins with a model.
fn address_of(path: &Path) -> Result<String> {
    if let Some(name) = bundled::names().find(|name| path == Path::new(name)) {
        return Ok(format!("?model={name}"));
    }
    let model = run::model(path)?;
    let mut packed = Vec::new();
    DeflateEncoder::new(model.text().as_bytes(), Compression::best()).read_to_end(&mut packed)?;
    let data: Vec<&str> = model.data_files().map(|(name, _)| name).collect();
    if !data.is_empty() {
        print(&format!("drop its data files on the page: {}", data.join(", ")))?;
    }
    Ok(format!("#model={}", URL_SAFE_NO_PAD.encode(packed)))
}

/// The folder of the studio: installed with the command, or built beside it.
fn folder() -> Result<PathBuf> {
    let command = std::env::current_exe().and_then(|path| path.canonicalize());
    let root = command.ok().and_then(|c| Some(c.parent()?.parent()?.to_owned()));
    let folders = ["share/coulisse/studio", "studio"];
    let found = root.iter().flat_map(|root| folders.map(|folder| root.join(folder)));
    match found.into_iter().find(|folder| folder.join(INDEX).is_file()) {
        Some(folder) => Ok(folder),
        None => bail!(
            "this command came without the studio; tools/studio/build makes it, in target/studio"
        ),
    }
}

/// The files of a folder, but libraries: those of the command are newer.
fn files(folder: &Path) -> Result<Vec<Page>> {
    let shown = || format!("{}: cannot be read", folder.display());
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(shown)? {
        let path = entry.with_context(shown)?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            let bytes = read_file(&path, LARGEST).with_context(shown)?;
            pages.push((name.to_string_lossy().into_owned(), bytes));
        }
    }
    Ok(pages)
}

/// The libraries of this command and their list, as `tools/studio/build` lays them beside a page.
fn libraries() -> Result<Vec<Page>> {
    let known = Libraries::of(&Wanted::Portable).or_else(|_| Libraries::of(&Wanted::Native))?;
    let file = |library: &Library| format!("{}{}", library.platform, library.ending);
    let entry = |library: &Library| json!({ "file": file(library), "platform": library.platform, "label": library.label() });
    let list: Vec<_> = known.inside.iter().map(entry).collect();
    let list = ("libraries/index.json".to_owned(), serde_json::to_vec(&list)?);
    let bytes = known
        .inside
        .into_iter()
        .map(|library| (format!("libraries/{}", file(&library)), library.bytes));
    Ok(bytes.chain([list]).collect())
}

/// Answers one request: a file by its name, and nothing else.
fn answer(mut stream: TcpStream, pages: &[Page]) -> Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.try_clone()?.take(LARGEST_HEAD)).lines();
    let first = lines.next().context("no request")??;
    // The rest of the head is read, so that closing the connection does not cut the answer.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let target = first.strip_prefix("GET /").and_then(|rest| rest.split([' ', '?']).next());
    let name = target.map(|name| if name.is_empty() { INDEX } else { name });
    let page = name.and_then(|name| pages.iter().find(|(own, _)| own == name));
    let (status, kind, bytes) = match page {
        Some((name, bytes)) => ("200 OK", kind(name), bytes.as_slice()),
        None => ("404 Not Found", "text/plain", b"no such file of the studio\n".as_slice()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        bytes.len()
    )?;
    Ok(stream.write_all(bytes)?)
}

/// What a browser takes a file for.
fn kind(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Opens a browser, where there is one; the address is printed anyway.
fn browse(url: &str) {
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => {
            let mut command = Command::new("rundll32");
            command.arg("url.dll,FileProtocolHandler");
            command
        }
        _ => Command::new("xdg-open"),
    };
    let quiet = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = quiet.spawn();
}
