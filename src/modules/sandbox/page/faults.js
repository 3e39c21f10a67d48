import { byId, call, el, RefusedError, showError } from './dom.js';

/** @typedef {{ fault: string, matched: number, applied: number }} Fault */

/** @type {readonly [fault: string, meaning: string][]} */
const examples = [
  ['/workrequests 503 5%', 'a status, for 5% of the requests'],
  ['* 500ms', 'every response is late'],
  ['/assets/* reset 25%', 'the connection breaks instead of every fourth response'],
  ['* 20/s', 'a rate limit: 429 with Retry-After above it'],
];

/** @type {readonly Fault[]} */
let shown = [];

const input = byId('new-fault', HTMLInputElement);
const errorLine = byId('fault-error', HTMLElement);

/** Reads the counts again. */
export async function showFaults() {
  try {
    drawFaults(await call('/faults'));
  } catch (error) {
    showError(error);
  }
}

/** @param {{ faults: readonly Fault[] }} state */
export function drawFaults({ faults }) {
  shown = faults;
  byId('fault-count', HTMLElement).textContent = faults.length > 0 ? String(faults.length) : '';
  const list = byId('fault-rows', HTMLElement);
  list.replaceChildren(...faults.map(rowOf));
  if (faults.length === 0) list.append(el('li', { class: 'empty' }, 'No faults.'));
}

/** @param {Fault} row */
function rowOf({ fault, matched, applied }) {
  const others = () => textsOf(shown).filter((text) => text !== fault);
  return el(
    'li',
    {},
    el('span', { class: 'mono' }, fault),
    el('span', { class: 'quiet-text' }, `${matched} matched, ${applied} failed`),
    el(
      'button',
      {
        type: 'button',
        'aria-label': `Remove ${fault}`,
        click: () => void replace(others()),
      },
      'Remove',
    ),
  );
}

/** @param {readonly Fault[]} faults */
const textsOf = (faults) => faults.map(({ fault }) => fault);

/** @param {readonly string[]} faults */
async function replace(faults) {
  try {
    drawFaults(await call('/faults', { method: 'PUT', body: { faults } }));
    errorLine.hidden = true;
    return true;
  } catch (error) {
    if (!(error instanceof RefusedError)) showError(error);
    else errorLine.textContent = error.message;
    errorLine.hidden = !(error instanceof RefusedError);
    return false;
  }
}

export function startFaults() {
  byId('add-fault', HTMLFormElement).addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await replace([...textsOf(shown), input.value])) input.value = '';
  });
  byId('fault-examples', HTMLElement).append(
    ...examples.map(([fault, meaning]) => {
      const use = () => {
        input.value = fault;
        input.focus();
      };
      const button = el('button', { type: 'button', class: 'quiet mono', click: use }, fault);
      return el('tr', {}, el('td', {}, button), el('td', {}, meaning));
    }),
  );
}
