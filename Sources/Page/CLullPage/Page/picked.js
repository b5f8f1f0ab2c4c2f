// The tasks that the reader has selected, and what is done to all of them.

import { h } from "./dom.js";
import { hostTime } from "./time.js";

/** Kept for this tab: an address is no place for a hundred names. */
const chosen = new Set();

export function pick(tasks, isPicked, changed) {
  for (const task of tasks) {
    if (isPicked) chosen.add(task);
    else chosen.delete(task);
  }
  changed();
}

export const areAll = (tasks) => tasks.every((task) => chosen.has(task));

/** A box that selects these tasks. */
export function box(tasks, key, about, changed) {
  return h("input", {
    type: "checkbox", checked: areAll(tasks), "aria-label": about, "data-key": key,
    on: { change: (event) => pick(tasks, event.target.checked, changed) },
  });
}

/** Nothing until a task is selected. */
export function picked(act, changed) {
  if (!chosen.size) return null;
  const tasks = [...chosen];
  const one = (words, key, path) => h("button", {
    type: "button", "data-key": "picked-" + key, on: { click: () => act(...tasks.map((task) => `/api/tasks/${task}/${path()}`)) },
  }, words);
  const hour = () => new Date(hostTime() + 3600000).toISOString();
  return h("section", { class: "picked", "aria-label": "Selected tasks" },
    h("p", {}, h("strong", {}, `${tasks.length} selected`)),
    h("div", { class: "buttons" },
      one("Launch now", "launch", () => "launch"), one("Ask for a run", "submit", () => "submit"),
      one("Pause for 1 h", "pause-hour", () => "pause?until=" + hour()), one("Pause until resumed", "pause", () => "pause"), one("Resume", "resume", () => "resume"),
      one("Disable", "disable", () => "disable"), one("Enable", "enable", () => "enable"),
      h("button", { type: "button", "data-key": "picked-none", on: { click: () => pick(tasks, false, changed) } }, "Select none")));
}
