import { Service } from '../../src/core/api/service.ts';
import { table, withGenerated } from './markdown.ts';

/** The page with what is known of the service where the document is silent, in a row for each fact. */
export function withServiceFacts(page: string): string {
  let last: string | undefined;
  const rows = [...new Service().facts()].map(({ key, value, basis, about }) => {
    // One explanation for all rows of a group.
    const explained = about === last ? '' : about;
    last = about;
    return [`\`${key}\``, `\`${value}\``, basis, explained];
  });
  const header = ['Key', 'Value', 'Basis', 'What it says'];
  return withGenerated(page, 'src/core/api/service.ts', table(header, rows));
}
