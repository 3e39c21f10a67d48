import { harborScript } from './harborScript.ts';
import { cafeScript, foxScript, noScript } from './otherScripts.ts';
import type { Language, Script } from './script.ts';

/** A step of a work request's life: who did it, how many days ago, and why. */
type Step = readonly [status: string, user: string, daysAgo: number, reason: string];

/** What tells one demo work request from another. */
export interface WorkRequestPlan {
  number: number;
  asset: number;
  language: Language;
  territory: string;
  timeZone: string;
  /** Due in so many days; negative: overdue. */
  dueIn: number;
  translator: string;
  script: Script;
  translationStatus: 'incomplete' | 'submitted';
  automatic?: boolean;
  /** Names of materials that have not come yet. */
  missing: readonly string[];
  instructions: string;
  steps: readonly Step[];
}

const asked = (daysAgo: number): Step => ['incomplete', 'u-ines', daysAgo, ''];

const house = 'Two lines at most, 42 characters a line.\nItalics for radio and voices off screen.';

export const workRequestPlans: readonly WorkRequestPlan[] = [
  {
    number: 2001,
    asset: 1001,
    language: 'fra',
    territory: 'FRA',
    timeZone: 'Europe/Paris',
    dueIn: 4,
    translator: 'u-marc',
    script: harborScript,
    translationStatus: 'submitted',
    missing: [],
    instructions: `${house}\nKeep “Aurelia” untranslated; the ship is feminine in French.`,
    steps: [
      asked(18),
      ['awaiting-materials', 'u-ines', 17, 'M&E is still in the mix'],
      ['in-progress', 'u-marc', 9, ''],
    ],
  },
  {
    number: 2002,
    asset: 1001,
    language: 'deu',
    territory: 'DEU',
    timeZone: 'Europe/Berlin',
    dueIn: 6,
    translator: 'u-greta',
    script: harborScript,
    translationStatus: 'incomplete',
    missing: ['textless'],
    instructions: `${house}\nFSK card 12 goes first.`,
    steps: [
      asked(16),
      ['awaiting-materials', 'u-tom', 15, 'Textless master has a dropout at reel end'],
    ],
  },
  {
    number: 2003,
    asset: 1001,
    language: 'jpn',
    territory: 'JPN',
    timeZone: 'Asia/Tokyo',
    dueIn: -20,
    translator: 'u-haruka',
    script: harborScript,
    translationStatus: 'submitted',
    missing: [],
    instructions: '13 full-width characters a line, two lines.\nNo full stops at line ends.',
    steps: [
      asked(60),
      ['in-progress', 'u-haruka', 55, ''],
      ['awaiting-approval', 'u-haruka', 31, ''],
      ['complete', 'u-ines', 22, 'Approved by the territory'],
    ],
  },
  {
    number: 2004,
    asset: 1002,
    language: 'spa',
    territory: 'ESP',
    timeZone: 'Europe/Madrid',
    dueIn: 2,
    translator: 'u-lucia',
    script: harborScript,
    translationStatus: 'submitted',
    missing: [],
    instructions: `${house}\nCastilian, not neutral Spanish.`,
    steps: [
      asked(25),
      ['in-progress', 'u-lucia', 20, ''],
      ['awaiting-approval', 'u-lucia', 3, 'Offline uploaded, please look at line 8'],
    ],
  },
  {
    number: 2005,
    asset: 1001,
    language: 'ara',
    territory: 'ARE',
    timeZone: 'Asia/Dubai',
    dueIn: 11,
    translator: 'u-omar',
    script: harborScript,
    translationStatus: 'incomplete',
    missing: ['m-and-e'],
    instructions: `${house}\nPunctuation on the left; check the numerals on the card.`,
    steps: [asked(5)],
  },
  {
    number: 2006,
    asset: 1001,
    language: 'heb',
    territory: 'ISR',
    timeZone: 'Asia/Jerusalem',
    dueIn: 8,
    translator: 'u-noa',
    script: harborScript,
    translationStatus: 'submitted',
    missing: [],
    instructions: house,
    steps: [asked(14), ['in-progress', 'u-noa', 10, '']],
  },
  {
    number: 2007,
    asset: 1009,
    language: 'por',
    territory: 'BRA',
    timeZone: 'America/Sao_Paulo',
    dueIn: 3,
    translator: 'u-lucia',
    script: foxScript,
    translationStatus: 'submitted',
    missing: [],
    instructions: 'Brazilian Portuguese.\nNames stay in Hepburn: Yuki, not Iúqui.',
    steps: [
      asked(19),
      ['in-progress', 'u-lucia', 12, ''],
      ['awaiting-approval', 'u-lucia', 4, ''],
      ['rejected', 'u-haruka', 2, 'Line 4: the fox speaks formally to the girl'],
    ],
  },
  {
    number: 2008,
    asset: 1009,
    language: 'fra',
    territory: 'FRA',
    timeZone: 'Europe/Paris',
    dueIn: 9,
    translator: 'u-marc',
    script: foxScript,
    translationStatus: 'incomplete',
    missing: ['script', 'textless'],
    instructions: `${house}\nThe song is not subtitled.`,
    steps: [
      asked(8),
      ['awaiting-materials', 'u-haruka', 7, 'Waiting for the dialogue list with romaji'],
    ],
  },
  {
    number: 2009,
    asset: 1006,
    language: 'spa',
    territory: 'MEX',
    timeZone: 'America/Mexico_City',
    dueIn: 1,
    translator: 'u-lucia',
    script: cafeScript,
    translationStatus: 'incomplete',
    missing: [],
    instructions: `${house}\nNeutral Latin American Spanish.`,
    steps: [asked(6)],
  },
  {
    number: 2010,
    asset: 1011,
    language: 'deu',
    territory: 'DEU',
    timeZone: 'Europe/Berlin',
    dueIn: 30,
    translator: 'u-greta',
    script: noScript,
    translationStatus: 'incomplete',
    automatic: true,
    missing: ['master', 'script'],
    instructions: '',
    steps: [asked(1)],
  },
];
