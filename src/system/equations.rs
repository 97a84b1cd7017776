//! Which nodal unknowns are free, and the numbers of their equations.

use std::ops::Range;

/// No equation: the unknown is prescribed.
const PRESCRIBED: u32 = u32::MAX;

/// The equation of each nodal unknown that has one.
#[derive(Debug, Clone)]
pub(crate) struct Equations {
    numbers: Vec<u32>,
    runs: Vec<Run>,
}

/// Consecutive unknowns with consecutive equations, over which loops need no numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    unknown: usize,
    equation: usize,
    length: usize,
}

impl Run {
    pub fn unknowns(self) -> Range<usize> {
        self.unknown..self.unknown + self.length
    }

    pub fn equations(self) -> Range<usize> {
        self.equation..self.equation + self.length
    }

    /// What lies between those of its unknowns that a rising list `leaves` out.
    fn between(self, leaves: &[usize]) -> impl Iterator<Item = Run> {
        let Range { start, end } = self.unknowns();
        let inside = leaves.partition_point(|&u| u < start)..leaves.partition_point(|&u| u < end);
        let mut unknown = start;
        leaves[inside].iter().copied().chain([end]).map(move |end| {
            let equation = self.equation + (unknown - self.unknown);
            let part = Run { unknown, equation, length: end - unknown };
            unknown = end + 1;
            part
        })
    }
}

impl Equations {
    /// Of `unknowns` nodal unknowns, of which those that are `free` have equations in their order.
    pub fn new(unknowns: usize, free: &[usize]) -> Equations {
        let mut equations = vec![PRESCRIBED; unknowns];
        for (e, &u) in free.iter().enumerate() {
            equations[u] = e as u32;
        }
        let mut runs: Vec<Run> = Vec::new();
        for (equation, &unknown) in free.iter().enumerate() {
            match runs.last_mut() {
                Some(run) if run.unknown + run.length == unknown => run.length += 1,
                _ => runs.push(Run { unknown, equation, length: 1 }),
            }
        }
        Equations { numbers: equations, runs }
    }

    /// All of them, as few runs.
    pub fn runs(&self) -> impl Iterator<Item = Run> {
        self.runs.iter().copied()
    }

    /// All but those of a rising list of unknowns.
    pub fn runs_without(&self, unknowns: &[usize]) -> impl Iterator<Item = Run> {
        self.runs().flat_map(|run| run.between(unknowns))
    }

    /// The equation of an unknown; `None` where it is prescribed.
    #[inline(always)]
    pub fn of(&self, unknown: usize) -> Option<usize> {
        match self.numbers[unknown] {
            PRESCRIBED => None,
            equation => Some(equation as usize),
        }
    }

    /// Whether an unknown has an equation.
    #[inline(always)]
    pub fn has(&self, unknown: usize) -> bool {
        self.numbers[unknown] != PRESCRIBED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_the_free_unknowns_in_their_order() {
        let free = [1, 2, 3, 5, 8, 9];
        let equations = Equations::new(10, &free);
        assert_eq!(equations.runs().count(), 3);
        for left_out in [&[][..], &[0, 2], &[1, 3, 5, 9], &[1, 2, 3, 4, 5, 8, 9]] {
            let runs = equations.runs_without(left_out);
            let found: Vec<_> = runs.flat_map(|run| run.unknowns().zip(run.equations())).collect();
            let kept = free.iter().enumerate().filter(|(_, u)| !left_out.contains(u));
            assert_eq!(found, kept.map(|(e, &u)| (u, e)).collect::<Vec<_>>());
        }
    }
}
