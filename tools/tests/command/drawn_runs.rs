//! Pictures and plots of a run: what they show is where the outputs say that it is.

use std::path::Path;

use tiny_skia::Pixmap;

use crate::common::{self, folder, model, text};
use crate::mechanism::Mechanism;
use crate::written::{table, values};

/// Numbers of an attribute.
fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
    let (_, rest) = svg.split_once(&format!("{attribute}=\"")).expect(attribute);
    let (value, _) = rest.split_once('"').unwrap();
    value.split(' ').map(|number| number.parse().unwrap()).collect()
}

/// A picture on white as PNG, with two pixels for each of the drawing in SVG.
struct Picture(Pixmap);

impl Picture {
    fn read(path: &Path, svg: &str) -> Picture {
        let map = Pixmap::decode_png(&std::fs::read(path).unwrap()).unwrap();
        let size = ["width", "height"].map(|side| 2 * numbers(svg, side)[0] as u32);
        assert_eq!([map.width(), map.height()], size);
        Picture(map)
    }

    /// Red, green and blue at a place of the drawing.
    fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let pixel = self.0.pixel((2.0 * x) as u32, (2.0 * y) as u32).unwrap();
        assert_eq!(pixel.alpha(), 255);
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    /// How many pixels are darker than the lines of a grid, from one corner to the other.
    fn dark(&self, [left, top]: [f64; 2], [right, bottom]: [f64; 2]) -> usize {
        let steps = |from: f64, to: f64| {
            (0..(2.0 * (to - from)) as usize).map(move |k| from + 0.5 * k as f64)
        };
        let places = steps(left, right).flat_map(|x| steps(top, bottom).map(move |y| (x, y)));
        places.filter(|(x, y)| self.at(*x, *y).iter().any(|part| *part < 150)).count()
    }
}

/// Each text of a drawing, with its left and right end at about this width of a letter, and its foot.
fn texts(svg: &str, letter: f64) -> Vec<(&str, [f64; 3])> {
    let texts = svg.split("<text ").skip(1).map(|part| {
        let (attributes, rest) = part.split_once('>').unwrap();
        let text = rest.split_once("</text>").unwrap().0;
        let [x, y] =
            ["x", "y"].map(|axis| numbers(&format!(" {attributes}"), &format!(" {axis}"))[0]);
        let width = letter * text.chars().count() as f64;
        let left = match () {
            () if attributes.contains("\"end\"") => x - width,
            () if attributes.contains("\"middle\"") => x - 0.5 * width,
            () => x,
        };
        (text, [left, left + width, y])
    });
    texts.collect()
}

/// A drawn run: the model, the points that are outputs, the end and a time in between, s.
fn still(name: &str, points: &[&str], stop: &str, at: f64) {
    let folder = folder(&format!("still_{name}"));
    let [svg, png, csv] = ["a.svg", "a.png", "a.csv"].map(|file| folder.join(file));
    let pictures = ["--svg", text(&svg), "--png", text(&png), "-o", text(&csv)];
    let when = at.to_string();
    common::ok(&[&["run", &model(name), "--stop", stop, "--at", &when], &pictures[..]].concat());
    let rows = table(&csv);
    let row = values(&rows, "time").iter().position(|time| (time - at).abs() < 1e-9).unwrap();
    let drawing = std::fs::read_to_string(svg).unwrap();
    let (scale, origin) = (numbers(&drawing, "data-scale")[0], numbers(&drawing, "data-origin"));
    // A dot at each named point.
    let dots: Vec<[f64; 2]> = drawing
        .lines()
        .filter(|line| line.starts_with("<circle") && line.contains("r=\"2\""))
        .map(|line| ["cx", "cy"].map(|axis| numbers(line, axis)[0]))
        .collect();
    for point in points {
        let [x, y] = ["x", "y"].map(|axis| values(&rows, &format!("points.{point}.{axis}"))[row]);
        let expected = [origin[0] + scale * x, origin[1] - scale * y];
        let near = dots.iter().map(|dot| (dot[0] - expected[0]).hypot(dot[1] - expected[1]));
        // Places in a drawing have one digit behind the point.
        assert!(near.fold(f64::INFINITY, f64::min) < 0.1, "{name}: {point} at {expected:?}");
    }
    assert!(drawing.contains(&format!("at t = {at} s")), "{name}");
    let picture = Picture::read(&png, &drawing);
    for [x, y] in dots {
        assert_eq!(picture.at(x, y), [33, 37, 41], "{name}: {x} {y}");
    }
    // The length of the bar in the lower right corner, with nothing above it.
    let all = texts(&drawing, 6.0);
    let (_, [left, right, foot]) = all.iter().rfind(|(text, _)| text.ends_with(" m")).unwrap();
    assert!(picture.dark([*left, foot - 10.0], [*right, *foot]) > 40, "{name}");
    assert_eq!(picture.dark([*left, foot - 30.0], [*right, foot - 16.0]), 0, "{name}");
}

