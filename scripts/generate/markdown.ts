const end = '<!-- End of the generated part -->';

/** The page with the part that is generated from `source` written anew. */
export function withGenerated(page: string, source: string, part: string): string {
  const start = `<!-- Generated from ${source} by npm run generate -->`;
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`a page lacks "${start}"`);
  return `${page.slice(0, before)}${start}\n\n${part}\n\n${page.slice(after)}`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, at) =>
    Math.max(...[header, ...rows].map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [
    line(header),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.map(line),
  ].join('\n');
}
