import type { TextStyle } from '../../spans.ts';
import { elementsIn, type XmlElement } from './xml.ts';

const inherited = 'fontStyle fontWeight textDecoration visibility shear'.split(' ');
const attributeNames = new Set([...inherited, 'display', 'ruby'].map((name) => `tts:${name}`));

/** The style properties that decide about a line's text: those named above. */
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
