// The page: draws the place in the address, and draws it anew whenever the host reports a change.

import { isOpen, narrow, note, place } from "./address.js";
import { get, listen, post, query, Refusal, taken, takeToken, token, useToken } from "./api.js";
import { app } from "./app.js";
import { conditions } from "./conditions.js";
import { h, say, swap } from "./dom.js";
import { fleet } from "./fleet.js";
import { history, oneRun } from "./history.js";
import { night, spans } from "./night.js";
import { keeping, notices, tasks } from "./now.js";
import { task } from "./task.js";
import { setClock, when } from "./time.js";
import { picked } from "./picked.js";
import { askForToken, setToken } from "./token.js";
import { again, back, whenFree } from "./reader.js";

const main = document.getElementById("main");
/** The time of the last answer: runs that ended since are announced. */
let known;
let drawing = 0;
/** The place that is shown. */
let shown;
let answers = {};

/** The reader's view of a place: all of it is in the address. */
function view() {
  const { asked } = place();
  const find = asked.get("find") ?? "";
  return {
    few, find, isOpen, changed: render,
    sort: asked.get("sort") ?? "",
    sortBy(key) { narrow({ sort: key }); render(); },
    // What is folded was not asked for.
    note(key, open, usually) { if (note(key, open, usually) && open) draw(); },
    more: asked.has("more"), showMore() { narrow({ more: "1" }); draw(); },
    span: Object.hasOwn(spans, asked.get("span") ?? "") ? asked.get("span") : "night",
    choose(name) {
      narrow({ span: name });
      draw();
    },
    look(text) {
      narrow({ find: text, more: "" });
      soon();
    },
  };
}

/** The runs that are opened. */
function opens() {
  const keys = new Set((place().asked.get("run") ?? "").split(",").filter(Boolean));
  return {
    has: (key) => keys.has(key),
    toggle(key, open) {
      if (keys.has(key) === open) return;
      if (open) keys.add(key);
      else keys.delete(key);
      narrow({ run: [...keys].join(",") });
    },
  };
}

/** Sends orders one after the other, and says what became of them. */
async function act(...paths) {
  let said = "";
  const refusals = [];
  for (const path of paths) {
    try {
      said = await post(path);
      refused("");
    } catch (error) {
      if (error.status === 401) {
        refused(token() ? "This is not the token of this page." : "This needs the token.");
        useToken("");
        showToken();
        return draw();
      }
      refusals.push(error.message);
    }
  }
  const done = paths.length - refusals.length;
  if (paths.length > 1) said = refusals.length ? `Done for ${done} of ${paths.length} tasks. The first refusal: ${refusals[0]}` : `Done for ${done} tasks.`;
  say(refusals.length && paths.length === 1 ? refusals[0] : said, refusals.length > 0);
  draw();
}

/** Shows a refusal beside the field that mends it, and never over it. */
function refused(sentence) {
  document.getElementById("token-said").textContent = sentence;
  if (sentence) askForToken();
}

/** A part of the timeline of the span that is asked for; until a whole night is known, the last 24 hours in the place of the night. */
async function timeline(part) {
  const { span } = view();
  const first = await get("/api/timeline?" + query({ span, ...part }));
  if (place().asked.has("span") || !first.begins || Date.parse(first.begins) <= Date.parse(first.from)) return { timeline: first, span };
  return { timeline: await get("/api/timeline?" + query({ span: "day", ...part })), span: "day" };
}

// With so few tasks nothing has to be folded; of more than these, a part is listed.
const few = 12, some = 20, most = 200;

/** The lanes of the overview: without those that are folded. */
function lanes() {
  const { find, more } = view();
  const limit = more ? most : some;
  return find ? { find, limit } : { limit, fold: ["ran", "quiet"].filter((group) => !isOpen("night-" + group, false)).join(",") };
}

/** The tasks of the overview: those of the open apps. */
async function listed() {
  const { find, more } = view();
  const limit = more ? most : 5 * some;
  if (find) return get("/api/status?" + query({ find, limit }));
  const open = (place().asked.get("open") ?? "").split(",").filter((key) => /^[\w.-]+\.[\w.-]+$/.test(key)).join(",");
  if (open) return get("/api/status?" + query({ app: open, limit }));
  const status = await get("/api/status?limit=" + few);
  return status.apps.length === 1 && status.left_out_count ? get("/api/status?limit=" + limit) : status;
}

const host = () => get("/api/status?limit=1");

