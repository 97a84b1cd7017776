//! Runs an FMU with the `fmi` crate: `fmi-host X.fmu STOP STEP` prints all real outputs as CSV,
//! with the bits of each number in hexadecimal. `fmi-host X.fmu STOP STEP 3` does so with an FMU of FMI 3.0, and
//! `fmi-host X.fmu STOP STEP events` with a row at each event, too.

use fmi::EventFlags;
use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common};
use fmi::fmi3::import::Fmi3Import;
use fmi::fmi3::{self, GetSet};
use fmi::schema::fmi2::{Causality, ScalarVariableElement};
use fmi::schema::fmi3::{AbstractVariableTrait, Causality as Causality3, VariableType};
use fmi::traits::FmiImport;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [path, stop, step] => run_2(path, stop.parse()?, step.parse()?),
        [path, stop, step, "3"] => run_3(path, stop.parse()?, step.parse()?, false),
        [path, stop, step, "events"] => run_3(path, stop.parse()?, step.parse()?, true),
        _ => Err("usage: fmi-host X.fmu STOP STEP [3|events]".into()),
    }
}

/// Prints a row of the bits of numbers.
fn print(time: f64, values: &[f64]) {
    let bits = values.iter().map(|v| format!("{:016x}", v.to_bits()));
    println!("{time},{}", bits.collect::<Vec<_>>().join(","));
}

fn run_2(path: &str, stop: f64, step: f64) -> Outcome {
    let import: Fmi2Import = fmi::import::from_path(path)?;
    let outputs: Vec<_> = import
        .model_description()
        .get_model_variables()
        .filter(|v| {
            v.causality == Causality::Output && matches!(v.elem, ScalarVariableElement::Real(_))
        })
        .collect();
    let references: Vec<_> = outputs.iter().map(|v| v.value_reference).collect();
    let names: Vec<_> = outputs.iter().map(|v| v.name.as_str()).collect();
    println!("time,{}", names.join(","));

    let mut slave = import.instantiate_cs("host", false, true)?;
    slave.setup_experiment(None, 0.0, Some(stop))?;
    slave.enter_initialization_mode()?;
    slave.exit_initialization_mode()?;
    let mut values = vec![0.0; references.len()];
    let mut time = 0.0;
    for n in 1_u32.. {
        slave.get_real(&references, &mut values)?;
        print(time, &values);
        if time >= stop * (1.0 - 1e-9) {
            break;
        }
        let next = (f64::from(n) * step).min(stop);
        slave.do_step(time, next - time, true)?;
        time = next;
    }
    slave.terminate()?;
    Ok(())
}

fn run_3(path: &str, stop: f64, step: f64, events: bool) -> Outcome {
    use fmi3::{CoSimulation, Common, Fmi3Model};
    let import: Fmi3Import = fmi::import::from_path(path)?;
    let variables = &import.model_description().model_variables;
    let outputs: Vec<&dyn AbstractVariableTrait> = variables
        .iter_abstract()
        .filter(|v| {
            v.causality() == Causality3::Output && v.data_type() == VariableType::FmiFloat64
        })
        .collect();
    let references: Vec<_> = outputs.iter().map(|v| v.value_reference()).collect();
    let names: Vec<_> = outputs.iter().map(|v| v.name()).collect();
    println!("time,{}", names.join(","));

    let mut slave = import.instantiate_cs("host", false, true, events, events, &[])?;
    slave.enter_initialization_mode(None, 0.0, Some(stop))?;
    slave.exit_initialization_mode()?;
    let handle = |slave: &mut fmi3::instance::InstanceCS| -> Outcome {
        let mut flags = EventFlags { discrete_states_need_update: true, ..EventFlags::default() };
        while flags.discrete_states_need_update {
            Common::update_discrete_states(slave, &mut flags)?;
        }
        slave.enter_step_mode()?;
        Ok(())
    };
    if events {
        handle(&mut slave)?;
    }
    let mut values = vec![0.0; references.len()];
    let (mut time, mut n) = (0.0, 1_u32);
    loop {
        slave.get_float64(&references, &mut values)?;
        print(time, &values);
        if time >= stop * (1.0 - 1e-9) {
            break;
        }
        let next = (f64::from(n) * step).min(stop);
        let (mut event, mut end, mut early, mut reached) = (false, false, false, time);
        slave.do_step(time, next - time, true, &mut event, &mut end, &mut early, &mut reached)?;
        time = if early { reached } else { next };
        n += u32::from(!early);
        if events && event {
            Common::enter_event_mode(&mut slave)?;
            handle(&mut slave)?;
        }
    }
    Common::terminate(&mut slave)?;
    Ok(())
}
