import { Document, type ScalarTag } from 'yaml';
import { type Json, JsonNumber } from '../json/value.ts';

/** A number is printed as it was written. */
const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof JsonNumber,
  resolve: (text) => new JsonNumber(text),
  stringify: ({ value }) => (value as JsonNumber).source,
};

/** A record as YAML that reads back as the same record. */
export function printYaml(json: Json): string {
  const document = new Document(json, {
    version: '1.2',
    schema: 'core',
    customTags: (tags) => [exactNumber, ...tags],
    aliasDuplicateObjects: false,
  });
  // A line that is folded for the eye is one more thing that a person can get wrong.
  return document.toString({ lineWidth: 0 });
}
