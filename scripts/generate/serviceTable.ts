import { Service } from '../../src/core/api/service.ts';
import { table, withGenerated } from './markdown.ts';

/** The page with what is known of the service where the document is silent, in a row for each fact. */
export function withServiceFacts(page: string): string {
  const rows = [...new Service().facts()].map(({ key, value, basis, about }) => [
    `\`${key}\``,
    `\`${value}\``,
    basis,
    about,
  ]);
  const header = ['Key', 'Value', 'Basis', 'What it says'];
  return withGenerated(page, 'src/core/api/service.ts', table(header, rows));
}
