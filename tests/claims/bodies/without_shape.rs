//! Rigid bodies of which mass, inertia, centre of mass and points alone are known.

use coulisse::model::Model;

use crate::common::Simulation;

/// A body of 2 kg and 0.3 kg·m² that swings about a point 0.5 m beside its centre of mass, with these keys.
fn text(keys: &str) -> String {
    format!(
        "name = \"pendulum\"\n[solver]\nstep = 1e-3\n[gravity]\ny = -9.81\n\
         [points]\npivot = [0.0, 0.0]\ncentre = [0.5, 0.0]\nend = [1.2, 0.3]\n\
         a = [0.4, -0.1]\nb = [0.6, -0.1]\nc = [0.6, 0.1]\nd = [0.4, 0.1]\n\
         [bodies.rod]\nrigid = true\nmass = 2.0\ninertia = 0.3\n{keys}\n\
         [supports.pivot]\npoint = \"pivot\"\nfix = [\"x\", \"y\"]\n\
         [interface]\noutputs = [\"points.end.*\", \"supports.pivot.*\", \"energy.*\"]\n"
    )
}

const ALONE: &str = "center = \"centre\"\npoints = [\"pivot\", \"end\"]";

#[test]
fn it_moves_as_the_same_body_with_a_shape_does() {
    let shape = "points = [\"pivot\", \"end\"]\n[bodies.rod.outline]\nsize = 0.1\nedges = [\n\
         { name = \"a\", from = \"a\", to = \"b\" }, { name = \"b\", from = \"b\", to = \"c\" },\n\
         { name = \"c\", from = \"c\", to = \"d\" }, { name = \"d\", from = \"d\", to = \"a\" } ]";
    // The centre of this shape is elsewhere, and `center` counts.
    let shifted = shape
        .replace("points =", "center = \"centre\"\npoints =")
        .replace("\"b\", to = \"c\"", "\"b\", to = \"end\"");
    let shifted = shifted.replace("\"c\", from = \"c\"", "\"c\", from = \"end\"");
    let run = |keys: &str| {
        let mut run = Simulation::of(&text(keys));
        let mut seen = Vec::new();
        run.run(1.0, 0.1, |run| {
            seen.push(
                ["points.end.x", "points.end.y", "supports.pivot.fx", "supports.pivot.fy"]
                    .map(|name| run.get(name)),
            );
        });
        seen
    };
    let expected = run(shape);
    for keys in [ALONE.to_string(), shifted] {
        for (seen, expected) in run(&keys).iter().flatten().zip(expected.iter().flatten()) {
            assert!(
                (seen - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                "{keys}: {seen} {expected}"
            );
        }
    }
}

#[test]
fn what_it_lacks_is_said() {
    let says = |keys: &str, part: &str| {
        let model = Model::parse(&text(keys), "m.toml", &|_: &str| Ok(Vec::new())).expect("a text");
        let faults = model.check().expect_err("a fault").to_string();
        assert!(faults.contains(part), "{faults}");
    };
    says(
        "points = [\"pivot\"]",
        "`mass` and `inertia` and `center` and `points`; give at least one",
    );
    says(
        "center = \"centre\"",
        "`mass` and `inertia` and `center` and `points`; give at least one",
    );
}
