// The view is in the address, so that it can be sent to a colleague: a place, and behind ? its filters.

function plain(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** The part behind the #: overview, task/ID, app/ID, run/NUMBER, conditions or history; and its filters. */
export function place() {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const [, name = "", id = ""] = path.split("/");
  return { name, id: plain(id), asked: new URLSearchParams(query) };
}

/** The address of a place; what is empty is left out. */
export function address(name, id, asked = {}) {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== undefined && value !== ""));
  return "#/" + name + (id ? "/" + encodeURIComponent(id) : "") + (query.size ? "?" + query : "");
}

/** Changes the filters of the place, without a step back in the browser for each letter. */
export function narrow(changes) {
  const { name, id, asked } = place();
  history.replaceState(null, "", address(name, id, { ...Object.fromEntries(asked), ...changes }));
}

/** Whether a part that can be folded is open: as the address says, else as it usually is. */
export function isOpen(key, usually) {
  return listed(usually ? "shut" : "open").has(key) !== usually;
}

function listed(name) { return new Set((place().asked.get(name) ?? "").split(",").filter(Boolean)); }

/** Notes that a part was folded out or in; returns whether that is new. */
export function note(key, open, usually) {
  const name = usually ? "shut" : "open";
  const keys = listed(name);
  if (keys.has(key) === (open !== usually)) return false;
  if (open !== usually) keys.add(key);
  else keys.delete(key);
  narrow({ [name]: [...keys].join(",") });
  return true;
}
