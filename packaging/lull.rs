// lull.rs: lull_plugin.h in Rust, name for name. The header says what each function and field means, and which threads may
// call it. A plugin uses it as a module: copy it beside `lib.rs`, and write `mod lull;`.
//
// The compiler checks each size and offset against the interface: a wrong copy does not compile.
#![allow(non_camel_case_types, dead_code)]

use std::ffi::{c_char, c_void};
use std::mem::{offset_of, size_of};

pub const LULL_ABI_MAJOR: u16 = 1;
pub const LULL_ABI_MINOR: u16 = 3;

pub type lull_task = u64;
pub type lull_kind = u32;
pub const LULL_KIND_REFRESH: lull_kind = 1;
pub const LULL_KIND_PROCESSING: lull_kind = 2;
pub const LULL_KIND_CONTINUED: lull_kind = 3;
pub const LULL_KIND_PUSH: lull_kind = 4;
pub const LULL_KIND_TRANSFERS: lull_kind = 5;

pub type lull_status = i32;
pub const LULL_OK: lull_status = 0;
pub const LULL_UNAVAILABLE: lull_status = 1;
pub const LULL_TOO_MANY_PENDING: lull_status = 2;
pub const LULL_NOT_PERMITTED: lull_status = 3;
pub const LULL_IMMEDIATE_RUN_INELIGIBLE: lull_status = 4;

pub type lull_requirements = u32;
pub const LULL_REQUIRES_NETWORK: lull_requirements = 1 << 0;
pub const LULL_REQUIRES_EXTERNAL_POWER: lull_requirements = 1 << 1;

pub type lull_strategy = u32;
pub const LULL_STRATEGY_QUEUE: lull_strategy = 0;
pub const LULL_STRATEGY_FAIL: lull_strategy = 1;

pub type lull_resources = u32;
pub const LULL_RESOURCE_GPU: lull_resources = 1 << 0;

pub type lull_fault = u32;
pub const LULL_FAULT_OTHER: lull_fault = 0;
pub const LULL_FAULT_REGISTERED_TWICE: lull_fault = 1;
pub const LULL_FAULT_NOT_REGISTERED: lull_fault = 2;
pub const LULL_FAULT_REGISTERED_LATE: lull_fault = 3;
pub const LULL_FAULT_TASK_DROPPED: lull_fault = 4;
pub const LULL_FAULT_ACTIVITY_UNKNOWN: lull_fault = 5;

pub type lull_level = i32;
pub const LULL_TRACE: lull_level = 0;
pub const LULL_DEBUG: lull_level = 1;
pub const LULL_INFO: lull_level = 2;
pub const LULL_NOTICE: lull_level = 3;
pub const LULL_WARNING: lull_level = 4;
pub const LULL_ERROR: lull_level = 5;
pub const LULL_CRITICAL: lull_level = 6;

pub type lull_stream = u32;
pub const LULL_STREAM_OUTPUT: lull_stream = 1;
pub const LULL_STREAM_ERROR: lull_stream = 2;

#[repr(C)]
pub struct lull_request {
    pub size: u32,
    pub kind: lull_kind,
    pub identifier: *const c_char,
    pub earliest_begin_unix_ns: i64,
    pub requirements: lull_requirements,
    pub reserved: u32,
    pub title: *const c_char,
    pub subtitle: *const c_char,
    pub strategy: lull_strategy,
    pub resources: lull_resources,
    pub protection: *const c_char,
}

#[repr(C)]
pub struct lull_launch {
    pub size: u32,
    pub kind: lull_kind,
    pub task: lull_task,
    pub identifier: *const c_char,
    pub deadline_ns: i64,
    pub settings: *const c_char,
    pub title: *const c_char,
    pub subtitle: *const c_char,
    pub protection: *const c_char,
    pub origin: *const c_char,
    pub payload: *const c_char,
    pub payload_size: u64,
    pub merged: u32,
    pub is_urgent: bool,
}

