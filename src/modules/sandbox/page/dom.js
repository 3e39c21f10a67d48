/* Helpers of all views. Texts are only ever set as text, so that nothing from a client becomes HTML. */

/**
 * @template {typeof HTMLElement} T
 * @param {string} id
 * @param {T} type
 * @returns {InstanceType<T>}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no ${type.name} with the id ${id}`);
  return /** @type {InstanceType<T>} */ (element);
}

/**
 * Makes an element: `el('p', { class: 'note' }, 'Hello')`. A function is a listener for clicks.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | ((event: Event) => void)>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener('click', value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** The server refused a request, with a message for people. */
export class RefusedError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path below /_sandbox
 * @param {{ method?: string, body?: object }} [options]
 */
export async function call(path, { method = 'GET', body } = {}) {
  const response = await fetch(`/_sandbox${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const json = await response.json();
  if (!response.ok) throw new RefusedError(json.error.message, response.status);
  return json;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

/** @param {string} text */
export function toast(text) {
  const box = byId('toast', HTMLElement);
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    box.hidden = true;
  }, 2500);
}

/** Shows an error of a promise that nobody waits for. @param {unknown} error */
export function showError(error) {
  toast(error instanceof RefusedError ? error.message : 'The sandbox does not respond.');
}

/** @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}`);
  } catch {
    toast('The browser does not allow copying.');
  }
}

/** `2:03:05 PM`, as usual where the reader is. @param {number} time */
export const clock = (time) => new Date(time).toLocaleTimeString();

/** `Dec 1, 2026, 2:03:05 PM`, as usual where the reader is. @param {number} time */
export const dateTime = (time) =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** `WorkRequest` as `Work request`. @param {string} name */
export const words = (name) => name.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Calls the function once, when typing has paused. @param {() => void} work */
export function afterTyping(work) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, 150);
  };
}

/** The classes for a status code. @param {number | null} code */
export const statusClass = (code) => `status s${code === null ? 'none' : Math.floor(code / 100)}`;
