// Times as the host's clock shows them, wherever the browser is.

let zone = "UTC";
let offset = 0;
let ahead = 0;

/** Sets the host's zone, its offset from UTC, and the time. */
export function setClock(name, seconds, time) {
  offset = seconds;
  ahead = Date.parse(time) - Date.now();
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    zone = name;
  } catch { zone = "UTC"; }
}

/** The host's time, whatever the browser's clock shows. */
export function hostTime() { return Date.now() + ahead; }

function format(time, options) {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...options }).format(new Date(time));
}

export const clock = (time) => format(time, { hour: "2-digit", minute: "2-digit" });
export const exact = (time) => format(time, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const weekday = (time) => format(time, { weekday: "short" });
export const date = (time) => format(time, { weekday: "short", day: "numeric", month: "short" });

/** A day as a heading, with its year if that is another one. */
export function day(time, now = hostTime()) {
  const year = (one) => format(one, { year: "numeric" });
  const name = format(time, { weekday: "long", day: "numeric", month: "long" }) + (year(time) === year(now) ? "" : " " + year(time));
  return date(time) === date(now) ? "Today, " + name : name;
}

const near = [[0, ""], [86400000, "tomorrow "], [-86400000, "yesterday "]];

/** "03:10" today, "tomorrow 03:10", "Fri 20 Nov 03:10" else. */
export function when(time, now = hostTime()) {
  const [, words] = near.find(([away]) => date(time) === date(now + away)) ?? [0, date(time) + " "];
  return words + clock(time);
}

/** Both ends, with the day once. */
export function range(from, to, now = hostTime()) {
  return when(from, now) + "–" + (date(from) === date(to) ? clock(to) : when(to, now));
}

/** "2 h 10 min", as the commands say spans. */
export function span(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (milliseconds < 1000) return Math.max(0, Math.round(milliseconds)) + " ms";
  if (seconds < 60) return seconds + " s";
  if (seconds < 3600) return Math.floor(seconds / 60) + " min";
  const [big, small, units] = seconds < 86400 ? [3600, 60, ["h", "min"]] : [86400, 3600, ["d", "h"]];
  const rest = Math.floor((seconds % big) / small);
  return Math.floor(seconds / big) + " " + units[0] + (rest ? " " + rest + " " + units[1] : "");
}

/** Instants between two times at which the host's clock shows a multiple of so many hours. */
export function ticks(from, to, hours) {
  const step = hours * 3600000;
  const local = offset * 1000;
  const first = Math.ceil((from + local) / step) * step - local;
  const all = [];
  for (let time = first; time <= to; time += step) all.push(time);
  return all;
}
