// The token: what is hidden from who has none, why, and what shows it.

import { h } from "./dom.js";

let file = "http-token";
let user = "";

/** As a shell reads it. */
function quoted(path) { return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`; }

function command() { return [`As ${user}, `, h("code", {}, "cat " + quoted(file)), " prints the token"]; }

/** Where the host keeps it, for the sentences that name it. */
export function setToken(status) {
  if (!status.token_file) return;
  [file, user] = [status.token_file, status.token_user];
  document.getElementById("token-note").replaceChildren(...command(),
    ". It shows what runs printed and lets the buttons act; this tab keeps it.");
}

export function askForToken() { document.getElementById("token").focus(); }

/** Stands where a cause would stand. */
export function hidden(key) {
  return h("p", { class: "hidden" }, "What it printed is hidden, for it may hold secrets. ", command(), ": ", entry(key, "enter it"), ".");
}

/** Stands where a command line would stand. */
export function hiddenCommand(key) { return ["its command is hidden without the ", entry(key, "token")]; }

/** The same where another has said how. */
export function alsoHidden(key) { return h("p", { class: "hidden" }, "What it printed is hidden without the ", entry(key, "token"), "."); }

function entry(key, words) { return h("button", { type: "button", class: "word", "data-key": "token-" + key, on: { click: askForToken } }, words); }
