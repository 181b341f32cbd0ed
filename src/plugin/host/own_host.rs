//! The seam over our own C++ in `own_host.cpp`, for the versions that llvm-plugin does not reach.
//!
//! The two sides share a handful of C functions. What Rust owns (requests, profiles, the report of errors) crosses
//! as an untyped pointer to a box that C++ gives back to be dropped.

use std::ffi::{c_char, c_void, CStr};
use std::mem::MaybeUninit;
use std::slice;
use std::sync::OnceLock;

use super::ErrorReport;
use crate::ir::llvm::prelude::LLVMValueRef;
use crate::plugin::passes::Changed;
use crate::plugin::profile::ProfileCell;
use crate::plugin::request::{Parse, Request};

/// The host's pass builder, known to C++ alone.
#[repr(C)]
struct PassBuilder {
    _opaque: [u8; 0],
}

extern "C" {
    fn bpa_write_plugin_info(place: *mut PluginInfo, version: *const c_char);
    fn bpa_cache_profiles(builder: *mut PassBuilder);
    fn bpa_answer(builder: *mut PassBuilder);
    fn bpa_extension_point(place: usize) -> *const c_char;
    fn bpa_extend(
        builder: *mut PassBuilder,
        place: usize,
        request: *mut c_void,
        text: *const u8,
        length: usize,
    );
}

/// How many pointers wide the structure is by which the host gets to know a plugin: `build.rs` tells C++ the same
/// number, and C++ checks it.
const PLUGIN_INFO_WORDS: usize = if cfg!(wide_plugin_info) { 5 } else { 4 };

/// Room for that structure.
#[repr(C)]
pub struct PluginInfo([MaybeUninit<*const c_void>; PLUGIN_INFO_WORDS]);

/// Called by the host once, when it has loaded the library.
#[no_mangle]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL"),
        };
    let mut info = PluginInfo([MaybeUninit::uninit(); PLUGIN_INFO_WORDS]);
    // SAFETY: there is room for what C++ writes, which it checks; the version lives for ever.
    unsafe { bpa_write_plugin_info(&mut info, VERSION.as_ptr()) };
    info
}

/// The host under registration.
pub(in crate::plugin) struct Host<'a> {
    builder: &'a mut PassBuilder,
}

/// How pipeline elements are read. It is the same for every pass builder.
static PARSE: OnceLock<Parse> = OnceLock::new();

impl Host<'_> {
    /// Has the analysis manager keep a profile for each function.
    pub fn cache_profiles(&mut self) {
        // SAFETY: the builder is alive during registration.
        unsafe { bpa_cache_profiles(self.builder) }
    }

    /// Adds a pass wherever a pipeline element parses as a request, at module and at function position.
    pub fn answer_to(&mut self, parse: Parse) {
        PARSE.get_or_init(|| parse);
        // SAFETY: as above; what C++ keeps of it is given back when the builder goes.
        unsafe { bpa_answer(self.builder) }
    }

    /// The names of the extension points.
    pub fn extension_points() -> Vec<&'static str> {
        // SAFETY: C++ answers with constant strings, and with null after the last.
        let name = |place| unsafe {
            let name = bpa_extension_point(place);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_str().expect("names are ASCII"))
        };
        (0..).map_while(name).collect()
    }

    /// Adds a pass at an extension point, one of [`Host::extension_points`]; `text` is how it was asked for.
    pub fn extend(&mut self, point: &str, request: Request, text: &str) {
        let place = Self::extension_points().into_iter().position(|name| name == point);
        let place = place.expect("callers name extension points that there are");
        // SAFETY: the place exists; C++ takes the request and copies the text.
        unsafe { bpa_extend(self.builder, place, boxed(request), text.as_ptr(), text.len()) }
    }
}

/// Gives a value to C++.
fn boxed<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// Takes back and drops a value that was given to C++.
unsafe fn drop_boxed<T>(value: *mut c_void) {
    drop(Box::from_raw(value.cast::<T>()));
}

#[no_mangle]
unsafe extern "C" fn bpa_register(builder: *mut PassBuilder) {
    crate::plugin::register(&mut Host { builder: &mut *builder });
}

#[no_mangle]
unsafe extern "C" fn bpa_parse(errors: *const ErrorReport, element: *const u8, length: usize) -> *mut c_void {
    let bytes = if length == 0 { &[] } else { slice::from_raw_parts(element, length) };
    let request = PARSE.get().and_then(|parse| (*errors).request(bytes, *parse));
    request.map_or(std::ptr::null_mut(), boxed)
}

#[no_mangle]
unsafe extern "C" fn bpa_copy_request(request: *const Request) -> *mut c_void {
    boxed((*request).clone())
}

#[no_mangle]
unsafe extern "C" fn bpa_drop_request(request: *mut c_void) {
    drop_boxed::<Request>(request);
}

#[no_mangle]
unsafe extern "C" fn bpa_request_is_required(request: *const Request) -> bool {
    (*request).is_required()
}

#[no_mangle]
unsafe extern "C" fn bpa_run(
    request: *const Request,
    function: LLVMValueRef,
    profile: *const ProfileCell,
) -> bool {
    super::run(&*request, function, || &*profile) == Changed::Yes
}

#[no_mangle]
extern "C" fn bpa_new_errors() -> *mut c_void {
    boxed(ErrorReport::default())
}

#[no_mangle]
unsafe extern "C" fn bpa_drop_errors(errors: *mut c_void) {
    drop_boxed::<ErrorReport>(errors);
}

#[no_mangle]
extern "C" fn bpa_new_profile() -> *mut c_void {
    boxed(ProfileCell::default())
}

#[no_mangle]
unsafe extern "C" fn bpa_drop_profile(profile: *mut c_void) {
    drop_boxed::<ProfileCell>(profile);
}
