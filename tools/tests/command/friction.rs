//! `coulisse friction`, and what the figures in the documents show.

use std::path::Path;

use crate::common::{self, folder, model, project};

fn ok(arguments: &[&str]) -> String {
    common::ok(&[&["friction"], arguments].concat())
}

fn refused(arguments: &[&str]) -> String {
    common::refused(&[&["friction"], arguments].concat())
}

/// Numbers of an attribute or a path.
fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| c.is_whitespace() || c == 'M' || c == 'L');
    parts.filter_map(|part| part.parse().ok()).collect()
}

/// The curves of a drawing of one plot, in its own units, and what a pixel is worth in y.
fn curves(svg: &str) -> (Vec<Vec<(f64, f64)>>, f64) {
    let attribute = |name: &str| {
        let from = svg.find(name).unwrap() + name.len() + 2;
        numbers(svg[from..].split('"').next().unwrap())
    };
    let (x, y) = (attribute("data-x"), attribute("data-y"));
    let value = |axis: &[f64], at: f64| {
        axis[0] + (at - axis[2]) / (axis[3] - axis[2]) * (axis[1] - axis[0])
    };
    let drawn = svg.split("class=\"c\"").skip(1);
    let curves = drawn.map(|curve| {
        let path = curve.split(" d=\"").nth(1).unwrap().split('"').next().unwrap();
        let pairs = numbers(path);
        pairs.chunks(2).map(|p| (value(&x, p[0]), value(&y, p[1]))).collect()
    });
    (curves.collect(), ((y[1] - y[0]) / (y[3] - y[2])).abs())
}

#[test]
fn the_figures_show_the_numbers_of_the_paper() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/friction");
    let read = |figure: u32, curve: usize, at: f64| {
        let svg = std::fs::read_to_string(kept.join(format!("fig{figure:02}.svg"))).unwrap();
        let (curves, pixel) = curves(&svg);
        let near = |p: &&(f64, f64)| (p.0 - at).abs() < 0.02;
        let point = curves[curve].iter().find(near).copied().unwrap();
        (point.1, pixel)
    };
    // Figure, curve, v or v₀, value: independent numbers for v_r = 0.5, F_t0 = 1.
    for (figure, curve, at, expected) in [
        (6, 0, 0.25, 0.5),
        (6, 0, 3.0, 1.0),
        (11, 0, 1.5, 1.0 - 0.5 * 1.0_f64.atan()),
        (12, 1, 1.5, 1.0 - 0.7 * (1.0 - (-1.0_f64).exp())),
        (15, 0, 2.0, 0.8),
        (15, 0, 5.0, 1.3),
        (17, 1, 3.0, 0.422_440),
        (17, 2, 3.0, 0.422_440 + 0.1 * 0.788_780),
        (18, 0, 3.0, 0.422_440 - 0.2 * 0.788_780),
        (19, 2, 3.0, 0.422_440 + 0.02 * 1.652_336),
        (20, 2, 3.0, 0.422_440 + 5e-4 * 8.180_869),
        (21, 0, 3.0, 0.422_440 - 0.05 * 1.652_336 + 0.006 * 3.627_304),
        (22, 5, 0.4, 4.0),
    ] {
        let (shown, pixel) = read(figure, curve, at);
        // Drawn to a tenth of a pixel, at a point up to half a pixel away in x.
        let off = (shown - expected).abs();
        assert!(off < pixel, "Fig. {figure}, curve {curve}: {shown}, {expected}");
    }
}

#[test]
fn a_law_is_printed_and_drawn_with_its_numbers() {
    let out = folder("law");
    let (svg, html) = (out.join("law.svg"), out.join("law.html"));
    let text = ok(&[
        "modified_coulomb",
        "--set",
        "coefficient=1",
        "--set",
        "threshold_velocity=0.5",
        "--velocity",
        "6",
        "--svg",
        svg.to_str().unwrap(),
        "--html",
        html.to_str().unwrap(),
    ]);
    let row = text.lines().find(|line| line.trim().starts_with("3 ")).unwrap();
    let row: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(row, ["3", "1", "0.42244", "0.42244"]);
    let drawn = std::fs::read_to_string(svg).unwrap();
    assert_eq!(drawn.matches("class=\"c\"").count(), 3);
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains(drawn.trim_end()) && page.contains("threshold_velocity"));
}

