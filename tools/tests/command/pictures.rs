//! The page of a run and its film for ParaView, as a user asks for them.

use std::path::Path;

use serde_json::Value;

use crate::common::{self, folder, model, project, text};
use crate::mechanism::Mechanism;
use crate::written::{array, data, decoded, table, values};

/// `coulisse run` of a bundled model.
fn ok(name: &str, arguments: &[&str]) {
    common::ok(&[&["run", &model(name)], arguments].concat());
}

fn refused(name: &str, arguments: &[&str]) -> String {
    common::refused(&[&["run", &model(name)], arguments].concat())
}

fn singles(value: &Value) -> Vec<f64> {
    decoded(value.as_str().unwrap(), |b| f64::from(f32::from_le_bytes(b)))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_film_shows_points_where_the_outputs_say_that_they_are() {
    let folder = folder("film");
    let (html, csv) = (folder.join("page.html"), folder.join("rows.csv"));
    ok("quick_return", &["--html", text(&html), "-o", text(&csv)]);
    let data = data(&std::fs::read_to_string(html).unwrap());
    let film = &data["animation"];
    let numbers = |value: &Value| -> Vec<f64> {
        let list = value.as_array().unwrap().iter();
        list.map(|x| x.as_f64().unwrap()).collect()
    };

    let point = film["points"].as_array().unwrap().iter();
    let point = point.clone().position(|name| name == "A").unwrap();
    let initial = numbers(&film["initial"]);
    let body = &film["bodies"][film["body"][point].as_u64().unwrap() as usize];
    let (centre, poses) = (numbers(&body["centre"]), singles(&body["poses"]));
    let moving = film["moving"].as_array().unwrap();
    let place = moving.iter().position(|n| n == point);
    let unit = film["unit"].as_f64().unwrap();
    let deformations = decoded(film["deformations"].as_str().unwrap(), i16::from_le_bytes);
    let deformation = |frame: usize, axis: usize| {
        place.map_or(0.0, |place| {
            unit * f64::from(deformations[2 * (frame * moving.len() + place) + axis])
        })
    };

    let rows = table(&csv);
    let columns = ["points.A.x", "points.A.y"].map(|name| values(&rows, name));
    let frames = film["rows"].as_array().unwrap();
    assert!(frames.len() > 500);
    assert_eq!(frames.last().unwrap(), rows.len() - 2);
    for (frame, row) in frames.iter().enumerate() {
        let [dx, dy, turn] = [0, 1, 2].map(|k| poses[3 * frame + k]);
        let [x, y] = [0, 1].map(|i| initial[2 * point + i] - centre[i]);
        let (sin, cos) = turn.sin_cos();
        let seen = [
            centre[0] + dx + cos * x - sin * y + deformation(frame, 0),
            centre[1] + dy + sin * x + cos * y + deformation(frame, 1),
        ];
        for (seen, column) in seen.into_iter().zip(&columns) {
            let exact = column[row.as_u64().unwrap() as usize];
            // Single precision of places around 1 m.
            assert!((seen - exact).abs() < 1e-6, "{frame}: {seen} {exact}");
        }
    }
}

#[test]
fn a_page_needs_nothing_from_elsewhere_and_stays_small_for_a_long_run() {
    let folder = folder("long");
    let html = folder.join("page.html");
    ok("rabinowicz", &["--step", "1e-3", "--html", text(&html)]);
    let page = std::fs::read_to_string(html).unwrap();
    // 80 000 rows of 22 outputs; in full digits they take more than 20 MB.
    assert!(page.len() < 3_000_000, "{}", page.len());
    for foreign in ["src=", "href=", "@import", "url(", "fetch(", "http"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(!page.contains("{{"));
    let data = data(&page);
    assert!(data["animation"]["rows"].as_array().unwrap().len() <= 601);
}

#[test]
fn a_title_that_looks_like_a_gap_of_the_template_stays_as_it_is() {
    let folder = folder("gap");
    let (model, html) = (folder.join("model.toml"), folder.join("page.html"));
    let file = std::fs::read_to_string(common::model("incline")).unwrap();
    let (start, rest) = file.split_once("description = \"").unwrap();
    let rest = rest.split_once('"').unwrap().1;
    std::fs::write(&model, format!("{start}description = \"{{{{data}}}} </script> & <b>\"{rest}"))
        .unwrap();
    common::ok(&["run", text(&model), "--html", text(&html)]);
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("<p>{{data}} &lt;/script&gt; &amp; &lt;b&gt;</p>"));
}

#[test]
fn an_fmu_gives_a_page_of_curves_without_a_film() {
    let folder = folder("fmu");
    let (fmu, html) = (folder.join("incline.fmu"), folder.join("page.html"));
    common::ok(&["pack", "--native", &model("incline"), "-o", text(&fmu)]);
    let run = ["run", text(&fmu), "--stop", "0.1"];
    common::ok(&[&run[..], &["--html", text(&html)]].concat());
    let data = data(&std::fs::read_to_string(html).unwrap());
    assert!(data["animation"].is_null());
    assert!(!data["curves"]["panels"].as_array().unwrap().is_empty());
    let film = folder.join("film");
    let message = common::refused(&[&run[..], &["--vtk", text(&film)]].concat());
    assert!(message.contains("--vtk take a model file"), "{message}");
    assert!(!film.exists());
}

#[test]
fn a_number_of_frames_that_makes_no_film_is_refused() {
    for frames in ["0", "1", "20001"] {
        let message = refused("incline", &["--frames", frames]);
        assert!(message.contains("allowed: 2 to 20000"), "{message}");
    }
}

#[test]
fn a_film_for_paraview_lists_its_frames_and_replaces_an_earlier_one() {
    let folder = folder("vtk");
    let film = folder.join("film");
    let run = |frames: &str| ok("incline", &["--vtk", text(&film), "--frames", frames]);
    run("20");
    let first = names(&film);
    assert_eq!(first[0], "incline.pvd");
    run("5");
    let files = names(&film);
    assert!(files.len() < first.len());
    let list = std::fs::read_to_string(film.join("incline.pvd")).unwrap();
    for file in &files[1..] {
        assert!(list.contains(&format!("file=\"{file}\"")), "{file}");
    }
    assert_eq!(list.matches("<DataSet").count(), files.len() - 1);
    assert_eq!(names(&folder), ["film"], "nothing else is left");
}

#[test]
fn a_film_destroys_nothing_that_is_in_its_way() {
    let folder = folder("in_the_way");
    let (file, full) = (folder.join("file"), folder.join("full"));
    std::fs::write(&file, "mine").unwrap();
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("notes.txt"), "mine").unwrap();
    let message = refused("incline", &["--vtk", text(&file)]);
    assert!(message.contains("a file of this name exists"), "{message}");
    let message = refused("incline", &["--vtk", text(&full)]);
    assert!(message.contains("notes.txt"), "{message}");
    let message = refused("incline", &["--vtk", text(&folder.join("no/film"))]);
    assert!(message.contains("there is no folder"), "{message}");
    let message = refused("incline", &["--html", text(&full)]);
    assert!(message.contains("a folder of this name exists"), "{message}");
    let csv = folder.join("rows.csv");
    let html = folder.join("no/page.html");
    let message = refused("incline", &["-o", text(&csv), "--html", text(&html)]);
    assert!(message.contains("there is no folder"), "{message}");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
    assert_eq!(names(&full), ["notes.txt"]);
    assert_eq!(names(&folder), ["file", "full"]);
}

