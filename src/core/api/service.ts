import {
  type Assumption,
  type Certain,
  type CommandWord,
  type Hint,
  personHint,
} from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { words } from '../values/commandLine.ts';

/*
 * The service as data: each fact says on what it rests. The API document is silent about much. What it does
 * not say is assumed here, as far as a studio can set it for its service.
 */

/** `shown`: the document has the value, but not all values. `set`: for one profile, or by a file. */
type Basis = 'documented' | 'shown' | 'assumed' | 'set';

export interface Fact {
  value: string;
  basis: Basis;
}

const documented = (value: string): Fact => ({ value, basis: 'documented' });
const shown = (value: string): Fact => ({ value, basis: 'shown' });
const assumed = (value: string): Fact => ({ value, basis: 'assumed' });

/** Values of a field that are the same kind of fact. */
const each = (fact: Fact, text: string): Record<string, Fact> =>
  Object.fromEntries(text.split(' ').map((item) => [item, fact]));

const ok = 'ok';

interface Group {
  /** For `mar config list`, and for the table of open questions in the docs. */
  about: string;
  /** The valid values of all facts, or by item. Without it, any text is valid. */
  values?: RegExp | Readonly<Record<string, RegExp>>;
  facts: Readonly<Record<string, Fact>>;
}

const group = (about: string, facts: Group['facts'], values?: Group['values']): Group => ({
  about,
  values,
  facts,
});
const known = (about: string, facts: Group['facts']) => group(about, facts, /^ok$/);

export const roles = ['orderer', 'translator', 'territory', 'recipients'] as const;
export type Role = (typeof roles)[number];

