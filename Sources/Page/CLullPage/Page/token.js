// The token: what is hidden without it, why, and how to show it.

import { h } from "./dom.js";

let file = "http-token";
let user = "";

/** A path as a shell reads it. */
function quoted(path) { return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`; }

function command() { return [`As ${user}, `, h("code", {}, "cat " + quoted(file)), " prints the token"]; }

/** Sets where the host keeps the token, for the sentences that name it. */
export function setToken(status) {
  if (!status.token_file) return;
  [file, user] = [status.token_file, status.token_user];
  document.getElementById("token-note").replaceChildren(...command(),
    ". With it, the page shows the output of runs and enables the buttons; this tab keeps it.");
}

export function askForToken() { document.getElementById("token").focus(); }

/** Shown in the place of a cause. */
export function hidden(key) {
  return h("p", { class: "hidden" }, "Its output is hidden, because it may hold secrets. ", command(), ": ", entry(key, "enter it"), ".");
}

/** Shown in the place of a command line. */
export function hiddenCommand(key) { return ["its command is hidden without the ", entry(key, "token")]; }

/** The same, where another one already says how to get the token. */
export function alsoHidden(key) { return h("p", { class: "hidden" }, "Its output is hidden without the ", entry(key, "token"), "."); }

function entry(key, words) { return h("button", { type: "button", class: "word", "data-key": "token-" + key, on: { click: askForToken } }, words); }
