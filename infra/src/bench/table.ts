/** A table as text, whose first column is aligned left and the others right. @param rows the first has the headings */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map((row) =>
    widths
      .map((width, column) => {
        const text = row[column] ?? '';
        return column === 0 ? text.padEnd(width) : text.padStart(width);
      })
      .join('  '),
  );
  return lines.map((line) => `  ${line}`.trimEnd()).join('\n');
}

/** A table as the formatter of the repository writes it in Markdown. @param rows the first has the headings */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [headings = [], ...body] = rows;
  return [headings, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
}
