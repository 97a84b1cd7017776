//! Meshes of a study: what makes them finer, and how the output names them.

use coulisse::mesh::HIGHEST_ORDER;
use coulisse::message::figure;
use coulisse::model::Model;
use coulisse::model::checked::{Checked, MemberLine, Source};

use crate::master::Value;

/// Numbers of a mesh that a line names.
const MAX_SETTINGS: usize = 3;

/// "× 2" is twice as fine as the file's; orders of bodies from mesh files are raised instead.
pub fn size(level: i32, values: &[Value]) -> String {
    let is_order = |(path, _): &&Value| path.ends_with(".order");
    let mut orders: Vec<f64> = values.iter().filter(is_order).map(|(_, order)| *order).collect();
    let raised = match orders.len() == values.len() && !orders.is_empty() {
        true => String::new(),
        false => match level {
            l if l >= 0 => format!("× {}", 2_u32.pow(l as u32)),
            l => format!("× 1/{}", 2_u32.pow(-l as u32)),
        },
    };
    orders.dedup();
    let orders = match orders[..] {
        [] => return raised,
        [one] => format!("order {one}"),
        _ => format!("orders + {}", level.max(0)),
    };
    if raised.is_empty() { orders } else { format!("{raised}, {orders}") }
}

/// What is set for a mesh, as `--set` takes it.
pub fn written(values: &[Value]) -> String {
    let shown = values.iter().take(MAX_SETTINGS);
    let mut texts: Vec<String> =
        shown.map(|(path, value)| format!("{path} = {}", figure(*value))).collect();
    texts.extend((values.len() > MAX_SETTINGS).then(|| "…".to_owned()));
    texts.join(", ")
}

/// Elastic bodies whose mesh is that of a file: nothing of them can be refined but their order.
fn of_files(checked: &Checked) -> impl Iterator<Item = &str> {
    let bodies = checked.bodies.iter().enumerate();
    let bodies = bodies.filter(|(id, body)| body.source == Source::Mesh && !checked.is_rigid(*id));
    bodies.map(|(_, body)| body.name.as_str())
}

/// What is not seen of meshes of files, whose order is the highest.
pub fn beyond(checked: &Checked) -> Vec<String> {
    let highest = |name: &&str| {
        let mut bodies = checked.bodies.iter();
        bodies.any(|body| body.name == *name && body.mesh.order == HIGHEST_ORDER)
    };
    let note = |name| {
        format!(
            "bodies.{name}: its mesh is that of a file, and its order the highest, {HIGHEST_ORDER}; its error is not seen: compare with a finer file"
        )
    };
    of_files(checked).filter(highest).map(note).collect()
}

/// What makes the mesh 2^`level` times as fine: elements of elastic members, cells and sizes of bodies, and orders of those from files, one
/// higher for each level.
pub fn refined(model: &Model, checked: &Checked, level: i32) -> Vec<Value> {
    let factor = 2.0_f64.powi(level);
    let (counts, numbers) = (model.counts(), model.numbers());
    let mut values = Vec::new();
    let mut refine = |path: String| {
        if let Some(&count) = counts.get(&path) {
            let refined = (count as f64 * factor).ceil().max(1.0);
            values.push((path, refined));
        }
    };
    for member in &checked.members {
        if member.properties.is_some() && matches!(member.line, MemberLine::Axis(_)) {
            refine(format!("members.{}.elements", member.name));
        }
    }
    for (id, body) in checked.bodies.iter().enumerate() {
        if !checked.is_rigid(id) {
            for i in 0..2 {
                refine(format!("bodies.{}.patch.cells[{i}]", body.name));
            }
        }
    }
    for (id, body) in checked.bodies.iter().enumerate() {
        for shape in ["outline", "drawing"] {
            let path = format!("bodies.{}.{shape}.size", body.name);
            if let Some(&size) = numbers.get(&path).filter(|_| !checked.is_rigid(id)) {
                values.push((path, size / factor));
            }
        }
    }
    for name in of_files(checked) {
        let path = format!("bodies.{name}.order");
        if let Some(&order) = counts.get(&path) {
            let raised = order + level.max(0) as usize;
            values.push((path, raised.min(HIGHEST_ORDER) as f64));
        }
    }
    values
}
