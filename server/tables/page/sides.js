// Two texts side by side, what they share marked and linked; keys.

let open = null;     // the pair on display
let passages = [];   // its passages: { at: [[begin, end], [begin, end]], size, unit }
let now = -1;        // the current passage
const hue = (index) => (index * 137.508 + 205) % 360;

/** Turns positions in code points into positions in a string, in one pass. `positions` ascend. */
function stringPositions(text, positions) {
  const places = new Map();
  let unit = 0, point = 0;
  for (const position of positions) {
    for (; point < position && unit < text.length; ++point) unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
    places.set(position, unit);
  }
  return places;
}

/** The text as nodes: shared passages as marks, each preceded by its number. */
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
  const active = new Set();
  let done = 0;
  const take = (end) => {
    if (end > done) {
      const piece = text.slice(done, end);
      if (active.size === 0) {
        fragment.append(piece);
      } else {
        const mark = made('mark', { textContent: piece });
        mark.dataset.passages = ' ' + [...active].join(' ') + ' ';
        mark.style.setProperty('--hue', hue([...active].at(-1)));
        fragment.append(mark);
      }
    }
    done = end;
  };
  for (const position of positions) {
    take(places.get(position));
    for (const index of ends.get(position) ?? []) active.delete(index);
    for (const index of starts.get(position) ?? []) {
      if (passages[index].at[side][1] > position) active.add(index);
      fragment.append(stepNode(index, side));
    }
  }
  take(text.length);
  return fragment;
}

function stepNode(index, side) {
  const node = made('a', { className: 'step', href: opens(open), id: 'passage-' + side + '-' + index, textContent: counted.format(index + 1) });
  node.dataset.index = index;
  node.tabIndex = -1;
  node.style.setProperty('--hue', hue(index));
  node.setAttribute('aria-label', 'Passage ' + (index + 1) + ', to the other text');
  return node;
}

function showSide(side) {
  const one = open.documents[side];
  const measure = side === 0 ? open.containment : open.contained;
  const other = side === 0 ? 'B' : 'A';
  const head = made('header', {}, made('h2', { id: 'title-' + side }, made('bdi', { textContent: nameOf(one) }),
    one.url ? made('a', { className: 'origin', href: one.url, target: '_blank', rel: 'noopener noreferrer', textContent: ' ↗' }) : ''),
    made('p', {}, made('bdi', { textContent: one.id }), ' · ' + counted.format(one.characters) + ' characters · ' + share(measure) + ' of it in ' + other));
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
  const make = (name, attributes) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const lengths = open.documents.map((one) => Math.max(1, one.characters));
  const y = (side, position) => (1000 * position / lengths[side]).toFixed(2);
  const largest = passages.map((passage, index) => index).sort((a, b) => passages[b].size - passages[a].size).slice(0, mostLinks);
  const shapes = largest.map((index) => {
    const [a, b] = passages[index].at;
    const shape = make('polygon', { points: `0,${y(0, a[0])} 100,${y(1, b[0])} 100,${y(1, b[1])} 0,${y(0, a[1])}`, 'data-index': index });
    shape.style.setProperty('--hue', hue(index));
    return shape;
  });
  const seen = [0, 1].map((side) => make('rect', { class: 'seen', id: 'seen-' + side, x: side * 80, width: 20, y: 0, height: 0 }));
  element('links').replaceChildren(...seen, ...shapes);
  [0, 1].forEach(showSeen);
}

/** Which part of a text is in sight. */
function showSeen(side) {
  const article = element('side-' + side), text = article.querySelector('.text'), box = element('seen-' + side);
  if (!text || !box || text.offsetHeight === 0) return;
  const top = article.scrollTop - text.offsetTop;
  const begin = Math.max(0, top), end = Math.min(text.offsetHeight, top + article.clientHeight);
  box.setAttribute('y', 1000 * begin / text.offsetHeight);
  box.setAttribute('height', Math.max(0, 1000 * (end - begin) / text.offsetHeight));
}

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
  element('passage').textContent = many === 0 ? 'no passage' : now < 0 ? counted.format(many) + (many === 1 ? ' passage' : ' passages')
    : 'passage ' + counted.format(now + 1) + ' of ' + counted.format(many);
  element('passage').title = now < 0 ? '' : counted.format(passages[now].size) + passages[now].unit;
  element('passage-before').disabled = now <= 0;
  element('passage-after').disabled = now + 1 >= many;
}

function showLabel() {
  for (const button of element('labels').querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String((button.dataset.label || 'none') === kindOf(open)));
  }
  element('given').textContent = ['', 'yes', 'no'].includes(open.label) ? '' : open.label;
}

