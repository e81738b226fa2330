// The page of `akin pairs --table FILE.html`: a table of pairs, two texts side by side, labels. Everything
// that comes from documents is inserted as text, never as markup.

/** @typedef {{id: string, title: string, url?: string, characters: number, text: string}} Shown a document */
/**
 * @typedef {{rank: number, documents: [Shown, Shown], passages: number[][] | null, x: number, containment: number, contained: number,
 *   resemblance: number, stretches: number, label: string, stored: string, duplicate: boolean, row: HTMLTableRowElement}} Pair
 */
/** @typedef {{name: string, help?: string, key: (pair: Pair) => any, number?: boolean, upwards?: boolean, cell?: HTMLElement}} Column */

/** @type {any} */
const data = JSON.parse(document.getElementById('data')?.textContent ?? '');
/** @param {string} id @returns {any} one that the page has */
const element = (id) => document.getElementById(id);
const language = data.texts ? data.lang : 'en-US';
const counted = new Intl.NumberFormat(language);
const tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** In the page's language, with the values in place of %1, %2 … @param {string} text @param {(string | number)[]} values */
const said = (text, ...values) => {
  const full = String(data.texts?.[text] ?? text);
  return full.replace(/%(\d)/g, (whole, digit) => String(values[Number(digit) - 1] ?? whole));
};
/** @param {number | null} value */
const share = (value) => (value === null ? '–' : value === 1 ? '100 %' : tenths.format(100 * value) + ' %');
/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name @param {object} properties @param {(Node | string)[]} content
 */
const made = (name, properties, ...content) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...content);
  return node;
};

/** What the page says before its script does. */
function translate() {
  document.documentElement.lang = data.lang;
  document.title = said(document.title);
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    if (text in data.texts) node.textContent = node.textContent?.replace(text, said(text)) ?? '';
  }
  for (const name of ['title', 'aria-label', 'placeholder'])
    for (const one of document.querySelectorAll(`[${name}]`)) one.setAttribute(name, said(one.getAttribute(name) ?? ''));
}
if (data.texts) translate();
if (data.back) {
  element('desk').href = data.back;
  element('desk').hidden = false;
}

// ---- pairs and their labels

/** @type {Pair[]} */
const pairs = data.pairs.map((/** @type {any} */ pair, /** @type {number} */ index) => ({
  ...pair,
  rank: index + 1,
  documents: [data.documents[pair.a], data.documents[pair.b]],
  stored: pair.label,
}));
/** @param {Pair} pair */
const readable = (pair) => pair.passages !== null;
/** @param {Shown} one */
const nameOf = (one) => one.title || one.id;
/** @param {Pair} pair */
const opens = (pair) => '#pair-' + pair.rank;

/** A label is yes or no, or the stored one, of which akin has said what it means. @param {Pair} pair */
const positive = (pair) => pair.label === 'yes' || pair.label.startsWith('keep ') || (pair.label !== 'no' && pair.duplicate);
/** @param {Pair} pair */
const kindOf = (pair) => (pair.label === '' ? 'none' : positive(pair) ? 'yes' : 'no');
const changed = () => pairs.filter((pair) => pair.label !== pair.stored);

/** @param {Pair} pair @param {string} label */
function setLabel(pair, label) {
  pair.label = label;
  const select = pair.row.querySelector('select');
  if (select) select.value = label;
  if (opened === pair) showLabel();
  tellUnsaved();
}

let saved = '';  // the labels when last saved
const labelsNow = () => JSON.stringify(pairs.map((pair) => pair.label));
const unsaved = () => labelsNow() !== saved && !(saved === '' && changed().length === 0);

function tellUnsaved() {
  for (const button of document.querySelectorAll('.save')) {
    button.classList.toggle('due', unsaved());
    button.textContent = said(unsaved() ? 'Save labels *' : 'Save labels');
  }
}

/** The labels as akin reads them back: those given, and "-" for those taken away. Ids hold no tabs. */
function labelLines() {
  const labelled = pairs.filter((pair) => pair.label !== '' || pair.stored !== '');
  // As spreadsheet_cell.h guards cells that a spreadsheet would take for formulas.
  const guarded = (/** @type {string} */ id) => (/^'*[=+\-@]/.test(id) ? "'" + id : id);
  const line = (/** @type {Pair} */ pair) => [guarded(pair.documents[0].id), guarded(pair.documents[1].id), pair.label || '-'].join('\t') + '\n';
  return 'a\tb\tlabel\n' + labelled.map(line).join('');
}

/** Stores the labels on the server that sent the page. */
async function sendLabels() {
  const now = labelsNow();
  const labels = pairs.filter((pair) => pair.label !== pair.stored).map((pair) =>
    ({ a: pair.documents[0].id, b: pair.documents[1].id, label: pair.label || '-' }));
  const answer = await fetch(data.save, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ labels }),
  }).catch(() => null);
  if (!answer?.ok) {
    for (const button of document.querySelectorAll('.save')) button.textContent = said('Not saved: try again');
    return;
  }
  for (const pair of pairs) pair.stored = pair.label;
  saved = now;
  tellUnsaved();
}

