import path from 'node:path';
import { Writable } from 'node:stream';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { reportPage } from '../../subtitles/report/page.ts';
import { Output } from '../../terminal/streams.ts';
import type { Column } from '../../terminal/view.ts';
import { version } from '../../version.ts';
import { checkOutputPath } from '../batch/report.ts';
import { writeNamedFile } from './exportFiles.ts';
import { type CheckedSource, findingRecords } from './findings.ts';

const reportFormats = ['html', 'csv', 'xlsx', 'json'] as const;
type ReportFormat = (typeof reportFormats)[number];

/** Checks the name before anything is read. The returned function writes the report. */
export function openReport(context: Context, file: string, sources: readonly string[]) {
  const ending = path.extname(file).slice(1).toLowerCase();
  const format = reportFormats.find((one) => one === ending);
  checkOutputPath(
    '--report',
    file,
    sources.filter((source) => source !== '-'),
  );
  if (!format) {
    throw usageError(
      `--report ${file}: unknown format`,
      'End the name in .html, .csv, .xlsx or .json.',
    );
  }
  return async (checked: readonly CheckedSource[], failures: MarError[]) => {
    try {
      await writeNamedFile(file, await contentOf(context, format, checked, failures));
      context.reportOnce(`Wrote ${file}`);
    } catch (error) {
      // The findings are printed all the same.
      if (!(error instanceof MarError)) throw error;
      failures.push(error);
    }
  };
}

async function contentOf(
  context: Context,
  format: ReportFormat,
  checked: readonly CheckedSource[],
  failures: readonly MarError[],
): Promise<string | Buffer> {
  const { redactor, interruptible, now } = context.world;
  if (format === 'html') {
    return interruptible(() =>
      reportPage({
        sources: checked.map(({ source, ...rest }) => ({ ...source, ...rest })),
        failures: failures.map(({ message }) => redactor.clean(message)),
        made: now(),
        program: `mar ${version}`,
      }),
    );
  }
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const printer = context.printer.into(new Output('the report', () => stream), format);
  const records = findingRecords(checked).map((record) => ServiceRecord.fromTree(record));
  await printer.records(records, { columns: columnsFor(checked) });
  return Buffer.concat(chunks);
}

/** Every field of a finding. A file has other fields than a work request. */
function columnsFor(checked: readonly CheckedSource[]): Column[] {
  const ofFiles: Column[] = [
    { title: 'Line', path: 'line', kind: 'number' },
    { title: 'Cue', path: 'cue', kind: 'number' },
  ];
  const ofRequests: Column[] = [
    { title: 'Number', path: 'number', kind: 'number' },
    { title: 'Place', path: 'place', kind: 'number' },
  ];
  return [
    { title: 'Source', path: 'source', kind: 'id' },
    { title: 'Severity', path: 'severity' },
    { title: 'Rule', path: 'rule' },
    ...(checked.some(({ source }) => source.isFile) ? ofFiles : []),
    ...(checked.some(({ source }) => !source.isFile) ? ofRequests : []),
    { title: 'Start', path: 'startTime', kind: 'id' },
    { title: 'Message', path: 'message' },
    { title: 'Text', path: 'text' },
  ];
}
