// A plugin in C++17: it registers what is permitted and completes each launch on a thread of its own.
#include "lull_plugin.h"

#include <string>
#include <thread>

namespace {

const lull_host *host;

std::int32_t start(const lull_host *given) {
    host = given;
    for (int index = 0;; index++) {
        char name[256];
        const std::string pointer = "/lull/permitted/" + std::to_string(index);
        if (host->setting(host, 0, pointer.c_str(), name, sizeof name) < 0) return 0;
        host->register_task(host, name);
    }
}

void launch(const lull_launch *launch) {
    std::thread([task = launch->task] {
        host->log(host, LULL_INFO, "hello from C++");
        host->set_task_completed(host, task, true);
    }).detach();
}

} // namespace

const lull_plugin lull_plugin_entry = {sizeof(lull_plugin), LULL_ABI_MAJOR, LULL_ABI_MINOR, "c++", start, launch, nullptr};
