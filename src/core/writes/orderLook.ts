import { profileOf } from '../config/configFile.ts';
import { orUndefined } from '../errors.ts';
import { items, textAt, valueAt } from '../json/fields.ts';
import { type JsonObject, toPlain } from '../json/value.ts';
import { commonName, countries, languageWith } from '../records/names.ts';
import { orderOf } from '../records/orderIdentity.ts';
import type { Context } from '../session/context.ts';
import { day, formatDate } from '../values/time.ts';
import { truncate } from '../values/width.ts';

/* The table that a person sees before an order or an event is sent, because mar cannot take it back. */

type Looking = Pick<Context, 'session'>;

export type OrderLook = ReturnType<ReturnType<typeof orderLooker>>;
export type EventLook = ReturnType<typeof eventLook>;

/** Returns a function that takes the body of an order, and the name of its asset if it is known. */
export function orderLooker({ session }: Looking) {
  const { date: read, now } = session.clock;
  /** Rows of a batch repeat a few pairs, and a locale takes long. */
  const pairs = new Map<string, string | undefined>();
  const oddPair = (...pair: [language: string, territory: string]) => {
    const key = pair.join(' ');
    if (!pairs.has(key)) pairs.set(key, pairRemark(...pair));
    return pairs.get(key);
  };
  return (body: JsonObject | undefined, name?: string) => {
    const order = body && toPlain(body);
    const [language, territory] = [textAt(order, 'language'), textAt(order, 'territory')];
    const date = read(valueAt(order, 'due.date'));
    const remarks = [
      body && !date && 'no due date',
      body && territory === '' && 'no territory',
      date && date.getTime() - now.getTime() > 365 * day && 'due in more than a year',
      oddPair(language, territory),
    ];
    return {
      asset: textAt(order, 'asset._id') || textAt(order, 'asset'),
      name,
      language,
      territory,
      /** In its zone. */
      due: date ? formatDate(date, valueAt(order, 'due.tz')) : '',
      wishes: orderOf(order, session.service()).wants,
      instructions: textAt(order, 'instructions'),
      remarks: remarks.filter((one) => typeof one === 'string'),
    };
  };
}

/** `French in Germany is unusual`, if the platform has no such locale. English goes everywhere. */
function pairRemark(language: string, territory: string): string | undefined {
  const [spoken, country] = [languageWith(language), countries().get(territory)];
  const [code, region] = [spoken?.twoLetters, country?.twoLetters];
  if (!spoken || !country || !code || code === 'en') return undefined;
  const usual = orUndefined(() => new Intl.Locale(code).maximize().region);
  const known = new Intl.DateTimeFormat(`${code}-${region}`).resolvedOptions().locale;
  if (usual === region || known !== code) return undefined;
  return `${commonName('language', spoken)} in ${commonName('country', country)} is unusual`;
}

export function eventLook({ session }: Looking, event: JsonObject) {
  const plain = toPlain(event);
  const users = items(plain, 'notify.users').map((id) => session.userName(String(id)) ?? `${id}`);
  const groups = items(plain, 'notify.groups').map(String);
  const request = textAt(plain, 'workRequest._id') || textAt(plain, 'workRequest');
  const isUnheard = request !== '' && users.length + groups.length === 0;
  return {
    type: textAt(plain, 'type'),
    workRequest: request,
    files: items(plain, 'files').map(String),
    users,
    groups,
    remarks: isUnheard ? ['nobody to notify'] : [],
  };
}

/** The title, the details, and what is missing or odd. */
export function lookLines({ session }: Looking, look: OrderLook | EventLook): string[] {
  const { title, details } = 'asset' in look ? orderLines(look) : eventLines(look);
  const remarks = [...look.remarks, otherService({ session })].filter(Boolean);
  return [
    title,
    ...details.filter(Boolean).map((line) => `  ${line}`),
    ...(remarks.length > 0 ? [`warning: ${remarks.join(', ')}`] : []),
    'mar cannot take it back.',
  ];
}

function orderLines({ asset, name, language, territory, due, wishes, instructions }: OrderLook) {
  const parts = [
    language && `language ${language}`,
    territory && `territory ${territory}`,
    due && `due ${due}`,
  ];
  const title = `Work request for ${name ? `${name} (${asset})` : `asset ${asset}`}:`;
  const told = instructions && `instructions: ${truncate(instructions.replace(/\s+/g, ' '), 60)}`;
  return { title, details: [parts.filter(Boolean).join(', '), wishes, told] };
}

function eventLines({ type, workRequest, files, users, groups }: EventLook) {
  const listed = (noun: string, names: readonly string[]) =>
    names.length > 0 ? `${noun} ${names.join(', ')}` : '';
  const about = [workRequest && `work request ${workRequest}`, listed('files', files)];
  return {
    title: `Event of type ${type}:`,
    details: [about.filter(Boolean).join(', '), listed('users', users), listed('groups', groups)],
  };
}

/** Orders for a test account are not those for the real one. */
export function otherService({ session }: Looking): string | undefined {
  const { config } = session;
  const usual = profileOf(config, config.defaultProfile ?? 'default')?.baseUrl;
  if (!usual || !URL.canParse(usual)) return undefined;
  const { href, host } = new URL(usual);
  return href === session.identity().baseUrl.href
    ? undefined
    : `not the service of your default profile (${host})`;
}
