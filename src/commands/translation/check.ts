import path from 'node:path';
import { MarError, usageError } from '../../errors.ts';
import { isContainer } from '../../files/container.ts';
import { stringOption } from '../../input.ts';
import { textResult } from '../../output/result.ts';
import {
  type CheckedSubtitles,
  countsOf,
  type SetMember,
  type Subtitles,
  setFindings,
  setMember,
  takenFor,
} from '../../subtitles/index.ts';
import { matchesPattern } from '../../values/match.ts';
import type { Command } from '../command.ts';
import {
  deliveryError,
  deliverySummary,
  expectOption,
  fileColumns,
  fileRecord,
  missingFrom,
  missingName,
  noSubtitles,
  notExpected,
  readExpected,
  withDelivery,
  withoutCues,
  withRequest,
} from './delivery.ts';
import {
  findingColumns,
  findingRecords,
  githubAnnotations,
  languageOption,
  limitOptions,
  subtitlesChecker,
  summaryOf,
} from './findings.ts';
import {
  checkSourceNames,
  encodingOption,
  graphicsOption,
  isFileName,
  openDelivery,
  readEach,
  readSubtitles,
  recordFlags,
  rememberRequests,
  reportResult,
  sourceArgument,
} from './source.ts';

export const command: Command = {
  name: 'check',
  isPaged: true,
  summary: 'Check a translation or a subtitle file for mistakes',
  details:
    'Exits with 3 if there are errors, and with 0 if there are only warnings. Widths are in columns; for Chinese, Japanese and Korean, in full-width characters; a Latin letter counts as half. For files, results name the line of the file, and the cue. --preset none turns off all limits, so that only invalid times, tags and numbers are reported. The report of --video plays the file from where it is; send both, or use --embed. With several translations, each has a player with the same video.',
  arguments: [{ ...sourceArgument, many: true }],
  options: [
    graphicsOption,
    ...limitOptions,
    languageOption,
    encodingOption,
    expectOption,
    {
      flags: '--details',
      summary: 'list the problems of all files, instead of a row for each file',
    },
    {
      flags: '--file <name>',
      summary: 'list the problems of this file of several; * for any characters',
    },
    {
      flags: '--format <format>',
      summary: 'print annotations for a CI job instead of a table',
      choices: ['github'],
      excludes: [...recordFlags, '--output'],
    },
    {
      flags: '--report <file>',
      summary: 'also write a page with the findings (*.html); replaces the file',
      completes: 'file',
    },
    {
      flags: '--video <file>',
      summary: 'play this video in the report, with the subtitles and a key for the next finding',
      completes: 'file',
      needs: '--report FILE',
      relationHints: { '--report FILE': 'The report plays the video.' },
    },
    {
      flags: '--embed',
      summary: 'put the video into the report (up to 50 MB), to send one file',
      needs: '--video FILE',
      relationHints: { '--video FILE': 'It puts the video into the report.' },
    },
  ],
  examples: {
    'Check a translation before you submit it': 'mar translation check wr-2001',
    'Check files in CI, with annotations':
      'mar translation check subtitles/*.srt --preset bbc --format github',
    "Check the subtitles of a children's programme at 25 frames per second":
      'mar translation check movie.fr-CA.srt --children --fps 25',
    'Write a page for the vendor': 'mar translation check wr-2001 wr-2009 --report qc.html',
    'Write a page that plays the trailer with its subtitles':
      'mar translation check wr-2001 --report qc.html --video trailer.mp4',
    'Write the findings to a spreadsheet':
      'mar translation check wr-2001 wr-2009 --details -O qc.xlsx',
    'Allow wider and faster lines': 'mar translation check wr-2001 --max-cps 20 --max-width 45',
  },
  async *run(context, input) {
    const words = input.arguments;
    checkSourceNames(words);
    const report = stringOption(input, 'report');
    const writeReport =
      report !== undefined && (await import('./report.ts')).openReport(context, input, report);
    const expected = await readExpected(context, input);
    const isDelivery = words.length > 1 || words.some(isContainer) || expected.length > 0;
    const { details, format } = input.options;
    const listsFindings = !isDelivery || details || format;
    const pattern = stringOption(input, 'file') ?? (listsFindings ? '*' : undefined);
    const isListed = ({ name }: Subtitles) =>
      pattern !== undefined &&
      [name, path.basename(name)].some((one) => matchesPattern(one, pattern));
    const failures: MarError[] = [];
    const found: CheckedSubtitles[] = [];
    const members: SetMember[] = [];
    const check = subtitlesChecker(context, input);
    const { names, files, close } = await openDelivery(context.reporter, words);
    const read = (name: string) =>
      readSubtitles(context, input, name, files.get(name)).catch((error: unknown) => {
        if (!isDelivery || !isFileName(name) || !(error instanceof MarError)) throw error;
        const message = error.message.replace(`${name} `, '');
        return noSubtitles(name, [[message, error.details.hint].filter(Boolean).join('. ')]);
      });
    const judge = async (subtitles: Subtitles) => {
      const checked = await check(subtitles);
      if (subtitles.format) members.push(setMember(checked));
      found.push(writeReport || isListed(subtitles) ? checked : withoutCues(checked));
    };
    try {
      for await (const one of readEach(context.session, names, read, failures)) {
        await judge(withRequest(one, expected));
      }
    } finally {
      await close();
    }
    const more = [...setFindings(members), ...notExpected(found, expected)];
    const missing = missingFrom(found, expected);
    if (missing.length > 0) await judge(noSubtitles(missingName, missing));
    const checked = withDelivery(found, more);
    // An old report stays if there is nothing to write a new one about.
    if (writeReport && checked.length > 0) await writeReport(checked, failures);
    const isWrong = (one: CheckedSubtitles) => countsOf(one).errors > 0;
    const wrong = checked.filter(isWrong);
    if (format === 'github') yield textResult(checked.flatMap(githubAnnotations).join(''));
    else if (pattern === undefined) {
      const notes = wrong.length === 0 ? [deliverySummary(checked)] : [];
      yield reportResult(checked.map(fileRecord), fileColumns(checked), notes);
    } else {
      const listed = checked.filter(({ subtitles }) => isListed(subtitles));
      if (listed.length === 0 && pattern !== '*')
        throw usageError(`no file is named ${pattern}`, { flag: '--file' });
      const taken = listed
        .filter(({ subtitles }) => subtitles.format)
        .map((one) => `${one.subtitles.name} is taken for: ${takenFor(one)}`);
      const right = listed.filter((one) => !isWrong(one)).map(summaryOf);
      yield reportResult(findingRecords(listed), findingColumns(listed), [...taken, ...right]);
    }
    await rememberRequests(
      context,
      found.map(({ subtitles }) => subtitles),
    );
    if (wrong.length > 0) {
      failures.unshift(
        isDelivery
          ? deliveryError(checked)
          : new MarError('check', wrong.map(summaryOf).join('\n')),
      );
    }
    if (failures.length > 0) throw MarError.together(failures);
  },
};
