//! The binding to the pass manager through C++ code in `own_host.cpp`, for versions that llvm-plugin does not support.
//!
//! Rust and C++ call each other through C functions. Rust passes its objects (requests, profiles, error reports) to C++
//! as untyped pointers to boxes. C++ later returns these pointers to Rust, and Rust drops the objects.

use std::ffi::{c_char, c_void, CStr};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::slice;
use std::sync::OnceLock;

use super::errors::ErrorReport;
use super::pass::{self, AnyPass, Parse, Preserved};
use crate::ir::llvm::prelude::{LLVMModuleRef, LLVMValueRef};
use crate::plugin::profile::ProfileCell;

/// The host's pass builder; its fields are private to C++.
#[repr(C)]
struct PassBuilder {
    _opaque: [u8; 0],
}

/// The functions that C++ calls, in the order of `own_host.cpp`. C++ gets the functions in a table, not by exported
/// names. If several plugins that contain this library are loaded, an exported name would always refer to the first
/// plugin.
#[repr(C)]
struct Callbacks {
    register: extern "C" fn(*mut PassBuilder),
    parse: unsafe extern "C" fn(&Parser, *const u8, usize, bool, bool) -> Option<Box<SharedPass>>,
    drop_parser: extern "C" fn(Box<Parser>),
    copy_pass: extern "C" fn(&SharedPass) -> Box<SharedPass>,
    drop_pass: extern "C" fn(Box<SharedPass>),
    is_required: extern "C" fn(&SharedPass) -> bool,
    is_on_module: extern "C" fn(&SharedPass) -> bool,
    run: unsafe extern "C" fn(&SharedPass, LLVMValueRef, &ProfileCell) -> Preserved,
    run_on_module: unsafe extern "C" fn(&SharedPass, LLVMModuleRef) -> Preserved,
    new_profile: extern "C" fn() -> Box<ProfileCell>,
    drop_profile: extern "C" fn(Box<ProfileCell>),
    do_work: extern "C" fn(&Work),
    drop_work: extern "C" fn(Box<Work>),
}

static CALLBACKS: Callbacks = Callbacks {
    register,
    parse,
    drop_parser: drop_boxed::<Parser>,
    copy_pass,
    drop_pass: drop_boxed::<SharedPass>,
    is_required,
    is_on_module,
    run,
    run_on_module,
    new_profile,
    drop_profile: drop_boxed::<ProfileCell>,
    do_work,
    drop_work: drop_boxed::<Work>,
};

unsafe extern "C" {
    fn bpa_write_plugin_info(
        place: *mut PluginInfo,
        name: *const c_char,
        version: *const c_char,
        callbacks: *const c_void,
    );
    fn bpa_cache_profiles(builder: *mut PassBuilder);
    fn bpa_add_parser(builder: *mut PassBuilder, parser: *mut c_void);
    fn bpa_when_analyses_register(builder: *mut PassBuilder, work: *mut c_void);
    fn bpa_accepts(builder: *mut PassBuilder, element: *const u8, length: usize) -> bool;
    fn bpa_extension_point(place: usize) -> *const c_char;
    fn bpa_takes_module_passes(place: usize) -> bool;
    fn bpa_extend(builder: *mut PassBuilder, place: usize, pass: *mut c_void, text: *const u8, length: usize);
}

/// The size of a plugin's description, in pointers. `build.rs` passes this size to C++, and C++ checks the size.
const PLUGIN_INFO_WORDS: usize = match usize::from_str_radix(env!("BPA_PLUGIN_INFO_WORDS"), 10) {
    Ok(words) => words,
    Err(_) => panic!("build.rs passes a number"),
};

/// Space for the description of a plugin.
#[repr(C)]
pub struct PluginInfo([MaybeUninit<*const c_void>; PLUGIN_INFO_WORDS]);

/// The function that registers the plugin. A shared object contains at most one plugin.
static REGISTER: OnceLock<fn(Host<'_>)> = OnceLock::new();

/// Describes the plugin to the host. The host then calls `register`.
pub(in crate::plugin) fn describe(
    name: &'static CStr,
    version: &'static CStr,
    register: fn(Host<'_>),
) -> PluginInfo {
    REGISTER.get_or_init(|| register);
    let mut info = PluginInfo([MaybeUninit::uninit(); PLUGIN_INFO_WORDS]);
    // SAFETY: C++ checks that `info` is large enough. All other arguments point to static data.
    unsafe {
        bpa_write_plugin_info(&mut info, name.as_ptr(), version.as_ptr(), (&raw const CALLBACKS).cast())
    };
    info
}

/// The host while it registers a plugin.
///
/// The type contains a pointer to the builder instead of a reference, because a builder may have several `Host` values
/// at the same time. For example, a plugin requests that the host parses an element, and the host then calls parsers
/// with their own `Host` values.
pub(in crate::plugin) struct Host<'a> {
    builder: *mut PassBuilder,
    while_alive: PhantomData<&'a ()>,
}

/// A host for closures that the pass builder owns.
#[derive(Clone, Copy)]
pub(in crate::plugin) struct HostHandle(*mut PassBuilder);

// SAFETY: a pass builder and the objects that it owns are never used by two threads at the same time.
unsafe impl Send for HostHandle {}
unsafe impl Sync for HostHandle {}

impl HostHandle {
    /// # Safety
    ///
    /// The pass builder must be alive while the result is used.
    pub unsafe fn host(&self) -> Host<'_> {
        Host { builder: self.0, while_alive: PhantomData }
    }
}

/// A closure that is called when the host registers analyses.
type Work = Box<dyn Fn()>;

