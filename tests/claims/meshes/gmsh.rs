//! Files that Gmsh has written, whole, damaged and of the wrong kind; `tests/meshes/write.py` makes them.

use std::f64::consts::PI;

use coulisse::mesh::{Mesh, gmsh};
use proptest::prelude::*;

use super::edge;
use crate::common;

fn file(name: &str) -> Vec<u8> {
    let path = format!("tests/meshes/{name}.msh");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read(name: &str) -> Mesh {
    gmsh::read(&file(name), &[]).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

fn refusal(bytes: &[u8], surfaces: &[&str]) -> String {
    gmsh::read(bytes, surfaces).expect_err("no mesh").to_string()
}

/// What a named curve is that is no edge.
fn no_edge<'a>(mesh: &'a Mesh, name: &str) -> &'a str {
    let found = mesh.no_edges.iter().find(|(own, _)| own == name);
    &found.expect("no edge").1
}

#[test]
fn a_plate_is_the_same_in_every_version_and_form_and_order() {
    for order in 1..=4 {
        let mesh = read(&format!("plate_{order}_41_text"));
        let hole = edge(&mesh, "hole");
        assert!(hole.closed);
        // The polygon or curve through the nodes lacks area outside and, inside the hole, has it too much.
        let area = 6.0 + (0.5 - 0.16) * PI;
        let off = (mesh.quality().area - area).abs();
        assert!(off < [0.3, 2e-2, 5e-3, 5e-4][order - 1], "order {order}: {off}");
        let mut others = vec![format!("plate_{order}_22_text"), format!("plate_{order}_41_binary")];
        others.push(format!("plate_{order}_22_binary"));
        if order == 2 {
            others.extend(["plate_2_41_big_endian", "plate_2_22_big_endian"].map(String::from));
        }
        for name in others {
            let other = read(&name);
            assert_eq!(other.triangles, mesh.triangles, "{name}");
            assert_eq!((&other.edges, &other.points), (&mesh.edges, &mesh.points), "{name}");
            for (a, b) in other.nodes.iter().zip(&mesh.nodes) {
                // Gmsh writes 16 digits.
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 2e-15, "{name}");
            }
        }
    }
}

#[test]
fn named_curves_are_edges_with_the_body_on_their_left_and_named_points_are_nodes() {
    let mesh = read("plate_3_41_text");
    let ends = |name: &str| {
        let nodes = &edge(&mesh, name).nodes;
        [nodes[0], nodes[nodes.len() - 1]].map(|node| mesh.nodes[node])
    };
    assert_eq!(ends("sole"), [[0.0, 0.0], [3.0, 0.0]]);
    // Two curves of one name.
    assert_eq!(ends("nose"), [[3.0, 0.0], [3.0, 2.0]]);
    // The body lies outside a hole, which is walked clockwise.
    let hole = edge(&mesh, "hole").nodes.windows(2);
    for pair in hole {
        let [a, b] = [pair[0], pair[1]].map(|node| mesh.nodes[node]);
        assert!((a[0] - 1.0) * (b[1] - 1.0) - (a[1] - 1.0) * (b[0] - 1.0) < 0.0);
        assert!(((a[0] - 1.0).hypot(a[1] - 1.0) - 0.4).abs() < 1e-9);
    }
    let points: Vec<(&str, [f64; 2])> =
        (mesh.points.iter()).map(|(name, node)| (name.as_str(), mesh.nodes[*node])).collect();
    assert_eq!(points, [("tip", [4.0, 1.0]), ("left corner", [0.0, 0.0])]);
    assert_eq!(mesh.edges.len(), 3);
}

#[test]
fn one_of_several_surfaces_is_taken_with_its_own_edges() {
    let two = file("two");
    assert_eq!(
        refusal(&two, &[]),
        "the file has the physical surfaces `left`, `right`; choose with `surface` which one is the body, or several in a list"
    );
    assert_eq!(
        refusal(&two, &["middle"]),
        "no physical surface has the name or number `middle`; allowed: `left`, `right`"
    );
    // `floor` and `ends` run along both.
    let right = gmsh::read(&two, &["right"]).expect("a mesh");
    assert_eq!(
        no_edge(&right, "floor"),
        "lies on the body in part only: not at (0, 0) m; give its parts names of their own"
    );
    let joint = |surface: &str| {
        let mesh = gmsh::read(&two, &[surface]).expect("a mesh");
        assert!((mesh.quality().area - 1.0).abs() < 1e-15);
        let names: Vec<&str> = mesh.edges.iter().map(|edge| edge.name.as_str()).collect();
        let joint = edge(&mesh, "joint").nodes.iter();
        (names.join(" "), joint.map(|&node| mesh.nodes[node][1]).collect::<Vec<_>>())
    };
    // Either body lies on the left of its own edge.
    assert_eq!(joint("left"), ("joint".to_string(), vec![0.0, 1.0]));
    assert_eq!(joint("right"), ("joint far".to_string(), vec![1.0, 0.0]));
}

