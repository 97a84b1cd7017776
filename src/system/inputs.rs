//! Which input gives which number of a mechanism: looked up once, when it is built.

use crate::checked::{Checked, Input};

/// Indices of the inputs by what they give; `None` where the number is the file's.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub gravity: [Option<usize>; 2],
    /// F_x, F_y, M of each load.
    pub loads: Vec<[Option<usize>; 3]>,
    /// q_x, q_y, q_n, q_t and M of each load on a member or an edge.
    pub line_loads: Vec<[Option<usize>; 5]>,
    /// The number in the law of each motion.
    pub motions: Vec<Option<usize>>,
    /// m₀, k, c and F_a of each spring.
    pub springs: Vec<[Option<usize>; 4]>,
    /// The inputs that move m₀ of each spring, with how far it follows and their values in the file.
    pub frees: Vec<Vec<(usize, f64, f64)>>,
}

impl Given {
    pub fn of(model: &Checked) -> Given {
        let mut given = Given {
            gravity: [None; 2],
            loads: vec![[None; 3]; model.loads.len()],
            line_loads: vec![[None; 5]; model.line_loads.len()],
            motions: vec![None; model.motions.len()],
            springs: vec![[None; 4]; model.springs.len()],
            frees: vec![Vec::new(); model.springs.len()],
        };
        for (i, variable) in model.inputs.iter().enumerate() {
            // Every kind of input has its place here, or it would do nothing.
            let place = match variable.input {
                Input::Gravity { component } => &mut given.gravity[component],
                Input::Load { load, component } => &mut given.loads[load][component],
                Input::LineLoad { load, component } => &mut given.line_loads[load][component],
                Input::MotionPosition { motion }
                | Input::MotionRate { motion }
                | Input::MotionAcceleration { motion } => &mut given.motions[motion],
                Input::Spring { spring, number } => &mut given.springs[spring][number as usize],
                Input::Bushing { bushing, number } => {
                    for (spring, slot) in model.fed_by(bushing, number) {
                        given.springs[spring][slot as usize] = Some(i);
                    }
                    for (spring, share) in model.moved_by(bushing, number) {
                        given.frees[spring].push((i, share, variable.start));
                    }
                    continue;
                }
                Input::SwitchedOff => continue,
            };
            *place = Some(i);
        }
        given
    }
}
