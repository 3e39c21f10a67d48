import sax from 'sax';
import { usageError } from '../../../../core/errors.ts';

/** In milliseconds, not rounded. The end may be infinite. */
export type Interval = Record<'begin' | 'end', number>;

export interface XmlElement {
  /** The local name of a TTML element. */
  name: string;
  /** The row of the file where it starts. */
  row: number;
  /** By name: `begin`, `xml:id`, `tts:color`, `ttp:frameRate`. Prefixes are the usual ones. */
  attributes: ReadonlyMap<string, string>;
  children: XmlNode[];
  /** Set by `resolveTimes`. May reach beyond that of its parent. */
  shown?: Interval;
}

export type XmlNode = XmlElement | { text: string; shown?: Interval };

export const isElement = (node: XmlNode): node is XmlElement => 'name' in node;

export const elementsIn = (element: XmlElement | undefined, name: string): XmlElement[] =>
  (element?.children ?? []).filter(isElement).filter((child) => child.name === name);

/** `strictEntities` knows the five entities of XML; without it, all those of HTML. */
const saxOptions = { xmlns: true, strictEntities: true };

/** TTML 1 and 2, and the drafts of 2006 that DFXP files use. */
const ttmlNamespace = /^http:\/\/www\.w3\.org\/(?:ns\/ttml|2006\/\d\d\/ttaf1)(?:#([\w-]*))?$/;
const prefixes: Readonly<Record<string, string>> = {
  parameter: 'ttp:',
  styling: 'tts:',
  style: 'tts:',
  'style-extension': 'tts:',
};

/**
 * Reads the TTML elements of an XML document. Elements of other namespaces are left out with all they
 * contain. Only the entities of XML itself are known, and a document type is not read.
 */
export function parseXml(content: string, name: string) {
  const text = content.replace(/\r\n?/g, '\n');
  const failure = (row: number, message: string) =>
    usageError(`${name} line ${row}: ${message}`, 'TTML files must be well-formed XML.');
  if (text.trim() === '') throw usageError(`${name} is empty`);
  if (!text.trimStart().startsWith('<')) throw failure(1, 'no XML: it does not start with <');

  // Long comments and attributes are fine: the size of the whole file is limited.
  Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });
  const parser = sax.parser(true, saxOptions);
  const open: (XmlElement | undefined)[] = [];
  let root: XmlElement | undefined;
  let hasNamespace = true;
  let row = 1;
  let scanned = 0;
  const addText = (part: string) => open.at(-1)?.children.push({ text: part });

  parser.onerror = (error) => {
    const [reason = ''] = error.message.split('\n');
    throw failure(parser.line + 1, `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`);
  };
  parser.onopentag = (tag) => {
    const { local, uri, attributes } = tag as sax.QualifiedTag;
    // Not the parser's line: that is where the tag ends.
    for (; scanned < parser.startTagPosition; scanned += 1) if (text[scanned] === '\n') row += 1;
    if (open.length === 0) {
      hasNamespace = uri !== '';
      if (local !== 'tt' || !(isTtml(uri) || !hasNamespace)) {
        throw usageError(`${name} is not TTML: its root element is <${tag.name}>`);
      }
    }
    const parent = open.at(-1);
    const isRead = isTtml(uri) || (uri === '' && !hasNamespace);
    const isKept = isRead && (open.length === 0 || parent !== undefined);
    const element = isKept
      ? { name: local, row, attributes: namedAttributes(attributes), children: [] }
      : undefined;
    if (element) parent?.children.push(element);
    root ??= element;
    open.push(element);
  };
  parser.onclosetag = () => {
    open.pop();
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.write(text).close();
  if (!root) throw failure(1, 'no root element');
  return { root, hasNamespace };
}

const isTtml = (uri: string) => ttmlNamespace.test(uri) && !uri.includes('#');

function namedAttributes(attributes: sax.QualifiedTag['attributes']): Map<string, string> {
  const named = new Map<string, string>();
  for (const { prefix, local, uri, value } of Object.values(attributes)) {
    const kind = ttmlNamespace.exec(uri)?.[1];
    if (prefix === '' || prefix === 'xml') named.set(prefix === '' ? local : `xml:${local}`, value);
    else if (kind !== undefined && Object.hasOwn(prefixes, kind)) {
      named.set(`${prefixes[kind]}${local}`, value);
    } else if (local === 'backgroundImage') named.set(local, value);
  }
  return named;
}
