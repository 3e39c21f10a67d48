import { el } from './dom.js';

const token = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON with line breaks and indents. Numbers stay as they are. Other text is returned unchanged. @param {string} text */
export function pretty(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(token) ?? [];
  let indent = '\n';
  let out = '';
  for (const [index, part] of tokens.entries()) {
    const isEmpty = /^[{[]$/.test(part) && /^[}\]]$/.test(tokens[index + 1] ?? '');
    const closesEmpty = /^[}\]]$/.test(part) && /^[{[]$/.test(tokens[index - 1] ?? '');
    if (part === ',') out += part + indent;
    else if (part === ':') out += ': ';
    else if (isEmpty || closesEmpty) out += part;
    else if (/^[{[]$/.test(part)) {
      indent += '  ';
      out += part + indent;
    } else if (/^[}\]]$/.test(part)) {
      indent = indent.slice(0, -2);
      out += indent + part;
    } else out += part;
  }
  return out;
}

/** More text than this is shown without colours. */
const maxColoured = 100_000;

/** A block of text, with colours if it is JSON. @param {string} text */
export function codeBlock(text) {
  const shown = pretty(text);
  const block = el('pre', { tabindex: '0' });
  if (shown.length > maxColoured || !/^\s*[{[]/.test(shown)) {
    block.textContent = shown;
    return block;
  }
  let end = 0;
  for (const match of shown.matchAll(/"(?:\\.|[^"\\])*"(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g)) {
    block.append(shown.slice(end, match.index));
    const kind = match[1] ? 'key' : match[0].startsWith('"') ? 'string' : 'literal';
    block.append(el('span', { class: kind }, match[0].replace(/\s*:$/, '')), match[1] ?? '');
    end = match.index + match[0].length;
  }
  block.append(shown.slice(end));
  return block;
}

/** Unchanged lines around a change. */
const context = 2;
/** Longer texts are shown without being compared. */
const maxCompared = 1_500_000;

/**
 * The lines that differ, with some lines around them.
 * @param {string | null} before
 * @param {string} after
 */
export function diffBlock(before, after) {
  const block = el('pre', { class: 'diff', tabindex: '0' });
  const rows = diff(lines(before), lines(after));
  const isNear = rows.map((_, at) =>
    rows.slice(Math.max(0, at - context), at + context + 1).some(([mark]) => mark !== ' '),
  );
  rows.forEach(([mark, line], at) => {
    if (!isNear[at]) {
      if (isNear[at - 1] ?? at === 0) block.append(el('span', { class: 'gap' }, '⋯'), '\n');
      return;
    }
    const kind = mark === '+' ? 'added' : mark === '-' ? 'removed' : 'same';
    block.append(el('span', { class: kind }, `${mark} ${line}`), '\n');
  });
  return block;
}

/** @param {string | null} text */
const lines = (text) => (text === null ? [] : pretty(text).split('\n'));

/**
 * @param {string[]} before
 * @param {string[]} after
 * @returns {[mark: string, line: string][]}
 */
function diff(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [a, b] = [before, after].map((all) => all.slice(start, all.length - end));
  return [
    ...before.slice(0, start).map(mark(' ')),
    ...middle(a ?? [], b ?? []),
    ...before.slice(before.length - end).map(mark(' ')),
  ];
}

/** @param {string} sign @returns {(line: string) => [string, string]} */
const mark = (sign) => (line) => [sign, line];

/**
 * The longest common subsequence of lines.
 * @param {string[]} a
 * @param {string[]} b
 * @returns {[string, string][]}
 */
function middle(a, b) {
  if (a.length * b.length > maxCompared) return [...a.map(mark('-')), ...b.map(mark('+'))];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  /** @param {number} row @param {number} column */
  const lengthAt = (row, column) => lengths[row * width + column] ?? 0;
  for (let row = a.length - 1; row >= 0; row -= 1) {
    for (let column = b.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        a[row] === b[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  /** @type {[string, string][]} */
  const out = [];
  let [row, column] = [0, 0];
  while (row < a.length || column < b.length) {
    if (row < a.length && column < b.length && a[row] === b[column]) {
      out.push([' ', a[row] ?? '']);
      row += 1;
      column += 1;
    } else if (
      row < a.length &&
      (column >= b.length || lengthAt(row + 1, column) >= lengthAt(row, column + 1))
    ) {
      out.push(['-', a[row] ?? '']);
      row += 1;
    } else {
      out.push(['+', b[column] ?? '']);
      column += 1;
    }
  }
  return out;
}
