import { expect, it, jest } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { retryStart } from './retry-start.js';

const timeout = new Error('Connection terminated due to connection timeout');

/** Starts a process whose attempts fail with these errors, the last one again and again. */
async function start(errors: Error[], timeoutMs = 60_000) {
  const warn = jest.fn();
  let attempts = 0;
  const attempt = () => {
    attempts += 1;
    const error = errors[attempts - 1] ?? errors.at(-1);
    return error ? Promise.reject(error) : Promise.resolve('started');
  };
  const outcome = await retryStart(attempt, { warn }, { timeoutMs, pauseMs: 1 }).catch(
    (error: unknown) => error,
  );
  return { outcome, attempts, warnings: warn.mock.calls.length };
}

it('a start without errors runs once', async () => {
  expect(await start([])).toEqual({ outcome: 'started', attempts: 1, warnings: 0 });
});

it('a start is repeated while the database takes too long, also as the cause of another error', async () => {
  const unavailable = new QuireError('SERVICE_UNAVAILABLE', 'The database is unavailable', {
    cause: timeout,
  });
  const last = new Error('another error');
  const expected = { outcome: last, attempts: 3, warnings: 2 };
  expect(await start([timeout, unavailable, last])).toEqual(expected);
});

it('a start fails at once with a refused connection', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(await start([refused])).toEqual({ outcome: refused, attempts: 1, warnings: 0 });
});

it('a start that is repeated for too long fails with the last error', async () => {
  const { outcome, attempts, warnings } = await start([timeout], 50);
  expect(outcome).toBe(timeout);
  expect(attempts).toBeGreaterThan(2);
  expect(warnings).toBe(attempts - 1);
});
