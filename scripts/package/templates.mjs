import { readFileSync } from 'node:fs';

/**
 * Fills a file of templates/: `{{version}}` becomes the value of that name.
 * @param {string} name
 * @param {Record<string, string>} values
 */
export function fillTemplate(name, values) {
  const template = readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8');
  return template.replaceAll(/\{\{(.+?)\}\}/g, (_all, key) => {
    const value = values[key];
    if (value === undefined)
      throw new Error(`templates/${name} has {{${key}}}, which has no value`);
    return value;
  });
}
