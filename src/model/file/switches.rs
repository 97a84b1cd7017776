//! Entries that a switch, their key `enabled`, may leave out.

use std::collections::BTreeSet;

use super::{Entry, File};
use crate::model::de::{Name, Switch};

impl File {
    /// Every switch that is written, with the name of its entry, in the order of the sections.
    pub fn switches(&self) -> Vec<(&Name, &Switch)> {
        let mut all = Vec::new();
        collect(&self.joints, |joint| joint.enabled.as_ref(), &mut all);
        collect(&self.contacts, |contact| contact.enabled.as_ref(), &mut all);
        collect(&self.springs, |spring| spring.enabled.as_ref(), &mut all);
        collect(&self.couplings, |coupling| coupling.enabled.as_ref(), &mut all);
        collect(&self.supports, |support| support.enabled.as_ref(), &mut all);
        collect(&self.motions, |motion| motion.enabled.as_ref(), &mut all);
        all
    }

    /// The file without the entries at these dotted paths.
    pub fn without(mut self, off: &BTreeSet<String>) -> File {
        drop_from(&mut self.joints, off);
        drop_from(&mut self.contacts, off);
        drop_from(&mut self.springs, off);
        drop_from(&mut self.couplings, off);
        drop_from(&mut self.supports, off);
        drop_from(&mut self.motions, off);
        self
    }
}

fn collect<'a, T>(
    entries: &'a [Entry<T>], switch: impl Fn(&'a T) -> Option<&'a Switch>,
    all: &mut Vec<(&'a Name, &'a Switch)>,
) {
    let written = entries.iter().filter_map(|e| Some((&e.name, switch(e.value.as_ref()?)?)));
    all.extend(written);
}

fn drop_from<T>(entries: &mut Vec<Entry<T>>, off: &BTreeSet<String>) {
    entries.retain(|entry| !off.contains(&entry.name.path));
}