// For each place the questions to the host, and how the answers are drawn.
const pages = {
  "": {
    status: listed,
    ask: () => timeline(lanes()),
    draw: (status, { timeline, span }) => {
      const own = { ...view(), span };
      const found = Object.values(timeline.found_counts).reduce((sum, count) => sum + count, 0);
      document.getElementById("count").textContent = own.find ? `${found} found` : "";
      return [keeping(status), night(timeline, status, own), tasks(status, own, act), picked(act, render)];
    },
  },
  task: {
    status: (id) => get("/api/status?" + query({ task: id })),
    ask: async (id, status) => {
      if (!status.tasks.some((one) => one.task === id)) throw new Refusal(404, `The manifest has no task ${id}.`);
      const name = encodeURIComponent(id);
      const [why, past, runs, events] = await Promise.all([
        get("/api/tasks/" + name), timeline({ task: id }), get(`/api/runs?task=${name}&limit=30`), get(`/api/history?task=${name}&limit=60`)]);
      return { why, ...past, runs: runs.runs, events: events.events };
    },
    draw: (status, { why, timeline, span, runs, events }, id) => {
      const lane = timeline.lanes.find((one) => one.task === id) ?? { stretches: [], runs: [], summary: "Nothing is known about it." };
      return [task(why, status, lane, timeline, runs, events, { ...view(), span }, opens(), act)];
    },
  },
  app: {
    status: (id) => get("/api/status?" + query({ app: id, limit: most })),
    ask: async (id, status) => {
      if (!status.apps.some((one) => one.app === id)) throw new Refusal(404, `The manifest has no app ${id}.`);
      const path = `/api/apps/${encodeURIComponent(id)}`;
      const [forecast, transfers] = await Promise.all([get(`${path}/forecast`), get(`${path}/transfers`)]);
      return { forecast, transfers };
    },
    draw: (status, { forecast, transfers }) => [app(forecast, transfers, status, act)],
  },
  conditions: {
    status: host,
    ask: async (_, status) => {
      const since = new Date(Date.parse(status.time) - 7 * 86400000).toISOString();
      return { events: (await get(`/api/history?event=conditions,absent&since=${since}&limit=2000`)).events };
    },
    draw: (status, { events }) => [conditions(status, events)],
  },
  fleet: {
    status: host,
    ask: async () => {
      const { span, find } = view();
      return get("/api/fleet?" + query({ span, find }));
    },
    draw: (status, grid) => [fleet(grid, status, view())],
  },
  history: {
    status: () => get("/api/status?limit=1&names=true"),
    ask: async () => {
      const { asked } = place();
      const narrowed = ["task", "outcome", "text", "until"].filter((name) => asked.get(name)).map((name) => [name, asked.get(name)]);
      const answer = await get("/api/runs?" + query(narrowed));
      const oldest = answer.runs.map((run) => run.launched ?? run.ended).sort()[0];
      // Pauses and absences stand beside the runs, unless a filter leaves runs out.
      const isWhole = !["task", "outcome", "text"].some((name) => asked.get(name));
      const until = asked.get("until") ? "&until=" + encodeURIComponent(asked.get("until")) : "";
      const notes = isWhole && oldest ? (await get(`/api/history?event=paused,resumed,absent&limit=100&since=${oldest}${until}`)).events : [];
      return { answer, notes };
    },
    draw: (status, { answer, notes }) => [history(answer, notes, status, place().asked, opens(), (changes) => { narrow({ ...changes, run: "" }); soon(); })],
  },
  run: {
    status: host,
    ask: async (id) => {
      const { events } = await get("/api/runs/" + encodeURIComponent(id));
      const task = events.find((event) => event.task)?.task;
      const last = events.at(-1).time;
      // Its row as the list has it; what began before its newest event is no later than that.
      const until = new Date(Date.parse(last) + 1).toISOString();
      const { runs } = await get(`/api/runs?limit=200&until=${until}` + (task ? "&task=" + encodeURIComponent(task) : ""));
      return { run: runs.find((run) => String(run.run) === id) ?? { run: Number(id), app: events[0].app, task, ended: last } };
    },
    draw: (_, { run }, id) => [oneRun(run, { has: () => true, toggle: () => {} }, id)],
  },
};

const page = (name) => pages[Object.hasOwn(pages, name) ? name : ""];

/** Announces the run that ended last since the last look, once. */
function tell(status) {
  const ended = status.latest.filter((one) => known && Date.parse(one.ended) > known);
  const one = ended.find((one) => one.failing) ?? ended[0];
  const isFew = status.app_remarks.reduce((sum, app) => sum + app.task_count, 0) <= few;
  // With many tasks, runs end all the time: then only failures are announced.
  if (one && (one.failing || isFew)) say(`${one.task}: run ${one.run} ${one.outcome}.`, one.failing);
  known = Date.parse(status.time);
}

/** Draws the last answers again: for changes of the view that need no new answers. */
function render() {
  const { name, id } = place();
  if (!answers.status || answers.place !== name + "/" + id) return;
  main.removeAttribute("aria-busy");
  shown = answers.place;
  swap(main, answers.trouble ? stale() : null, notices(answers.status, act), page(name).draw(answers.status, answers.own, id));
  document.title = `${id || { conditions: "Conditions", history: "History", fleet: "Fleet" }[name] || "Overview"} – ${answers.status.host} – Lull`;
}