/// An arm that a motor turns; on its end a bushing and a hinge that turns so far only, and a spring that is stopped.
pub fn turning() -> String {
    Mechanism::new("turning")
        .step(1e-3)
        .points("hub = [0.0, 0.0], tip = [1.0, 0.0], held = [1.0, 0.0], end = [2.0, 0.0]")
        .and("floor = [2.0, -1.0]")
        .member("arm", ["hub", "tip"], "rigid = true, mass = 1.0, inertia = 0.1")
        .member("rod", ["held", "end"], "rigid = true, mass = 1.0, inertia = 0.1")
        .pin("hub")
        .motion("motor", "point = 'hub', direction = 'rotation', rate = 2.0")
        .spring("mount", "from = 'tip', to = 'held'")
        .and("bushing = { stiffness = [1e4, 1e4, 100.0], damping = [100.0, 100.0, 1.0] }")
        .spring("limit", "from = 'tip', to = 'held', direction = 'rotation'")
        .and("stop = { least = -0.5, most = 0.25, rigid = true }")
        .spring("rope", "ground = 'floor', to = 'end', stop = { most = 3.0, stiffness = 10.0 }")
        .outputs("motions.motor.position")
        .text()
}

#[test]
fn a_bushing_turns_with_its_frame_and_stops_stand_where_they_are_met() {
    let folder = folder("turning");
    let [file, html] = ["model.toml", "page.html"].map(|name| folder.join(name));
    std::fs::write(&file, turning()).unwrap();
    common::ok(&["run", text(&file), "--stop", "1", "--html", text(&html)]);
    let page = std::fs::read_to_string(html).unwrap();
    let data = data(&page);
    let film = &data["animation"];
    // The rings with their axes and the stops of the hinge turn with the arm, as its motor does.
    let turning: Vec<&str> = page.split("data-turns=\"").skip(1).collect();
    assert_eq!(turning.len(), 2);
    for group in turning {
        let unknown = group.split('"').next().unwrap();
        let turned = singles(&film["turns"][unknown]);
        let frames = turned.len() - 1;
        for (k, turned) in turned.iter().enumerate() {
            let exact = 2.0 * k as f64 / frames as f64;
            assert!((turned - exact).abs() < 1e-6, "{k}: {turned} {exact}");
        }
    }
    let springs = film["springs"].as_array().unwrap();
    assert_eq!(springs.len(), 1);
    assert_eq!(springs[0]["stops"], serde_json::json!([[3.0, false]]));
}

