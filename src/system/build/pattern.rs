//! Which unknowns are coupled.

use crate::nodes::FrameNode;
use crate::system::{Group, Slider};

/// The free unknowns that meet in an element, turn the surface under a slider on a rough path or are those of a `loaded` rigid body.
pub fn cliques(
    prescribed: &[bool], groups: &[Group], sliders: &[Slider],
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

/// Three rigid motions for every connected body, so many pivots can vanish at the most.
pub fn floating(cliques: &[Vec<usize>], prescribed: &[bool]) -> usize {
    let free = |u: &usize| !prescribed[*u];
    // Each unknown leads to another one of its body, the last to itself.
    let mut leads: Vec<usize> = (0..prescribed.len()).collect();
    fn last(leads: &mut [usize], mut u: usize) -> usize {
        while leads[u] != u {
            leads[u] = leads[leads[u]];
            u = leads[u];
        }
        u
    }
    for clique in cliques {
        let mut own = clique.iter().copied().filter(free);
        let Some(first) = own.next() else { continue };
        let first = last(&mut leads, first);
        for u in own {
            let other = last(&mut leads, u);
            leads[other] = first;
        }
    }
    let bodies = (0..prescribed.len()).filter(|u| free(u) && leads[*u] == *u);
    3 * bodies.count()
}
