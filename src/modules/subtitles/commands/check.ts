import type { Command } from '../../../core/commands/command.ts';
import { MarError, onCommandLine } from '../../../core/errors.ts';
import { option, stringOption } from '../../../core/input.ts';
import { rowsResult } from '../../../core/output/result.ts';
import { firstOf, plural } from '../../../core/values/numbers.ts';
import { countsOf } from '../check/check.ts';
import { findingRecords, type Summary, summarise } from '../check/summary.ts';
import { compareDeliveries, diffNote, earlierFile, readReport } from '../compare/redelivery.ts';
import { compareFiles } from '../compare/set.ts';
import type { Subtitles } from '../subtitles.ts';
import {
  claimReader,
  compareWithExpected,
  deliveryError,
  deliverySummary,
  expectOption,
  fileColumns,
  fileRecord,
  labelsOf,
  missingFrom,
  missingName,
  readExpected,
  unreadableFile,
} from './delivery.ts';
import {
  findingColumns,
  languageOption,
  limitOptions,
  subtitlesChecker,
  summaryOf,
} from './findings.ts';
import {
  encodingOption,
  findSources,
  graphicsOption,
  readBytes,
  readEach,
  rememberRequests,
  type Source,
  sourceArgument,
} from './source.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Check a translation or a subtitle file for mistakes',
  details:
    'Checks times, reading speed, line length, tags and language, with the limits of --preset. For a folder, a .zip or several files, it prints a row for each subtitle file; --details lists the problems instead. Files need no login. Exits with 3 if it finds errors, but not for warnings.',
  arguments: [{ ...sourceArgument, many: true }],
  options: [
    option('--details', 'list the problems, instead of a row for each file'),
    option('--report <file>', 'also write a page with the findings (*.html); replaces the file', {
      completes: 'file',
    }),
    expectOption,
    option('--against <old>', 'earlier delivery or its --report page; shows what is fixed', {
      completes: 'file',
    }),
    languageOption,
    ...limitOptions,
    encodingOption,
    graphicsOption,
  ],
  examples: {
    'Check a translation before you submit it': 'mar translation check wr-2001',
    'Write a page for the vendor': 'mar translation check wr-2001 wr-2009 --report qc.html',
    'See what a new delivery has fixed':
      'mar translation check delivery-2 --against delivery-1.zip --report qc.html',
  },
  async *run(context, input) {
    const words = input.arguments;
    const page = stringOption(input, 'report');
    const report = page && (await import('./report.ts')).openReport(context, input, page);
    const unread: string[] = [];
    const sources = await findSources(context, input, unread);
    const expected = await readExpected(context, input);
    const isDelivery =
      words.length > 1 || sources.some(({ within }) => within) || expected.length > 0;
    const isListed = !isDelivery || input.options.details === true;
    const against = stringOption(input, 'against');
    const failures: MarError[] = [];
    const check = subtitlesChecker(context, input);
    const checkAll = async (all: readonly Source[], isNew: boolean) => {
      const labels = labelsOf(all);
      const readClaims = claimReader(all, expected);
      const files: Summary[] = [];
      const add = async (subtitles: Subtitles) => {
        const checked = await check(readClaims(subtitles));
        const file = summarise(checked, labels.get(subtitles.name) ?? subtitles.name);
        files.push(file);
        if (report && isNew) report.add(file, checked);
      };
      const isSet = isDelivery || all.some(({ within }) => within !== undefined);
      const read = ({ name, isFile, read: own }: Source) =>
        isSet && isFile ? own().catch((error) => unreadableFile(name, error)) : own();
      for await (const one of readEach(context.session, all, read, failures)) await add(one);
      const missing = missingFrom(files, expected);
      if (missing) await add(missing);
      compareFiles(files);
      compareWithExpected(files, expected);
      return files;
    };
    const readEarlier = async (file: string) => {
      if (/\.(?:html?|json)$/i.test(file)) return readReport(file, readBytes(file).toString());
      const found = await findSources(context, { ...input, arguments: [file] });
      const old = await checkAll(found, false);
      if (failures.length > 0) throw MarError.together(failures);
      return new Map(old.map((one) => [one.label, earlierFile(one)]));
    };

    const earlier = against === undefined ? undefined : await readEarlier(against);
    const files = await checkAll(sources, true);
    const notAgain = [...(earlier ? compareDeliveries(earlier, files) : [])]
      .filter(([label]) => label !== missingName)
      .map(([label, file]) => ({ label, file, ...countsOf(file.findings) }));
    for (const { label } of notAgain.filter(({ errors }) => errors === 0)) {
      context.reporter.warn('not-delivered-again', `${label} was not delivered again`);
    }
    const worstFirst = files.toSorted((a, b) => b.errors - a.errors || b.warnings - a.warnings);
    // An old report stays if there is nothing to write a new one about.
    if (report && files.length > 0) await report.write(worstFirst, { unread, notAgain }, failures);

    const hasErrors = files.some(({ errors }) => errors > 0);
    if (isListed) {
      const names = sources.map(({ name }) => name);
      const notes = isDelivery || !hasErrors ? files.map(summaryOf) : [];
      const records = files.flatMap((file) => [
        ...findingRecords(file),
        ...(file.earlier?.closed ?? []),
      ]);
      yield rowsResult(records, findingColumns(names, earlier !== undefined), { notes });
    } else {
      const notes = hasErrors ? [] : [deliverySummary(files)];
      const columns = fileColumns(earlier !== undefined);
      yield rowsResult(worstFirst.map(fileRecord), columns, { notes });
    }
    if (earlier) context.reporter.reportOnce(diffNote);
    await rememberRequests(context, files);
    if (hasErrors) {
      const alone = new MarError('check', files.map(summaryOf).join());
      const hint = isListed ? [] : [detailsHint];
      failures.unshift(isDelivery ? deliveryError(worstFirst, hint) : alone);
    }
    const open = notAgain.filter(({ errors }) => errors > 0);
    if (open.length > 0) {
      const names = open.map(({ label, errors }) => `${label} (${plural(errors, 'error')})`);
      const message = `not delivered again: ${plural(open.length, 'file')} with errors`;
      failures.push(new MarError('check', `${message}: ${firstOf(names, 8).join(', ')}`));
    }
    if (failures.length > 0) throw MarError.together(failures);
  },
};

const detailsHint = onCommandLine('For the cues, add --details.');