pub type lull_notification_trigger = u32;
pub const LULL_TRIGGER_NONE: lull_notification_trigger = 0;
pub const LULL_TRIGGER_INTERVAL: lull_notification_trigger = 1;
pub const LULL_TRIGGER_CALENDAR: lull_notification_trigger = 2;

pub type lull_notification_level = u32;
pub const LULL_LEVEL_ACTIVE: lull_notification_level = 0;
pub const LULL_LEVEL_PASSIVE: lull_notification_level = 1;
pub const LULL_LEVEL_TIME_SENSITIVE: lull_notification_level = 2;
pub const LULL_LEVEL_CRITICAL: lull_notification_level = 3;

pub type lull_notification_fields = u32;
pub const LULL_NOTIFICATION_YEAR: lull_notification_fields = 1 << 0;
pub const LULL_NOTIFICATION_MONTH: lull_notification_fields = 1 << 1;
pub const LULL_NOTIFICATION_DAY: lull_notification_fields = 1 << 2;
pub const LULL_NOTIFICATION_WEEKDAY: lull_notification_fields = 1 << 3;
pub const LULL_NOTIFICATION_HOUR: lull_notification_fields = 1 << 4;
pub const LULL_NOTIFICATION_MINUTE: lull_notification_fields = 1 << 5;
pub const LULL_NOTIFICATION_SECOND: lull_notification_fields = 1 << 6;
pub const LULL_NOTIFICATION_BADGE: lull_notification_fields = 1 << 7;
pub const LULL_NOTIFICATION_REPEATS: lull_notification_fields = 1 << 8;

#[repr(C)]
pub struct lull_notification {
    pub size: u32,
    pub trigger: lull_notification_trigger,
    pub identifier: *const c_char,
    pub title: *const c_char,
    pub subtitle: *const c_char,
    pub body: *const c_char,
    pub details: *const c_char,
    pub level: lull_notification_level,
    pub fields: lull_notification_fields,
    pub badge: i64,
    pub interval_ms: i64,
    pub year: i32,
    pub month: i32,
    pub day: i32,
    pub weekday: i32,
    pub hour: i32,
    pub minute: i32,
    pub second: i32,
    pub reserved: u32,
    pub time_unix_ns: i64,
}

pub type lull_transfer_direction = u32;
pub const LULL_TRANSFER_DOWNLOAD: lull_transfer_direction = 0;
pub const LULL_TRANSFER_UPLOAD: lull_transfer_direction = 1;

pub type lull_transfer_flags = u32;
pub const LULL_TRANSFER_DISCRETIONARY: lull_transfer_flags = 1 << 0;
pub const LULL_TRANSFER_NOT_EXPENSIVE: lull_transfer_flags = 1 << 1;
pub const LULL_TRANSFER_NOT_CONSTRAINED: lull_transfer_flags = 1 << 2;
pub const LULL_TRANSFER_NO_LAUNCH: lull_transfer_flags = 1 << 3;
pub const LULL_TRANSFER_ASKS: lull_transfer_flags = 1 << 4;

pub type lull_transfer_phase = u32;
pub const LULL_TRANSFER_WAITING: lull_transfer_phase = 1;
pub const LULL_TRANSFER_ACTIVE: lull_transfer_phase = 2;
pub const LULL_TRANSFER_CHALLENGED: lull_transfer_phase = 3;
pub const LULL_TRANSFER_PAUSED: lull_transfer_phase = 4;
pub const LULL_TRANSFER_FINISHED: lull_transfer_phase = 5;
pub const LULL_TRANSFER_FAILED: lull_transfer_phase = 6;
pub const LULL_TRANSFER_CANCELLED: lull_transfer_phase = 7;

pub type lull_challenge = u32;
pub const LULL_CHALLENGE_NONE: lull_challenge = 0;
pub const LULL_CHALLENGE_SERVER_TRUST: lull_challenge = 1;
pub const LULL_CHALLENGE_BASIC: lull_challenge = 2;
pub const LULL_CHALLENGE_DIGEST: lull_challenge = 3;
pub const LULL_CHALLENGE_CLIENT_CERTIFICATE: lull_challenge = 4;

