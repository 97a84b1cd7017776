//! Lines joined to one chain.

use std::collections::BTreeMap;

/// Why lines are no chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Break {
    /// More than two lines meet at this node.
    Branch(usize),
    /// There are several chains, each with its first and its last node, which is the first of one that closes.
    Pieces(Vec<[usize; 2]>),
}

/// The nodes of the one chain that lines make, each given by its nodes in walking order; it runs as the first of
/// them does, and begins with it where it is closed.
pub(super) fn chain(lines: &[Vec<usize>]) -> Result<Vec<usize>, Break> {
    let mut meeting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, line) in lines.iter().enumerate() {
        for end in [line.first(), line.last()].into_iter().flatten() {
            meeting.entry(*end).or_default().push(index);
        }
    }
    if let Some((&node, _)) = meeting.iter().find(|(_, lines)| lines.len() > 2) {
        return Err(Break::Branch(node));
    }
    let mut used = vec![false; lines.len()];
    let mut chains = Vec::new();
    while let Some(first) = used.iter().position(|&used| !used) {
        chains.push(chain_through(first, lines, &meeting, &mut used));
    }
    if chains.len() > 1 {
        let ends = |chain: &Vec<usize>| [chain[0], chain[chain.len() - 1]];
        return Err(Break::Pieces(chains.iter().map(ends).collect()));
    }
    Ok(chains.pop().unwrap_or_default())
}

/// The chain that a line belongs to; its lines are `used` afterwards.
fn chain_through(
    first: usize, lines: &[Vec<usize>], meeting: &BTreeMap<usize, Vec<usize>>, used: &mut [bool],
) -> Vec<usize> {
    used[first] = true;
    let mut chain = lines[first].clone();
    // To the end, then from the beginning backwards.
    for _ in 0..2 {
        while let Some(&tail) = chain.last() {
            let next = meeting.get(&tail).and_then(|lines| lines.iter().find(|&&line| !used[line]));
            let Some(&next) = next else { break };
            used[next] = true;
            let line = &lines[next];
            if line.first() == Some(&tail) {
                chain.extend(&line[1..]);
            } else {
                chain.extend(line.iter().rev().skip(1));
            }
        }
        chain.reverse();
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_any_order_and_direction_make_one_chain() {
        let lines = |ends: &[[usize; 2]]| ends.iter().map(|e| e.to_vec()).collect::<Vec<_>>();
        let joined = |ends: &[[usize; 2]]| chain(&lines(ends));
        assert_eq!(joined(&[[2, 3], [1, 2], [4, 3], [1, 0]]), Ok(vec![0, 1, 2, 3, 4]));
        assert_eq!(joined(&[[2, 1], [2, 3], [1, 3]]), Ok(vec![2, 1, 3, 2]));
        assert_eq!(joined(&[[0, 1], [1, 2], [1, 3]]), Err(Break::Branch(1)));
        assert_eq!(joined(&[[0, 1], [5, 6], [1, 2]]), Err(Break::Pieces(vec![[0, 2], [5, 6]])));
        assert_eq!(chain(&[vec![4, 7, 9], vec![2, 8, 4]]), Ok(vec![2, 8, 4, 7, 9]));
    }
}
