import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const { failuresOf, jestArguments } = await import('../dist/test-runner/report.js');

const root = fileURLToPath(new URL('../..', import.meta.url));

test('test files in one process share the modules of the product, and nothing else', async (t) => {
  const ports = new Set();
  const server = createServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('ok');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const globals = JSON.stringify({ origin: `http://127.0.0.1:${server.address().port}` });
  const args = [
    '--json',
    '--runInBand',
    '--globals',
    globals,
    '--config',
    'tests/fixtures/jest/jest.config.js',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [...jestArguments(root), ...args], {
    cwd: root,
  });
  const { numPassedTests, numTotalTests, numPassedTestSuites } = JSON.parse(stdout);
  assert.deepEqual([numPassedTests, numTotalTests, numPassedTestSuites], [8, 8, 2]);
  assert.equal(ports.size, 2);
});

test('a run names the tests that failed with their errors, and files that failed as a whole', () => {
  const passed = { fullName: 'a rule', status: 'passed', failureMessages: [] };
  const error =
    'Error: \u001b[2mexpect(\u001b[22mstatus)\n\nExpected: 200\nReceived: 503\n    at b.spec.ts:3:5\n    at next';
  const failed = { fullName: 'another rule', status: 'failed', failureMessages: [error] };
  const testResults = [
    { name: '/repo/libs/a.spec.ts', status: 'passed', message: '', assertionResults: [passed] },
    { name: '/repo/libs/b.spec.ts', status: 'failed', message: error, assertionResults: [passed, failed] },
    {
      name: '/repo/libs/c.spec.ts',
      status: 'failed',
      message: 'Cannot find module',
      assertionResults: [],
    },
  ];
  assert.deepEqual(failuresOf({ testResults }, '/repo'), [
    'libs/b.spec.ts: another rule: Error: expect(status) Expected: 200 Received: 503',
    'libs/c.spec.ts: Cannot find module',
  ]);
});
