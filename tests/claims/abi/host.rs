//! Compiles and runs the C host on a folder that looks like an unpacked FMU.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use coulisse::fmu::{Blueprint, Interface, Kind, MODEL_FILE, Role, Variability, Variable};

/// An unpacked FMU and the value references that the claims use.
pub struct Fmu {
    pub resources: PathBuf,
    blueprint: Arc<Blueprint>,
    /// What hosts of Model Exchange set `experiment.extrapolation_order` to.
    order: u8,
}

impl Fmu {
    /// The same for hosts that let outputs run on with their rates.
    pub fn with_rates(self) -> Fmu {
        Fmu { order: 1, ..self }
    }
}

/// Lays out a model as an FMU's resources, in a folder whose name hosts like to get wrong.
pub fn fmu(claim: &str, model: &str) -> Fmu {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{claim} 50% ä"));
    let resources = folder.join("resources");
    std::fs::create_dir_all(&resources).expect("the test's folder is writable");
    std::fs::write(resources.join(MODEL_FILE), model).expect("the test's folder is writable");
    let blueprint = Arc::new(Blueprint::load(&resources).expect("the test's model is right"));
    Fmu { resources, blueprint, order: 0 }
}

/// As [`host`], with variables of the environment.
pub fn host_with(claim: &str, fmu: &Fmu, environment: &[(&str, &str)]) -> Option<String> {
    let mut host = Command::new(program()?);
    host.envs(environment.iter().copied());
    Some(finish(host, claim, fmu))
}

/// Runs one claim of the C host and returns what it prints; `None` where there is no C compiler.
pub fn host(claim: &str, fmu: &Fmu) -> Option<String> {
    let host = Command::new(program()?);
    Some(finish(host, claim, fmu))
}

/// The same under valgrind, where no error and no leak is allowed; `None` where it is missing.
pub fn host_under_valgrind(claim: &str, fmu: &Fmu) -> Option<String> {
    let program = program()?;
    let version = Command::new("valgrind").arg("--version").output();
    if let Err(fault) = version {
        println!("skipped: no valgrind ({fault})");
        return None;
    }
    let mut host = Command::new("valgrind");
    host.args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
        .args([
            "--show-leak-kinds=definite,indirect,possible",
            "--errors-for-leak-kinds=definite,indirect,possible",
        ])
        .arg(program);
    Some(finish(host, claim, fmu))
}

fn finish(mut host: Command, claim: &str, fmu: &Fmu) -> String {
    let interface = fmu.blueprint.interface();
    let first = |wanted: &dyn Fn(&Variable) -> bool| {
        let place = interface.variables().iter().position(wanted);
        place.unwrap_or(0).to_string()
    };
    let output = |kind| first(&|v| matches!(v.role, Role::Output(_)) && v.kind == kind);
    let order = interface.find("experiment.extrapolation_order");
    let step = fmu.blueprint.checked().experiment.communication_step;
    let result = host
        .arg(claim)
        .arg(library())
        .arg(uri(&fmu.resources))
        .arg(fmu.blueprint.guid())
        .arg(first(&|v| v.is_parameter() && v.name.ends_with("static_coefficient")))
        .arg(first(&|v| v.variability == Variability::Fixed))
        .arg(first(&|v| matches!(v.role, Role::Input(_))))
        .arg(output(Kind::Real))
        .arg(output(Kind::Boolean))
        .arg(count(interface))
        .arg(step.to_string())
        .arg(order.map_or_else(|| count(interface), |order| order.to_string()))
        .arg(fmu.order.to_string())
        .output()
        .expect("the compiled host runs");
    let said = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{}: {said}", result.status);
    String::from_utf8_lossy(&result.stdout).into_owned()
}

fn count(interface: &Interface) -> String {
    interface.variables().len().to_string()
}

/// The library that cargo has built beside this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the test knows where it is");
    let name = format!("{}coulisse{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    test.with_file_name(name)
}

fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(compile).as_deref()
}

fn compile() -> Option<PathBuf> {
    if !cfg!(unix) {
        println!("skipped: the C host loads libraries as Unix does");
        return None;
    }
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/abi");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abi_host");
    let result = Command::new(&compiler)
        .args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-g", "-o"])
        .arg(&program)
        .args(
            [
                "main.c",
                "calls.c",
                "states.c",
                "derivatives.c",
                "habits.c",
                "sampling.c",
                "fmi3.c",
                "fmi3_runs.c",
                "host.c",
            ]
            .map(|file| sources.join(file)),
        )
        .args(["-ldl", "-lpthread", "-lm"])
        .output();
    match result {
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr);
            assert!(done.status.success(), "{said}");
            Some(program)
        }
        Err(fault) => {
            println!("skipped: no C compiler `{compiler}` ({fault}); set CC to one");
            None
        }
    }
}

/// Percent-encoded, as the standard wants it.
fn uri(path: &Path) -> String {
    let text = path.to_str().expect("the test's folder is UTF-8");
    let encoded: String = text
        .bytes()
        .map(|b| match b {
            b'/' | b'-' | b'_' | b'.' => char::from(b).to_string(),
            b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
            b => format!("%{b:02X}"),
        })
        .collect();
    format!("file://{encoded}")
}
