import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { mar, temporaryFile } from '../../harness/mar.ts';
import { randomNumbers } from '../../harness/random.ts';

/* The API shows no way to cancel an order: slips are refused, and what is only unusual is not. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-18T12:30:45Z') });
  onTestFinished(() => void vi.useRealTimers());
});

const markets = {
  fra: ['FRA', 'Europe/Paris'],
  deu: ['DEU', 'Europe/Berlin'],
  spa: ['ESP', 'Europe/Madrid'],
  por: ['BRA', 'America/Sao_Paulo'],
  jpn: ['JPN', 'Asia/Tokyo'],
  ara: ['ARE', 'Asia/Dubai'],
  ita: ['ITA', 'Europe/Rome'],
  swe: ['SWE', 'Europe/Stockholm'],
} as const;

const territories = Object.values(markets).map(([territory]) => territory);

type Order = Record<string, unknown>;

/** Orders of a usual day. */
const usual = Object.entries(markets).map(([language, [territory, tz]]): Order => {
  return {
    asset: { _id: 'a-1001' },
    language,
    territory,
    assetType: 'trailer.intl',
    due: { date: '2026-12-20T18:00', tz },
    deliveryDeadline: { date: '2027-01-15T12:00', tz },
    uses: { items: ['online', 'broadcast'] },
    dng: { dialogue: ['subtitled'], graphics: ['localized'], narration: ['voice-over'] },
    instructions: 'Two lines at most',
  };
});

/** The orders that `--check` accepts, if the user named the usual territories. */
async function accepted(orders: readonly Order[]): Promise<string[]> {
  const known = Object.fromEntries(territories.map((code) => [code, 'ok']));
  const description = temporaryFile(JSON.stringify({ territory: known }), 'service.json');
  const env = { MAR_SERVICE: description };
  const lines = orders.map((order) => JSON.stringify(order));
  const file = temporaryFile(`${lines.join('\n')}\n`, 'orders.jsonl');
  const check = ['wr', 'create', '--batch', file, '--check', '--again', '--json'];
  const { stdout, stderr } = await mar(check, { env });
  expect(stdout, stderr).not.toBe('');
  const { rows, invalidRows } = JSON.parse(stdout);
  expect(rows).toBe(orders.length);
  return lines.filter((_, at) => !invalidRows.includes(at + 1));
}

/**
 * The strings of an order that a slip may change. A name is followed by a colon. No list has the
 * treatments of graphics and narration.
 */
function targets(json: string) {
  const found: Record<string, string[]> = { name: [], value: [], code: [], date: [] };
  for (const [text = '', word = '', colon] of json.matchAll(/"([^"]+)"(:?)/g)) {
    if (/^_id$|a-1001|lines|localized|voice-over/.test(word)) continue;
    const kind = /^\d/.test(word) ? 'date' : word.length === 3 ? 'code' : 'value';
    found[colon ? 'name' : kind]?.push(text);
  }
  return Object.values(found);
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const [latin, cyrillic] = ['aeopcAE', 'аеорсАЕ'];

/** The ways in which one character goes wrong. */
const slips: ((word: string, at: number, letter: string) => string)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at + 1) + word.slice(at),
  (word, at) => word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at + 1),
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at),
  (word, at) => {
    const one = word[at] ?? '';
    const other = one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase();
    return word.slice(0, at) + other + word.slice(at + 1);
  },
  (word, at) =>
    word.slice(0, at) + String.fromCharCode(word.charCodeAt(at) + 0xfee0) + word.slice(at + 1),
  (word, at) =>
    word.slice(0, at) + (cyrillic[latin.indexOf(word[at] ?? '')] ?? word[at]) + word.slice(at + 1),
];

const isDate = (word: string) => !Number.isNaN(Date.parse(`${word}Z`));

