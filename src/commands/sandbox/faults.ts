import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import type { FaultSettings } from '../../sandbox/faults/faults.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { openInBrowser } from '../../terminal/browser.ts';
import { parseWholeNumber } from '../../values/numbers.ts';
import { type Input, type Option, stringOption } from '../command.ts';

/* The flags of `mar sandbox` for faults and the page. */

export const faultOptions: readonly Option[] = [
  { flags: '--open', summary: 'open its page in the browser: requests, records, faults' },
  {
    flags: '--fault <fault>',
    summary: 'make requests fail, such as "POST /workrequests 503 5%"',
    many: true,
  },
  {
    flags: '--fault-seed <n>',
    summary: 'number that decides which requests fail',
    default: 'random',
  },
  {
    flags: '--rate-limit <n/s>',
    summary: 'respond with 429 to requests above this rate, such as 20/s',
  },
];

export function readFaults(input: Input): FaultSettings {
  const seed = stringOption(input, 'faultSeed');
  return {
    faults: (input.options.fault as string[] | undefined) ?? [],
    rateLimit: stringOption(input, 'rateLimit'),
    seed: seed === undefined ? seed : parseWholeNumber(seed, '--fault-seed', { min: 0 }),
  };
}

/** The flags for the process in the background. */
export function faultArguments(input: Input): string[] {
  const { faults = [], rateLimit, seed } = readFaults(input);
  return [
    ...faults.flatMap((fault) => ['--fault', String(fault)]),
    ...(rateLimit ? ['--rate-limit', rateLimit] : []),
    ...(seed === undefined ? [] : ['--fault-seed', String(seed)]),
  ];
}

export const pageUrl = ({ baseUrl }: Pick<Sandbox, 'baseUrl'>): string =>
  new URL('/', baseUrl).href;

/** Lines for people about the faults in force. */
export function describeFaults({ faults = [], rateLimit }: FaultSettings, seed: number): string[] {
  const hasShare = faults.some((fault) => String(fault).includes('%'));
  return [
    ...faults.map((fault) => `  Fault      ${fault}`),
    ...(hasShare
      ? [`  Seed       ${seed} (the same requests fail with --fault-seed ${seed})`]
      : []),
    ...(rateLimit ? [`  Limit      ${rateLimit}`] : []),
  ];
}

/** The sandbox is running, so a browser that cannot be started is only a warning. */
export async function openPage(context: Context, input: Input, running: { baseUrl: string }) {
  if (!input.options.open) return;
  try {
    await openInBrowser(pageUrl(running), context.world);
  } catch (error) {
    if (!(error instanceof MarError) || error.kind !== 'service') throw error;
    context.warn('browser', `${error.message}. ${error.details.hint ?? ''}`);
  }
}