/** Key: group and item. The item `*` stands for all that the group does not name. */
export const groups = {
  status: group(
    'what the status of a work request means (done, cancelled, open, blocked) and, after a colon, who acts',
    {
      // The document shows these two words, but not what they mean.
      'awaiting-materials': assumed('blocked:orderer'),
      incomplete: assumed('open:orderer'),
      'in-progress': assumed('open:translator'),
      wip: assumed('open:translator'),
      rejected: assumed('blocked:translator'),
      'awaiting-approval': assumed('blocked:territory'),
      'in-review': assumed('open:territory'),
      ...each(assumed('done'), 'complete completed approved delivered closed archived'),
      ...each(assumed('cancelled'), 'cancelled canceled'),
    },
    /^(?:(?:done|cancelled|open|blocked)(?::nobody)?|(?:open|blocked):(?:orderer|translator|territory|recipients))$/,
  ),
  'translation-status': known('statuses of translations', each(shown(ok), 'incomplete submitted')),
  phase: known('phases of an asset', each(shown(ok), 'WIP LOCK FINAL')),
  'asset-type': known(
    'types of assets',
    each(shown(ok), 'promo preliminary-production trailer.intl'),
  ),
  'media-type': known('media types of assets', each(shown(ok), 'video')),
  use: known(
    'uses that an order can name; they are assumed to be those of the usage of assets',
    each(
      assumed(ok),
      'broadcast online dcp dcp3d dcp4k film35 film70 imax imax3d atmos atmos2d atmos3d dolbyVision2d dolbyVision3d',
    ),
  ),
  dialogue: known('treatments of the dialogue', each(assumed(ok), 'subtitled')),
  graphics: known('treatments of the graphics', {}),
  narration: known('treatments of the narration', {}),
  'event-type': group(
    'types of events, and what they carry (work-request, files)',
    { wam: shown('work-request'), fd: shown('files') },
    /^(?:ok|work-request|files)$/,
  ),
  language: known('language codes besides those of ISO 639-2', {}),
  country: known('country codes besides those of ISO 3166-1', {}),
  territory: known('territory codes besides those of countries', each(assumed(ok), 'EU EZ UK UN')),
  zone: known('time zones besides those of IANA', {}),
  field: known('fields that the document does not name, such as user.role', {}),
  order: group(
    'what an order needs, what the service makes, what makes two orders the same, uses (of-asset, any), first status, and which dates are mistakes',
    {
      needs: assumed('asset,language,uses/dng/dcp/auto/autosubs'),
      made: assumed(
        '_id,from,status,reason,history,estimate,rejections,encodes,offlines,files,audioFile,graphicsAutomationJobs,translation,graphicsTranslation,urls,created,$',
      ),
      same: assumed(
        'asset,language,territory,uses.items,dng.dialogue,dng.graphics,dng.narration,dcp.items,auto,autosubs,dualLanguages',
      ),
      'same-languages': assumed(
        'alb=sqi,arm=hye,baq=eus,bur=mya,chi=zho,cze=ces,dut=nld,fre=fra,geo=kat,ger=deu,gre=ell,ice=isl,mac=mkd,mao=mri,may=msa,per=fas,rum=ron,slo=slk,tib=bod,wel=cym',
      ),
      uses: assumed('of-asset'),
      'first-status': assumed('incomplete'),
      'due-past': assumed('mistake'),
      'due-far': assumed('mistake'),
      'delivery-first': assumed('mistake'),
    },
    { uses: /^(?:of-asset|any)$/ },
  ),
  translation: group('status of a translation that is submitted, and of a new one in mar sandbox', {
    'first-status': assumed('incomplete'),
    submitted: assumed('submitted'),
  }),
  event: group('what makes two notifications the same, and the status of the work request of one', {
    'request-status': assumed('awaiting-materials'),
    same: assumed('type,workRequest,notify.users,notify.groups,files'),
    'same-hours': assumed('24'),
  }),
  people: group(
    'whether GET /session lists everybody who can be notified: all, some',
    { listed: assumed('all') },
    /^(?:all|some)$/,
  ),
  put: group(
    'what a PUT does with fields that the body lacks (missing: unknown, kept, removed), and fields that differ with each read',
    {
      missing: assumed('unknown'),
      computed: assumed('$,previews.path,previews.cdn,path'),
    },
    { missing: /^(?:unknown|kept|removed)$/ },
  ),
  secret: group('fields whose values the document omits', {
    fields: documented('password,cdn.key'),
    queries: documented('path'),
  }),
  time: group(
    'unit of times: auto (by size), s, ms, us, ns; sent: what mar sends if no record has shown the unit',
    { unit: assumed('auto'), sent: assumed('ms') },
    { unit: /^(?:auto|s|ms|us|ns)$/, sent: /^(?:s|ms|us|ns)$/ },
  ),
  list: group(
    'records in a page; how a list ends, or is refused as too large; totals in mar sandbox',
    {
      page: assumed('100'),
      end: assumed('empty,416,404,400'),
      'too-large': assumed('400,413,416,422'),
      totals: assumed('optional'),
    },
  ),
  error: group('how mar sandbox refuses', { status: assumed('4xx') }),
} satisfies Record<string, Group>;

export type GroupName = keyof typeof groups;
/** `status.shipped` */
export type ServiceKey = `${GroupName}.${string}`;

/** The items that the document shows, as examples of values. */
export const shownItems = (name: GroupName): string[] =>
  Object.entries<Fact>(groups[name].facts).flatMap(([item, { basis }]) =>
    basis === 'shown' ? [item] : [],
  );

/** The description of one service: what is known of all, and what is set for this one. */
export class Service {
  readonly #own: Readonly<Record<string, string>>;

  constructor(own: Readonly<Record<string, string>> = {}) {
    this.#own = own;
  }

  fact(name: GroupName, item: string): Fact | undefined {
    const { facts }: Group = groups[name];
    for (const one of [item, '*']) {
      const own = this.#own[`${name}.${one}`];
      if (own !== undefined) return { value: own, basis: 'set' };
      if (Object.hasOwn(facts, one)) return facts[one];
    }
    return undefined;
  }

  value(name: GroupName, item: string): string {
    return this.fact(name, item)?.value ?? '';
  }

  /** The parts of a fact with several, such as `order.needs`. */
  parts(name: GroupName, item: string): string[] {
    const value = this.value(name, item);
    return value === 'no' ? [] : value.split(',').filter(Boolean);
  }

  /** The items of a group that the service has. */
  items(name: GroupName): string[] {
    return this.#items(name).filter((item) => item !== '*' && this.value(name, item) !== 'no');
  }

