import { MarError } from '../../errors.ts';
import { stringOption } from '../../input.ts';
import { textResult } from '../../output/result.ts';
import { type CheckedSubtitles, errorsIn } from '../../subtitles/index.ts';
import type { Command } from '../command.ts';
import {
  factsLine,
  findingColumns,
  findingRecords,
  githubAnnotations,
  languageOption,
  limitOptions,
  subtitlesChecker,
  summaryOf,
} from './findings.ts';
import {
  encodingOption,
  graphicsOption,
  readAllSubtitles,
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
    'Write the findings to a spreadsheet': 'mar translation check wr-2001 wr-2009 -O qc.xlsx',
    'Allow wider and faster lines': 'mar translation check wr-2001 --max-cps 20 --max-width 45',
  },
  async *run(context, input) {
    const report = stringOption(input, 'report');
    const writeReport =
      report !== undefined && (await import('./report.ts')).openReport(context, input, report);
    const check = subtitlesChecker(context, input);
    const { found, failures } = await readAllSubtitles(context, input, input.arguments);
    const checked: CheckedSubtitles[] = [];
    for (const one of found) checked.push(await check(one));
    // An old report stays if there is nothing to write a new one about.
    if (writeReport && checked.length > 0) await writeReport(checked, failures);
    const isWrong = ({ findings }: CheckedSubtitles) => errorsIn(findings).length > 0;
    if (input.options.format === 'github') {
      yield textResult(checked.flatMap(githubAnnotations).join(''));
    } else {
      const files = checked.filter(({ subtitles }) => subtitles.format);
      const right = checked.filter((one) => !isWrong(one));
      const notes = [...files.map(factsLine), ...right.map(summaryOf)];
      yield reportResult(findingRecords(checked), findingColumns(checked), notes);
    }
    await rememberRequests(context, found);
    const wrong = checked.filter(isWrong);
    if (wrong.length > 0) {
      failures.unshift(new MarError('check', wrong.map(summaryOf).join('\n')));
    }
    if (failures.length > 0) throw MarError.together(failures);
  },
};
