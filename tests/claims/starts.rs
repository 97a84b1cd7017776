//! Mechanisms that are well posed start, at every length of the step.

use crate::common::{self, Simulation, tier};
use crate::random_mechanisms::Dice;

/// Lengths of the step from 1e-6 to 1e-2 s.
fn steps() -> impl Iterator<Item = f64> {
    (0..=40).map(|i| 10_f64.powf(-6.0 + 0.1 * f64::from(i)))
}

/// A slider-crank of rigid members on a fixed rough guide, `more` on the slider; the crank turns by what `drive` says.
fn slider_crank(dice: &mut Dice, drive: &str, more: &str) -> String {
    let (radius, rod) = (dice.between(0.1, 0.3), dice.between(0.5, 0.8));
    let angle = dice.between(-3.0, 3.0);
    let (ax, ay) = (radius * angle.cos(), radius * angle.sin());
    let height = dice.between(-0.05, 0.05);
    let bx = ax + (rod * rod - (ay - height) * (ay - height)).sqrt();
    let (ga, gb, gs) = (bx - 0.7, bx + 0.25, bx + dice.between(0.5, 1.0));
    let (m, n) = (dice.scale(0.1, 2.0), dice.scale(0.1, 2.0));
    let (i, k) = (dice.scale(1e-3, 5e-2), dice.scale(1e-3, 5e-2));
    let (amplitude, wave) = (dice.scale(1e-6, 1e-4), dice.between(0.1, 0.3));
    let stiffness = dice.scale(1.0, 500.0);
    format!(
        r#"
name = "slider_crank"
[points]
o = [0.0, 0.0]
a = [{ax:?}, {ay:?}]
b = [{bx:?}, {height:?}]
ga = [{ga:?}, {height:?}]
gb = [{gb:?}, {height:?}]
gs = [{gs:?}, {height:?}]
[members.crank]
from = "o"
to = "a"
rigid = true
mass = {m:?}
inertia = {i:?}
[members.rod]
from = "a"
to = "b"
rigid = true
mass = {n:?}
inertia = {k:?}
[joints.pin]
hinge = {{ point = "a", release = ["rod"] }}
[supports.o]
point = "o"
fix = ["x", "y"]
{drive}
[members.guide]
from = "ga"
to = "gb"
elements = 1
[supports.guide]
member = "guide"
fix = ["x", "y", "rotation"]
[joints.jb]
cylindrical = {{ slider = "b", path = ["guide"], ends = "continue" }}
roughness.cosine = {{ amplitude = {amplitude:?}, wavelength = {wave:?} }}
[springs.sp]
ground = "gs"
to = "b"
stiffness = {stiffness:?}
{more}
[interface]
outputs = ["joints.jb.*", "points.b.*", "energy.*"]
"#
    )
}

const DRIVEN: &str = r#"
[motions.drive]
point = "o"
direction = "rotation"
amplitude = 5.0
history.ramp = { duration = 2.0 }
"#;

/// Starts of a model at all lengths of the step, and what they have in common: the joint's force, but for what a short step adds to it.
fn same_start_at_every_step(text: &str, what: &str) {
    let mut forces: Vec<(f64, f64)> = Vec::new();
    for step in steps() {
        let checked =
            common::check(text, &[("solver.step", step)]).unwrap_or_else(|f| panic!("{f}"));
        let sim = std::panic::catch_unwind(|| Simulation::built(&checked));
        let sim = sim.unwrap_or_else(|_| panic!("{what} at {step} s"));
        forces.push((step, sim.get("joints.jb.normal_force")));
    }
    let (_, exact) = forces[10];
    for (step, force) in forces.into_iter().filter(|(step, _)| *step <= 1e-3) {
        let off = (force - exact).abs();
        assert!(
            off <= 2e-2 * exact.abs().max(1e-3),
            "{what} at {step} s: {force} N instead of {exact} N"
        );
    }
}

#[test]
fn driven_slider_cranks_on_rough_guides_start_alike_at_every_step() {
    for seed in 0..tier::share(12) {
        let mut dice = Dice::seeded(2100 + seed);
        same_start_at_every_step(
            &slider_crank(&mut dice, DRIVEN, "[gravity]\ny = -9.81"),
            &format!("{seed}"),
        );
    }
}

#[test]
fn slider_cranks_whose_spring_bears_nothing_are_assembled() {
    for seed in 0..tier::share(12) {
        let mut dice = Dice::seeded(2300 + seed);
        same_start_at_every_step(
            &slider_crank(&mut dice, "", "[gravity]\ny = -9.81"),
            &format!("{seed}"),
        );
    }
}

