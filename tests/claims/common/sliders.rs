//! Many sliders on one bar.

use super::edit::Edit;

/// Friction with which some of them stick and some slide.
pub const RUBS: &str = "friction.stribeck = { static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.1 }";

/// `count` masses of 2 kg that slide on a bar of 10 m between its supports, each pushed to and fro along it at its own pace, with
/// these lines in each joint.
pub fn sliders_on_a_bar(count: usize, elements: usize, joint: &str) -> String {
    let mut text = format!(
        r#"
name = "sliders"
solver.step = 1e-4
gravity.y = -9.81
[points]
l = [0.0, 0.0]
r = [10.0, 0.0]
[materials.steel]
young_modulus = 210e9
poisson_ratio = 0.3
density = 7850.0
[sections.bar]
rectangle = {{ height = 0.1, width = 0.1 }}
[members.bar]
from = "l"
to = "r"
elements = {elements}
material = "steel"
section = "bar"
[supports.l]
point = "l"
fix = ["x", "y"]
[supports.r]
point = "r"
fix = ["y"]
"#
    );
    for k in 0..count {
        let (place, frequency) = (10.0 * (k as f64 + 0.5) / count as f64, 1.0 + 0.1 * k as f64);
        text += &format!(
            r#"
[masses.m{k}]
point = "p{k}"
mass = 2.0
[loads.p{k}]
point = "p{k}"
fx = 10.0
history.sine = {{ frequency = {frequency:?} }}
[joints.j{k}]
cylindrical = {{ slider = "p{k}", path = ["bar"], ends = "continue" }}
{joint}
"#
        );
        text = text.edit("[points]\n", &format!("[points]\np{k} = [{place:?}, 0.0]\n"));
    }
    text
}
