//! Save, go on, restore, go on again: the same bits as never having left.

use crate::common;
use crate::common::edit::Edit;
mod mechanisms;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::common::rig::{Bits, Rig, Step, blueprint};
use coulisse::fmu::{Blueprint, Call, Instance, Mode, Status};
use mechanisms::Case;
use proptest::test_runner::TestRunner;

const STATIC: &str = "joints.block.friction.stribeck.static_coefficient";
const KINETIC: &str = "joints.block.friction.stribeck.kinetic_coefficient";

/// The same communication step over and over, with the inputs as they are.
fn even(length: f64, count: usize) -> Vec<Step> {
    let step = Step { length, inputs: Vec::new() };
    vec![step; count]
}

/// Every way to take up a state again, against having gone straight on.
fn every_way_back(case: &Case) {
    let plan = blueprint(&case.text);
    let (mut straight, starts) = Rig::started(&plan, &case.parameters);
    assert!(starts, "{}", case.text);
    straight.run(&case.before);
    let expected = straight.run(&case.after);

    let (mut rig, _) = Rig::started(&plan, &case.parameters);
    rig.run(&case.before);
    let snapshot = rig.save();
    let bytes = snapshot.to_bytes().unwrap_or_else(|r| panic!("{r}"));
    rig.run(&case.dropped);
    rig.restore(&snapshot);
    assert_eq!(rig.run(&case.after), expected, "in place");
    rig.restore_bytes(&bytes);
    assert_eq!(rig.run(&case.after), expected, "through bytes");

    // Scratch space and parameters of another life must not be felt.
    let (mut other, _) = Rig::started(&plan, &[]);
    other.run(&case.dropped);
    other.restore(&snapshot);
    assert_eq!(other.run(&case.after), expected, "in another instance");

    let mut fresh = Rig::new(&blueprint(&case.text));
    fresh.restore_bytes(&bytes);
    assert_eq!(fresh.0.save().to_bytes(), Ok(bytes), "what was read is what was written");
    assert_eq!(fresh.run(&case.after), expected, "in a fresh instance");
}

#[test]
fn random_mechanisms_go_on_with_the_same_bits() {
    let mut runner = TestRunner::new(common::random_cases(60));
    let run = runner.run(&mechanisms::case(), |case| {
        every_way_back(&case);
        Ok(())
    });
    run.unwrap_or_else(|fault| panic!("{fault}"));
}

/// Saves at every communication point and restores it after three more; returns how often the
/// look changed on the way.
fn from_every_point(text: &str, steps: &[Step], look: &str) -> usize {
    let plan = blueprint(text);
    let place = plan.interface().find(look).expect("a variable") as usize;
    let (mut rig, starts) = Rig::started(&plan, &[]);
    assert!(starts);
    let expected = rig.run(steps);
    let (mut rig, _) = Rig::started(&plan, &[]);
    for (i, step) in steps.iter().enumerate() {
        let snapshot = rig.save();
        rig.run(&steps[i..(i + 3).min(steps.len())]);
        rig.restore(&snapshot);
        assert_eq!(rig.step(step), expected[i], "step {i}");
    }
    let change = |pair: &&[Bits]| pair[0].1[place] != pair[1].1[place];
    expected.windows(2).filter(change).count()
}

#[test]
fn between_sticking_and_sliding() {
    // Slips at 23.1 s and sticks again at 28.6 s; both within communication steps.
    let text = common::bundled("rabinowicz");
    let changes = from_every_point(&text, &even(0.25, 160), "joints.block.sticking");
    assert!(changes >= 3, "{changes} changes");
}

#[test]
fn from_one_path_element_to_the_next_and_to_the_next_member() {
    // 27.8 m/s over elements of 5 m and the middle support: ten elements in 1.8 s.
    let text = common::bundled("moving_mass_on_bridge");
    let changes = from_every_point(&text, &even(0.02, 90), "points.wheel.x");
    assert_eq!(changes, 89, "the wheel moves all the time");
}

