//! Which nodal unknowns are free, and the numbers of their equations.

/// No equation: the unknown is prescribed.
const PRESCRIBED: u32 = u32::MAX;

/// The equation of each nodal unknown that has one.
#[derive(Debug, Clone)]
pub(crate) struct Equations(Vec<u32>);

impl Equations {
    /// Of `unknowns` nodal unknowns, of which those that are `free` have equations in their order.
    pub fn new(unknowns: usize, free: &[usize]) -> Equations {
        let mut equations = vec![PRESCRIBED; unknowns];
        for (e, &u) in free.iter().enumerate() {
            equations[u] = e as u32;
        }
        Equations(equations)
    }

    /// The equation of an unknown; `None` where it is prescribed.
    #[inline(always)]
    pub fn of(&self, unknown: usize) -> Option<usize> {
        match self.0[unknown] {
            PRESCRIBED => None,
            equation => Some(equation as usize),
        }
    }

    /// Whether an unknown has an equation.
    #[inline(always)]
    pub fn has(&self, unknown: usize) -> bool {
        self.0[unknown] != PRESCRIBED
    }
}
