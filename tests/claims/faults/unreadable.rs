//! Files that are no text, too large, or made to break a reader.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::common::life::{self, Life};
use coulisse::model::Model;

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What is said about a model that must be refused.
fn refusal(life: Life) -> String {
    match life {
        Life::Refused(message) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_folder_is_no_model() {
    let folder = scratch("folder.toml");
    fs::create_dir_all(&folder).expect("scratch space");
    let message = refusal(life::of(|| Model::load(&folder)));
    assert!(message.contains("it is a folder"), "{message}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let message = refusal(life::of(|| Model::load(&scratch("nowhere.toml"))));
    assert!(message.contains("nowhere.toml: cannot be read"), "{message}");
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let path = scratch("huge.toml");
    let file = File::create(&path).expect("scratch space");
    // Sparse: takes no room.
    file.set_len(1 << 40).expect("scratch space");
    let began = Instant::now();
    let message = refusal(life::of(|| Model::load(&path)));
    fs::remove_file(&path).expect("scratch space");
    assert!(message.contains("too large; allowed: at most"), "{message}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_file_full_of_faults_tells_the_first_ones() {
    let data = "0.1;0.2;0.3\n".repeat(100_000);
    let message = refusal(life::of(|| life::parse(&data)));
    assert!(message.lines().count() < 60, "{}", message.lines().count());
    assert!(message.ends_with("only the first 50 faults are shown"));
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("[", "]"), ("{a=", "}"), ("(", ")")] {
        let deep = format!("a = {}1{}\n", open.repeat(100_000), close.repeat(100_000));
        refusal(life::of(|| life::parse(&deep)));
    }
    let dotted = format!("a{} = 1\n", ".a".repeat(100_000));
    refusal(life::of(|| life::parse(&dotted)));
    let section = format!("[a{}]\n", ".a".repeat(100_000));
    refusal(life::of(|| life::parse(&section)));
    let brackets = format!("name = \"x\"\n[points]\np = [\"{}1\", 0.0]\n", "(".repeat(100_000));
    refusal(life::of(|| life::parse(&brackets)));
}

/// A base model and `lines` under `[parameters]`.
fn with_parameters(lines: impl Iterator<Item = String>) -> Life {
    let text = include_str!("../../../resources/models/cantilever_rollup.toml");
    let parameters = lines.fold(String::from("[parameters]\n"), |all, line| all + &line + "\n");
    let text = text.replacen("[parameters]\n", &parameters, 1);
    assert!(text.contains(&parameters));
    life::of(|| life::parse(&text))
}

#[test]
fn a_long_chain_of_parameters_is_evaluated_without_a_deep_stack() {
    // Each needs the next one: the first is known only when the last is.
    let chain = (0..3000).map(|i| format!("chain{i} = \"chain{}\"", i + 1));
    let life = with_parameters(chain.chain(["chain3000 = 1.0".to_string()]));
    assert!(matches!(life, Life::Lived(_)), "{life:?}");
}

#[test]
fn a_fault_that_many_parameters_share_is_reported_once() {
    // Each uses the one before twice: evaluated anew every time this would take 2^100 rounds.
    let tower = (1..100).map(|i| format!("tower{i} = \"tower{0} + tower{0}\"", i - 1));
    let message =
        refusal(with_parameters(["tower0 = \"1/0\"".to_string()].into_iter().chain(tower)));
    assert_eq!(message.lines().count(), 1, "{message}");
}