#[test]
fn a_drawing_shows_points_where_the_outputs_say_that_they_are_at_that_time() {
    still("quick_return", &["A"], "0.4", 0.3);
    still("belt_tensioner", &["pulley"], "0.4", 0.2);
}

#[test]
fn exaggerated_deformations_take_along_what_slides_on_them() {
    let folder = folder("exaggerated");
    let [svg, csv] = ["a.svg", "a.csv"].map(|file| folder.join(file));
    let run = ["run", &model("moving_mass_on_bridge"), "--stop", "0.6", "-o", text(&csv)];
    common::ok(&[&run[..], &["--exaggerate", "1000", "--svg", text(&svg)]].concat());
    let rows = table(&csv);
    let deflection = *values(&rows, "points.wheel.y").last().unwrap();
    let drawing = std::fs::read_to_string(svg).unwrap();
    assert!(drawing.contains("deformations × 1000"));
    let (scale, origin) = (numbers(&drawing, "data-scale")[0], numbers(&drawing, "data-origin"));
    // The mass is a disc of 6.5 px.
    let mass = drawing.lines().find(|line| line.contains("r=\"6.5\"")).unwrap();
    let height = (origin[1] - numbers(mass, "cy")[0]) / scale;
    assert!(deflection < -1e-5, "{deflection}");
    assert!((height - 1000.0 * deflection).abs() < 0.1 / scale, "{height} {deflection}");
}

#[test]
fn the_trace_of_a_point_has_one_scale_along_both_axes() {
    let folder = folder("trace");
    let svg = folder.join("a.svg");
    let run = ["run", &model("quick_return"), "--stop", "0.4", "--plot", text(&svg)];
    common::ok(&[&run[..], &["points.A.x", "points.A.y"]].concat());
    let plot = std::fs::read_to_string(&svg).unwrap();
    let by_pixel = ["data-x", "data-y"].map(|axis| {
        let range = numbers(&plot, axis);
        ((range[1] - range[0]) / (range[3] - range[2])).abs()
    });
    assert!((by_pixel[0] / by_pixel[1] - 1.0).abs() < 1e-3, "{by_pixel:?}");
}

/// The drawing of a run without its title, whose factor of deformations is this.
fn drawing(name: &str, factor: &str, at: &str, stop: &str) -> String {
    let folder = folder(&format!("rigid_{factor}_{name}"));
    let svg = folder.join("a.svg");
    let run = ["run", &model(name), "--stop", stop, "--at", at, "--svg", text(&svg)];
    common::ok(&[&run[..], &["--exaggerate", factor]].concat());
    let drawing = std::fs::read_to_string(svg).unwrap();
    drawing.replace(&format!(", deformations × {factor}"), "")
}

