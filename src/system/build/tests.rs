//! What a matrix is factored by.

use crate::linear::Layout;
use crate::model::Model;
use crate::system::System;

/// Masses on a bar of ten elements, springs from each to the next where they are `tied`.
fn sliders(count: usize, tied: bool) -> System {
    let mut text = r#"
        name = "sliders"
        solver.step = 1e-3
        points.l = [0.0, 0.0]
        points.r = [10.0, 0.0]
        materials.steel = { young_modulus = 210e9, poisson_ratio = 0.3, density = 7850.0 }
        sections.bar.rectangle = { height = 0.1, width = 0.1 }
        members.bar = { from = "l", to = "r", elements = 10, material = "steel", section = "bar" }
        supports.l = { point = "l", fix = ["x", "y"] }
        supports.r = { point = "r", fix = ["y"] }
    "#
    .to_string();
    for k in 0..count {
        let place = 10.0 * (k as f64 + 0.5) / count as f64;
        text += &format!(
            r#"
            points.p{k} = [{place:?}, 0.0]
            masses.m{k} = {{ point = "p{k}", mass = 2.0 }}
            joints.j{k}.cylindrical = {{ slider = "p{k}", path = ["bar"], ends = "stop" }}
            "#
        );
    }
    if tied {
        for k in 1..count {
            text += &format!(
                "springs.s{k} = {{ from = \"p{}\", to = \"p{k}\", direction = \"x\", stiffness = 1.0 }}\n",
                k - 1
            );
        }
    }
    let none = |name: &str| Err::<String, _>(std::io::Error::other(name.to_string()));
    let model = Model::parse(&text, "sliders.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    let checked = model.check().unwrap_or_else(|f| panic!("{f}"));
    System::build(&checked).unwrap_or_else(|f| panic!("{f}"))
}

#[test]
fn many_sliders_that_carry_nothing_but_mass_are_condensed() {
    for (count, tied, condensed) in [
        (1, false, false),
        (3, true, false),
        (7, false, true),
        (20, false, true),
        (20, true, false),
    ] {
        let system = sliders(count, tied);
        let is = matches!(system.layout, Layout::Condensed(_));
        assert_eq!(is, condensed, "{count}, {tied}");
    }
}
