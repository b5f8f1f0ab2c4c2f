/*
 * A third attack: acts that neither `Outreach.c` nor `Attack.c` tries. The result of each act is in `results` in the app's folder. Acts that
 * begin with `n_` are ways off the machine.
 */
#define _GNU_SOURCE
#include "assault_kernel.h"


static const struct act acts[] = {
    ACT(a_mode_of_temporaries), ACT(a_mode_by_descriptor), ACT(a_mode_by_parent), ACT(a_owner_of_temporaries),
    ACT(a_attribute_of_temporaries), ACT(a_temporaries_removed), ACT(a_parent_folder), ACT(a_parent_removed),
    ACT(a_own_folder_given), ACT(a_own_folder_moved), ACT(a_own_folder_removed), ACT(a_root_in_proc), ACT(a_supervisors_folder), ACT(a_through_many),
    ACT(a_link_to_descriptor), ACT(a_owner_unchanged), ACT(a_mode_with_flags), ACT(a_own_rights),
    ACT(a_own_rights_hidden), ACT(a_node_with_rights), ACT(a_unnamed_with_rights), ACT(a_capability_of_own),
    ACT(a_attribute_too_long), ACT(a_doors), ACT(a_subvolume), ACT(a_any_file), ACT(a_any_of_machine),
    ACT(a_any_device), ACT(a_any_of_state), ACT(a_any_setting), ACT(a_any_secret_device),
    ACT(a_signal_by_peer), ACT(a_signal_by_folder), ACT(a_signal_by_task), ACT(a_signal_of_thread),
    ACT(a_signal_supervisor_by_folder), ACT(a_signal_of_stranger), ACT(a_signal_with_value), ACT(a_signal_by_tkill),
    ACT(a_signal_least), ACT(a_namespace_of_host), ACT(a_namespace_by_descriptor), ACT(a_share_core), ACT(a_make_core),
    ACT(a_priority_of_user), ACT(a_priority_of_group), ACT(a_disk_of_user), ACT(a_disk_of_group), ACT(a_doomed),
    ACT(a_doomed_in_old), ACT(a_slack), ACT(a_statistics), ACT(a_label), ACT(a_login), ACT(a_map_of_users), ACT(a_stack),
    ACT(a_call), ACT(a_usage), ACT(a_pages), ACT(a_nodes), ACT(a_personality), ACT(a_mapped_files), ACT(a_positions),
    ACT(a_any_process), ACT(a_brother), ACT(a_capable), ACT(a_ambient), ACT(a_bounded), ACT(a_new_privileges),
    ACT(a_root_again), ACT(a_group_of_root), ACT(a_files_as_root), ACT(a_left_open), ACT(a_surroundings),
    ACT(a_route), ACT(a_rule), ACT(a_address), ACT(a_queue), ACT(a_neighbour), ACT(a_packet_filter),
    ACT(a_connection_ended), ACT(a_forged_route), ACT(a_forged_event), ACT(a_forged_to_all), ACT(a_poisoned_page),
    ACT(a_page_offline), ACT(a_locked_memory), ACT(a_low_memory), ACT(a_layout), ACT(a_flusher), ACT(a_dumps_nothing),
    ACT(a_old_calls), ACT(a_beat), ACT(a_domain_name), ACT(a_shared_keys), ACT(a_crypto_accelerator),
    ACT(n_virtual_machine), ACT(n_cluster), ACT(n_cluster_pair), ACT(n_bus_of_cars), ACT(n_radio), ACT(n_express),
    ACT(n_shared_memory), ACT(n_many_paths), ACT(n_first_data),
    /* Leaves its folder. */
    ACT(a_mode_by_dot),
};

static void *work(void *task) {
    try_all(acts, sizeof acts / sizeof *acts);
    the_host->set_task_completed(the_host, (lull_task)(uintptr_t)task, true);
    return NULL;
}

/* The walks take longer than a launch may. */
static void launch(const lull_launch *launch) { on_thread(work, launch->task); }

FIXTURE(register_all, launch);
