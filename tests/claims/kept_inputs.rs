//! An input that a host does not set keeps its start in the description, whatever parameters are set.

use std::sync::{Arc, Mutex};

use coulisse::fmu::{Call, Category, Instance, Kind, Log, Sink, Status};

use crate::common;
use crate::common::rig::{Rig, blueprint};

const LENGTH: &str = "springs.strut.free_length";
const BODY: &str = "parameters.body";
const HEIGHT: &str = "points.body.y";

/// Keeps what is logged.
struct Kept(Arc<Mutex<Vec<String>>>);

impl Sink for Kept {
    fn message(&self, _: Status, _: Category, text: &str) {
        self.0.lock().expect("no panic inside").push(text.to_owned());
    }
}

fn read(rig: &mut Rig, name: &str) -> f64 {
    let reference = rig.0.blueprint().interface().find(name).expect("a variable");
    let mut value = f64::NAN;
    let get = |i: &mut Instance| i.get(Kind::Real, &[reference], |_, x| value = x);
    assert_eq!(rig.0.perform(Call::GetReal, get), Status::Ok);
    value
}

#[test]
fn hosts_that_set_all_starts_and_those_that_set_none_get_the_same_car() {
    let plan = blueprint(&common::bundled("quarter_car"));
    let variables = plan.interface().variables();
    let start = variables.iter().find(|v| v.name == LENGTH).and_then(|v| v.start).expect("a start");
    let (mut silent, _) = Rig::started(&plan, &[(BODY, 400.0)]);
    let (mut eager, _) = Rig::started(&plan, &[(BODY, 400.0), (LENGTH, start)]);
    assert_eq!(read(&mut silent, LENGTH), start);
    assert_eq!(silent.bits(), eager.bits());
}

#[test]
fn the_derivative_by_a_parameter_and_setting_it_agree() {
    let plan = blueprint(&common::bundled("quarter_car"));
    let height = |body: f64| {
        let (mut rig, _) = Rig::started(&plan, &[(BODY, body)]);
        read(&mut rig, HEIGHT)
    };
    let difference = height(321.0) - height(319.0);
    let mut rig = Rig::new(&plan);
    rig.enter();
    let [unknown, known] =
        [HEIGHT, BODY].map(|name| plan.interface().find(name).expect("a variable"));
    let mut derivative = f64::NAN;
    let ask = |i: &mut Instance| {
        i.directional_derivative(&[unknown], &[known], |_| 1.0, |_, x| derivative = x)
    };
    assert_eq!(rig.0.perform(Call::GetDirectionalDerivative, ask), Status::Ok);
    println!("{derivative} m/kg, by setting {}", 0.5 * difference);
    assert!((derivative - 0.5 * difference).abs() < 1e-3 * derivative.abs());
}

#[test]
fn a_start_that_the_file_derives_otherwise_is_a_warning() {
    let plan = blueprint(&common::bundled("quarter_car"));
    let warnings = |values: &[(&'static str, f64)]| {
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Log::new(Box::new(Kept(Arc::clone(&said))), true);
        let mut rig = Rig(Instance::new(Arc::clone(&plan), log));
        rig.set(values);
        rig.enter();
        let exit = (rig.0).perform(Call::ExitInitializationMode, Instance::exit_initialization);
        assert_eq!(exit, Status::Ok);
        let said = said.lock().expect("no panic inside");
        said.iter().filter(|text| text.contains("keeps its start")).cloned().collect::<Vec<_>>()
    };
    let said = warnings(&[(BODY, 400.0)]);
    assert!(said.len() == 1 && said[0].starts_with(LENGTH), "{said:?}");
    assert!(warnings(&[]).is_empty() && warnings(&[(BODY, 400.0), (LENGTH, 0.6)]).is_empty());
}
