import { afterTyping, byId, clock, dateTime, el, statusClass } from './dom.js';
import { closeDetail, showRequest } from './requestDetail.js';

/**
 * One line of the log.
 * @typedef {{
 *   id: number, time: number, tookMs: number, method: string, path: string, status: number | null,
 *   user: string | null, note: string | null,
 * }} Summary
 */

/** The page remembers so many requests, and shows so many of them. */
const maxKept = 2000;
const maxRows = 200;
/** When many requests arrive, drawing pauses for so long, so that the page stays quick to use. */
const busyRows = 20;
const busyMs = 500;

/** Oldest first. @type {Summary[]} */
let kept = [];
/** Requests that are not shown yet. @type {Summary[]} */
let arrived = [];
let isPaused = false;
/** The sandbox has sent its first list, which may be empty. */
let isConnected = false;
let isScheduled = false;
/** Rows of the last drawing. */
let drawnRows = 0;
let total = 0;
/** @type {number | undefined} */
let selected;

const search = byId('search', HTMLInputElement);
const method = byId('method', HTMLSelectElement);
const status = byId('status', HTMLSelectElement);
const rows = byId('request-rows', HTMLElement);

/** @param {{ requests: Summary[] }} batch */
export function addRequests(batch) {
  isConnected = true;
  total += batch.requests.length;
  arrived.push(...batch.requests);
  if (arrived.length > maxKept) arrived = arrived.slice(-maxKept);
  schedule();
}

export function clearRequests() {
  kept = [];
  arrived = [];
  total = 0;
  rows.replaceChildren();
  schedule();
}

/** Draws at most once a frame, and less often when much was drawn the last time. */
function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(
    () =>
      requestAnimationFrame(() => {
        isScheduled = false;
        draw();
      }),
    drawnRows > busyRows ? busyMs : 0,
  );
}

function draw() {
  if (!isPaused) {
    const fresh = arrived.splice(0);
    kept = [...kept, ...fresh].slice(-maxKept);
    offerMethods(fresh);
    const shown = fresh.filter(isWanted).slice(-maxRows).reverse();
    drawnRows = shown.length;
    keepFocus(() => {
      rows.prepend(...shown.map(rowOf));
      while (rows.childElementCount > maxRows) rows.lastElementChild?.remove();
    });
  }
  finishDrawing();
}

function redrawAll() {
  const shown = kept.filter(isWanted).slice(-maxRows).reverse();
  keepFocus(() => rows.replaceChildren(...shown.map(rowOf)));
  finishDrawing();
}

/** A row that is focused stays so when it is drawn again, or its place goes to the last row. @param {() => void} work */
function keepFocus(work) {
  const focused = rowAt(document.activeElement);
  work();
  if (!focused || focused.isConnected) return;
  focusRow(rows.querySelector(`[data-id="${focused.dataset.id}"]`) ?? rows.lastElementChild);
}

function finishDrawing() {
  byId('request-count', HTMLElement).textContent = total > 0 ? total.toLocaleString() : '';
  byId('pause', HTMLElement).textContent = isPaused ? `Resume (${arrived.length} new)` : 'Pause';
  const empty = byId('no-requests', HTMLElement);
  const isEmpty = rows.childElementCount === 0;
  empty.hidden = !isEmpty;
  if (isEmpty) {
    const none = isConnected ? 'No requests yet. Run a command:' : 'Connecting to the sandbox…';
    empty.replaceChildren(el('p', {}, kept.length > 0 ? 'No request matches.' : none));
    if (isConnected && kept.length === 0)
      empty.append(el('code', {}, 'mar asset get a-1001 --profile sandbox'));
  }
  if (!rows.querySelector('[tabindex="0"]')) rows.firstElementChild?.setAttribute('tabindex', '0');
}

/** @param {readonly Summary[]} fresh */
function offerMethods(fresh) {
  const known = new Set([...method.options].map(({ value }) => value));
  for (const { method: name } of fresh) {
    if (known.has(name)) continue;
    known.add(name);
    method.append(el('option', { value: name }, name));
  }
}

/** @param {Summary} summary */
function isWanted(summary) {
  if (method.value && summary.method !== method.value) return false;
  if (status.value === 'none' && summary.status !== null) return false;
  if (/\d/.test(status.value) && !String(summary.status).startsWith(status.value)) return false;
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  const text = [summary.method, summary.path, summary.status ?? 'none', summary.user, summary.note]
    .join(' ')
    .toLowerCase();
  return wanted.every((word) => text.includes(word));
}

/** @param {Summary} summary */
function rowOf(summary) {
  const { id, time, tookMs, user, note } = summary;
  const path = el(
    'td',
    { class: 'path', title: summary.path },
    summary.path.replace(/^\/api(?=\/)/, ''),
  );
  const code = el('span', { class: statusClass(summary.status) }, String(summary.status ?? '—'));
  const result = el('td', {}, code);
  if (note) result.append(el('span', { class: 'flag', title: note }, 'fault'));
  const row = el(
    'tr',
    { tabindex: '-1', 'data-id': String(id) },
    el('td', { class: 'time', title: dateTime(time) }, clock(time)),
    el('td', { class: 'method' }, summary.method),
    path,
    result,
    el('td', { class: 'number' }, `${Math.round(tookMs)} ms`),
    el('td', { class: 'user' }, user ?? '—'),
  );
  if (id === selected) row.setAttribute('aria-selected', 'true');
  return row;
}

/** Opens a request, or none. @param {number | undefined} id */
export function selectRequest(id) {
  selected = id;
  for (const row of rows.querySelectorAll('[aria-selected]')) row.removeAttribute('aria-selected');
  rows.querySelector(`[data-id="${Number(id)}"]`)?.setAttribute('aria-selected', 'true');
  if (id === undefined) closeDetail();
  else void showRequest(id);
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
const rowAt = (target) => (target instanceof Element ? target.closest('tr[data-id]') : null);

/** Moves the focus to another row; only one row is in the order of Tab. @param {Element | null} row */
function focusRow(row) {
  if (!(row instanceof HTMLElement)) return;
  for (const other of rows.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
  row.setAttribute('tabindex', '0');
  row.focus();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const row = rowAt(event.target);
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'ArrowDown' || event.key === 'j') focusRow(row.nextElementSibling);
  else if (event.key === 'ArrowUp' || event.key === 'k') focusRow(row.previousElementSibling);
  else if (event.key === 'Home') focusRow(rows.firstElementChild);
  else if (event.key === 'End') focusRow(rows.lastElementChild);
  else if (event.key === 'Enter' || event.key === ' ') open(row);
  else return;
  event.preventDefault();
}

/** @param {HTMLElement} row */
function open(row) {
  location.hash = `#requests/${row.dataset.id}`;
}

export function focusSearch() {
  search.focus();
  search.select();
}

/** Back to the list, where the open request is. */
export function focusList() {
  const row = rows.querySelector('[aria-selected]') ?? rows.firstElementChild;
  if (row) focusRow(row);
}

export function startRequests() {
  rows.addEventListener('click', ({ target }) => {
    const row = rowAt(target);
    if (row) open(row);
  });
  rows.addEventListener('keydown', onKey);
  search.addEventListener('input', afterTyping(redrawAll));
  method.addEventListener('change', redrawAll);
  status.addEventListener('change', redrawAll);
  byId('pause', HTMLElement).addEventListener('click', ({ currentTarget }) => {
    isPaused = !isPaused;
    if (currentTarget instanceof Element)
      currentTarget.setAttribute('aria-pressed', String(isPaused));
    draw();
  });
  schedule();
}
