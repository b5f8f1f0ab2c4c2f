// The orders to the host: only those that can be carried out now have a button.

import { h } from "./dom.js";
import { hostTime } from "./time.js";

function button(words, path, act, about, key, title) {
  return h("button", { type: "button", "data-key": key, "aria-label": about, title, on: { click: () => act("/api/" + path()) } }, words);
}

const hour = 3600000;

/** `what`: all, an app or a task; `path`: its place in the interface. */
export function pausing(what, path, status, act) {
  const key = (word) => word + "-" + what;
  const about = (words) => `${words} ${what === "all" ? "every task" : what}`;
  if (status.pauses?.some((pause) => pause.scope === what)) return resuming(what, path, act);
  return [
    button("Pause for 1 h", () => `${path}pause?until=${new Date(hostTime() + hour).toISOString()}`, act, about("Pause for 1 h:"), key("pause-hour")),
    button("Pause until resumed", () => path + "pause", act, about("Pause until resumed:"), key("pause")),
  ];
}

export function resuming(what, path, act, key = "resume") {
  return button("Resume", () => path + "resume", act, `Resume ${what === "all" ? "every task" : what}`, key + "-" + what);
}

export function ofApp(app, act) {
  const one = (words, path, about) => button(words, () => `apps/${app.app}/${path}`, act, `${about} ${app.app}`, path + app.app);
  return [one("Used now", "used", "Record a use of"), app.enabled ? one("Disable", "disable", "Disable") : one("Enable", "enable", "Enable")];
}

export function ofTask(task, now, status, act) {
  const one = (words, path, title) => button(words, () => `tasks/${task}/${path}`, act, undefined, "act-" + path, title);
  // The host's own next time is no request that can be withdrawn.
  const isAsked = now?.pending && now.pending.origin !== "at" && now.pending.origin !== "repeat";
  // A task that its manifest or its app disables stays disabled, whatever is ordered.
  const disabled = now?.verdict.gate_states.find((gate) => gate.gate === "enabled" && !gate.open);
  if (disabled) return disabled.remedy?.includes(`lull enable ${task}\``) ? one("Enable", "enable") : null;
  return [
    one("Launch now", "launch", "Whatever its gates say"), now?.running_runs.length ? one("Stop the run", "stop", "It is told to end, and not retried") : null,
    isAsked ? one("Withdraw the request", "cancel") : one("Ask for a run", "submit", "It is launched once its gates are open"),
    pausing(task, `tasks/${task}/`, status, act), one("Disable", "disable", "Ends its run, and launches none until it is enabled"),
  ];
}

export const row = (...buttons) => h("div", { class: "buttons" }, buttons);
