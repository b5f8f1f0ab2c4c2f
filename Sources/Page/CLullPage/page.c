#include "lull_page.h"

static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char style_css[] = {
#embed "Page/style.css"
};
static const unsigned char address_js[] = {
#embed "Page/address.js"
};
static const unsigned char api_js[] = {
#embed "Page/api.js"
};
static const unsigned char app_js[] = {
#embed "Page/app.js"
};
static const unsigned char buttons_js[] = {
#embed "Page/buttons.js"
};
static const unsigned char conditions_js[] = {
#embed "Page/conditions.js"
};
static const unsigned char dom_js[] = {
#embed "Page/dom.js"
};
static const unsigned char fleet_js[] = {
#embed "Page/fleet.js"
};
static const unsigned char history_js[] = {
#embed "Page/history.js"
};
static const unsigned char night_js[] = {
#embed "Page/night.js"
};
static const unsigned char now_js[] = {
#embed "Page/now.js"
};
static const unsigned char page_js[] = {
#embed "Page/page.js"
};
static const unsigned char params_js[] = {
#embed "Page/params.js"
};
static const unsigned char picked_js[] = {
#embed "Page/picked.js"
};
static const unsigned char reader_js[] = {
#embed "Page/reader.js"
};
static const unsigned char task_js[] = {
#embed "Page/task.js"
};
static const unsigned char time_js[] = {
#embed "Page/time.js"
};
static const unsigned char token_js[] = {
#embed "Page/token.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const lull_page_file files[] = {
    FILE("index.html", index_html),
    FILE("style.css", style_css),
    FILE("address.js", address_js),
    FILE("api.js", api_js),
    FILE("app.js", app_js),
    FILE("buttons.js", buttons_js),
    FILE("conditions.js", conditions_js),
    FILE("dom.js", dom_js),
    FILE("fleet.js", fleet_js),
    FILE("history.js", history_js),
    FILE("night.js", night_js),
    FILE("now.js", now_js),
    FILE("page.js", page_js),
    FILE("params.js", params_js),
    FILE("picked.js", picked_js),
    FILE("reader.js", reader_js),
    FILE("task.js", task_js),
    FILE("time.js", time_js),
    FILE("token.js", token_js),
};

const lull_page_file *lull_page_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
