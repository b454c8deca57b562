import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';

/** A run that hangs ends by itself, with the counts of the finished tests. */
const limits = { suiteMs: 20 * 60_000, runMs: 45 * 60_000 };

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

/** The counts of a run. */
export interface Totals {
  passed: number;
  failed: number;
}

/** The fields of Jest's report that count. */
interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
}

const emptyReport: JestReport = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

function readReport(file: string): JestReport {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return emptyReport;
  }
}

/** Runs test files with Jest and Node.js, and counts their results. */
export class TestReport {
  readonly totals: Totals = { passed: 0, failed: 0 };
  readonly #startedAt = Date.now();
  readonly #options: { root: string; work: string; patterns: readonly string[] };

  /** @param options.work a folder for reports; `patterns` select test files of a suite */
  constructor(options: { root: string; work: string; patterns: readonly string[] }) {
    this.#options = options;
  }

  /** Counts an error outside the tests, and prints it. */
  fail(message: string): void {
    this.totals.failed += 1;
    console.error(message);
  }

  /** Runs Node.js in this terminal, and kills it after a timeout. @returns its exit code */
  async #runNode(node: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
    const { root } = this.#options;
    const child = spawn(node, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    const timeoutMs = Math.max(0, Math.min(limits.suiteMs, this.#startedAt + limits.runMs - Date.now()));
    const killTimer = setTimeout(() => {
      console.error(`Timed out after ${Math.round(timeoutMs / 1000)} s: process killed`);
      child.kill('SIGKILL');
    }, timeoutMs);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(killTimer);
    return code ?? 1;
  }

  #count(name: string, { passed, failed, isFailure = false }: Totals & { isFailure?: boolean }): void {
    this.totals.passed += passed;
    // A run without a passed test counts as a failure.
    this.totals.failed += failed === 0 && (isFailure || passed === 0) ? 1 : failed;
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
    const code = await this.#runNode(
      node,
      [
        ...['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')],
        ...['--json', '--outputFile', file, '--maxWorkers', '3', '--globals', JSON.stringify(globals)],
        ...[...config, '--testPathPatterns', ...selected],
      ],
      env,
    );
    const report = readReport(file);
    const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
    this.#count(name, { passed: report.numPassedTests, failed, isFailure: code !== 0 });
  }

  /** Runs `*.test.mjs` files with Node.js: tests of scripts that run before the installation. */
  async runNodeTests(name: string, folder: string): Promise<void> {
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.test.mjs'))
      .map((file) => join(folder, file));
    const stream = runTests({ files, concurrency: 3 });
    const totals = { passed: 0, failed: 0 };
    const isTest = ({ details }: { details: { type?: string | undefined } }) => details.type !== 'suite';
    stream.on('test:pass', (event) => (totals.passed += isTest(event) ? 1 : 0));
    stream.on('test:fail', (event) => (totals.failed += isTest(event) ? 1 : 0));
    const lines = stream.compose(new spec());
    await new Promise((done) => lines.on('end', done).pipe(process.stdout, { end: false }));
    this.#count(name, totals);
  }
}
