# The platforms that libraries, commands and wheels are built for; the scripts beside this one read it.
# FMI 2.0 names those on x86, FMI 3.0 the others.
platforms="linux64 aarch64-linux win64 aarch64-windows darwin64 aarch64-darwin"

# The platform of this machine.
this_platform() {
    case "$(uname -s) $(uname -m)" in
        "Linux x86_64") echo linux64 ;;
        "Linux aarch64" | "Linux arm64") echo aarch64-linux ;;
        "Darwin x86_64") echo darwin64 ;;
        "Darwin arm64") echo aarch64-darwin ;;
        MINGW*" x86_64" | MSYS*" x86_64") echo win64 ;;
        MINGW*" aarch64" | MSYS*" aarch64") echo aarch64-windows ;;
        *) echo "no platform for $(uname -s) on $(uname -m); name one of: $platforms" >&2; return 1 ;;
    esac
}

# Sets for a platform: target (as Rust names it, cargo-zigbuild with the glibc behind it), oldest macOS, ending of
# libraries, files that Cargo makes (library, command), tag (as wheels name it).
select_platform() {
    glibc="" oldest=""
    case "$1" in
        linux64) target=x86_64-unknown-linux-gnu glibc=.2.17 ending=so tag=manylinux2014_x86_64 ;;
        aarch64-linux) target=aarch64-unknown-linux-gnu glibc=.2.17 ending=so tag=manylinux2014_aarch64 ;;
        win64) target=x86_64-pc-windows-gnu ending=dll tag=win_amd64 ;;
        aarch64-windows) target=aarch64-pc-windows-gnullvm ending=dll tag=win_arm64 ;;
        darwin64) target=x86_64-apple-darwin ending=dylib oldest=10.12 tag=macosx_10_12_x86_64 ;;
        aarch64-darwin) target=aarch64-apple-darwin ending=dylib oldest=11.0 tag=macosx_11_0_arm64 ;;
        *) echo "$1; allowed: $platforms" >&2; return 1 ;;
    esac
    case "$ending" in
        dll) library=coulisse.dll command=coulisse.exe ;;
        *) library=libcoulisse.$ending command=coulisse ;;
    esac
}
