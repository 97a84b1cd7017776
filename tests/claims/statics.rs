//! Paths of equilibria: limit points, bifurcation points, the branches behind them, stability.

use crate::common;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
mod rods;
pub mod trace;

use std::f64::consts::PI;

use coulisse::continuation::{Ended, Station, follow};
use coulisse::model::statics::{Branch, Control, StaticPath, Steered};
use coulisse::system::System;
use trace::{Trace, is_near};

/// Two bars of the Saint-Venant-Kirchhoff law between hinges 2 m apart, the crown 0.1 m higher.
fn truss() -> String {
    Mechanism::new("von_mises_truss")
        .step(1e-3)
        .points("left = [-1.0, 0.0], right = [1.0, 0.0], crown = [0.0, 0.1]")
        .steel()
        .rectangle("bar", 0.05, 0.05)
        .joint("crown", "hinge = { point = 'crown' }")
        .pin("left")
        .pin("right")
        .load("push", "point = 'crown', fy = -1e5")
        .entry("static", "to = 4.0, control = 'arc_length', quantity = 'points.crown.y'")
        .outputs("points.crown.*")
        .beam("left", ["left", "crown"], [1, 1], "steel bar")
        .beam("right", ["crown", "right"], [1, 1], "steel bar")
        .text()
}

/// P(y) = EA y (h² − y²)/L³ in units of the load, and its maximum at y = h/√3.
fn truss_load(y: f64) -> f64 {
    let (length, stiffness) = (1.0_f64.hypot(0.1), 210e9 * 0.0025);
    stiffness * y * (0.01 - y * y) / length.powi(3) / 1e5
}

#[test]
fn a_von_mises_truss_snaps_through_at_the_load_of_the_closed_form() {
    let exact = truss_load(0.1 / 3.0_f64.sqrt());
    let arc = |_: &mut StaticPath| {};
    let displacement = |path: &mut StaticPath| {
        path.control = Control::Displacement;
        path.to = -0.14;
    };
    for truss in [Trace::of(&truss(), &[], arc), Trace::of(&truss(), &[], displacement)] {
        let limits: Vec<f64> = truss.limits().iter().map(|row| row.factor).collect();
        assert_eq!(limits.len(), 2, "{limits:?}");
        is_near(limits[0], exact, 1e-9);
        is_near(limits[1], -exact, 1e-9);
        assert!(truss.bifurcations().is_empty());
        for row in &truss.rows {
            let y = truss.get(row, "points.crown.y");
            let off = (row.factor - truss_load(y)).abs();
            assert!(off < 1e-8, "{} at {y}: {off:e}", row.factor);
        }
        assert_eq!(truss.ended, Ended::Reached);
    }
}

#[test]
fn the_truss_is_unstable_exactly_between_its_limit_points() {
    let truss = Trace::of(&truss(), &[], |path| path.largest_move = 0.002);
    let border = 0.1 / 3.0_f64.sqrt();
    let plain = truss.at(|station| station == Station::Along);
    assert!(plain.len() > 50);
    for row in plain {
        let y = truss.get(row, "points.crown.y");
        assert_eq!(row.unstable > 0, y.abs() < border, "y = {y}");
    }
    for row in truss.limits() {
        let y = truss.get(row, "points.crown.y");
        assert!((y.abs() - border).abs() < 1e-8, "{y}");
    }
}

#[test]
fn load_control_ends_at_the_limit_load_and_says_what_goes_on() {
    let truss = Trace::of(&truss(), &[], |path| path.control = Control::Load);
    let last = truss.rows.last().expect("points");
    let exact = truss_load(0.1 / 3.0_f64.sqrt());
    assert!(last.factor < exact && last.factor > exact * (1.0 - 1e-6));
    let Ended::Stuck(why) = &truss.ended else { panic!("{:?}", truss.ended) };
    assert!(why.contains("limit point") && why.contains("arc_length"), "{why}");
}

#[test]
fn a_path_goes_on_below_zero_and_to_negative_factors() {
    let truss = Trace::of(&truss(), &[], |path| path.to = -4.0);
    assert_eq!(truss.ended, Ended::Reached);
    let y = truss.end("points.crown.y");
    assert!(y > 0.1 && truss.limits().is_empty());
    is_near(truss_load(y), -4.0, 1e-9);
}

