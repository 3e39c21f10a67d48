import { byId, call, copy, dateTime, el, showError, statusClass } from './dom.js';
import { codeBlock } from './json.js';

/**
 * @typedef {{ headers: [string, string][], body: string, bodyBytes: number, isCut: boolean }} Message
 * @typedef {import('./requests.js').Summary & {
 *   request: Message, response: Message | null,
 * }} Detail
 */

const pane = byId('request-detail', HTMLElement);
/** The newest request that was opened: responses may arrive in another order. */
let wanted = 0;

/** @param {number} id */
export async function showRequest(id) {
  wanted = id;
  try {
    const detail = await call(`/requests/${id}`);
    if (wanted !== id) return;
    pane.replaceChildren(...contentOf(detail));
    pane.scrollTop = 0;
    document.body.classList.add('has-detail');
  } catch (error) {
    showError(error);
  }
}

export function closeDetail() {
  wanted = 0;
  document.body.classList.remove('has-detail');
  pane.replaceChildren(el('p', { class: 'empty' }, 'Select a request to see all of it.'));
}

/** @param {Detail} detail */
function contentOf(detail) {
  const { method, path, status, tookMs, time, user, note, request, response } = detail;
  const facts = [dateTime(time), `${tookMs} ms`, user ?? 'nobody', note]
    .filter(Boolean)
    .join(' · ');
  return [
    el(
      'header',
      {},
      el('a', { href: '#requests', class: 'back' }, '← Requests'),
      el(
        'h2',
        {},
        el('span', { class: statusClass(status) }, String(status ?? 'no response')),
        ` ${method} `,
        el('span', { class: 'mono' }, path),
      ),
      el('p', { class: 'quiet-text' }, facts),
    ),
    ...messageSections('Request', request),
    ...(response ? messageSections('Response', response) : []),
  ];
}

/** @param {string} label @param {string} text @param {string} what */
const copyButton = (label, text, what) =>
  el('button', { type: 'button', click: () => void copy(text, what) }, label);

/** @param {string} title @param {Message} message */
function messageSections(title, { headers, body, bodyBytes, isCut }) {
  const list = el('dl', { class: 'headers' });
  for (const [name, value] of headers) list.append(el('dt', {}, name), el('dd', {}, value));
  const sections = [
    el('details', {}, el('summary', {}, `${title} headers (${headers.length})`), list),
  ];
  if (bodyBytes === 0) return sections;
  const size = `${bodyBytes.toLocaleString()} B${isCut ? ', cut' : ''}`;
  const block = el(
    'div',
    { class: 'block' },
    codeBlock(body),
    copyButton('Copy', body, 'the body'),
  );
  sections.push(el('details', { open: '' }, el('summary', {}, `${title} body (${size})`), block));
  return sections;
}
