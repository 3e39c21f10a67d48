import type { Placement } from '../../line.ts';
import type { TextStyle } from '../../spans.ts';
import { elementsIn, type XmlElement } from './xml.ts';

const inherited = 'fontStyle fontWeight textDecoration textAlign direction visibility shear'.split(
  ' ',
);
const notInherited = 'display displayAlign origin extent position ruby writingMode'.split(' ');
const attributeNames = new Set([...inherited, ...notInherited].map((name) => `tts:${name}`));

/** The style properties that decide about a line's text and place: those named above. */
export type Properties = Partial<Record<string, string>>;

/** The styles of a document: its `<style>`, `<initial>` and `<region>` elements. */
export function readStyles(
  head: XmlElement | undefined,
  report: (row: number, message: string) => void,
) {
  const styling = elementsIn(head, 'styling');
  const named = elementsById(styling, 'style');
  const initials = styling.flatMap((parent) => elementsIn(parent, 'initial'));
  const resolved = new Map<string, Properties>();

  /** The own properties of an element: referenced styles, then nested ones, then its attributes. */
  function propertiesOf(element: XmlElement): Properties {
    const isRead = (set: XmlElement) => Object.keys(inlineProperties(set)).length > 0;
    const animation = elementsIn(element, 'set').find(isRead);
    if (animation)
      report(animation.row, 'an animation (<set>) changes text, which mar does not read');
    const ids = element.attributes.get('style')?.split(/\s+/).filter(Boolean) ?? [];
    const nested = element.name === 'region' ? elementsIn(element, 'style') : [];
    return Object.assign(
      {},
      ...ids.map((id) => byId(id, element.row)),
      ...nested.map(propertiesOf),
      inlineProperties(element),
    );
  }

  function byId(id: string, row: number): Properties {
    const known = resolved.get(id);
    if (known) return known;
    // Styles that refer to each other in a circle end here.
    resolved.set(id, {});
    const element = named.get(id);
    if (!element) report(row, `style "${id}" is not defined`);
    else resolved.set(id, propertiesOf(element));
    return resolved.get(id) ?? {};
  }

  return {
    of: propertiesOf,
    regions: elementsById(elementsIn(head, 'layout'), 'region'),
    initial: Object.assign({}, ...initials.map(inlineProperties)) as Properties,
  };
}

const elementsById = (parents: readonly XmlElement[], name: string) =>
  new Map(
    parents
      .flatMap((parent) => elementsIn(parent, name))
      .map((element) => [element.attributes.get('xml:id') ?? '', element]),
  );

function inlineProperties({ attributes }: XmlElement): Properties {
  const found: Properties = {};
  for (const [name, value] of attributes) {
    if (attributeNames.has(name)) found[name.slice('tts:'.length)] = value.trim();
  }
  return found;
}

/** The properties of an element, with those that it inherits. */
export function withInherited(own: Properties, parent: Properties): Properties {
  const computed = { ...own };
  for (const name of inherited) computed[name] ??= parent[name];
  const lines = own.textDecoration;
  if (lines !== undefined && !/underline|none/i.test(lines)) {
    computed.textDecoration = parent.textDecoration;
  }
  return computed;
}

/** Japanese has sheared text where other languages have italics. */
export function textStyle({ fontStyle = '', fontWeight, textDecoration, shear }: Properties) {
  const style: TextStyle = {};
  if (fontWeight === 'bold') style.bold = true;
  if (/italic|oblique/i.test(fontStyle) || Number.parseFloat(shear ?? '0')) style.italic = true;
  if (/(?:^|\s)underline/.test(textDecoration ?? '')) style.underline = true;
  return style;
}

/** Where a paragraph stands. Without a region it stands where players put subtitles: at the bottom. */
export function placementIn(
  root: XmlElement,
  region: Properties | undefined,
  { textAlign = region ? 'start' : 'center', direction }: Properties,
): Placement {
  const { writingMode = '', displayAlign = 'before' } = region ?? {};
  if (region && /^tb/.test(writingMode)) {
    // Vertical text starts at the top, and its lines follow each other across the picture.
    return {
      vertical: alignedTo(textAlign, 'top', 'middle', undefined),
      horizontal: sideOf(displayAlign, writingMode !== 'tblr'),
    };
  }
  const isTurned = direction === 'rtl' && /^(?:start|end)$/.test(textAlign);
  return { vertical: region && verticalIn(root, region), horizontal: sideOf(textAlign, isTurned) };
}

const sideOf = (align: string, isTurned: boolean) =>
  isTurned
    ? alignedTo(align, 'right', undefined, 'left')
    : alignedTo(align, 'left', undefined, 'right');

function alignedTo<Start, Center, End>(align: string, start: Start, center: Center, end: End) {
  if (/^(?:left|start|before)$/.test(align)) return start;
  return /^(?:right|end|after)$/.test(align) ? end : center;
}

/** Where the text touches its region decides: in the upper, middle or lower third of the picture. */
function verticalIn(root: XmlElement, region: Properties): Placement['vertical'] {
  const { displayAlign = 'before', extent = '', origin, position } = region;
  const height = percentOf(extent.split(/\s+/)[1], root) ?? 100;
  const top =
    position === undefined
      ? (percentOf(origin?.split(/\s+/)[1], root) ?? 0)
      : topFromPosition(position, height, root);
  const at = top + height * alignedTo(displayAlign, 0, 0.5, 1);
  if (at < 100 / 3) return 'top';
  return at < 200 / 3 ? 'middle' : undefined;
}

/** A vertical length in percent of the picture's height. */
function percentOf(length: string | undefined, { attributes }: XmlElement): number | undefined {
  const [, number, unit] = /^([-+]?\d{0,9}\.?\d{1,9})(%|px|c|rh)$/.exec(length ?? '') ?? [];
  const value = Number(number);
  if (unit === '%' || unit === 'rh') return value;
  const secondOf = (name: string) => Number.parseFloat(attributes.get(name)?.split(/\s+/)[1] ?? '');
  const whole = unit === 'c' ? secondOf('ttp:cellResolution') || 15 : secondOf('tts:extent');
  return unit !== undefined && whole > 0 ? (value / whole) * 100 : undefined;
}

/** `tts:position`, like a background's in CSS: `center`, `50% 90%`, `left 5% bottom 10%`. */
function topFromPosition(position: string, height: number, root: XmlElement): number {
  const free = 100 - height;
  const words = position.split(/\s+/);
  const edge = words.findIndex((word) => word === 'top' || word === 'bottom');
  const given = words[edge < 0 ? 1 : edge + 1] ?? '';
  const isLength = /^[-+.\d]/.test(given);
  const distance = isLength ? offsetOf(given, free, root) : edge < 0 ? free / 2 : 0;
  return words[edge] === 'bottom' ? free - distance : distance;
}

/** A percentage is one of the free height; other units are lengths. */
const offsetOf = (length: string, free: number, root: XmlElement) =>
  length.endsWith('%') ? (Number.parseFloat(length) / 100) * free : (percentOf(length, root) ?? 0);
