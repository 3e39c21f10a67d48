import type { Resource } from '../api/endpoints.ts';
import type { JsonObject } from '../json/value.ts';

type CodeField = 'language' | 'country';

/** Which fields of a record hold codes that are on a standard list. */
const codeFields: Readonly<Partial<Record<Resource, readonly CodeField[]>>> = {
  File: ['language', 'country'],
  Translation: ['language'],
  // Its territory is a code of the service's own, not a country.
  WorkRequest: ['language'],
};

/** A code that is on no list. */
interface CodeProblem {
  field: CodeField;
  value: string;
  /** Names the field and the value: `language fr: no such …`. */
  message: string;
  /** `did you mean fra (French)?`; none if nothing is like it. */
  suggestion?: string;
}

export interface CodeFindings {
  problems: CodeProblem[];
  /** On codes that are on a list, and may still not be what was meant. */
  notes: string[];
}

/** What is to be said about one value: why it is refused, what is worth a word, or nothing. */
type Finding = CodeProblem | string | undefined;

/**
 * Every row of a batch asks, mostly about the same few codes. A file with more different ones than
 * there are languages has something else in that column: what was meant is then not looked for.
 */
const found: Readonly<Record<CodeField, Map<string, Finding>>> = {
  language: new Map(),
  country: new Map(),
};
const maxFound = 1_000;

/**
 * Checks the codes of a record against ISO 639 and ISO 3166-1. A field that is absent or holds no
 * text is let be. The lists are loaded once, by the first record that needs them.
 */
export async function checkCodes(resource: Resource, record: JsonObject): Promise<CodeFindings> {
  const findings: CodeFindings = { problems: [], notes: [] };
  for (const field of codeFields[resource] ?? []) {
    const value = record.get(field);
    if (typeof value !== 'string') continue;
    const finding = found[field].has(value) ? found[field].get(value) : await find(field, value);
    if (typeof finding === 'string') findings.notes.push(finding);
    else if (finding) findings.problems.push(finding);
  }
  return findings;
}

async function find(field: CodeField, value: string): Promise<Finding> {
  const finding = await (field === 'language' ? findLanguage(value) : findCountry(value));
  if (found[field].size < maxFound) found[field].set(value, finding);
  return finding;
}

async function findLanguage(value: string): Promise<Finding> {
  const { isLanguage, usualCode, rareLanguage } = await import('./languages.ts');
  const usual = usualCode(value);
  if (usual) {
    return `language ${value}: ${usual.name} has two codes, of which ${usual.code} is the usual one`;
  }
  if (isLanguage(value)) return undefined;
  // Almost half of all three letters are a language: who writes spn may not mean Sanapaná.
  const rare = await rareLanguage(value);
  if (rare) return `language ${value} is ${rare}`;
  const message = `language ${excerpt(value)}: no such three-letter language code (ISO 639)`;
  return { field: 'language', value, message, ...(await suggestion('language', value)) };
}

async function findCountry(value: string): Promise<Finding> {
  const { isCountry } = await import('./countries.ts');
  if (isCountry(value)) return undefined;
  const message = `country ${excerpt(value)}: no such country code (ISO 3166-1)`;
  return { field: 'country', value, message, ...(await suggestion('country', value)) };
}

async function suggestion(field: CodeField, value: string) {
  if (found[field].size >= maxFound) return undefined;
  const { suggestLanguage, suggestCountry } = await import('./codeSuggestions.ts');
  const meant = field === 'language' ? suggestLanguage(value) : suggestCountry(value);
  return meant && { suggestion: `did you mean ${meant.code} (${meant.name})?` };
}

function excerpt(value: string): string {
  if (value.trim() === '') return JSON.stringify(value);
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}