/// A rigid block on corners that slides freely, tied by a spring to an elastic one that flies.
fn two_blocks(dice: &mut Dice) -> String {
    let [a, b] = [dice.between(0.3, 0.6), dice.between(1.1, 1.3)];
    let [w, v] = [dice.between(0.05, 0.2), dice.between(0.1, 0.3)];
    let [h, g] = [dice.between(0.05, 0.2), dice.between(0.05, 0.2)];
    let stiffness = dice.scale(1.0, 1e3);
    let speed = dice.between(-4.0, 4.0);
    format!(
        r#"
name = "two_blocks"
[points]
pa = [0.0, 0.0]
pb = [1.8, 0.0]
c00 = [{a:?}, 0.0]
c01 = [{:?}, 0.0]
c02 = [{:?}, {h:?}]
c03 = [{a:?}, {h:?}]
c10 = [{b:?}, 0.0]
c11 = [{:?}, 0.0]
c12 = [{:?}, {g:?}]
c13 = [{b:?}, {g:?}]
[members.path]
from = "pa"
to = "pb"
elements = 1
[supports.path]
member = "path"
fix = ["x", "y", "rotation"]
[materials.bm]
young_modulus = 2e7
poisson_ratio = 0.3
density = 2000.0
[bodies.blk0]
material = "bm"
thickness = 0.05
state = "plane_stress"
patch = {{ cells = [1, 1], edges = [{{ name = "bottom", from = "c00", to = "c01" }}, {{ name = "right", from = "c01", to = "c02" }}, {{ name = "top", from = "c02", to = "c03" }}, {{ name = "left", from = "c03", to = "c00" }}] }}
[bodies.blk1]
material = "bm"
thickness = 0.05
rigid = true
patch = {{ cells = [1, 1], edges = [{{ name = "bottom", from = "c10", to = "c11" }}, {{ name = "right", from = "c11", to = "c12" }}, {{ name = "top", from = "c12", to = "c13" }}, {{ name = "left", from = "c13", to = "c10" }}] }}
[joints.jb]
sliding = {{ edge = "blk1.bottom", path = ["path"], nodes = "ends" }}
[springs.hit]
from = "c01"
to = "c10"
stiffness = {stiffness:?}
[initial.bodies.c10]
vx = {speed:?}
"#,
        a + w,
        a + w,
        b + v,
        b + v,
    )
}

#[test]
fn a_rigid_block_tied_to_an_elastic_one_starts_at_every_step() {
    for seed in 0..tier::share(12) {
        let text = two_blocks(&mut Dice::seeded(250 + seed));
        for step in steps() {
            let checked =
                common::check(&text, &[("solver.step", step)]).unwrap_or_else(|f| panic!("{f}"));
            assert!(
                std::panic::catch_unwind(|| Simulation::built(&checked)).is_ok(),
                "{seed} at {step} s"
            );
        }
    }
}

/// A rigid bar on three wheels along a slope, the first on a rough surface; `contact` as joints write it.
fn three_wheels(dice: &mut Dice, contact: &str) -> (String, f64) {
    let [w0, w1, w2] = [dice.between(0.2, 0.5), dice.between(0.8, 1.2), dice.between(1.4, 1.8)];
    let (amplitude, wave) = (dice.scale(1e-5, 1e-3), dice.between(0.2, 0.4));
    let slope = dice.between(-0.3, 0.3);
    let place = |x: f64| format!("[{x:?}, {:?}]", slope * x);
    let text = format!(
        r#"
name = "three_wheels"
[points]
pa = [0.0, 0.0]
pb = {}
w0 = {}
w1 = {}
w2 = {}
[members.path]
from = "pa"
to = "pb"
elements = 1
[supports.path]
member = "path"
fix = ["x", "y", "rotation"]
[members.bar0]
from = "w0"
to = "w1"
rigid = true
mass = 1.4
inertia = 0.05
[members.bar1]
from = "w1"
to = "w2"
rigid = true
mass = 0.5
inertia = 0.03
[masses.w0]
point = "w0"
mass = 2.0
[joints.jw0]
cylindrical = {{ slider = "w0", path = ["path"], ends = "stop"{contact} }}
roughness.cosine = {{ amplitude = {amplitude:?}, wavelength = {wave:?} }}
[joints.jw1]
cylindrical = {{ slider = "w1", path = ["path"], ends = "stop"{contact} }}
[joints.jw2]
cylindrical = {{ slider = "w2", path = ["path"], ends = "stop"{contact} }}
[gravity]
y = -9.81
[interface]
outputs = ["joints.jw0.gap", "joints.jw1.gap", "joints.jw2.gap", "points.w0.*", "points.w1.*", "points.w2.*"]
"#,
        place(2.3),
        place(w0),
        place(w1),
        place(w2)
    );
    (text, 2.4 * (0.02 + 4.0 * (amplitude / 2.2).sqrt()))
}