/// A bead on a horizontal guide, tied to a point above it by a bar: the sliding coordinate is what
/// snaps, from one side of the point to the other.
#[test]
fn a_sliding_coordinate_snaps_through_as_the_closed_form_says() {
    let text = &Mechanism::new("bead")
        .step(1e-3)
        .points("low = [-2.0, 0.0], high = [2.0, 0.0], bead = [0.3, 0.0], above = [0.0, 1.0]")
        .steel()
        .rectangle("bar", 0.02, 0.02)
        .support("guide", "member = 'guide', fix = ['x', 'y', 'rotation']")
        .pin("above")
        .slider("bead", "bead", "guide", "")
        .load("push", "point = 'bead', fx = -1e5")
        .entry("static", "to = 6.0, control = 'arc_length'")
        .member("guide", ["low", "high"], "elements = 3")
        .beam("bar", ["bead", "above"], [1, 1], "steel bar")
        .text();
    let bead = Trace::of(text, &[], |_| {});
    let (x0, length) = (0.3_f64, 1.0_f64.hypot(0.3));
    let load = |x: f64| 210e9 * 4e-4 * x * (x0 * x0 - x * x) / (2.0 * length.powi(3)) / 1e5;
    let border = x0 / 3.0_f64.sqrt();
    let limits: Vec<f64> = bead.limits().iter().map(|row| row.factor).collect();
    assert_eq!(limits.len(), 2);
    is_near(limits[0], load(border), 1e-9);
    is_near(limits[1], -load(border), 1e-9);
    for row in bead.at(|station| station == Station::Along) {
        let x = bead.get(row, "joints.bead.position") - 2.0;
        assert!((row.factor - load(x)).abs() < 1e-7, "{x}");
        assert_eq!(row.unstable > 0, x.abs() < border, "x = {x}");
    }
    assert!(bead.end("joints.bead.position") < 2.0 - x0);
}

/// A slender cantilever along y, pressed at its free end.
fn column() -> String {
    Mechanism::new("column")
        .step(1e-3)
        .points("base = [0.0, 0.0], top = [0.0, 1.0]")
        .material("steel", 200e9, 0.0, 7850.0)
        .rectangle("strip", 0.001, 0.02)
        .clamp("base")
        .load("press", "point = 'top', fy = -1.0")
        .probe("turn", "rotation = { point = 'top' }")
        .entry("static", "to = 2.0, control = 'arc_length', quantity = 'probes.turn'")
        .and("first_step = 0.1")
        .outputs("points.top.* probes.*")
        .beam("column", ["base", "top"], [12, 4], "steel strip")
        .text()
}

/// π²EI/4L², N.
fn euler() -> f64 {
    let bending = 200e9 * 0.02 * 1e-9 / 12.0;
    PI * PI * bending / 4.0
}

#[test]
fn a_column_buckles_at_eulers_load_and_at_nine_times_it() {
    let column = Trace::of(&column(), &[], |path| path.to = 10.0);
    let loads: Vec<f64> = column.bifurcations().iter().map(|row| row.factor).collect();
    assert_eq!(loads.len(), 2, "{loads:?}");
    is_near(loads[0], euler(), 1e-5);
    is_near(loads[1], 9.0 * euler(), 1e-4);
    let unstable: Vec<u32> = column.rows.iter().map(|row| row.unstable).collect();
    assert!(unstable.is_sorted() && unstable.last() == Some(&2), "{unstable:?}");
}

#[test]
fn a_column_drawn_from_its_free_end_is_said_to_buckle_a_little_early() {
    // What is left of the last pivots is below what counts as zero; see docs/theory/statics.md, section 12.
    let drawn = "from = \"base\"\nto = \"top\"";
    let turned = column().edit(drawn, "from = \"top\"\nto = \"base\"");
    assert_ne!(turned, column());
    for elements in [4, 12] {
        let text = turned.edit("elements = 12", &format!("elements = {elements}"));
        let column = Trace::of(&text, &[], |path| path.to = 2.0);
        let found = column.bifurcations();
        assert_eq!(found.len(), 1);
        println!("{elements}: {:.5} of {:.5} N", found[0].factor, euler());
        is_near(found[0].factor, euler(), 2e-3);
    }
}

