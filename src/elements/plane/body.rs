//! The triangles of one body as a group of elements.

use num_dual::DualNum;

use super::kernel::PlaneKernel;
use super::properties::PlaneProperties;
use super::stress::Deformed;
use crate::elements::group::{Block, Elements};
use crate::numerics::triangle_map::{Map, Within};

/// A triangle that is turned over or has no area somewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inverted {
    pub element: usize,
    /// Where, m.
    pub place: [f64; 2],
}

/// Compiles `$do` for the block of triangles of any order; `None` where elements are no triangles.
macro_rules! of_triangles {
    ($elements:expr, $block:ident => $do:expr) => {
        match $elements {
            Elements::Plane1($block) => Some($do),
            Elements::Plane2($block) => Some($do),
            Elements::Plane3($block) => Some($do),
            Elements::Plane4($block) => Some($do),
            _ => None,
        }
    };
}

impl Elements {
    /// Triangles of `order` (1 to 4) between `mesh` nodes drawn at some places (m): `triangles` lists the
    /// nodes of each in the order of the [`lattice`](crate::numerics::triangle::lattice), one after the other, and
    /// `unknowns` are the numbers of a node's Y₁ and Y₂.
    ///
    /// # Errors
    /// The first element that is not counter-clockwise everywhere.
    pub fn plane(
        order: usize, mesh: &[[f64; 2]], triangles: &[usize],
        unknowns: impl Fn(usize) -> [usize; 2], properties: &PlaneProperties,
    ) -> Result<Elements, Inverted> {
        let unknowns = triangles.iter().flat_map(|&node| unknowns(node)).collect();
        Ok(match order {
            1 => Elements::Plane1(block(mesh, triangles, unknowns, properties)?),
            2 => Elements::Plane2(block(mesh, triangles, unknowns, properties)?),
            3 => Elements::Plane3(block(mesh, triangles, unknowns, properties)?),
            _ => Elements::Plane4(block(mesh, triangles, unknowns, properties)?),
        })
    }

    /// What is at a place of these triangles, interpolated from the numbers `of` unknowns: a position, a velocity.
    pub fn interpolated<D: DualNum<Primitive = f64> + Copy>(
        &self, within: Within, of: impl Fn(usize) -> D,
    ) -> Option<[D; 2]> {
        of_triangles!(self, block => {
            let places = places(block.unknowns_of(within.element), of);
            block.kernel(within.element).interpolated(&places, within.at)
        })
    }

    /// Strain and stress at a place of these triangles, where unknowns are `of` these numbers.
    pub fn deformed<D: DualNum<Primitive = f64> + Copy>(
        &self, within: Within, of: impl Fn(usize) -> D,
    ) -> Option<Deformed<D>> {
        of_triangles!(self, block => {
            let places = places(block.unknowns_of(within.element), of);
            block.kernel(within.element).deformed(&places, within.at)
        })
    }
}

fn block<const NODES: usize, const N: usize>(
    mesh: &[[f64; 2]], triangles: &[usize], unknowns: Vec<usize>, properties: &PlaneProperties,
) -> Result<Block<PlaneKernel<NODES>, N>, Inverted> {
    let kernel = |(element, corners): (usize, &[usize])| {
        let map = Map::new(std::array::from_fn(|l| mesh[corners[l]]));
        PlaneKernel::new(map, properties).map_err(|place| Inverted { element, place })
    };
    let each = triangles.chunks_exact(NODES).enumerate();
    let kernels = each.map(kernel).collect::<Result<Vec<_>, _>>()?;
    Ok(Block::new(kernels, N, unknowns))
}

/// (Y₁, Y₂) of an element's nodes.
fn places<const NODES: usize, D>(unknowns: &[usize], of: impl Fn(usize) -> D) -> [[D; 2]; NODES] {
    std::array::from_fn(|l| [0, 1].map(|i| of(unknowns[2 * l + i])))
}
