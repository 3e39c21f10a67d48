import { afterTyping, byId, call, dateTime, el, showError, words } from './dom.js';
import { codeBlock } from './json.js';
import { editorOf, parsed } from './recordEditor.js';

/** @typedef {{ kind: string, id: string, text: string, version: string }} RecordDetail */

let kind = 'WorkRequest';
let isOpen = false;
/** Counts the lists that were requested: only the newest is drawn. */
let listNumber = 0;

const rows = byId('record-rows', HTMLElement);
const pane = byId('record-detail', HTMLElement);
const search = byId('record-search', HTMLInputElement);
const more = byId('more-records', HTMLButtonElement);

/** @param {readonly string[]} path the kind and the id, both optional */
export async function showRecords([nextKind, id]) {
  isOpen = true;
  const { hash } = location;
  try {
    if (nextKind && nextKind !== kind) {
      kind = nextKind;
      search.value = '';
    }
    await Promise.all([listKinds(), list(0)]);
    // A click on the way here leads to another record, which draws itself.
    if (location.hash !== hash) return;
    await (id === undefined ? closeRecord() : showRecord(id));
  } catch (error) {
    showError(error);
  }
}

export function hideRecords() {
  isOpen = false;
}

/** After a reset, the records on the screen are old. */
export function refreshRecords() {
  if (isOpen) void showRecords([kind]);
}

async function listKinds() {
  const { kinds } = await call('/records');
  byId('kinds', HTMLElement).replaceChildren(
    ...Object.entries(kinds).map(([name, count]) => {
      const link = el('a', { href: `#records/${encodeURIComponent(name)}`, class: 'chip' });
      link.append(words(name), ' ', el('span', { class: 'count' }, count.toLocaleString()));
      if (name === kind) link.setAttribute('aria-current', 'true');
      return link;
    }),
  );
}

/** @param {number} first */
async function list(first) {
  listNumber += 1;
  const number = listNumber;
  const query = new URLSearchParams({ first: String(first), q: search.value });
  const { records, total } = await call(`/records/${encodeURIComponent(kind)}?${query}`);
  if (number !== listNumber) return;
  const items = records.map((/** @type {{ id: string, label: string }} */ { id, label }) => {
    const href = `#records/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`;
    return el(
      'li',
      {},
      el('a', { href }, el('span', { class: 'mono' }, id), el('span', {}, label)),
    );
  });
  if (first === 0) rows.replaceChildren(...items);
  else rows.append(...items);
  if (total === 0) rows.replaceChildren(el('li', { class: 'empty' }, 'No record matches.'));
  more.hidden = first + records.length >= total;
}

function closeRecord() {
  document.body.classList.remove('has-detail');
  pane.replaceChildren(el('p', { class: 'empty' }, 'Select a record to see its JSON and history.'));
}

/** @param {string} id @param {import('./recordEditor.js').Draft} [draft] */
async function showRecord(id, draft) {
  const path = `/records/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`;
  const { hash } = location;
  /** @type {RecordDetail} */
  const { text, version } = await call(path);
  if (location.hash !== hash) return;
  const back = el(
    'a',
    { href: `#records/${encodeURIComponent(kind)}`, class: 'back' },
    '← Records',
  );
  const title = el('h2', {}, `${words(kind)} `, el('span', { class: 'mono' }, id));
  /** @param {import('./recordEditor.js').Draft} [next] */
  const reload = async (next) => {
    await showRecord(id, next);
    pane.focus();
  };
  pane.replaceChildren(
    el('header', {}, back, title, el('p', { class: 'quiet-text' }, factsOf(text))),
    editorOf({ kind, id, text, version }, draft, reload),
    ...historyOf(text),
    el('details', { open: '' }, el('summary', {}, 'JSON'), codeBlock(text)),
  );
  pane.scrollTop = 0;
  for (const link of rows.querySelectorAll('a')) {
    if (decodeURIComponent(link.hash).endsWith(`/${id}`)) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  document.body.classList.add('has-detail');
}

/** The status and the times of a record, for people. @param {string} text */
function factsOf(text) {
  const { status, due, created } = parsed(text) ?? {};
  /** @param {string} label @param {unknown} time */
  const at = (label, time) => (Number.isFinite(time) ? `${label} ${dateTime(Number(time))}` : '');
  return [typeof status === 'string' ? status : '', at('due', due?.date), at('created', created)]
    .filter(Boolean)
    .join(' · ');
}

/** The history that a work request has in itself. @param {string} text @returns {Node[]} */
function historyOf(text) {
  const history = parsed(text)?.history;
  if (!Array.isArray(history) || history.length === 0) return [];
  const steps = history.map((step) => {
    const who = step?.user?.name ?? step?.user?._id ?? '';
    const when = Number.isFinite(step?.date) ? dateTime(step.date) : '';
    const parts = [when, who, step?.reason].filter(
      (part) => typeof part === 'string' && part !== '',
    );
    return el('li', {}, el('strong', {}, String(step?.status ?? '')), ` ${parts.join(' · ')}`);
  });
  return [
    el(
      'details',
      { open: '' },
      el('summary', {}, 'History'),
      el('ol', { class: 'history' }, ...steps),
    ),
  ];
}

export async function showAccounts() {
  try {
    const { accounts } = await call('/accounts');
    byId('account-rows', HTMLElement).replaceChildren(
      ...accounts.map((/** @type {Record<string, string | number>} */ account) =>
        el(
          'tr',
          {},
          el('td', {}, String(account.name)),
          el('td', { class: 'mono' }, String(account.email)),
          el(
            'td',
            {},
            el(
              'a',
              { href: `#records/User/${encodeURIComponent(account.userId ?? '')}` },
              String(account.userId),
            ),
          ),
          el('td', { class: 'number' }, String(account.tokens)),
        ),
      ),
    );
  } catch (error) {
    showError(error);
  }
}

export function startRecords() {
  search.addEventListener(
    'input',
    afterTyping(() => void list(0).catch(showError)),
  );
  more.addEventListener('click', () => void list(rows.childElementCount).catch(showError));
}