#[test]
fn rigid_bodies_and_rigid_members_are_drawn_where_they_are_however_large_deformations_are_drawn() {
    for (name, at, stop) in
        [("slider_crank_with_clearance", "0.005", "0.006"), ("compressor", "0.01", "0.011")]
    {
        let [own, larger] = ["1", "5"].map(|factor| drawing(name, factor, at, stop));
        assert!(own == larger, "{name}");
    }
}

/// A rigid block on a column that a force bends.
fn block_on_column() -> String {
    Mechanism::new("block_on_column")
        .step(0.1)
        .solver("analysis = 'quasi_static'")
        .entry("experiment", "stop_time = 1.0, communication_step = 0.1")
        .points("foot = [0.0, 0.0], head = [0.0, 1.0]")
        .and("a = [-0.2, 1.0], b = [0.2, 1.0], c = [0.2, 1.3], d = [-0.2, 1.3]")
        .steel()
        .rectangle("bar", 0.02, 0.02)
        .member("column", ["foot", "head"], "elements = 4, material = 'steel', section = 'bar'")
        .body("block", "rigid = true, mass = 1.0, inertia = 1.0, order = 1, points = ['head']")
        .patch("block", [1, 1], "bottom: a, right: b, top: c, left: d")
        .clamp("foot")
        .load("push", "point = 'c', fx = 10.0")
        .text()
}

#[test]
fn a_rigid_body_goes_along_with_exaggerated_deformations_and_keeps_its_points_at_its_corners() {
    let folder = folder("block_on_column");
    let [file, svg] = ["a.toml", "a.svg"].map(|file| folder.join(file));
    std::fs::write(&file, block_on_column()).unwrap();
    let run = ["run", text(&file), "--svg", text(&svg)];
    common::ok(&[&run[..], &["--exaggerate", "20"]].concat());
    let drawing = std::fs::read_to_string(svg).unwrap();
    let body = drawing.lines().find(|line| line.contains("evenodd")).unwrap();
    let path = body.split_once(" d=\"").unwrap().1.split_once('"').unwrap().0;
    let values: Vec<f64> = path
        .split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'))
        .filter_map(|number| number.parse().ok())
        .collect();
    let corners: Vec<[f64; 2]> = values.chunks_exact(2).map(|xy| [xy[0], xy[1]]).collect();
    let dots: Vec<[f64; 2]> = drawing
        .lines()
        .filter(|line| line.starts_with("<circle") && line.contains("r=\"2\""))
        .map(|line| ["cx", "cy"].map(|axis| numbers(line, axis)[0]))
        .collect();
    let on_a_dot = |corner: &&[f64; 2]| {
        let away = |dot: &[f64; 2]| (dot[0] - corner[0]).hypot(dot[1] - corner[1]);
        // Places in a drawing have one digit behind the point.
        dots.iter().any(|dot| away(dot) < 0.15)
    };
    assert_eq!(corners.iter().filter(on_a_dot).count(), 4, "{corners:?} {dots:?}");
    // The block turns with the head of the column, and is 0.4 m wide still.
    let scale = numbers(&drawing, "data-scale")[0];
    let [a, b] = [corners[0], corners[1]];
    assert!(((b[0] - a[0]).hypot(b[1] - a[1]) / scale - 0.4).abs() < 0.2 / scale);
    assert!((b[1] - a[1]).abs() > 2.0, "{corners:?}");
}

