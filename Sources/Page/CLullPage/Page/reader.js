// The reader: where they left a place, and content that must not change while they hold it.

// The browser would restore a place before it is drawn.
history.scrollRestoration = "manual";
const stood = new Map();
let isFollowed = false;
let isPressed = false;
/** The timer that runs while a part of the page scrolls: a new part would stand still. */
let scrolling;
let free;

addEventListener("click", (event) => {
  if (!event.target.closest?.("a[href^='#/']")) return;
  stood.set(location.hash, { top: scrollY, key: event.target.closest("a").dataset.key });
  isFollowed = true;
}, { capture: true });

/** A new place starts at its content, and one that the reader comes back to where they left it. */
export function back(main) {
  const known = isFollowed ? undefined : stood.get(location.hash);
  isFollowed = false;
  const link = known?.key && main.querySelector(`[data-key="${CSS.escape(known.key)}"]`);
  (link || main).focus({ preventScroll: true });
  scrollTo(0, known?.top ?? 0);
}

addEventListener("pagehide", () => sessionStorage.setItem("lull-place", JSON.stringify([location.hash, scrollY])));

/** Restores the position in the place after the page was loaded anew. */
export function again() {
  const [hash, top] = JSON.parse(sessionStorage.getItem("lull-place") ?? "[]");
  if (hash === location.hash && top && !scrollY) scrollTo(0, top);
}

/** Whether something is marked or pressed, or scrolls: drawing anew would take it away. */
export function isHeld(main = document.getElementById("main")) {
  const marked = getSelection();
  return isPressed || scrolling !== undefined || (!marked.isCollapsed && main.contains(marked.anchorNode));
}

/** Runs it now, or once the reader lets go. */
export function whenFree(body) {
  free = undefined;
  if (isHeld()) free = body;
  else body();
}

function release() {
  if (!free || isHeld()) return;
  const body = free;
  free = undefined;
  body();
}

addEventListener("pointerdown", () => { isPressed = true; }, { capture: true });
for (const name of ["pointerup", "pointercancel"]) {
  // The click follows this event.
  addEventListener(name, () => { isPressed = false; setTimeout(release); }, { capture: true });
}
document.addEventListener("selectionchange", release);
addEventListener("scroll", (event) => {
  if (event.target === document) return;
  clearTimeout(scrolling);
  scrolling = setTimeout(() => { scrolling = undefined; release(); }, 150);
}, { capture: true, passive: true });