/// Whether no point of the bar is farther than this from where it is drawn.
fn is_near(sim: &Simulation, allowed: f64) -> bool {
    let points = sim.system.model().points.iter();
    let mut wheels = points.filter(|point| point.name.starts_with('w'));
    wheels.all(|point| {
        let off =
            |axis: &str, drawn: f64| sim.get(&format!("points.{}.{axis}", point.name)) - drawn;
        let [x, y] = point.position;
        off("x", x).hypot(off("y", y)) <= allowed
    })
}

#[test]
fn a_rigid_bar_on_three_wheels_starts_near_where_it_is_drawn_with_no_more_than_one_in_the_air() {
    let mut flies = 0;
    for seed in 0..30 {
        let contact = r#", contact = "unilateral", side = "left""#;
        let (text, allowed) = three_wheels(&mut Dice::seeded(130 + seed), contact);
        let sim = Simulation::of(&text);
        assert!(is_near(&sim, allowed), "{seed}");
        let gaps = [0, 1, 2].map(|j| sim.get(&format!("joints.jw{j}.gap")));
        assert!(gaps.iter().all(|gap| *gap > -1e-9), "{seed}: {gaps:?}");
        let in_the_air = gaps.iter().filter(|gap| **gap > 1e-9).count();
        assert!(in_the_air <= 1, "{seed}: {gaps:?}");
        flies += in_the_air;
    }
    assert!(flies > 0, "none has its place without leaving one in the air");
}