#[test]
fn a_buckled_column_follows_the_elastica_to_either_side() {
    // Tip angle; P/P_cr, height and deflection of the tip: (2K/π)², 2E/K − 1, 2k/K with
    // k = sin(α/2).
    let elastica = [
        (20.0_f64, 1.0153968655, 0.9697309074, 0.2194130424),
        (60.0, 1.1517196205, 0.7410196061, 0.5932076462),
        (90.0, 1.3932039297, 0.4569465810, 0.7627597635),
        (120.0, 1.8848008690, 0.1231599724, 0.8031709900),
    ];
    for (side, sign) in [(Branch::Plus, 1.0), (Branch::Minus, -1.0)] {
        for (angle, load, height, deflection) in elastica {
            let column = Trace::of(&column(), &[], |path| {
                path.switch = Some(side);
                path.to = load * euler();
            });
            assert_eq!(column.ended, Ended::Reached);
            is_near(column.end("points.top.y"), height, 2e-4);
            let x = column.end("points.top.x");
            is_near(x.abs(), deflection, 2e-4);
            let turn = column.end("probes.turn");
            is_near(turn.abs(), angle.to_radians(), 2e-4);
            assert_eq!(turn.signum(), -x.signum());
            let branch = column.at(|station| station == Station::Branch);
            let first = column.get(branch[0], "points.top.x");
            // The largest entry of the motion, the rotation of the top, is positive on `plus`.
            assert_eq!(first.signum(), -sign);
            let behind = column.rows.iter().skip_while(|r| r.station != Station::Branch);
            assert!(behind.into_iter().all(|row| row.unstable == 0));
        }
    }
}

/// A column between hinges of which one is on a roller, bent by `bow` m in its middle before any load.
fn bowed_column(bow: f64) -> String {
    Mechanism::new("bowed_column")
        .step(1e-3)
        .points("root = [0.0, 0.0], tip = [1.0, 0.0]")
        .steel()
        .rectangle("strip", 0.01, 0.04)
        .pin("root")
        .roller("tip")
        .load("along", "point = 'tip', fx = -1.0")
        .entry("static", "to = 1.0")
        .outputs("points.tip.x points.root.rotation")
        .member("strip", ["root", "tip"], "elements = 8, material = 'steel', section = 'strip'")
        .and(format!("arc = {{ through = [0.5, {bow}] }}"))
        .text()
}

#[test]
fn a_bowed_column_bends_on_beyond_eulers_load_however_long_the_steps_of_load_control_are() {
    let euler = PI * PI * 700.0;
    // Newton's method finds the other branch, on which the column is bent against its bow and unstable, from long steps.
    let steps = [10.0, 100.0, 1000.0, 3000.0];
    for (bow, first) in [1e-4, 3e-4].into_iter().flat_map(|bow| steps.map(|step| (bow, step))) {
        let to = |load: f64| {
            let trace = Trace::of(&bowed_column(bow), &[], |path| {
                path.to = load * euler;
                path.first_step = Some(first);
            });
            assert!(trace.bifurcations().is_empty() && trace.limits().is_empty(), "{bow} {first}");
            assert!(trace.rows.iter().all(|row| row.unstable == 0), "{bow} {first}");
            [trace.end("points.root.rotation"), trace.end("points.tip.x")]
        };
        // The first term of the bow grows by 1/(1 − P/P_cr); the second one and large rotations are left out.
        let [turn, _] = to(0.9);
        is_near(turn, 32.0 / (PI * PI) * bow * 0.9 / 0.1, 5e-3);
        // The elastica of a straight column: end angle, P/P_cr and 2E/K − 1. Shear and strain of the axis lower Euler's load by
        // 3.4e-4, which adds 1.3e-3 rad at 60°, and the bow adds up to 15 rad/m.
        for (angle, load, length) in
            [(60.0_f64, 1.1517196205, 0.7410196061), (90.0, 1.3932039297, 0.4569465810)]
        {
            let [turn, x] = to(load);
            is_near(turn, angle.to_radians(), 2e-3 + 15.0 * bow);
            assert!((x - length).abs() < 2e-3 + 15.0 * bow, "{x} m, {length} m");
        }
    }
}

