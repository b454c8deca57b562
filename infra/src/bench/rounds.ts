/** Measures the variants of operations in rounds, so that a temporarily slow machine affects all variants alike. */
import { baselineNames, variantNames, type BenchContext, type VariantName } from './context.js';
import { withCpuTimes, type SystemProcesses } from './cpu.js';
import type { BenchDatabase } from './database.js';
import { writeDocsTable } from './docs.js';
import { load, type Load, type Measurement, type Operations } from './load.js';
import { isMeasuredOn, requestsOf } from './operations.js';
import type { BenchOptions } from './options.js';
import { report, reportRows, type Results, type StatementCounts } from './report.js';
import { openStatementCounter } from './statements.js';

type Rounds = Pick<BenchOptions, 'rounds' | 'seconds' | 'connections'>;

/** Runs a load, and adds the CPU time of the variant's processes and of PostgreSQL. */
async function measure(
  processes: SystemProcesses,
  postmaster: number,
  run: () => Promise<Load>,
): Promise<Measurement> {
  const [result, { api, worker, database }] = await withCpuTimes(processes, postmaster, run);
  const millisecondsOf = (seconds: number) => (seconds * 1000) / result.count;
  return {
    ...result,
    apiMs: millisecondsOf(api),
    workerMs: millisecondsOf(worker),
    databaseMs: millisecondsOf(database),
    cpuMs: millisecondsOf(api + worker + database),
  };
}

/** Whether a round counts: all but the first, or the first when there is no other. */
const isCounted = (round: number, { rounds }: Rounds) => round >= Math.min(rounds, 1);

const emptyRounds = (variants: object): Record<string, Measurement[]> =>
  Object.fromEntries(Object.keys(variants).map((name) => [name, []]));

const shuffled = <Item>(items: readonly Item[]): Item[] => [...items].sort(() => Math.random() - 0.5);

/** Measures one part: all variants of an operation in turn, in another order each round. */
export async function measurePart(
  operations: Operations,
  options: Rounds,
  postmaster: number,
): Promise<Results> {
  const { rounds, seconds, connections } = options;
  const results: Results = {};
  for (const [operation, runnables] of Object.entries(operations)) {
    const measurements = (results[operation] = emptyRounds(runnables));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, { processes, run, clear }] of shuffled(Object.entries(runnables))) {
        const measured = await measure(processes, postmaster, () => run(seconds, connections));
        await clear?.(measured);
        if (isCounted(round, options)) measurements[name]?.push(measured);
      }
    }
  }
  return results;
}

/** Measures operations on entries, and prints their table. */
export async function measureOperations(
  chosen: readonly string[],
  { variants }: BenchContext,
  options: Rounds & Pick<BenchOptions, 'writesDocs'>,
  { url, postmaster }: BenchDatabase,
): Promise<void> {
  const { rounds, seconds, connections } = options;
  const measured = chosen.map((operation) => [operation, variantsOf(operation)] as const);
  const results: Results = {};
  for (const [operation, names] of measured)
    results[operation] = Object.fromEntries(names.map((name) => [name, []]));
  let statements: StatementCounts = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [operation, names] of measured) {
      for (const name of shuffled(names)) {
        const { origin, processes } = variants[name];
        const requests = requestsOf(operation, name, variants[name]);
        const label = `${operation} (${name})`;
        const result = await measure(processes, postmaster, () =>
          load({ label, origin, ...requests, seconds, connections }),
        );
        if (isCounted(round, options)) results[operation]?.[name]?.push(result);
      }
    }
    if (round === 0) statements = await countStatements(measured, variants, url);
    process.stdout.write(round === 0 ? 'Warmed up, statements counted. ' : `Round ${round}. `);
  }
  console.log();
  const compared = { statements, baselines: baselineNames };
  report(results, compared);
  if (options.writesDocs) await writeDocsTable('operations', reportRows(results, compared));
}

const variantsOf = (operation: string) => variantNames.filter((name) => isMeasuredOn(operation, name));

/** Statements a request, of every chosen operation on every variant. */
async function countStatements(
  measured: readonly (readonly [operation: string, names: readonly VariantName[]])[],
  variants: BenchContext['variants'],
  url: string,
): Promise<StatementCounts> {
  const counter = await openStatementCounter(url);
  const counts: StatementCounts = {};
  const byDatabase = new Map<string, (() => Promise<void>)[]>();
  for (const [operation, names] of measured) {
    const own = (counts[operation] = {} as StatementCounts[string]);
    for (const name of names) {
      const { origin, databaseUrl } = variants[name];
      const requests = { origin, databaseUrl, ...requestsOf(operation, name, variants[name]) };
      const tasks = byDatabase.get(databaseUrl) ?? [];
      byDatabase.set(databaseUrl, tasks);
      tasks.push(async () => {
        own[name] = await counter.count(requests);
      });
    }
  }
  const inTurn = async (tasks: readonly (() => Promise<void>)[]) => {
    for (const task of tasks) await task();
  };
  await Promise.all([...byDatabase.values()].map(inTurn));
  await counter.close();
  return counts;
}
