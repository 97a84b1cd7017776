//! Paths of equilibria of a slider in its guide: what its contact tells at each point balances the loads there, and where the slider
//! begins to slide the path says so.

use coulisse::continuation::{Ended, Station};

use super::guided::Guided;
use crate::common::Simulation;
use crate::statics::trace::Trace;

/// N.
const FORCE: f64 = 1500.0;

/// Weight of the slider, N.
const WEIGHT: f64 = 2.0 * 0.8 * 0.01 * 7850.0 * 9.81;

/// A slider of 27 nodes that is pulled with `FORCE` at an `offset` (m).
fn pulled(offset: f64, friction: &str) -> Guided {
    Guided { force: FORCE, offset, friction: friction.into(), ..Guided::of_nodes(1.05e9) }
}

/// The path over its pull, its weight staying.
fn path_of(guided: &Guided, to: f64) -> Trace {
    let more = "[static]\nscale = [\"loads\"]\n";
    let guided = Guided { more: format!("{}{more}to = {to:?}\n", guided.more), ..guided.clone() };
    Trace::of(&guided.text(), &[], |_| {})
}

/// Forces and moment on the guide are those on the slider.
fn balances(path: &Trace, offset: f64) {
    for row in &path.rows {
        let get = |of: &str| path.get(row, &format!("contacts.guide.{of}"));
        let is = |of: &str, exact: f64, allowed: f64| {
            let value = get(of);
            let factor = row.factor;
            assert!((value - exact).abs() < allowed, "{of} at {factor}: {value} N, {exact} N");
        };
        let force = row.factor * FORCE;
        is("fx", force, 1e-4);
        is("friction_force", force, 1e-4);
        is("fy", -WEIGHT, 1e-4);
        // The surface is deformed by a few micrometres where its middle is taken.
        is("moment", -force * offset, 1e-5 * FORCE * offset);
        assert!((0.0..=1.0).contains(&get("sticking")));
        assert!(get("normal_force") > WEIGHT * (1.0 - 1e-9));
    }
}

#[test]
fn every_point_of_a_path_to_a_jam_balances_its_loads_and_is_the_equilibrium_of_a_run() {
    for friction in ["coefficient = 0.31", "coefficient = 0.3, static_coefficient = 0.6"] {
        let guided = pulled(2.6, friction);
        let path = path_of(&guided, 1.0);
        assert_eq!(path.ended, Ended::Reached, "{friction}");
        balances(&path, guided.offset);
        let (mut lost, mut last) = (0.0, 1.0);
        for row in &path.rows {
            let get = |of: &str| path.get(row, &format!("contacts.guide.{of}"));
            let now = get("dissipated_energy");
            assert!(now > lost - 1e-15, "friction gives {} J", lost - now);
            (lost, last) = (now, get("sticking"));
            let run =
                Simulation::of(&Guided { force: row.factor * FORCE, ..guided.clone() }.text());
            for (of, share) in [("fx", 1e-5), ("moment", 1e-5), ("normal_force", 1e-2)] {
                let (found, direct) = (get(of), run.get(&format!("contacts.guide.{of}")));
                let allowed = share * direct.abs().max(FORCE);
                assert!(
                    (found - direct).abs() < allowed,
                    "{of} at {}: {found}, at once {direct}",
                    row.factor
                );
            }
        }
        assert!(lost > 1e-3 && last < 0.5, "{lost} J, {last} sticks");
    }
}

