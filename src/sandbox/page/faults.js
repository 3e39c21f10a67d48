import { byId, call, el, RefusedError, showError } from './dom.js';

/**
 * @typedef {{ fault: string, enabled: boolean, matched: number, applied: number }} Fault
 * @typedef {{ seed: number, rateLimit: string | null, limited: number, faults: Fault[] }} Settings
 */

/** @type {readonly [fault: string, meaning: string][]} */
const examples = [
  ['POST /workrequests 503 5%', 'a status, for 5% of the requests'],
  ['GET /assets/* 429 retry-after=2', 'a status with Retry-After'],
  ['* * latency=500ms', 'every response is late'],
  ['GET /downloads hang every=3', 'every third request gets no response'],
  ['POST * reset', 'the connection breaks before anything is written'],
  ['POST * reset-after', 'the connection breaks after the record is written'],
  ['GET * cut', 'half of the body is missing'],
  ['GET * drip=10s', 'the body arrives slowly'],
  ['GET * type=text/html', 'the wrong content type'],
];

/** @type {Settings} */
let settings = { seed: 0, rateLimit: null, limited: 0, faults: [] };

const input = byId('new-fault', HTMLInputElement);
const rate = byId('rate-limit', HTMLInputElement);
const errorLine = byId('fault-error', HTMLElement);

/** Reads the counts again. */
export async function showFaults() {
  try {
    drawFaults(await call('/faults'));
  } catch (error) {
    showError(error);
  }
}

/** @param {Settings} next */
export function drawFaults(next) {
  settings = next;
  const inForce = next.faults.filter(({ enabled }) => enabled).length + (next.rateLimit ? 1 : 0);
  byId('fault-count', HTMLElement).textContent = inForce > 0 ? String(inForce) : '';
  const list = byId('fault-rows', HTMLElement);
  list.replaceChildren(...next.faults.map(rowOf));
  if (next.faults.length === 0) list.append(el('li', { class: 'empty' }, 'No faults.'));
  if (document.activeElement !== rate) rate.value = next.rateLimit ?? '';
  byId('limited', HTMLElement).textContent = next.rateLimit ? `${next.limited} refused` : 'none';
  byId('seed', HTMLElement).textContent = String(next.seed);
}

/** @param {Fault} fault @param {number} at */
function rowOf(fault, at) {
  const box = el('input', { type: 'checkbox', role: 'switch', id: `fault-${at}` });
  box.checked = fault.enabled;
  const toggled = settings.faults.map((one, index) =>
    index === at ? { ...one, enabled: !one.enabled } : one,
  );
  box.addEventListener('change', () => void change({ faults: toggled }));
  const others = settings.faults.filter((_, index) => index !== at);
  return el(
    'li',
    {},
    box,
    el('label', { for: `fault-${at}`, class: 'mono' }, fault.fault),
    el('span', { class: 'quiet-text' }, `${fault.matched} matched, ${fault.applied} failed`),
    el(
      'button',
      {
        type: 'button',
        'aria-label': `Remove ${fault.fault}`,
        click: () => void change({ faults: others }),
      },
      'Remove',
    ),
  );
}

/** @param {{ faults?: readonly Fault[] | (string | Fault)[], rateLimit?: string | null }} next */
async function change({ faults, rateLimit }) {
  try {
    const sent = faults?.map((one) =>
      typeof one === 'string' ? one : { fault: one.fault, enabled: one.enabled },
    );
    drawFaults(await call('/faults', { method: 'PUT', body: { faults: sent, rateLimit } }));
    errorLine.hidden = true;
    return true;
  } catch (error) {
    if (!(error instanceof RefusedError)) showError(error);
    else errorLine.textContent = error.message;
    errorLine.hidden = !(error instanceof RefusedError);
    drawFaults(settings);
    return false;
  }
}

export function startFaults() {
  byId('add-fault', HTMLFormElement).addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await change({ faults: [...settings.faults, input.value] })) input.value = '';
  });
  byId('rate-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void change({ rateLimit: rate.value.trim() || null });
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
