//! The library of an FMU, loaded and called as a host does.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

use coulisse::fmu::{Blueprint, Kind, MODEL_FILE};
use libloading::{Library, Symbol};

type Component = *mut c_void;
type Set = unsafe extern "C" fn(Component, *const c_uint, usize, *const f64) -> c_int;
type Get<T> = unsafe extern "C" fn(Component, *const c_uint, usize, *mut T) -> c_int;

/// A saved state of the unit.
#[derive(Clone, Copy)]
pub struct State(*mut c_void);

/// The host's arrays for the outputs.
pub struct Outputs {
    reals: Vec<f64>,
    integers: Vec<c_int>,
    booleans: Vec<c_int>,
}

impl Outputs {
    pub fn all(&self) -> impl Iterator<Item = f64> {
        let counts = self.integers.iter().chain(&self.booleans);
        let counts = counts.map(|count| f64::from(*count));
        self.reals.iter().copied().chain(counts)
    }
}

/// One initialized instance.
pub struct Unit {
    library: Library,
    component: Component,
    /// Looked up once, as hosts do.
    do_step: unsafe extern "C" fn(Component, f64, f64, c_int) -> c_int,
    get_real: Get<f64>,
    set_real: Set,
    get_integer: Get<c_int>,
    get_boolean: Get<c_int>,
    save: unsafe extern "C" fn(Component, *mut *mut c_void) -> c_int,
    restore: unsafe extern "C" fn(Component, *mut c_void) -> c_int,
    /// Value references of all outputs.
    reals: Vec<c_uint>,
    integers: Vec<c_uint>,
    booleans: Vec<c_uint>,
}

/// `fmi2CallbackFunctions` with nothing in it.
#[repr(C)]
struct Callbacks([*const c_void; 5]);

fn ok(status: c_int) {
    assert_eq!(status, 0, "the library refuses");
}

