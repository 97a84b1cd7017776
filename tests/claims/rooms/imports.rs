//! Which file of a crate names which, from the paths in its text.

use std::collections::{BTreeMap, BTreeSet};

/// A module's place in the crate: `["solve", "step"]`; the root is empty.
pub type Module = Vec<String>;

/// The modules of a crate, each a file, and what they name.
pub struct Crate {
    /// For each module, the names that it imports or passes on, with the paths behind them.
    names: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
    /// For each module, the paths in its text, all from the root of the crate.
    paths: BTreeMap<Module, BTreeSet<Vec<String>>>,
}

impl Crate {
    /// From the files below `src`: their paths from there, and their texts.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Crate {
        let mut read = Crate { names: BTreeMap::new(), paths: BTreeMap::new() };
        for (file, text) in files {
            let module = module(file);
            let found = Reader::read(&module, text);
            read.names.insert(module.clone(), found.names);
            read.paths.insert(module, found.paths);
        }
        read
    }

    /// The files that each file names, itself left out. What a module only passes on is looked up where
    /// it is.
    pub fn edges(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let edges = self.paths.iter().map(|(from, paths)| {
            let named = paths.iter().map(|path| self.resolve(path.clone()));
            (from, named.filter(|to| to != from).collect())
        });
        edges.collect()
    }

    /// The module that holds what a path from the root leads to.
    fn resolve(&self, mut path: Vec<String>) -> Module {
        loop {
            let mut end = 0;
            while end < path.len() && self.paths.contains_key(&path[..=end]) {
                end += 1;
            }
            let (module, rest) = path.split_at(end);
            let passed_on = rest.first().and_then(|name| self.names.get(module)?.get(name));
            let onward = passed_on.map(|target| [target, &rest[1..]].concat());
            match onward {
                // A name may be passed on by itself: a macro, a crate.
                Some(onward) if onward != path => path = onward,
                _ => return module.to_vec(),
            }
        }
    }
}

/// The module of a file: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module(file: &str) -> Module {
    let mut segments: Module = file.trim_end_matches(".rs").split('/').map(String::from).collect();
    if segments.last().is_some_and(|last| last == "mod" || last == "lib") {
        segments.pop();
    }
    segments
}

/// Reads the text of one file.
struct Reader<'a> {
    tokens: Vec<&'a str>,
    next: usize,
    module: Module,
    /// Modules inside of the file, each with the depth of braces at which it ends.
    inner: Vec<(String, usize)>,
    names: BTreeMap<String, Vec<String>>,
    paths: BTreeSet<Vec<String>>,
}

impl<'a> Reader<'a> {
    fn read(module: &Module, text: &'a str) -> Reader<'a> {
        let mut reader = Reader {
            tokens: tokens(text),
            next: 0,
            module: module.clone(),
            inner: Vec::new(),
            names: BTreeMap::new(),
            paths: BTreeSet::new(),
        };
        let mut depth = 0;
        while let Some(token) = reader.take() {
            match token {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    reader.inner.pop_if(|(_, end)| *end == depth);
                }
                "mod" if reader.peek(1) == Some("{") => {
                    let name = reader.take().unwrap_or_default().to_string();
                    reader.inner.push((name, depth));
                }
                "use" => reader.tree(&[]),
                "crate" | "self" | "super" if reader.peek(0) == Some("::") => reader.path(token),
                _ => {}
            }
        }
        reader
    }

    fn take(&mut self) -> Option<&'a str> {
        self.next += 1;
        self.tokens.get(self.next - 1).copied()
    }

    fn peek(&self, ahead: usize) -> Option<&'a str> {
        self.tokens.get(self.next + ahead).copied()
    }

    /// A path in the code, after its first segment.
    fn path(&mut self, first: &str) {
        let mut path = vec![first.to_string()];
        while self.peek(0) == Some("::") && self.peek(1).is_some_and(is_name) {
            path.push(self.tokens[self.next + 1].to_string());
            self.next += 2;
        }
        self.keep(&path);
    }

    /// A tree of imports after what stands before it: a path, a list in braces, a star, `as` a name.
    fn tree(&mut self, before: &[String]) {
        let mut path = before.to_vec();
        loop {
            match self.take() {
                Some("{") => {
                    while self.peek(0).is_some_and(|token| token != "}") {
                        self.tree(&path);
                        if self.peek(0) == Some(",") {
                            self.next += 1;
                        }
                    }
                    self.next += 1;
                    return;
                }
                Some("*") => {
                    self.keep(&path);
                    return;
                }
                Some("::") => continue,
                Some(name) if is_name(name) => path.push(name.to_string()),
                _ => return,
            }
            if self.peek(0) != Some("::") && self.peek(0) != Some("{") {
                break;
            }
        }
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let mut name = path.last().cloned().unwrap_or_default();
        if self.peek(0) == Some("as") {
            name = self.tokens[self.next + 1].to_string();
            self.next += 2;
        }
        if let Some(target) = self.keep(&path)
            && self.inner.is_empty()
        {
            self.names.insert(name, target);
        }
    }

    /// Notes a path of this crate, from its root.
    fn keep(&mut self, path: &[String]) -> Option<Vec<String>> {
        let inner = self.inner.iter().map(|(name, _)| name);
        let mut base: Module = self.module.iter().chain(inner).cloned().collect();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
                let full = [&base, rest].concat();
                self.paths.insert(full.clone());
                return Some(full);
            }
            // A module below this one, or a crate.
            _ => rest = path,
        }
        if matches!(path[0].as_str(), "crate" | "self") {
            rest = &path[1..];
        }
        let full = [&base, rest].concat();
        self.paths.insert(full.clone());
        Some(full)
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Names, `::` and single signs of a text; comments, texts in quotes and characters left out.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if c.is_alphanumeric() || c == '_' => {
                let name = |c: char| c.is_alphanumeric() || c == '_';
                let length = rest.find(|c| !name(c)).unwrap_or(rest.len());
                let hashes = rest[length..].chars().take_while(|c| *c == '#').count();
                let quoted = rest[length + hashes..].starts_with('"');
                if matches!(&rest[..length], "r" | "br") && quoted {
                    let close = format!("\"{}", "#".repeat(hashes));
                    let inside = length + hashes + 1;
                    inside + rest[inside..].find(&close).map_or(0, |end| end + close.len())
                } else {
                    found.push(&rest[..length]);
                    length
                }
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => quoted(rest),
            // A lifetime ends no quotation.
            '\'' if rest[1..].starts_with('\\') => {
                2 + rest[3..].find('\'').map_or(0, |end| end + 2)
            }
            '\'' if rest.chars().nth(2) == Some('\'') => {
                rest.char_indices().nth(3).map_or(3, |c| c.0)
            }
            ':' if rest.starts_with("::") => {
                found.push("::");
                2
            }
            c if c.is_whitespace() => c.len_utf8(),
            c => {
                found.push(&rest[..c.len_utf8()]);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    found
}

/// Length of a text in quotes.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}
