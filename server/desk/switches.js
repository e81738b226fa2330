// The switches of a report: which matches are shown, and which count. The server does the same for forms that a
// browser without scripts sends, and its numbers replace those computed here once a switch is kept.
import {entryOf} from "./desk.js";
/**
 * @typedef {{counted: boolean | null, class: string | null, is_bare: boolean, note?: string}} Mark
 * @typedef {{share: number, source_shares: number[]}} Shares
 * @typedef {Shares & {letters: {compared: number, found: number}}} Decided
 * @typedef {{number: number, year: number, mark: Mark, matches: Match[], base: number}} Source
 * @typedef {{number: number, source: Source, begin: number, end: number, words: number | null, kind: number,
 *   changed: number, mark: Mark, is_shown: boolean, counts: boolean}} Match
 * @typedef {{element: HTMLElement, part: Element | null, matches: Match[], letters: number, style: string}} Piece
 * @typedef {{element: HTMLAnchorElement, part: Element | null, matches: Match[]}} Link
 */

const KINDS = ["hide_quoted", "hide_referenced", "hide_bibliography"], STYLES = 6, BARS = 200, AT_ONCE = 1000;
const idly = globalThis.requestIdleCallback ?? setTimeout;
const data = JSON.parse(document.getElementById("findings")?.textContent ?? "");
/** @type {Record<string, string>} */
export const texts = data.texts;
/** @type {Decided} */
let decided = data.decided;

/** @type {Source[]} */
const sources = data.years.map((/** @type {number} */ year, /** @type {number} */ i) => (
  {number: i + 1, year, mark: {counted: null, class: null, is_bare: true}, matches: [], base: 0}));
/** @type {Match[]} in the order of the text */
const matches = data.source.map((/** @type {number} */ source, /** @type {number} */ i) => {
  const of = /** @type {Source} */ (sources[source - 1]);
  const match = {
    number: i + 1, source: of, begin: data.begin[i], end: data.end[i], words: data.words[i], kind: data.kind[i],
    changed: data.changed[i],
    mark: {counted: null, class: null, is_bare: true}, is_shown: true, counts: true,
  };
  of.matches[data.passage[i] - 1] = match;
  return match;
});
for (const mark of data.marks) {
  const place = found(mark.source, mark.passage);
  if (place) place.mark = mark;
}

/** @type {Piece[]} */
let pieces = [];
/** @type {Link[]} */
let links = [];
/** @type {Map<Match, HTMLElement>} */
let sections = new Map();
idly(prepare);

for (const form of document.querySelectorAll("form")) {
  if (form.method === "get") form.addEventListener("submit", event => { event.preventDefault(); choose(form); });
  if (form.id === "switch") form.addEventListener("submit", event => {
    event.preventDefault();
    if (event.submitter instanceof HTMLButtonElement) press(form, event.submitter.value);
  });
}

document.querySelector(".sources")?.addEventListener("toggle", paintPlots, true);

/** @param {number} source @param {number} passage 0: the source itself @returns {Source | Match | undefined} */
export function found(source, passage) {
  const of = sources[source - 1];
  return passage === 0 ? of : of?.matches[passage - 1];
}

/** Finds the elements that change, once. */
function prepare() {
  if (links.length > 0) return;
  const named = (/** @type {HTMLElement} */ element, /** @type {string} */ others) =>
    (element.dataset.m ?? others).split(" ").map(number => /** @type {Match} */ (matches[Number(number) - 1]));
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".text mark")))
    pieces.push({element, part: element.closest(".part"), matches: named(element, ""), letters: Number(element.dataset.n ?? 0), style: element.className});
  for (const element of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".text a[id^='m']")))
    links.push({element, part: element.closest(".part"), matches: named(element, element.id.slice(1))});
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section[id^='p']")))
    sections.set(/** @type {Match} */ (matches[Number(element.id.slice(1)) - 1]), element);
  count();
  settle();
}

// Shares.

/** @param {Mark} mark */
const says = mark => mark.counted ?? (mark.class === null ? null : mark.class === "borrowing");
/** @param {Source} source */
const sourceCounts = source => says(source.mark) ?? true;
/** @param {Source} source */
const anyCounts = source => sourceCounts(source) || source.matches.some(match => match.counts);

function count() {
  for (const match of matches) match.counts = says(match.mark) ?? sourceCounts(match.source);
}

