//! Compiles what Rust cannot write: a function that takes a variable number of arguments.

fn main() {
    let logger = "src/host/logger.c";
    println!("cargo::rerun-if-changed={logger}");
    cc::Build::new().file(logger).warnings_into_errors(true).compile("coulisse_host_logger");
}
