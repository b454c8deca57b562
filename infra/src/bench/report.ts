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

const headingsOf = (baselines: readonly string[]) => [
  ...columns.map(([heading]) => heading),
  ...baselines.flatMap((name) => [`ratio to ${name}`, `CPU to ${name}`]),
];

/** The cells of a variant: medians over the rounds, and the ratios of requests and of all CPU time to each baseline. */
function cellsOf(
  variants: Readonly<Record<string, readonly Measurement[]>>,
  variant: string,
  baselines: readonly string[],
): string[] {
  const rounds = variants[variant] ?? [];
  const medians = columns.map(([, column, digits]) =>
    median(rounds.map((round) => round[column])).toFixed(digits),
  );
  const ratios = baselines.flatMap((name) => {
    const baseline = variants[name];
    if (!baseline || baselines.includes(variant)) return ['', ''];
    return [ratio(rounds, baseline, 'rate'), ratio(rounds, baseline, 'cpuMs')];
  });
  return [...medians, ...ratios];
}

const countedCell = (count: StatementCount | undefined) => (count ? formatStatements(count) : '');

/** Prints a table of each operation. */
export function report(results: Results, { statements, baselines }: ReportOptions = {}): void {
  for (const [operation, variants] of Object.entries(results)) {
    const names = Object.keys(variants);
    const compared = names.filter((name, index) => baselines?.includes(name) ?? index === 0);
    const withCount = (cells: string[], cell: () => string) => (statements ? [...cells, cell()] : cells);
    const rows = names.map((name) =>
      withCount([name, ...cellsOf(variants, name, compared)], () =>
        countedCell(statements?.[operation]?.[name]),
      ),
    );
    const headings = withCount(['variant', ...headingsOf(compared)], () => 'SQL');
    console.log(`\n${operation}\n${textTable([headings, ...rows])}`);
  }
}

/** One table of all operations. */
export function reportRows(results: Results, { statements = {}, baselines = [] }: ReportOptions): string[][] {
  const rows = Object.entries(results).flatMap(([operation, variants]) =>
    Object.keys(variants).map((name) => [
      operation,
      name,
      ...cellsOf(variants, name, baselines),
      countedCell(statements[operation]?.[name]),
    ]),
  );
  return [['Operation', 'Variant', ...headingsOf(baselines), 'SQL'], ...rows];
}