/** The pair that is shown, among those that the table lists and that can be read. */
function neighbour(step) {
  const all = listed().filter(readable);
  const at = all.indexOf(open);
  return at < 0 ? undefined : all[at + step];
}

function showPair(pair) {
  open = pair;
  now = -1;
  passages = pair.passages.map(([a, aEnd, b, bEnd, features, words]) => ({
    at: [[a, aEnd], [b, bEnd]], size: words || features, unit: words ? ' matched words' : ' common features',
  }));
  element('list').hidden = true;
  element('view').hidden = false;
  showSide(0);
  showSide(1);
  showLinks();
  showPassage();
  showLabel();
  element('place').textContent = 'pair ' + counted.format(pair.rank) + ' of ' + counted.format(pairs.length);
  element('measures').replaceChildren(made('b', { textContent: counted.format(pair.x) }), ' common, resemblance ', made('b', { textContent: share(pair.resemblance) }));
  element('pair-before').disabled = !neighbour(-1);
  element('pair-after').disabled = !neighbour(1);
  document.title = nameOf(pair.documents[0]) + ' – ' + nameOf(pair.documents[1]);
  goTo(0, false);
  element('side-0').focus({ preventScroll: true });
}

function showList() {
  const last = open;
  open = null;
  element('view').hidden = true;
  element('list').hidden = false;
  document.title = 'Pairs of texts';
  showTable();
  last?.row.querySelector('td:first-child a')?.focus();
}

/** Shows what the address names. */
function follow() {
  const pair = pairs.find((one) => opens(one) === location.hash && readable(one));
  if (pair) showPair(pair);
  else showList();
}

// ---- keys and clicks

function rowKey(step) {
  const links = [...element('rows').querySelectorAll('td:first-child a')];
  const at = links.indexOf(document.activeElement.closest('tr')?.querySelector('td:first-child a'));
  links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
}

const focusedPair = () => pairs.find((pair) => pair.row.contains(document.activeElement));
const give = (label) => { const pair = open ?? focusedPair(); if (pair) setLabel(pair, label); };
const step = (by) => (open ? goTo(now + by) : rowKey(by));
const turn = (by) => { const pair = open && neighbour(by); if (pair) location.hash = opens(pair); };
const keys = {
  n: () => open && goTo(now + 1), p: () => open && goTo(now - 1), j: () => step(1), k: () => step(-1),
  ']': () => turn(1), '[': () => turn(-1), 1: () => give('yes'), 0: () => give('no'), '-': () => give(''),
  a: () => give('keep a'), b: () => give('keep b'), '+': () => give('keep both'),
  s: saveLabels, '?': () => element('keys').showModal(), Escape: () => { if (open) location.hash = ''; },
  '/': () => open || element('find').focus(), ArrowDown: () => open || rowKey(1), ArrowUp: () => open || rowKey(-1),
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || element('keys').open) return;
  if (event.target.closest('input, select') && event.key !== 'Escape') return;
  const action = keys[event.key];
  if (!action) return;
  if (!(open && event.key.startsWith('Arrow'))) event.preventDefault();
  action();
});

element('view').addEventListener('click', (event) => {
  const step = event.target.closest('.step, polygon');
  const mark = event.target.closest('mark');
  if (step) event.preventDefault();
  if (step) goTo(Number(step.dataset.index));
  else if (mark && String(getSelection()) === '') goTo(Number(mark.dataset.passages.trim().split(' ').at(-1)));
});
element('labels').addEventListener('click', (event) => {
  if (event.target.matches('button')) give(event.target.dataset.label);
});
for (const side of [0, 1]) element('side-' + side).addEventListener('scroll', () => showSeen(side), { passive: true });
addEventListener('resize', () => open && [0, 1].forEach(showSeen));
element('pair-before').onclick = () => turn(-1);
element('pair-after').onclick = () => turn(1);
element('passage-before').onclick = () => goTo(now - 1);
element('passage-after').onclick = () => goTo(now + 1);
for (const button of document.querySelectorAll('.save')) button.onclick = saveLabels;
for (const button of document.querySelectorAll('.help')) button.onclick = () => element('keys').showModal();
element('find').oninput = showTable;
element('show').onchange = showTable;
addEventListener('hashchange', follow);
addEventListener('beforeunload', (event) => { if (unsaved()) event.preventDefault(); });

for (const pair of pairs) pair.row = rowOf(pair);
makeHead();
element('summary').textContent = summary();
if (data.save) element('saving').textContent = 'Save labels stores the labels on the server.';
follow();
