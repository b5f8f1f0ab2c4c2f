// An accessibility audit of the page in its current state: returns a list of faults.
(() => {
  const wrong = [];
  const visible = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && getComputedStyle(element).visibility !== "hidden" && !element.closest("details:not([open]) > :not(summary)");
  };
  const what = (element) => `<${element.tagName.toLowerCase()} class="${element.className}"> "${element.textContent.trim().slice(0, 40)}"`;

  // Names, roles, order.
  if (!document.documentElement.lang) wrong.push("the page has no language");
  if (!document.title) wrong.push("the page has no title");
  for (const tag of ["main", "header", "footer", "nav"]) if (document.querySelectorAll(tag).length !== 1) wrong.push(`there is not one ${tag}`);
  if (document.querySelectorAll("h1").length !== 1) wrong.push("there is not one h1");
  let level = 0;
  for (const head of document.querySelectorAll("main h1, main h2, main h3, main h4")) {
    const own = Number(head.tagName[1]);
    if (own > level + 1) wrong.push(`a level is left out before ${what(head)}`);
    level = own;
  }
  const name = (element) => element.getAttribute("aria-label") || element.textContent.trim() || element.title
    || (element.labels && [...element.labels].map((label) => label.textContent.trim()).join(" "))
    || (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent.trim() ?? "").join(" ").trim();
  for (const element of document.querySelectorAll("a, button, input, select, summary, progress, [role=region], nav, section[aria-labelledby]")) {
    if (!name(element)) wrong.push(`has no name: ${what(element)}`);
  }
  for (const table of document.querySelectorAll("table")) {
    if (!table.caption?.textContent) wrong.push("a table has no caption");
    for (const head of table.querySelectorAll("th")) if (!head.scope) wrong.push(`has no scope: ${what(head)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids) if (ids.filter((other) => other === id).length > 1) wrong.push(`twice: #${id}`);
  for (const element of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
    for (const id of ((element.getAttribute("aria-labelledby") ?? "") + " " + (element.getAttribute("aria-describedby") ?? "")).split(" ").filter(Boolean)) {
      if (!document.getElementById(id)) wrong.push(`there is no #${id}`);
    }
  }
  if (document.querySelector("[tabindex]:not([tabindex='0']):not([tabindex='-1'])")) wrong.push("an order of its own");
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`wider than its window: ${document.documentElement.scrollWidth} > ${innerWidth}`);

  // An identifier breaks only between its parts, unless a part does not fit into a line.
  for (const element of document.querySelectorAll(".id")) {
    if (!visible(element)) continue;
    for (const node of element.childNodes) {
      if (node.nodeType !== 3) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
      if (lines > 1 && node.textContent.length < 30) wrong.push(`broken in a word: ${what(element)}`);
    }
  }
  // The label of a visible cell is followed by text.
  for (const cell of document.querySelectorAll("td[data-label]")) {
    if (visible(cell) && !cell.textContent.trim() && getComputedStyle(cell, "::before").content !== "none") wrong.push(`nothing behind its label: ${cell.dataset.label}`);
  }

  // Contrast, by the formula of WCAG 2.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.push(parse(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((under, layer) => over(layer, under), parse(getComputedStyle(document.documentElement).backgroundColor));
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const told = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !visible(element) || element.closest("[aria-hidden=true], .unseen, noscript, button:disabled")) continue;
    const back = behind(element);
    const front = over(parse(getComputedStyle(element).color), back);
    const [high, low] = [light(front), light(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const line = `contrast ${ratio.toFixed(2)}: ${what(element)}`;
    if (ratio < 4.5 && !told.has(line)) wrong.push(line);
    told.add(line);
  }

  // Targets for touch and click are large enough; links within text may be as high as their line.
  for (const element of document.querySelectorAll("button, input, summary")) {
    const box = element.getBoundingClientRect();
    if (visible(element) && (box.height < 24 || box.width < 24)) wrong.push(`too small: ${what(element)} ${box.width}x${box.height}`);
  }
  return wrong;
})()
