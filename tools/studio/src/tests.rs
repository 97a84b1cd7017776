//! The calls as a page makes them.

use coulisse_tools::bundled;
use serde_json::{Value, json};

use crate::request::perform;
use crate::session::Session;

fn ask(session: &mut Session, request: &Value, file: &[u8]) -> (Value, Vec<u8>) {
    let json = request.to_string();
    let head = u32::try_from(json.len()).unwrap().to_le_bytes();
    let answer = perform(session, &[&head, json.as_bytes(), file].concat());
    let length = u32::from_le_bytes(answer[..4].try_into().unwrap()) as usize;
    (serde_json::from_slice(&answer[4..4 + length]).unwrap(), answer[4 + length..].to_vec())
}

fn open(session: &mut Session, text: &str) -> Value {
    ask(session, &json!({ "call": "open", "file": "model.toml", "text": text }), &[]).0
}

fn text_of(session: &mut Session, name: &str) -> String {
    let (model, _) = ask(session, &json!({ "call": "model", "name": name }), &[]);
    model["text"].as_str().unwrap().to_owned()
}

/// Slow: starts all bundled models.
#[test]
fn every_bundled_model_opens_without_a_fault_and_runs() {
    for name in bundled::names() {
        let session = &mut Session::new();
        let text = text_of(session, name);
        let opened = open(session, &text);
        assert_eq!(opened["about"]["name"], name, "{opened}");
        let (progress, _) = ask(session, &json!({ "call": "advance", "steps": 2 }), &[]);
        assert_eq!(progress["failure"], Value::Null, "{name}");
        assert!(progress["share"].as_f64().unwrap() > 0.0);
        let (shown, data) = ask(session, &json!({ "call": "show" }), &[]);
        // Bodies without springs and supports have no symbols.
        let symbols = shown["symbols"].as_str().unwrap();
        assert!(symbols.is_empty() || symbols.starts_with("<g"), "{name}");
        let data: Value = serde_json::from_slice(&data).unwrap();
        let rows = data["animation"]["rows"].as_array().unwrap();
        assert_eq!(rows.first(), Some(&json!(0)), "{name}");
    }
}

#[test]
fn faults_have_their_places_and_nothing_stays_open() {
    let session = &mut Session::new();
    let text = text_of(session, "incline");
    open(session, &text);
    let wrong = text.replacen("[points]", "[pionts]", 1);
    let opened = open(session, &wrong);
    let line = wrong.lines().position(|line| line == "[pionts]").unwrap() + 1;
    assert_eq!(opened["findings"][0]["line"], line, "{opened}");
    assert_eq!(opened["about"], Value::Null);
    let (refused, _) = ask(session, &json!({ "call": "advance", "steps": 1 }), &[]);
    assert_eq!(refused["error"], "no model without faults is open");
}

#[test]
fn a_missing_data_file_is_a_fault_until_it_is_given() {
    let session = &mut Session::new();
    let text = text_of(session, "bracket_on_rail");
    let (files, _) = ask(session, &json!({ "call": "files" }), &[]);
    assert_eq!(files, json!(["meshes/bracket.msh"]));
    ask(session, &json!({ "call": "clear" }), &[]);
    assert!(open(session, &text)["about"].is_null());
    let mesh = bundled::model("bracket_on_rail").unwrap();
    let (name, bytes) = mesh.data_files().next().unwrap();
    ask(session, &json!({ "call": "keep", "name": name }), bytes);
    assert!(open(session, &text)["about"].is_object());
}

#[test]
fn a_value_goes_into_the_text_and_changes_the_start() {
    let session = &mut Session::new();
    let text = text_of(session, "pendulum");
    let set = json!([["parameters.length", 0.7]]);
    let call = json!({ "call": "written", "file": "m.toml", "text": text, "set": set });
    let (written, _) = ask(session, &call, &[]);
    let written = written["text"].as_str().unwrap_or_else(|| panic!("{written}"));
    assert_ne!(written, text);
    assert!(open(session, written)["about"].is_object());
}

