//! Friction pendulums and the building that stands on them.

mod common;

use common::Simulation;

/// The bundled building with its feet clamped to the ground instead of isolated.
fn clamped() -> String {
    let text = common::bundled("isolated_building_frame");
    let from = text.find("[joints.foot_l]").expect("joints");
    let to = text.find("[loads.floor_1]").expect("loads");
    let mut text = format!("{}{}", &text[..from], &text[to..]);
    text += "\n[supports.foot_l]\npoint = \"l0\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
        [supports.foot_r]\npoint = \"r0\"\nfix = [\"x\", \"y\", \"rotation\"]\n";
    text.replace("supports = [\"dish_*\"]", "supports = [\"foot_*\"]")
}

/// Peaks of base shear (N), drift of the first storey (m), acceleration of the roof (m/s²) and path of the
/// right slider (m), where there is one.
fn peaks(sim: &mut Simulation) -> [f64; 4] {
    let slides = (sim.system.model().outputs.iter()).any(|o| o.path == "joints.foot_r.position");
    let centre = slides.then(|| sim.get("joints.foot_r.position"));
    let mut most = [0.0_f64; 4];
    sim.run(22.0, 5e-3, |sim| {
        let values = [
            sim.get("motions.horizontal.reaction"),
            sim.get("probes.drift_1"),
            sim.get("points.r5.ax"),
            centre.map_or(0.0, |s| sim.get("joints.foot_r.position") - s),
        ];
        for (most, value) in most.iter_mut().zip(values) {
            *most = most.max(value.abs());
        }
    });
    most
}

#[test]
fn isolation_spares_the_building() {
    let mut isolated = Simulation::bundled("isolated_building_frame", &[]);
    let isolated = peaks(&mut isolated);
    let fixed = peaks(&mut Simulation::of(&clamped()));
    println!("isolated: {isolated:?}\nclamped:  {fixed:?}");
    assert!(isolated[0] < 0.6 * fixed[0], "base shear");
    assert!(isolated[1] < fixed[1], "drift");
    assert!(
        isolated[3] > 0.01 && isolated[3] < 0.15,
        "the sliders stay on their dishes"
    );
}

/// A point of 2 t on the bundled dish, which its ground carries.
fn pendulum(analysis: &str, friction: &str, rest: &str) -> String {
    format!(
        r#"
name = "Pendulum"
[solver]
analysis = "{analysis}"
step = 1e-3
spectral_radius = 0.98
[points]
from = [-0.15, 0.0]
to = [0.15, 0.0]
foot = [0.0, 0.0]
[members.dish]
from = "from"
to = "to"
elements = 1
order = 1
[supports.dish]
member = "dish"
fix = ["x", "y", "rotation"]
[masses.foot]
point = "foot"
mass = 2000.0
[joints.foot]
cylindrical = {{ slider = "foot", path = ["dish"] }}
roughness.table = {{ file = "profiles/dish.csv" }}
{friction}
{rest}
[gravity]
y = -9.81
[interface]
outputs = ["points.*"]
"#
    )
}

/// Radius of the dish, m.
const RADIUS: f64 = 0.24765;

/// Time between every other change of sign of what `look` sees, the mean over all from `from` to `to`.
fn period(
    sim: &mut Simulation,
    from: f64,
    to: f64,
    step: f64,
    look: impl Fn(&Simulation) -> f64,
) -> f64 {
    let mut crossings: Vec<f64> = Vec::new();
    let mut last = 0.0;
    sim.run(to, step, |sim| {
        let now = look(sim);
        if sim.time() > from && last * now < 0.0 {
            crossings.push(sim.time() - step * now / (now - last));
        }
        last = now;
    });
    let n = crossings.len();
    assert!(n > 6, "{n} crossings until {} s, last {last:e}", sim.time());
    2.0 * (crossings[n - 1] - crossings[0]) / (n - 1) as f64
}

#[test]
fn a_friction_pendulum_swings_with_the_period_of_its_radius() {
    let text = pendulum("dynamic", "", "[initial.points.foot]\nvx = 5e-3");
    let mut sim = Simulation::of(&text);
    let own = period(&mut sim, 0.0, 10.0, 1e-3, |sim| sim.get("points.foot.x"));
    let exact = std::f64::consts::TAU * (RADIUS / 9.81_f64).sqrt();
    println!("period {own} s, 2 pi sqrt(R/g) = {exact} s");
    assert!((own / exact - 1.0).abs() < 1e-3, "{own} {exact}");
}

