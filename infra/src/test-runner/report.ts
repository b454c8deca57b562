import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { stripVTControlCharacters } from 'node:util';

/** A run that hangs ends by itself, with the counts of the finished tests. Slow machines need twice the usual time. */
const limits = { suiteMs: 30 * 60_000, runMs: 85 * 60_000 };

export interface JestOptions {
  /** A folder of `tests/` ; '' for the specs beside the sources. */
  folder: string;
  /** Patterns of its test files (default: all). */
  files?: readonly string[] | undefined;
  /** Path of the Node.js that runs them (default: this one). */
  node?: string | undefined;
  /** Globals of the test files. */
  globals?: Readonly<Record<string, string | undefined>>;
  env?: NodeJS.ProcessEnv;
}

interface Exit {
  code: number;
  timedOutAfterSeconds?: number;
}

/** The counts of a run. */
export interface Totals {
  passed: number;
  failed: number;
}

interface SuiteResult extends Totals {
  failures: string[];
  /** Why the whole suite failed, when no test did. */
  reason?: string;
}

/** The fields of Jest's report that count. */
interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

const emptyReport: JestReport = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  testResults: [],
};

function readReport(file: string): JestReport {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return emptyReport;
  }
}

/** A line for each failed test, and for each file that failed as a whole. @param root the folder of the repository */
export function failuresOf({ testResults }: Pick<JestReport, 'testResults'>, root: string): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${file}: ${toLine(message)}`];
      return failed.map(
        ({ fullName, failureMessages }) => `${file}: ${fullName}: ${toLine(failureMessages.join(' '))}`,
      );
    });
}

const maxMessageLength = 200;

/** An error without its stack, in one line. */
function toLine(message: string): string {
  const [text = ''] = stripVTControlCharacters(message).split(/\n\s+at /);
  return text.replace(/\s+/g, ' ').trim().slice(0, maxMessageLength);
}

/** Arguments of Node.js that start Jest. @param root the folder of the repository */
export function jestArguments(root: string): string[] {
  const hooks = join(root, 'infra/dist/test-runner/jest/register.js');
  return [
    ...['--import', hooks, '--conditions', '@app/source', '--enable-source-maps', '--no-warnings'],
    join(root, 'node_modules/jest/bin/jest.js'),
  ];
}

/** Runs test files with Jest and Node.js, and counts their results. */
export class TestReport {
  readonly totals: Totals = { passed: 0, failed: 0 };
  /** A line for each failure. */
  readonly failures: string[] = [];
  readonly #startedAt = Date.now();
  readonly #options: { root: string; work: string; patterns: readonly string[] };

  /** @param options.work a folder for reports; `patterns` select test files of a suite */
  constructor(options: { root: string; work: string; patterns: readonly string[] }) {
    this.#options = options;
  }

  /** Counts an error outside the tests, and prints it. */
  fail(message: string): void {
    this.totals.failed += 1;
    this.failures.push(message);
    console.error(message);
  }

  /** Runs Node.js in this terminal, and kills it after a timeout. */
  async #runNode(node: string, args: string[], env: NodeJS.ProcessEnv): Promise<Exit> {
    const { root } = this.#options;
    const child = spawn(node, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    const timeoutMs = Math.max(0, Math.min(limits.suiteMs, this.#startedAt + limits.runMs - Date.now()));
    const exit: Exit = { code: 1 };
    const killTimer = setTimeout(() => {
      exit.timedOutAfterSeconds = Math.round(timeoutMs / 1000);
      child.kill('SIGKILL');
    }, timeoutMs);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(killTimer);
    return { ...exit, code: code ?? 1 };
  }

  #count(name: string, { passed, failed, failures, reason }: SuiteResult): void {
    this.totals.passed += passed;
    this.totals.failed += failed;
    this.failures.push(...failures.map((failure) => `${name}: ${failure}`));
    // A run without a passed test counts as a failure.
    if (failed === 0 && (reason !== undefined || passed === 0))
      this.fail(`${name}: ${reason ?? 'no test passed'}`);
    console.log(`${name}: ${passed} passed, ${failed} failed`);
  }

  /** Runs the test files of a folder, or those of the command line, with Jest. */
  async runJest(
    name: string,
    { folder, files = [folder], node = process.execPath, globals = {}, env = {} }: JestOptions,
  ): Promise<void> {
    const { root, work, patterns } = this.#options;
    const file = join(work, `${name}.json`);
    const config = folder === '' ? [] : ['--config', 'tests/jest.config.js'];
    const selected = patterns.length > 0 ? patterns : files;
    const { code, timedOutAfterSeconds } = await this.#runNode(
      node,
      [
        ...jestArguments(root),
        ...['--json', '--outputFile', file, '--maxWorkers', '3', '--globals', JSON.stringify(globals)],
        ...[...config, '--testPathPatterns', ...selected],
      ],
      env,
    );
    const report = readReport(file);
    const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
    const reason =
      timedOutAfterSeconds === undefined ? `exit code ${code}` : `killed after ${timedOutAfterSeconds} s`;
    this.#count(name, {
      passed: report.numPassedTests,
      failed,
      failures: failuresOf(report, root),
      ...(code !== 0 && { reason }),
    });
  }

  /** Runs `*.test.mjs` files with Node.js: tests of scripts that run before the installation. */
  async runNodeTests(name: string, folder: string): Promise<void> {
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.test.mjs'))
      .map((file) => join(folder, file));
    const stream = runTests({ files, concurrency: 3 });
    const totals: SuiteResult = { passed: 0, failed: 0, failures: [] };
    const isTest = ({ details }: { details: { type?: string | undefined } }) => details.type !== 'suite';
    stream.on('test:pass', (event) => (totals.passed += isTest(event) ? 1 : 0));
    stream.on('test:fail', (event) => {
      if (!isTest(event)) return;
      totals.failed += 1;
      totals.failures.push(
        `${event.name}: ${toLine(String(event.details.error.cause ?? event.details.error))}`,
      );
    });
    // Other suites print at the same time.
    const output = await text(stream.compose(new spec()));
    console.log(`\n${output}`);
    this.#count(name, totals);
  }
}
