/** Aligns the cells of rows to columns: texts to the left, numbers to the right. */
export function tableOf(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const cellWidth = widths[column] ?? 0;
          return typeof cell === 'number' ? String(cell).padStart(cellWidth) : cell.padEnd(cellWidth);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
