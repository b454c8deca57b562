import type { Measurement } from './load.js';
import type { StatementCount } from './statements.js';
import { textTable } from './table.js';

export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
};

/** `7`, or `7+2` with BEGIN and COMMIT; a tenth where not every request runs the same. */
function formatStatements({ statements, transaction }: StatementCount): string {
  const short = (number: number) => String(Number(number.toFixed(1)));
  return transaction > 0 ? `${short(statements)}+${short(transaction)}` : short(statements);
}

type Column = 'rate' | 'p50' | 'p99' | 'apiMs' | 'workerMs' | 'databaseMs' | 'cpuMs';

/** The columns of measurements, with their digits after the point. */
const columns: readonly [heading: string, column: Column, digits: number][] = [
  ['req/s', 'rate', 0],
  ['p50', 'p50', 1],
  ['p99', 'p99', 1],
  ['API ms', 'apiMs', 3],
  ['worker ms', 'workerMs', 3],
  ['DB ms', 'databaseMs', 3],
];

/** Rounds by operation and variant. */
export type Results = Record<string, Record<string, Measurement[]>>;
/** Counts by operation and variant. */
export type StatementCounts = Record<string, Record<string, StatementCount>>;

interface ReportOptions {
  /** Of the operations whose statements were counted. */
  statements?: StatementCounts;
  /** The variants that others are compared with. Default: the first. */
  baselines?: readonly string[];
}

/** The median of the ratios to a baseline in each round. */
function ratio(rounds: readonly Measurement[], baseline: readonly Measurement[], column: Column): string {
  const ratios = rounds.map((round, index) => round[column] / (baseline[index]?.[column] ?? NaN));
  return median(ratios).toFixed(2);
}

/** Prints a table of medians over the rounds, with the ratios of requests and of CPU time to each baseline. */
export function report(results: Results, { statements = {}, baselines }: ReportOptions = {}): void {
  for (const [operation, variants] of Object.entries(results)) {
    const compared = Object.entries(variants).filter(
      ([name], index) => baselines?.includes(name) ?? index === 0,
    );
    const ratioHeadings = compared.flatMap(([name]) => [`ratio to ${name}`, `CPU to ${name}`]);
    const counts = statements[operation];
    const headings = ['variant', ...columns.map(([heading]) => heading), ...ratioHeadings];
    const rows = Object.entries(variants).map(([variant, rounds]) => {
      const isCompared = compared.some(([name]) => name === variant);
      const counted = counts?.[variant];
      return [
        variant,
        ...columns.map(([, column, digits]) => median(rounds.map((round) => round[column])).toFixed(digits)),
        ...compared.flatMap(([, baseline]) =>
          isCompared ? ['', ''] : [ratio(rounds, baseline, 'rate'), ratio(rounds, baseline, 'cpuMs')],
        ),
        ...(counted ? [formatStatements(counted)] : []),
      ];
    });
    console.log(`\n${operation}\n${textTable([counts ? [...headings, 'SQL'] : headings, ...rows])}`);
  }
}
