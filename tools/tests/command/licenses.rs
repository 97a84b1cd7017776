//! What an FMU contains is listed in it.

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
        let found = listed
            .lines()
            .any(|line| line.split(' ').next() == Some(package));
        assert!(
            found,
            "{package} is not in resources/licenses/third_party.txt"
        );
    }
}
