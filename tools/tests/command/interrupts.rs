//! What a run leaves behind when it is ended, and with which permissions.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{folder, model, ok, refused, text};

/// Waits for something, at most a minute.
fn wait_until(what: &str, mut there: impl FnMut() -> bool) {
    let clock = Instant::now();
    while !there() {
        assert!(clock.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn an_interrupted_run_keeps_its_rows_and_removes_what_it_unpacked() {
    let folder = folder("interrupts");
    let fmu = folder.join("incline.fmu");
    ok(&["pack", "--native", &model("incline"), "-o", text(&fmu)]);
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let [temporary, csv] =
            ["temporary", "rows"].map(|name| folder.join(format!("{name}_{signal}")));
        std::fs::create_dir(&temporary).unwrap();
        let run = Command::new(env!("CARGO_BIN_EXE_coulisse"))
            .args(["run", text(&fmu), "--stop", "10000", "--step", "1e-3", "-o", text(&csv)])
            .env("TMPDIR", &temporary)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_until("the FMU is unpacked", || count(&temporary) == 1);
        std::thread::sleep(Duration::from_millis(1500));
        let kill = Command::new("kill").args(["-s", signal, &run.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = run.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(said.contains("s are kept in ") && said.contains(": interrupted"), "{said}");
        assert_eq!(count(&temporary), 0);
        let rows = std::fs::read_to_string(&csv).unwrap();
        assert!(rows.lines().count() > 2 && rows.ends_with('\n'));
    }
}

#[test]
fn results_have_the_permissions_that_the_user_gives_files() {
    let folder = folder("permissions");
    let csv = folder.join("rows.csv");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let run = |umask: &str| {
        let call =
            format!("umask {umask}; exec \"$0\" run \"$1\" --stop 0.01 -o \"$2\" --vtk \"$2.vtk\"");
        let status = Command::new("sh")
            .args(["-c", &call, env!("CARGO_BIN_EXE_coulisse"), &model("incline"), text(&csv)])
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
    };
    run("027");
    let film = folder.join("rows.csv.vtk");
    assert_eq!((mode(&csv), mode(&film)), (0o640, 0o750));
    assert_eq!(mode(&film.join("incline.pvd")), 0o640);
    // A file that is there keeps its own, and so does a folder.
    std::fs::set_permissions(&csv, PermissionsExt::from_mode(0o604)).unwrap();
    std::fs::set_permissions(&film, PermissionsExt::from_mode(0o705)).unwrap();
    run("077");
    assert_eq!((mode(&csv), mode(&film)), (0o604, 0o705));
    // What is protected is not written over.
    std::fs::set_permissions(&csv, PermissionsExt::from_mode(0o444)).unwrap();
    let said = refused(&["run", &model("incline"), "--stop", "0.01", "-o", text(&csv)]);
    assert!(said.contains("is write-protected"), "{said}");
    assert_eq!(count(&folder), 2, "nothing is left over");
}