#[test]
fn a_mesh_comes_back_from_its_own_file() {
    for order in 1..=4 {
        let mesh = read(&format!("plate_{order}_41_binary"));
        let text = mesh.to_gmsh("plate");
        let back = gmsh::read(text.as_bytes(), &["plate"]).expect("a mesh");
        assert_eq!(back.triangles, mesh.triangles);
        assert_eq!((back.nodes, back.points), (mesh.nodes, mesh.points));
        assert_eq!(back.edges, mesh.edges);
    }
}

#[test]
fn a_file_of_the_wrong_kind_is_refused_with_what_to_do() {
    let kinds: [(&str, &[&str], &str); 4] = [
        (
            "quadrangles",
            &[],
            "the file has elements of type 3, quadrangles of 4 nodes; mesh without `Recombine`; allowed: points, lines and \
             triangles of order 1 to 4",
        ),
        (
            "incomplete",
            &[],
            "the file has elements of type 20, triangles of order 3 without an inner node; mesh with \
             `Mesh.SecondOrderIncomplete = 0`; allowed: points, lines and triangles of order 1 to 4",
        ),
        (
            "fifth_order",
            &[],
            "the file has elements of type 25, triangles of order 5; mesh with `Mesh.ElementOrder = 4` or less; allowed: \
             points, lines and triangles of order 1 to 4",
        ),
        (
            "nameless",
            &["plate"],
            "no physical surface has the name or number `plate`; the file has no physical surface; leave `surface` out",
        ),
    ];
    for (name, surfaces, message) in kinds {
        assert_eq!(refusal(&file(name), surfaces), message);
    }
    assert!((read("nameless").quality().area - 1.0).abs() < 1e-15);
}