/// A pass that C++ owns and may copy.
type SharedPass = AnyPass;

/// Parses pipeline elements for one pass builder.
struct Parser {
    parse: Parse,
    errors: ErrorReport,
}

impl Host<'_> {
    /// Registers an analysis that caches a profile for each function.
    pub fn cache_profiles(&self) {
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_cache_profiles(self.builder) }
    }

    /// Adds a parser for elements of module pipelines and function pipelines.
    pub fn add_parser(&self, parse: Parse) {
        let parser = Parser { parse, errors: ErrorReport::default() };
        // SAFETY: the builder is alive during registration. C++ owns the parser, and returns it to Rust when the
        // builder is destroyed.
        unsafe { bpa_add_parser(self.builder, boxed(parser)) }
    }

    /// A handle for closures that the pass builder will own.
    pub fn handle(&self) -> HostHandle {
        HostHandle(self.builder)
    }

    /// Calls `work` each time the host registers analyses. The host registers analyses after all plugins are loaded.
    pub fn when_analyses_register(&self, work: impl Fn() + 'static) {
        let work: Work = Box::new(work);
        // SAFETY: the builder is alive during registration. C++ owns the closure, and returns it to Rust when the
        // builder is destroyed.
        unsafe { bpa_when_analyses_register(self.builder, boxed(work)) }
    }

    /// Whether the host or a plugin accepts a pipeline element.
    pub fn accepts(&self, element: &str) -> bool {
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_accepts(self.builder, element.as_ptr(), element.len()) }
    }

    /// The names of the extension points.
    pub fn extension_points() -> Vec<&'static str> {
        // SAFETY: C++ returns a constant string, or null if there is no extension point at index `place`.
        let name = |place| unsafe {
            let name = bpa_extension_point(place);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_str().expect("names are ASCII"))
        };
        (0..).map_while(name).collect()
    }

    /// Adds a pass at `point`, one of [`Host::extension_points`]. `text` is the pass with its options, as the user
    /// typed it. Returns an error if `pass` cannot run at this point.
    pub fn extend(&self, point: &str, pass: AnyPass, text: &str) -> Result<(), String> {
        let place = Self::extension_points().into_iter().position(|name| name == point);
        let place = place.expect("callers pass a known extension point");
        // SAFETY: `place` is the index of an extension point.
        let takes_module_passes = unsafe { bpa_takes_module_passes(place) };
        let pass = if takes_module_passes { pass } else { AnyPass::OnFunctions(pass.on_functions()?) };
        // SAFETY: the builder is alive during registration. C++ owns the pass and copies the text.
        unsafe { bpa_extend(self.builder, place, boxed(pass), text.as_ptr(), text.len()) };
        Ok(())
    }
}

/// Boxes a value for C++.
fn boxed<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// Drops a value that C++ returns to Rust.
extern "C" fn drop_boxed<T>(value: Box<T>) {
    drop(value);
}

extern "C" fn register(builder: *mut PassBuilder) {
    if let Some(register) = REGISTER.get() {
        register(Host { builder, while_alive: PhantomData });
    }
}

/// # Safety
///
/// `element` must point to `length` bytes.
unsafe extern "C" fn parse(
    parser: &Parser,
    element: *const u8,
    length: usize,
    has_parentheses: bool,
    is_module_position: bool,
) -> Option<Box<SharedPass>> {
    // SAFETY: C++ passes the start and length of a `StringRef`. If the `StringRef` is empty, its start may be null.
    let bytes = if length == 0 { &[] } else { unsafe { slice::from_raw_parts(element, length) } };
    let Parser { parse, errors } = parser;
    let pass = if is_module_position {
        errors.pass(bytes, has_parentheses, parse)
    } else {
        errors.function_pass(bytes, has_parentheses, parse).map(AnyPass::OnFunctions)
    };
    pass.map(Box::new)
}

extern "C" fn copy_pass(pass: &SharedPass) -> Box<SharedPass> {
    Box::new(pass.clone())
}

extern "C" fn is_required(pass: &SharedPass) -> bool {
    matches!(pass, AnyPass::OnFunctions(pass) if pass.is_required())
}

extern "C" fn is_on_module(pass: &SharedPass) -> bool {
    matches!(pass, AnyPass::OnModule(_) | AnyPass::Either { .. })
}

/// # Safety
///
/// The function must be valid, and must stay valid while the pass runs.
unsafe extern "C" fn run(pass: &SharedPass, function: LLVMValueRef, profile: &ProfileCell) -> Preserved {
    // C++ checks the kind of pass before this call.
    match pass {
        // SAFETY: the pass manager passes a function that lives while the pass runs.
        AnyPass::OnFunctions(pass) => unsafe { pass::run(&**pass, function, || profile) },
        AnyPass::OnModule(_) | AnyPass::Either { .. } => Preserved::All,
    }
}

/// Runs a pass for which [`is_on_module`] is true.
///
/// # Safety
///
/// The module must be valid, and must stay valid while the pass runs.
unsafe extern "C" fn run_on_module(pass: &SharedPass, module: LLVMModuleRef) -> Preserved {
    match pass {
        AnyPass::OnModule(pass) | AnyPass::Either { module: pass, .. } => {
            // SAFETY: the pass manager passes a module that lives while the pass runs.
            unsafe { pass::run_on_module(&**pass, module) }
        }
        AnyPass::OnFunctions(_) => Preserved::All,
    }
}

extern "C" fn do_work(work: &Work) {
    work();
}

extern "C" fn new_profile() -> Box<ProfileCell> {
    Box::default()
}