/// Where it begins to slide: it rests under a hair less and has no equilibrium under a hair more.
#[test]
fn where_a_surface_begins_to_slide_the_path_says_so() {
    // Where given, factors that runs of loads put on at once have bracketed: no independent program has found them.
    for (friction, expected) in [
        ("coefficient = 0.3", None),
        ("coefficient = 0.3, static_coefficient = 0.31", Some(0.2498)),
        ("coefficient = 0.3, static_coefficient = 0.4", Some(0.2845)),
        ("coefficient = 0.4", None),
    ] {
        let guided = pulled(1.2, friction);
        let path = path_of(&guided, 1.0);
        balances(&path, guided.offset);
        let Ended::Stuck(why) = &path.ended else { panic!("{friction}: {:?}", path.ended) };
        let last = path.rows.last().expect("points").factor;
        println!("{friction}: lets go at the factor {last}: {why}");
        assert!(
            why.contains("contacts.guide begins to slide at the factor")
                && why.contains("coulisse sliding")
                && why.contains("--limit"),
            "{why}"
        );
        let starts = |factor: f64| {
            let guided = Guided { force: factor * FORCE, ..guided.clone() };
            let checked = crate::common::check(&guided.text(), &[]).expect("no faults");
            let system = coulisse::system::System::build(&checked).expect("a system");
            coulisse::start::start(&system, &[]).is_ok()
        };
        assert!(starts(0.999 * last), "{friction}: nothing holds it before");
        assert!(!starts(1.001 * last), "{friction}: it is held beyond");
        if let Some(expected) = expected {
            assert!((last - expected).abs() < 1e-4, "{last}, {expected}");
        }
    }
}

/// Faces that do not give way come to the surface at every point of a path.
#[test]
fn on_a_path_no_point_is_deeper_than_it_may_be() {
    let (clearance, share) = (1e-6, 1e-2);
    let guided = Guided {
        clearance,
        stiffness: format!("stiffness = 1e10\npenetration = {share:?}"),
        ..pulled(3.0, "coefficient = 0.3")
    };
    let path = path_of(&guided, 0.2);
    assert_eq!(path.ended, Ended::Reached);
    balances(&path, guided.offset);
    for row in &path.rows {
        let gap = path.get(row, "contacts.guide.gap");
        assert!(gap >= -share * clearance, "{gap} m at {}", row.factor);
    }
}

/// A slider with clearance tips over the end of its face where the moment of its pull is that of its weight about it, W a/2 = f F (e + b/2), with less
/// and less load as it turns, until a corner meets the other face: two limit points, which arc length leads through. From there on the pull presses
/// it on both faces, and it slides where that is no longer enough.
#[test]
fn arc_length_leads_a_slider_that_tips_from_one_face_to_the_other() {
    for penetration in ["", "penetration = 0.01\n"] {
        let guided = Guided {
            cells: [4, 2],
            order: 2,
            stiffness: format!("{penetration}stiffness = 1e10"),
            clearance: 1e-5,
            ..pulled(3.0, "coefficient = 0.3")
        };
        let guided = Guided {
            more: "[static]\nscale = [\"loads\"]\ncontrol = \"arc_length\"\nto = 1.0\n".into(),
            ..guided
        };
        let path = Trace::of(&guided.text(), &[], |_| {});
        let [a, b] = guided.size;
        let tips = WEIGHT * a / 2.0 / (FORCE * (guided.offset + b / 2.0));
        let limits = path.at(|station| station == Station::Limit);
        let factors: Vec<f64> = limits.iter().map(|row| row.factor).collect();
        let last = path.rows.last().expect("points");
        let get = |of: &str| path.get(last, &format!("contacts.guide.{of}"));
        println!("{penetration}: {factors:?}, {tips}; slides at {}", last.factor);
        assert_eq!(factors.len(), 2, "{:?}", path.ended);
        assert!(factors[1] < factors[0] && (factors[0] / tips - 1.0).abs() < 1e-4);
        assert_eq!(get("sides"), 2.0);
        assert!((last.factor * FORCE / (0.3 * get("normal_force")) - 1.0).abs() < 1e-3);
        let Ended::Stuck(why) = &path.ended else { panic!("{:?}", path.ended) };
        assert!(why.contains("contacts.guide begins to slide"), "{why}");
    }
}

/// With a coefficient that falls far, the first point that lets go takes others with it: the path says so instead of speaking of a limit point.
#[test]
fn where_a_surface_lets_go_in_part_the_path_says_so() {
    let guided = Guided {
        cells: [10, 4],
        order: 2,
        stiffness: "stiffness = 1e10".into(),
        ..pulled(3.0, "coefficient = 0.1, static_coefficient = 0.3")
    };
    let path = path_of(&guided, 1.0);
    let Ended::Stuck(why) = &path.ended else { panic!("{:?}", path.ended) };
    println!("{why}");
    assert!(
        why.contains("contacts.guide breaks away in part at the factor")
            && why.contains("static coefficient")
            && !why.contains("limit point"),
        "{why}"
    );
}
