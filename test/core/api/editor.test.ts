import { expect, it } from 'vitest';
import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { mar } from '../../harness/mar.ts';

/*
 * Tests `mar schema` as an editor uses it: this is the part of VS Code that completes JSON by a schema;
 * the YAML language server is built on the same.
 */
async function editor(text: string) {
  const service = getLanguageService({});
  const { stdout } = await mar(['schema', 'wr']);
  const schema = JSON.parse(stdout);
  service.configure({ schemas: [{ uri: 'wr.schema.json', fileMatch: ['*'], schema }] });
  const document = TextDocument.create('file:///request.json', 'json', 1, text.replace('|', ''));
  const position = document.positionAt(text.indexOf('|'));
  const parsed = service.parseJSONDocument(document);
  return {
    completions: async () => {
      const found = await service.doComplete(document, position, parsed);
      return found?.items.map(({ label }) => label) ?? [];
    },
    hover: async () => JSON.stringify(await service.doHover(document, position, parsed)),
    problems: async () => {
      const found = await service.doValidation(document, parsed);
      return found.map(({ message, range }) => `${document.getText(range)}: ${message}`);
    },
  };
}

it('completes fields, also of records within', async () => {
  const { completions } = await editor('{ "asset": "a-1001", | }');
  const fields = await completions();
  for (const field of ['language', 'due', 'instructions', '$links'])
    expect(fields).toContain(field);
  expect(fields).not.toContain('asset');
  expect(await (await editor('{ "due": { | } }')).completions()).toEqual(['date', 'tz']);
});

it('completes values that are known', async () => {
  const { completions } = await editor('{ "status": | }');
  expect(await completions()).toContain('"awaiting-materials"');
});

it('explains what a field means', async () => {
  expect(await (await editor('{ "terri|tory": "FRA" }')).hover()).toContain('territory code');
});

it('marks values of the wrong type, and nothing else', async () => {
  const { problems } = await editor('{ "due": { "date": "1/12/26" }, "asset": "a-1", "new": 1 }|');
  expect(await problems()).toEqual(['"1/12/26": Incorrect type. Expected "integer".']);
});
