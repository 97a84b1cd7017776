//! Runs an FMU with the `fmi` crate: `fmi-host X.fmu STOP STEP` prints all real outputs as CSV,
//! with the bits of each number in hexadecimal.

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common};
use fmi::schema::fmi2::{Causality, ScalarVariableElement};
use fmi::traits::FmiImport;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, stop, step] = arguments.as_slice() else {
        return Err("usage: fmi-host X.fmu STOP STEP".into());
    };
    let (stop, step): (f64, f64) = (stop.parse()?, step.parse()?);
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
        let bits = values.iter().map(|v| format!("{:016x}", v.to_bits()));
        println!("{time},{}", bits.collect::<Vec<_>>().join(","));
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
