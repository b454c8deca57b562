import type { Parameters } from '@quire/database';

/**
 * SQL: whether one of these columns, which hold paths, has a text in it, as it is sent or as browsers escape it, in any
 * case.
 */
export function pathContainsCondition(
  columns: readonly string[],
  text: string,
  parameters: Parameters,
): string {
  const spellings = [...new Set([text, encodeURI(text)])].map((spelling) => parameters.add(spelling, 'text'));
  const matches = columns.flatMap((column) =>
    spellings.map((spelling) => `strpos(lower(${column}), lower(${spelling})) > 0`),
  );
  return `(${matches.join(' OR ')})`;
}