pub type lull_answer = u32;
pub const LULL_ANSWER_CREDENTIAL: lull_answer = 0;
pub const LULL_ANSWER_DEFAULT: lull_answer = 1;
pub const LULL_ANSWER_CANCEL: lull_answer = 2;
pub const LULL_ANSWER_REJECT: lull_answer = 3;
pub const LULL_ANSWER_TRUST: lull_answer = 4;
pub const LULL_ANSWER_NOBODY: lull_answer = 5;

pub type lull_transfer_act = u32;
pub const LULL_TRANSFER_CANCEL: lull_transfer_act = 1;
pub const LULL_TRANSFER_CANCEL_KEEPING: lull_transfer_act = 2;
pub const LULL_TRANSFER_SUSPEND: lull_transfer_act = 3;
pub const LULL_TRANSFER_RESUME: lull_transfer_act = 4;
pub const LULL_TRANSFER_TAKING: lull_transfer_act = 5;
pub const LULL_TRANSFER_TAKEN: lull_transfer_act = 6;

#[repr(C)]
pub struct lull_header {
    pub name: *const c_char,
    pub value: *const c_char,
}

#[repr(C)]
pub struct lull_transfer_order {
    pub size: u32,
    pub direction: lull_transfer_direction,
    pub session: *const c_char,
    pub ordinal: u64,
    pub method: *const c_char,
    pub url: *const c_char,
    pub headers: *const lull_header,
    pub header_count: usize,
    pub body: *const c_void,
    pub body_size: usize,
    pub file: *const c_char,
    pub label: *const c_char,
    pub flags: lull_transfer_flags,
    pub reserved: u32,
    pub earliest_begin_unix_ns: i64,
    pub expected_to_send: i64,
    pub expected_to_receive: i64,
    pub idle_limit_ms: i64,
    pub whole_limit_ms: i64,
    pub resumes: u64,
}

#[repr(C)]
pub struct lull_transfer_state {
    pub size: u32,
    pub phase: lull_transfer_phase,
    pub transfer: u64,
    pub order: *const lull_transfer_order,
    pub received: i64,
    pub to_receive: i64,
    pub sent: i64,
    pub to_send: i64,
    pub status: i64,
    pub url: *const c_char,
    pub headers: *const lull_header,
    pub header_count: usize,
    pub file: *const c_char,
    pub code: i64,
    pub sentence: *const c_char,
    pub is_resumable: bool,
    pub was_taking: bool,
    pub challenge_port: u16,
    pub challenge: lull_challenge,
    pub challenge_host: *const c_char,
    pub challenge_scheme: *const c_char,
    pub challenge_realm: *const c_char,
    pub challenge_failures: i64,
    pub asked_unix_ns: i64,
}

