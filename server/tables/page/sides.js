// Two texts side by side, what they share marked and linked; keys.

/** @type {Pair | null} */
let opened = null;   // the pair on display
/** Where the view is shown, there is one. */
const shown = () => /** @type {Pair} */ (opened);
/** @type {{at: [[number, number], [number, number]], size: number, unit: string}[]} */
let passages = [];   // its passages
let now = -1;        // the current passage
/** @param {number} index */
const hue = (index) => (index * 137.508 + 205) % 360;

/** Turns positions in code points into positions in a string, in one pass. `positions` ascend. @param {string} text @param {number[]} positions */
function stringPositions(text, positions) {
  const places = new Map();
  let unit = 0, point = 0;
  for (const position of positions) {
    for (; point < position && unit < text.length; ++point) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    places.set(position, unit);
  }
  return places;
}

/** The text as nodes: shared passages as marks, each preceded by its number. @param {string} text @param {0 | 1} side */
function textNodes(text, side) {
  const starts = new Map(), ends = new Map();
  passages.forEach((passage, index) => {
    const [begin, end] = passage.at[side];
    starts.set(begin, [...(starts.get(begin) ?? []), index]);
    ends.set(end, [...(ends.get(end) ?? []), index]);
  });
  const positions = [...new Set([...starts.keys(), ...ends.keys()])].sort((a, b) => a - b);
  const places = stringPositions(text, positions);
  const fragment = document.createDocumentFragment();
  /** @type {Set<number>} */
  const active = new Set();
  let done = 0;
  const take = (/** @type {number} */ end) => {
    if (end > done) {
      const piece = text.slice(done, end);
      if (active.size === 0) {
        fragment.append(piece);
      } else {
        const mark = made('mark', { textContent: piece });
        mark.dataset.passages = ' ' + [...active].join(' ') + ' ';
        mark.style.setProperty('--hue', String(hue([...active].at(-1) ?? 0)));
        fragment.append(mark);
      }
    }
    done = end;
  };
  for (const position of positions) {
    take(places.get(position));
    for (const index of ends.get(position) ?? []) active.delete(index);
    for (const index of starts.get(position) ?? []) {
      if ((passages[index]?.at[side][1] ?? 0) > position) active.add(index);
      fragment.append(stepNode(index, side));
    }
  }
  take(text.length);
  return fragment;
}

/** @param {number} index @param {0 | 1} side */
function stepNode(index, side) {
  const node = made('a', { className: 'step', href: opens(shown()), id: 'passage-' + side + '-' + index, textContent: counted.format(index + 1) });
  node.dataset.index = String(index);
  node.tabIndex = -1;
  node.style.setProperty('--hue', String(hue(index)));
  node.setAttribute('aria-label', said('Passage %1, to the other text', index + 1));
  return node;
}

/** @param {0 | 1} side */
function showSide(side) {
  const one = shown().documents[side];
  const measure = side === 0 ? shown().containment : shown().contained;
  const other = side === 0 ? 'B' : 'A';
  const head = made('header', {}, made('h2', { id: 'title-' + side }, made('bdi', { textContent: nameOf(one) }),
    one.url ? made('a', { className: 'origin', href: one.url, target: '_blank', rel: 'noopener noreferrer', textContent: ' ↗' }) : ''),
    made('p', {}, made('bdi', { textContent: one.id }), ' · ' + said('characters: %1 · %2 of it in %3', counted.format(one.characters), share(measure), other)));
  const text = made('div', { className: 'text', dir: 'auto' });
  text.append(textNodes(one.text, side));
  const article = element('side-' + side);
  article.tabIndex = 0;
  article.replaceChildren(head, text);
  article.classList.remove('glide');
  article.scrollTop = 0;
}

/** At most this many passages are drawn between the texts, the largest. */
const mostLinks = 2000;

