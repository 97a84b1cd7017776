//! A short run of an FMU that brings no results to compare with: it starts, shows its variables, takes a step, and returns to a state
//! that it has saved where it offers that.

use std::path::Path;

use anyhow::{Context, Result, bail};
use coulisse::message::{excerpt, figure};

use crate::description::Variable;
use crate::loaded::{self, Foreign};
use crate::unpacked::Unpacked;

/// Runs it for a communication step; what there is to say of it.
///
/// # Errors
/// When a call is refused, or a restored state reads otherwise than the saved one.
pub fn perform(path: &Path) -> Result<String> {
    let shown = path.display();
    let files = Unpacked::open(path)?;
    let description = &files.description;
    let stop = description.stop_time.unwrap_or(1.0);
    let step = description.step_size.unwrap_or(stop / 500.0);
    let variables: Vec<&Variable> =
        description.variables.iter().filter(|variable| variable.kind.is_number()).collect();
    let mut unit = loaded::of(&files)?;
    unit.begin(stop)?;
    unit.start()?;
    read(unit.as_mut(), &variables).context("after the initialization")?;
    unit.step(0.0, step)?;
    let before = read(unit.as_mut(), &variables).context("after a step")?;
    let restored = match description.saves_states {
        false => "it offers no saved state",
        true => {
            unit.save_and_return(&mut |slave| slave.step(step, step))?;
            let after = read(unit.as_mut(), &variables).context("after the state was restored")?;
            let pairs = variables.iter().zip(before.iter().zip(&after));
            let mut other = pairs.filter(|(_, (a, b))| a.to_bits() != b.to_bits());
            if let Some((variable, (saved, restored))) = other.next() {
                bail!(
                    "`{}` was {} when the state was saved, and is {} when it is restored",
                    excerpt(&variable.name),
                    figure(*saved),
                    figure(*restored)
                );
            }
            "a state was saved and restored"
        }
    };
    unit.terminate()?;
    Ok(format!(
        "{shown}: it brings no reference results; it starts, takes a step of {} s, and all {} variables are read; {restored}",
        figure(step),
        variables.len()
    ))
}

/// The values of all variables, one call for each, and one for all elements of an array.
fn read(unit: &mut dyn Foreign, variables: &[&Variable]) -> Result<Vec<f64>> {
    let mut all = Vec::with_capacity(variables.len());
    let first = |variable: &&&Variable| variable.element.is_none_or(|element| element.at == 0);
    for variable in variables.iter().filter(first) {
        let mut values = vec![0.0; variable.element.map_or(1, |element| element.of)];
        let read = unit.get(variable.kind, &[variable.reference], &mut values);
        read.with_context(|| format!("variable `{}`", excerpt(&variable.name)))?;
        all.append(&mut values);
    }
    Ok(all)
}