#[repr(C)]
pub struct lull_host {
    pub size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub reserved: *mut c_void,
    pub version: *const c_char,
    pub now: unsafe extern "C" fn(host: *const lull_host) -> i64,
    pub log: unsafe extern "C" fn(host: *const lull_host, level: lull_level, message: *const c_char),
    pub register_task: unsafe extern "C" fn(host: *const lull_host, identifier: *const c_char) -> bool,
    pub submit: unsafe extern "C" fn(host: *const lull_host, request: *const lull_request) -> lull_status,
    pub cancel: unsafe extern "C" fn(host: *const lull_host, identifier: *const c_char),
    pub pending: unsafe extern "C" fn(
        host: *const lull_host,
        context: *mut c_void,
        visit: unsafe extern "C" fn(context: *mut c_void, request: *const lull_request),
    ),
    pub set_expiration_handler: unsafe extern "C" fn(
        host: *const lull_host,
        task: lull_task,
        context: *mut c_void,
        handler: Option<unsafe extern "C" fn(context: *mut c_void, task: lull_task)>,
    ),
    pub set_task_completed: unsafe extern "C" fn(host: *const lull_host, task: lull_task, success: bool),
    pub progress: unsafe extern "C" fn(
        host: *const lull_host,
        task: lull_task,
        completed: i64,
        total: i64,
        message: *const c_char,
    ),
    pub app: *const c_char,
    pub settings: *const c_char,
    pub state_dir: *const c_char,
    pub setting: unsafe extern "C" fn(
        host: *const lull_host,
        task: lull_task,
        pointer: *const c_char,
        buffer: *mut c_char,
        capacity: usize,
    ) -> i64,
    pub log_task: unsafe extern "C" fn(
        host: *const lull_host,
        task: lull_task,
        level: lull_level,
        message: *const c_char,
    ),
    pub submit_explained: unsafe extern "C" fn(
        host: *const lull_host,
        request: *const lull_request,
        reason: *mut c_char,
        capacity: usize,
    ) -> lull_status,
    pub update_titles: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            task: lull_task,
            title: *const c_char,
            subtitle: *const c_char,
        ),
    >,
    pub begin_activity: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            name: *const c_char,
            context: *mut c_void,
            handler: Option<unsafe extern "C" fn(context: *mut c_void, activity: u64)>,
        ) -> u64,
    >,
    pub end_activity: Option<unsafe extern "C" fn(host: *const lull_host, activity: u64)>,
    pub background_time_remaining: Option<unsafe extern "C" fn(host: *const lull_host) -> i64>,
    pub is_low_power_mode: Option<unsafe extern "C" fn(host: *const lull_host) -> bool>,
    pub set_low_power_handler: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            context: *mut c_void,
            handler: Option<unsafe extern "C" fn(context: *mut c_void, is_low_power_mode: bool)>,
        ),
    >,
    pub report_fault: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            fault: lull_fault,
            task: lull_task,
            subject: *const c_char,
            place: *const c_char,
            earlier_place: *const c_char,
        ),
    >,
    pub resources: lull_resources,
    pub reserved_bits: u32,
    pub print_task: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            task: lull_task,
            stream: lull_stream,
            bytes: *const c_void,
            count: usize,
        ),
    >,
    pub report_push:
        Option<unsafe extern "C" fn(host: *const lull_host, task: lull_task, text: *const c_char)>,
    pub may_notify: Option<unsafe extern "C" fn(host: *const lull_host) -> bool>,
    pub notify: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            notification: *const lull_notification,
            reason: *mut c_char,
            capacity: usize,
        ) -> lull_status,
    >,
    pub notifications: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            delivered: bool,
            context: *mut c_void,
            visit: unsafe extern "C" fn(context: *mut c_void, notification: *const lull_notification),
        ),
    >,
    pub remove_notifications: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            delivered: bool,
            identifiers: *const *const c_char,
            count: usize,
        ),
    >,
    pub set_badge: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            count: i64,
            reason: *mut c_char,
            capacity: usize,
        ) -> lull_status,
    >,
    pub transfer: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            order: *const lull_transfer_order,
            transfer: *mut u64,
            reason: *mut c_char,
            capacity: usize,
        ) -> lull_status,
    >,
    pub transfers: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            session: *const c_char,
            context: *mut c_void,
            visit: unsafe extern "C" fn(context: *mut c_void, state: *const lull_transfer_state),
        ) -> u64,
    >,
    pub act_on_transfer: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            transfer: u64,
            act: lull_transfer_act,
            reason: *mut c_char,
            capacity: usize,
        ) -> lull_status,
    >,
    pub answer_challenge: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            transfer: u64,
            answer: lull_answer,
            user: *const c_char,
            password: *const c_char,
            reason: *mut c_char,
            capacity: usize,
        ) -> lull_status,
    >,
    pub set_transfer_handler: Option<
        unsafe extern "C" fn(
            host: *const lull_host,
            context: *mut c_void,
            handler: Option<unsafe extern "C" fn(context: *mut c_void, session: *const c_char)>,
        ),
    >,
    pub report_exit: Option<unsafe extern "C" fn(host: *const lull_host, task: lull_task, code: u32)>,
}

pub type lull_plugin_flags = u32;
pub const LULL_PLUGIN_RUNS_ALONE: lull_plugin_flags = 1 << 0;