#[test]
fn at_a_stop_and_away_from_it() {
    let text = common::bundled("incline_prismatic")
        .edit("20*", "0.5*")
        .edit(", \"gravity.y\"]", "]\ninputs = [\"gravity.y\"]");
    let steps = [-9.81, 9.81].map(|gravity| Step { length: 0.05, inputs: vec![gravity] });
    // Half a metre down in 0.64 s, a rest at the stop, and up again.
    let steps = [vec![steps[0].clone(); 20], vec![steps[1].clone(); 10]].concat();
    let moved = from_every_point(&text, &steps, "joints.block.position");
    assert!((15..27).contains(&moved), "{moved} steps with motion");
}

#[test]
fn after_a_discarded_step() {
    let plan = blueprint(&common::text("tests/abi/leaves_its_path"));
    let (mut rig, _) = Rig::started(&plan, &[]);
    let steps = even(1e-2, 44);
    rig.run(&steps);
    let before = rig.save();
    let long = &even(0.1, 1)[0];
    let short = even(1e-3, 5);
    let (status, failed) = rig.step(long);
    assert_eq!((status, rig.0.mode()), (Status::Discard, Mode::StepFailed));
    let at_failure = rig.save();
    rig.restore(&before);
    let good = rig.run(&short);
    assert!(good.iter().all(|(status, _)| *status == Status::Ok));
    assert_eq!(rig.step(long).0, Status::Discard);

    // The failure itself is a state too, with its time, its values and its reason.
    let mut fresh = Rig::new(&plan);
    fresh.restore_bytes(&at_failure.to_bytes().expect("bytes"));
    assert_eq!((fresh.0.mode(), fresh.bits()), (Mode::StepFailed, failed));
    assert!(fresh.0.has_ended());
    fresh.restore(&before);
    assert_eq!(fresh.run(&short), good);
}

#[test]
fn before_and_in_initialization_mode() {
    let plan = blueprint(&common::bundled("rabinowicz"));
    let parameters = [(STATIC, 0.65), (KINETIC, 0.45)];
    let steps = even(0.5, 8);
    let (mut straight, _) = Rig::started(&plan, &parameters);
    let expected = straight.run(&steps);

    let mut rig = Rig::new(&plan);
    rig.set(&parameters);
    let instantiated = rig.save().to_bytes().expect("bytes");
    rig.enter();
    let start = rig.bits();
    let initializing = rig.save().to_bytes().expect("bytes");
    let exit = |rig: &mut Rig| {
        let call = Call::ExitInitializationMode;
        rig.0.perform(call, Instance::exit_initialization)
    };
    rig.set(&[(STATIC, 0.7), (KINETIC, 0.2)]);
    assert_eq!(exit(&mut rig), Status::Ok);
    assert_ne!(rig.run(&steps), expected);

    rig.restore_bytes(&initializing);
    assert_eq!((rig.0.mode(), rig.bits()), (Mode::Initialization, start));
    assert_eq!(exit(&mut rig), Status::Ok);
    assert_eq!(rig.run(&steps), expected);

    rig.restore_bytes(&instantiated);
    assert_eq!(rig.0.mode(), Mode::Instantiated);
    rig.enter();
    assert_eq!(exit(&mut rig), Status::Ok);
    assert_eq!(rig.run(&steps), expected);
}

#[test]
fn parameters_that_do_not_fit_each_other_yet_are_a_state_too() {
    let plan = blueprint(&common::bundled("rabinowicz"));
    let mut rig = Rig::new(&plan);
    // The kinetic coefficient of the file is above this static one.
    rig.set(&[(STATIC, 0.1)]);
    let bytes = rig.save().to_bytes().expect("bytes");
    let mut fresh = Rig::new(&plan);
    fresh.restore_bytes(&bytes);
    fresh.enter();
    fresh.set(&[(KINETIC, 0.05)]);
    let exit = fresh.0.perform(Call::ExitInitializationMode, Instance::exit_initialization);
    assert_eq!(exit, Status::Ok);
}

