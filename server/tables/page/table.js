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
const counted = new Intl.NumberFormat('en-US');
/** @param {number | null} value */
const share = (value) => (value === null ? '–' : value === 1 ? '100 %' : (100 * value).toFixed(1) + ' %');
/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name @param {object} properties @param {(Node | string)[]} content
 */
const made = (name, properties, ...content) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...content);
  return node;
};

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
    button.textContent = unsaved() ? 'Save labels *' : 'Save labels';
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
    for (const button of document.querySelectorAll('.save')) button.textContent = 'Not saved: try again';
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
  select.setAttribute('aria-label', 'Label of pair ' + pair.rank);
  for (const value of values) select.append(made('option', { value, textContent: value || '–' }));
  select.value = pair.label;
  return made('td', {}, select);
}

/** @param {Pair} pair */
function rowOf(pair) {
  const number = (/** @type {string} */ text) => made('td', { className: 'number', textContent: text });
  const first = number('');
  if (readable(pair)) {
    const link = made('a', { href: opens(pair), textContent: counted.format(pair.rank) });
    link.setAttribute('aria-label', 'Pair ' + pair.rank + ' side by side');
    first.append(link);
  } else {
    first.textContent = counted.format(pair.rank);
    first.title = 'The texts of this pair are not on this page';
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
    const button = made('button', { type: 'button', textContent: column.name, title: column.help ?? '', onclick: () => sortBy(column) });
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
  element('shown').textContent = shown.length === pairs.length ? '' : counted.format(shown.length) + ' of ' + counted.format(pairs.length);
}

function summary() {
  const some = (/** @type {number} */ number, /** @type {string} */ noun) => counted.format(number) + ' ' + noun + (number === 1 ? '' : 's');
  const wanted = [data.condition.bound > 0 || !(data.condition.min_containment > 0 || data.condition.min_resemblance > 0)
    ? 'share more than ' + counted.format(data.condition.bound) + ' features' : '',
  data.condition.min_containment > 0 ? 'have a containment of at least ' + data.condition.min_containment : '',
  data.condition.min_resemblance > 0 ? 'have a resemblance of at least ' + data.condition.min_resemblance : ''].filter(Boolean);
  const texts = pairs.filter(readable).length;
  return (pairs.length === data.total ? 'All ' + some(data.total, 'pair') : 'The first ' + counted.format(pairs.length) + ' of ' + some(data.total, 'pair')) +
    ' among the ' + some(data.collection_documents, 'document') + ' of the collection “' + data.collection + '” that ' +
    wanted.join(' and ') + ', ranked by ' + data.ranked_by + ' (scheme ' + data.scheme + ').' +
    (texts === pairs.length ? '' : ' The texts of ' + some(texts, 'pair') + ' are on this page; those of the others would make it too large.');
}