/// Lee's frame: a column and a beam of 1 m, hinged at both far ends, loaded at 0.2 m from the
/// corner.
#[test]
fn lees_frame_passes_its_limit_load_and_snaps_back() {
    let text = &Mechanism::new("lees_frame")
        .step(1e-3)
        .points("base = [0.0, 0.0], corner = [0.0, 1.0], load = [0.2, 1.0], end = [1.0, 1.0]")
        .material("steel", 200e9, 0.0, 7850.0)
        .rectangle("strip", 0.002, 0.02)
        .pin("base")
        .pin("end")
        .load("press", "point = 'load', fy = -1.0")
        .entry("static", "to = 70.0, control = 'arc_length', first_step = 5.0")
        .outputs("points.load.*")
        .beam("column", ["base", "corner"], [12, 4], "steel strip")
        .beam("short", ["corner", "load"], [4, 4], "steel strip")
        .beam("long", ["load", "end"], [10, 4], "steel strip")
        .text();
    let frame = Trace::of(text, &[], |_| {});
    assert_eq!(frame.ended, Ended::Reached);
    // EI/L² = 2.6667 N. The inextensible elastica by shooting (Runge-Kutta of order 8, 1e-12):
    // limit at 18.558747 EI/L² with the load 0.406162 L lower. Literature: 18.55.
    let unit = 200e9 * 0.02 * 8e-9 / 12.0;
    let limits = frame.limits();
    assert_eq!(limits.len(), 2);
    is_near(limits[0].factor, 18.558747 * unit, 1e-4);
    let sunk = 1.0 - frame.get(limits[0], "points.load.y");
    assert!((sunk - 0.406162).abs() < 2e-3, "{sunk}");
    assert!(limits[1].factor < 0.0, "it has to be held back");
    // Points of the same elastica on the way.
    for (sunk, load, aside) in [(0.105, 10.884731, 0.020828), (0.305, 17.258052, 0.123312)] {
        let frame = Trace::of(text, &[], |path| {
            path.control = Control::Displacement;
            path.quantity = Some(quantity(text, "points.load.y"));
            path.first_step = Some(0.01);
            path.to = 1.0 - sunk;
        });
        assert_eq!(frame.ended, Ended::Reached);
        is_near(frame.rows.last().expect("points").factor, load * unit, 2e-4);
        assert!((frame.end("points.load.x") - 0.2 - aside).abs() < 2e-5);
    }
    // It snaps back: the load point rises while the path goes on.
    let heights: Vec<f64> = frame.rows.iter().map(|r| frame.get(r, "points.load.y")).collect();
    let rises = heights.windows(2).any(|pair| pair[1] > pair[0] + 1e-6);
    assert!(rises, "no snap-back");
    assert_eq!(frame.rows.last().map(|row| row.unstable), Some(0));
}

fn quantity(text: &str, name: &str) -> Steered {
    let model = common::check(text, &[]).expect("no fault");
    Steered::named(&model, name).expect("a quantity")
}

#[test]
fn a_pendulum_that_nothing_holds_at_the_factor_zero_is_refused_in_words() {
    let text = &Mechanism::new("pendulum")
        .step(1e-3)
        .points("top = [0.0, 0.0], end = [0.0, -1.0]")
        .material("steel", 210e9, 0.3, 0.0)
        .section("rod", "circle = { diameter = 0.02 }")
        .mass("end", 2.0)
        .member("rod", ["top", "end"], "elements = 2, material = 'steel', section = 'rod'")
        .pin("top")
        .load("side", "point = 'end', fx = 10.0")
        .entry("static", "to = 3.0")
        .outputs("points.end.x")
        .text();
    let model = common::check(text, &[]).expect("no fault");
    let system = System::build(&model).expect("a system");
    let path = model.statics.clone().expect("[static]");
    let refused = follow(&system, &[], &path, &mut |_| {}).expect_err("nothing holds it");
    let said = refused.to_string();
    assert!(said.contains("member `rod` rotates about point `top`"), "{said}");
    // Weight gives it the stiffness it needs: tan α = F/G.
    let heavy = Trace::of(&format!("gravity.y = -9.81\n{text}"), &[], |_| {});
    let angle = (30.0_f64 / (9.81 * 2.0)).atan();
    is_near(heavy.end("points.end.x"), angle.sin(), 1e-5);
}

