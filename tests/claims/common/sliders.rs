//! Many sliders on one bar.

use super::edit::Edit;
use super::mechanism::Mechanism;

/// Friction with which some of them stick and some slide.
pub const RUBS: &str = "friction.stribeck = { static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.1 }";

/// `count` masses of 2 kg that slide on a bar of 10 m between its supports, each pushed to and fro along it at its own pace, with
/// these lines in each joint.
pub fn sliders_on_a_bar(count: usize, elements: usize, joint: &str) -> String {
    let mut text = Mechanism::new("sliders")
        .step(1e-4)
        .gravity(-9.81)
        .points("l = [0.0, 0.0], r = [10.0, 0.0]")
        .steel()
        .rectangle("bar", 0.1, 0.1)
        .member("bar", ["l", "r"], format!("elements = {elements}, material = 'steel'"))
        .and("section = 'bar'")
        .pin("l")
        .roller("r")
        .text();
    for k in 0..count {
        let (place, frequency) = (10.0 * (k as f64 + 0.5) / count as f64, 1.0 + 0.1 * k as f64);
        text += &Mechanism::part()
            .entry(format!("masses.m{k}"), format!("point = 'p{k}', mass = 2.0"))
            .load(format!("p{k}"), format!("point = 'p{k}', fx = 10.0"))
            .and(format!("history.sine = {{ frequency = {frequency:?} }}"))
            .joint(format!("j{k}"), format!("cylindrical.slider = 'p{k}'"))
            .and(format!("cylindrical.path = ['bar'], cylindrical.ends = 'continue', {joint}"))
            .text();
        text = text.edit("[points]\n", &format!("[points]\np{k} = [{place:?}, 0.0]\n"));
    }
    text
}
