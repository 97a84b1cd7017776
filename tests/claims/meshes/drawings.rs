//! Outlines from drawings; `tests/drawings/write.py` makes the files with ezdxf, and their moments by closed forms.

use coulisse::mesh::dxf::{Choice, Drawing, read};
use coulisse::mesh::{Curve, Mesh, Moments, Outline};
use coulisse::model::{Checked, Faults, Model};

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(format!("tests/drawings/{name}.dxf")).expect("a drawing")
}

/// Name, metres of a unit where it is to be stated, and moments of each drawing.
fn drawings() -> Vec<(String, Option<f64>, [f64; 6])> {
    let text = std::fs::read_to_string("tests/drawings/moments.tsv").expect("a table");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let numbers: Vec<f64> =
            (cells[2].split(' ')).map(|number| number.parse().expect("a number")).collect();
        let moments = numbers.try_into().expect("six numbers");
        (cells[0].to_string(), cells[1].parse().ok(), moments)
    })
    .collect()
}

fn drawn(name: &str, scale: Option<f64>) -> Drawing {
    let layers = ["outline", "holes"];
    let choice =
        Choice { scale, layers: if name == "plate" { &layers } else { &[] }, ..Choice::default() };
    read(&bytes(name), &choice).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

fn meshed(drawing: Drawing, size: f64) -> Mesh {
    let Drawing { outer, holes, .. } = drawing;
    let outline = Outline { order: 3, size, largest_turn: 0.5, outer, holes };
    outline.mesh().expect("a mesh")
}

#[test]
fn drawings_have_the_area_and_the_moments_of_closed_forms() {
    let all = drawings();
    assert!(all.len() >= 20);
    for (name, scale, [area, x, y, xx, yy, xy]) in all {
        let drawing = drawn(&name, scale);
        let curves: Vec<Curve> = (drawing.outer.iter())
            .chain(drawing.holes.iter().flatten())
            .map(|side| Curve::along(&side.curve))
            .collect();
        let mesh = meshed(drawing, 0.3 * area.sqrt());
        assert_eq!(mesh.check(), Ok(()), "{name}");
        for moments in [Moments::within(curves.iter()), mesh.drawn_moments()] {
            let (length, polar) = (area.sqrt(), xx + yy);
            let errors = [
                moments.area / area - 1.0,
                (moments.centre[0] - x) / length,
                (moments.centre[1] - y) / length,
                (moments.second[0] - xx) / polar,
                (moments.second[1] - yy) / polar,
                (moments.second[2] - xy) / polar,
                moments.polar / polar - 1.0,
            ];
            let worst = errors.into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            println!("{name}: {worst:.1e}");
            // B-splines are compared with another quadrature.
            assert!(worst < 1e-9, "{name}: {errors:?}");
        }
    }
}

#[test]
fn layers_name_edges_and_points() {
    let names = |name: &str, corner: Option<f64>| {
        let choice = Choice { corner, ..Choice::default() };
        let drawing = read(&bytes(name), &choice).expect("a drawing");
        let mesh = meshed(drawing.clone(), 0.01);
        let edges: Vec<String> = mesh.edges.iter().map(|edge| edge.name.clone()).collect();
        let points: Vec<String> = mesh.points.iter().map(|(name, _)| name.clone()).collect();
        let places: Vec<String> = drawing.places.iter().map(|(name, _)| name.clone()).collect();
        (edges, points, places)
    };
    assert_eq!(names("rectangle", None).0, ["bottom", "right", "top", "left"]);
    // The layer of the four arcs is four edges, counter-clockwise from the first in the file.
    assert_eq!(
        names("rounded", None).0,
        ["corner.1", "top", "corner.2", "left", "corner.3", "bottom", "corner.4", "right"]
    );
    // Smooth all the way round; with corners the polyline is four edges.
    assert_eq!(names("slot", None).0, ["0"]);
    assert_eq!(names("slot", Some(0.1)).0, ["0"]);
    assert_eq!(names("mirrored", Some(1e-2)).0.len(), 2);
    let binary = names("rounded_binary", None).0;
    assert!(binary.contains(&"Außen.1".to_string()) && binary.contains(&"rechts ø.1".to_string()));
    let (edges, points, places) = names("gear", None);
    assert!(edges.contains(&"tip.12".to_string()) && edges.contains(&"bore".to_string()));
    assert_eq!((points, places), (vec!["mark".into(), "middle".into()], vec!["axle".to_string()]));
}

/// A model whose only body is drawn in a file.
fn model(file: &str, keys: &str, more: &str) -> Result<Checked, Faults> {
    let text = format!(
        "name = \"drawn\"\n[materials.m]\nyoung_modulus = 1e9\npoisson_ratio = 0.3\ndensity = 1000.0\n\
         [bodies.b]\nmaterial = \"m\"\nthickness = 0.01\n{keys}\ndrawing.file = \"d.dxf\"\ndrawing.size = 0.005\n{more}"
    );
    let data = |_: &str| Ok(file.as_bytes().to_vec());
    Model::parse(&text, "m.toml", &data)?.check()
}

#[test]
fn a_rigid_body_has_mass_and_inertia_of_its_drawing() {
    let text = String::from_utf8(bytes("gear")).expect("a text");
    let more = "[supports.s]\npoint = \"b.axle\"\nfix = [\"x\", \"y\"]\n[interface]\noutputs = [\"points.b.mark.*\"]";
    let checked = model(&text, "rigid = true", more).expect("a model");
    let all = drawings();
    let (.., [area, x, y, xx, yy, _]) = all.iter().find(|row| row.0 == "gear").expect("a gear");
    let rigid = checked.bodies[0].rigid().expect("a rigid body");
    assert!((rigid.mass / (10.0 * area) - 1.0).abs() < 1e-12);
    assert!((rigid.inertia / (10.0 * (xx + yy)) - 1.0).abs() < 1e-12);
    assert!((rigid.centre[0] - x).hypot(rigid.centre[1] - y) < 1e-15);
    // Of an elastic body a point inside is none.
    let faults = model(&text, "state = \"plane_stress\"", more).expect_err("a fault");
    assert!(faults.to_string().contains("names `b.axle`, which lies on no edge"), "{faults}");
}

/// A drawing in millimetres with these entities, each a kind and its groups.
fn file(unit: &str, entities: &[(&str, &str)]) -> String {
    let mut text = format!(
        "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1015\n{unit}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
    );
    for (kind, groups) in entities {
        text += &format!("0\n{kind}\n8\nrim\n{}\n", groups.replace(' ', "\n"));
    }
    text + "0\nENDSEC\n0\nEOF\n"
}

const MM: &str = "9\n$INSUNITS\n70\n4\n";
/// Three sides of a triangle.
const SIDES: [(&str, &str); 3] = [
    ("LINE", "10 0 20 0 11 30 21 0"),
    ("LINE", "10 30 20 0 11 0 21 40"),
    ("LINE", "10 0 20 40 11 0 21 0"),
];

#[test]
fn what_is_no_outline_is_refused_with_its_place() {
    let with = |more: &[(&str, &str)]| file(MM, &[&SIDES[..], more].concat());
    let open = [SIDES[0], SIDES[1], ("LINE", "10 0 20 40 11 0 21 0.5")];
    let bow = [("LWPOLYLINE", "70 1 10 0 20 0 10 30 20 40 10 30 20 0 10 0 20 40")];
    let cases: Vec<(String, &[&str])> = vec![
        (
            file(MM, &open),
            &[
                "the outline is open: LINE in layer `rim` (line 19) ends at (0, 0) mm, a gap of 0.5 mm to the next open end, at (0, 0.5) mm",
                "(line 43)",
                "`tolerance`",
                "joined up to 5e-5 mm apart",
            ],
        ),
        (file(MM, &SIDES[..1]), &["ends at (0, 0) mm", "ends at (30, 0) mm"]),
        (
            with(&[SIDES[1]]),
            &[
                "curves lie upon each other: LINE in layer `rim` (line 31) and LINE in layer `rim` (line 55) around (15, 20) mm",
            ],
        ),
        (with(&[("LINE", "10 0 20 0 11 5 21 5")]), &["ends at (5, 5) mm"]),
        (
            with(&[("LINE", "10 0 20 0 11 5 21 5"), ("LINE", "10 5 20 5 11 0 21 40")]),
            &["more than two ends meet: 3 ends at (0, 0) mm, of LINE"],
        ),
        (file(MM, &bow), &["side `rim` crosses or touches itself"]),
        (with(&[("CIRCLE", "10 200 20 0 40 5")]), &["hole 1", "lies outside", "`layers`"]),
        (
            with(&[("INSERT", "2 NUT 10 0 20 0")]),
            &["INSERT in layer `rim` (line 55) is no curve of an outline", "explode blocks"],
        ),
        (
            with(&[("TEXT", "1 a"), ("TEXT", "1 b"), ("HATCH", "10 0")]),
            &["HATCH in layer `rim`", "TEXT in layer `rim` (line 55) and 1 more of the kind"],
        ),
        (file("", &SIDES), &["states no unit ($INSUNITS is not there); state `scale`"]),
        (file("9\n$INSUNITS\n70\n0\n", &SIDES), &["$INSUNITS is 0"]),
        (file(MM, &[]), &["no curves; the layers with something in model space are: none"]),
        (with(&[("LINE", "10 0 20 0 11 5")]), &["LINE in layer `rim` (line 55) has no group 21"]),
        (with(&[("LINE", "10 0 20 0 11 5 21 x")]), &["has no number in group 21"]),
        (
            with(&[("LINE", "10 0 20 0 11 5 21 1e999")]),
            &["line 65: no DXF from here on: a number that is not finite"],
        ),
        (
            with(&[("CIRCLE", "10 9 20 9 30 5 40 2")]),
            &["CIRCLE in layer `rim` (line 55) lies at z = 5 mm, and others at z = 0 mm"],
        ),
        (with(&[("CIRCLE", "10 9 20 9 40 2 220 1 230 0")]), &["does not lie in the x-y plane"]),
        (
            with(&[("SPLINE", "71 3 11 0 21 0 11 1 21 1")]),
            &["SPLINE in layer `rim` (line 55) has fit points alone"],
        ),
        (
            with(&[("SPLINE", "71 3 40 0 40 1 10 0 20 0 10 1 20 1")]),
            &["has a 2 control points and 2 knots for degree 3"],
        ),
        (with(&[("ARC", "10 0 20 0 40 -1 50 0 51 9")]), &["has a radius of 0 or below"]),
        (
            with(&[]).replace("AC1015", "AC1004"),
            &["version `AC1004` of DXF; allowed: R10 (AC1006) or newer"],
        ),
        ("AC1032\0\0".to_string(), &["this is a DWG file; save the drawing as DXF"]),
        ("Hello\n".to_string(), &["this is no DXF file"]),
        (with(&[]).replace("0\nEOF\n", ""), &["ends without `EOF`"]),
        (with(&[]).replace("10\n30\n", "10\n30\nx\n"), &["no DXF from here on"]),
    ];
    for (file, expected) in cases {
        let faults = model(&file, "rigid = true", "").expect_err("a fault").to_string();
        println!("{faults}");
        for part in expected {
            assert!(faults.contains(part), "{faults}\n{part}");
        }
    }
}

#[test]
fn gaps_within_the_tolerance_are_closed() {
    let open = [
        SIDES[0],
        SIDES[1],
        ("LINE", "10 0 20 40 11 0 21 1e-5"),
        // No longer than a gap.
        ("LINE", "10 0 20 0 11 1e-5 21 1e-5"),
    ];
    let checked = model(&file(MM, &open), "rigid = true", "").expect("a model");
    let mass = checked.bodies[0].weight()[0];
    assert!((mass / (10.0 * 6e-4) - 1.0).abs() < 1e-6, "{mass}");
    let gap = [
        SIDES[0],
        SIDES[1],
        ("SPLINE", "71 2 40 0 40 0 40 0 40 1 40 1 40 1 10 0 20 39.9 10 0 20 20 10 0 20 0.1"),
    ];
    let body = |tolerance: &str| model(&file(MM, &gap), &format!("rigid = true\n{tolerance}"), "");
    assert!(body("").is_err());
    let mass = body("drawing.tolerance = 2e-4").expect("a model").bodies[0].weight()[0];
    // Both ends go halfway.
    let exact = 10.0 * 0.5 * 30e-3 * 39.9e-3;
    assert!((mass / exact - 1.0).abs() < 1e-3, "{mass} {exact}");
}
