import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';
import { parseCommandLine, type CommandOptions } from '../command.js';
import { baseCommit } from './base-commit.js';
import { execute } from './execute.js';
import { checkPanelSize } from './panel-size.js';

const concurrency = 2;

type Result =
  | { outcome: 'passed'; report?: string }
  | { outcome: 'failed'; output: string }
  | { outcome: 'skipped'; reason: string };
type Part = () => Promise<Result>;

/** Each part runs a script of package.json, or a function of this file. */
const parts: Readonly<Record<string, Part>> = {
  format: script('check:format'),
  lint: script('lint'),
  types: script('types'),
  cycles: script('check:cycles'),
  'proto:lint': script('check:proto-lint'),
  'proto:format': script('check:proto-format'),
  'proto:breaking': breakingMessages,
  generated: script('check:generated'),
  lockfile: script('check:lockfile'),
  compose: script('check:compose'),
  metrics: report('metrics'),
  'panel-size': panelSize,
};

const usage = `Usage: npm run check [-- NAMES]

Runs every static check of the repository, or the named ones: one line each, then the output of each failed one.
  ${Object.keys(parts).join(', ')}

  --help  this text

Writes counts, failures and seconds to the file of QUIRE_CHECK_SUMMARY.`;

const toResult = ({ code, output }: { code: number; output: string }): Result =>
  code === 0 ? { outcome: 'passed' } : { outcome: 'failed', output };

function script(name: string): Part {
  return async () => toResult(await execute('npm', ['run', '--silent', name]));
}

/** A script whose output is printed when it passes too. */
function report(name: string): Part {
  return async () => {
    const { code, output } = await execute('npm', ['run', '--silent', name]);
    return code === 0 ? { outcome: 'passed', report: output } : { outcome: 'failed', output };
  };
}

/** Compares the built panel with its limits. */
async function panelSize(): Promise<Result> {
  const { isWithinLimits, output } = checkPanelSize();
  return isWithinLimits ? { outcome: 'passed', report: output } : { outcome: 'failed', output };
}

/** Compares proto/ with the base commit of this work; skipped only when that commit has no messages. */
async function breakingMessages(): Promise<Result> {
  const base = await baseCommit();
  if (base.failure !== undefined) return { outcome: 'failed', output: base.failure };
  if (base.commit === undefined) return { outcome: 'skipped', reason: base.reason };
  const messages = await execute('git', ['ls-tree', '-r', '--name-only', base.commit, 'proto', 'buf.yaml']);
  if (messages.code !== 0) return toResult(messages);
  const files = messages.output.split('\n');
  if (!files.some((file) => file.endsWith('.proto')))
    return { outcome: 'skipped', reason: `the base ${base.commit.slice(0, 12)} has no messages in proto/` };
  const folder = mkdtempSync(join(tmpdir(), 'quire-proto-'));
  try {
    const archive = join(folder, 'base.tar');
    const paths = files.includes('buf.yaml') ? ['proto', 'buf.yaml'] : ['proto'];
    const packed = await execute('git', ['archive', '--format=tar', '-o', archive, base.commit, ...paths]);
    if (packed.code !== 0) return toResult(packed);
    const against = `${archive}#subdir=proto`;
    return toResult(await execute('npx', ['--no-install', 'buf', 'breaking', 'proto', '--against', against]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const outcomeColumn = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' };

/** Runs the parts, a few at a time, and prints a line for each. @returns whether all passed */
async function runParts(names: readonly string[]): Promise<boolean> {
  const waiting = [...names];
  const failures: [string, string][] = [];
  const durations: Record<string, number> = {};
  const reports: [string, string][] = [];
  let passed = 0;
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const start = performance.now();
      const result = await parts[name]?.().catch((error: unknown): Result => {
        return { outcome: 'failed', output: `${error instanceof Error ? error.stack : error}\n` };
      });
      if (!result) continue;
      const seconds = (performance.now() - start) / 1000;
      durations[name] = Math.round(seconds);
      const reason = result.outcome === 'skipped' ? ` (${result.reason})` : '';
      console.log(`${outcomeColumn[result.outcome]} ${seconds.toFixed(1).padStart(6)} s  ${name}${reason}`);
      if (result.outcome === 'failed') failures.push([name, result.output]);
      if (result.outcome === 'passed') passed += 1;
      if (result.outcome === 'passed' && result.report) reports.push([name, result.report]);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  for (const [name, output] of [...reports, ...failures]) console.log(`\n--- ${name}\n${output.trimEnd()}`);
  console.log(`\ncheck: ${passed} passed, ${failures.length} failed`);
  const summary = {
    passed,
    failed: failures.length,
    seconds: durations,
    failures: failures.map(([name]) => name),
  };
  if (process.env.QUIRE_CHECK_SUMMARY)
    writeFileSync(process.env.QUIRE_CHECK_SUMMARY, JSON.stringify(summary));
  return failures.length === 0;
}

/** `npm run check`. @throws UserFacingError on an unknown part */
export async function run({ args }: CommandOptions): Promise<number> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseCommandLine('npm run check', {
    args,
    options,
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0)
    throw new UserFacingError(
      `No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}`,
    );
  return (await runParts(positionals.length > 0 ? positionals : Object.keys(parts))) ? 0 : 1;
}