/** The last answers, while the host does not answer: better than an empty page. */
function stale() {
  return h("p", { class: "notice trouble", role: "note" }, answers.trouble, ` This is how it was at ${when(answers.status.time)}; the page asks again until it answers.`);
}

/** Nothing was ever answered for this place, or there is no such thing any more. */
function trouble(error, name, id) {
  const isGone = error.status === 404;
  const title = { 401: "Needs the token", 404: "Not here" }[error.status] ?? "No answer";
  const next = error.status === 401 ? "Enter it below." : isGone ? "" : "The page asks again until it answers.";
  swap(main, h("h1", {}, title), h("p", { class: "bad" }, error.message), next ? h("p", {}, next) : null,
    isGone ? h("p", {}, h("a", { href: "#/" }, "Overview"), name === "task" ? [" · ", h("a", { href: "#/history?task=" + encodeURIComponent(id) }, "Its runs so far")] : null) : null);
  shown = name + "/" + id;
  document.title = title + " – Lull";
  main.removeAttribute("aria-busy");
}

async function draw() {
  underWay += 1;
  try { await drawOnce(); }
  finally {
    underWay -= 1;
    if (isBehind && !underWay) later();
  }
}

async function drawOnce() {
  const turn = ++drawing;
  const { name, id } = place();
  const { find } = view();
  const began = performance.now();
  try {
    const status = await page(name).status(id);
    setClock(status.zone, status.offset_s, status.time);
    setToken(status);
    document.getElementById("host").textContent = status.host;
    document.getElementById("fleet-link").hidden = !status.fleet;
    document.getElementById("version").textContent = "Lull " + status.version;
    const own = await page(name).ask(id, status);
    // What was found under other words would be drawn as if it were all; it is asked for anew already.
    if (turn !== drawing || find !== view().find) return;
    if (status.history_trouble && !answers.status?.history_trouble) say(status.history_trouble.replaceAll("`", ""), true);
    answers = { status, own, place: name + "/" + id };
    const asking = performance.now() - began;
    // The reader may hold the page for long.
    whenFree(() => {
      if (turn !== drawing) return;
      const free = performance.now();
      render();
      arrived();
      pause = Math.min(15000, Math.max(250, 4 * (asking + performance.now() - free), taken() / 15));
    });
    tell(status);
  } catch (error) {
    if (turn !== drawing) return;
    if (answers.place === name + "/" + id && error.status !== 404 && error.status !== 401) {
      // Announced once, and not at each new attempt.
      if (!answers.trouble) say(error.message, true);
      answers.trouble = error.message;
      render();
    } else {
      answers = {};
      trouble(error, name, id);
    }
    arrived();
  }
}

/** The rest of the work once the place is shown, whichever of several drawings has shown it. */
let arrival = again;
function arrived() {
  arrival?.();
  arrival = undefined;
}

/** Of a place that was asked for and is not answered yet. */
function wait() {
  setTimeout(() => {
    if (shown === place().name + "/" + place().id) return;
    main.setAttribute("aria-busy", "true");
    swap(main, h("p", { class: "dim" }, "Asking the host …"));
  }, 400);
}

let waiting;
/** What the reader changes is drawn soon. */
function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(draw, 120);
}

/** How long changes of the host wait, so that neither they nor this page take more than a share: a fifth of the time, and 15 bytes each ms; 15 s at most. */
let pause = 250;
let changing;
/** The drawings under way: a change never takes the place of one, for then a busy host would not be drawn at all. */
let underWay = 0;
let isBehind = false;
function later() {
  isBehind = false;
  changing ??= setTimeout(() => {
    changing = undefined;
    if (underWay) isBehind = true;
    else draw();
  }, pause);
}

document.getElementById("token-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = document.getElementById("token");
  useToken(field.value);
  field.value = "";
  await act("/api/token");
  showToken();
});

function showToken() { document.getElementById("token-form").classList.toggle("has", token() !== ""); }

addEventListener("hashchange", () => {
  takeToken();
  showToken();
  say("");
  arrival = () => back(main);
  draw();
  wait();
});
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
// Spans such as "3 min ago" go on without a change.
setInterval(() => { if (document.visibilityState === "visible") soon(); }, 30000);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") soon(); });

takeToken();
showToken();
swap(main, h("p", { class: "dim" }, "Asking the host …"));
document.getElementById("link").textContent = "connecting …";
draw();
listen(later, (isListening) => {
  const link = document.getElementById("link");
  link.textContent = isListening ? "live" : "not connected";
  link.classList.toggle("live", isListening);
});
