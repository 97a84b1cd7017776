//! Rules for the libraries of an FMU.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;

use coulisse::message::excerpt;
use object::read::ReadCache;

use super::finding::{Finding, Findings, hint};
use super::summary::{Summary, Use};
use crate::archive::{MANIFESTS_OF_COMPONENT, Standard};
use crate::component;
use crate::library::{PLATFORMS, Part, WASM, examine, platform_names};
use crate::unpacked::Archive;

/// Functions of every FMU.
const COMMON: &str = "\
    fmi2GetTypesPlatform fmi2GetVersion fmi2SetDebugLogging fmi2Instantiate fmi2FreeInstance fmi2SetupExperiment \
    fmi2EnterInitializationMode fmi2ExitInitializationMode fmi2Terminate fmi2Reset fmi2GetReal fmi2GetInteger \
    fmi2GetBoolean fmi2GetString fmi2SetReal fmi2SetInteger fmi2SetBoolean fmi2SetString fmi2GetFMUstate \
    fmi2SetFMUstate fmi2FreeFMUstate fmi2SerializedFMUstateSize fmi2SerializeFMUstate fmi2DeSerializeFMUstate \
    fmi2GetDirectionalDerivative";
const CO_SIMULATION: &str = "\
    fmi2SetRealInputDerivatives fmi2GetRealOutputDerivatives fmi2DoStep fmi2CancelStep fmi2GetStatus \
    fmi2GetRealStatus fmi2GetIntegerStatus fmi2GetBooleanStatus fmi2GetStringStatus";
const MODEL_EXCHANGE: &str = "\
    fmi2EnterEventMode fmi2NewDiscreteStates fmi2EnterContinuousTimeMode fmi2CompletedIntegratorStep fmi2SetTime \
    fmi2SetContinuousStates fmi2GetDerivatives fmi2GetEventIndicators fmi2GetContinuousStates \
    fmi2GetNominalsOfContinuousStates";

/// Functions of every FMU of FMI 3.0, also of capabilities that it does not have.
const COMMON_3: &str = "\
    fmi3GetVersion fmi3SetDebugLogging fmi3FreeInstance fmi3EnterInitializationMode fmi3ExitInitializationMode \
    fmi3EnterEventMode fmi3Terminate fmi3Reset fmi3GetFloat32 fmi3GetFloat64 fmi3GetInt8 fmi3GetUInt8 \
    fmi3GetInt16 fmi3GetUInt16 fmi3GetInt32 fmi3GetUInt32 fmi3GetInt64 fmi3GetUInt64 fmi3GetBoolean \
    fmi3GetString fmi3GetBinary fmi3GetClock fmi3SetFloat32 fmi3SetFloat64 fmi3SetInt8 fmi3SetUInt8 fmi3SetInt16 \
    fmi3SetUInt16 fmi3SetInt32 fmi3SetUInt32 fmi3SetInt64 fmi3SetUInt64 fmi3SetBoolean fmi3SetString \
    fmi3SetBinary fmi3SetClock fmi3GetNumberOfVariableDependencies fmi3GetVariableDependencies fmi3GetFMUState \
    fmi3SetFMUState fmi3FreeFMUState fmi3SerializedFMUStateSize fmi3SerializeFMUState fmi3DeserializeFMUState \
    fmi3GetDirectionalDerivative fmi3GetAdjointDerivative fmi3EnterConfigurationMode fmi3ExitConfigurationMode \
    fmi3GetIntervalDecimal fmi3GetIntervalFraction fmi3GetShiftDecimal fmi3GetShiftFraction \
    fmi3SetIntervalDecimal fmi3SetIntervalFraction fmi3SetShiftDecimal fmi3SetShiftFraction \
    fmi3EvaluateDiscreteStates fmi3UpdateDiscreteStates";
const CO_SIMULATION_3: &str =
    "fmi3InstantiateCoSimulation fmi3EnterStepMode fmi3GetOutputDerivatives fmi3DoStep";
const MODEL_EXCHANGE_3: &str = "\
    fmi3InstantiateModelExchange fmi3EnterContinuousTimeMode fmi3CompletedIntegratorStep fmi3SetTime \
    fmi3SetContinuousStates fmi3GetContinuousStateDerivatives fmi3GetEventIndicators fmi3GetContinuousStates \
    fmi3GetNominalsOfContinuousStates fmi3GetNumberOfEventIndicators fmi3GetNumberOfContinuousStates";
const SCHEDULED_EXECUTION_3: &str = "fmi3InstantiateScheduledExecution fmi3ActivateModelPartition";

