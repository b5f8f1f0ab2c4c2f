// One app: the hours of its week, the launches planned for them, and those of the last days.

import { h, table } from "./dom.js";
import { buttons } from "./now.js";
import { clock, date, range, when } from "./time.js";

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Where a time stands in the week of the host's clock: the day from Monday on, and the hour. */
function place(time) {
  const day = days.indexOf(date(time).split(" ")[0].replace(",", ""));
  return day * 24 + Number(clock(time).slice(0, 2));
}

function count(hours, times) {
  const counts = new Array(hours).fill(0);
  for (const time of times) counts[place(time)] += 1;
  return counts;
}

function week(forecast) {
  const most = Math.max(...forecast.hours, 0);
  const planned = count(168, forecast.refreshes.flatMap((refresh) => refresh.launches.map((launch) => launch.time)));
  const past = count(168, forecast.past_launches);
  const cell = (index) => {
    const uses = forecast.hours[index];
    const words = [`${uses < 0.005 ? "no" : uses.toFixed(2)} uses`, past[index] && `${past[index]} launched`, planned[index] && `${planned[index]} planned`]
      .filter(Boolean).join(", ");
    return h("td", { title: `${days[Math.floor(index / 24)]} ${index % 24}:00: ${words}`, at: { "--share": String(most > 0 ? uses / most : 0) } },
      h("span", { class: "unseen" }, words),
      h("span", { "aria-hidden": "true", class: "dot" }, planned[index] ? "●" : past[index] ? "○" : ""));
  };
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The hours of the week", "data-key": "week" },
    h("table", { class: "week" },
      h("caption", {}, "Expected uses in each hour of the week, with launches: ● planned, ○ in the last seven days"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Day")),
        Array.from({ length: 24 }, (_, hour) => h("th", { scope: "col" }, h("span", { class: hour % 3 ? "unseen" : "" }, String(hour)))))),
      h("tbody", {}, days.map((day, row) => h("tr", {}, h("th", { scope: "row" }, day),
        Array.from({ length: 24 }, (_, hour) => cell(row * 24 + hour)))))));
}

/** The map in words: the hours that stand out. */
function busiest(forecast) {
  const ranked = forecast.hours.map((uses, index) => [uses, index]).filter(([uses]) => uses >= 0.02).sort((a, b) => b[0] - a[0]).slice(0, 5);
  if (!ranked.length) return "No hour of the week stands out.";
  return "Busiest: " + ranked.map(([uses, index]) => `${days[Math.floor(index / 24)]} ${index % 24}–${index % 24 + 1} h (${uses.toFixed(2)} uses)`).join(", ") + ".";
}

export function app(forecast, status, act) {
  const now = status.apps.find((one) => one.app === forecast.app);
  const percent = (share) => share === undefined ? "–" : Math.round(share * 100) + " %";
  const launches = forecast.refreshes.flatMap((refresh) => refresh.launches.map((launch) => [
    when(launch.time), refresh.task, launch.reason, percent(launch.chance)]));
  const held = forecast.refreshes.filter((refresh) => !refresh.launches.length);
  const tasks = status.tasks.filter((task) => task.app === forecast.app);
  return h("article", { "aria-labelledby": "app-title" },
    h("p", { class: "back" }, h("a", { href: "#/", "data-key": "back" }, "Overview")),
    h("h1", { id: "app-title" }, forecast.app),
    h("p", {}, forecast.uses.count ? `${forecast.uses.count}${forecast.uses.is_more ? " or more" : ""} uses known, the last ${when(forecast.uses.last)}. ` : "No use is known. ",
      forecast.relied_on ? "The forecast is relied on." : "Too little is known for a forecast: refreshes are spread evenly."),
    now ? buttons(now, act) : null,
    h("section", { "aria-labelledby": "week-title" }, h("h2", { id: "week-title" }, "Its week"), week(forecast), h("p", {}, busiest(forecast))),
    h("section", { "aria-labelledby": "likely-title" }, h("h2", { id: "likely-title" }, "Next likely uses"),
      forecast.likely_uses.length ? h("ul", {}, forecast.likely_uses.map((one) => h("li", {}, `${range(one.from, one.to)}: ${percent(one.probability)}`)))
        : h("p", {}, "No hour stands out.")),
    h("section", { "aria-labelledby": "planned-title" }, h("h2", { id: "planned-title" }, "Planned launches"),
      launches.length ? table("Launches that are planned", ["When", "Task", "Why then", "Chance of a use"], launches) : null,
      held.map((refresh) => h("p", {}, `${refresh.task}: ${refresh.running ? "runs" : refresh.closed_gates[0]?.reason ?? refresh.reason}.`)),
      forecast.refreshes.length ? null : h("p", {}, "It has no refresh task: nothing is planned by the forecast.")),
    h("section", { "aria-labelledby": "its-title" }, h("h2", { id: "its-title" }, "Its tasks"),
      h("ul", {}, tasks.map((task) => h("li", {}, h("a", { href: "#/task/" + task.task, "data-key": "its-" + task.task }, task.task))))));
}
