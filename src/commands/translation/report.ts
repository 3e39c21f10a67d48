import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import type { CheckedSubtitles } from '../../subtitles/check/check.ts';
import { reportPage } from '../../subtitles/report/page.ts';
import { version } from '../../version.ts';
import { checkOutputPath } from '../batch/report/report.ts';
import { writeNamedFile } from './exportFiles.ts';

/** Checks the name before anything is read. The returned function writes the page. */
export function openReport(context: Context, file: string, sources: readonly string[]) {
  const files = sources.filter((source) => source !== '-');
  checkOutputPath('--report', file, files);
  if (!/\.html?$/i.test(file)) {
    throw usageError(
      `--report ${file}: the report is a page, so its name must end in .html`,
      'For a table, use -o csv or -o xlsx.',
    );
  }
  return async (checked: readonly CheckedSubtitles[], failures: MarError[]) => {
    const { redactor, interruptible, now } = context.world;
    try {
      const page = await interruptible(() =>
        reportPage({
          checked,
          failures: failures.map(({ message }) => redactor.clean(message)),
          made: now(),
          program: `mar ${version}`,
        }),
      );
      await writeNamedFile(file, page);
      context.reportOnce(`Wrote ${file}`);
    } catch (error) {
      // The findings are printed all the same.
      if (!(error instanceof MarError)) throw error;
      failures.push(error);
    }
  };
}
