//! Numbers that were replaced, in the text of the file.

use crate::model::Model;

const BEAM: &str = r#"name = "beam"        # short

[points]
a = [0.0, 0.0]
b = ["2*half", 0.0]

[parameters]
half = 0.5

[materials]
steel.young_modulus = 2.1e11
steel.poisson_ratio = 0.3
steel.density = 7850

[sections.bar]
properties = { area = 1e-4, second_moment = 1e-8 }

[members.beam]       # elastic
from = "a"
to = "b"
elements = 4         # enough
material = "steel"
section = "bar"

[supports.a]
point = "a"
fix = ["x", "y", "rotation"]
enabled = true

[loads.tip]
point = "b"
history.sine = { frequency = 2.0 }
fy = 3.0

[initial.points.b]
vy = 0.1
"#;

fn beam() -> Model {
    let none = |_: &str| -> std::io::Result<String> { unreachable!("no data") };
    Model::parse(BEAM, "beam.toml", &none).expect("TOML")
}

#[test]
fn a_number_is_written_where_it_stands_or_gets_a_line() {
    for (path, value, line) in [
        ("members.beam.elements", 16.0, "elements = 16         # enough"),
        ("members.beam.order", 2.0, "[members.beam]       # elastic\norder = 2\nfrom"),
        ("points.a[1]", -0.25, "a = [0.0, -0.25]"),
        ("points.b[0]", 1.5, "b = [1.5, 0.0]"),
        ("parameters.half", 1e-9, "half = 1e-9"),
        ("materials.steel.density", 10.0, "steel.density = 10\n"),
        (
            "sections.bar.properties.fourth_moment",
            1e-11,
            "properties = { fourth_moment = 1e-11, area = 1e-4,",
        ),
        ("solver.step", 1e-4, "vy = 0.1\n\n[solver]\nstep = 0.0001\n"),
        ("supports.a.enabled", 0.0, "enabled = false"),
        ("loads.tip.history.sine.phase", 0.3, "{ phase = 0.3, frequency = 2.0 }"),
        ("loads.tip.fx", 5.0, "[loads.tip]\nfx = 5\npoint"),
    ] {
        let patched = beam().with_value(path, value).unwrap_or_else(|fault| panic!("{fault}"));
        let written = patched.written().unwrap_or_else(|fault| panic!("{path}: {fault}"));
        assert!(written.text().contains(line), "{path}:\n{}", written.text());
        let numbers = |model: &Model| (model.numbers(), model.counts());
        assert_eq!(numbers(&written), numbers(&patched), "{path}");
    }
}

#[test]
fn several_numbers_are_written_at_once_and_without_any_the_text_stays() {
    assert_eq!(beam().written().map(|model| model.text().to_owned()), Ok(BEAM.to_owned()));
    let patched = beam().with_value("solver.step", 1e-3).expect("a number");
    let patched = patched.with_value("solver.tolerance", 1e-4);
    // What has no default is no number until it is written.
    assert!(patched.is_err());
    let patched = beam().with_value("members.beam.order", 2.0).expect("a number");
    let patched = patched.with_value("members.beam.elements", 5.0).expect("a number");
    let written = patched.written().expect("both");
    assert!(written.text().contains("order = 2\n") && written.text().contains("elements = 5 "));
}
