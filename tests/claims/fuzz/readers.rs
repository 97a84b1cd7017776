//! Columns of numbers, records of ground motion, meshes and expressions.

use coulisse::columns::Columns;
use coulisse::mesh::gmsh;
use coulisse::model::scalar::{Meaning, parse};
use coulisse::quantity::Quantity;
use coulisse::records::{Baseline, Given, GroundMotion, Series};

use super::damage::of_bytes;
use super::{files, fuzz, small};
use crate::faults::damage::Chance;

#[test]
fn columns_are_read_or_refused() {
    let mut seeds = small(files("tests/faults/data"));
    seeds.extend(small(files("tests/models")));
    seeds.push(b"time [ms], force (kN); x / mm\n0, 1.5D-1\n# end\n1e300, -0".to_vec());
    let make = |chance: &mut Chance| of_bytes(&seeds, chance);
    fuzz("columns", make, |bytes| {
        let Ok(columns) = Columns::read(&String::from_utf8_lossy(bytes)) else {
            return false;
        };
        for (i, quantity) in (0..columns.width()).zip(Quantity::ALL.into_iter().cycle()) {
            assert!(columns.values(i).all(f64::is_finite));
            if let Err(wrong) = columns.column(i, &[quantity]) {
                assert!(!wrong.what.is_empty());
            }
        }
        true
    });
}

#[test]
fn records_are_read_or_refused() {
    let names = ["x.csv", "x.at2", "x.AT2", "x.txt", "x.V2", "x.smc", "x.NS", "x.EW1", "x"];
    let mut seeds = small(files("tests/records"));
    seeds.extend(small(files("tests/faults/data")));
    let make = |chance: &mut Chance| of_bytes(&seeds, chance);
    fuzz("records", make, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let mut taken = false;
        for name in names {
            let given = Given {
                step: (bytes.len() % 3 == 0).then_some(0.01),
                unit: (bytes.len() % 2 == 0).then(|| Given::unit("g").expect("a unit")),
                ..Given::default()
            };
            let Ok(series) = Series::read(name, &text, &given) else {
                continue;
            };
            taken = true;
            for baseline in [Baseline::Linear, Baseline::Rest] {
                let Some(record) = series.record.clone().corrected(baseline) else {
                    continue;
                };
                let ground = GroundMotion::of(&record);
                let _ = ground.at(0.5);
            }
        }
        taken
    });
}

#[test]
fn meshes_are_read_or_refused() {
    let mut seeds = small(files("tests/meshes"));
    seeds.extend(small(files("tests/faults/data")));
    let make = |chance: &mut Chance| of_bytes(&seeds, chance);
    fuzz("meshes", make, |bytes| {
        let Ok(mesh) = gmsh::read(bytes, &[]) else {
            return false;
        };
        let again = gmsh::read(mesh.to_gmsh("again").as_bytes(), &[]);
        let again = again.expect("what is written can be read");
        assert_eq!(again.nodes.len(), mesh.nodes.len());
        true
    });
}

/// Pieces of expressions, whole and broken.
const PIECES: [&str; 40] = [
    "1",
    "2.5e-3",
    "1e300",
    "1e-300",
    "a",
    "b",
    "t",
    "pi",
    "e",
    "+",
    "-",
    "*",
    "/",
    "^",
    "(",
    ")",
    ",",
    "sin(",
    "sqrt(",
    "exp(",
    "log(",
    "if(",
    "min(",
    "max(",
    "abs(",
    "<",
    ">=",
    "==",
    " ",
    "(t - 1)",
    "atan2(",
    "0",
    "1/0",
    "-1",
    "deg(",
    "tan(pi/2)",
    "é",
    "\"",
    ".5.",
    "1e",
];

#[test]
fn expressions_are_read_or_refused() {
    let make = |chance: &mut Chance| {
        let count = 1 + chance.below(24);
        let pieces = (0..count).map(|_| PIECES[chance.below(PIECES.len())]);
        pieces.collect::<String>().into_bytes()
    };
    fuzz("expressions", make, |bytes| {
        let text = std::str::from_utf8(bytes).expect("pieces");
        let mut known = |name: &str| match name {
            "a" => Ok(1.5),
            "b" => Ok(-1e50),
            _ => Err("no".to_owned()),
        };
        match parse(text, &["t"], &mut known) {
            Err(fault) => {
                assert!(fault.offset <= text.len() && !fault.message.is_empty());
                false
            }
            Ok(Meaning::Number(_)) => true,
            Ok(Meaning::Function(function)) => {
                // Whatever it is: finite or not.
                let _ = [0.0, 1.0, 1e300, f64::MIN_POSITIVE].map(|t| function.value(t));
                true
            }
        }
    });
}
