//! `coulisse studio`: what it serves, and to whom.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::common::{folder, keep_call, model};

/// The command where it has been installed, with a studio of one page beside it.
fn installed(folder: &Path) -> PathBuf {
    for inside in ["bin", "share/coulisse/studio"] {
        std::fs::create_dir_all(folder.join(inside)).unwrap();
    }
    let command = folder.join("bin/coulisse");
    std::fs::copy(env!("CARGO_BIN_EXE_coulisse"), &command).unwrap();
    std::fs::write(folder.join("share/coulisse/studio/index.html"), "<p>studio</p>").unwrap();
    command
}

/// The studio that runs, and its address.
fn served(command: &Path, arguments: &[&str]) -> (Child, String) {
    let arguments = [&["studio", "--no-browser", "--port", "0"], arguments].concat();
    keep_call(&arguments);
    let mut child = Command::new(command).args(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut first).unwrap();
    (child, first.trim().to_owned())
}

/// What the studio answers to a request.
fn asked(address: &str, head: &str) -> String {
    let host = address.trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(format!("{head}\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn the_studio_is_served_on_this_machine_with_the_libraries_of_the_command_and_nothing_else() {
    let folder = folder("studio");
    let command = installed(&folder);
    let (mut child, address) = served(&command, &[]);
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    let page = asked(&address, "GET /?model=incline HTTP/1.1");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html"), "{page}");
    assert!(page.ends_with("\r\n\r\n<p>studio</p>"), "{page}");
    let libraries = asked(&address, "GET /libraries/index.json HTTP/1.1");
    assert!(libraries.contains("\"file\":\"linux64.so\""), "{libraries}");
    let library = asked(&address, "GET /libraries/linux64.so HTTP/1.1");
    assert!(library.split("\r\n\r\n").nth(1).unwrap().starts_with("\u{7f}ELF"));
    for wrong in
        ["GET /../bin/coulisse HTTP/1.1", "GET /none.js HTTP/1.1", "POST / HTTP/1.1", "", "GET"]
    {
        assert!(asked(&address, wrong).starts_with("HTTP/1.1 404"), "{wrong}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_studio_begins_with_a_model_that_is_named() {
    let folder = folder("studio_models");
    let command = installed(&folder);
    let (mut child, address) = served(&command, &["four_bar"]);
    assert!(address.ends_with("/?model=four_bar"), "{address}");
    child.kill().unwrap();
    child.wait().unwrap();
    let (mut child, address) = served(&command, &[&model("incline")]);
    assert!(address.split_once("#model=").unwrap().1.len() > 200, "{address}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_command_without_a_studio_says_what_makes_it() {
    let folder = folder("studio_none");
    let command = installed(&folder);
    std::fs::remove_dir_all(folder.join("share")).unwrap();
    let output = Command::new(command).args(["studio", "--no-browser"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("tools/studio/build makes it"), "{said}");
}