function saveLabels() {
  if (data.save) {
    sendLabels();
    return;
  }
  const link = made('a', {
    href: URL.createObjectURL(new Blob([labelLines()], { type: 'text/tab-separated-values' })),
    download: 'labels-' + data.collection + '.tsv',
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  saved = labelsNow();
  tellUnsaved();
}

// ---- the table

/** @type {[Column, ...Column[]]} */
const columns = [
  { name: '#', key: (pair) => pair.rank, number: true, upwards: true },
  { name: 'A', key: (pair) => nameOf(pair.documents[0]).toLowerCase(), upwards: true },
  { name: 'B', key: (pair) => nameOf(pair.documents[1]).toLowerCase(), upwards: true },
  { name: 'common', help: 'Features in common', key: (pair) => pair.x, number: true },
  { name: 'of A', help: 'Share of A that is also in B', key: (pair) => pair.containment, number: true },
  { name: 'of B', help: 'Share of B that is also in A', key: (pair) => pair.contained, number: true },
  { name: 'resemblance', help: 'Share of both together that is common', key: (pair) => pair.resemblance, number: true },
  { name: 'passages', help: 'Stretches of common text', key: (pair) => pair.stretches, number: true },
  { name: 'length of A', help: 'In characters', key: (pair) => pair.documents[0].characters, number: true },
  { name: 'length of B', help: 'In characters', key: (pair) => pair.documents[1].characters, number: true },
  { name: 'duplicate?', help: 'The label', key: (pair) => pair.label, upwards: true },
];
/** @type {{column: Column, down: boolean}} */
let sorted = { column: columns[0], down: false };

/** @param {Shown} one */
function documentCell(one) {
  const shown = made('bdi', { className: 'name', textContent: nameOf(one) });
  const name = one.url
    ? made('a', { className: 'origin', href: one.url, target: '_blank', rel: 'noopener noreferrer' }, shown) : shown;
  return one.title ? made('td', {}, name, made('bdi', { className: 'id', textContent: one.id })) : made('td', {}, name);
}

/** @param {Pair} pair */
function labelCell(pair) {
  const values = [...new Set(['', 'yes', 'no', 'keep a', 'keep b', 'keep both', pair.label])];
  const select = made('select', { value: pair.label, onchange: () => setLabel(pair, select.value) });
  select.setAttribute('aria-label', said('Label of pair %1', pair.rank));
  for (const value of values) select.append(made('option', { value, textContent: said(value) || '–' }));
  select.value = pair.label;
  return made('td', {}, select);
}

/** @param {Pair} pair */
function rowOf(pair) {
  const number = (/** @type {string} */ text) => made('td', { className: 'number', textContent: text });
  const first = number('');
  if (readable(pair)) {
    const link = made('a', { href: opens(pair), textContent: counted.format(pair.rank) });
    link.setAttribute('aria-label', said('Pair %1 side by side', pair.rank));
    first.append(link);
  } else {
    first.textContent = counted.format(pair.rank);
    first.title = said('The texts of this pair are not on this page');
  }
  const row = made('tr', { className: readable(pair) ? '' : 'closed' }, first, documentCell(pair.documents[0]),
    documentCell(pair.documents[1]), number(counted.format(pair.x)), number(share(pair.containment)),
    number(share(pair.contained)), number(share(pair.resemblance)), number(counted.format(pair.stretches)),
    number(counted.format(pair.documents[0].characters)), number(counted.format(pair.documents[1].characters)),
    labelCell(pair));
  row.addEventListener('click', (event) => {
    const text = String(getSelection());
    if (readable(pair) && !(event.target instanceof Element && event.target.closest('a, select')) && text === '') location.hash = opens(pair);
  });
  return row;
}

/** @param {Column} column */
function sortBy(column) {
  const again = sorted.column === column;
  sorted = { column, down: again ? !sorted.down : !column.upwards };
  showTable();
}

function makeHead() {
  for (const column of columns) {
    const button = made('button', { type: 'button', textContent: said(column.name), title: said(column.help ?? ''), onclick: () => sortBy(column) });
    const cell = made('th', { scope: 'col', className: column.number ? 'number' : '' }, button);
    column.cell = cell;
    element('head').append(cell);
  }
}

/** @param {any} a @param {any} b */
const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);

/** The pairs that the table shows, in its order. */
function listed() {
  const wanted = element('find').value.trim().toLowerCase();
  const kind = element('show').value;
  const found = (/** @type {Pair} */ pair) => pair.documents.some((one) => (one.title + '\n' + one.id).toLowerCase().includes(wanted));
  const { column, down } = sorted;
  return pairs.filter((pair) => (kind === 'all' || kindOf(pair) === kind) && found(pair))
    .sort((a, b) => (down ? -1 : 1) * compare(column.key(a), column.key(b)) || a.rank - b.rank);
}

function showTable() {
  for (const column of columns) {
    if (column === sorted.column) column.cell?.setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending');
    else column.cell?.removeAttribute('aria-sort');
  }
  const shown = listed();
  element('rows').replaceChildren(...shown.map((pair) => pair.row));
  element('nothing').hidden = shown.length > 0;
  element('shown').textContent = shown.length === pairs.length ? '' : said('%1 of %2', counted.format(shown.length), counted.format(pairs.length));
}

function summary() {
  const { bound, min_containment: containment, min_resemblance: resemblance } = data.condition;
  const wanted = [bound > 0 || !(containment > 0 || resemblance > 0) ? said('more than %1 common features', counted.format(bound)) : '',
    containment > 0 ? said('a containment of at least %1', containment) : '',
    resemblance > 0 ? said('a resemblance of at least %1', resemblance) : ''].filter(Boolean);
  const texts = pairs.filter(readable).length;
  return said('Pairs: %1 of %2, among %3 documents of the collection “%4”; with %5; ranked by %6 (scheme %7).', counted.format(pairs.length),
    counted.format(data.total), counted.format(data.collection_documents), data.collection, wanted.join(', '), said(data.ranked_by), data.scheme) +
    (texts === pairs.length ? '' : ' ' + said('Pairs whose texts are on this page, which would be too large with all: %1.', counted.format(texts)));
}