it('of 500 slips of one character, at most 5 become a record', async () => {
  const random = randomNumbers(43);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  const orders: Order[] = [];
  while (orders.length < 500) {
    const json = JSON.stringify(pick(usual));
    const quoted = pick(pick(targets(json)));
    const word = quoted.replaceAll(/^"|":?$/g, '');
    const letter = pick([...letters]);
    const isUpper = word === word.toUpperCase();
    const slip = pick(slips)(word, random(word.length), isUpper ? letter.toUpperCase() : letter);
    // Nobody can know which of two valid dates was meant.
    if (slip === word || (isDate(word) && isDate(slip))) continue;
    orders.push(JSON.parse(json.replace(quoted, quoted.replace(word, slip))));
  }
  const records = await accepted(orders);
  expect(records.length, records.join('\n')).toBeLessThanOrEqual(5);
  expect(await accepted(usual)).toHaveLength(usual.length);
});

/** Real values that no usual order has. */
const unusual = {
  language: [
    ...['fil', 'haw', 'gsw', 'ast', 'kok', 'nds', 'mul', 'zxx', 'qaa', 'cat', 'cym', 'zul', 'khm'],
    ...['fre', 'ger', 'chi', 'lat', 'epo', 'tlh', 'yid', 'que', 'nob', 'nno', 'zho', 'tha', 'msa'],
  ],
  territory: [
    ...['UK', 'EU', 'LAS', 'INT', 'ROW', 'LATAM', 'EMEA', 'APAC', 'MENA', 'DACH', 'NORAM', 'CIS'],
    ...['GCC', 'ANZ', 'BENELUX', 'NORDICS', 'WW', 'UAE', 'KSA', 'SSA', 'CEE', 'Latin America'],
    ...['AUT', 'AUS', 'CHE', 'BOL', 'VAT', 'HKG', 'TWN', 'XKX', 'US', 'GB', 'CN', 'KR', 'NZ', 'ZA'],
  ],
  assetType: ['promo', 'teaser', 'poster', 'featurette', 'tv-spot', 'preliminary-production'],
  'due.date': [
    ...['1 Dec', '20 December 2027', '+14d', '+1mo', 'tomorrow 18:00', 'friday'],
    ...['2026-12-20T18:00:30.5+05:45', '2027-02-28', '2028-02-29T00:00Z', 1_797_800_000_000],
  ],
  'due.tz': [
    ...['Asia/Kolkata', 'America/Argentina/Ushuaia', 'Etc/UTC', 'UTC', 'US/Pacific', 'Tokyo'],
    ...['Pacific/Apia', 'Asia/Kathmandu', 'America/Port-au-Prince', 'new york', 'Africa/Abidjan'],
  ],
  'uses.items': [
    ...['dcp', 'dcp4k', 'imax3d', 'dolbyVision2d', 'film70', 'atmos', 'airline', 'hbbtv', 'social'],
    ...['in-store', 'cinema ad'],
  ],
  'dng.dialogue': ['dubbed', 'sdh', 'audio-described', 'lektor', 'forced', 'original'],
  instructions: ['#1 for the client', 'Ｗide', 'N/A', 'язык', 'due_date, online,broadcast', '-'],
  tags: ['#urgent', 'rush,vip', 'Q1/2027', 'ready!'],
  priority: [1, 'high'],
  poNumber: ['4711-A'],
};

it('of 300 valid orders with unusual values, at most 3 are refused', async () => {
  const random = randomNumbers(7);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  const orders = Array.from({ length: 300 }, () => {
    const order = structuredClone(pick(usual)) as Record<string, Record<string, unknown>>;
    delete order.deliveryDeadline;
    for (const [path, values] of Object.entries<unknown[]>(unusual)) {
      if (random(2) === 0) continue;
      const [field = '', below] = path.split('.');
      const isList = /items|dialogue|tags/.test(path);
      const value = isList ? [pick(values)] : pick(values);
      Object.assign(below ? (order[field] as object) : order, { [below ?? field]: value });
    }
    return order;
  });
  const records = await accepted(orders);
  const lines = orders.map((order) => JSON.stringify(order));
  const refused = lines.filter((line) => !records.includes(line));
  expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(3);
});
