import { tableOf } from '../tables.js';

export { commandLineActor } from '../../command-line-actor.js';

/** Arguments of `option()` for the form of the output. */
export const jsonOption = ['--json', 'Print JSON instead of a table.'] as const;

/** A duration in its two largest units: `2m11s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.floor(seconds);
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3_600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  if (days > 0) return `${days}d${hours}h`;
  if (hours > 0) return `${hours}h${minutes}m`;
  return minutes > 0 ? `${minutes}m${whole % 60}s` : `${whole}s`;
}

/**
 * A list as JSON, or as a table with a line of headings.
 * @param empty the line for a list without entries
 */
export function formatList<Entry>(
  entries: readonly Entry[],
  {
    json,
    columns,
    empty,
  }: {
    json: boolean | undefined;
    columns: Readonly<Record<string, (entry: Entry) => string | number>>;
    empty: string;
  },
): string {
  if (json) return JSON.stringify(entries, null, 2);
  if (entries.length === 0) return empty;
  const cells = Object.values(columns);
  return tableOf([Object.keys(columns), ...entries.map((entry) => cells.map((cell) => cell(entry)))]);
}
