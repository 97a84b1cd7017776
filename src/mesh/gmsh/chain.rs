//! Lines joined to one chain.

use std::collections::BTreeMap;

/// Why lines are no chain, and at which node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Break {
    /// More than two lines meet.
    Branch(usize),
    /// A second piece begins.
    Piece(usize),
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
    let Some(first) = lines.first() else {
        return Ok(Vec::new());
    };
    used[0] = true;
    let mut chain = first.clone();
    // To the end, then from the beginning backwards.
    for _ in 0..2 {
        while let Some(&tail) = chain.last() {
            let next = meeting
                .get(&tail)
                .and_then(|lines| lines.iter().find(|&&line| !used[line]));
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
    match used.iter().position(|&used| !used) {
        Some(left) => Err(Break::Piece(lines[left][0])),
        None => Ok(chain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_any_order_and_direction_make_one_chain() {
        let lines = |ends: &[[usize; 2]]| ends.iter().map(|e| e.to_vec()).collect::<Vec<_>>();
        let joined = |ends: &[[usize; 2]]| chain(&lines(ends));
        assert_eq!(
            joined(&[[2, 3], [1, 2], [4, 3], [1, 0]]),
            Ok(vec![0, 1, 2, 3, 4])
        );
        assert_eq!(joined(&[[2, 1], [2, 3], [1, 3]]), Ok(vec![2, 1, 3, 2]));
        assert_eq!(joined(&[[0, 1], [1, 2], [1, 3]]), Err(Break::Branch(1)));
        assert_eq!(joined(&[[0, 1], [5, 6], [1, 2]]), Err(Break::Piece(5)));
        assert_eq!(
            chain(&[vec![4, 7, 9], vec![2, 8, 4]]),
            Ok(vec![2, 8, 4, 7, 9])
        );
    }
}