/// An exported function.
fn find<T: Copy>(library: &Library, name: &str) -> T {
    // SAFETY: the types in this file are those of the standard's header.
    let symbol: Result<Symbol<T>, _> = unsafe { library.get(name.as_bytes()) };
    *symbol.unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

impl Unit {
    /// Lays the model out as an FMU's resources and initializes an instance of it.
    pub fn new(text: &str) -> Unit {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench_fmi");
        std::fs::create_dir_all(&folder).expect("the benchmark's folder is writable");
        std::fs::write(folder.join(MODEL_FILE), text).expect("the benchmark's folder is writable");
        let blueprint = Blueprint::load(&folder).unwrap_or_else(|fault| panic!("{fault}"));
        let library = library();
        let component = instantiate(&library, &blueprint, &folder);
        let outputs = |kind: Kind| {
            let all = (0..).zip(blueprint.interface().variables());
            let wanted = all.filter(|(_, v)| v.role.causality() == "output" && v.kind == kind);
            wanted.map(|(reference, _)| reference).collect()
        };
        Unit {
            component,
            do_step: find(&library, "fmi2DoStep"),
            get_real: find(&library, "fmi2GetReal"),
            set_real: find(&library, "fmi2SetReal"),
            get_integer: find(&library, "fmi2GetInteger"),
            get_boolean: find(&library, "fmi2GetBoolean"),
            save: find(&library, "fmi2GetFMUstate"),
            restore: find(&library, "fmi2SetFMUstate"),
            reals: outputs(Kind::Real),
            integers: outputs(Kind::Integer),
            booleans: outputs(Kind::Boolean),
            library,
        }
    }

    pub fn step(&self, time: f64, length: f64) {
        // SAFETY: the component is live.
        ok(unsafe { (self.do_step)(self.component, time, length, 0) });
    }

    /// Sets one input.
    pub fn set(&self, input: c_uint, value: f64) {
        // SAFETY: the component is live, both pointers are to one number.
        ok(unsafe { (self.set_real)(self.component, &input, 1, &value) });
    }

    /// Reads one real output.
    pub fn get_one(&self, output: c_uint) -> f64 {
        let mut value = 0.0;
        self.get(self.get_real, &[output], std::slice::from_mut(&mut value));
        value
    }

    /// Reads every output into `values`.
    pub fn read(&self, values: &mut Outputs) {
        self.get(self.get_real, &self.reals, &mut values.reals);
        self.get(self.get_integer, &self.integers, &mut values.integers);
        self.get(self.get_boolean, &self.booleans, &mut values.booleans);
    }

    /// Room for every output.
    pub fn outputs(&self) -> Outputs {
        Outputs {
            reals: vec![0.0; self.reals.len()],
            integers: vec![0; self.integers.len()],
            booleans: vec![0; self.booleans.len()],
        }
    }

    fn get<T>(&self, function: Get<T>, references: &[c_uint], values: &mut [T]) {
        let n = references.len();
        // SAFETY: both arrays have `n` places; see `outputs`.
        ok(unsafe { function(self.component, references.as_ptr(), n, values.as_mut_ptr()) });
    }

    pub fn save(&self) -> State {
        let mut state = null_mut();
        // SAFETY: the component is live, the variable holds NULL.
        ok(unsafe { (self.save)(self.component, &mut state) });
        State(state)
    }

    pub fn save_into(&self, State(mut state): State) {
        // SAFETY: the component and the state are live.
        ok(unsafe { (self.save)(self.component, &mut state) });
    }

    pub fn restore(&self, State(state): State) {
        // SAFETY: the component and the state are live.
        ok(unsafe { (self.restore)(self.component, state) });
    }

    pub fn free(&self, State(mut state): State) {
        type Free = unsafe extern "C" fn(Component, *mut *mut c_void) -> c_int;
        let free: Free = find(&self.library, "fmi2FreeFMUstate");
        // SAFETY: the component and the state are live.
        ok(unsafe { free(self.component, &mut state) });
    }

    pub fn bytes(&self, State(state): State) -> Vec<u8> {
        type Size = unsafe extern "C" fn(Component, *mut c_void, *mut usize) -> c_int;
        type Write = unsafe extern "C" fn(Component, *mut c_void, *mut c_char, usize) -> c_int;
        let size: Size = find(&self.library, "fmi2SerializedFMUstateSize");
        let write: Write = find(&self.library, "fmi2SerializeFMUstate");
        let mut n = 0;
        // SAFETY: the component and the state are live.
        ok(unsafe { size(self.component, state, &mut n) });
        let mut bytes = vec![0_u8; n];
        // SAFETY: the array has `n` places.
        ok(unsafe { write(self.component, state, bytes.as_mut_ptr().cast(), n) });
        bytes
    }

    pub fn state_of(&self, bytes: &[u8]) -> State {
        type Read =
            unsafe extern "C" fn(Component, *const c_char, usize, *mut *mut c_void) -> c_int;
        let read: Read = find(&self.library, "fmi2DeSerializeFMUstate");
        let (mut state, n) = (null_mut(), bytes.len());
        // SAFETY: the component is live, the array has `n` places.
        ok(unsafe { read(self.component, bytes.as_ptr().cast(), n, &mut state) });
        State(state)
    }
}

/// The library that cargo has built beside this benchmark.
fn library() -> Library {
    let here = std::env::current_exe().expect("the benchmark knows where it is");
    let file = here.with_file_name(libloading::library_filename("coulisse"));
    // SAFETY: it runs no code on loading.
    let library = unsafe { Library::new(&file) };
    library.unwrap_or_else(|fault| panic!("{}: {fault}", file.display()))
}

fn instantiate(library: &Library, blueprint: &Blueprint, folder: &Path) -> Component {
    type Instantiate = unsafe extern "C" fn(
        *const c_char,
        c_int,
        *const c_char,
        *const c_char,
        *const Callbacks,
        c_int,
        c_int,
    ) -> Component;
    type Setup = unsafe extern "C" fn(Component, c_int, f64, f64, c_int, f64) -> c_int;
    type Plain = unsafe extern "C" fn(Component) -> c_int;
    let guid = CString::new(blueprint.guid()).expect("no zero byte");
    let location = CString::new(folder.display().to_string()).expect("no zero byte");
    let none = Callbacks([null(); 5]);
    let make: Instantiate = find(library, "fmi2Instantiate");
    let setup: Setup = find(library, "fmi2SetupExperiment");
    let enter: Plain = find(library, "fmi2EnterInitializationMode");
    let exit: Plain = find(library, "fmi2ExitInitializationMode");
    // SAFETY: the texts and the callbacks outlive the call; co-simulation, logging off.
    let component =
        unsafe { make(c"bench".as_ptr(), 1, guid.as_ptr(), location.as_ptr(), &none, 0, 0) };
    assert!(!component.is_null(), "the library refuses the model");
    // SAFETY: the component is live.
    unsafe {
        ok(setup(component, 0, 0.0, 0.0, 0, 0.0));
        ok(enter(component));
        ok(exit(component));
    }
    component
}
