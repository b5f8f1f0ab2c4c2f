// The parameters of a task: a form that launches it with other values than its defaults.

import { h } from "./dom.js";

/** What was written into the forms, by task: the page is drawn anew at each change of the host. */
const written = new Map();

/** What was written, unless the manifest no longer has that choice; else the default. The form shows it, and sends it. */
function valueOf(param, values) {
  const value = values[param.name];
  return value === undefined || (param.one_of && !param.one_of.includes(value)) ? param.default : value;
}

function field(task, param, values, index) {
  const id = "param-" + index;
  const hints = [param.description, param.match ? `Has to match ${param.match}.` : null].filter(Boolean);
  const value = valueOf(param, values);
  const own = {
    id, name: param.name, "data-key": id, "aria-describedby": hints.length ? id + "-hint" : undefined,
    on: { input: (event) => { values[param.name] = event.target.value; written.set(task, values); } },
  };
  return h("p", { class: "param" }, h("label", { for: id }, param.name), " ",
    param.one_of
      ? h("select", own, param.one_of.map((one) => h("option", { value: one, selected: one === value }, one === "" ? "(empty)" : one)))
      : h("input", { ...own, type: "text", value, autocomplete: "off", spellcheck: "false", maxlength: "4096" }),
    hints.length ? h("span", { class: "dim", id: id + "-hint" }, " ", hints.join(" ")) : null);
}

/** Nothing for a task without parameters. Only values that differ from the defaults are sent. */
export function params(task, now, act) {
  const declared = now?.declared_params;
  if (!declared?.length || now.verdict.gate_states.some((gate) => gate.gate === "enabled" && !gate.open)) return null;
  const values = written.get(task) ?? {};
  const query = () => {
    const asked = [];
    for (const param of declared) {
      const value = valueOf(param, values);
      if (value !== param.default) asked.push(`${encodeURIComponent(`params[${param.name}]`)}=${encodeURIComponent(value)}`);
    }
    return asked.length ? "?" + asked.join("&") : "";
  };
  const send = (path) => act(`/api/tasks/${task}/${path}${query()}`);
  return h("details", { class: "params", "data-key": "params" },
    h("summary", {}, "Launch with parameters"),
    h("form", { "aria-label": "Parameters of " + task, on: { submit: (event) => { event.preventDefault(); send("launch"); } } },
      declared.map((param, index) => field(task, param, values, index)),
      h("p", { class: "dim" }, "Everybody who sees this page sees them with the run: they are no place for secrets."),
      h("div", { class: "buttons" },
        h("button", { type: "submit", "data-key": "params-launch", title: "Whatever its gates say" }, "Launch with these"),
        h("button", { type: "button", "data-key": "params-submit", title: "It is launched once its gates are open", on: { click: () => send("submit") } }, "Ask for a run with these"))));
}
