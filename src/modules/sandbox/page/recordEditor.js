import { afterTyping, call, el, RefusedError, showError, toast } from './dom.js';
import { diffBlock, pretty } from './json.js';

/**
 * @typedef {{ kind: string, id: string, text: string, version: string }} Version
 * @typedef {{ text?: string, problem: string }} Draft a text that could not be saved, and why
 */

/**
 * A form that changes a record in the name of another user. All fields write to the same JSON text.
 * @param {Version} record
 * @param {Draft | undefined} draft
 * @param {(draft?: Draft) => Promise<void>} reload draws the record again
 */
export function editorOf({ kind, id, text, version }, draft, reload) {
  const values = parsed(draft?.text ?? '') ?? parsed(text) ?? {};
  const json = el('textarea', { class: 'mono', rows: '14', spellcheck: 'false' });
  json.value = pretty(draft?.text ?? text);
  const preview = el('div', { class: 'preview' });
  const problem = el('p', { class: 'error', role: 'alert' }, draft?.problem ?? '');
  const save = el('button', { type: 'submit', class: 'primary' }, 'Save');
  const undo = el(
    'button',
    { type: 'button', click: () => void reload({ problem: '' }) },
    'Undo my changes',
  );
  const show = () => {
    const isValid = parsed(json.value) !== undefined;
    const isChanged = pretty(json.value) !== pretty(text);
    save.disabled = !isValid || !isChanged;
    preview.replaceChildren(
      isValid && isChanged
        ? diffBlock(text, json.value)
        : el('p', { class: 'quiet-text' }, isValid ? 'No changes yet.' : 'This is not valid JSON.'),
    );
  };
  json.addEventListener('input', afterTyping(show));
  /** @param {string} label @param {HTMLInputElement} input @param {(text: string) => string} write */
  const field = (label, input, write) => {
    input.addEventListener('input', () => {
      json.value = write(pretty(json.value));
      show();
    });
    return el('label', {}, label, input);
  };
  const fields = [];
  if (typeof values.status === 'string') {
    const input = el('input', { value: values.status, list: 'statuses', autocomplete: 'off' });
    /** @type {unknown[]} */
    const known = Array.isArray(values.$statuses) ? values.$statuses : [];
    const options = known.map((value) => el('option', { value: String(value) }));
    fields.push(
      field('Status', input, (old) => withField(old, 'status', input.value)),
      el('datalist', { id: 'statuses' }, ...options),
    );
  }
  if (Array.isArray(values.history)) {
    const input = el('input', { autocomplete: 'off' });
    fields.push(field('Reason', input, (old) => withField(old, 'reason', input.value)));
  }
  if (Number.isFinite(values.due?.date)) {
    const input = el('input', { type: 'datetime-local', value: localInput(values.due.date) });
    fields.push(field('Due', input, (old) => withDue(old, new Date(input.value).getTime())));
  }
  const user = el('select', {}, el('option', { value: '' }, 'another user'));
  call('/accounts').then(({ accounts }) => {
    for (const { userId, name } of accounts) {
      user.append(el('option', { value: userId }, `${name} (${userId})`));
    }
  }, showError);
  const form = el(
    'form',
    { class: 'editor' },
    el('div', { class: 'fields' }, ...fields, el('label', {}, 'Change it as', user)),
    el('label', {}, 'Record', json),
    preview,
    problem,
    el('p', { class: 'actions' }, save, undo),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = { text: json.value, version, as: user.value || undefined };
    const path = `/records/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`;
    try {
      const { by } = await call(path, { method: 'PUT', body });
      await reload();
      toast(`Saved as ${by}.`);
    } catch (error) {
      if (!(error instanceof RefusedError)) showError(error);
      else if (error.status === 412) {
        const message = 'Somebody changed this record meanwhile, so nothing was saved.';
        const next = 'Your text is compared with the new version. Save replaces the new version.';
        await reload({ text: json.value, problem: `${message} ${next}` }).catch(showError);
      } else problem.textContent = error.message;
    }
  });
  show();
  const title = el('summary', {}, 'Change this record as somebody else');
  return el('details', draft ? { open: '' } : {}, title, form);
}

/** The object in a JSON text, or undefined. @param {string} text */
export function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/*
 * Changes are made in the text, because JSON.parse loses digits of large numbers. In the text of
 * `pretty`, every field of the record itself starts a line, after two spaces.
 */

/** @param {string} text @param {string} name @param {string} value */
function withField(text, name, value) {
  const old = new RegExp(`^ {2}"${name}": (?:"(?:\\\\.|[^"\\\\])*"|[\\w.+-]+)`, 'm');
  const written = `  "${name}": ${JSON.stringify(value)}`;
  if (old.test(text)) return text.replace(old, () => written);
  return text.replace('{\n', () => `{\n${written},\n`);
}

/** @param {string} text @param {number} time */
const withDue = (text, time) =>
  Number.isNaN(time)
    ? text
    : text.replace(/^( {2}"due": \{(?:\n {4}.*)*?\n {4}"date": )[\w.+-]+/m, `$1${time}`);

/** A time as a field for local times takes it. @param {number} time */
function localInput(time) {
  const minutes = new Date(time).getTimezoneOffset();
  return new Date(time - minutes * 60_000).toISOString().slice(0, 16);
}
