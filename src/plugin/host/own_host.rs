//! The binding to the pass manager through C++ code in `own_host.cpp`, for versions that llvm-plugin does not support.
//!
//! Rust and C++ call each other through C functions. Rust passes its objects (requests, profiles, error reports) to C++
//! as untyped pointers to boxes. C++ later returns these pointers to Rust, and Rust drops the objects.

use std::ffi::{c_char, c_void, CStr};
use std::mem::MaybeUninit;
use std::slice;

use super::analyses::FunctionAnalyses;
use super::parser::Parser;
use super::pass::{self, Parse, Pass, Preserved};
use super::{drop_boxed, register, ExtensionPoint, Host};
use crate::ir::llvm::prelude::{LLVMModuleRef, LLVMValueRef};
use crate::plugin::profile::ProfileCell;

/// The functions that C++ calls, in the order of `own_host.cpp`. C++ gets the functions in a table, not by exported
/// names. If several plugins that contain this library are loaded, an exported name would always refer to the first
/// plugin.
#[repr(C)]
struct Callbacks {
    register: unsafe extern "C" fn(*mut c_void),
    parse: unsafe extern "C" fn(&Parser, *const u8, usize, bool, bool) -> Option<Box<Pass>>,
    drop_parser: extern "C" fn(Box<Parser>),
    drop_pass: extern "C" fn(Box<Pass>),
    is_required: extern "C" fn(&Pass) -> bool,
    is_on_module: extern "C" fn(&Pass) -> bool,
    run: unsafe extern "C" fn(&Pass, LLVMValueRef, &ProfileCell) -> Preserved,
    run_on_module: unsafe extern "C" fn(&Pass, LLVMModuleRef, *mut c_void) -> Preserved,
    new_profile: extern "C" fn() -> Box<ProfileCell>,
    drop_profile: extern "C" fn(Box<ProfileCell>),
}

static CALLBACKS: Callbacks = Callbacks {
    register,
    parse,
    drop_parser: drop_boxed::<Parser>,
    drop_pass: drop_boxed::<Pass>,
    is_required,
    is_on_module,
    run,
    run_on_module,
    new_profile,
    drop_profile: drop_boxed::<ProfileCell>,
};

unsafe extern "C" {
    fn bpa_write_plugin_info(
        place: *mut PluginInfo,
        name: *const c_char,
        version: *const c_char,
        callbacks: *const c_void,
    );
    fn bpa_cache_profiles(builder: *mut c_void);
    fn bpa_add_parser(builder: *mut c_void, parser: *mut c_void);
    fn bpa_extension_point(place: usize, takes_module_passes: &mut bool) -> *const c_char;
    fn bpa_extend(builder: *mut c_void, place: usize, pass: *mut c_void, text: *const u8, length: usize);
}

/// The size of a plugin's description. The unit is the size of a pointer. `build.rs` passes this size to C++, and C++
/// checks the size.
const PLUGIN_INFO_WORDS: usize = match usize::from_str_radix(env!("BPA_PLUGIN_INFO_WORDS"), 10) {
    Ok(words) => words,
    Err(_) => panic!("build.rs passes a number"),
};

/// Space for the description of a plugin.
#[repr(C)]
pub struct PluginInfo([MaybeUninit<*const c_void>; PLUGIN_INFO_WORDS]);

/// Describes the plugin to the host. The host then calls [`register`].
pub(super) fn describe(name: &'static CStr, version: &'static CStr) -> PluginInfo {
    let mut info = PluginInfo([MaybeUninit::uninit(); PLUGIN_INFO_WORDS]);
    // SAFETY: C++ checks that `info` is large enough. All other arguments point to static data.
    unsafe {
        bpa_write_plugin_info(&mut info, name.as_ptr(), version.as_ptr(), (&raw const CALLBACKS).cast())
    };
    info
}

impl Host<'_> {
    /// Registers an analysis that caches a profile for each function.
    pub fn cache_profiles(&self) {
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_cache_profiles(self.builder) }
    }

    /// Adds a parser for elements of module pipelines and function pipelines.
    pub fn add_parser(&self, parse: Parse) {
        // SAFETY: the builder is alive during registration. C++ owns the parser, and returns it to Rust when the
        // builder is destroyed.
        unsafe { bpa_add_parser(self.builder, boxed(Parser::new(parse))) }
    }

    /// Adds a pass at the extension point number `place`, which must accept this kind of pass.
    pub(super) fn extend_at(&self, place: usize, pass: Pass, text: &str) {
        // SAFETY: the builder is alive during registration. C++ owns the pass and copies the text.
        unsafe { bpa_extend(self.builder, place, boxed(pass), text.as_ptr(), text.len()) };
    }
}

/// All extension points, in the order of their numbers.
pub(super) fn extension_points() -> impl Iterator<Item = ExtensionPoint> {
    (0..).map_while(|place| {
        let mut takes_module_passes = false;
        // SAFETY: `bpa_extension_point` returns a constant string, or null if there is no extension point at `place`.
        let name = unsafe {
            let name = bpa_extension_point(place, &mut takes_module_passes);
            (!name.is_null()).then(|| CStr::from_ptr(name))
        }?;
        Some(ExtensionPoint { name: name.to_str().expect("names are ASCII"), takes_module_passes })
    })
}

/// Boxes a value for C++.
fn boxed<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
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
) -> Option<Box<Pass>> {
    // SAFETY: C++ passes the start and length of a `StringRef`. If the `StringRef` is empty, its start can be null.
    let bytes = if length == 0 { &[] } else { unsafe { slice::from_raw_parts(element, length) } };
    parser.read(bytes, has_parentheses, is_module_position).map(Box::new)
}

extern "C" fn is_required(pass: &Pass) -> bool {
    pass.is_required
}

extern "C" fn is_on_module(pass: &Pass) -> bool {
    pass.on_module.is_some()
}

/// # Safety
///
/// The function must be valid, and must stay valid while the pass runs.
unsafe extern "C" fn run(pass: &Pass, function: LLVMValueRef, profile: &ProfileCell) -> Preserved {
    // SAFETY: the pass manager passes a function that lives while the pass runs.
    unsafe { pass::run(pass, function, || profile) }
}

/// # Safety
///
/// The module and the analyses of its functions must be valid, and must stay valid while the pass runs.
unsafe extern "C" fn run_on_module(pass: &Pass, module: LLVMModuleRef, functions: *mut c_void) -> Preserved {
    // SAFETY: the pass manager passes objects that live while the pass runs.
    unsafe { pass::run_on_module(pass, module, FunctionAnalyses::from_raw(functions)) }
}

extern "C" fn new_profile() -> Box<ProfileCell> {
    Box::default()
}
