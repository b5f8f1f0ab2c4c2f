// The fleet: hosts as rows, tasks as lanes, failures first. Of a thousand hosts those with trouble have a row.

import { finder, h, mark, named, prose, table } from "./dom.js";
import { choice } from "./night.js";
import { when } from "./time.js";

const states = { silent: "silent", draining: "draining", stopped: "stopped", lives: "live", gone: "left the fleet" };

/** "1000 hosts, 3 with trouble, 2 silent, 5 runs under way.": trouble stands before the runs. */
function headline(grid) {
  const bad = grid.host_count - grid.well_count;
  const parts = [
    `${grid.host_count || "No"} host${grid.host_count === 1 ? "" : "s"}`,
    bad ? `${bad} with trouble` : grid.host_count && "none with trouble",
    grid.silent_count && `${grid.silent_count} silent`, grid.draining_count && `${grid.draining_count} draining`,
    `${grid.leased_count} run${grid.leased_count === 1 ? "" : "s"} under way`, grid.open_count && `${grid.open_count} to be run`,
  ];
  return parts.filter(Boolean).join(", ") + ".";
}

/** The ends of runs, the worst first: the sign, the count, and the word. */
function ends(tally) {
  return [["failed", tally.failed_count, "failed"], ["held", tally.given_up_count, "given up"], ["cut", tally.cut_short_count, "cut short"],
    ["ran", tally.succeeded_count, "ran well"]].filter(([, count]) => count);
}

const words = (parts) => parts.map(([, count, text]) => `${count} ${text}`).join(", ");

/** The results of a task on a host: the worst as a sign with its count; the others on hover and for screen readers. */
function cell(tally) {
  if (!tally) return null;
  const [worst, ...rest] = ends(tally);
  if (!worst) return tally.launched_count ? h("span", { title: "under way" }, mark("open")) : null;
  const [word, count] = worst;
  return h("span", { class: word === "failed" ? "bad" : word === "ran" ? "fine" : "", title: words([worst, ...rest]) },
    mark(word), ` ${count}`, rest.length ? h("span", { class: "unseen" }, ", " + words(rest)) : null);
}

/** The ends of all runs of a host. */
function sum(tally) {
  const parts = ends(tally);
  return parts.length ? h("span", { class: "ends" }, parts.map(([word, count, text]) => h("span", { class: word === "failed" && "bad", title: `${count} ${text}` }, mark(word), ` ${count}`)))
    : h("span", { class: "dim" }, "none");
}

/** The meaning of the signs that occur. */
function key(grid) {
  const open = grid.rows.some((row) => row.lanes.some((lane) => lane?.launched_count && !ends(lane).length));
  const seen = new Map([...grid.rows.flatMap((row) => ends(row.tally)).map(([word, , text]) => [word, text]), ...(open ? [["open", "under way"]] : [])]);
  return seen.size ? h("ul", { class: "key", "aria-label": "What the signs mean" }, ["failed", "held", "cut", "ran", "open"].filter((word) => seen.has(word))
    .map((word) => h("li", {}, h("span", { "aria-hidden": "true" }, mark(word)), seen.get(word)))) : null;
}

/** The heads of the lanes: the last two parts of each task's name. */
function heads(tasks) {
  return tasks.map((one) => {
    const parts = one.task.split(".");
    return h("span", { class: "lane-head" + (one.tally.failed_count ? " bad" : ""), title: one.task }, parts.slice(-2).join("."));
  });
}

function rows(grid) {
  return grid.rows.map((row) => [
    h("span", { title: row.place }, named(row.host)),
    h("span", { class: row.state === "lives" ? "dim" : "state " + (row.state === "silent" ? "bad" : "paused") }, states[row.state] ?? row.state,
      ["silent", "stopped"].includes(row.state) && row.ago_ms !== undefined ? ` since ${when(new Date(Date.now() - row.ago_ms).toISOString())}` : ""),
    sum(row.tally),
    ...grid.tasks.map((_, index) => cell(row.lanes[index])),
  ]);
}

export function fleet(grid, status, view) {
  const more = [
    grid.more_host_count ? `${grid.more_host_count} more host${grid.more_host_count === 1 ? "" : "s"}${view.find ? "" : "; find one by its name"}.` : "",
    grid.more_task_count ? `${grid.more_task_count} more task${grid.more_task_count === 1 ? "" : "s"} went well everywhere or are further down.` : "",
  ].filter(Boolean).join(" ");
  return h("section", { class: "fleet", "aria-labelledby": "fleet-title" },
    h("div", { class: "headline" }, h("h1", { id: "fleet-title" }, "Fleet ", named(status.fleet ?? "")), choice(view.span, view.choose)),
    h("p", { class: "verdict" }, headline(grid)),
    grid.rollout ? h("p", { class: grid.rollout.is_well ? "dim" : "bad" }, grid.rollout.sentences.join(" ")) : null,
    finder("Find a host", view.find, view.look),
    grid.rows.length
      ? [h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What became of each task on each host", "data-key": "grid" }, table(
        h("span", { class: "unseen" }, "What became of each task on each host"), ["Host", "State", "Runs", ...heads(grid.tasks)], rows(grid), { class: "grid" })), key(grid)]
      : h("p", {}, view.find ? "No host has that in its name." : grid.host_count ? "No host has trouble."
        : prose("No host has joined. One does when its manifest has `fleet` and it runs.")),
    more ? h("p", { class: "dim" }, more) : null,
    h("p", { class: "dim" }, prose("`lull why TASK --fleet` says what holds a task back on each host, `lull history --fleet --host HOST` what a host did.")));
}
