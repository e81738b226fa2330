// Says what a source or a match is, in a box over the report: with the fields of the page that does it without a script.
import {found, keep, problem, revision, texts} from "./switches.js";

/** @type {HTMLElement | null} */
const list = document.querySelector("#switch .sources");
list?.addEventListener("click", event => {
  if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const place = event.target.closest("a[href*='/marks?'], button.say")?.closest("section[id^='p'], li[id^='source-']");
  if (!place) return;
  event.preventDefault();
  say(place);
});
list?.addEventListener("say", event => { if (event.target instanceof Element) say(event.target); });
for (const event of ["pointerover", "focusin"]) list?.addEventListener(event, ({target}) => { if (target instanceof Element) offer(target); });

/**
 * A match gets its button once a reader comes to it: ten thousand would take a browser a while.
 * @param {Element} target
 */
function offer(target) {
  const section = target.closest("section[id^='p']"), link = linkOf(section);
  if (!section || !link || section.querySelector(".say")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "say";
  button.textContent = link.textContent;
  section.querySelector(":scope > button")?.after(" ", button);
}

/**
 * To the page that says what the source of this place is.
 * @param {Element | null} place
 * @returns {HTMLAnchorElement | null | undefined}
 */
function linkOf(place) {
  return place?.closest("li[id^='source-']")?.querySelector(":scope > .screen > a");
}

/** @param {Element} place a source or one of its matches */
async function say(place) {
  const link = linkOf(place);
  const [source = 0, passage = 0] = (place.querySelector("button")?.value ?? "").split(".").map(Number);
  const finding = found(source, passage);
  if (!link || !finding) return;
  const form = await formAt(link.href);
  if (!form || fieldOf(form, "revision")?.value !== revision()) return location.assign(link.href);
  for (const one of [...form.children])
    if (!one.matches("input, h2") && !one.querySelector(`#what-${passage}, #remark-${passage}, button`)) one.remove();
  const title = form.querySelector("h2") ?? document.createElement("h2");
  title.id = "said";
  title.textContent = place.querySelector("h3, h4")?.firstChild?.textContent?.replace(/ [–-] $/, "") ?? "";
  const cancel = document.createElement("button");
  cancel.type = "button";
  cancel.textContent = texts.cancel ?? "";
  form.querySelector("button")?.after(" ", cancel);
  form.prepend(title);
  const box = document.createElement("dialog");
  box.setAttribute("aria-labelledby", title.id);
  box.append(form);
  document.body.append(box);
  cancel.addEventListener("click", () => box.close());
  box.addEventListener("close", () => box.remove());
  form.addEventListener("submit", event => {
    event.preventDefault();
    keep(form.action, new URLSearchParams(/** @type {any} */ (new FormData(form))), finding, markOf(form, passage, finding.mark))
      .then(() => box.close(), () => form.prepend(problem()));
  });
  box.showModal();
}

/**
 * @param {string} url of a page with a form for marks
 * @returns {Promise<HTMLFormElement | null | undefined>}
 */
function formAt(url) {
  return new Promise(done => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.addEventListener("loadend", () => {
      /** @type {HTMLFormElement | null | undefined} */
      const form = request.response?.querySelector("form[action$='/marks']");
      done(form && document.adoptNode(form));
    });
    request.send();
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function fieldOf(form, name) {
  return /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));
}

/**
 * What the fields make of a mark.
 * @param {HTMLFormElement} form
 * @param {number} passage
 * @param {import("./switches.js").Mark} before
 */
function markOf(form, passage, before) {
  const what = fieldOf(form, `what-${passage}`)?.value ?? "", remark = fieldOf(form, `remark-${passage}`)?.value ?? "";
  const isNamed = what !== "" && what !== "off" && what !== "as is";
  const of = what === "as is" ? before.class : isNamed ? what : null;
  const name = form.querySelector(`#what-${passage} option[value="${of}"]`)?.textContent;
  return {
    counted: what === "as is" ? before.counted : what === "off" ? false : null, class: of, is_bare: of === null && remark === "",
    note: (of && name ? `: ${name}` : "") + (remark && ` – ${remark}`),
  };
}
