// The page: what the address asks for is drawn, and drawn anew whenever the host says that something has changed.

import { get, listen, post, takeToken, token, useToken } from "./api.js";
import { app } from "./app.js";
import { h, say, swap, table } from "./dom.js";
import { night } from "./night.js";
import { apps, conditions, notice, readings, tasks } from "./now.js";
import { task } from "./task.js";
import { setZone, when } from "./time.js";

const main = document.getElementById("main");
let span = sessionStorage.getItem("lull-span") ?? "night";
let known = new Map();
let drawing = 0;

/** What stands behind the #: overview, task/ID, app/ID, conditions or history. */
function place() {
  const [, name = "", id = ""] = location.hash.replace(/^#/, "").split("/");
  return { name, id: decodeURIComponent(id) };
}

function choose(name) {
  span = name;
  sessionStorage.setItem("lull-span", name);
  draw();
}

async function act(path) {
  try {
    say(await post(path));
  } catch (error) {
    say(error.message, true);
    if (error.status === 401) document.getElementById("token").focus();
  }
  draw();
}

const pages = {
  async ""(status) {
    const timeline = await get("/api/timeline?span=" + span);
    return [readings(status), night(timeline, status, span, choose), tasks(status), apps(status, act)];
  },
  async task(status, id) {
    const [why, timeline, history] = await Promise.all([
      get("/api/tasks/" + id), get("/api/timeline?span=" + span), get(`/api/history?task=${id}&limit=300`)]);
    const lane = timeline.lanes.find((one) => one.task === id) ?? { stretches: [], runs: [], summary: "Nothing is known of it." };
    return [task(why, status, lane, timeline, history.events, span, choose, act)];
  },
  async app(status, id) { return [app(await get(`/api/apps/${id}/forecast`), status, act)]; },
  async conditions(status) {
    const since = new Date(Date.parse(status.time) - 7 * 86400000).toISOString();
    const history = await get(`/api/history?event=conditions,absent&since=${since}&limit=2000`);
    return [conditions(status, history.events)];
  },
  async history() {
    const { events } = await get("/api/history?limit=200");
    const rows = events.reverse().map((event) => [
      h("time", { datetime: event.time }, when(event.time)), event.event,
      event.task ? h("a", { href: "#/task/" + event.task }, event.task) : event.app, event.run ?? "", event.reason ?? event.outcome ?? ""]);
    return [h("h1", {}, "History"), rows.length ? table("The last 200 events, the newest first", ["Time", "Event", "Of", "Run", "Details"], rows)
      : h("p", {}, "Nothing has been recorded yet.")];
  },
};

/** Runs that ended since the last look are told of, once. */
function tell(status) {
  const fresh = new Map(status.tasks.filter((one) => one.last_run?.outcome).map((one) => [one.task, one.last_run]));
  for (const [name, run] of fresh) {
    const before = known.get(name);
    if (known.size && before?.run !== run.run) say(`${name}: run ${run.run ?? ""} ${run.outcome}.`, run.outcome !== "succeeded");
  }
  known = fresh;
}

async function draw() {
  const turn = ++drawing;
  const { name, id } = place();
  try {
    const status = await get("/api/status");
    setZone(status.zone, status.offset);
    document.getElementById("host").textContent = status.host;
    document.getElementById("version").textContent = "Lull " + status.version;
    const parts = await (pages[name] ?? pages[""])(status, id);
    if (turn !== drawing) return;
    swap(main, notice(status), parts);
    document.title = (id || { conditions: "Conditions", history: "History" }[name] || "Overview") + " – Lull";
    tell(status);
  } catch (error) {
    if (turn !== drawing) return;
    swap(main, h("h1", {}, "No answer"), h("p", { class: "bad" }, error.message), error.status === 401
      ? h("p", {}, "Give the token below.") : h("p", {}, "It is asked again as soon as it answers."));
  }
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

addEventListener("hashchange", async () => {
  takeToken();
  showToken();
  await draw();
  // As a new page would: the reader begins at the content, not where it stood.
  main.focus();
  scrollTo(0, 0);
});
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
// Spans such as "3 min ago" go on without a change.
setInterval(() => { if (document.visibilityState === "visible") soon(); }, 30000);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") soon(); });

takeToken();
showToken();
draw();
listen(soon, (isListening) => {
  const link = document.getElementById("link");
  link.textContent = isListening ? "live" : "not connected";
  link.classList.toggle("live", isListening);
});
