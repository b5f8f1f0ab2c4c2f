#include "lull_plugin.h"

/*
 * The layout of ABI 1.3 where pointers have 64 bits, pinned. A line here may be added when a field
 * is appended; a line that has to change is a broken ABI.
 */
#if defined(__LP64__)

#define AT(type, field, offset) \
    _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#define BYTES(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")

BYTES(lull_request, 64);
AT(lull_request, size, 0);
AT(lull_request, kind, 4);
AT(lull_request, identifier, 8);
AT(lull_request, earliest_begin_unix_ns, 16);
AT(lull_request, requirements, 24);
AT(lull_request, reserved, 28);
AT(lull_request, title, 32);
AT(lull_request, subtitle, 40);
AT(lull_request, strategy, 48);
AT(lull_request, resources, 52);
AT(lull_request, protection, 56);

BYTES(lull_launch, 96);
AT(lull_launch, size, 0);
AT(lull_launch, kind, 4);
AT(lull_launch, task, 8);
AT(lull_launch, identifier, 16);
AT(lull_launch, deadline_ns, 24);
AT(lull_launch, settings, 32);
AT(lull_launch, title, 40);
AT(lull_launch, subtitle, 48);
AT(lull_launch, protection, 56);
AT(lull_launch, origin, 64);
AT(lull_launch, payload, 72);
AT(lull_launch, payload_size, 80);
AT(lull_launch, merged, 88);
AT(lull_launch, is_urgent, 92);

BYTES(lull_host, 312);
AT(lull_host, size, 0);
AT(lull_host, abi_major, 4);
AT(lull_host, abi_minor, 6);
AT(lull_host, reserved, 8);
AT(lull_host, version, 16);
AT(lull_host, now, 24);
AT(lull_host, log, 32);
AT(lull_host, register_task, 40);
AT(lull_host, submit, 48);
AT(lull_host, cancel, 56);
AT(lull_host, pending, 64);
AT(lull_host, set_expiration_handler, 72);
AT(lull_host, set_task_completed, 80);
AT(lull_host, progress, 88);
AT(lull_host, app, 96);
AT(lull_host, settings, 104);
AT(lull_host, state_dir, 112);
AT(lull_host, setting, 120);
AT(lull_host, log_task, 128);
AT(lull_host, submit_explained, 136);
AT(lull_host, update_titles, 144);
AT(lull_host, begin_activity, 152);
AT(lull_host, end_activity, 160);
AT(lull_host, background_time_remaining, 168);
AT(lull_host, is_low_power_mode, 176);
AT(lull_host, set_low_power_handler, 184);
AT(lull_host, report_fault, 192);
AT(lull_host, resources, 200);
AT(lull_host, reserved_bits, 204);
AT(lull_host, print_task, 208);
AT(lull_host, report_push, 216);
AT(lull_host, may_notify, 224);
AT(lull_host, notify, 232);
AT(lull_host, notifications, 240);
AT(lull_host, remove_notifications, 248);
AT(lull_host, set_badge, 256);
AT(lull_host, transfer, 264);
AT(lull_host, transfers, 272);
AT(lull_host, act_on_transfer, 280);
AT(lull_host, answer_challenge, 288);
AT(lull_host, set_transfer_handler, 296);
AT(lull_host, report_exit, 304);

BYTES(lull_notification, 112);
AT(lull_notification, size, 0);
AT(lull_notification, trigger, 4);
AT(lull_notification, identifier, 8);
AT(lull_notification, title, 16);
AT(lull_notification, subtitle, 24);
AT(lull_notification, body, 32);
AT(lull_notification, details, 40);
AT(lull_notification, level, 48);
AT(lull_notification, fields, 52);
AT(lull_notification, badge, 56);
AT(lull_notification, interval_ms, 64);
AT(lull_notification, year, 72);
AT(lull_notification, month, 76);
AT(lull_notification, day, 80);
AT(lull_notification, weekday, 84);
AT(lull_notification, hour, 88);
AT(lull_notification, minute, 92);
AT(lull_notification, second, 96);
AT(lull_notification, reserved, 100);
AT(lull_notification, time_unix_ns, 104);

BYTES(lull_header, 16);
AT(lull_header, name, 0);
AT(lull_header, value, 8);

BYTES(lull_transfer_order, 144);
AT(lull_transfer_order, size, 0);
AT(lull_transfer_order, direction, 4);
AT(lull_transfer_order, session, 8);
AT(lull_transfer_order, ordinal, 16);
AT(lull_transfer_order, method, 24);
AT(lull_transfer_order, url, 32);
AT(lull_transfer_order, headers, 40);
AT(lull_transfer_order, header_count, 48);
AT(lull_transfer_order, body, 56);
AT(lull_transfer_order, body_size, 64);
AT(lull_transfer_order, file, 72);
AT(lull_transfer_order, label, 80);
AT(lull_transfer_order, flags, 88);
AT(lull_transfer_order, reserved, 92);
AT(lull_transfer_order, earliest_begin_unix_ns, 96);
AT(lull_transfer_order, expected_to_send, 104);
AT(lull_transfer_order, expected_to_receive, 112);
AT(lull_transfer_order, idle_limit_ms, 120);
AT(lull_transfer_order, whole_limit_ms, 128);
AT(lull_transfer_order, resumes, 136);

BYTES(lull_transfer_state, 160);
AT(lull_transfer_state, size, 0);
AT(lull_transfer_state, phase, 4);
AT(lull_transfer_state, transfer, 8);
AT(lull_transfer_state, order, 16);
AT(lull_transfer_state, received, 24);
AT(lull_transfer_state, to_receive, 32);
AT(lull_transfer_state, sent, 40);
AT(lull_transfer_state, to_send, 48);
AT(lull_transfer_state, status, 56);
AT(lull_transfer_state, url, 64);
AT(lull_transfer_state, headers, 72);
AT(lull_transfer_state, header_count, 80);
AT(lull_transfer_state, file, 88);
AT(lull_transfer_state, code, 96);
AT(lull_transfer_state, sentence, 104);
AT(lull_transfer_state, is_resumable, 112);
AT(lull_transfer_state, was_taking, 113);
AT(lull_transfer_state, challenge_port, 114);
AT(lull_transfer_state, challenge, 116);
AT(lull_transfer_state, challenge_host, 120);
AT(lull_transfer_state, challenge_scheme, 128);
AT(lull_transfer_state, challenge_realm, 136);
AT(lull_transfer_state, challenge_failures, 144);
AT(lull_transfer_state, asked_unix_ns, 152);

BYTES(lull_plugin, 48);
AT(lull_plugin, size, 0);
AT(lull_plugin, abi_major, 4);
AT(lull_plugin, abi_minor, 6);
AT(lull_plugin, sdk, 8);
AT(lull_plugin, start, 16);
AT(lull_plugin, launch, 24);
AT(lull_plugin, run, 32);
AT(lull_plugin, flags, 40);
AT(lull_plugin, reserved, 44);

#endif