#[test]
fn a_point_that_is_followed_stays_in_the_middle() {
    let folder = folder("followed");
    let gif = folder.join("a.gif");
    let model = model("moving_mass_on_bridge");
    let run = ["run", &model, "--frames", "11", "--gif", text(&gif)];
    common::ok(&[&run[..], &["--follow", "wheel", "--width", "3"]].concat());
    let (shown, width) = pictures(&gif, 36);
    assert_eq!(shown.len(), 12);
    for picture in &shown {
        // The disc hides nothing at its own height, and is symmetric.
        let own = (0..picture.len()).filter(|&k| picture[k] == MASS);
        let columns: Vec<f64> = own.map(|k| (k % width) as f64).collect();
        let middle = columns.iter().sum::<f64>() / columns.len() as f64;
        assert!((middle - 0.5 * width as f64).abs() < 1.0, "{middle}");
    }
    let said =
        common::refused(&["run", &model, "--follow", "whel", "--width", "3", "--gif", "a.gif"]);
    assert!(
        said.contains("--follow whel: no point of this model; did you mean `wheel`?"),
        "{said}"
    );
}

/// Red, green and blue of a mass.
const MASS: [u8; 3] = [180, 83, 9];

/// The pictures of a GIF, each as red, green and blue of all pixels, and their width.
fn pictures(path: &Path, delay: u16) -> (Vec<Vec<[u8; 3]>>, usize) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut reader = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
    let (width, height) = (usize::from(reader.width()), usize::from(reader.height()));
    let palette = reader.global_palette().unwrap().to_vec();
    let mut shown = vec![[255; 3]; width * height];
    let mut all = Vec::new();
    while let Some(frame) = reader.read_next_frame().unwrap() {
        assert_eq!(frame.delay, delay);
        for (k, &index) in frame.buffer.iter().enumerate() {
            let x = usize::from(frame.left) + k % usize::from(frame.width);
            let y = usize::from(frame.top) + k / usize::from(frame.width);
            if frame.transparent != Some(index) {
                let at = 3 * usize::from(index);
                shown[y * width + x] = [palette[at], palette[at + 1], palette[at + 2]];
            }
        }
        all.push(shown.clone());
    }
    (all, width)
}

#[test]
fn a_motion_shows_a_mass_where_the_outputs_say_that_it_is() {
    let folder = folder("motion");
    let [gif, csv] = ["a.gif", "a.csv"].map(|file| folder.join(file));
    let run = ["run", &model("moving_mass_on_bridge"), "--gif", text(&gif), "-o", text(&csv)];
    let said = common::ok(&run);
    assert!(said.contains("a.gif: 4 s, 0.45 times real speed"), "{said}");
    let (shown, width) = pictures(&gif, 4);
    assert_eq!(shown.len(), 101);
    let rows = table(&csv);
    let (times, x) = (values(&rows, "time"), values(&rows, "points.wheel.x"));
    // The mass is the only thing of its colour.
    let middle = |picture: &[[u8; 3]]| -> f64 {
        let own = (0..picture.len()).filter(|&k| picture[k] == MASS);
        let columns: Vec<f64> = own.map(|k| (k % width) as f64).collect();
        columns.iter().sum::<f64>() / columns.len() as f64
    };
    let seen: Vec<f64> = shown.iter().map(|picture| middle(picture)).collect();
    let exact: Vec<f64> = (0..shown.len())
        .map(|k| {
            let time = 1.8 * k as f64 / (shown.len() - 1) as f64;
            x[times.iter().rposition(|t| *t <= time + 1e-9).unwrap()]
        })
        .collect();
    let ends = |list: &[f64]| -> [f64; 2] {
        let ends = [f64::INFINITY, f64::NEG_INFINITY];
        list.iter().fold(ends, |[low, high], v| [low.min(*v), high.max(*v)])
    };
    let ([left, right], [low, high]) = (ends(&seen), ends(&exact));
    assert!(right - left > 100.0, "{left} {right}");
    for (seen, exact) in seen.iter().zip(&exact) {
        let expected = left + (exact - low) / (high - low) * (right - left);
        assert!((seen - expected).abs() < 1.0, "{seen} {expected}");
    }
}