#[test]
fn the_law_of_a_joint_has_the_numbers_of_its_model() {
    let model = model("quick_return");
    let text = ok(&[&format!("{model}#N"), "--normal-force", "500"]);
    assert!(
        text.starts_with("stribeck, for a normal force of 500 N") && text.contains("0.35"),
        "{text}"
    );
    let message = refused(&[&format!("{model}#M")]);
    assert!(message.contains("no sliding joint `M`; there are: S, N"), "{message}");
    let message = refused(&[&format!("{model}#S")]);
    assert!(message.contains("joints.S has no friction"), "{message}");
}

#[test]
fn what_cannot_be_drawn_is_refused_with_what_can() {
    for (arguments, said) in [
        (vec!["dry"], "no friction law `dry`; allowed: coulomb, stribeck,"),
        (vec!["stribeck", "--set", "static_coefficient=0.1"], "below the kinetic coefficient 0.5"),
        (vec!["exponential", "--set", "change=-2"], "change is -2; allowed: at or above -1"),
        (vec!["coulomb", "--set", "mu=0.1"], "there are: coefficient, viscous_coefficient"),
        (vec!["coulomb", "--normal-force", "0"], "--normal-force is 0; allowed"),
        (vec!["coulomb", "--velocity", "nan"], "--velocity is NaN; allowed"),
    ] {
        let message = refused(&arguments);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
}

#[test]
#[ignore = "full tier, 14 s: laws in differential form over many periods"]
fn laws_with_memory_show_their_loop_and_what_acts_like_it() {
    let folder = folder("memory");
    let drawing = folder.join("loop.svg");
    let text = ok(&[
        "spring_friction",
        "--set",
        "stiffness=3",
        "--set",
        "coefficient=1",
        "--amplitude",
        "1",
        "--frequency",
        "0.15915494309189535",
        "--svg",
        drawing.to_str().unwrap(),
    ]);
    // The last row: a = 1 m at ω = 1/s, by quadrature and closed form.
    let last = text.lines().last().unwrap();
    assert_eq!(numbers(last), [1.0, 0.848826, 0.848826, 0.875374, 0.875374]);
    let svg = std::fs::read_to_string(drawing).unwrap();
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    for law in ["dahl", "lugre", "elasto_plastic", "bristle"] {
        let rows = ok(&[law]).lines().filter(|row| numbers(row).len() == 3).count();
        assert_eq!(rows, 12, "{law}");
    }
}

#[test]
fn columns_are_written_with_all_their_digits() {
    let out = folder("columns");
    let file = out.join("law.csv");
    // An empty cell where there is no number.
    let number = |cell: &str| match cell {
        "" => f64::NAN,
        cell => cell.parse().unwrap(),
    };
    let write = |law: &str, key: &str| {
        ok(&[law, key, "2", "--output", file.to_str().unwrap()]);
        let text = std::fs::read_to_string(&file).unwrap();
        let mut lines = text.lines();
        let names = lines.next().unwrap().to_owned();
        let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(number).collect()).collect();
        (names, rows)
    };
    let (names, rows) = write("coulomb", "--velocity");
    assert_eq!(names, "velocity,force,equivalent_damping,closed_damping");
    let last = rows.last().unwrap();
    assert_eq!((rows.len(), last[0]), (96, 2.0));
    // A force F for ever against the motion takes up 4 F v0/ω in a cycle: 4 F/(π v0).
    for row in &rows {
        let exact = 4.0 * row[1] / (std::f64::consts::PI * row[0]);
        assert!((row[3] / exact - 1.0).abs() < 1e-14, "{row:?}");
        assert!((row[2] / exact - 1.0).abs() < 1e-6, "{row:?}");
    }
    let (names, rows) = write("lugre", "--amplitude");
    assert!(names.starts_with("amplitude,equivalent_damping,closed_damping,equivalent_stiffness"));
    // No closed form is known of this law.
    assert!(rows.len() == 60 && rows.iter().all(|row| row[1] > 0.0 && row[2].is_nan()));
}

