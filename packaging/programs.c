/* `lull` and the programs that it calls are installed as one file, because they share most of their code. The file name of the
   executed path selects the program. Each is linked with its `main` under a name of its own, as SwiftPM compiles it. */
#include <string.h>
#include <sys/auxv.h>

int lull_main(int, char **);
int lull_page_main(int, char **);
int lull_lab_main(int, char **);
int lull_import_main(int, char **);
int lull_plugin_main(int, char **);

static const struct {
    const char *name;
    int (*main)(int, char **);
} programs[] = {
    {"lull-page", lull_page_main},
    {"lull-lab", lull_lab_main},
    {"lull-import", lull_import_main},
    {"lull-plugin", lull_plugin_main},
};

int main(int argc, char **argv) {
    const char *path = (const char *)getauxval(AT_EXECFN);
    const char *slash = path ? strrchr(path, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof programs / sizeof *programs; i++)
        if (strcmp(slash + 1, programs[i].name) == 0) return programs[i].main(argc, argv);
    return lull_main(argc, argv);
}