  /** A status that is set replaces one that differs only in case, as both mean the same. */
  #items(name: GroupName): string[] {
    const own = Object.keys(this.#own).flatMap((key) =>
      key.startsWith(`${name}.`) ? [key.slice(name.length + 1)] : [],
    );
    const replaced = new Set(name === 'status' ? own.map((item) => item.toLowerCase()) : []);
    const others = Object.keys(groups[name].facts).filter((item) => !replaced.has(item));
    return [...new Set([...others, ...own])];
  }

  has(name: GroupName, item: string): boolean {
    const fact = this.fact(name, item);
    return fact !== undefined && fact.value !== 'no';
  }

  /** A record without the fields that the service makes itself: they may differ with each read. */
  stored(record: JsonObject, path = ''): JsonObject {
    const computed = this.parts('put', 'computed');
    const fields = [...record].flatMap(([name, value]): [string, Json][] => {
      const at = path + name;
      const isComputed =
        computed.includes(name.startsWith('$') ? '$' : at) || computed.includes(at);
      const stored = (json: Json): Json => {
        if (Array.isArray(json)) return json.map(stored);
        return isObject(json) ? this.stored(json, `${at}.`) : json;
      };
      return isComputed ? [] : [[name, stored(value)]];
    });
    return new Map(fields);
  }

  /** All facts, with their basis, for `mar config list`. */
  *facts(): Generator<Fact & { key: ServiceKey; about: string }> {
    for (const name of Object.keys(groups) as GroupName[]) {
      for (const item of this.#items(name)) {
        const fact = this.fact(name, item);
        if (fact) yield { key: `${name}.${item}`, about: groups[name].about, ...fact };
      }
    }
  }
}

/** Why a setting of the service is invalid. */
export function serviceProblem(key: string, value: string): string | undefined {
  const [name = '', ...rest] = key.split('.');
  const found: Group | undefined = Object.hasOwn(groups, name)
    ? groups[name as GroupName]
    : undefined;
  if (!found || rest.join('') === '') return `unknown setting of a service`;
  if (name === 'secret') return 'the API document says it for every service';
  const { values = /\S/ } = found;
  const pattern = values instanceof RegExp ? values : (values[rest.join('.')] ?? /\S/);
  const isValid = value === 'no' || pattern.test(value);
  return isValid ? undefined : `expected ${found.about}`;
}

/** The line that ends a check for this service. */
export const endLine = ({ key, value }: Assumption): CommandWord[] =>
  words`mar config set ${`${key}=${value}`}`;

/** A field as the group `field` has it, without the positions in lists. */
export const fieldItem = (path: string) => path.replaceAll(/\[[^\]]*\]/g, '');
/** No setting can name a field in quotes, such as ["Due date"]. */
export const fieldAssumption = (path: string): Assumption | Certain =>
  path.includes('"') ? 'mistake' : { key: `field.${fieldItem(path)}`, value: ok };

/** More values of one kind, such as languages, have one line for all of them. */
const maxLines = 5;

/** The hints of problems, each once. */
export const assumptionHints = (problems: readonly { rests?: Assumption | Certain }[]): Hint[] => {
  const found = problems.flatMap(({ rests }) => (typeof rests === 'object' ? rests : []));
  const kindOf = (key: string) => key.replace(/\..*/, '');
  const counts = new Map<string, number>();
  for (const key of new Set(found.map((one) => one.key))) {
    counts.set(kindOf(key), (counts.get(kindOf(key)) ?? 0) + 1);
  }
  const lines = found.map(({ key, value }): [string, Assumption] => {
    const kind = kindOf(key);
    const line = (counts.get(kind) ?? 0) > maxLines ? `${kind}.*` : key;
    return [line, { key: line, value }];
  });
  return [...new Map(lines).values()].map(assumptionHint);
};

/** For a message that rests on an assumption. */
export const assumptionHint = (assumption: Assumption): Hint =>
  personHint(
    assumption.key.endsWith('.*')
      ? 'mar assumes these; the API does not document them. Only if your service accepts any'
      : 'mar assumes this; the API does not document it. Only if your service accepts it',
    endLine(assumption),
  );
