// A plugin in Rust, against the C contract alone: it registers what is permitted and completes each launch on a thread
// of its own.
#![crate_type = "cdylib"]
#![allow(non_upper_case_globals)]

use std::ffi::{c_char, c_void, CString};
use std::sync::atomic::{AtomicPtr, Ordering};

#[repr(C)]
pub struct Launch {
    size: u32,
    kind: u32,
    task: u64,
    identifier: *const c_char,
    deadline_ns: i64,
    settings: *const c_char,
}

type Skipped = *const c_void;

#[repr(C)]
pub struct Host {
    size: u32,
    abi_major: u16,
    abi_minor: u16,
    reserved: *mut c_void,
    version: *const c_char,
    now: Skipped,
    log: extern "C" fn(*const Host, i32, *const c_char),
    register_task: extern "C" fn(*const Host, *const c_char) -> bool,
    submit: Skipped,
    cancel: Skipped,
    pending: Skipped,
    set_expiration_handler: Skipped,
    set_task_completed: extern "C" fn(*const Host, u64, bool),
    progress: Skipped,
    app: *const c_char,
    settings: *const c_char,
    state_dir: *const c_char,
    setting: extern "C" fn(*const Host, u64, *const c_char, *mut c_char, usize) -> i64,
}

#[repr(C)]
pub struct Plugin {
    size: u32,
    abi_major: u16,
    abi_minor: u16,
    sdk: *const c_char,
    start: extern "C" fn(*const Host) -> i32,
    launch: extern "C" fn(*const Launch),
    run: Option<extern "C" fn()>,
}

// It holds constants alone.
unsafe impl Sync for Plugin {}

static HOST: AtomicPtr<Host> = AtomicPtr::new(std::ptr::null_mut());

fn host() -> &'static Host {
    // It is set in `start`, before anything else is called, and stays valid until the process ends.
    unsafe { &*HOST.load(Ordering::Acquire) }
}

extern "C" fn start(given: *const Host) -> i32 {
    HOST.store(given as *mut Host, Ordering::Release);
    for index in 0.. {
        let pointer = CString::new(format!("/lull/permitted/{index}")).expect("it has no NUL");
        let mut name = [0 as c_char; 256];
        if (host().setting)(given, 0, pointer.as_ptr(), name.as_mut_ptr(), name.len()) < 0 {
            return 0;
        }
        (host().register_task)(given, name.as_ptr());
    }
    0
}

extern "C" fn launch(launch: *const Launch) {
    let task = unsafe { (*launch).task };
    std::thread::spawn(move || {
        (host().log)(host(), 2, b"hello from Rust\0".as_ptr() as *const c_char);
        (host().set_task_completed)(host(), task, true);
    });
}

#[no_mangle]
pub static lull_plugin_entry: Plugin = Plugin {
    size: std::mem::size_of::<Plugin>() as u32,
    abi_major: 1,
    abi_minor: 0,
    sdk: b"rust\0".as_ptr() as *const c_char,
    start,
    launch,
    run: None,
};