function showLinks() {
  const make = (/** @type {string} */ name, /** @type {object} */ attributes) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
    return /** @type {SVGElement} */ (node);
  };
  const lengths = shown().documents.map((one) => Math.max(1, one.characters));
  const y = (/** @type {0 | 1} */ side, /** @type {number} */ position) => (1000 * position / (lengths[side] ?? 1)).toFixed(2);
  const largest = passages.map((passage, index) => ({ passage, index })).sort((a, b) => b.passage.size - a.passage.size).slice(0, mostLinks);
  const shapes = largest.map(({ passage, index }) => {
    const [a, b] = passage.at;
    const shape = make('polygon', { points: `0,${y(0, a[0])} 100,${y(1, b[0])} 100,${y(1, b[1])} 0,${y(0, a[1])}`, 'data-index': index });
    shape.style.setProperty('--hue', String(hue(index)));
    return shape;
  });
  const seen = [0, 1].map((side) => make('rect', { class: 'seen', id: 'seen-' + side, x: side * 80, width: 20, y: 0, height: 0 }));
  element('links').replaceChildren(...seen, ...shapes);
  [0, 1].forEach(showSeen);
}

/** Which part of a text is in sight. @param {number} side */
function showSeen(side) {
  const article = element('side-' + side), text = article.querySelector('.text'), box = element('seen-' + side);
  if (!text || !box || text.offsetHeight === 0) return;
  const top = article.scrollTop - text.offsetTop;
  const begin = Math.max(0, top), end = Math.min(text.offsetHeight, top + article.clientHeight);
  box.setAttribute('y', 1000 * begin / text.offsetHeight);
  box.setAttribute('height', Math.max(0, 1000 * (end - begin) / text.offsetHeight));
}

/** @param {number} index */
function goTo(index, glide = true) {
  if (index < 0 || index >= passages.length) return;
  now = index;
  for (const node of document.querySelectorAll('mark.now, polygon.now')) node.classList.remove('now');
  for (const mark of document.querySelectorAll(`mark[data-passages~="${index}"]`)) mark.classList.add('now');
  document.querySelector(`polygon[data-index="${index}"]`)?.classList.add('now');
  for (const side of [0, 1]) {
    const article = element('side-' + side), step = element('passage-' + side + '-' + index);
    article.classList.toggle('glide', glide);
    const offset = step.getBoundingClientRect().top - article.getBoundingClientRect().top;
    article.scrollTop += offset - article.clientHeight / 4;
  }
  showPassage();
}

function showPassage() {
  const many = passages.length;
  element('passage').textContent = many === 0 ? said('no passage') : now < 0 ? said('passages: %1', counted.format(many))
    : said('passage %1 of %2', counted.format(now + 1), counted.format(many));
  const passage = passages[now];
  element('passage').title = passage ? said(passage.unit, counted.format(passage.size)) : '';
  element('passage-before').disabled = now <= 0;
  element('passage-after').disabled = now + 1 >= many;
}

function showLabel() {
  for (const button of element('labels').querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String((button.dataset.label || 'none') === kindOf(shown())));
  }
  element('given').textContent = ['', 'yes', 'no'].includes(shown().label) ? '' : said(shown().label);
}

/** Of the pairs that the table lists and that can be read, the one so many after the one that is shown. @param {number} step */
function neighbour(step) {
  const all = listed().filter(readable);
  const at = all.indexOf(shown());
  return at < 0 ? undefined : all[at + step];
}

/** @param {Pair} pair */
function showPair(pair) {
  opened = pair;
  now = -1;
  passages = (pair.passages ?? []).map(([a = 0, aEnd = 0, b = 0, bEnd = 0, features = 0, words = 0]) => ({
    at: [[a, aEnd], [b, bEnd]], size: words || features, unit: words ? 'matched words: %1' : 'common features: %1',
  }));
  element('list').hidden = true;
  element('view').hidden = false;
  showSide(0);
  showSide(1);
  showLinks();
  showPassage();
  showLabel();
  element('place').textContent = said('pair %1 of %2', counted.format(pair.rank), counted.format(pairs.length));
  element('measures').replaceChildren(said('common: '), made('b', { textContent: counted.format(pair.x) }), said('; resemblance: '), made('b', { textContent: share(pair.resemblance) }));
  element('pair-before').disabled = !neighbour(-1);
  element('pair-after').disabled = !neighbour(1);
  document.title = nameOf(pair.documents[0]) + ' – ' + nameOf(pair.documents[1]);
  goTo(0, false);
  element('side-0').focus({ preventScroll: true });
}