/// Whether there is a sound library for what the description offers.
pub fn check(archive: &Archive, summary: &Summary) -> Vec<Finding> {
    let mut all = Findings::of("");
    let names = || archive.entries.iter().map(|entry| entry.name.as_str());
    let folder_of = |platform| summary.standard.folder(platform);
    for folder in folders(names()) {
        let known = platform_names().into_iter().map(folder_of);
        if !known.clone().any(|platform| platform == folder) {
            let hint = hint(folder, known);
            // Other folders are for platforms that the standard does not name.
            if !hint.is_empty() {
                all.add(0, format!("folder `binaries/{}`{hint}", excerpt(folder)));
            }
        }
    }
    let sources = names().any(|n| n.starts_with("sources/"));
    let mut found = Vec::new();
    for (identifier, functions) in wanted(summary) {
        let mut libraries = 0;
        for (platform, ending) in PLATFORMS.into_iter().filter(|p| summary.standard.has(*p)) {
            let path = format!("binaries/{}/{identifier}{ending}", folder_of(platform));
            match archive.read_to_disk(&path) {
                Ok(None) => continue,
                Ok(Some(file)) if platform == WASM.0 => {
                    let of_component = functions_of_component(summary, identifier);
                    found.extend(library(&path, platform, file, &of_component));
                    let [manifest, other] = MANIFESTS_OF_COMPONENT;
                    if !names().any(|name| name == manifest || name == other) {
                        let text =
                            format!("no file `{manifest}`; FMI-LS-WASM wants one beside `{path}`");
                        all.warn(0, text);
                    }
                }
                Ok(Some(file)) => found.extend(library(&path, platform, file, &functions)),
                Err(error) => all.add(0, format!("file `{path}` cannot be unpacked: {error:#}")),
            }
            libraries += 1;
        }
        if libraries == 0 && !sources {
            let held = names().filter(|n| n.starts_with("binaries/"));
            let held: Vec<String> = held.take(20).map(excerpt).collect();
            let held = if held.is_empty() { "none".to_owned() } else { held.join(", ") };
            all.add(
                0,
                format!(
                    "no library for modelIdentifier `{identifier}`; allowed: binaries/{}/{identifier}.so, \
                 binaries/{}/{identifier}.dll, binaries/{}/{identifier}.dylib or sources; there are: {held}",
                    folder_of("linux64"),
                    folder_of("win64"),
                    folder_of("darwin64"),
                ),
            );
        }
    }
    found.extend(all.sorted());
    found
}

/// Each library by its identifier with the functions that it has to export: one library may serve
/// both kinds of use.
fn wanted(summary: &Summary) -> BTreeMap<&str, Vec<&'static str>> {
    let mut wanted = BTreeMap::new();
    for offer in &summary.libraries {
        let (common, own) = match (summary.standard, offer.kind) {
            (Standard::Fmi2, Use::CoSimulation) => (COMMON, CO_SIMULATION),
            (Standard::Fmi2, _) => (COMMON, MODEL_EXCHANGE),
            (Standard::Fmi3, Use::CoSimulation) => (COMMON_3, CO_SIMULATION_3),
            (Standard::Fmi3, Use::ModelExchange) => (COMMON_3, MODEL_EXCHANGE_3),
            (Standard::Fmi3, Use::ScheduledExecution) => (COMMON_3, SCHEDULED_EXECUTION_3),
        };
        let functions = wanted.entry(offer.identifier.as_str());
        functions.or_insert_with(|| common.split(' ').collect::<Vec<_>>()).extend(own.split(' '));
    }
    wanted
}

/// What a component has to export for the uses that the description offers with an identifier.
fn functions_of_component(summary: &Summary, identifier: &str) -> Vec<String> {
    let uses = summary.libraries.iter().filter(|offer| offer.identifier == identifier);
    let interfaces = uses.map(|offer| match offer.kind {
        Use::CoSimulation => "co-simulation",
        Use::ModelExchange => "model-exchange",
        Use::ScheduledExecution => "scheduled-execution",
    });
    ["common"].into_iter().chain(interfaces).flat_map(component::functions).collect()
}

/// Folders below `binaries` that hold files.
fn folders<'a>(names: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let inside = names.filter_map(|n| n.strip_prefix("binaries/")?.split_once('/'));
    inside.map(|(folder, _)| folder).collect()
}

fn library<F: AsRef<str>>(path: &str, folder: &str, file: File, functions: &[F]) -> Vec<Finding> {
    let mut findings = Findings::of(path);
    let data = ReadCache::new(file);
    match examine(&data) {
        Err(error) => findings.add(0, format!("{error:#}")),
        // A universal library is for its folder by one of its parts.
        Ok(parts) => match parts.iter().any(|part| name(part) == Some(folder)) {
            true => parts.iter().for_each(|part| exports(part, functions, &mut findings)),
            false => {
                let kinds: Vec<&str> =
                    parts.iter().map(|part| name(part).unwrap_or(&part.kind)).collect();
                let kinds = kinds.join(" and ");
                findings.add(0, format!("a library for {kinds}; allowed: one for {folder}"));
            }
        },
    }
    findings.sorted()
}

fn name(part: &Part) -> Option<&'static str> {
    part.platform.map(|(name, _)| name)
}

fn exports<F: AsRef<str>>(part: &Part, functions: &[F], findings: &mut Findings) {
    let missing = functions.iter().map(AsRef::as_ref);
    let missing = missing.filter(|function| !part.exports.contains(function.as_bytes()));
    let missing: Vec<&str> = missing.collect();
    if !missing.is_empty() {
        findings.add(
            0,
            format!(
                "does not export {}; hosts refuse libraries without one of the functions",
                missing.join(", ")
            ),
        );
    }
}
