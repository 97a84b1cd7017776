//! A stiff bar on many sliders.

/// A steel bar along x with sliders at `sliders` (m) on a rigid guide, loaded at `load` (m); its joints
/// stand in the file in the order of `order`.
pub fn bar(sliders: &[f64], load: f64, law: &str, order: &[usize], analysis: &str) -> String {
    let mut places = sliders.to_vec();
    places.push(load);
    places.sort_by(f64::total_cmp);
    places.dedup();
    let name = |x: f64| format!("p{}", (1e4 * x).round());
    let mut text = format!(
        r#"
name = "redundant"
[solver]
step = 1e-3
analysis = "{analysis}"
[materials.steel]
young_modulus = 2.1e11
density = 7850.0
[sections.square]
rectangle = {{ height = 0.1, width = 0.1 }}
[members.guide]
from = "left"
to = "right"
elements = 1
order = 1
[supports.guide]
member = "guide"
fix = ["x", "y", "rotation"]
[points]
left = [-1.0, 0.0]
right = [3.0, 0.0]
"#
    );
    for x in &places {
        text += &format!("{} = [{x}, 0.0]\n", name(*x));
    }
    for pair in places.windows(2) {
        let (from, to) = (name(pair[0]), name(pair[1]));
        text += &format!(
            "[members.{from}{to}]\nfrom = \"{from}\"\nto = \"{to}\"\nelements = 1\norder = 3\n\
             material = \"steel\"\nsection = \"square\"\n"
        );
    }
    for &i in order {
        let slider = name(sliders[i]);
        text += &format!(
            "[joints.j{i}]\ncylindrical = {{ slider = \"{slider}\", path = [\"guide\"] }}\n\
             friction.{law}\n"
        );
    }
    text += &format!(
        "[loads.skew]\npoint = \"{}\"\nfx = 0.0\nfy = 0.0\n[interface]\n\
         inputs = [\"loads.skew.fx\", \"loads.skew.fy\"]\noutputs = [\"energy.*\"]\n",
        name(load)
    );
    text
}