#[test]
fn a_plot_shows_outputs_over_each_other() {
    let folder = folder("plot");
    let [svg, csv] = ["loop.svg", "a.csv"].map(|file| folder.join(file));
    let model = model("rabinowicz");
    let run = ["run", &model, "--stop", "8", "-o", text(&csv)];
    let [x, y] = ["points.block.x", "energy.friction_work"];
    common::ok(&[&run[..], &["--plot", text(&svg), x, y, "points.block.vx"]].concat());
    let rows = table(&csv);
    let drawing = std::fs::read_to_string(svg).unwrap();
    assert!(drawing.contains("points.block.x, m"));
    // One plot for each unit, J and m/s.
    for (plot, output) in drawing.split("<g data-x").skip(1).zip([y, "points.block.vx"]) {
        let plot = format!("data-x{plot}");
        let [across, up] = ["data-x", "data-y"].map(|axis| numbers(&plot, axis));
        let (_, path) = plot.split_once(" d=\"M").filter(|_| plot.contains("class=\"c\"")).unwrap();
        let (_, path) = plot
            .split_once("class=\"c\"")
            .map_or(("", path), |(_, rest)| rest.split_once(" d=\"M").unwrap());
        let (path, _) = path.split_once('"').unwrap();
        let place = |value: f64, axis: &[f64]| {
            axis[2] + (value - axis[0]) / (axis[1] - axis[0]) * (axis[3] - axis[2])
        };
        let exact: Vec<[f64; 2]> = (values(&rows, x).iter().zip(values(&rows, output)))
            .map(|(x, y)| [place(*x, &across), place(y, &up)])
            .collect();
        let drawn = path.split('L').map(|point| {
            let (x, y) = point.split_once(' ').unwrap();
            [x, y].map(|number| number.parse::<f64>().unwrap())
        });
        let near = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let drawn: Vec<[f64; 2]> = drawn.collect();
        for point in &drawn {
            let away = exact.iter().map(|own| near(own, point)).fold(f64::INFINITY, f64::min);
            assert!(away < 0.1, "{output}: {point:?} {away}");
        }
        for point in &exact {
            let away = drawn.iter().map(|own| near(own, point)).fold(f64::INFINITY, f64::min);
            assert!(away < 0.6, "{output}: {point:?} {away}");
        }
    }
}

#[test]
fn a_plot_as_png_has_its_letters_and_its_curve_where_the_outputs_are() {
    let folder = folder("plot_png");
    let [svg, png, csv] = ["a.svg", "a.PNG", "a.csv"].map(|file| folder.join(file));
    let model = model("rabinowicz");
    for file in [&svg, &png] {
        let run = ["run", &model, "--stop", "8", "-o", text(&csv)];
        common::ok(&[&run[..], &["--plot", text(file), "time", "points.block.x"]].concat());
    }
    let drawing = std::fs::read_to_string(&svg).unwrap();
    let picture = Picture::read(&png, &drawing);
    let all = texts(&drawing, 5.0);
    for name in ["time, s", "m", "points.block.x", "0", "2", "4", "6", "8"] {
        let (_, [left, right, foot]) = all.iter().find(|(text, _)| *text == name).expect(name);
        let dark = picture.dark([*left, foot - 9.0], [*right, *foot]);
        assert!(dark > 10 * name.len().min(2), "{name}: {dark}");
    }
    assert_eq!(picture.dark([60.0, 18.0], [400.0, 27.0]), 0, "between title and plot");
    let rows = table(&csv);
    let [across, up] = ["data-x", "data-y"].map(|axis| numbers(&drawing, axis));
    let place = |value: f64, axis: &[f64]| {
        axis[2] + (value - axis[0]) / (axis[1] - axis[0]) * (axis[3] - axis[2])
    };
    let exact: Vec<[f64; 2]> = (values(&rows, "time").iter().zip(values(&rows, "points.block.x")))
        .map(|(time, x)| [place(*time, &across), place(x, &up)])
        .collect();
    // The colour of the first curve, which its name in the upper right corner has, too.
    let curve = [11, 116, 200];
    for [x, y] in &exact[1..exact.len() - 1] {
        assert_eq!(picture.at(*x, *y), curve, "{x} {y}");
    }
    let (_, [left, _, foot]) = all.iter().find(|(text, _)| *text == "points.block.x").unwrap();
    let mut met = 0;
    for [x, y] in (0..840 * 600).map(|k| [0.5 * f64::from(k % 840), 0.5 * f64::from(k / 840)]) {
        let named = x > left - 30.0 && y < foot + 4.0;
        if picture.at(x, y) == curve && !named {
            let away = exact.iter().map(|own| (own[0] - x).hypot(own[1] - y));
            assert!(away.fold(f64::INFINITY, f64::min) < 1.5, "{x} {y}");
            met += 1;
        }
    }
    assert!(met > 700, "{met}");
}

