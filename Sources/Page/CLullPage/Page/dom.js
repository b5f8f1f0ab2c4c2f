// Elements from data. Text stays text: the output of plugins and the names of tasks are never read as HTML.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    } else if (name === "at") {
      // Through the object model: the page's own rule forbids style attributes.
      for (const [property, length] of Object.entries(value)) element.style.setProperty(property, length);
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(4).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Replaces the children of an element; focus, input, open parts and scroll positions stay as they are. */
export function swap(element, ...children) {
  const active = element.contains(document.activeElement) ? document.activeElement : undefined;
  const focused = active?.dataset.key;
  const written = active?.matches("input:not([type=checkbox])") ? [active.value, active.selectionStart, active.selectionEnd] : undefined;
  const beside = [...active?.closest(".buttons")?.querySelectorAll("[data-key]") ?? []].map((one) => one.dataset.key);
  const open = new Set([...element.querySelectorAll("details[open][data-key]")].map((part) => part.dataset.key));
  const scrolled = new Map([...element.querySelectorAll("[data-key]")].filter((part) => part.scrollTop || part.scrollLeft)
    .map((part) => [part.dataset.key, [part.scrollTop, part.scrollLeft]]));
  element.replaceChildren(...children.flat(3).filter(Boolean));
  let isFocused = false;
  for (const part of element.querySelectorAll("[data-key]")) {
    const key = part.dataset.key;
    if (part.tagName === "DETAILS" && open.has(key)) part.open = true;
    if (scrolled.has(key)) [part.scrollTop, part.scrollLeft] = scrolled.get(key);
    if (key !== focused || isFocused) continue;
    isFocused = true;
    part.focus({ preventScroll: true });
    if (!written) continue;
    part.value = written[0];
    part.setSelectionRange(written[1], written[2]);
  }
  if (!active || isFocused) return;
  // The focused button has gone: focus the one in its place, or at least not the beginning of the page.
  const row = beside.map((key) => element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.closest(".buttons")).find(Boolean);
  const buttons = [...row?.querySelectorAll("button") ?? []];
  (buttons[Math.min(beside.indexOf(focused), buttons.length - 1)] ?? element).focus({ preventScroll: true });
}

/** A table with a caption, heads with their scope, and in a narrow window each cell under its head's name. */
export function table(caption, heads, rows, attributes = {}) {
  const isEmpty = (cell) => cell === undefined || cell === null || cell === "";
  return h("table", attributes,
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col", "aria-sort": [head].flat().find((one) => one.dataset?.sorted)?.dataset.sorted }, head)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, index) =>
      index === 0 ? h("th", { scope: "row" }, cell) : h("td", { "data-label": heads[index]?.textContent ?? heads[index], class: isEmpty(cell) && "none" }, cell))))));
}

/** A sentence in which backticks enclose commands and keys. */
export function prose(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

/** An identifier, which breaks only behind a point, an underscore, a slash or a hyphen. */
export function named(text, attributes = {}) {
  const parts = text.split(/(?<=[._/-])/);
  return h("span", { ...attributes, class: "id " + (attributes.class ?? "") }, parts.map((part, index) => (index ? [h("wbr"), part] : part)));
}

/** Shows a sentence for a while, which screen readers read once; an empty one removes the last one. */
export function say(sentence, isBad = false) {
  const place = document.getElementById("said");
  if (!sentence) return place.replaceChildren();
  const line = h("p", { class: isBad ? "bad" : "well" }, sentence);
  place.replaceChildren(line);
  clearTimeout(say.timer);
  say.timer = setTimeout(() => line.remove(), 12000);
}

/** The name of a task without its app's name, if it begins with that. */
export function shortName(task, app) {
  return task.startsWith(app + ".") ? task.slice(app.length + 1) : task;
}

const glyphs = {
  ran: ["✓", "ran"], failed: ["✗", "failed"], cut: ["✂", "cut short"], held: ["○", "did not run"], quiet: ["·", "nothing was due"], open: ["▸", "under way"],
};

/** A sign and, for screen readers, its word. */
export function mark(word) {
  const [glyph, text] = glyphs[word];
  return h("span", { class: "glyph " + word }, h("span", { "aria-hidden": "true" }, glyph), h("span", { class: "unseen" }, text));
}

/** The last output of a run, as it is. */
export function quote(lines, run) {
  return lines?.length ? h("pre", { class: "quote", "aria-label": `What run ${run} printed last` }, lines.map((line) => line.trim()).join("\n")) : null;
}

/** A reason without the output that it quotes, where that stands beside it. */
export function unquoted(reason) { return (reason ?? "").split("; it printed last: ")[0]; }

/** A part that can be folded; whether it is open stands in the address. */
export function fold(view, key, usually, head, body, attributes = {}) {
  const open = view.find ? true : view.isOpen(key, usually);
  const part = h("details", {
    ...attributes, open, on: { toggle: () => { if (!view.find) view.note(key, part.open, usually); } },
  }, h("summary", { "data-key": "fold-" + key }, head), body);
  return part;
}

/** A field to find something in what is shown. */
export function finder(label, value, changed) {
  return h("p", { class: "find" }, h("label", { for: "find" }, label), " ",
    h("input", {
      id: "find", type: "search", value, autocomplete: "off", spellcheck: "false", maxlength: "200", "data-key": "find",
      on: { input: (event) => changed(event.target.value) },
    }));
}

/** How many of a part are not listed, and the way to them. A folded part was not asked for. */
export function rest(count, view, key, usually) {
  if (count <= 0) return null;
  if (!view.find && !view.isOpen(key, usually)) return h("p", { class: "dim" }, "Asking the host …");
  return h("p", { class: "dim" }, `${count} more. `, view.more ? "Find them by name." : h("button", { type: "button", "data-key": "more", on: { click: view.showMore } }, "List more"));
}
