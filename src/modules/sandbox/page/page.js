import { byId, call, copy, showError, toast } from './dom.js';
import { drawFaults, showFaults, startFaults } from './faults.js';
import { hideRecords, refreshRecords, showAccounts, showRecords, startRecords } from './records.js';
import {
  addRequests,
  clearRequests,
  focusList,
  focusSearch,
  selectRequest,
  startRequests,
} from './requests.js';

const views = ['requests', 'records', 'accounts', 'faults'];

/**
 * The address after # is the view and what is open in it, so that Back works. No element has such an
 * id, because the browser would move the focus to it.
 */
function route() {
  const [name = '', ...rest] = location.hash.slice(1).split('/').map(decoded);
  const view = views.includes(name) ? name : 'requests';
  for (const one of views) byId(`view-${one}`, HTMLElement).hidden = one !== view;
  for (const link of document.querySelectorAll('header nav a')) {
    if (link.getAttribute('href') === `#${view}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.body.classList.remove('has-detail');
  if (view !== 'records') hideRecords();
  if (view === 'requests') selectRequest(rest[0] ? Number(rest[0]) : undefined);
  if (view === 'records') void showRecords(rest);
  if (view === 'accounts') void showAccounts();
  if (view === 'faults') void showFaults();
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const pollMs = 300;

/** Asks for what is new, again and again. */
async function listen() {
  const live = byId('live', HTMLElement);
  /** @type {string | undefined} */
  let known;
  let faults = '';
  for (let since = 0; ; await new Promise((resolve) => setTimeout(resolve, pollMs))) {
    const news = await call(`/news?since=${since}`).catch(() => undefined);
    live.textContent = news ? 'live' : 'not connected';
    live.classList.toggle('on', news !== undefined);
    if (!news) continue;
    const isOther = known !== undefined && known !== news.epoch;
    since = isOther ? 0 : news.next;
    if (isOther) {
      clearRequests();
      if (location.hash.startsWith('#requests/')) location.hash = '#requests';
      refreshRecords();
      toast('The sandbox was reset.');
    } else if (known === undefined || news.requests.length > 0) addRequests(news);
    known = news.epoch;
    // Not for new counts, because drawing takes the focus from a button.
    const texts = JSON.stringify(
      news.faults.map((/** @type {{ fault: string }} */ one) => one.fault),
    );
    if (texts !== faults) drawFaults(news);
    faults = texts;
  }
}

function startReset() {
  const dialog = byId('reset-dialog', HTMLDialogElement);
  byId('reset', HTMLElement).addEventListener('click', () => {
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'reset') return;
    call('/reset', { method: 'POST', body: {} }).catch(showError);
  });
}

function startKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping =
      event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      if (byId('view-requests', HTMLElement).hidden) location.hash = '#requests';
      focusSearch();
    } else if (event.key === 'Escape' && document.body.classList.contains('has-detail')) {
      if (event.target instanceof Element && event.target.closest('dialog, .editor')) return;
      const isRequest = location.hash.startsWith('#requests');
      if (isRequest) focusList();
      location.hash = isRequest ? '#requests' : location.hash.split('/').slice(0, 2).join('/');
    }
  });
}

const baseUrl = `${location.origin}/api`;
const urlButton = byId('base-url', HTMLElement);
urlButton.textContent = baseUrl;
urlButton.addEventListener('click', () => void copy(baseUrl, 'the base URL'));
byId('skip', HTMLElement).addEventListener('click', (event) => {
  event.preventDefault();
  byId('main', HTMLElement).focus();
});
addEventListener('hashchange', route);
startRequests();
startRecords();
startFaults();
startReset();
startKeys();
route();
void listen();
