//! Which outputs a path of equilibria shows.

use anyhow::Result;
use coulisse::model::checked::{Checked, OutputVariable};
use coulisse::model::statics::StaticPath;
use coulisse::system::outputs;

use crate::description::chosen;

/// The quantity of the path, then the model's outputs that mean something in statics; of a file without `[static]`, whose equilibrium is
/// what is asked for, the reactions of all supports, too. Where there are `names` of outputs, these.
///
/// # Errors
/// For a name of no output.
pub(super) fn columns(
    names: &[String], model: &Checked, path: &StaticPath,
) -> Result<Vec<OutputVariable>> {
    let steered = path.quantity.as_ref().map(|steered| OutputVariable {
        path: steered.path.clone(),
        output: steered.output,
        quantity: steered.quantity,
        description: String::new(),
        element: None,
    });
    if !names.is_empty() {
        let all = outputs::all(model);
        let known: Vec<&str> = all.iter().map(|output| output.path.as_str()).collect();
        let wanted = chosen("--outputs", "output", names, &known)?;
        let wanted = wanted.into_iter().map(|k| all[k].clone());
        let wanted = wanted.filter(|own| steered.as_ref().is_none_or(|s| s.path != own.path));
        return Ok(steered.clone().into_iter().chain(wanted).collect());
    }
    let of_joint = |output: &&OutputVariable| output.path.starts_with("joints.");
    let others = model.outputs.iter().filter(|output| !of_joint(output));
    let listed = others.chain(model.outputs.iter().filter(of_joint)).filter(|output| {
        let moving = [".velocity", ".vx", ".vy", ".ax", ".ay", ".rotation_rate", ".rate"];
        // On a path sliders are held or free, whatever their laws say.
        let of_laws = [".sticking", ".dissipated_energy", ".regime"];
        let journal = [".power", ".friction_power", ".transitions"];
        let journal = journal.into_iter().chain([".transition_time", ".momentum_x", ".momentum_y"]);
        let name = output.path.as_str();
        let of_slider = of_joint(output) && of_laws.iter().any(|end| name.ends_with(end));
        let about_time =
            moving.into_iter().chain(journal).any(|end| name.ends_with(end)) || of_slider;
        let balance =
            name.starts_with("solver.") || (name.starts_with("energy.") && name != "energy.strain");
        let again = steered.as_ref().is_some_and(|s| s.path == name);
        !about_time && !balance && !again
    });
    let mut columns: Vec<OutputVariable> =
        steered.clone().into_iter().chain(listed.cloned()).collect();
    if model.statics.is_none() {
        let mut reactions = outputs::all(model);
        reactions.retain(|output| {
            output.path.starts_with("supports.")
                && columns.iter().all(|own| own.path != output.path)
        });
        columns.extend(reactions);
    }
    Ok(columns)
}