/// The page of an analysis.
fn analysed(session: &mut Session, request: &Value) -> String {
    let (answer, page) = ask(session, request, &[]);
    assert_eq!(answer, Value::Null, "{request}");
    String::from_utf8(page).unwrap()
}

#[test]
fn equilibria_pass_the_limit_load_of_the_closed_form_with_the_values_that_are_set() {
    let session = &mut Session::new();
    let listed = "[interface]\nparameters = [\"parameters.force\"]\n";
    let text = text_of(session, "snap_through").replace("[interface]\n", listed);
    // 1161.31 N (docs/gallery.md), as a part of the force.
    for force in [2000.0, 4000.0] {
        let set = json!([["parameters.force", force]]);
        let call = json!({ "call": "open", "file": "m.toml", "text": text, "set": set });
        ask(session, &call, &[]);
        let page = analysed(session, &json!({ "call": "analyse", "what": "statics" }));
        let limit = page.split("limit point at ").nth(1).unwrap().split(',').next().unwrap();
        let limit: f64 = limit.parse().unwrap();
        assert!((limit * force - 1161.31).abs() < 0.01, "{limit}");
        let (_, table) = ask(session, &json!({ "call": "table" }), &[]);
        assert!(table.starts_with(b"factor,unstable_modes,point,"));
    }
}

#[test]
fn a_study_of_convergence_goes_on_from_call_to_call_and_ends() {
    let session = &mut Session::new();
    let text = text_of(session, "pendulum");
    let call = json!({ "call": "open", "file": "m.toml", "text": text, "stop": 0.2 });
    ask(session, &call, &[]);
    let mut shares = vec![0.0];
    loop {
        let (progress, _) = ask(session, &json!({ "call": "converge", "steps": 7 }), &[]);
        shares.push(progress["share"].as_f64().unwrap_or_else(|| panic!("{progress}")));
        if progress["done"] == true {
            break;
        }
    }
    assert!(shares.is_sorted() && shares.last() == Some(&1.0), "{shares:?}");
    let page = analysed(session, &json!({ "call": "converged", "accuracy": 0.01 }));
    assert!(page.contains("changes from run to run"));
}

#[test]
fn laws_jamming_records_and_motions_are_shown() {
    let session = &mut Session::new();
    let text = text_of(session, "incline");
    open(session, &text);
    let law = json!({ "call": "analyse", "what": "friction", "normal_force": 2.0 });
    assert!(analysed(session, &law).contains("joints.block: stribeck, for a normal force of 2 N"));
    let jams = json!({ "call": "analyse", "what": "jamming" });
    assert!(analysed(session, &jams).contains("has no contact of surfaces"));
    ask(session, &json!({ "call": "advance", "steps": 5 }), &[]);
    let (_, gif) = ask(session, &json!({ "call": "gif" }), &[]);
    assert!(gif.starts_with(b"GIF89a"));
    let record = b"time [s],acceleration [m/s2]\n0,0\n0.1,2.5\n0.2,-1\n0.3,0\n";
    ask(session, &json!({ "call": "keep", "name": "shaking.csv" }), record);
    let shown = analysed(session, &json!({ "call": "record", "name": "shaking.csv" }));
    let peak = shown.lines().find(|line| line.contains("peak acceleration")).unwrap();
    assert!(peak.ends_with("2.5"), "{peak}");
}

#[test]
fn what_is_no_request_is_answered_with_words() {
    let session = &mut Session::new();
    for bytes in [&b""[..], b"\x01", b"\xff\xff\xff\xff{}", b"\x02\0\0\0{}", b"\x02\0\0\0{]"] {
        let answer = perform(session, bytes);
        assert!(String::from_utf8_lossy(&answer).contains("error"), "{bytes:?}");
    }
}
