import type { Parameters } from '@quire/database';

/** SQL condition: one of the columns with paths contains a text, as submitted or as browsers escape it, in any case. */
export function pathContainsCondition(columns: readonly string[], text: string, params: Parameters): string {
  const spellings = [...new Set([text, encodeURI(text)])].map((spelling) => params.add(spelling, 'text'));
  const matches = columns.flatMap((column) =>
    spellings.map((spelling) => `strpos(lower(${column}), lower(${spelling})) > 0`),
  );
  return `(${matches.join(' OR ')})`;
}
