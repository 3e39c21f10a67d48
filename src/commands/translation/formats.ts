import path from 'node:path';
import { usageError } from '../../errors.ts';
import type { GlobalFlags } from '../../world.ts';

export const exportFormats = ['srt', 'vtt', 'txt', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const knownFormat = (word: string | undefined) => exportFormats.find((format) => format === word);

interface Asked {
  format: string | undefined;
  file: string | undefined;
  flags: Pick<GlobalFlags, 'format' | 'jq' | 'columns'>;
}

/** In which form lines are exported; or, where a flag for every command says how, printed so. */
export function exportFormat({ format, file, flags }: Asked): ExportFormat | 'as printed' {
  const { format: output, jq, columns } = flags;
  const isPrinted = output !== undefined || jq !== undefined || columns !== undefined;
  if (format !== undefined) {
    if (isPrinted) {
      throw usageError(
        `--format ${format} does not go with --json, -o, --columns and --jq`,
        'these print the lines as the service has them: leave one of them out',
      );
    }
    return knownFormat(format) ?? 'srt';
  }
  if (output === 'csv' && !jq && !columns) return 'csv';
  if (file === undefined) return isPrinted ? 'as printed' : 'srt';
  if (output === 'json' && !jq && !columns) return 'json';
  if (isPrinted) throw usageError(`-O ${file} goes with --format, not with -o, --columns or --jq`);
  const found = knownFormat(path.extname(file).slice(1).toLowerCase());
  if (found) return found;
  throw usageError(
    `-O ${file} does not say which format: its name ends in none that is known`,
    `end it in ${exportFormats.map((one) => `.${one}`).join(', ')}, or add --format srt`,
  );
}
