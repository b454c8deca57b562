import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { root } from './workspace.js';

/** The behaviour of the fake npm at each step of the gate. */
interface Steps {
  ci?: number;
  check?: { summary?: string; status: number };
  test?: { summary?: string; status: number };
  bench?: { summary?: string; status: number };
}

const summary = (passed: number, failed: number) => JSON.stringify({ passed, failed });
const goodCheck = { summary: summary(9, 0), status: 0 };
const goodTests = { summary: summary(119, 0), status: 0 };
const goodBench = { summary: summary(1, 0), status: 0 };

describe('.ci/run', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-gate-'));
    mkdirSync(join(folder, 'bin'));
    cpSync(join(root, '.ci/run'), join(folder, '.ci/run'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function program(name: string, body: string): void {
    const file = join(folder, 'bin', name);
    writeFileSync(file, `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
  }

  async function gate(steps: Steps): Promise<{ code: number; lastLine: string }> {
    const { code, lines } = await run(steps);
    return { code, lastLine: lines.at(-1) ?? '' };
  }

  async function run({
    ci = 0,
    check,
    test,
    bench = goodBench,
  }: Steps): Promise<{ code: number; lines: string[] }> {
    const step = (variable: string, { summary = '', status }: { summary?: string; status: number }) =>
      `${summary ? `echo '${summary}' > "$${variable}";` : ''} printf 'no line end'; exit ${status}`;
    program(
      'npm',
      `case "$*" in
        ci) exit ${ci} ;;
        'run check') ${check ? step('QUIRE_CHECK_SUMMARY', check) : 'exit 1'} ;;
        test) ${test ? step('QUIRE_TEST_SUMMARY', test) : 'exit 1'} ;;
        'run bench -- --brief') ${step('QUIRE_BENCH_SUMMARY', bench)} ;;
      esac
      exit 1`,
    );
    return new Promise((done) => {
      const command = `PATH='${folder}/bin':"$PATH" exec '${folder}/.ci/run'`;
      execFile('sh', ['-c', command], (error, stdout, stderr) => {
        expect(stderr).toBe('');
        const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0;
        done({ code, lines: stdout.trimEnd().split('\n') });
      });
    });
  }

  it('closes with the sum of checks and tests', async () => {
    expect(await gate({ check: goodCheck, test: goodTests })).toEqual({
      code: 0,
      lastLine: '129 passed, 0 failed',
    });
  });

  it('repeats at its end what failed, and the seconds of each part', async () => {
    const test = {
      summary: JSON.stringify({
        passed: 7,
        failed: 1,
        failures: ['unit: a rule'],
        seconds: { unit: 12, config: 3 },
      }),
      status: 1,
    };
    const { lines } = await run({ check: goodCheck, test });
    expect(lines.slice(-4)).toEqual([
      'npm test, failed: unit: a rule',
      'npm test, seconds: unit 12, config 3',
      '',
      '17 passed, 1 failed',
    ]);
  });

  it('runs the tests after a failed check, and fails', async () => {
    const check = { summary: summary(7, 2), status: 1 };
    expect(await gate({ check, test: goodTests })).toEqual({ code: 1, lastLine: '127 passed, 2 failed' });
  });

  it('fails on failed tests, even when their command does not say so', async () => {
    const test = { summary: summary(118, 1), status: 0 };
    expect(await gate({ check: goodCheck, test })).toEqual({ code: 1, lastLine: '128 passed, 1 failed' });
  });

  it('fails when the tests end badly without counting a failure', async () => {
    const test = { ...goodTests, status: 3 };
    expect(await gate({ check: goodCheck, test })).toEqual({ code: 1, lastLine: '129 passed, 1 failed' });
  });

  it.each([
    ['left no summary', { status: 0 }],
    ['left a broken summary', { summary: '{"passed":', status: 0 }],
    ['left a summary without counts', { summary: '{"passed":"many"}', status: 0 }],
    ['ran nothing', { summary: summary(0, 0), status: 0 }],
  ])('fails when the tests %s', async (_, test) => {
    expect(await gate({ check: goodCheck, test })).toEqual({ code: 1, lastLine: '10 passed, 1 failed' });
  });

  it('fails when a benchmark does not run, after everything else', async () => {
    const bench = { summary: summary(0, 1), status: 1 };
    const gated = await gate({ check: goodCheck, test: goodTests, bench });
    expect(gated).toEqual({ code: 1, lastLine: '128 passed, 1 failed' });
  });

  it('fails when the benchmarks leave no summary', async () => {
    const gated = await gate({ check: goodCheck, test: goodTests, bench: { status: 0 } });
    expect(gated).toEqual({ code: 1, lastLine: '128 passed, 1 failed' });
  });

  it('fails when the checks ran nothing', async () => {
    const check = { summary: summary(0, 0), status: 0 };
    expect(await gate({ check, test: goodTests })).toEqual({ code: 1, lastLine: '120 passed, 1 failed' });
  });

  it('fails when the installation fails', async () => {
    expect(await gate({ ci: 1, check: goodCheck, test: goodTests })).toEqual({
      code: 1,
      lastLine: '0 passed, 3 failed',
    });
  });

  it('fails when node itself does not run', async () => {
    program('node', 'exit 127');
    expect(await gate({ check: goodCheck, test: goodTests })).toEqual({
      code: 1,
      lastLine: '0 passed, 1 failed',
    });
  });
});