#[test]
fn velocities_and_amplitudes_are_not_mixed_up() {
    let message = refused(&["dahl", "--velocity", "1"]);
    assert!(message.contains("give --amplitude and --frequency"), "{message}");
    let message = refused(&["coulomb", "--amplitude", "1"]);
    assert!(message.contains("give the largest --velocity"), "{message}");
    let message = refused(&["dahl", "--frequency", "0"]);
    assert!(message.contains("--frequency is 0"), "{message}");
}

#[test]
fn the_figures_of_spring_friction_show_the_numbers_of_the_paper() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/friction");
    let read = |figure: u32, curve: usize, at: f64| {
        let svg = std::fs::read_to_string(kept.join(format!("fig{figure}.svg"))).unwrap();
        let (all, pixel) = curves(&svg);
        let points = all[curve].windows(2);
        let mut around = points.filter(|pair| pair[0].0 <= at && at <= pair[1].0);
        let pair = around.next().unwrap();
        let part = (at - pair[0].0) / (pair[1].0 - pair[0].0).max(f64::MIN_POSITIVE);
        (pair[0].1 + part * (pair[1].1 - pair[0].1), pixel)
    };
    // Eq. 39: the contact rests at a - Δ until τ_r = arccos(1 - 2/3), Eq. 41; the force, Eq. 43.
    let cases = [
        (25, 1, 1.0, 2.0 / 3.0),
        (25, 1, 2.0, 2.0_f64.cos() + 1.0 / 3.0),
        (26, 0, 0.5, 3.0 * (0.5_f64.cos() - 1.0) + 1.0),
        (26, 0, 2.0, -1.0),
        (27, 2, 1.0, 2.0 / 3.0),
        (28, 2, 1.0, 0.848826),
        (28, 5, 4.0, 1.0 / std::f64::consts::PI),
        (29, 2, 1.0, 0.875374),
        (29, 0, 0.5, 1.0),
    ];
    for (figure, curve, at, expected) in cases {
        let (found, pixel) = read(figure, curve, at);
        assert!((found - expected).abs() < pixel, "Fig. {figure}: {found} {expected}");
    }
}

#[test]
fn steady_sliding_of_rigid_contacts_is_refused_with_what_to_do() {
    let rigid = model("slider_crank_with_clearance");
    for arguments in [
        &["sliding", &rigid][..],
        &["sliding", &rigid, "--contact", "guide"],
        &["modes", "--sliding", &rigid],
    ] {
        let said = common::refused(arguments);
        for part in ["contacts.guide has `rigid = true`", "`stiffness`"] {
            assert!(said.contains(part), "{said}");
        }
    }
    let said = common::refused(&["sliding", &rigid, "--contact", "gide"]);
    assert!(said.contains("no contact `gide`; there are: guide"), "{said}");
}

#[test]
fn the_limit_of_sliding_needs_the_name_of_a_contact_only_where_there_are_several() {
    let said = common::ok(&[
        "sliding",
        &model("slider_jams"),
        "--time",
        "1",
        "--limit",
        "parameters.mu=0.1:0.7",
    ]);
    assert!(said.contains("contact rails slides up to parameters.mu = 0.398"), "{said}");
    let everything = project("tests/models/everything.toml");
    let said = common::refused(&["sliding", &everything, "--limit", "parameters.mu=0:1"]);
    assert!(said.contains("name one of the contacts with --contact: upper, lower"), "{said}");
}
