// The sensed conditions, in the words of the commands, and for how long each condition that tasks require held.

import { h, table } from "./dom.js";
import { clock, date, range, span } from "./time.js";

const minute = 60000;

function readings(status) {
  return h("ul", { class: "readings all", "aria-label": "Conditions now" }, (status.conditions?.readings ?? []).map((reading) => {
    const colon = reading.indexOf(": ");
    return h("li", {}, h("span", { class: "dim" }, reading.slice(0, colon + 1) + " "), reading.slice(colon + 2));
  }));
}

const percent = (share) => Math.round(share * 100) + " %";

/** For which share of each span every condition held: a strip for each, and the same as a table. */
export function conditions(status, events) {
  const spans = events.filter((event) => event.event === "conditions" && event.ms > 0).map((event) => ({
    from: Date.parse(event.time) - event.ms, to: Date.parse(event.time), shares: event.shares ?? {},
  }));
  const away = events.filter((event) => event.event === "absent" && event.absence !== "back" && event.ms > 0)
    .map((event) => ({ from: Date.parse(event.time) - event.ms, to: Date.parse(event.time) }));
  const all = [...new Set(spans.flatMap((one) => Object.keys(one.shares)))].sort();
  const to = Date.parse(status.time);
  const from = Math.max(to - 7 * 86400000, Math.min(to - 3600000, ...spans.map((one) => one.from), ...away.map((one) => one.from)));
  const place = (one) => ({
    left: Math.max(0, (one.from - from) / (to - from)) * 100 + "%",
    width: (Math.min(one.to, to) - Math.max(one.from, from)) / (to - from) * 100 + "%",
  });
  const watched = all.map((name) => {
    const known = spans.filter((one) => one.shares[name] !== undefined && one.to > from);
    return { name, known, time: known.reduce((sum, one) => sum + one.to - one.from, 0) };
  });
  // A share of some seconds says nothing.
  const fresh = watched.filter((one) => one.time < minute).map((one) => label(one.name));
  const strips = watched.filter((one) => one.time >= minute).map(({ name, known, time }) => {
    const held = known.reduce((sum, one) => sum + (one.to - one.from) * one.shares[name], 0);
    return h("li", { class: "lane" },
      h("span", { class: "name" }, label(name)),
      h("div", { class: "strip", "aria-hidden": "true" },
        known.map((one) => {
          const at = { ...place(one), opacity: String(0.12 + 0.88 * one.shares[name]) };
          return h("span", { class: "bar held-share", at, title: `${clock(one.from)}–${clock(one.to)}: ${percent(one.shares[name])}` });
        }),
        away.filter((one) => one.to > from).map((one) => h("span", { class: "bar off", at: place(one), title: "no host ran, or it was asleep" }))),
      h("p", { class: "sum" }, `held for ${percent(held / time)} of the ${span(time)} for which there is data`));
  });
  const rows = spans.filter((one) => one.to - one.from >= minute).slice(-60).reverse().map((one) => [
    range(one.from, one.to),
    all.filter((name) => one.shares[name] !== undefined).map((name) => `${label(name)}: ${percent(one.shares[name])}`).join(", "),
  ]);
  return h("section", { "aria-labelledby": "conditions-title" },
    h("h1", { id: "conditions-title" }, "Conditions"),
    readings(status),
    h("h2", {}, "Over time"),
    fresh.length ? h("p", {}, `Too little is recorded so far of: ${fresh.join(", ")}. Conditions are recorded at most once an hour.`) : null,
    strips.length ? h("p", { class: "dim" }, `${date(from)} ${clock(from)} to now. The fuller the colour, the longer it held.`) : fresh.length ? null : h("p", {},
      "Nothing has been recorded yet. Conditions that tasks require are recorded at most once an hour."),
    strips.length ? h("ul", { class: "plain lanes" }, strips) : null,
    rows.length ? h("details", { "data-key": "shares" }, h("summary", {}, "The same as a table"),
      table("The share of each span for which a condition held", ["From and to", "Held"], rows)) : null);
}

const names = {
  external_power: "external power", network: "network", unmetered: "unmetered network", idle: "nobody at the host", load: "load low enough",
  disk: "disk free enough", battery: "battery charged enough",
};

function bytes(count) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const step = Math.min(Math.floor(Math.log2(Math.max(count, 1)) / 10), 4);
  return Number((count / 1024 ** step).toFixed(1)) + " " + units[step];
}

/** A set of conditions is named with `+` between its parts, a threshold behind its name. */
function label(name) {
  return name.split("+").map((part) => {
    const [what, value] = part.split("=");
    if (what === "load_below") return `load below ${value} per core`;
    if (what === "battery_above") return `battery above ${percent(Number(value))}`;
    if (what === "disk_free") return bytes(Number(value)) + " of disk free";
    return names[part] ?? part.replaceAll("_", " ");
  }).join(" and ");
}