/// A file of text with something else in it.
fn edited(name: &str, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(file(name)).expect("text");
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn a_damaged_file_is_refused_with_its_line_or_byte() {
    for (from, to, message) in [
        (
            "4.1 0 8",
            "4 0 8",
            "line 2: version 4; allowed: 4.1 and 2.2, which Gmsh writes with `Mesh.MshFileVersion = 4.1`",
        ),
        ("4.1 0 8", "4.1 2 8", "line 2: file type 2; allowed: 0 (text) and 1 (binary)"),
        ("4.1 0 8", "4.1 0 4", "line 2: numbers of 4 bytes; allowed: 8"),
        (
            "$MeshFormat",
            "MeshFormat",
            "line 1: saw `MeshFormat`; expected: `$MeshFormat`, with which Gmsh begins; export the mesh from Gmsh as .msh, version 4.1 or 2.2",
        ),
        ("$EndEntities", "$EndEntity", "line 36: saw `$EndEntity`; expected: `$EndEntities`"),
        ("\"hole\"", "hole", "line 10: no name; expected: a name in quotes"),
        ("\n3 0 0\n", "\nnan 0 0\n", "line 44: saw NaN; expected: a finite number"),
        ("\n3 0 0\n", "\n3 x 0\n", "line 44: saw `x`; expected: a number"),
        ("\n3 0 0\n", "\n3 0\n", "line 52: a second node 2; allowed: each once"),
        (
            "$Entities",
            "$Nodes\n0 0 0 0\n$EndNodes\n$Entities",
            "line 40: a second section `$Nodes`; allowed: one",
        ),
    ] {
        assert_eq!(refusal(&edited("plate_1_41_text", from, to), &[]), message);
    }
    let binary = file("plate_2_41_binary");
    let message = "byte 3000: the file ends too early; expected: a number of 4 bytes";
    assert_eq!(refusal(&binary[..3000], &[]), message);
    assert_eq!(
        refusal(&[], &[]),
        "line 1: the file ends too early; expected: `$MeshFormat`, with which Gmsh begins; export the mesh from Gmsh as .msh, version 4.1 or 2.2"
    );
    let head = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
    assert_eq!(refusal(head, &[]), "line 4: the file ends without a section `$Nodes`");
}

#[test]
fn what_is_no_body_is_refused_with_its_place() {
    let plate = |from: &str, to: &str| edited("plate_1_41_text", from, to);
    for (bytes, message) in [
        (
            plate("\n3 0 0\n", "\n3 0 0.1\n"),
            "the node at (3, 0) m lies at z = 0.1 m and others at 0 m; allowed: one z for all, with the mesh in the x-y plane",
        ),
        (
            plate("\n67 12 13 29 ", "\n67 12 13 99 "),
            "triangle 67 names node 99, which the file does not have",
        ),
        (
            plate("\n40 15 5 24 ", "\n40 15 5 5 "),
            "triangle 23 at (3.90237, 0.764298) m is flat or runs clockwise: its area is 0 m²; allowed: corners \
             counter-clockwise",
        ),
    ] {
        assert_eq!(refusal(&bytes, &[]), message);
    }
    assert_eq!(
        refusal(&plate("2 6 \"plate\"", "2 7 \"plate\""), &["plate"]),
        "surface `plate` has no triangles; mesh it in two dimensions"
    );
    let text = String::from_utf8(file("two")).expect("text");
    let two = text
        .replace("7 13 1 13", "8 14 1 14")
        .replace("$EndElements", "2 1 9 1\n14 1 2 5 3 4 6\n$EndElements");
    assert_eq!(
        refusal(two.as_bytes(), &["left"]),
        "triangle 14 has order 2 and those before it have 1; allowed: one order"
    );
}

#[test]
fn a_curve_that_is_no_chain_is_no_edge_and_no_fault_of_the_file() {
    let plate = edited("plate_1_41_text", "\"nose\"", "\"hole\"");
    let mesh = gmsh::read(&plate, &[]).expect("a mesh");
    assert!(mesh.edges.iter().all(|edge| edge.name != "hole"));
    let said = no_edge(&mesh, "hole");
    assert!(
        said.starts_with("is no single chain: it has 2 pieces, one ")
            && said.contains("one that closes at (1.4, 1) m")
            && said.ends_with("give its parts names of their own"),
        "{said}"
    );
    let text = String::from_utf8(edited("two", "\"floor\"", "\"joint\"")).expect("text");
    let text = text.replace("\"right\"", "\"left\"");
    let branched = gmsh::read(text.as_bytes(), &[]).expect("a mesh");
    assert_eq!(
        no_edge(&branched, "joint"),
        "is no single chain: more than two of its lines meet at (1, 0) m; give its parts names of their own"
    );
}

#[test]
fn a_surface_that_runs_clockwise_is_turned() {
    for order in 1..=4 {
        let mesh = read(&format!("plate_{order}_41_text"));
        let mut mirrored = mesh.clone();
        for place in &mut mirrored.nodes {
            place[0] = -place[0];
        }
        let clockwise = "triangle 1 at";
        let flaw = mirrored.check().expect_err("clockwise").to_string();
        assert!(flaw.starts_with(clockwise) && flaw.contains("runs clockwise"), "{flaw}");
        let turned = gmsh::read(mirrored.to_gmsh("plate").as_bytes(), &[]).expect("a mesh");
        let [own, its] = [&mesh, &turned].map(|mesh| mesh.quality().area);
        assert!((own - its).abs() < 1e-14 * own);
        let sole = &edge(&turned, "sole").nodes;
        assert_eq!(turned.nodes[sole[0]], [-3.0, 0.0]);
    }
}

#[test]
fn triangles_that_run_either_way_are_turned_each_and_folded_ones_are_refused() {
    for order in 1..=4 {
        let mesh = read(&format!("plate_{order}_41_text"));
        let [mut mixed, mut mirrored] = [&mesh, &mesh].map(Mesh::clone);
        for place in &mut mirrored.nodes {
            place[0] = -place[0];
        }
        // Mirrored, turned and mirrored back the nodes of each triangle stand the other way round.
        let turned = gmsh::read(mirrored.to_gmsh("plate").as_bytes(), &[]).expect("a mesh");
        let nodes = coulisse::numerics::triangle::node_count(order);
        let clockwise = turned.triangles.chunks_exact(nodes).enumerate();
        for (index, clockwise) in clockwise.filter(|(index, _)| index % 3 == 0) {
            mixed.triangles[index * nodes..][..nodes].copy_from_slice(clockwise);
        }
        assert!(mixed.check().is_err());
        let back = gmsh::read(mixed.to_gmsh("plate").as_bytes(), &[]).expect("a mesh");
        let [own, its] = [&mesh, &back].map(|mesh| mesh.quality().area);
        assert!((own - its).abs() < 1e-14 * own);
        assert_eq!(back.edges, mesh.edges);
    }
    // Node 29 of triangle 67 lies beyond the side from 12 to 13 then.
    let mut folded = read("plate_1_41_text");
    let at = folded.triangles[3 * 49..][..3].to_vec();
    let [a, b, c] = [0, 1, 2].map(|i| folded.nodes[at[i]]);
    folded.nodes[at[0]] = [0, 1].map(|i| b[i] + c[i] - a[i]);
    let message = refusal(folded.to_gmsh("plate").as_bytes(), &[]);
    assert!(message.contains("do not fit together"), "{message}");
}

#[test]
fn groups_that_nothing_uses_do_not_reject_a_file() {
    // Two points of one name.
    let tips = edited("plate_1_41_text", "\"left corner\"", "\"tip\"");
    let mesh = gmsh::read(&tips, &[]).expect("a mesh");
    assert!(mesh.points.is_empty());
    let (name, why) = &mesh.no_points[0];
    assert_eq!(name, "tip");
    assert_eq!(why, "is 2 points; give each a name of its own");
    // A surface of quadrangles and solids beside the one that is taken.
    let text = String::from_utf8(file("two")).expect("text");
    let quadrangles = text
        .replace("7 13 1 13", "8 14 1 14")
        .replace("$EndElements", "2 2 3 1\n14 2 3 6 5\n$EndElements");
    let left = gmsh::read(quadrangles.as_bytes(), &["left"]).expect("a mesh");
    assert!((left.quality().area - 1.0).abs() < 1e-15);
    assert_eq!(
        refusal(quadrangles.as_bytes(), &["right"]),
        "surface `right` has elements of type 3, quadrangles of 4 nodes; mesh without `Recombine`; allowed: points, \
         lines and triangles of order 1 to 4"
    );
    let solid = text
        .replace("7 13 1 13", "8 14 1 14")
        .replace("$EndElements", "3 1 4 1\n14 1 2 3 6\n$EndElements");
    assert!(gmsh::read(solid.as_bytes(), &["right"]).is_ok());
}

proptest! {
    #![proptest_config(common::random_cases(4000))]

    /// Whatever is cut off or changed, there is a mesh that holds its promises or a message.
    #[test]
    fn no_bytes_make_the_reader_panic(
        which in 0..6_usize,
        cut in 0.0..1.2_f64,
        changes in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..6),
    ) {
        let names = ["plate_2_41_text", "plate_2_41_binary", "plate_2_22_text", "plate_2_22_binary",
            "plate_2_41_big_endian", "two"];
        let mut bytes = file(names[which]);
        bytes.truncate((cut * bytes.len() as f64) as usize);
        for (share, byte) in changes {
            let at = (share * bytes.len() as f64) as usize;
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
        }
        match gmsh::read(&bytes, &["plate"]) {
            Ok(mesh) => prop_assert_eq!(mesh.check(), Ok(())),
            Err(fault) => prop_assert!(!fault.to_string().is_empty()),
        }
    }
}

