//! Random damage to bytes.

use crate::faults::damage::{Chance, damaged};

/// Numbers at which readers go over an edge.
const EDGES: [u64; 12] = [
    0,
    1,
    0x7f,
    0xff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    u64::MAX,
    u64::MAX - 1,
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0001,
];

/// One of the seeds with some damage, as text or as bytes.
pub fn of_bytes(seeds: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let [one, other] = [(); 2].map(|()| &seeds[chance.below(seeds.len())]);
    if chance.below(2) == 0 {
        let [one, other] = [one, other].map(|seed| String::from_utf8_lossy(seed));
        return damaged(&one, &other, chance).into_bytes();
    }
    let mut bytes = one.clone();
    for _ in 0..1 + chance.below(4) {
        let (a, b) = (chance.below(bytes.len()), chance.below(bytes.len()));
        let (low, high) = (a.min(b), a.max(b).min(bytes.len()));
        match chance.below(8) {
            0 => bytes.truncate(a),
            1 => drop(bytes.drain(low..high)),
            2 => {
                let piece = bytes[low..high].to_vec();
                bytes.splice(low..low, piece);
            }
            3 if !other.is_empty() => {
                let from = chance.below(other.len());
                let piece = other[from..].iter().take(1 + chance.below(64));
                let at = a.min(bytes.len());
                bytes.splice(at..at, piece.copied());
            }
            4 | 5 => {
                let edge = EDGES[chance.below(EDGES.len())].to_le_bytes();
                let width = [1, 2, 4, 8][chance.below(4)];
                for (place, byte) in bytes.iter_mut().skip(a).zip(&edge[..width]) {
                    *place = *byte;
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(a) {
                    *byte ^= 1 << chance.below(8);
                }
            }
        }
    }
    bytes
}