#[test]
fn what_cannot_be_drawn_is_said_before_anything_runs() {
    let (model, fmu) = (model("quick_return"), "none.fmu");
    let refused = |arguments: &[&str]| common::refused(&[&["run"], arguments].concat());
    for (arguments, expected) in [
        (&[&model, "--gif", "a.png"][..], "--gif a.png; allowed: a file whose name ends in .gif"),
        (&[&model, "--at", "0.1"], "--at is the time of a picture; add --svg or --png"),
        (&[&model, "--svg", "a.svg", "--follow", "A", "--width", "1"], "add --gif or --mp4"),
        (&[&model, "--exaggerate", "5"], "--exaggerate is for pictures; add"),
        (&[&model, "--png", "a.png", "--at", "99"], "--at 99; allowed: from 0 to the end, 1.6 s"),
        (&[&model, "--svg", "a.svg", "--at", "-1"], "--at -1; allowed: from 0 to the end, 1.6 s"),
        (
            &[&model, "--svg", "a.svg", "--at", "max:points.A.xx"],
            "--at: `points.A.xx` is no output of this model; did you mean `points.A.x`?",
        ),
        (&[fmu, "--gif", "a.gif"], "an FMU does not show its inside"),
        (
            &[&model, "--plot", "a.pdf", "time", "points.A.x"],
            "ends in .svg or .png, then the outputs",
        ),
        (&[&model, "--plot", "a.svg", "time", "points.A.xx"], "did you mean `points.A.x`?"),
        (
            &[&model, "--html", "a.html", "--over", "points.A.x", "points.A.yy"],
            "did you mean `points.A.y`?",
        ),
    ] {
        let said = refused(arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    let word = common::call(&["run", &model, "--gif", "a.gif", "--exaggerate", "much"]);
    let said = String::from_utf8(word.stderr).unwrap();
    assert!(said.contains("allowed: a number above 0, or `auto`"), "{said}");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_coulisse"));
    let without = command.args(["run", &model, "--mp4", "a.mp4"]).env("PATH", "").output().unwrap();
    let said = String::from_utf8(without.stderr).unwrap();
    assert!(said.contains("a.mp4: ffmpeg is not installed"), "{said}");
}

#[test]
fn a_picture_shows_where_an_output_is_largest_behind_the_transient() {
    let folder = folder("picture_of_an_extreme");
    let picture = folder.join("peak.svg");
    let run = ["run", &model("quick_return"), "--from", "0.2", "--stop", "0.9"];
    let drawn = ["--svg", common::text(&picture), "--at", "max:points.A.x"];
    let told = common::ok(&[&run[..], &drawn].concat());
    // Name, unit, smallest, its time, largest, its time.
    let line = told.lines().find(|line| line.trim_start().starts_with("points.A.x "));
    let at = line.and_then(|line| line.split_whitespace().nth(5)).expect("a time");
    assert!((0.2..0.9).contains(&at.parse::<f64>().expect("a time")), "{told}");
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    assert!(drawn.contains(&format!("at t = {at} s")), "{at}");
    assert!(told.contains("from t = 0.2 s on"), "{told}");
}
