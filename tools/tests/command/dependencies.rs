//! The packages that this project is built of: what an FMU contains is listed in it, and the oldest Rust takes all.

use std::process::Command;

#[test]
fn every_package_in_the_library_is_listed_with_its_licence() {
    let listed = include_str!("../../../resources/licenses/third_party.txt");
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "coulisse", "--edges"])
        .args(["normal,no-proc-macro", "--prefix", "none"])
        .args(["--format", "{p}"])
        .output()
        .unwrap();
    assert!(tree.status.success(), "{tree:?}");
    let tree = String::from_utf8(tree.stdout).unwrap();
    let packages: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|name| *name != "coulisse")
        .collect();
    assert!(packages.len() > 5, "{tree}");
    for package in packages {
        let found = listed.lines().any(|line| line.split(' ').next() == Some(package));
        assert!(found, "{package} is not in resources/licenses/third_party.txt");
    }
}

#[test]
fn no_dependency_asks_for_a_newer_rust_than_the_project_promises() {
    let output =
        Command::new(env!("CARGO")).args(["metadata", "--format-version", "1"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let version =
        |text: &str| -> Vec<u32> { text.split('.').map(|n| n.parse().unwrap()).collect() };
    let promised = version(env!("CARGO_PKG_RUST_VERSION"));
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "{}", packages.len());
    for package in packages {
        let Some(asked) = package["rust_version"].as_str() else {
            continue;
        };
        // 1.89 takes what asks for 1.89.0.
        let asked = &version(asked)[..2];
        assert!(asked <= &promised[..], "{} asks for Rust {asked:?}", package["id"]);
    }
}
