// One app: the hours of its week, the launches planned for them, and those of the last days.

import { ofApp, pausing, row } from "./buttons.js";
import { h, mark, named, prose, shortName, table } from "./dom.js";
import { clock, date, range, when } from "./time.js";

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The place of a time in the week of the host's clock: the day from Monday on, and the hour. */
function place(time) {
  const day = days.indexOf(date(time).split(" ")[0].replace(",", ""));
  return day * 24 + Number(clock(time).slice(0, 2));
}

function count(hours, times) {
  const counts = new Array(hours).fill(0);
  for (const time of times) counts[place(time)] += 1;
  return counts;
}

/** "0.82", "14": two digits that count, as the commands write it. */
export function rate(uses) { return String(Number(uses >= 9.95 ? uses.toFixed(0) : uses.toFixed(uses >= 0.0995 ? 2 : 3))); }

const usesOf = (uses) => `${rate(uses)} ${rate(uses) === "1" ? "use" : "uses"}`;

function week(forecast) {
  // Where hardly anything is expected in any hour, no hour is full.
  const most = Math.max(...forecast.hours, 0.2);
  const planned = count(168, forecast.refreshes.flatMap((refresh) => refresh.launches.map((launch) => launch.time)));
  const past = count(168, forecast.past_launches);
  const cell = (index) => {
    const uses = forecast.hours[index];
    const words = [uses < 0.005 ? "no uses" : usesOf(uses), past[index] && `${past[index]} launched`, planned[index] && `${planned[index]} planned`]
      .filter(Boolean).join(", ");
    return h("td", { title: `${hours(index)}: ${words}`, at: { "--share": String(most > 0 ? uses / most : 0) } },
      h("span", { class: "unseen" }, words),
      h("span", { "aria-hidden": "true", class: "dot" }, planned[index] ? "●" : past[index] ? "○" : ""));
  };
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The hours of the week", "data-key": "week" },
    h("table", { class: "week" },
      h("caption", {}, 
        `Expected uses in each hour of the week, at most ${rate(Math.max(...forecast.hours))} an hour, with launches: ● planned, ○ in the last seven days`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Day")),
        Array.from({ length: 24 }, (_, hour) => h("th", { scope: "col" }, h("span", { class: hour % 3 ? "unseen" : "" }, String(hour)))))),
      h("tbody", {}, days.map((day, row) => h("tr", {}, h("th", { scope: "row" }, day),
        Array.from({ length: 24 }, (_, hour) => cell(row * 24 + hour)))))));
}

/** "Mon 07:00–08:00". */
function hours(index) {
  const two = (hour) => String(hour).padStart(2, "0") + ":00";
  return `${days[Math.floor(index / 24)]} ${two(index % 24)}–${two((index % 24 + 1) % 24)}`;
}

/** The map in words: the hours that stand out. */
function busiest(forecast) {
  const ranked = forecast.hours.map((uses, index) => [uses, index]).filter(([uses]) => uses >= 0.02).sort((a, b) => b[0] - a[0]).slice(0, 5);
  if (!ranked.length) return "No hour of the week stands out.";
  return "Busiest: " + ranked.map(([uses, index]) => `${hours(index)} (${rate(uses)})`).join(", ") + ", in uses an hour.";
}

/** The clause with which all of several reasons end. */
function common(reasons) {
  const tails = new Set(reasons.map((reason) => reason.slice(reason.indexOf("; "))));
  const [tail] = tails;
  return reasons.length > 1 && tails.size === 1 && tail.startsWith("; ") ? tail : "";
}

/** Its tasks: when each is due next, and how its last run ended. */
function own(tasks, lines) {
  const hasTimes = tasks.some((task) => lines.get(task.task)?.schedule);
  const heads = ["Task", hasTimes && "Times", "Next", "Last run"].filter(Boolean);
  return table(h("span", { class: "unseen" }, "Its tasks"), heads, tasks.map((task) => {
    const failed = task.failing;
    return [
      h("a", { href: "#/task/" + task.task, "data-key": "its-" + task.task }, named(shortName(task.task, task.app))),
      ...hasTimes ? [lines.get(task.task)?.schedule ?? ""] : [], lines.get(task.task)?.next_words ?? "",
      h("span", { class: failed ? "bad" : "" }, failed ? mark("failed") : null, lines.get(task.task)?.last_run_words ?? ""),
    ];
  }));
}

