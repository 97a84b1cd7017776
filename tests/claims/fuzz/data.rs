//! Models whose data files are damaged.

use std::path::PathBuf;

use coulisse::model::Model;

use super::damage::of_bytes;
use super::{files, fuzz};
use crate::common::life::{self, Life};

#[test]
fn models_with_damaged_data_files_live_or_are_refused() {
    let folders = ["resources/models", "tests/models", "tests/faults"];
    let all = folders.into_iter().flat_map(files);
    let models: Vec<(PathBuf, String)> = all
        .filter(|(path, bytes)| {
            path.extension().is_some_and(|ending| ending == "toml") && bytes.len() < 4000
        })
        .filter_map(|(path, bytes)| Some((path, String::from_utf8(bytes).ok()?)))
        .filter(|(_, text)| text.contains("file = "))
        .collect();
    // The first byte says which model.
    let make = |chance: &mut crate::faults::damage::Chance| {
        let which = chance.below(models.len().min(256));
        let (path, text) = &models[which];
        let folder = path.parent().expect("a folder");
        let names = text.split("file = \"").skip(1);
        let names = names.filter_map(|rest| rest.split('"').next());
        let data = names.filter_map(|name| std::fs::read(folder.join(name)).ok());
        let data: Vec<Vec<u8>> = data.filter(|data| data.len() < 20_000).collect();
        let damaged = if data.is_empty() { Vec::new() } else { of_bytes(&data, chance) };
        [vec![which as u8], damaged].concat()
    };
    fuzz("data", make, |bytes| {
        let (_, text) = &models[usize::from(bytes[0])];
        let data = |_: &str| Ok(bytes[1..].to_vec());
        match life::short(|| Model::parse(text, "model.toml", &data)) {
            Life::Lived(outputs) => {
                for (path, value) in outputs {
                    assert!(value.is_finite(), "{path} = {value}");
                }
                true
            }
            Life::Refused(message) => {
                assert!(!message.trim().is_empty());
                false
            }
            Life::Panicked(panic) => panic!("{panic}"),
        }
    });
}
