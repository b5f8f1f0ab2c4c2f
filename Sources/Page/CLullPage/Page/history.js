// The past as runs: a line for each under its day and, when it is opened, its events and its output below.

import { get, token } from "./api.js";
import { address } from "./address.js";
import { h, mark, named, quote, shortName, swap, table, unquoted } from "./dom.js";
import { clock, day, exact, span, when } from "./time.js";
import { hidden } from "./token.js";

const opened = new Map();
const endings = { "": "any outcome", failed: "failed", succeeded: "succeeded", running: "under way" };
const askers = { repeat: "its repeat", plugin: "its app", operator: "an operator", event: "an event", push: "a push", transfers: "the end of transfers" };

function asker(run) {
  const who = origin(run);
  return run.attempt > 1 ? [who, `attempt ${run.attempt} of ${run.attempts}`].filter(Boolean).join(", ") : who;
}

function origin(run) {
  if (run.by) return run.by;
  // Most runs begin at their time, which the line shows already.
  if (run.origin === "at") return run.due && clock(run.due) !== clock(run.launched) ? "its time " + clock(run.due) : "its time";
  return askers[run.origin] ?? "";
}

function state(run) { return !run.outcome ? (run.ended ? "quiet" : "open") : run.failed ? "failed" : run.outcome === "succeeded" ? "ran" : "cut"; }

/** Who acted, where the reason does not say it. */
export function author(event) {
  const isSaid = event.event === "launched" && event.request === undefined || event.event === "expired" && event.outcome === "stopped";
  return event.by && !isSaid ? "by " + event.by : "";
}

/** The event's name in words: `notified` also records a notice that was not delivered. */
export function eventName(event) {
  return event.event === "notified" && event.notice?.state !== "delivered" ? "not notified" : event.event.replaceAll("_", " ");
}

/** The notice of an event: of several notices of a run each goes to another sink. */
function notice({ notice: note }) { return note ? `${note.kind} to ${note.sink}${note.state === "held" ? ", held back for a summary" : ""}` : ""; }

/** The last line of its output, or else its reason. */
function said(run) { return run.printed?.at(-1) ?? run.reason ?? ""; }

/** One run in a line, and all of it beneath. `of`: whose task it is need not be said. */
function row(run, of, opens) {
  const word = state(run);
  const place = h("div", { class: "whole" });
  const load = async () => {
    if (run.run === undefined) return swap(place, h("p", {}, run.reason ?? "Nothing more is recorded about it."));
    const known = opened.get(run.run);
    place.replaceChildren(...known?.parts ?? [h("p", { class: "dim" }, "Asking …")]);
    // The details of a run that has ended do not change for a client with the same token.
    if (known?.token === token() && known.ended && known.ended === run.ended) return;
    try {
      const parts = await whole(run);
      opened.set(run.run, { ended: run.ended, token: token(), parts });
      place.replaceChildren(...parts);
    } catch (error) { swap(place, h("p", { class: "bad" }, error.message)); }
  };
  const key = String(run.run ?? "at-" + run.ended);
  const isOpen = opens.has(key);
  const part = h("details", {
    open: isOpen, on: { toggle: () => { opens.toggle(key, part.open); if (part.open && !place.firstChild) load(); } },
  },
  h("summary", { class: "run-line " + word, "data-key": "run-" + key },
    h("span", { class: "began" }, run.launched ? h("time", { datetime: run.launched }, clock(run.launched)) : h("span", { class: "dim" }, "never")),
    h("span", { class: "how " + (word === "failed" ? "bad" : word === "ran" ? "well" : "") }, mark(word), run.outcome ?? (run.ended ? "ended" : "under way")),
    of ? null : named(run.task ? shortName(run.task, run.app) : run.app, { class: "what", title: run.task ?? run.app }),
    h("span", { class: "took dim" }, run.ms === undefined ? "" : span(run.ms)),
    h("span", { class: "who dim" }, asker(run)),
    h("span", { class: "last" }, said(run))),
  place);
  if (isOpen) load();
  return h("li", {}, part);
}

/** The events of a run, where it came from, and what it printed. */
async function whole(run) {
  const { events, origin_words: origin } = await get("/api/runs/" + run.run);
  const rows = events.map((event) => [
    h("time", { datetime: event.time }, exact(event.time)), eventName(event), [notice(event), event.outcome, author(event), unquoted(event.reason)].filter(Boolean).join(": ") || (event.gates ?? []).join(", ")]);
  const frame = (label, name, text) => h("pre", { tabindex: "0", role: "region", "aria-label": label, "data-key": name + run.run }, text);
  return [
    h("p", {}, run.task ? h("a", { href: "#/task/" + run.task, "data-key": "of-" + run.run }, named(run.task)) : named(run.app), " · ",
      h("a", { href: "#/run/" + run.run, "data-key": "link-" + run.run }, "run " + run.run)),
    state(run) === "failed" ? h("p", { class: "bad" }, run.reason ?? run.outcome) : null,
    state(run) === "failed" ? quote(run.printed, run.run) : null,
    table("Events of run " + run.run, ["Time", "Event", "Details"], rows),
    origin ? frame(`Where run ${run.run} came from`, "origin-", origin) : null,
    ...await output(run, frame),
  ].filter(Boolean);
}

async function output(run, frame) {
  if (!token()) return [hidden("run-" + run.run)];
  const place = h("div", {});
  await printed(run, frame, place);
  return [place];
}

