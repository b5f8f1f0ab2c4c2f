/// The test of a plugin in C: a host in miniature.
extension PluginTemplate {
    var cTest: String {
        #"""
        /* A host in miniature: loads the plugin, launches each task, and waits for its end. */
        #define _POSIX_C_SOURCE 200809L
        #include "lull_plugin.h"

        #include <dlfcn.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>

        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
        static int completed, succeeded, registered;

        static int64_t host_now(const lull_host *host) { (void)host; return 0; }
        static void host_log(const lull_host *host, lull_level level, const char *message) {
            (void)host;
            fprintf(stderr, "%d: %s\n", (int)level, message);
        }
        static void host_log_task(const lull_host *host, lull_task task, lull_level level, const char *message) {
            (void)task;
            host_log(host, level, message);
        }
        static bool host_register(const lull_host *host, const char *identifier) {
            (void)host;
            registered += strncmp(identifier, "APP.", strlen("APP.")) == 0;
            return true;
        }
        static void host_set_expiration_handler(const lull_host *host, lull_task task, void *context,
                                                void (*handler)(void *context, lull_task task)) {
            (void)host, (void)task, (void)context, (void)handler;
        }
        static void host_complete(const lull_host *host, lull_task task, bool success) {
            (void)host, (void)task;
            pthread_mutex_lock(&lock);
            completed++;
            succeeded += success;
            pthread_cond_signal(&ended);
            pthread_mutex_unlock(&lock);
        }
        static int64_t host_setting(const lull_host *host, lull_task task, const char *pointer, char *buffer, size_t capacity) {
            (void)host, (void)task;
            const char *value = strcmp(pointer, "/greeting") == 0 ? "Hello" : strcmp(pointer, "/keep_lines") == 0 ? "1" : NULL;
            return value ? snprintf(buffer, capacity, "%s", value) : -1;
        }

        static char folder[] = "/tmp/NAME-XXXXXX";
        static lull_host host = {
            .size = sizeof host,
            .abi_major = LULL_ABI_MAJOR,
            .abi_minor = LULL_ABI_MINOR,
            .version = "a test",
            .now = host_now,
            .log = host_log,
            .register_task = host_register,
            .set_expiration_handler = host_set_expiration_handler,
            .set_task_completed = host_complete,
            .app = "APP",
            .settings = "{}",
            .setting = host_setting,
            .log_task = host_log_task,
        };

        static void expect(bool is_so, const char *what) {
            if (is_so) return;
            fprintf(stderr, "failed: %s\n", what);
            exit(1);
        }

        static void run(const lull_plugin *plugin, lull_task task, const char *identifier) {
            lull_launch launch = {
                .size = sizeof launch, .kind = LULL_KIND_PROCESSING, .task = task, .identifier = identifier,
                .deadline_ns = INT64_MAX, .settings = "{}",
            };
            plugin->launch(&launch);
            pthread_mutex_lock(&lock);
            while (completed < (int)task) pthread_cond_wait(&ended, &lock);
            pthread_mutex_unlock(&lock);
        }

        int main(void) {
            void *library = dlopen("./libNAME.so", RTLD_NOW | RTLD_LOCAL);
            if (!library) fprintf(stderr, "%s\n", dlerror());
            expect(library != NULL, "the plugin is loaded");
            const lull_plugin *plugin = dlsym(library, "lull_plugin_entry");
            expect(plugin && plugin->abi_major == LULL_ABI_MAJOR, "it has an entry");
            host.state_dir = mkdtemp(folder);
            expect(host.state_dir != NULL, "there is a folder for its state");
            expect(plugin->start(&host) == 0 && registered == 2, "it starts, and registers its tasks");
            run(plugin, 1, "APP.greet");
            run(plugin, 2, "APP.greet");
            run(plugin, 3, "APP.tidy");
            expect(succeeded == 3, "all runs succeed");

            char path[64], line[512];
            int lines = 0;
            snprintf(path, sizeof path, "%s/greetings.txt", folder);
            FILE *file = fopen(path, "r");
            expect(file != NULL, "there is a file of greetings");
            while (fgets(line, sizeof line, file)) lines++;
            fclose(file);
            expect(lines == 1 && strstr(line, "Hello"), "one greeting is left");
            remove(path);
            remove(folder);
            puts("NAME: all is well");
            return 0;
        }

        """#
        .replacing("NAME", with: name).replacing("APP", with: app.text)
    }
}
