//! The rooms of the library stand on each other as docs/design.md draws them, and no two files need each
//! other.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use imports::{Crate, Module};

/// A row of the drawing: a room of the library and the rooms that it names.
#[derive(Debug, PartialEq)]
struct Room {
    name: String,
    names: BTreeSet<String>,
}

/// The rooms in the table of a document under `| room | names |`, from top to bottom.
fn drawing(document: &str) -> Vec<Room> {
    let rows = document.lines().skip_while(|line| !line.starts_with("| room | names |"));
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    let room = |row: &str| {
        let mut cells = row.split('|').skip(1).map(str::trim);
        let name = cells.next()?.strip_prefix('[')?.split(']').next()?;
        let names = cells.next()?.split(", ").filter(|name| !name.is_empty());
        Some(Room { name: name.to_string(), names: names.map(String::from).collect() })
    };
    rows.filter_map(room).collect()
}

/// What is wrong with the rooms of a crate, held against the drawing.
fn misplaced(found: &Crate, drawing: &[Room]) -> Vec<String> {
    let mut named: BTreeMap<&str, BTreeMap<&str, String>> = BTreeMap::new();
    let edges = found.edges();
    for (from, all) in &edges {
        let Some(room) = from.first() else { continue };
        let others = named.entry(room).or_default();
        for to in all.iter().filter(|to| to.first().is_some_and(|other| other != room)) {
            let where_ = format!("{} names {}", from.join("::"), to.join("::"));
            others.entry(&to[0]).or_insert(where_);
        }
    }
    let place = |name: &str| drawing.iter().position(|room| room.name == name);
    let mut faults = Vec::new();
    for (room, others) in &named {
        let Some(drawn) = place(room).map(|at| &drawing[at]) else {
            faults.push(format!("{room} is not in the drawing"));
            continue;
        };
        for (other, example) in others {
            if place(other).is_none_or(|at| at <= place(room).unwrap_or_default()) {
                faults.push(format!("{example}, which stands above it"));
            } else if !drawn.names.contains(*other) {
                faults.push(format!("{example}; the drawing does not say so"));
            }
        }
    }
    for room in drawing {
        match named.get(room.name.as_str()) {
            None => faults.push(format!("there is no room {}", room.name)),
            Some(others) => {
                let missing = room.names.iter().filter(|name| !others.contains_key(name.as_str()));
                let fault = |name| format!("{} does not name {name}, as drawn", room.name);
                faults.extend(missing.map(fault));
            }
        }
    }
    faults
}

