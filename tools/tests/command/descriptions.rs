//! What an FMU tells of itself besides its description: page and picture.

use crate::common::{self, bundled, ok, text};
use crate::edit::Edit;
use crate::{contacts, pictures};
use std::io::{Cursor, Read};
use std::path::Path;

use tiny_skia::Pixmap;
use zip::ZipArchive;

/// An FMU that the command has packed.
struct Packed(ZipArchive<Cursor<Vec<u8>>>);

impl Packed {
    /// That of a model file, beside it.
    fn of(model: &Path) -> Packed {
        let path = model.with_extension("fmu");
        ok(&["pack", "--native", text(model), "-o", text(&path)]);
        Packed::from(std::fs::read(path).unwrap())
    }

    fn bundled(name: &str) -> Packed {
        Packed::from(common::packed(name))
    }

    fn from(bytes: Vec<u8>) -> Packed {
        Packed(ZipArchive::new(Cursor::new(bytes)).unwrap())
    }

    fn bytes(&mut self, name: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn text(&mut self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }
}

/// Values of an attribute of all elements of a name in well-formed XML.
fn values(xml: &str, element: &str, attribute: &str) -> Vec<String> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(e) | Event::Empty(e) if e.name().as_ref() == element => {
                let value = e.try_get_attribute(attribute).unwrap();
                found.extend(value.map(|a| a.value.into_owned()));
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

fn drawing(page: &str) -> &str {
    let start = page.find("<svg").unwrap();
    let end = page.find("</svg>").unwrap();
    &page[start..end + 6]
}

#[test]
fn the_page_names_every_variable_and_loads_nothing() {
    for model in bundled() {
        let mut fmu = Packed::bundled(&model);
        let page = fmu.text("documentation/index.html");
        let names = values(&fmu.text("modelDescription.xml"), "ScalarVariable", "name");
        assert!(names.len() > 10);
        for name in names.iter().filter(|n| *n != "time") {
            assert!(page.contains(&format!("<code>{name}</code>")), "{model:?}: {name}");
        }
        for word in ["src=", "url(", "@import", "<script", "NaN", "inf,"] {
            assert!(!page.contains(word), "{model:?}: {word}");
        }
        // The name space of SVG is an address that nobody calls.
        let page = page.edit("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http"), "{model:?}");
    }
}

#[test]
fn the_page_shows_bodies_with_their_law_edges_and_one_row_for_an_edge_that_slides() {
    let mut fmu = Packed::bundled("doubly_bent_beams_solid");
    let page = fmu.text("documentation/index.html");
    for part in [
        "<h2>Bodies</h2>",
        "Saint-Venant-Kirchhoff, plane stress, E = 2e11 Pa, ν = 0.3",
        "<h2>Edges of bodies</h2>",
        "<code>left.face</code>",
        "sliding edge, all nodes",
        "<h3>Bodies</h3>",
        "and the pressure follows",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("left[2]"), "a row for a single node");
}

#[test]
fn an_edge_that_is_held_is_drawn_with_ground_or_rollers() {
    let strokes = |fix: &str| {
        let text = std::fs::read_to_string(common::model("cooks_membrane")).unwrap();
        let text = text.edit("fix = [\"x\", \"y\"]", fix);
        let folder = common::folder("held_edges");
        let file = folder.join("panel.toml");
        std::fs::write(&file, text).unwrap();
        let page = Packed::of(&file).text("documentation/index.html");
        let svg = drawing(&page);
        [svg.matches("<circle").count(), svg.matches("<polyline").count()]
    };
    let [ground, roller] = ["fix = [\"x\", \"y\"]", "fix = [\"x\"]"].map(strokes);
    // Three rollers of two wheels each.
    assert_eq!(roller[0], ground[0] + 6, "{ground:?} {roller:?}");
}

#[test]
fn the_drawing_and_the_tables_show_contacts_of_surfaces() {
    let folder = common::folder("contact_drawn");
    let page = |model: &str| {
        let file = contacts::write(&folder, model);
        Packed::of(&file).text("documentation/index.html")
    };
    let both = page(&contacts::slider().edit("width = 0.8", "width = 0.8\nclearance = 0.1"));
    assert!(both.contains("<h2>Contacts of surfaces</h2>"));
    assert!(both.contains("slider.lower, slider.upper"));
    // Heights of the lines of a width, px.
    let heights = |page: &str, width: &str| -> Vec<f64> {
        let lines = drawing(page).lines().filter(|line| {
            line.contains("<polyline")
                && line.contains("stroke=\"#1c64c8\"")
                && line.contains(&format!("stroke-width=\"{width}\""))
        });
        let height = |line: &str| {
            let points = values(line, "polyline", "points").remove(0);
            let first = points.split(' ').next().unwrap().to_owned();
            first.split(',').nth(1).unwrap().parse().unwrap()
        };
        lines.map(height).collect()
    };
    let (faces, surfaces) = (heights(&both, "1.5"), heights(&both, "3.5"));
    assert_eq!([faces.len(), surfaces.len()], [2, 2]);
    let ratio = (faces[0] - faces[1]) / (surfaces[0] - surfaces[1]);
    assert!((ratio.abs() - 1.25).abs() < 1e-3, "{faces:?} {surfaces:?}");
    // One that lies on its path bears on one face, which stands 0.1 m below.
    let lies = contacts::slider().edit("\"slider.lower\", \"slider.upper\"", "\"slider.lower\"");
    let lies = lies.edit("width = 0.8\n", "clearance = 0.1\n");
    let lies = lies.edit("left = [-1.0, 0.4]", "left = [-1.0, 0.0]");
    let lies = page(&lies.edit("right = [4.0, 0.4]", "right = [4.0, 0.0]"));
    assert_eq!(heights(&lies, "1.5").len(), 1);
}

#[test]
fn stops_are_drawn_where_what_they_stop_meets_them() {
    let folder = common::folder("stops_drawn");
    let file = folder.join("model.toml");
    std::fs::write(&file, pictures::turning()).unwrap();
    let page = Packed::of(&file).text("documentation/index.html");
    // Two thick bars of the hinge beside its point, at their angles, and a thin one below the end of the rope.
    let bars = |width: &str| -> Vec<[f64; 4]> {
        let stops = drawing(&page).lines().filter(|line| {
            line.contains("<polyline")
                && line.contains("stroke=\"#212529\"")
                && line.contains(&format!("stroke-width=\"{width}\""))
        });
        let places = stops.map(|line| {
            let points = values(line, "polyline", "points").remove(0);
            let all: Vec<f64> = (points.split([' ', ','])).map(|x| x.parse().unwrap()).collect();
            [0, 1, 2, 3].map(|i| all[i])
        });
        places.collect()
    };
    let thick = bars("4.5");
    assert_eq!(thick.len(), 2, "{thick:?}");
    for ([a, b, c, d], exact) in thick.into_iter().zip([-0.5, 0.25]) {
        let angle = (b - d).atan2(c - a);
        assert!((angle - exact).abs() < 1e-2, "{angle} {exact}");
    }
    let thin = bars("2.2");
    assert_eq!(thin.len(), 1, "{thin:?}");
    // Across the rope, which stands upright.
    let [[_, b, _, d]] = [thin[0]];
    assert!((b - d).abs() < 1e-9, "{thin:?}");
}

#[test]
fn the_drawing_holds_every_point_of_a_small_mechanism_inside_its_frame() {
    for model in bundled() {
        let mut fmu = Packed::bundled(&model);
        let page = fmu.text("documentation/index.html");
        let svg = drawing(&page);
        let size =
            ["width", "height"].map(|key| values(svg, "svg", key)[0].parse::<f64>().unwrap());
        let dots = [values(svg, "circle", "cx"), values(svg, "circle", "cy")];
        for (places, size) in dots.iter().zip(size) {
            assert!(!places.is_empty(), "{model:?}");
            for place in places {
                let place: f64 = place.parse().unwrap();
                assert!((0.0..=size).contains(&place), "{model:?}: {place} of {size}");
            }
        }
        let text = std::fs::read_to_string(common::model(&model)).unwrap();
        let table: &str = text.split("[points]").nth(1).unwrap().split("\n[").next().unwrap();
        let points = table.lines().filter(|l| l.contains("= ["));
        // Where there are many, or the corners of thin bodies close together, names without room are left out.
        let roomy = points.clone().count() <= 20 && !text.contains("[bodies.");
        for line in points.filter(|_| roomy) {
            let point = line.split(' ').next().unwrap();
            let label = |sign: &str| svg.contains(&format!("{sign}{point}"));
            assert!(label(">") || label(", "), "{model:?}: {point}");
        }
    }
}

#[test]
fn the_picture_shows_something_and_leaves_paper() {
    for model in bundled() {
        let map = Pixmap::decode_png(&Packed::bundled(&model).bytes("model.png")).unwrap();
        let white = map.pixels().iter().filter(|p| (p.red(), p.blue()) == (255, 255)).count();
        let all = map.pixels().len();
        let inked = 100.0 * (all - white) as f64 / all as f64;
        assert!((0.5..20.0).contains(&inked), "{model:?}: {inked} %");
    }
}

#[test]
fn words_and_sizes_of_a_model_cannot_break_its_page() {
    let folder = common::folder("odd_words");
    for (number, size) in [1e-40, 1.0, 1e40].into_iter().enumerate() {
        let model = format!(
            "name = \"odd\"\ndescription = \"a < b & <script>alert(1)</script>\"\n\
             author = \"<img src=x>\"\n[solver]\nstep = 1e-3\n[points]\na = [0.0, 0.0]\n\
             b = [{size:e}, 0.0]\n[masses.a]\npoint = \"a\"\nmass = 1.0\n[masses.b]\npoint = \"b\"\n\
             mass = 1.0\n[loads.push]\npoint = \"a\"\nfx = {size:e}\n[gravity]\nx = {size:e}\n"
        );
        let file = folder.join(format!("odd_{number}.toml"));
        std::fs::write(&file, model).unwrap();
        let page = Packed::of(&file).text("documentation/index.html");
        assert!(page.contains("a &lt; b &amp; &lt;script&gt;"));
        for word in ["<script", "<img", "NaN"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(values(drawing(&page), "circle", "cx").len() >= 2);
    }
}
