/*
 * A second attack: acts that may have an effect outside of the app's folder, by ways that `Outreach.c` does not try. The result of each act is
 * in `results` in the app's folder.
 */
#define _GNU_SOURCE
#include "attack_kernel.h"

static const struct act acts[] = {
    ACT(a_lease), ACT(a_read_lease), ACT(a_rename_out), ACT(a_rename_in), ACT(a_exchange), ACT(a_whiteout),
    ACT(a_link_out), ACT(a_link_by_descriptor), ACT(a_unnamed_out), ACT(a_symlink_out), ACT(a_pipe_out),
    ACT(a_folder_out), ACT(a_socket_out), ACT(a_through_link), ACT(a_reopen), ACT(a_reopen_secret), ACT(a_handle),
    ACT(a_run_secret), ACT(a_host_lock), ACT(a_disk), ACT(a_memory_device), ACT(a_device), ACT(a_queue_file),
    ACT(a_acl), ACT(a_capability), ACT(a_trusted), ACT(a_times_by_null), ACT(a_odd_self), ACT(a_odd_thread),
    ACT(a_odd_task), ACT(a_supervisors_descriptors), ACT(a_empty_name), ACT(a_null_name), ACT(a_bad_address),
    ACT(a_long_path), ACT(a_race_name), ACT(a_race_link), ACT(a_race_folder), ACT(a_race_descriptor),
    ACT(a_threads_folder),
    ACT(a_seize), ACT(a_attach_thread), ACT(a_seize_supervisor), ACT(a_memory_of_supervisor), ACT(a_write_memory), ACT(a_maps),
    ACT(a_environment), ACT(a_auxiliary), ACT(a_clear_references), ACT(a_dump_filter), ACT(a_name_of_host),
    ACT(a_group_by_proc), ACT(a_root_of_host), ACT(a_folder_of_host), ACT(a_descriptors_of_host),
    ACT(a_take_descriptor), ACT(a_enter_host), ACT(a_enter_its_namespace), ACT(a_compare), ACT(a_advise),
    ACT(a_release), ACT(a_signal_of_group), ACT(a_signal_of_all), ACT(a_signal_of_supervisor),
    ACT(a_signal_of_supervisors_group), ACT(a_group_of_host), ACT(a_async_thread), ACT(a_async_process),
    ACT(a_async_group), ACT(a_timer), ACT(a_credentials), ACT(a_first_in_line), ACT(a_deadline), ACT(a_nicer),
    ACT(a_disk_first), ACT(a_spared), ACT(a_more_descriptors), ACT(a_own_listener), ACT(a_own_filter),
    ACT(a_unnamed_program),
#if defined(__x86_64__)
    ACT(a_old_door), ACT(a_short_door), ACT(a_ports),
#endif
    ACT(a_born_elsewhere), ACT(a_born_first), ACT(a_clone3), ACT(a_into_group), ACT(a_own_mounts), ACT(a_own_network),
    ACT(a_own_name), ACT(a_own_time), ACT(a_own_groups), ACT(a_chroot), ACT(a_new_root), ACT(a_file_system),
    ACT(a_tree), ACT(a_mount_attribute), ACT(a_unmount), ACT(a_quota), ACT(a_accounting), ACT(a_swap), ACT(a_kernel),
    ACT(a_reboot), ACT(a_module), ACT(a_log), ACT(a_program), ACT(a_counters), ACT(a_faults), ACT(a_ring), ACT(a_key),
    ACT(a_key_of_session), ACT(a_watch_all), ACT(a_clock), ACT(a_tick), ACT(a_alarm), ACT(a_name), ACT(a_core_pattern),
    ACT(a_magic_key), ACT(a_caches), ACT(a_power), ACT(a_group), ACT(a_group_made), ACT(a_raw_socket), ACT(a_packets),
    ACT(a_interface), ACT(a_audit), ACT(a_event),
};

static void launch(const lull_launch *launch) {
    try_all(acts, sizeof acts / sizeof *acts);
    complete(launch);
}

FIXTURE(register_all, launch);
