//! Changes of a model's text.

/// A text of which a part is written anew.
pub trait Edit {
    /// Every `part` replaced by `other`. A test whose edit finds nothing would run the unchanged model
    /// and prove nothing: it fails here.
    fn edit(&self, part: &str, other: &str) -> String;
}

impl Edit for str {
    #[track_caller]
    fn edit(&self, part: &str, other: &str) -> String {
        assert!(self.contains(part), "nothing to replace: no `{part}` in\n{self}");
        self.replace(part, other)
    }
}