#[test]
fn surfaces_are_chosen_by_name_or_number_one_or_several() {
    for name in ["numbers_41", "numbers_22"] {
        let file = file(name);
        assert_eq!(
            refusal(&file, &[]),
            "the file has the physical surfaces `1`, `2`; choose with `surface` which one is the body, or several in a list"
        );
        assert_eq!(
            refusal(&file, &["3"]),
            "no physical surface has the name or number `3`; allowed: `1`, `2`"
        );
        let measured = |surfaces: &[&str]| {
            let mesh = gmsh::read(&file, surfaces).expect("a mesh");
            let moments = mesh.moments();
            (mesh.edges.len(), moments.area, moments.centre)
        };
        // The curve with number 11 is the left end of the left square.
        for (surfaces, edges, area, centre) in [
            (&["1"][..], 1, 1.0, [0.5, 0.5]),
            (&["2"], 0, 1.0, [1.5, 0.5]),
            (&["1", "2"], 1, 2.0, [1.0, 0.5]),
        ] {
            let (its, own, [x, y]) = measured(surfaces);
            assert_eq!(its, edges, "{name} {surfaces:?}");
            let off = (own - area).abs() + (x - centre[0]).abs() + (y - centre[1]).abs();
            assert!(off < 1e-14, "{name} {surfaces:?}: {off}");
        }
        let left = gmsh::read(&file, &["1"]).expect("a mesh");
        assert_eq!(edge(&left, "11").nodes.len(), 2);
    }
    // One with a name has a number, too.
    let two = file("two");
    let of = |surface: &str| gmsh::read(&two, &[surface]).expect("a mesh");
    assert_eq!(of("6"), of("right"));
}