/** Its downloads and uploads, as `lull transfers` lists them. */
function transfersOf(transfers) {
  return table(h("span", { class: "unseen" }, "Its transfers"), ["Transfer", "State", "Done", "What", "Why"], transfers.map((one) => [
    one.transfer.id, h("span", { class: one.state === "failed" ? "bad" : "state " + one.state }, one.state === "failed" ? mark("failed") : null, one.state),
    [one.share === undefined ? null : h("progress", { max: "1", value: String(one.share), "aria-hidden": "true" }), " ", one.done_words],
    prose(one.deed), prose(one.why),
  ]));
}

export function app(forecast, transfers, status, act) {
  const now = status.apps.find((one) => one.app === forecast.app);
  const percent = (share) => share === undefined ? "–" : Math.round(share * 100) + " %";
  const planned = forecast.refreshes.flatMap((refresh) => refresh.launches.map((launch) => ({ ...launch, task: refresh.task })));
  const tail = common(planned.map((launch) => launch.reason));
  const launches = planned.map((launch) => [
    when(launch.time), named(shortName(launch.task, forecast.app)), launch.reason.slice(0, launch.reason.length - tail.length), percent(launch.chance)]);
  const held = forecast.refreshes.filter((refresh) => !refresh.launches.length);
  const tasks = status.tasks.filter((task) => task.app === forecast.app);
  const remarks = status.app_remarks.find((one) => one.app === forecast.app)?.words ?? "–";
  const isUsed = forecast.uses.count > 0;
  const section = (id, title, ...parts) => h("section", { "aria-labelledby": id }, h("h2", { id }, title), parts);
  const its = section("its-title", "Its tasks", tasks.length ? own(tasks, new Map(status.lines.map((line) => [line.task, line]))) : h("p", {}, "The manifest lists none."),
    status.left_out_count ? h("p", { class: "dim" }, `${status.left_out_count} more: the overview finds them by name.`) : null);
  return h("article", { "aria-labelledby": "app-title" },
    h("p", { class: "back" }, h("a", { href: "#/", "data-key": "back" }, "Overview")),
    h("h1", { id: "app-title" }, named(forecast.app)),
    h("p", {}, isUsed ? `${forecast.uses.count}${forecast.uses.is_more ? " or more uses" : forecast.uses.count === 1 ? " use" : " uses"} known, the last ${when(forecast.uses.last)}. ` : forecast.refreshes.length || now?.idles_at || now?.idle ? "No use is known. " : "",
      forecast.relied_on ? "Lull relies on the forecast." : forecast.refreshes.length ? "Too little is known for a forecast: refreshes are spread evenly." : ""),
    remarks === "–" ? null : h("p", { class: "held" }, prose(remarks)),
    now ? row(ofApp(now, act), pausing(now.app, `apps/${now.app}/`, status, act)) : null,
    // An app that nobody uses and nothing refreshes has no week to show: it runs at its times.
    isUsed || forecast.refreshes.length ? null : its,
    isUsed ? section("week-title", "Its week", week(forecast), h("p", {}, busiest(forecast))) : null,
    isUsed ? section("likely-title", "Next likely uses",
      forecast.likely_uses.length ? h("ul", {}, forecast.likely_uses.map((one) => h("li", {}, `${range(one.from, one.to)}: ${percent(one.probability)}`)))
        : h("p", {}, "No hour stands out.")) : null,
    forecast.refreshes.length ? section("planned-title", "Planned launches",
      launches.length ? table("Launches that are planned", ["When", "Task", "Why then", "Chance of a use"], launches) : null,
      tail ? h("p", { class: "dim" }, "For each of them: ", tail.slice(2), ".") : null,
      held.map((refresh) => h("p", {}, named(refresh.task), `: ${refresh.running ? "runs" : refresh.gate_states[0]?.reason ?? refresh.reason}.`))) : null,
    isUsed || forecast.refreshes.length ? its : null,
    transfers.length ? section("transfers-title", "Its transfers", transfersOf(transfers)) : null);
}