/// A bead at the bottom of a ring of radius 1 hangs on a bar whose anchor, 1.5 m above the centre, is pulled up.
fn bead() -> String {
    Mechanism::new("bead")
        .step(1e-2)
        .solver("analysis = 'quasi_static'")
        .gravity(-9.81)
        .points("left = [-1.0, 0.0], right = [1.0, 0.0], bead = [0.0, -1.0], anchor = [0.0, 1.5]")
        .material("rubber", 4e5, 0.4, 0.0)
        .section("bar", "properties = { area = 1e-4, second_moment = 1e-10 }")
        .support("ring", "member = 'ring', fix = ['x', 'y', 'rotation']")
        .support("anchor", "point = 'anchor', fix = ['x']")
        .motion("pull", "point = 'anchor', direction = 'y', velocity = 1.0")
        .mass("bead", 1.0)
        .slider("bead", "bead", "ring", "")
        .entry("static", "to = 1.2, scale = ['motions.pull'], control = 'arc_length'")
        .outputs("points.bead.x")
        .member("ring", ["left", "right"], "elements = 30, arc.angle = 'pi'")
        .beam("bar", ["anchor", "bead"], [1, 1], "rubber bar")
        .text()
}

#[test]
fn a_path_on_which_nothing_but_a_motion_moves_at_first_is_followed_by_its_length() {
    // EA e a/L = m g at the height a of the anchor, e = ½ ((a + 1)²/L² − 1): the weight no longer keeps the bead down.
    let excess = |a: f64| 40.0 * 0.5 * ((a + 1.0).powi(2) / 6.25 - 1.0) * a / 2.5 - 9.81;
    let (mut low, mut high) = (1.5, 2.7);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        (low, high) = if excess(middle) < 0.0 { (middle, high) } else { (low, middle) };
    }
    let bead = Trace::of(&bead(), &[], |_| {});
    let found: Vec<f64> = bead.bifurcations().iter().map(|row| row.factor).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    // The chain of 30 pieces is curved a little otherwise than the circle.
    is_near(found[0], low - 1.5, 1e-3);
    assert_eq!(bead.ended, Ended::Reached);
}

/// A slip element that slips on the way bears its limit from there on, and what it has taken counts.
#[test]
fn a_slip_element_on_a_path_slips_at_its_limit() {
    let (limit, stiffness, beside) = (12.0, 4000.0, 1000.0);
    let path = Trace::of(
        &Mechanism::new("slips")
            .step(1e-3)
            .points("foot = [0.0, 0.0], head = [0.2, 0.0]")
            .entry("static", "to = 1.0")
            .mass("head", 1.0)
            .roller("head")
            .load("pull", "point = 'head', fx = 30.0")
            .spring("own", format!("ground = 'foot', to = 'head', stiffness = {beside:?}"))
            .spring("rubs", "ground = 'foot', to = 'head'")
            .and(format!("friction = {{ force = {limit:?}, stiffness = {stiffness:?} }}"))
            .outputs("points.head.x")
            .text(),
        &[],
        |_| {},
    );
    assert_eq!(path.ended, Ended::Reached);
    for row in &path.rows {
        let load = 30.0 * row.factor;
        let sticks = load / (stiffness + beside);
        let (way, force) = match sticks * stiffness <= limit {
            true => (sticks, sticks * stiffness),
            false => ((load - limit) / beside, limit),
        };
        let get = |of: &str| path.get(row, of);
        assert!((get("points.head.x") - 0.2 - way).abs() < 1e-9);
        assert!((get("springs.rubs.force") - force).abs() < 1e-6);
        let taken = limit * (way - limit / stiffness).max(0.0);
        assert!((get("springs.rubs.dissipated_energy") - taken).abs() < 1e-9);
    }
}