function showList() {
  const last = opened;
  opened = null;
  element('view').hidden = true;
  element('list').hidden = false;
  document.title = said('Pairs of texts');
  showTable();
  /** @type {HTMLElement | null | undefined} */ (last?.row.querySelector('td:first-child a'))?.focus();
}

/** Shows what the address names. */
function follow() {
  const pair = pairs.find((one) => opens(one) === location.hash && readable(one));
  if (pair) showPair(pair);
  else showList();
}

// ---- keys and clicks

/** @param {number} step */
function rowKey(step) {
  const links = [...element('rows').querySelectorAll('td:first-child a')];
  const at = links.indexOf(document.activeElement?.closest('tr')?.querySelector('td:first-child a'));
  links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
}

const focusedPair = () => pairs.find((pair) => pair.row.contains(document.activeElement));
/** @param {string} label */
const give = (label) => { const pair = opened ?? focusedPair(); if (pair) setLabel(pair, label); };
/** @param {number} by */
const step = (by) => (opened ? goTo(now + by) : rowKey(by));
/** @param {number} by */
const turn = (by) => { const pair = opened && neighbour(by); if (pair) location.hash = opens(pair); };
/** @type {Record<string, () => unknown>} */
const keys = {
  n: () => opened && goTo(now + 1), p: () => opened && goTo(now - 1), j: () => step(1), k: () => step(-1),
  ']': () => turn(1), '[': () => turn(-1), 1: () => give('yes'), 0: () => give('no'), '-': () => give(''),
  a: () => give('keep a'), b: () => give('keep b'), '+': () => give('keep both'),
  s: saveLabels, '?': () => element('keys').showModal(), Escape: () => { if (opened) location.hash = ''; },
  '/': () => opened || element('find').focus(), ArrowDown: () => opened || rowKey(1), ArrowUp: () => opened || rowKey(-1),
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || element('keys').open) return;
  if (event.target instanceof Element && event.target.closest('input, select') && event.key !== 'Escape') return;
  const action = keys[event.key];
  if (!action) return;
  if (!(opened && event.key.startsWith('Arrow'))) event.preventDefault();
  action();
});

element('view').addEventListener('click', (/** @type {any} */ event) => {
  const step = event.target.closest('.step, polygon');
  const mark = event.target.closest('mark');
  if (step) event.preventDefault();
  if (step) goTo(Number(step.dataset.index));
  else if (mark && String(getSelection()) === '') goTo(Number(mark.dataset.passages.trim().split(' ').at(-1)));
});
element('labels').addEventListener('click', (/** @type {any} */ event) => {
  if (event.target.matches('button')) give(event.target.dataset.label);
});
for (const side of [0, 1]) element('side-' + side).addEventListener('scroll', () => showSeen(side), { passive: true });
addEventListener('resize', () => opened && [0, 1].forEach(showSeen));
element('pair-before').onclick = () => turn(-1);
element('pair-after').onclick = () => turn(1);
element('passage-before').onclick = () => goTo(now - 1);
element('passage-after').onclick = () => goTo(now + 1);
const buttons = (/** @type {string} */ kind) => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(kind));
for (const button of buttons('.save')) button.onclick = saveLabels;
for (const button of buttons('.help')) button.onclick = () => element('keys').showModal();
element('find').oninput = showTable;
element('show').onchange = showTable;
addEventListener('hashchange', follow);
addEventListener('beforeunload', (event) => { if (unsaved()) event.preventDefault(); });

for (const pair of pairs) pair.row = rowOf(pair);
makeHead();
element('summary').textContent = summary();
if (data.save) element('saving').textContent = said('Save labels stores the labels on the server.');
follow();
