// Reads a text beside its sources: two panes, each of which follows the other by the matches, as landmarks.

const button = document.getElementById("beside"), list = document.querySelector(".sources"), text = document.querySelector(".text");
const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".text a[id^='m']")]);
/** @type {Element | null} the pane that the reader moves */
let leader = text;
/** @type {Element | null} of the other pane, to which it was moved last */
let landmark = null;

if (button && list && text && links.length > 0) {
  const bar = /** @type {HTMLElement} */ (button.closest("[hidden]"));
  bar.hidden = false;
  bar.classList.add("bar");
  const names = [button.textContent, button.dataset.end ?? ""];
  button.addEventListener("click", () => {
    const isOn = document.documentElement.classList.toggle("beside");
    button.textContent = names[isOn ? 1 : 0] ?? "";
    if (isOn) lead(text, list);
    else button.scrollIntoView({block: "center"});
  });
  lead(text, list);
  for (const [pane, other] of /** @type {[Element, Element][]} */ ([[text, list], [list, text]])) {
    for (const event of ["pointerenter", "pointerdown", "wheel", "touchstart", "focusin", "keydown"])
      pane.addEventListener(event, () => { leader = pane; }, {passive: true});
    pane.addEventListener("scroll", () => { if (leader === pane) lead(pane, other); }, {passive: true});
  }
}

/**
 * Moves the other pane to the match in the middle of this one.
 * @param {Element} pane
 * @param {Element} other
 */
function lead(pane, other) {
  if (!document.documentElement.classList.contains("beside")) return;
  const box = pane.getBoundingClientRect(), middle = box.top + box.height / 2;
  const at = document.elementFromPoint(box.left + box.width / 2, middle);
  if (!at || !pane.contains(at)) return;
  const section = at.closest("section[id^='p']");
  const place = pane === text ? passageOf(linkBefore(at, middle)) : section && links.find(link => passageOf(link) === section);
  if (!place || place === landmark || !other.contains(place)) return;
  landmark?.classList.remove("now");
  landmark = place;
  place.classList.add("now");
  place.scrollIntoView({block: "center"});
}

/** @param {HTMLAnchorElement | undefined} link */
function passageOf(link) {
  return link ? document.getElementById(link.hash.slice(1)) : null;
}

/**
 * The last match that begins above the height. `at` is what stands there.
 * @param {Element} at
 * @param {number} height
 */
function linkBefore(at, height) {
  let low = 0, high = links.length;
  while (low < high) {
    const middle = (low + high) >> 1, link = links[middle];
    if (link && link.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING) low = middle + 1;
    else high = middle;
  }
  for (let link = links[low]; link && at.contains(link) && link.getBoundingClientRect().top <= height; link = links[++low]);
  return links.slice(0, low).filter(link => !link.hidden).at(-1);
}

export {};