/** Letters that matches have which count: in all, and those of each source. */
function counted() {
  let all = 0;
  const ofSources = sources.map(() => 0);
  for (const piece of pieces) {
    let last = null;
    for (const match of piece.matches) {
      if (!match.counts || match.source === last) continue;
      if (last === null) all += piece.letters;
      last = match.source;
      ofSources[last.number - 1] = (ofSources[last.number - 1] ?? 0) + piece.letters;
    }
  }
  return {all, ofSources};
}

let base = 0;

/** Takes what the server counts beside the matches that it lists. */
function settle() {
  const now = counted();
  base = decided.letters.found - now.all;
  for (const [i, source] of sources.entries()) {
    const share = decided.source_shares[i] ?? 0;
    if (anyCounts(source)) source.base = share * decided.letters.compared - (now.ofSources[i] ?? 0);
  }
}

function recount() {
  const now = counted(), compared = decided.letters.compared;
  const bounded = (/** @type {number} */ letters) => Math.min(compared, Math.max(0, letters));
  const letters = {compared, found: bounded(base + now.all)};
  decided = {
    letters, share: compared && letters.found / compared,
    source_shares: sources.map((source, i) =>
      (anyCounts(source) && compared ? bounded(Math.round(source.base) + (now.ofSources[i] ?? 0)) / compared : 0)),
  };
}

function showShares() {
  const {found, compared} = decided.letters;
  const sentence = document.getElementById("decided");
  const change = decided.share === data.computed.share ? "" : filled("decided_sentence", percent(data.computed.share),
    percent(decided.share), grouped(found), grouped(compared)) + " ";
  if (sentence) sentence.textContent = change + texts.state_sentence;
  for (const [i, share] of decided.source_shares.entries()) {
    const place = document.querySelector(`#source-${i + 1} .decided`);
    if (place) place.textContent = share === data.computed.source_shares[i] ? "" : ", " + filled("decided_share", percent(share));
  }
}

// What counts.

/** What is kept runs one after another: each needs the revision that the one before made. */
let kept = Promise.resolve(), waiting = 0;

/** @param {HTMLFormElement} form @param {string} value such as "3.17.off" */
function press(form, value) {
  turn(value);
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  body.append("at", value);
  keep(form.action, body).catch(() => {
    turn(value.endsWith(".off") ? value.replace(/off$/, "on") : value.replace(/on$/, "off"));
    form.before(problem());
    form.previousElementSibling?.scrollIntoView({block: "center"});
  });
}

/** Says that a change was not kept. */
export function problem() {
  const element = Object.assign(document.createElement("p"), {className: "error", textContent: texts.switch_failed ?? ""});
  element.setAttribute("role", "alert");
  return element;
}

/** @param {string} value */
function turn(value) {
  prepare();
  const [source = 0, passage = 0] = value.split(".").map(Number), isOn = value.endsWith(".on");
  const place = found(source, passage);
  if (!place) return;
  const byItself = place.mark.class !== null ? place.mark.class === "borrowing" : !("source" in place) || sourceCounts(place.source);
  place.mark.counted = byItself === isOn ? null : isOn;
  count();
  recount();
  showShares();
  show(place);
}

/** Shows what a mark that has changed says. @param {Source | Match} place */
function show(place) {
  paint(partsInView());
  if ("source" in place) describe(place);
  else showState(document.getElementById(`source-${place.number}`), place.mark, sourceCounts(place)), place.matches.forEach(describe);
}

/** @param {Match} match */
const describe = match => showState(sections.get(match) ?? null, match.mark, match.counts);

/** The note and the button of a source or passage. @param {HTMLElement | null} place @param {Mark} mark @param {boolean} counts */
function showState(place, mark, counts) {
  let note = place?.querySelector(":scope > .note");
  if (counts && mark.counted === null && mark.is_bare) {
    note?.remove();
  } else {
    if (!note) {
      note = Object.assign(document.createElement("p"), {className: "note"});
      note.append(document.createElement("span"));
      place?.querySelector(":scope > .pair, :scope > .screen")?.before(note);
    }
    const state = note.querySelector("span");
    if (state) state.textContent = (counts ? texts.counts : texts.does_not_count) ?? "";
    if (state && mark.note !== undefined) note.replaceChildren(state, mark.note);
  }
  const button = place?.querySelector("button");
  if (!button) return;
  button.value = button.value.replace(/\w+$/, counts ? "off" : "on");
  button.textContent = (counts ? texts.switch_off : texts.switch_on) ?? "";
}

