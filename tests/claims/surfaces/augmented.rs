//! Contacts whose points are pressed in by a share of their play at the most: multipliers of the augmented Lagrangian.

use super::guided::{DAMPED, Guided};
use crate::common::{Simulation, sensitivity};

/// A slider with play whose lining gives way by more than that, were it not for the limit.
fn limited(play: f64, share: f64) -> Guided {
    Guided {
        cells: [8, 2],
        order: 2,
        play,
        stiffness: format!("stiffness = 1e10\npenetration = {share:?}"),
        ..Guided::of_nodes(1.0)
    }
}

fn without(guided: &Guided, stiffness: f64) -> Guided {
    Guided {
        stiffness: format!("stiffness = {stiffness:?}"),
        ..guided.clone()
    }
}

/// The soft lining with a limit slides as a hard one does without, from the elastic answer without much play to that of rigid corners,
/// 7.2902 m/s² (Table B).
#[test]
fn a_limited_depth_slides_as_a_hard_lining_does() {
    for play in [1e-3, 1e-5, 1e-6] {
        let guided = limited(play, 1e-4);
        let [found, hard, soft] = [
            guided.slides().acceleration,
            without(&guided, 1e14).slides().acceleration,
            without(&guided, 1e10).slides().acceleration,
        ];
        println!("play {play:e} m: {found:.5} m/s², hard {hard:.5}, as soft as it is {soft:.5}");
        assert!((found - hard).abs() < 2e-3 * hard, "{found} {hard}");
        if play == 1e-3 {
            assert!((found - 7.2902).abs() < 1e-3, "{found}");
        }
    }
}

/// Jammed, in statics: no point is deeper than the share of the play, and the slider is held by the same forces.
#[test]
fn what_is_jammed_is_held_at_the_faces() {
    for share in [1e-1, 1e-2, 1e-4] {
        let guided = Guided {
            offset: 3.0,
            ..limited(1e-6, share)
        };
        let sim = Simulation::of(&guided.text());
        let [gap, along] =
            ["gap", "friction_force"].map(|of| sim.get(&format!("contacts.guide.{of}")));
        println!(
            "share {share:e}: {:.3e} of the play, {along:.6} N",
            -gap / 1e-6
        );
        assert!(gap >= -share * 1e-6, "{gap}");
        assert!((along.abs() - 1500.0).abs() < 1e-3, "{along}");
        let soft = Simulation::of(&without(&guided, 1e10).text());
        assert!(
            soft.get("contacts.guide.gap") < -1e-6,
            "without a limit it is deeper"
        );
    }
}

/// In time: the slider comes to its faces, slides as steadily as the direct solution says, and what multipliers do is no work.
#[test]
fn a_limited_depth_in_time_balances_and_accelerates_as_it_does_steadily() {
    let guided = limited(1e-5, 1e-2);
    let steady = guided.slides().acceleration;
    let text = Guided {
        more: DAMPED.into(),
        ..guided
    };
    let mut sim = Simulation::of(&text.text());
    let (u, mut deepest) = (sim.point("a", 0), 0.0_f64);
    sim.run(0.06, 1e-3, |_| {});
    let before = sim.state.velocity[u];
    sim.run(0.12, 1e-3, |now| {
        deepest = deepest.max(-now.get("contacts.guide.gap"))
    });
    let mean = (sim.state.velocity[u] - before) / 0.06;
    let (left, work) = (sim.get("energy.balance"), sim.get("energy.input_work"));
    println!(
        "{mean:.5} m/s² ({steady:.5}), at most {deepest:.2e} m deep, balance {:.1e}, {} steps",
        left / work,
        sim.state.counters.steps
    );
    assert!((mean - steady).abs() < 2e-3 * steady, "{mean} {steady}");
    assert!(deepest <= 1e-7, "{deepest}");
    assert!(left.abs() < 1e-3 * work, "{left} {work}");
}

/// Derivatives repeat the multipliers' steps with the last tangent: in statics, where each step leads on from multipliers that are known,
/// and in time, where differences of one step are right to about the share that is allowed.
#[test]
fn derivatives_of_a_limited_depth_agree_with_differences() {
    let jammed = Guided {
        offset: 3.0,
        ..limited(1e-6, 1e-4)
    };
    let in_time = Guided {
        more: DAMPED.into(),
        ..limited(1e-5, 1e-2)
    };
    // Under a load that stays, what slips is at its limit: more of it slips on, less holds.
    for (guided, begin, grows, tolerance) in
        [(jammed, 2e-3, 1.01, 1e-3), (in_time, 0.05, 1.0, 3e-2)]
    {
        let interface = "inputs = [\"loads.turn.qx\"]\noutputs";
        let text = guided.text().replace("outputs", interface);
        let text = sensitivity::sharp(&text, 1e-13);
        let mut sim = Simulation::of(&text);
        sim.run(begin, 1e-3, |_| {});
        sim.state.inputs[0] *= grows;
        let sure = sensitivity::check(&sim, &text, 1e-3, &[("loads.turn.qx", 1.0)], tolerance);
        println!("from {begin} s: {sure} derivatives");
        assert!(sure >= 10, "{sure}");
    }
}
