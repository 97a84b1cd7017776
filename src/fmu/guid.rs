//! The identifier that ties a model description to the model file and the library beside it.

/// Identifier of a model: a hash of its text, its data files (name, content) and the version of
/// this library, written as `{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}`.
///
/// `fmi2Instantiate` computes it again from the FMU's `resources` and refuses a description that
/// was made for another text: value references could mean other variables there.
pub fn guid<'a>(text: &str, data_files: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut hash = Fnv::default();
    hash.part(env!("CARGO_PKG_VERSION"));
    hash.part(text);
    for (name, content) in data_files {
        hash.part(name);
        hash.part(content);
    }
    let h = format!("{:032x}", hash.0);
    format!(
        "{{{}-{}-{}-{}-{}}}",
        &h[..8],
        &h[8..12],
        &h[12..16],
        &h[16..20],
        &h[20..]
    )
}

/// Hash of bytes that have been somewhere where they may have been changed.
pub(super) fn checksum(bytes: &[u8]) -> u128 {
    let mut hash = Fnv::default();
    bytes.iter().for_each(|byte| hash.byte(*byte));
    hash.0
}

/// FNV-1a with 128 bits (Fowler, Noll, Vo): stable over versions of Rust, which the standard
/// library's hasher does not promise.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    fn byte(&mut self, byte: u8) {
        self.0 =
            (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }

    /// The length goes first, so that text cannot move from one part into the next unseen.
    fn part(&mut self, text: &str) {
        for byte in (text.len() as u64).to_le_bytes() {
            self.byte(byte);
        }
        for byte in text.bytes() {
            self.byte(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_is_fnv_1a_128() {
        // Published test vector of the FNV reference implementation.
        assert_eq!(
            checksum(b"foobar"),
            0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18
        );
    }

    #[test]
    fn any_change_of_text_or_data_changes_the_guid() {
        let base = guid("a", [("t.csv", "1")]);
        assert_eq!(base.len(), 38);
        assert_eq!(base, guid("a", [("t.csv", "1")]));
        for other in [
            guid("b", [("t.csv", "1")]),
            guid("a", [("t.csv", "2")]),
            guid("at", []),
        ] {
            assert_ne!(base, other);
        }
    }
}