#[test]
fn the_loop_of_a_friction_pendulum_is_two_mu_w_wide_and_rises_by_w_over_r() {
    const MU: f64 = 0.06;
    // A strut of 1e8 N/m holds the slider back, and lets it rise.
    let held = r#"
[motions.ground]
supports = ["dish"]
direction = "x"
amplitude = 0.01
history.sine = { frequency = 1.0 }
[materials.strut]
young_modulus = 1e11
poisson_ratio = 0.0
density = 0.0
[sections.strut]
properties = { area = 0.01, second_moment = 1e-8 }
[members.strut]
from = "foot"
to = "wall"
elements = 1
material = "strut"
section = "strut"
[supports.wall]
point = "wall"
fix = ["x", "y", "rotation"]
"#;
    let friction = format!("friction.coulomb = {{ coefficient = {MU} }}");
    let text = pendulum("quasi_static", &friction, held)
        .replace("[members.dish]", "wall = [10.0, 0.0]\n[members.dish]")
        .replace("outputs = [", "outputs = [\"motions.*\", ");
    let mut sim = Simulation::of(&text);
    let weight = 2000.0 * 9.81;
    let mut forces = Vec::new();
    sim.run(1.25, 1e-3, |sim| {
        let reaction = sim.get("motions.ground.reaction");
        forces.push((sim.get("motions.ground.position"), reaction));
    });
    // Forwards through the middle at 1 s, backwards at 0.5 s; at the ends the slope.
    let at = |t: f64| forces[(t / 1e-3_f64).round() as usize - 1];
    let (there, back) = (at(1.0), at(0.5));
    let width = there.1 - back.1;
    assert!((width / (2.0 * MU * weight) - 1.0).abs() < 1e-3, "{width}");
    let (begin, end) = (at(0.80), at(1.20));
    let slope = (end.1 - begin.1) / (end.0 - begin.0);
    // The restoring force is W tan a, and 10 mm are an angle of 0.04: its third power shows.
    assert!((slope / (weight / RADIUS) - 1.0).abs() < 5e-3, "{slope}");
}

#[test]
fn the_clamped_building_has_the_frequencies_of_the_paper() {
    let sim = Simulation::of(&clamped());
    let frequencies = common::frequencies(&sim, 12);
    println!("{:.3?}", &frequencies[..12]);
    // Siqueira & Coda (2022), Sec. 8.3.
    assert!(
        (frequencies[0] / 8.56 - 1.0).abs() < 0.015,
        "{}",
        frequencies[0]
    );
    assert!(
        (frequencies[10] / 133.98 - 1.0).abs() < 0.015,
        "{}",
        frequencies[10]
    );
}

#[test]
fn a_stiff_isolated_building_swings_as_one_mass_on_its_dishes() {
    let stiff = [
        ("materials.column.young_modulus", 20e12),
        ("materials.beam.young_modulus", 20e12),
    ];
    let calm = [("parameters.friction", 0.0), ("parameters.shaking", 0.01)];
    let values: Vec<(&str, f64)> = stiff.into_iter().chain(calm).collect();
    let mut sim = Simulation::bundled("isolated_building_frame", &values);
    // Its weight spreads the feet: their mean swings about the middle.
    let both =
        |sim: &Simulation| sim.get("joints.foot_l.position") + sim.get("joints.foot_r.position");
    let middle = both(&sim);
    let rigid = period(&mut sim, 22.0, 40.0, 5e-3, |sim| both(sim) - middle);
    // 10 columns of 3 m and 5 beams of 6 m, under 34 kN/m on the beams.
    let mass = 0.25 * (30.0 * 2400.0 + 30.0 * 15168.2);
    let weight = 34e3 * 30.0;
    let exact = std::f64::consts::TAU * (mass * RADIUS / weight).sqrt();
    println!("period {rigid} s, 2 pi sqrt(m R/W) = {exact} s");
    assert!((rigid / exact - 1.0).abs() < 5e-3, "{rigid} {exact}");
}
