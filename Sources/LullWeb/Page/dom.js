// Elements from data. Text is only ever text: what plugins print and what tasks are called is never read as HTML.

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
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Puts other children into an element; focus, what is folded out and how far it is scrolled stay as they are. */
export function swap(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const open = new Set([...element.querySelectorAll("details[open][data-key]")].map((part) => part.dataset.key));
  const scrolled = new Map([...element.querySelectorAll("[data-key]")].filter((part) => part.scrollTop || part.scrollLeft)
    .map((part) => [part.dataset.key, [part.scrollTop, part.scrollLeft]]));
  element.replaceChildren(...children.flat(3).filter(Boolean));
  for (const part of element.querySelectorAll("[data-key]")) {
    const key = part.dataset.key;
    if (part.tagName === "DETAILS" && open.has(key)) part.open = true;
    if (scrolled.has(key)) [part.scrollTop, part.scrollLeft] = scrolled.get(key);
    if (key === focused) part.focus({ preventScroll: true });
  }
}

/** A table with a caption, heads with their scope, and in a narrow window each cell under its head's name. */
export function table(caption, heads, rows, attributes = {}) {
  return h("table", attributes,
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, index) =>
      index === 0 ? h("th", { scope: "row" }, cell) : h("td", { "data-label": heads[index] }, cell))))));
}

/** A sentence in which commands and keys stand between backticks. */
export function prose(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

/** Told to everybody who looks, and once to who listens. */
export function say(sentence, isBad = false) {
  const place = document.getElementById("said");
  const line = h("p", { class: isBad ? "bad" : "well" }, sentence);
  place.replaceChildren(line);
  clearTimeout(say.timer);
  say.timer = setTimeout(() => line.remove(), 12000);
}

/** The name of a task without its app's, and the app's where it stands alone. */
export function shortName(task, app) {
  return task.startsWith(app + ".") ? task.slice(app.length + 1) : task;
}