/** Its output so far; read again while it runs and the page is visible. */
async function printed(run, frame, place) {
  try {
    const answer = await get(`/api/runs/${run.run}/output`);
    const note = [answer.dropped_bytes ? `${answer.dropped_bytes} bytes were not kept` : "", answer.shared ? "other runs of the app were open: lines may be theirs" : ""]
      .filter(Boolean).join("; ");
    const said = answer.text ? (answer.open ? "It has printed until now:" : "It printed:") : answer.open ? "It has printed nothing yet." : "No output of it is kept.";
    const known = place.querySelector("pre");
    // A text that somebody reads or has marked stays.
    if (known && answer.text) {
      if (known.textContent !== answer.text) known.textContent = answer.text;
    } else {
      place.replaceChildren(...[h("p", { class: "dim" }, said), note ? h("p", { class: "dim" }, note) : null,
        answer.text ? frame(`Output of run ${run.run}`, "pre-", answer.text) : null].filter(Boolean));
    }
    if (answer.open) again(run, frame, place);
  } catch (error) { place.replaceChildren(h("p", { class: "bad" }, error.message)); }
}

function again(run, frame, place) {
  setTimeout(() => {
    if (!place.isConnected) return;
    if (document.visibilityState === "visible") printed(run, frame, place);
    else again(run, frame, place);
  }, 700);
}

/** Runs under their days, and between them the events of the host. */
export function runs(list, opens, of, notes = []) {
  const entries = [
    ...list.map((run) => ({ time: run.launched ?? run.ended, line: () => row(run, of, opens) })),
    ...notes.map((event) => ({ time: event.time, line: () => h("li", { class: "note dim" }, h("time", { datetime: event.time }, clock(event.time)), " ", remark(event)) })),
  ].sort((a, b) => Date.parse(b.time) - Date.parse(a.time));
  const days = new Map();
  for (const entry of entries) days.set(day(entry.time), [...(days.get(day(entry.time)) ?? []), entry]);
  return [...days].map(([name, own]) => h("section", { class: "day", "aria-label": name },
    h(of ? "h3" : "h2", {}, name), h("ul", { class: "plain runs" + (of ? " own" : "") }, own.map((entry) => entry.line()))));
}

function remark(event) {
  if (event.event === "absent") return `${(event.reason ?? "no host ran for " + span(event.ms ?? 0)).replace(/^./, (first) => first.toUpperCase())}.`;
  const what = event.task ?? (event.app === "host" ? "Every task" : event.app);
  const until = event.earliest_begin ? " until " + when(event.earliest_begin) : "";
  return `${what} was ${event.event}${until}${event.by ? " by " + event.by : ""}${event.reason ? ": " + event.reason : ""}.`;
}

/** The page of runs, and the fields that narrow it. */
export function history(answer, notes, status, asked, opens, change) {
  const get = (name) => asked.get(name) ?? "";
  const choice = (name, label, options) => h("label", {}, label, " ", h("select", {
    "data-key": "by-" + name, on: { change: (event) => change({ [name]: event.target.value, until: "" }) },
  }, options.map(([value, words]) => Array.isArray(words)
    ? h("optgroup", { label: value }, words.map(([task, name_]) => h("option", { value: task, selected: task === get(name) }, name_)))
    : h("option", { value, selected: value === get(name) }, words))));
  const tasks = status.app_remarks.map(({ app, names }) => [app, names.map((task) => [task, shortName(task, app)])]);
  const known = tasks.some(([, own]) => own.some(([task]) => task === get("task")));
  const gone = get("task") && !known ? [[get("task"), get("task")]] : [];
  const oldest = answer.runs.at(-1);
  const narrowed = get("task") || get("outcome") || get("text");
  return h("section", { "aria-labelledby": "history-title" },
    h("h1", { id: "history-title" }, "History"),
    h("div", { class: "filters", role: "search" },
      choice("task", "Task", [["", "all tasks"], ...gone, ...tasks]),
      choice("outcome", "Outcome", Object.entries(endings)),
      h("label", {}, "Text ", h("input", {
        type: "search", value: get("text"), autocomplete: "off", spellcheck: "false", maxlength: "200", "data-key": "by-text",
        on: { input: (event) => change({ text: event.target.value, until: "" }) },
      })),
      narrowed ? h("a", { href: "#/history", "data-key": "by-none" }, "Everything") : null),
    h("p", { class: "dim", id: "found" }, answer.runs.length
      ? `${answer.runs.length} run${answer.runs.length === 1 ? "" : "s"}, back to ${when(oldest.launched ?? oldest.ended)}`
      : narrowed ? "No such run here" : "No run has been recorded yet", answer.earlier && !answer.runs.length ? `; looked back to ${when(answer.earlier)}` : "", "."),
    answer.runs.length ? h("p", { class: "run-line head", "aria-hidden": "true" }, ["Began", "Outcome", "Task", "Took", "Asked by", "Said last"].map((word, index) =>
      h("span", { class: ["began", "how", "what", "took", "who", "last"][index] }, word))) : null,
    runs(answer.runs, opens, false, notes),
    h("p", { class: "pages" },
      get("until") ? h("a", { href: address("history", "", { ...Object.fromEntries(asked), until: "", run: "" }), "data-key": "newest" }, "Newest runs") : null, " ",
      answer.earlier ? h("a", { href: address("history", "", { ...Object.fromEntries(asked), until: answer.earlier, run: "" }), "data-key": "earlier" }, "Earlier runs") : null));
}

/** One run by itself: the target of a link. */
export function oneRun(run, opens) {
  return h("article", { "aria-labelledby": "run-title" },
    h("p", { class: "back" }, h("a", { href: "#/history", "data-key": "back" }, "History")),
    h("h1", { id: "run-title" }, "Run " + run.run),
    runs([run], opens, false));
}
