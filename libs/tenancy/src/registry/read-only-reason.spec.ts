import { describe, expect, it } from '@jest/globals';
import { assertNotReadOnly, type ReadOnlyReason } from './read-only-reason.js';

const reasons = (reason: Promise<ReadOnlyReason | undefined>) => ({ readOnlyReasonOf: () => reason });

describe('assertNotReadOnly (contract 25)', () => {
  it('passes writes of a writable site', async () => {
    await expect(assertNotReadOnly(reasons(Promise.resolve(undefined)), 'a')).resolves.toBeUndefined();
  });

  it('rejects writes with the reason, what to do and when to retry', async () => {
    const fenced = reasons(Promise.resolve('TRANSFER_IMPORT_IN_PROGRESS'));
    await expect(assertNotReadOnly(fenced, 'a')).rejects.toMatchObject({
      code: 'TRANSFER_IMPORT_IN_PROGRESS',
      status: 503,
      message: expect.stringMatching(/Retry later, or abandon/),
      retryAfterSeconds: 30,
    });
  });

  it('rejects writes while the reasons cannot be read', async () => {
    const cause = new Error('down');
    await expect(assertNotReadOnly(reasons(Promise.reject(cause)), 'a')).rejects.toMatchObject({
      code: 'TRANSFER_FENCE_CHECK_FAILED',
      status: 503,
      retryAfterSeconds: 30,
      cause,
    });
  });
});
