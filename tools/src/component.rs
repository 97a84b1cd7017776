//! Components of WebAssembly in FMUs of FMI 3.0: FMI-LS-WASM, a working draft of the Modelica Association.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail};
use wasmparser::component_types::ComponentEntityType;
use wasmparser::{Parser, Payload, Validator};

use crate::library::{Part, WASM};

/// The interfaces of the draft.
const INTERFACES: &str = include_str!("../component/wit/fmi3.wit");
/// What begins the names of those interfaces, and what ends them.
const PACKAGE: [&str; 2] = ["fmi:fmi3/", "@3.0.0"];
/// Interfaces of the system that a host of the draft's platform offers.
const SYSTEM: &str = "wasi:";

/// Functions that a component exports for one of the interfaces of the draft: that, `#`, and the function with its resource.
pub fn functions(interface: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut within = "";
    let mut resource = None;
    for line in INTERFACES.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("interface ").and_then(|l| l.strip_suffix(" {")) {
            (within, resource) = (name, None);
        } else if let Some(name) = line.strip_prefix("resource ") {
            resource = name.strip_suffix(" {");
        } else if let Some((name, declared)) = line.split_once(": ").filter(|_| within == interface)
        {
            let kind = if declared.starts_with("static func(") { "static" } else { "method" };
            if kind == "method" && !declared.starts_with("func(") {
                continue;
            }
            let [before, behind] = PACKAGE;
            let function = match resource {
                Some(resource) => format!("[{kind}]{resource}.{name}"),
                None => name.to_owned(),
            };
            found.push(format!("{before}{interface}{behind}#{function}"));
        }
    }
    found
}

/// Reads a component: that it is sound, what it exports, and that its host has what it imports.
///
/// # Errors
/// When it is no component, not a whole one, or asks for interfaces that no host of the draft need offer.
pub fn examine(bytes: &[u8]) -> Result<Part> {
    let sound = Validator::new().validate_all(bytes);
    let types = sound
        .map_err(|error| anyhow!("no component of WebAssembly, or not a whole one: {error}"))?;
    let [imports, exports] = outside(bytes)?;
    let [before, _] = PACKAGE;
    if let Some(name) = imports.iter().find(|n| !n.starts_with(before) && !n.starts_with(SYSTEM)) {
        bail!(
            "imports `{name}`; allowed: interfaces of FMI 3.0 ({before}) and of the system ({SYSTEM})"
        );
    }
    let mut names = BTreeSet::new();
    for interface in exports {
        let item = types.component_item_for_export(&interface);
        if let Some(ComponentEntityType::Instance(instance)) = item.map(|item| item.ty) {
            let inside = types[instance].exports.keys();
            names.extend(inside.map(|name| format!("{interface}#{name}").into_bytes()));
        }
        names.insert(interface.into_bytes());
    }
    Ok(Part {
        platform: Some(WASM),
        kind: "WebAssembly".to_owned(),
        exports: names,
        range: (0, bytes.len() as u64),
    })
}

/// What a component imports, and what it exports: not what the modules and components inside do.
fn outside(bytes: &[u8]) -> Result<[Vec<String>; 2]> {
    let mut depth = 0_usize;
    let [mut imports, mut exports] = [Vec::new(), Vec::new()];
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::Version { encoding: wasmparser::Encoding::Module, .. } if depth == 0 => {
                bail!(
                    "a module of WebAssembly; allowed: a component, as of the target wasm32-wasip2"
                )
            }
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    imports.push(import.context("its imports")?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section {
                    exports.push(export.context("its exports")?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    Ok([imports, exports])
}

#[cfg(test)]
mod tests {
    use super::{examine, functions};

    #[test]
    fn functions_of_resources_have_the_names_that_components_export() {
        assert_eq!(functions("common"), ["fmi:fmi3/common@3.0.0#get-version"]);
        let steps = functions("co-simulation");
        let has = |name: &str| steps.contains(&format!("fmi:fmi3/co-simulation@3.0.0#{name}"));
        assert!(has("[method]co-simulation-instance.do-step"));
        assert!(has("[static]co-simulation-instance.instantiate-co-simulation"));
        assert_eq!(steps.len(), 57);
    }

    #[test]
    fn modules_and_what_is_truncated_are_refused() {
        let of =
            |bytes: &[u8]| examine(bytes).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(of(b"\0asm\x01\0\0\0").contains("a module of WebAssembly"));
        assert!(of(b"\0asm\x0d\0\x01\0\x07\x40").contains("not a whole one"));
    }
}
