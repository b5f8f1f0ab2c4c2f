// The fleet: hosts as rows, tasks as lanes, failures first. Of a thousand hosts those with trouble have a row.

import { finder, h, mark, named, prose, table } from "./dom.js";
import { choice } from "./night.js";
import { when } from "./time.js";

const words = { silent: "silent", draining: "draining", lives: "lives", gone: "left the fleet" };

/** "3 of 1000 hosts do not answer": what concerns somebody comes first. */
function headline(grid) {
  const bad = grid.hosts - grid.well;
  const parts = [
    `${grid.hosts} host${grid.hosts === 1 ? "" : "s"}`,
    bad ? `${bad} with trouble` : "none with trouble",
    grid.silent && `${grid.silent} silent`, grid.draining && `${grid.draining} draining`,
    `${grid.leased} run${grid.leased === 1 ? "" : "s"} under way`, grid.open && `${grid.open} to be run`,
  ];
  return parts.filter(Boolean).join(", ") + ".";
}

/** What became of a task on a host: the worst of it as a sign, and how often. */
function cell(tally) {
  if (!tally) return null;
  const parts = [["failed", tally.failed, "failed"], ["held", tally.given_up, "given up"], ["cut", tally.cut_short, "cut short"], ["ran", tally.succeeded, "ran well"]]
    .filter(([, count]) => count);
  if (!parts.length) return tally.launched ? h("span", { title: "under way" }, mark("open")) : null;
  const [word, count] = parts[0];
  return h("span", { class: word === "failed" ? "bad" : "", title: parts.map(([, count, text]) => `${count} ${text}`).join(", ") }, mark(word), ` ${count}`);
}

/** A task's name stands upright over its lane, without what all have in common. */
function heads(tasks) {
  return tasks.map((one) => {
    const parts = one.task.split(".");
    return h("span", { class: "lane-head" + (one.tally.failed ? " bad" : ""), title: one.task }, parts.slice(-2).join("."));
  });
}

function rows(grid) {
  return grid.rows.map((row) => [
    h("span", { title: row.place }, named(row.host)),
    h("span", { class: "state " + (row.state === "silent" ? "bad" : row.state === "lives" ? "" : "paused") }, words[row.state] ?? row.state,
      row.state === "silent" && row.ago !== undefined ? ` since ${when(new Date(Date.now() - row.ago).toISOString())}` : ""),
    ...grid.tasks.map((_, index) => cell(row.lanes[index])),
  ]);
}

export function fleet(grid, status, view) {
  const more = [
    grid.more_hosts ? `${grid.more_hosts} more host${grid.more_hosts === 1 ? "" : "s"}${view.find ? "" : "; look for one by its name"}.` : "",
    grid.more_tasks ? `${grid.more_tasks} more task${grid.more_tasks === 1 ? "" : "s"} went well everywhere or are further down.` : "",
  ].filter(Boolean).join(" ");
  return h("section", { class: "fleet", "aria-labelledby": "fleet-title" },
    h("div", { class: "headline" }, h("h1", { id: "fleet-title" }, "Fleet ", named(status.fleet ?? "")), choice(view.span, view.choose)),
    h("p", { class: "verdict" }, headline(grid)),
    finder("Find a host", view.find, view.seek),
    grid.rows.length
      ? h("div", { class: "scroll", "data-key": "grid" }, table(
        h("span", { class: "unseen" }, "What became of each task on each host"), ["Host", "State", ...heads(grid.tasks)], rows(grid), { class: "grid" }))
      : h("p", {}, view.find ? "No host has that in its name." : "No host has trouble."),
    more ? h("p", { class: "dim" }, more) : null,
    h("p", { class: "dim" }, prose("`lull why TASK --fleet` tells what holds a task back on each host, `lull history --fleet --host HOST` what a host did.")));
}
