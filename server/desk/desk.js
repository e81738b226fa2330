// Comforts of the desk, which does everything without them too.
/** @type {HTMLInputElement | null} */
const box = document.querySelector("#use-keys");
const ZONED = new Intl.DateTimeFormat(document.documentElement.lang, {year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short"});
const LARGE = 200_000;  // characters: about as much a form may have to be kept after its session
if (box) readByKeys(box);
if (document.getElementById("findings")) import("./switches.js"), import("./says.js");
if (document.getElementById("beside")) import("./beside.js");
document.querySelectorAll("time").forEach(inZoneOfReader);
document.querySelectorAll("form").forEach(sendDaysOfReader);
for (const form of document.querySelectorAll("form[enctype]")) {
  if (form instanceof HTMLFormElement) showProgress(form);
}

/**
 * Takes files that are dropped on the form, and shows how much of them has been sent. What a browser does after that with the answer is done here.
 * @param {HTMLFormElement} form
 */
function showProgress(form) {
  const bar = form.querySelector("progress"), button = form.querySelector("button"), field = form.elements.namedItem("file");
  const progress = bar?.closest("p"), failure = /** @type {HTMLElement | null} */ (form.querySelector("[role=alert]"));
  form.addEventListener("dragover", event => event.preventDefault());
  form.addEventListener("drop", event => {
    if (!(field instanceof HTMLInputElement) || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    field.files = event.dataTransfer.files;
    field.focus();
  });
  form.addEventListener("submit", event => {
    const text = form.elements.namedItem("text"), ended = /** @type {HTMLElement | null} */ (form.querySelector(".session"));
    if (!bar || !button || !progress || !failure || !ended || !(field instanceof HTMLInputElement)) return;
    const hasFiles = Boolean(field.files?.length);
    if (!hasFiles && !(text instanceof HTMLTextAreaElement && text.value.length > LARGE)) return;
    event.preventDefault();
    failure.hidden = ended.hidden = button.disabled = true;
    progress.hidden = !hasFiles;
    renewToken(form).then(isSignedIn => {
      ended.hidden = isSignedIn;
      if (!isSignedIn) button.disabled = false, progress.hidden = true;
      else if (hasFiles) send(bar);
      else form.submit();
    });
  });

  /** @param {HTMLProgressElement} bar */
  function send(bar) {
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.responseType = "document";
    request.upload.addEventListener("progress", sent => { bar.value = sent.loaded / sent.total; });
    request.addEventListener("load", () => {
      if (request.responseURL !== form.action) location.assign(request.responseURL);
      else if (request.response) show(request.response, form.action);
      else form.submit();  // no page came: the browser shows what there is
    });
    request.addEventListener("error", () => {
      for (const [element, isHidden] of /** @type {const} */ ([[failure, false], [progress, true]])) if (element) element.hidden = isHidden;
      if (button) button.disabled = false;
    });
    request.send(new FormData(form));
  }
}

/**
 * Gives the form the token of the session as it is now. A server that does not answer leaves the form as it is.
 * @param {HTMLFormElement} form
 * @returns {Promise<boolean>} whether nobody must sign in
 */
function renewToken(form) {
  return new Promise(done => {
    const request = new XMLHttpRequest(), page = new URL("./", import.meta.url).href;
    request.open("GET", page);
    request.responseType = "document";
    request.addEventListener("loadend", () => {
      const now = request.response?.querySelector("input[name=form-token]"), own = form.elements.namedItem("form-token");
      if (now instanceof HTMLInputElement && own instanceof HTMLInputElement) own.value = now.value;
      done(!request.responseURL || request.responseURL === page);
    });
    request.send();
  });
}

/**
 * Shows the time in the zone of the reader, which it names. Without a script it is in UTC.
 * @param {HTMLTimeElement} time
 */
function inZoneOfReader(time) {
  const at = new Date(time.dateTime);
  if (isNaN(at.getTime())) return;
  const part = Object.fromEntries(ZONED.formatToParts(at).map(one => [one.type, one.value]));
  time.title = time.textContent ?? "";
  time.textContent = `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute} ${part.timeZoneName}`;
}

/**
 * Has the form send a chosen day as its first or last moment in the zone of the reader. Without a script it is sent as a day of UTC.
 * @param {HTMLFormElement} form
 */
function sendDaysOfReader(form) {
  form.addEventListener("formdata", event => {
    for (const field of form.querySelectorAll("input[type=date]")) {
      if (!(field instanceof HTMLInputElement) || !field.value) continue;
      const time = field.name === "since" ? "00:00:00" : "23:59:59", at = new Date(`${field.value}T${time}`);
      const east = -at.getTimezoneOffset(), two = (/** @type {number} */ number) => String(number).padStart(2, "0");
      const offset = `${east < 0 ? "-" : "+"}${two(Math.trunc(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
      event.formData.set(field.name, `${field.value}T${time}${offset}`);
    }
  });
}

/**
 * A line of the history.
 * @param {string} when @param {string} entry
 */
export function entryOf(when, entry) {
  const line = document.createElement("li"), time = document.createElement("time");
  time.dateTime = when;
  inZoneOfReader(time);
  line.append(time, `, ${entry}`);
  return line;
}

/**
 * Instead of this page.
 * @param {Document} page
 * @param {string} url
 */
function show(page, url) {
  history.pushState(null, "", url);
  addEventListener("popstate", () => location.reload());
  document.replaceChild(page.documentElement, document.documentElement);
  document.querySelectorAll("time").forEach(inZoneOfReader);
  document.querySelectorAll("form").forEach(sendDaysOfReader);
  scrollTo(0, 0);
}

// Keys for reading a report: what they do, links do too. The page says which there are, and lets people switch them off.

/** @param {HTMLInputElement} box */
function readByKeys(box) {
  const matches = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".text a[id^='m']")]);
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
    const focused = matches.findIndex(match => match === document.activeElement);
    if (focused >= 0) at = focused;
    let next = Math.min(Math.max(at + step, 0), matches.length - 1);
    while (matches[next]?.hidden) next += step < 0 ? -1 : 1;
    if (!matches[next]) return;
    at = next;
    go(matches[at] ?? null);
  }

  /** The passage of a match in the text. @param {HTMLAnchorElement | undefined} match */
  function passageOf(match) {
    return match ? document.getElementById(match.hash.slice(1)) : null;
  }

  /** The match or the source at which the reader is. */
  function finding() {
    const active = document.activeElement;
    return passageOf(matches.find(one => one === active)) ?? active?.closest("section[id^='p'], li[id^='source-']");
  }

  /** From a match to its passage, or from a passage to its match. */
  function other() {
    const passage = document.activeElement?.closest("section[id^='p']");
    if (passage) {
      at = matches.findIndex(match => passageOf(match) === passage);
      go(matches[at] ?? null);
    } else {
      turn(0);
      go(passageOf(matches[at]));
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
    else if (key === "x") finding()?.querySelector("button")?.click();
    else if (key === "c") finding()?.dispatchEvent(new Event("say", {bubbles: true}));
    else if (event.key === "?") go(box);
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
