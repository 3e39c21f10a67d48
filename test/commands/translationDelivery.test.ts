import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFile } from '../harness/mar.ts';

const srt = (...texts: readonly string[]) =>
  texts
    .map((text, at) => {
      const time = (second: number) => `00:00:${String(at * 5 + second).padStart(2, '0')},000`;
      return `${at + 1}\n${time(1)} --> ${time(5)}\n${text}\n`;
    })
    .join('\n');

const spanish = srt(
  '¿Lo de siempre, doña Carmen?',
  'Lo de siempre ya no existe.',
  '- ¡Apágalo!\n- No puedo, ya es tarde.',
  'Aquí vienen los que se despiden.',
  'Y cada noche cierro la panadería.',
  'Nadie sabe cuánto tiempo nos queda.',
  'Mañana volveremos a abrir la puerta.',
);
const japanese = srt(
  '灯台の灯を守り続けた長い年月だった',
  '今夜も船は港に戻って来ないのか',
  '待つ',
);
const german = srt('Er hat das Feuer gehütet.', 'Niemand weiß, wie lange noch.', 'Bis morgen.');

const check = (...argv: readonly string[]) => mar(['translation', 'check', ...argv, '--fps', '24']);
const fix = (...argv: readonly string[]) => mar(['translation', 'fix', ...argv, '--fps', '24']);
const rulesIn = (stdout: string) =>
  JSON.parse(stdout).map(({ severity, rule }: Record<string, string>) => `${severity} ${rule}`);

describe('the language of a file', () => {
  it('is found in a name as vendors write it', async () => {
    const named = await check(temporaryFile(japanese, 'harbor.jpn.srt'), '--json');
    const { stdout } = await check(temporaryFile(japanese, 'HARBOR_JA_v3.srt'), '--json');
    expect(rulesIn(stdout)).toEqual(rulesIn(named.stdout));
    expect(rulesIn(stdout)).toContain('error line-length');
  });

  it('is a warning if nothing says it, until --language does', async () => {
    const file = temporaryFile(german, 'HARBOR_v3.srt');
    const { code, stdout, stderr } = await check(file);
    expect(code).toBe(0);
    expect(stdout).toContain('warning\tlanguage\tlanguage unknown');
    expect(stderr).toContain('1 warning in 3 cues');
    expect((await check(file, '--language', 'de')).stdout).toBe('');
    expect((await check(file, '--language', '*_v3*=de')).stdout).toBe('');
    expect((await check(file, '--language', '*_v4*=de')).stdout).toContain('language unknown');
  });

  it.each([
    ['the name', 'harbor.deu.srt', spanish],
    ['the header', 'harbor.spa.vtt', `WEBVTT\nLanguage: en\n\n${spanish.replaceAll(',', '.')}`],
  ])('is an error if %s contradicts the rest, and fix waits', async (where, name, content) => {
    const file = temporaryFile(content, name);
    const { code, stdout } = await check(file);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^1\t\t\terror\tlanguage\t/);
    expect(stdout).toContain(`${where} says`);
    expect(stdout).toContain('the text is Spanish');
    const fixed = await fix(file, '--in-place');
    expect(fixed.code).toBe(3);
    expect(fixed.stderr).toContain('--language');
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect((await check(file, '--language', 'es')).code).toBe(0);
  });

  it('is that of the file, the name and the text, whichever region or script they name', async () => {
    expect((await check(temporaryFile(spanish, 'harbor_LAS_v2.srt'))).code).toBe(0);
    expect((await check(temporaryFile(spanish, 'harbor.es-ES.srt'))).code).toBe(0);
  });
});

describe('the encoding of a file', () => {
  it('is its own; --encoding is for files that do not say', async () => {
    const old = temporaryFile(Buffer.from(german, 'latin1'), 'harbor.deu.srt');
    const utf8 = temporaryFile(spanish, 'harbor.spa.srt');
    const { code, stderr } = await check(old, utf8, '--encoding', 'windows-1252');
    expect(code).toBe(0);
    expect(stderr).toContain('windows-1252 (--encoding)');
    expect(stderr).toMatch(/harbor\.spa\.srt is taken for: .*utf-8,/);
    await fix(utf8, '--in-place', '--encoding', 'windows-1252');
    expect(readFileSync(utf8, 'utf8')).toBe(spanish);
  });

  it('is the declared one in XML that is not UTF-8', async () => {
    const ttml = `<?xml version="1.0" encoding="ISO-8859-1"?><tt xmlns="http://www.w3.org/ns/ttml" xml:lang="de"><body><div><p begin="1s" end="3s">Gehütet.</p></div></body></tt>`;
    const file = temporaryFile(Buffer.from(ttml, 'latin1'), 'a.ttml');
    const { stdout } = await mar(['translation', 'diff', file, file, '--encoding', 'big5']);
    expect(stdout).toBe('');
    expect((await check(file, '--encoding', 'big5')).stderr).toContain('windows-1252,');
  });

  it('becomes UTF-8 when it is fixed, even if nothing else changes', async () => {
    const old = temporaryFile(Buffer.from(german, 'latin1'), 'harbor.deu.srt');
    const { stderr } = await fix(old, '--in-place', '--encoding', 'windows-1252');
    expect(stderr).toContain('written as UTF-8, not as windows-1252');
    expect(readFileSync(old, 'utf8')).toBe(german);
    expect(existsSync(old)).toBe(true);
  });
});