#[test]
fn three_joints_on_a_rigid_bar_close_near_where_they_are_drawn_or_are_refused() {
    let mut refused = 0;
    for seed in 0..30 {
        let (text, allowed) = three_wheels(&mut Dice::seeded(130 + seed), "");
        let gaps = r#""joints.jw0.gap", "joints.jw1.gap", "joints.jw2.gap", "#;
        let checked = common::check(&text.replace(gaps, ""), &[]).unwrap_or_else(|f| panic!("{f}"));
        match std::panic::catch_unwind(|| Simulation::built(&checked)) {
            Ok(sim) => assert!(is_near(&sim, allowed), "{seed}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0, "all have a place near by");
}

/// A slider of this `length` on a fixed guide along x, with a uniform rod of mass `m` (kg) and length `y` (m) that stands on it and is
/// pulled along x at its end by `force` (N), under friction with the coefficient `mu`.
fn pulled(length: f64, m: f64, y: f64, force: f64, mu: f64, speed: f64) -> String {
    format!(
        r#"
name = "pulled"
[points]
pa = [-5.0, 0.0]
pb = [5.0, 0.0]
u = [0.0, 0.0]
v = [0.0, {y:?}]
[members.path]
from = "pa"
to = "pb"
elements = 1
[supports.path]
member = "path"
fix = ["x", "y", "rotation"]
[members.arm]
from = "u"
to = "v"
rigid = true
mass = {m:?}
inertia = 0.01
[joints.ju]
prismatic = {{ slider = "u", path = ["path"], length = {length:?} }}
friction.coulomb = {{ coefficient = {mu:?} }}
[loads.fv]
point = "v"
fx = {force:?}
[initial.points.u]
vx = {speed:?}
[interface]
outputs = ["joints.ju.*", "points.u.*", "energy.*"]
"#
    )
}

/// The moment about the slider is y (m a/2 − F), with k = μ y/L m a = F (1 − 2k)/(1 − k) where it slides; it sticks from k = ½ on.
#[test]
fn a_slider_with_a_length_under_an_eccentric_pull_starts_or_jams_as_in_closed_form() {
    for seed in 0..tier::share(40) {
        let mut dice = Dice::seeded(680 + seed);
        let (length, y) = (dice.between(0.03, 0.3), dice.between(0.05, 0.5));
        let (m, force) = (dice.scale(0.5, 10.0), dice.sign() * dice.scale(0.5, 20.0));
        let k = dice.between(0.05, 2.5);
        let mu = k * length / y;
        let slides = (force * (1.0 - 2.0 * k) / (1.0 - k)) / m;
        let expected = if k < 0.5 { slides } else { 0.0 };
        for step in [1e-5, 1e-4, 1e-3] {
            let text = pulled(length, m, y, force, mu, 0.0);
            let mut sim = Simulation::with(&text, &[("solver.step", step)]);
            let a = sim.get("points.u.ax");
            let off = (a - expected).abs();
            assert!(
                off < 1e-6 * force.abs() / m + 1e-13 / (step * step),
                "{seed} at {step} s: {a}, {expected}"
            );
            sim.run(100.0 * step, step, |_| {});
            let way = sim.get("points.u.x") - 0.5 * expected * (100.0 * step).powi(2);
            assert!(
                way.abs() < 1e-6 * force.abs() / m * (100.0 * step).powi(2) + 1e-12,
                "{seed} at {step} s: {way} m off"
            );
        }
    }
}

/// With k > 1 no sliding is in balance where the pull drives it on: it stops at once, and what moved is lost.
#[test]
fn a_slider_that_moves_and_cannot_slide_jams_at_once() {
    for seed in 0..tier::share(20) {
        let mut dice = Dice::seeded(900 + seed);
        let (length, y) = (dice.between(0.03, 0.3), dice.between(0.05, 0.5));
        let (m, force) = (dice.scale(0.1, 1.0), dice.scale(10.0, 100.0));
        let mu = dice.between(1.05, 3.0) * length / y;
        let (sense, speed) = (dice.sign(), dice.scale(0.01, 5.0));
        for step in [1e-4, 1e-3] {
            let text = pulled(length, m, y, sense * force, mu, sense * speed);
            let mut sim = Simulation::with(&text, &[("solver.step", step)]);
            sim.run(20.0 * step, step, |_| {});
            let what = format!("{seed} at {step} s");
            let way = sim.get("points.u.x");
            assert!(way.abs() <= speed * step, "{what}: {way} m");
            assert!(sim.get("joints.ju.velocity").abs() < 1e-9, "{what}");
            let moved = 0.5 * m * speed * speed;
            let lost = sim.lost() + sim.get("joints.ju.dissipated_energy");
            let done = force * speed * step;
            assert!((lost - moved).abs() <= 1e-6 * moved + done, "{what}: {lost} J of {moved} J");
        }
    }
}

/// An unloaded elastic coupler between two sliders, drawn on a path with a kink near one of them.
fn coupler(dice: &mut Dice) -> String {
    let share = 1.0 - dice.scale(1e-5, 0.3);
    let (ux, uy) = (share * 0.65, share * -0.26);
    let height = dice.between(0.2, 0.4);
    let vx = dice.between(0.9, 1.3);
    let young = dice.scale(1e6, 1e13);
    let (elements, order) = (dice.whole(1, 4), dice.whole(1, 3));
    format!(
        r#"
name = "coupler"
[points]
pa = [0.0, 0.0]
pm = [0.65, -0.26]
pb = [1.2, -1.0]
u = [{ux:?}, {uy:?}]
za = [0.5, {height:?}]
zb = [2.2, {height:?}]
v = [{vx:?}, {height:?}]
[members.path]
from = "pa"
to = "pm"
elements = 1
[members.path2]
from = "pm"
to = "pb"
elements = 6
arc.angle = -1.1
[supports.path]
member = "path"
fix = ["x", "y", "rotation"]
[supports.path2]
member = "path2"
fix = ["x", "y", "rotation"]
[members.zpath]
from = "za"
to = "zb"
elements = 1
[supports.zpath]
member = "zpath"
fix = ["x", "y", "rotation"]
[materials.m]
young_modulus = {young:?}
poisson_ratio = 0.3
density = 500.0
[sections.s]
rectangle = {{ height = 0.03, width = 0.02 }}
[members.coupler]
from = "u"
to = "v"
elements = {elements}
order = {order}
material = "m"
section = "s"
[joints.ju]
cylindrical = {{ slider = "u", path = ["path", "path2"] }}
[joints.jv]
cylindrical = {{ slider = "v", path = ["zpath"] }}
"#
    )
}

#[test]
fn an_unloaded_coupler_however_stiff_is_assembled_where_it_is_drawn() {
    for seed in 0..tier::share(40) {
        let sim = Simulation::of(&coupler(&mut Dice::seeded(520 + seed)));
        let model = sim.system.model();
        for (id, point) in model.points.iter().enumerate() {
            let unknowns = sim.system.unknowns_of_point(id);
            for (u, place) in unknowns.into_iter().zip(point.position) {
                let off = sim.state.q[u] - place;
                assert!(off.abs() < 1e-6, "{seed}: {} has moved by {off} m", point.name);
            }
        }
    }
}

/// Masses on a clamped elastic arc, each of which the rest holds by its joint alone.
fn beads(dice: &mut Dice) -> String {
    let (young, side) = (dice.scale(1e8, 2e11), dice.scale(5e-3, 3e-2));
    let angle = dice.sign() * dice.between(0.5, 1.5);
    let mut text = r#"
name = "beads"
[points]
pa = [0.0, 0.0]
pb = [2.0, 0.0]
b0 = [0.3, 0.05]
b1 = [0.8, 0.1]
"#
    .to_string();
    // Of an arc of this angle over a chord of 2 m, at the height of its middle.
    let radius = 1.0 / (0.5 * angle).sin();
    let centre = radius * (0.5 * angle).cos();
    let on = |x: f64| {
        let far = (radius * radius - (x - 1.0) * (x - 1.0)).sqrt();
        centre - centre.signum() * far
    };
    let places = [dice.between(0.3, 0.9), dice.between(1.1, 1.7)];
    for (i, x) in places.iter().enumerate() {
        text += &format!("s{i} = [{x:?}, {:?}]\n", on(*x));
    }
    text += &format!(
        r#"
[materials.m]
young_modulus = {young:?}
poisson_ratio = 0.3
density = 6000.0
[sections.s]
rectangle = {{ height = {side:?}, width = {side:?} }}
[members.path]
from = "pa"
to = "pb"
elements = 8
arc.angle = {angle:?}
material = "m"
section = "s"
[supports.pa]
point = "pa"
fix = ["x", "y", "rotation"]
[masses.b0]
point = "b0"
mass = 0.1
[masses.b1]
point = "b1"
mass = 0.9
[springs.s1]
from = "b0"
to = "b1"
stiffness = {:?}
"#,
        dice.scale(1.0, 1e3)
    );
    for i in 0..places.len() {
        text += &format!(
            r#"
[masses.s{i}]
point = "s{i}"
mass = {:?}
[joints.s{i}]
cylindrical = {{ slider = "s{i}", path = ["path"], ends = "stop" }}
"#,
            dice.scale(1e-3, 1.0)
        );
    }
    text
}

#[test]
fn masses_on_an_elastic_arc_start_at_every_step() {
    for seed in 0..tier::share(12) {
        let text = beads(&mut Dice::seeded(521 + seed));
        for step in steps().step_by(4) {
            let checked =
                common::check(&text, &[("solver.step", step)]).unwrap_or_else(|f| panic!("{f}"));
            assert!(
                std::panic::catch_unwind(|| Simulation::built(&checked)).is_ok(),
                "{seed} at {step} s"
            );
        }
    }
}

/// A massless coupler that throws a massless slider over its dead centre, where no step of generalized-α gets through.
#[test]
fn a_massless_slider_that_is_thrown_over_its_dead_centre_gets_there() {
    let text = r#"
name = "thrown"
[points]
pa = [0.0, 0.0]
pb = [2.378, -0.721]
u = [0.3762, -0.114]
v = [0.61, 0.41]
[materials.path]
young_modulus = 8.46e8
poisson_ratio = 0.3
density = 6000.0
[materials.coupler]
young_modulus = 1.54e9
poisson_ratio = 0.3
density = 0.0
[sections.path]
rectangle = { height = 0.02, width = 0.04 }
[sections.coupler]
circle = { diameter = 0.03 }
[members.path]
from = "pa"
to = "pb"
elements = 1
material = "path"
section = "path"
[members.coupler]
from = "u"
to = "v"
elements = 1
material = "coupler"
section = "coupler"
[masses.v]
point = "v"
mass = 0.05
[joints.ju]
cylindrical = { slider = "u", path = ["path"] }
friction.modified_coulomb = { coefficient = 0.2, threshold_velocity = 0.06 }
[loads.fu]
point = "u"
fy = -8.0
[interface]
outputs = ["energy.*"]
"#;
    let step = 1e-3;
    let mut sim = Simulation::with(text, &[("solver.step", step)]);
    sim.run(0.05, step, |_| {});
    let (balance, work) = (sim.get("energy.balance"), sim.get("energy.input_work"));
    // Falls with the step: 8e-3, 4e-3, 2e-3, 4e-4 J of 1 J at 2, 1, 0.5, 0.3 ms.
    assert!(balance.abs() < 5e-3 * work, "{step} s: {balance} J of {work} J");
}