#[repr(C)]
pub struct lull_plugin {
    pub size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub sdk: *const c_char,
    pub start: unsafe extern "C" fn(host: *const lull_host) -> i32,
    pub launch: unsafe extern "C" fn(launch: *const lull_launch),
    pub run: Option<unsafe extern "C" fn()>,
    pub flags: lull_plugin_flags,
    pub reserved: u32,
}

// It holds only constants.
unsafe impl Sync for lull_plugin {}

/// Whether the maker of a struct knew this field: LULL_HAS of the header. Read no field newer than 1.0 without it.
#[macro_export]
macro_rules! lull_has {
    ($type:ident, $value:expr, $field:ident) => {
        (unsafe { (*$value).size }) as usize > std::mem::offset_of!($type, $field)
    };
}

macro_rules! at {
    ($type:ident, $field:ident, $offset:expr) => {
        const _: () = assert!(offset_of!($type, $field) == $offset);
    };
}

macro_rules! bytes {
    ($type:ident, $bytes:expr) => {
        const _: () = assert!(size_of::<$type>() == $bytes);
    };
}

#[cfg(target_pointer_width = "64")]
mod layout {
    use super::*;

    bytes!(lull_request, 64);
    at!(lull_request, size, 0);
    at!(lull_request, kind, 4);
    at!(lull_request, identifier, 8);
    at!(lull_request, earliest_begin_unix_ns, 16);
    at!(lull_request, requirements, 24);
    at!(lull_request, reserved, 28);
    at!(lull_request, title, 32);
    at!(lull_request, subtitle, 40);
    at!(lull_request, strategy, 48);
    at!(lull_request, resources, 52);
    at!(lull_request, protection, 56);
    bytes!(lull_launch, 96);
    at!(lull_launch, size, 0);
    at!(lull_launch, kind, 4);
    at!(lull_launch, task, 8);
    at!(lull_launch, identifier, 16);
    at!(lull_launch, deadline_ns, 24);
    at!(lull_launch, settings, 32);
    at!(lull_launch, title, 40);
    at!(lull_launch, subtitle, 48);
    at!(lull_launch, protection, 56);
    at!(lull_launch, origin, 64);
    at!(lull_launch, payload, 72);
    at!(lull_launch, payload_size, 80);
    at!(lull_launch, merged, 88);
    at!(lull_launch, is_urgent, 92);
    bytes!(lull_host, 312);
    at!(lull_host, size, 0);
    at!(lull_host, abi_major, 4);
    at!(lull_host, abi_minor, 6);
    at!(lull_host, reserved, 8);
    at!(lull_host, version, 16);
    at!(lull_host, now, 24);
    at!(lull_host, log, 32);
    at!(lull_host, register_task, 40);
    at!(lull_host, submit, 48);
    at!(lull_host, cancel, 56);
    at!(lull_host, pending, 64);
    at!(lull_host, set_expiration_handler, 72);
    at!(lull_host, set_task_completed, 80);
    at!(lull_host, progress, 88);
    at!(lull_host, app, 96);
    at!(lull_host, settings, 104);
    at!(lull_host, state_dir, 112);
    at!(lull_host, setting, 120);
    at!(lull_host, log_task, 128);
    at!(lull_host, submit_explained, 136);
    at!(lull_host, update_titles, 144);
    at!(lull_host, begin_activity, 152);
    at!(lull_host, end_activity, 160);
    at!(lull_host, background_time_remaining, 168);
    at!(lull_host, is_low_power_mode, 176);
    at!(lull_host, set_low_power_handler, 184);
    at!(lull_host, report_fault, 192);
    at!(lull_host, resources, 200);
    at!(lull_host, reserved_bits, 204);
    at!(lull_host, print_task, 208);
    at!(lull_host, report_push, 216);
    at!(lull_host, may_notify, 224);
    at!(lull_host, notify, 232);
    at!(lull_host, notifications, 240);
    at!(lull_host, remove_notifications, 248);
    at!(lull_host, set_badge, 256);
    at!(lull_host, transfer, 264);
    at!(lull_host, transfers, 272);
    at!(lull_host, act_on_transfer, 280);
    at!(lull_host, answer_challenge, 288);
    at!(lull_host, set_transfer_handler, 296);
    at!(lull_host, report_exit, 304);
    bytes!(lull_notification, 112);
    at!(lull_notification, size, 0);
    at!(lull_notification, trigger, 4);
    at!(lull_notification, identifier, 8);
    at!(lull_notification, title, 16);
    at!(lull_notification, subtitle, 24);
    at!(lull_notification, body, 32);
    at!(lull_notification, details, 40);
    at!(lull_notification, level, 48);
    at!(lull_notification, fields, 52);
    at!(lull_notification, badge, 56);
    at!(lull_notification, interval_ms, 64);
    at!(lull_notification, year, 72);
    at!(lull_notification, month, 76);
    at!(lull_notification, day, 80);
    at!(lull_notification, weekday, 84);
    at!(lull_notification, hour, 88);
    at!(lull_notification, minute, 92);
    at!(lull_notification, second, 96);
    at!(lull_notification, reserved, 100);
    at!(lull_notification, time_unix_ns, 104);
    bytes!(lull_header, 16);
    at!(lull_header, name, 0);
    at!(lull_header, value, 8);
    bytes!(lull_transfer_order, 144);
    at!(lull_transfer_order, size, 0);
    at!(lull_transfer_order, direction, 4);
    at!(lull_transfer_order, session, 8);
    at!(lull_transfer_order, ordinal, 16);
    at!(lull_transfer_order, method, 24);
    at!(lull_transfer_order, url, 32);
    at!(lull_transfer_order, headers, 40);
    at!(lull_transfer_order, header_count, 48);
    at!(lull_transfer_order, body, 56);
    at!(lull_transfer_order, body_size, 64);
    at!(lull_transfer_order, file, 72);
    at!(lull_transfer_order, label, 80);
    at!(lull_transfer_order, flags, 88);
    at!(lull_transfer_order, reserved, 92);
    at!(lull_transfer_order, earliest_begin_unix_ns, 96);
    at!(lull_transfer_order, expected_to_send, 104);
    at!(lull_transfer_order, expected_to_receive, 112);
    at!(lull_transfer_order, idle_limit_ms, 120);
    at!(lull_transfer_order, whole_limit_ms, 128);
    at!(lull_transfer_order, resumes, 136);
    bytes!(lull_transfer_state, 160);
    at!(lull_transfer_state, size, 0);
    at!(lull_transfer_state, phase, 4);
    at!(lull_transfer_state, transfer, 8);
    at!(lull_transfer_state, order, 16);
    at!(lull_transfer_state, received, 24);
    at!(lull_transfer_state, to_receive, 32);
    at!(lull_transfer_state, sent, 40);
    at!(lull_transfer_state, to_send, 48);
    at!(lull_transfer_state, status, 56);
    at!(lull_transfer_state, url, 64);
    at!(lull_transfer_state, headers, 72);
    at!(lull_transfer_state, header_count, 80);
    at!(lull_transfer_state, file, 88);
    at!(lull_transfer_state, code, 96);
    at!(lull_transfer_state, sentence, 104);
    at!(lull_transfer_state, is_resumable, 112);
    at!(lull_transfer_state, was_taking, 113);
    at!(lull_transfer_state, challenge_port, 114);
    at!(lull_transfer_state, challenge, 116);
    at!(lull_transfer_state, challenge_host, 120);
    at!(lull_transfer_state, challenge_scheme, 128);
    at!(lull_transfer_state, challenge_realm, 136);
    at!(lull_transfer_state, challenge_failures, 144);
    at!(lull_transfer_state, asked_unix_ns, 152);
    bytes!(lull_plugin, 48);
    at!(lull_plugin, size, 0);
    at!(lull_plugin, abi_major, 4);
    at!(lull_plugin, abi_minor, 6);
    at!(lull_plugin, sdk, 8);
    at!(lull_plugin, start, 16);
    at!(lull_plugin, launch, 24);
    at!(lull_plugin, run, 32);
    at!(lull_plugin, flags, 40);
    at!(lull_plugin, reserved, 44);
}