#[test]
fn bytes_that_are_foreign_truncated_or_altered_change_nothing() {
    let plan = blueprint(&common::bundled("rabinowicz"));
    let (mut rig, _) = Rig::started(&plan, &[]);
    rig.run(&even(0.3, 5));
    let good = rig.save().to_bytes().expect("bytes");
    let (now, refused) = (rig.bits(), |rig: &Rig, bytes: &[u8]| {
        rig.0.read_snapshot(bytes).expect_err("refused").message
    });
    for length in [0, 1, 8, 12, 57, 58, good.len() / 2, good.len() - 1] {
        let message = refused(&rig, &good[..length]);
        let expected = if length < 20 { "no state" } else { "had" };
        assert!(message.contains(expected), "{length}: {message}");
    }
    let mut longer = good.clone();
    longer.push(0);
    assert!(refused(&rig, &longer).contains("no more"));
    // One bit anywhere is enough.
    for place in 0..good.len() {
        let mut bytes = good.clone();
        bytes[place] ^= 1 << (place % 8);
        refused(&rig, &bytes);
    }
    let other = Rig::new(&blueprint(&common::bundled("incline"))).0.save();
    let message = refused(&rig, &other.to_bytes().expect("bytes"));
    assert!(message.contains(plan.guid()), "{message}");
    let status = rig.0.perform(Call::SetFMUstate, |i| i.restore(&other));
    assert_eq!((status, rig.bits()), (Status::Error, now));
}

#[test]
fn the_number_of_bytes_is_the_same_at_every_communication_point() {
    let (mut rig, _) = Rig::started(&blueprint(&common::bundled("rabinowicz")), &[]);
    let first = rig.save().to_bytes().expect("bytes").len();
    let same = |rig: &mut Rig| assert_eq!(rig.save().to_bytes().expect("bytes").len(), first);
    // Through sticking and sliding, and with inputs that the host sets late.
    for mut step in even(0.5, 60) {
        rig.step(&step);
        same(&mut rig);
        step.inputs = vec![0.5];
        rig.step(&step);
        same(&mut rig);
    }
}

/// Folder with `model.toml` and `state`, for [`goes_on_in_this_process`].
const FOLDER: &str = "COULISSE_ROLLBACK";

fn rest() -> Vec<Step> {
    even(4e-3, 20)
}

fn text_of(run: &[Bits]) -> String {
    format!("{run:x?}")
}

#[test]
fn in_a_new_process() {
    for name in ["quick_return", "rabinowicz", "moving_mass_on_bridge"] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rollback_{name}"));
        std::fs::create_dir_all(&folder).expect("the test's folder is writable");
        let text = common::bundled(name);
        let (mut rig, _) = Rig::started(&blueprint(&text), &[]);
        rig.run(&rest());
        let bytes = rig.save().to_bytes().expect("bytes");
        std::fs::write(folder.join("model.toml"), &text).expect("the test's folder is writable");
        std::fs::write(folder.join("state"), bytes).expect("the test's folder is writable");
        let _ = std::fs::remove_file(folder.join("result"));
        let child = Command::new(std::env::current_exe().expect("the test knows where it is"))
            .args(["--exact", "rollback::goes_on_in_this_process", "--ignored"])
            .env(FOLDER, &folder)
            .output()
            .expect("this test runs");
        assert!(child.status.success(), "{child:?}");
        let result = std::fs::read_to_string(folder.join("result")).expect("the child's result");
        assert_eq!(result, text_of(&rig.run(&rest())), "{name}");
    }
}

#[test]
#[ignore = "the other process of `in_a_new_process`"]
fn goes_on_in_this_process() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let folder = Path::new(&folder);
    let plan: Arc<Blueprint> = Arc::new(Blueprint::load(folder).expect("the parent's model"));
    let mut rig = Rig::new(&plan);
    rig.restore_bytes(&std::fs::read(folder.join("state")).expect("the parent's state"));
    let result = text_of(&rig.run(&rest()));
    std::fs::write(folder.join("result"), result).expect("the parent's folder is writable");
}
