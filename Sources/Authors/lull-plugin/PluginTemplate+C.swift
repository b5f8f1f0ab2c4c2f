/// A plugin in C: one file, and a test that is a host in miniature.
extension PluginTemplate {
    var cFiles: [(path: String, text: String)] {
        [("Makefile", makefile), ("\(name).c", cSource), ("\(name)Tests.c", cTest)]
    }

    private var makefile: String {
        """
        # Where lull_plugin.h is: LULL_INCLUDE, or what pkg-config knows, or where it was when this folder was made.
        LULL_INCLUDE ?= $(shell pkg-config --variable=includedir lull 2>/dev/null || echo '\(include)')
        CFLAGS ?= -O2 -g
        ALL_CFLAGS = -std=c17 -Wall -Wextra -pthread -I '$(LULL_INCLUDE)' $(CFLAGS)

        .PHONY: all test clean

        all: lib\(name).so

        # Hidden, so that nothing is exported but what the header exports: lull_plugin_entry.
        lib\(name).so: \(name).c
        \t$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -shared $(LDFLAGS) -o $@ $<

        test: lib\(name).so \(name)Tests
        \t./\(name)Tests

        \(name)Tests: \(name)Tests.c
        \t$(CC) $(ALL_CFLAGS) -o $@ $< -ldl

        clean:
        \trm -f lib\(name).so \(name)Tests

        """
    }

    private var cSource: String {
        #"""
        /*
         * NAME: `greet` adds a line to a file in the app's state folder, `tidy` shortens the file.
         *
         * Each run has a thread of its own; `launch` and the expiration handlers return at once.
         */
        #define _POSIX_C_SOURCE 200809L
        #include "lull_plugin.h"

        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>

        /* What the app's settings in jobs.yaml may be: `lull check` and editors read it from the library's file. */
        LULL_SETTINGS_SCHEMA({
          "lull_settings": 1,
          "app": {
            "type": "object",
            "additionalProperties": false,
            "required": ["greeting"],
            "properties": {
              "greeting": {
                "type": "string", "minLength": 1, "maxLength": 400, "description": "What each line says", "examples": ["Hello"]
              },
              "keep_lines": {
                "type": "integer", "minimum": 1, "maximum": 1000000, "description": "How many lines tidy leaves", "default": 100
              }
            }
          },
          "task": { "type": "object", "additionalProperties": false }
        });

        enum { LINE_BYTES = 512, PATH_BYTES = 4096 };

        static const lull_host *host;
        static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;

        /* The handlers, and the run of each that has expired. A task runs once at a time; the number tells runs apart, so
           that a handler that comes late does not stop the next run. */
        static bool greet(lull_task task, const char *path);
        static bool tidy(lull_task task, const char *path);
        static struct handler {
            const char *identifier;
            bool (*work)(lull_task task, const char *path);
            _Atomic lull_task running, expired;
        } handlers[] = {
            {"APP.greet", greet, 0, 0},
            {"APP.tidy", tidy, 0, 0},
        };
        enum { HANDLERS = sizeof handlers / sizeof *handlers };

        static bool has_expired(lull_task task) {
            for (int i = 0; i < HANDLERS; i++) {
                if (atomic_load(&handlers[i].expired) == task) return true;
            }
            return false;
        }

        static bool greet(lull_task task, const char *path) {
            char greeting[LINE_BYTES - 64], when[32];
            int64_t length = host->setting(host, 0, "/greeting", greeting, sizeof greeting);
            if (length < 0 || length >= (int64_t)sizeof greeting) {
                host->log_task(host, task, LULL_ERROR, "The setting greeting is missing or too long.");
                return false;
            }
            time_t now = time(NULL);
            struct tm parts;
            strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
            FILE *file = fopen(path, "a");
            if (!file) return false;
            /* One write of one short line: it is there, or it is not. */
            bool is_written = fprintf(file, "%s %s\n", when, greeting) > 0;
            return fclose(file) == 0 && is_written;
        }

        static bool tidy(lull_task task, const char *path) {
            char keep[16], line[LINE_BYTES], new_path[PATH_BYTES + 8];
            long most = host->setting(host, 0, "/keep_lines", keep, sizeof keep) > 0 ? strtol(keep, NULL, 10) : 100;
            FILE *file = fopen(path, "r");
            if (!file) return true; /* nothing to shorten yet */
            long count = 0, skip, index = 0;
            while (fgets(line, sizeof line, file)) count++;
            skip = count > most ? count - most : 0;
            rewind(file);
            snprintf(new_path, sizeof new_path, "%s.new", path);
            FILE *shorter = fopen(new_path, "w");
            bool is_whole = shorter != NULL;
            while (is_whole && fgets(line, sizeof line, file)) {
                if (index++ >= skip) is_whole = fputs(line, shorter) >= 0;
                if (has_expired(task)) is_whole = false;
            }
            fclose(file);
            if (shorter && fclose(shorter) != 0) is_whole = false;
            /* All or nothing: the process may be killed at any moment. */
            if (is_whole) is_whole = rename(new_path, path) == 0;
            else remove(new_path);
            return is_whole;
        }

        static void expire(void *context, lull_task task) {
            atomic_store(&((struct handler *)context)->expired, task);
        }

        static void *run(void *context) {
            struct handler *handler = context;
            lull_task task = atomic_load(&handler->running);
            char path[PATH_BYTES];
            snprintf(path, sizeof path, "%s/greetings.txt", host->state_dir);
            pthread_mutex_lock(&file_lock);
            bool success = !has_expired(task) && handler->work(task, path);
            pthread_mutex_unlock(&file_lock);
            host->set_task_completed(host, task, success);
            return NULL;
        }

        /* On the control thread: begin, and return at once. */
        static void launch(const lull_launch *launch) {
            for (int i = 0; i < HANDLERS; i++) {
                if (strcmp(launch->identifier, handlers[i].identifier) != 0) continue;
                pthread_t thread;
                atomic_store(&handlers[i].running, launch->task);
                host->set_expiration_handler(host, launch->task, &handlers[i], expire);
                if (pthread_create(&thread, NULL, run, &handlers[i]) == 0) {
                    pthread_detach(thread);
                    return;
                }
            }
            host->set_task_completed(host, launch->task, false);
        }

        static int32_t start(const lull_host *given) {
            host = given;
            for (int i = 0; i < HANDLERS; i++) {
                if (!host->register_task(host, handlers[i].identifier)) {
                    host->log(host, LULL_WARNING, "A task of this plugin is not permitted in jobs.yaml.");
                }
            }
            return 0;
        }

        const lull_plugin lull_plugin_entry = {
            .size = sizeof(lull_plugin),
            .abi_major = LULL_ABI_MAJOR,
            .abi_minor = LULL_ABI_MINOR,
            .sdk = "c",
            .start = start,
            .launch = launch,
        };

        """#
        .replacing("NAME", with: name).replacing("APP", with: app.text)
    }
}
