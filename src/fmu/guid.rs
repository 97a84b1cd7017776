//! The identifier that ties a model description to the model file and the library beside it.

use twox_hash::XxHash3_128;

/// Identifier of a model: a hash of its text, its data files (name, content) and the version of
/// this library, written as `{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}`.
///
/// `fmi2Instantiate` computes it again from the FMU's `resources` and refuses a description that
/// was made for another text: value references could mean other variables there.
pub fn guid<'a, C: AsRef<[u8]>>(
    text: &str, data_files: impl IntoIterator<Item = (&'a str, C)>,
) -> String {
    let mut hash = XxHash3_128::new();
    // The length goes first, so that text cannot move from one part into the next unseen.
    let mut part = |bytes: &[u8]| {
        hash.write(&(bytes.len() as u64).to_le_bytes());
        hash.write(bytes);
    };
    part(env!("CARGO_PKG_VERSION").as_bytes());
    part(text.as_bytes());
    for (name, content) in data_files {
        part(name.as_bytes());
        part(content.as_ref());
    }
    let h = format!("{:032x}", hash.finish_128());
    format!("{{{}-{}-{}-{}-{}}}", &h[..8], &h[8..12], &h[12..16], &h[16..20], &h[20..])
}

/// Hash of bytes that have been somewhere where they may have been changed.
pub(super) fn checksum(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_change_of_text_or_data_changes_the_guid() {
        let base = guid("a", [("t.csv", "1")]);
        assert_eq!(base.len(), 38);
        assert_eq!(base, guid("a", [("t.csv", "1")]));
        for other in
            [guid("b", [("t.csv", "1")]), guid("a", [("t.csv", "2")]), guid::<&str>("at", [])]
        {
            assert_ne!(base, other);
        }
    }
}
