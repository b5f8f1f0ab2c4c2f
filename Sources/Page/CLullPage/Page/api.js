// The host's answers, its changes, and orders to it. The token is kept for this tab, and sent in a header alone.

const key = "lull-token";

export function token() { return sessionStorage.getItem(key) ?? ""; }

export function useToken(text) {
  if (text) sessionStorage.setItem(key, text.trim());
  else sessionStorage.removeItem(key);
}

/** Takes the token out of the address, which people copy and show. */
export function takeToken() {
  const match = location.hash.match(/^#token=(.*)$/);
  if (!match) return;
  useToken(match[1]);
  history.replaceState(null, "", location.pathname + "#/");
}

function headers() { return token() ? { Authorization: "Bearer " + token() } : {}; }

export class Refusal extends Error {
  constructor(status, sentence) { super(sentence); this.status = status; }
}

let bytes = 0;

/** The bytes of the answers since the last call. */
export function taken() {
  const sum = bytes;
  bytes = 0;
  return sum;
}

async function read(response) {
  let answer;
  bytes += Number(response.headers.get("content-length"));
  try { answer = await response.json(); } catch { throw new Refusal(response.status, "The answer is not JSON."); }
  if (!response.ok) throw new Refusal(response.status, answer.error?.message ?? "It was refused without a reason.");
  return answer;
}

async function ask(path, options) {
  try { return await fetch(path, options); }
  catch { throw new Refusal(0, "The page's process does not answer. Does the host still run?"); }
}

/** A space is `+` in a form only: the host takes an address as it is. */
export const query = (params) => String(new URLSearchParams(params)).replaceAll("+", "%20");

export async function get(path) { return read(await ask(path, { headers: headers() })); }

/** Sends an order; returns its result as a sentence. */
export async function post(path) {
  return (await read(await ask(path, { method: "POST", headers: headers() }))).message;
}

/** Returns once the page is visible: a browser has six connections to a host, and hidden tabs need none. */
function looked() {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

/** Calls `changed` for each change while the page is visible, and `state` with whether the host is connected; for ever. */
export async function listen(changed, state) {
  let leave = new AbortController();
  document.addEventListener("visibilitychange", () => { if (document.visibilityState !== "visible") leave.abort(); });
  for (let pause = 1000; ; pause = Math.min(pause * 2, 15000)) {
    await looked();
    leave = new AbortController();
    try {
      const response = await fetch("/api/live", { headers: headers(), signal: leave.signal });
      if (!response.ok) throw new Refusal(response.status, "");
      state(true);
      pause = 500;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        const events = (rest + value).split("\n\n");
        rest = events.pop();
        if (events.some((event) => event.includes("event: changed"))) changed();
      }
    } catch { /* Tried again: the host may be starting anew. */ }
    if (document.visibilityState !== "visible") continue;
    state(false);
    await new Promise((resolve) => setTimeout(resolve, pause));
    changed();
  }
}