/// Files that need each other, directly or through others; a module and those below it are one.
fn circles(found: &Crate) -> Vec<String> {
    let edges = found.edges();
    let related = |a: &Module, b: &Module| a.starts_with(b) || b.starts_with(a);
    let reach = |start: &Module| -> BTreeSet<Module> {
        let (mut seen, mut stack) = (BTreeSet::new(), vec![start.clone()]);
        while let Some(at) = stack.pop() {
            let next = edges.get(&at).into_iter().flatten();
            for to in next.filter(|to| !related(to, &at)) {
                if seen.insert(to.clone()) {
                    stack.push(to.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        edges.keys().map(|module| (*module, reach(module))).collect();
    let circle = |module: &&Module| -> BTreeSet<String> {
        let back = |other: &&&Module| {
            reached[*module].contains(**other) && reached[**other].contains(*module)
        };
        reached.keys().filter(back).map(|other| other.join("::")).collect()
    };
    let all: BTreeSet<BTreeSet<String>> =
        reached.keys().map(circle).filter(|circle| !circle.is_empty()).collect();
    let listed = |circle: &BTreeSet<String>| circle.iter().cloned().collect::<Vec<_>>().join(", ");
    all.iter().map(listed).collect()
}

/// The files below a folder, by their path from there.
fn files(folder: &Path) -> Vec<(String, String)> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let name = path.strip_prefix(folder).expect("below it").to_string_lossy();
                let text = std::fs::read_to_string(&path).expect("a source file is text");
                found.push((name.replace('\\', "/"), text));
            }
        }
    }
    found
}

fn library() -> Crate {
    let files = files(Path::new("src"));
    Crate::of(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}

fn drawn() -> Vec<Room> {
    drawing(&std::fs::read_to_string("docs/design.md").expect("the document"))
}

#[test]
fn the_drawing_of_the_rooms_is_what_the_files_name() {
    let faults = misplaced(&library(), &drawn());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_library_lists_its_rooms_in_the_order_of_the_drawing() {
    let head = std::fs::read_to_string("src/lib.rs").expect("the library");
    let rows = head.lines().filter_map(|line| line.strip_prefix("//! | [`"));
    let listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let drawn = drawn();
    let drawn: Vec<&str> = drawn.iter().map(|room| room.name.as_str()).collect();
    assert_eq!(listed, drawn);
}

#[test]
fn no_two_files_need_each_other() {
    let circles = circles(&library());
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// A small crate of three rooms, and its drawing.
const DRAWING: &str = "
| room | names | does |
| --- | --- | --- |
| [roof](../src/roof) | walls | keeps dry |
| [walls](../src/walls) | ground | stand |
| [ground](../src/ground.rs) | | carries |

| other | table |
";

fn crate_with(walls: &str, ground: &str) -> Crate {
    Crate::of([
        ("lib.rs", "pub mod roof; pub mod walls; pub mod ground;"),
        ("roof/mod.rs", "use crate::walls::{self, Brick};"),
        ("walls/mod.rs", "mod brick;\nmod mortar;\npub use brick::Brick;"),
        ("walls/brick.rs", walls),
        ("walls/mortar.rs", "use crate::ground::Sand;\npub struct Mortar(Sand);"),
        ("ground.rs", ground),
    ])
}

#[test]
fn a_room_that_names_one_above_it_is_found() {
    let drawing = drawing(DRAWING);
    let right = crate_with("use super::mortar::Mortar;\npub struct Brick;", "pub struct Sand;");
    assert_eq!(misplaced(&right, &drawing), [""; 0]);
    for wrong in [
        "use crate::roof;",
        "use crate::{self, roof::Tile as Slate};",
        "fn f() -> crate::roof::Tile { crate::roof::Tile }",
        "mod tests { use super::super::roof; }",
        "macro_rules! tile { () => { $crate::roof::Tile } }",
    ] {
        let faults = misplaced(&crate_with("", wrong), &drawing);
        assert_eq!(faults, ["ground names roof, which stands above it"], "{wrong}");
    }
    for harmless in ["// crate::roof", "const S: &str = \"crate::roof\";", "mod roof {}"] {
        assert_eq!(misplaced(&crate_with("", harmless), &drawing), [""; 0]);
    }
}

#[test]
fn a_drawing_that_says_more_or_less_than_the_files_is_found() {
    let found = crate_with("", "");
    let with = |row: &str| drawing(&DRAWING.replace("| [walls](../src/walls) | ground |", row));
    let less = misplaced(&found, &with("| [walls](../src/walls) | |"));
    let said = "walls::mortar names ground; the drawing does not say so";
    assert_eq!(less, [said]);
    let more = DRAWING.replace("| walls |", "| walls, ground |");
    assert_eq!(misplaced(&found, &drawing(&more)), ["roof does not name ground, as drawn"]);
    let gone = misplaced(&found, &with("| [cellar](../src/cellar) | |"));
    assert!(gone.contains(&"walls is not in the drawing".to_string()), "{gone:?}");
    assert!(gone.contains(&"there is no room cellar".to_string()), "{gone:?}");
}

#[test]
fn files_that_need_each_other_are_found_also_through_what_a_module_passes_on() {
    let circle = |brick: &str, mortar: &str| {
        circles(&Crate::of([
            ("walls/mod.rs", "mod brick;\nmod mortar;\npub use brick::Brick;\nuse mortar::Mortar;"),
            ("walls/brick.rs", brick),
            ("walls/brick/edge.rs", "use super::Brick;"),
            ("walls/mortar.rs", mortar),
            ("walls/sand.rs", "pub use super::mortar::Mortar as Paste;"),
        ]))
    };
    assert_eq!(circle("mod edge;\nuse edge::Edge;\nuse super::Mortar;", ""), [""; 0]);
    let both = ["walls::brick, walls::mortar"];
    assert_eq!(circle("use super::Mortar;", "use crate::walls::Brick;"), both);
    let three = ["walls::brick, walls::mortar, walls::sand"];
    assert_eq!(circle("use super::sand::{Grain};", "use crate::walls::Brick;"), three);
}
