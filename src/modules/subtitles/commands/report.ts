import { type MarError, usageError } from '../../../core/errors.ts';
import { checkOutputPath } from '../../../core/files/paths.ts';
import { type Input, stringOption } from '../../../core/input.ts';
import { writeNamedFile } from '../../../core/output/outputFile.ts';
import type { Context } from '../../../core/session/context.ts';
import { version } from '../../../core/version.ts';
import type { CheckedSubtitles } from '../check/check.ts';
import type { Summary } from '../check/summary.ts';
import { type Report, reportBody, reportPage } from '../report/page.ts';
import { collector } from './source.ts';

/** Checks the names before anything is read. */
export function openReport(context: Context, input: Input, file: string) {
  const against = stringOption(input, 'against') ?? '-';
  const read = [...input.arguments, against].filter((name) => name !== '-');
  const { outputFile } = context.flags;
  checkOutputPath('--report', file, outputFile === undefined ? read : [...read, outputFile]);
  if (!/\.html?$/i.test(file)) {
    throw usageError(
      `--report ${file}: the report is a page, so its name must end in .html`,
      'For a table, use -o csv or -o xlsx.',
      { flag: '--report', value: file },
    );
  }
  const bodies = new Map<Summary, string>();
  const { date } = context.session.clock;
  const { redactor, interruptible, now } = context.world;
  return {
    add(summary: Summary, checked: CheckedSubtitles): void {
      bodies.set(
        summary,
        interruptible(() => reportBody(checked, date)),
      );
    },
    async write(
      summaries: readonly Summary[],
      found: Pick<Report, 'unread' | 'notAgain'>,
      failures: MarError[],
    ): Promise<void> {
      const messages = failures.map(({ message }) => redactor.clean(message));
      const facts = { ...found, failures: messages, made: now(), program: `mar ${version}` };
      try {
        const page = reportPage(summaries, facts, (summary) => bodies.get(summary) ?? '');
        await writeNamedFile(file, page, { flag: '--report', value: file });
        context.reporter.reportOnce(`Wrote ${file}`);
      } catch (error) {
        // The findings are printed all the same.
        collector(failures)(error);
      }
    },
  };
}
