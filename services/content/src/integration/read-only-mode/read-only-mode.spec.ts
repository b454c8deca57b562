import { describe, expect, it, jest } from '@jest/globals';
import type { Context } from '@quire/context';
import { ReadOnlyMode } from './read-only-mode.js';

const code = 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS';

/** A mode on a site whose stored reasons are `reasons`, and the statements that it has sent. */
function openMode() {
  const reasons = new Set<string>();
  const statements: string[] = [];
  const query = (text: string) => {
    const [verb = ''] = text.split(' ');
    statements.push(verb);
    if (verb === 'INSERT') reasons.add(code);
    if (verb === 'DELETE') reasons.delete(code);
    return Promise.resolve([...reasons].map((stored) => ({ code: stored })));
  };
  const relay = { invalidate: jest.fn() };
  const ctx = { principal: { tenant: { id: 'a' } }, db: { query } } as unknown as Context;
  return { ctx, mode: new ReadOnlyMode(relay), reasons, statements, relay };
}

describe('ReadOnlyMode', () => {
  it('rejects writes while a reason is stored', async () => {
    const { ctx, mode, relay } = openMode();
    await mode.assertWritable(ctx);
    await mode.set(ctx, code, true);
    await expect(mode.assertWritable(ctx)).rejects.toMatchObject({ code, retryAfterSeconds: 5 });
    await mode.set(ctx, code, false);
    await mode.assertWritable(ctx);
    expect(relay.invalidate.mock.calls).toEqual([
      ['write-fence', 'a'],
      ['write-fence', 'a'],
    ]);
  });

  it('reads the mode of a site once until it is invalidated', async () => {
    const { ctx, mode, reasons, statements } = openMode();
    await Promise.all([mode.assertWritable(ctx), mode.assertWritable(ctx)]);
    reasons.add(code);
    mode.invalidate('b');
    await mode.assertWritable(ctx);
    mode.invalidate('a');
    await expect(mode.assertWritable(ctx)).rejects.toMatchObject({ code });
    expect(statements).toEqual(['SELECT', 'SELECT']);
  });

  it('does not cache a failed read', async () => {
    const { ctx, mode } = openMode();
    const failing = { ...ctx, db: { query: () => Promise.reject(new Error('down')) } } as unknown as Context;
    await expect(mode.assertWritable(failing)).rejects.toMatchObject({
      code: 'MEDIA_USAGE_ACTIVATION_CHECK_FAILED',
    });
    await mode.assertWritable(ctx);
  });
});