/**
 * Has the server keep a change. `place` has the mark once it is kept.
 * @param {string} action @param {URLSearchParams} body @param {Source | Match} [place] @param {Mark} [mark]
 */
export function keep(action, body, place, mark) {
  ++waiting;
  const sent = kept.then(async () => {
    body.set("revision", revision());
    const answer = await fetch(action, {method: "POST", headers: {Accept: "application/json"}, body});
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json();
  }).finally(() => --waiting).then(({revision: made, time, entry, ...shares}) => {
    const history = document.getElementById("history");
    if (history && `${made}` !== revision()) {
      for (const hidden of [history, ...history.querySelectorAll("[hidden]")]) hidden.removeAttribute("hidden");
      history.querySelector("ol")?.append(entryOf(time, entry));
    }
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=revision]")))
      field.value = made;
    if (place && mark) place.mark = mark, prepare(), count(), show(place);
    if (waiting > 0) return;
    decided = shares;
    settle();
    showShares();
  });
  kept = sent.catch(() => {});
  return sent;
}

export const revision = () => /** @type {HTMLInputElement | null} */ (document.querySelector("#switch input[name=revision]"))?.value ?? "";

// Which matches are shown.

/** @param {HTMLFormElement} form */
function choose(form) {
  prepare();
  const wanted = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  for (const [name, value] of [...wanted]) if (value === "" || value === "0") wanted.delete(name);
  const number = (/** @type {string} */ name) => Number(wanted.get(name) ?? 0);
  const source = number("source"), least = number("words"), from = number("from"), to = number("to");
  const hidden = KINDS.reduce((bits, name, i) => bits | (wanted.has(name) ? 1 << i : 0), 0);
  const is = wanted.get("class"), hasYears = from > 0 || to > 0;
  for (const match of matches) {
    const year = match.source.year;
    match.is_shown = (source === 0 || match.source.number === source) && (match.words ?? least) >= least &&
      (match.kind & hidden) === 0 && (is === null || (match.mark.class ?? match.source.mark.class) === is) &&
      (!hasYears || (year > 0 && year >= from && (to === 0 || year <= to)));
  }
  const isAny = wanted.toString() !== "";
  const seen = partsInView();
  paint(seen);
  spread(links, seen, showLink);
  showPassages(isAny);
  const status = document.getElementById("shown");
  if (status) {
    status.hidden = !isAny;
    status.textContent = filled("shown_count", grouped(matches.filter(match => match.is_shown).length), grouped(matches.length));
  }
  history.replaceState(null, "", isAny ? "?" + wanted : location.pathname);
}

/** The sections of the text that a reader sees, or is about to see. */
function partsInView() {
  return new Set([...document.querySelectorAll(".text .part")].filter(part => {
    const {top, bottom} = part.getBoundingClientRect();
    return bottom > -innerHeight && top < 2 * innerHeight;
  }));
}

/** @type {Map<object, object[]>} what is left to do of each list */
const left = new Map();
/**
 * Does at once what is in view; of many, the others when the browser has time, unless that is asked for again.
 * @template {{part: Element | null}} One @param {One[]} list @param {Set<Element>} seen @param {(one: One) => void} act
 */
function spread(list, seen, act) {
  const rest = list.filter(one => (list.length > AT_ONCE && !(one.part && seen.has(one.part))) || act(one));
  left.set(list, rest);
  const proceed = () => {
    if (left.get(list) !== rest || rest.length === 0) return;
    rest.splice(0, AT_ONCE).forEach(act);
    idly(proceed);
  };
  idly(proceed);
}

/** Marks, and the map, which show the first source that counts. @param {Set<Element>} seen */
function paint(seen) {
  spread(pieces, seen, piece => {
    const first = piece.matches.find(match => match.is_shown && match.counts) ?? piece.matches.find(match => match.is_shown);
    const style = first ? styleOf(first) : "none";
    if (style !== piece.style) piece.element.className = piece.style = style;
  });
  paintPlots();
  document.querySelector(".map")?.replaceChildren(...bars());
}

