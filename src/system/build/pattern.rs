//! Which unknowns are coupled.

use nalgebra_sparse::coo::CooMatrix;
use nalgebra_sparse::csr::CsrMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

use crate::nodes::FrameNode;
use crate::system::{Group, PRESCRIBED, Slider};

/// The free unknowns that meet in an element, turn the surface under a slider on a rough path or are those of a `loaded` rigid body.
pub fn cliques(
    prescribed: &[bool],
    groups: &[Group],
    sliders: &[Slider],
    loaded: impl Iterator<Item = FrameNode>,
) -> Vec<Vec<usize>> {
    let free = |u: &usize| !prescribed[*u];
    let elements = groups.iter().flat_map(|group| group.elements.unknowns());
    let elements = elements.map(|unknowns| unknowns.iter().copied().filter(free).collect());
    let rough = sliders.iter().filter(|s| s.path.roughness().is_some());
    let under = rough.flat_map(|slider| {
        (0..slider.path.elements().len()).map(|element| {
            let unknowns = slider.path.turned_by(element).map(|by| by.unknown);
            unknowns.filter(free).collect()
        })
    });
    let loaded = loaded.map(|body| body.unknowns().into_iter().filter(free).collect());
    elements.chain(under).chain(loaded).collect()
}

/// Which free unknowns are in the same clique; every unknown is with itself.
pub fn free_pattern(nodal: usize, cliques: &[Vec<usize>]) -> SparsityPattern {
    let mut coo = CooMatrix::new(nodal, nodal);
    for u in 0..nodal {
        coo.push(u, u, 1.0);
    }
    for unknowns in cliques {
        for &a in unknowns {
            for &b in unknowns.iter().filter(|&&b| b != a) {
                coo.push(a, b, 1.0);
            }
        }
    }
    CsrMatrix::from(&coo).pattern().clone()
}

/// Three rigid motions for every connected body, so many pivots can vanish at the most.
pub fn floating(pattern: &SparsityPattern, equation: &[u32]) -> usize {
    let n = pattern.major_dim();
    let mut seen: Vec<bool> = equation.iter().map(|&e| e == PRESCRIBED).collect();
    let mut bodies = 0;
    for root in 0..n {
        if seen[root] {
            continue;
        }
        bodies += 1;
        seen[root] = true;
        let mut stack = vec![root];
        while let Some(i) = stack.pop() {
            for &j in pattern.lane(i) {
                if !seen[j] {
                    seen[j] = true;
                    stack.push(j);
                }
            }
        }
    }
    3 * bodies
}
