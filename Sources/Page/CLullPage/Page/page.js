// The page: draws the place in the address, and draws it anew whenever the host reports a change.

import { isOpen, narrow, note, place } from "./address.js";
import { get, listen, post, query, Refusal, takeToken, token, useToken } from "./api.js";
import { app } from "./app.js";
import { conditions } from "./conditions.js";
import { h, say, swap } from "./dom.js";
import { fleet } from "./fleet.js";
import { history, oneRun } from "./history.js";
import { night, spans } from "./night.js";
import { keeping, notices, tasks } from "./now.js";
import { task } from "./task.js";
import { setClock, when } from "./time.js";
import { askForToken, setToken } from "./token.js";
import { again, back, whenFree } from "./reader.js";

const main = document.getElementById("main");
let known = new Map();
let drawing = 0;
/** The place that is shown. */
let shown;
let answers = {};

/** The reader's view of a place: all of it is in the address. */
function view() {
  const { asked } = place();
  const find = asked.get("find") ?? "";
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    // With so few tasks nothing has to be folded.
    few: 12, find, isOpen, note,
    span: Object.hasOwn(spans, asked.get("span") ?? "") ? asked.get("span") : "night",
    finds: (name) => words.every((word) => name.toLowerCase().includes(word)),
    look(text) {
      narrow({ find: text });
      render();
      const count = document.querySelectorAll(".night .name").length;
      document.getElementById("count").textContent = text ? `${count} found` : "";
    },
    choose(name) {
      narrow({ span: name });
      draw();
    },
    // The fleet's database does the search.
    seek(text) {
      narrow({ find: text });
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

async function act(path) {
  try {
    say(await post(path));
    refused("");
  } catch (error) {
    if (error.status === 401) {
      refused(token() ? "This is not the token of this page." : "This needs the token.");
      useToken("");
      showToken();
    } else say(error.message, true);
  }
  draw();
}

/** Shows a refusal beside the field that mends it, and never over it. */
function refused(sentence) {
  document.getElementById("token-said").textContent = sentence;
  if (sentence) askForToken();
}

/** The timeline of the span that is asked for; until a whole night is known, the last 24 hours in the place of the night. */
async function timeline() {
  const { span } = view();
  const first = await get("/api/timeline?span=" + span);
  if (place().asked.has("span") || !first.begins || Date.parse(first.begins) <= Date.parse(first.from)) return { timeline: first, span };
  return { timeline: await get("/api/timeline?span=day"), span: "day" };
}

// For each place the questions to the host, and how the answers are drawn.
const pages = {
  "": {
    ask: timeline,
    draw: (status, { timeline, span }) => {
      const own = { ...view(), span };
      return [keeping(status), night(timeline, status, own), tasks(status, own, act)];
    },
  },
  task: {
    ask: async (id, status) => {
      if (!status.tasks.some((one) => one.task === id)) throw new Refusal(404, `The manifest has no task ${id}.`);
      const name = encodeURIComponent(id);
      const [why, past, runs, events] = await Promise.all([
        get("/api/tasks/" + name), timeline(), get(`/api/runs?task=${name}&limit=30`), get(`/api/history?task=${name}&limit=60`)]);
      return { why, ...past, runs: runs.runs, events: events.events };
    },
    draw: (status, { why, timeline, span, runs, events }, id) => {
      const lane = timeline.lanes.find((one) => one.task === id) ?? { stretches: [], runs: [], summary: "Nothing is known about it." };
      return [task(why, status, lane, timeline, runs, events, { ...view(), span }, opens(), act)];
    },
  },
  app: {
    ask: async (id, status) => {
      if (!status.apps.some((one) => one.app === id)) throw new Refusal(404, `The manifest has no app ${id}.`);
      const path = `/api/apps/${encodeURIComponent(id)}`;
      const [forecast, transfers] = await Promise.all([get(`${path}/forecast`), get(`${path}/transfers`)]);
      return { forecast, transfers };
    },
    draw: (status, { forecast, transfers }) => [app(forecast, transfers, status, act)],
  },
  conditions: {
    ask: async (_, status) => {
      const since = new Date(Date.parse(status.time) - 7 * 86400000).toISOString();
      return { events: (await get(`/api/history?event=conditions,absent&since=${since}&limit=2000`)).events };
    },
    draw: (status, { events }) => [conditions(status, events)],
  },
  fleet: {
    ask: async () => {
      const { span, find } = view();
      return get("/api/fleet?" + query({ span, find }));
    },
    draw: (status, grid) => [fleet(grid, status, view())],
  },
  history: {
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

/** Announces runs that ended since the last look, once. */
function tell(status) {
  const fresh = new Map(status.tasks.filter((one) => one.last_run?.outcome).map((one) => [one.task, one.last_run]));
  const ended = [...fresh].filter(([name, run]) => known.size && known.get(name)?.run !== run.run);
  const bad = ended.filter(([name]) => status.tasks.find((one) => one.task === name)?.failing);
  const [name, run] = bad[0] ?? ended[0] ?? [];
  // With many tasks, runs end all the time: then only failures are announced.
  if (name && (bad.length || status.tasks.length <= view().few)) say(`${name}: run ${run.run ?? ""} ${run.outcome}.` + (ended.length > 1 ? ` ${ended.length - 1} more ended.` : ""), bad.length > 0);
  known = fresh;
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
  const turn = ++drawing;
  const { name, id } = place();
  try {
    const status = await get("/api/status");
    setClock(status.zone, status.offset_s, status.time);
    setToken(status);
    document.getElementById("host").textContent = status.host;
    document.getElementById("fleet-link").hidden = !status.fleet;
    document.getElementById("version").textContent = "Lull " + status.version;
    const own = await page(name).ask(id, status);
    if (turn !== drawing) return;
    if (status.history_trouble && !answers.status?.history_trouble) say(status.history_trouble.replaceAll("`", ""), true);
    answers = { status, own, place: name + "/" + id };
    whenFree(() => {
      if (turn !== drawing) return;
      render();
      arrived();
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
function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(draw, 250);
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
listen(soon, (isListening) => {
  const link = document.getElementById("link");
  link.textContent = isListening ? "live" : "not connected";
  link.classList.toggle("live", isListening);
});