/** The maps of sources that are open. */
function paintPlots() {
  for (const link of /** @type {NodeListOf<SVGAElement>} */ (document.querySelectorAll("details[open] > .plot a"))) {
    const match = matches[Number(link.getAttribute("href")?.slice(2)) - 1];
    if (match) link.firstElementChild?.setAttribute("class", match.is_shown ? styleOf(match) : "none");
  }
}

/** @param {Match} match */
const styleOf = match => (match.counts ? `s${(match.source.number - 1) % STYLES + 1}` : "off");

function bars() {
  /** @type {(Match | undefined)[]} */
  const first = Array(BARS + 1);
  for (const match of sources.flatMap(source => source.matches)) {
    if (!match.is_shown) continue;
    const last = Math.max(match.begin + 1, match.end) - 1;
    for (let bar = Math.floor(match.begin * BARS / data.size); bar <= last * BARS / data.size && bar < BARS; ++bar) {
      const other = first[bar];
      if (!other || (match.counts !== other.counts ? match.counts : match.begin < other.begin)) first[bar] = match;
    }
  }
  const made = [];
  for (let begin = 0, end = 0; begin < BARS; begin = end) {
    const match = first[begin];
    for (end = begin + 1; end < BARS && first[end] === match;) ++end;
    if (!match) continue;
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect"), link = document.createElementNS(bar.namespaceURI, "a");
    for (const [name, value] of Object.entries({class: styleOf(match), x: begin, width: end - begin, height: 10})) bar.setAttribute(name, `${value}`);
    link.setAttribute("href", `#m${match.number}`);
    link.setAttribute("tabindex", "-1");
    link.append(bar);
    made.push(link);
  }
  return made;
}

/** @param {Link} link */
function showLink({element, matches: begun}) {
  const shown = begun.filter(match => match.is_shown);
  const first = shown.reduce((one, other) => (other.source.number < one.source.number ? other : one), shown[0] ?? /** @type {Match} */ (begun[0]));
  if (element.hidden !== (shown.length === 0)) element.hidden = shown.length === 0;
  if (begun.length < 2 || shown.length === 0) return;
  const others = shown.filter(match => match !== first).map(match => match.source.number).join(", ");
  const label = filled("match_label", grouped(first.number), grouped(matches.length), grouped(first.source.number)) +
    (first.changed > 0 ? filled("match_changed", grouped(first.changed)) : "") + (others && filled("match_also", others));
  element.href = `#p${first.number}`;
  element.title = label;
  element.setAttribute("aria-label", label);
  element.textContent = `[${first.source.number}${shown.length > 1 ? ` +${shown.length - 1}` : ""}]`;
}

/**
 * A browser takes a second to give up the boxes of thousands of passages (display: none); it keeps those of a source that is gone.
 * @param {boolean} isAny whether a source without a match that is shown is hidden
 */
function showPassages(isAny) {
  /** @type {Map<HTMLElement, boolean>} */
  const blocks = new Map();
  for (const source of sources) {
    const item = document.getElementById(`source-${source.number}`), isHidden = isAny && !source.matches.some(match => match.is_shown);
    item?.classList.toggle("gone", isHidden);
    if (isHidden) continue;
    for (const match of source.matches) {
      const block = sections.get(match)?.parentElement;
      if (block) blocks.set(block, blocks.get(block) || match.is_shown);
    }
    for (const match of source.matches) {
      const section = sections.get(match);
      if (section && section.hidden === match.is_shown && blocks.get(section.parentElement ?? section)) section.hidden = !match.is_shown;
    }
  }
  for (const [block, hasAny] of blocks) if (block.hidden === hasAny) block.hidden = !hasAny;
}

// Texts, as the server writes them.

/** @param {string} name @param {string[]} values */
function filled(name, ...values) {
  return (texts[name] ?? "").replace(/%([1-9])/g, (whole, digit) => values[digit - 1] ?? whole);
}

/** @param {number} value */
const grouped = value => String(value).replace(/\B(?=(\d{3})+$)/g, texts.thousands_mark ?? "");

/** @param {number} share */
function percent(share) {
  const isLittle = share > 0 && Math.round(share * 1000) === 0;
  const tenths = isLittle ? 1 : Math.min(Math.round(share * 1000), share < 1 ? 999 : 1000);
  return `${isLittle ? "<" : ""}${Math.floor(tenths / 10)}${texts.decimal_point}${tenths % 10}\u00a0%`;
}
