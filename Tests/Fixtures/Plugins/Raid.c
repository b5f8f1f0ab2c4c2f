/*
 * A fourth attack: acts that none of the others tries. The result of each act is in `results` in the app's folder.
 */
#define _GNU_SOURCE
#include "raid_kernel.h"


static const struct act acts[] = {
    ACT(a_grow), ACT(a_punch), ACT(a_collapse), ACT(a_copy_in), ACT(a_send_in), ACT(a_splice_in), ACT(a_clone_in),
    ACT(a_write_in), ACT(a_map_in), ACT(a_map_later), ACT(a_cut), ACT(a_cut_at_opening), ACT(a_cut_without_access),
    ACT(a_write_without_access), ACT(a_cut_by_descriptor), ACT(a_append), ACT(a_made_anew), ACT(a_removed),
    ACT(a_made_by_mknod), ACT(a_flags), ACT(a_flags_high), ACT(a_flags_without_access), ACT(a_project),
    ACT(a_key_of_disk), ACT(a_moved_blocks), ACT(a_swapped_loader), ACT(a_extents), ACT(a_shut_down),
    ACT(a_checkpoint_of_disk), ACT(a_name_of_disk), ACT(a_disk_without_access), ACT(a_elsewhere_mode),
    ACT(a_elsewhere_time), ACT(a_elsewhere_owner), ACT(a_elsewhere_attribute), ACT(a_elsewhere_by_folder),
    ACT(a_elsewhere_by_task), ACT(a_elsewhere_by_dots), ACT(a_elsewhere_by_device), ACT(a_elsewhere_by_link),
    ACT(a_left_open_time), ACT(a_left_open_mode), ACT(a_left_open_attribute), ACT(a_written_elsewhere),
    ACT(a_loopback_off), ACT(a_route_added), ACT(a_route_removed), ACT(a_address_set), ACT(a_mask_set), ACT(a_size_set),
    ACT(a_queue_set), ACT(a_name_set), ACT(a_neighbour_set), ACT(a_bridge_made), ACT(a_hardware_set), ACT(a_map_set),
    ACT(a_bond_set), ACT(a_mark), ACT(a_forced_room), ACT(a_first_packets), ACT(a_transparent), ACT(a_repair),
    ACT(a_debug), ACT(a_filter_of_machine), ACT(a_router), ACT(a_hears_audit), ACT(a_hears_filters),
    ACT(a_hears_tunnels), ACT(a_tunnel), ACT(a_trace_thread), ACT(a_trace_broker), ACT(a_memory_of_thread),
    ACT(a_memory_of_broker), ACT(a_memory_by_task), ACT(a_signal_broker), ACT(a_signal_broker_of_group),
    ACT(a_clock_of_thread), ACT(a_limit_of_thread), ACT(a_last_breath), ACT(a_timer_of_thread), ACT(a_timer_on_clock),
    ACT(a_secret_memory), ACT(a_queue_of_host), ACT(a_watch_of_mount), ACT(a_permission_of_others),
    ACT(a_namespace_by_file), ACT(a_swap_made), ACT(a_module_from_file),
    ACT(a_requests_of_all),
};

static void *work(void *task) {
    try_all(acts, sizeof acts / sizeof *acts);
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

/* The walks take longer than a launch may. */
static void launch(const lull_launch *launch) { on_thread(work, launch->task); }

FIXTURE(register_all, launch);
