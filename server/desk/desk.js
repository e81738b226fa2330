// Keys for reading a report: what they do, links do too. The page says which there are, and lets people switch them off.
/** @type {HTMLInputElement | null} */
const box = document.querySelector("#use-keys");
if (box) readByKeys(box);

/** @param {HTMLInputElement} box */
function readByKeys(box) {
  /** @type {HTMLAnchorElement[]} */
  const matches = [...document.querySelectorAll(".text a[id^='m']")];
  let at = -1;  // the match that was read last

  box.checked = stored() !== "off";
  box.addEventListener("change", () => store(box.checked ? "on" : "off"));
  /** @type {HTMLElement} */ (box.closest("[hidden]")).hidden = false;

  /** @param {Element | null} place */
  function go(place) {
    if (!(place instanceof HTMLElement)) return;
    if (!place.hasAttribute("href")) place.tabIndex = -1;
    place.scrollIntoView({block: "center"});
    place.focus({preventScroll: true});
  }

  /** @param {number} step */
  function turn(step) {
    const focused = matches.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    if (focused >= 0) at = focused;
    at = Math.min(Math.max(at + step, 0), matches.length - 1);
    go(matches[at] ?? null);
  }

  /** From a match to its passage, or from a passage to its match. */
  function other() {
    const passage = document.activeElement?.closest("section[id^='p']");
    if (passage) {
      at = matches.findIndex(match => match.id === "m" + passage.id.slice(1));
      go(matches[at] ?? null);
    } else {
      turn(0);
      if (matches[at]) go(document.getElementById("p" + matches[at].id.slice(1)));
    }
  }

  document.addEventListener("keydown", event => {
    const typing = event.target instanceof Element && event.target.closest("input:not([type=checkbox]), select, textarea");
    if (!box.checked || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const latin = /^[a-z0-9]$/.test(event.key);  // in other layouts the place of the key counts
    const key = latin ? event.key : event.code.replace(/^(Key|Digit)/, "").toLowerCase();
    if (key === "n") turn(1);
    else if (key === "p") turn(-1);
    else if (key === "o") other();
    else if (/^[1-5]$/.test(key)) go(document.getElementById("source-" + key));
    else return;
    event.preventDefault();
  });
}

/** @returns {string | null} */
function stored() {
  try {
    return localStorage.getItem("akin-keys");
  } catch {
    return null;  // a browser that keeps nothing
  }
}

/** @param {string} value */
function store(value) {
  try {
    localStorage.setItem("akin-keys", value);
  } catch {}
}