#[test]
fn films_show_bodies_from_drawings_and_bodies_without_a_shape_where_their_points_are() {
    let folder = folder("films");
    std::fs::copy(project("tests/drawings/gear.dxf"), folder.join("gear.dxf")).unwrap();
    let model = folder.join("two.toml");
    let two = Mechanism::new("two")
        .step(1e-3)
        .entry("experiment", "stop_time = 0.5, communication_step = 0.01")
        .gravity(-9.81)
        .points("pivot = [0.1, 0.0], centre = [0.15, 0.0], end = [0.22, 0.03]")
        .steel()
        .body("gear", "material = 'steel', thickness = 0.01, rigid = true")
        .and("drawing = { file = 'gear.dxf', size = 0.005 }")
        .body("rod", "rigid = true, mass = 0.2, inertia = 0.001, center = 'centre'")
        .and("points = ['pivot', 'end']")
        .pin("pivot")
        .support("axle", "point = 'gear.axle', fix = ['x', 'y']")
        .motion("turn", "point = 'gear.axle', direction = 'rotation', rate = 3.0")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("pivot", "rotation_rate = 0.0")
        .outputs("points.end.* points.gear.mark.*")
        .text();
    std::fs::write(&model, two).unwrap();
    let [film, csv, html] = ["film", "rows.csv", "page.html"].map(|name| folder.join(name));
    let results = ["--vtk", text(&film), "-o", text(&csv), "--html", text(&html)];
    common::ok(&[&["run", text(&model)], &results[..]].concat());
    let rows = table(&csv);
    let frames = names(&film);
    let frames: Vec<&String> = frames.iter().filter(|name| name.ends_with(".vtu")).collect();
    assert_eq!(frames.len(), rows.len() - 1);
    for row in [0, frames.len() / 2, frames.len() - 1] {
        let frame = std::fs::read_to_string(film.join(frames[row])).unwrap();
        let points = array(&frame, "Points", f64::from_le_bytes);
        for point in ["end", "gear.mark"] {
            let [x, y] =
                ["x", "y"].map(|axis| values(&rows, &format!("points.{point}.{axis}"))[row]);
            let near = points.chunks_exact(3).map(|p| (p[0] - x).hypot(p[1] - y));
            let near = near.fold(f64::INFINITY, f64::min);
            assert!(near < 1e-12, "{point} in frame {row}: {near} m");
        }
    }
    let page = data(&std::fs::read_to_string(html).unwrap());
    let solids = page["animation"]["solids"].as_array().unwrap().iter();
    let solids: Vec<&str> = solids.map(|solid| solid["name"].as_str().unwrap()).collect();
    assert_eq!(solids, ["gear", "rod"]);
}
