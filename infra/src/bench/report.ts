import type { Measurement } from './load.js';
import type { StatementCount } from './statements.js';

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
};

const format = (number: number, digits: number) => number.toFixed(digits).padStart(9);

/** `7`, or `7+2` with BEGIN and COMMIT; a tenth where not every request runs the same. */
function formatStatements({ statements, transaction }: StatementCount): string {
  const short = (number: number) => String(Number(number.toFixed(1)));
  return (transaction > 0 ? `${short(statements)}+${short(transaction)}` : short(statements)).padStart(9);
}

type Column = 'rate' | 'p50' | 'p99' | 'serverMs' | 'databaseMs';

/** Rounds by operation and variant. */
export type Results = Record<string, Record<string, Measurement[]>>;
/** Counts by operation and variant. */
export type StatementCounts = Record<string, Record<string, StatementCount>>;

/**
 * Prints a table of medians over the rounds. A ratio is the median of the ratios to the first variant in each round.
 * @param statements of the operations whose statements were counted
 */
export function report(results: Results, statements: StatementCounts = {}): void {
  for (const [operation, variants] of Object.entries(results)) {
    console.log(`\n${operation}`);
    console.log('  variant         req/s      p50      p99   cpu ms   db cpu    ratio  cpu ratio      sql');
    const [baseline = []] = Object.values(variants);
    for (const [variant, rounds] of Object.entries(variants)) {
      const of = (part: Column) => median(rounds.map((round) => round[part]));
      const against = (part: Column) =>
        median(rounds.map((round, index) => round[part] / (baseline[index]?.[part] ?? NaN)));
      const columns = [
        format(of('rate'), 0),
        format(of('p50'), 1),
        format(of('p99'), 1),
        format(of('serverMs'), 3),
        format(of('databaseMs'), 3),
      ];
      const ratios = [format(against('rate'), 2), format(against('serverMs'), 2)];
      const counted = statements[operation]?.[variant];
      const sql = counted ? formatStatements(counted) : '';
      console.log(`  ${variant.padEnd(12)}${[...columns, ...ratios].join('')}  ${sql}`);
    }
  }
}
