//! Drawings in DXF, and meshes inside what they draw.

use coulisse::mesh::Outline;
use coulisse::mesh::dxf::{Choice, read};

use super::damage::of_bytes;
use super::{files, fuzz};
use crate::faults::damage::Chance;

/// What stands above the entities of a drawing in mm.
const HEAD: &str = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1015\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n";

/// A spiral of curves that follow each other: a line, an arc, a bulge, an ellipse and splines of both kinds.
const KINDS: &str = "0\nLINE\n8\na\n10\n0\n20\n0\n11\n4\n21\n0\n0\nARC\n8\nb\n10\n4\n20\n1\n40\n1\n50\n270\n51\n0\n0\nLWPOLYLINE\n8\nc\n\
    90\n2\n70\n0\n10\n5\n20\n1\n42\n0.5\n10\n5\n20\n3\n0\nELLIPSE\n8\nd\n10\n4\n20\n3\n11\n1\n21\n0\n40\n0.5\n41\n0\n42\n1.5707963267948966\n\
    0\nSPLINE\n8\ne\n70\n8\n71\n3\n72\n8\n73\n4\n40\n0\n40\n0\n40\n0\n40\n0\n40\n1\n40\n1\n40\n1\n40\n1\n10\n4\n20\n3.5\n10\n3\n20\n4\n10\n1\n20\n\
    4\n10\n0\n20\n3\n0\nPOLYLINE\n8\nf\n66\n1\n70\n0\n0\nVERTEX\n8\nf\n10\n0\n20\n3\n42\n-0.2\n0\nVERTEX\n8\nf\n10\n0\n20\n0\n0\nSEQEND\n0\n\
    CIRCLE\n8\nhole\n10\n2\n20\n2\n40\n0.5\n0\nPOINT\n8\np\n10\n1\n20\n1\n";

/// A drawing with nothing but units above its entities, so that damage meets them.
fn bare(entities: &str) -> Vec<u8> {
    let end = "0\nENDSEC\n0\nEOF\n";
    [HEAD, entities, end].concat().into_bytes()
}

#[test]
fn drawings_are_read_or_refused() {
    let mut seeds = vec![bare(KINDS)];
    for (path, bytes) in files("tests/drawings") {
        if path.extension().is_none_or(|ending| ending != "dxf") || bytes.len() > 20_000 {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        let entities = text.split_once("ENTITIES\n").map(|(_, rest)| rest);
        match entities.and_then(|rest| rest.split_once("ENDSEC")) {
            Some((entities, _)) => seeds.push(bare(entities.trim_end().trim_end_matches('0'))),
            None => seeds.push(bytes),
        }
    }
    let intact = seeds.iter().filter(|seed| read(seed, &Choice::default()).is_ok());
    assert!(2 * intact.count() > seeds.len());
    let make = |chance: &mut Chance| of_bytes(&seeds, chance);
    fuzz("drawings", make, |bytes| {
        let layers = ["outline", "a"];
        let choice = Choice {
            layers: &layers[..bytes.len() % 3],
            scale: (bytes.len() % 2 == 0).then_some(1e-3),
            tolerance: (bytes.len() % 5 == 0).then_some(1e-2),
            corner: (bytes.len() % 7 == 0).then_some(0.3),
        };
        let Ok(drawing) = read(bytes, &choice) else {
            return false;
        };
        // By the drawing's own size, as its user would choose it.
        let sides = drawing.outer.iter().map(|side| side.curve.length());
        let size = 0.05 * sides.sum::<f64>();
        let outline = Outline {
            order: 1 + bytes.len() % 4,
            size,
            largest_turn: 0.5,
            outer: drawing.outer,
            holes: drawing.holes,
        };
        if let Ok(mesh) = outline.mesh() {
            assert!(mesh.nodes.iter().flatten().all(|x| x.is_finite()));
        }
        true
    });
}
