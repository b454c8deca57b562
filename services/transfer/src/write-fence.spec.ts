import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { ReadOnlyReason } from '@quire/tenancy';
import { WriteFence } from './write-fence.js';

const ctx = { principal: { tenant: { id: 'a', database: null } } } as unknown as Context;
let reasons: Map<string, ReadOnlyReason>;
/** The reason of the site at each announcement: others read it then. */
let announced: unknown[];
let fence: WriteFence;

beforeEach(() => {
  reasons = new Map();
  announced = [];
  const registry = {
    readOnlyReasonOf: (id: string) => Promise.resolve(reasons.get(id)),
    setReadOnlyReason: (id: string, reason: ReadOnlyReason | null) => {
      if (reason) reasons.set(id, reason);
      else reasons.delete(id);
      return Promise.resolve();
    },
  };
  const relay = { invalidate: (topic: string) => void announced.push([topic, reasons.get('a')]) };
  fence = new WriteFence(registry, relay);
});

describe('WriteFence', () => {
  it('stores the reason of the site of the context, then announces it', async () => {
    await fence.raise(ctx);
    await fence.raise(ctx);
    expect(await fence.isRaised(ctx)).toBe(true);
    expect([...reasons.keys()]).toEqual(['a']);
    const raised = ['tenants', 'TRANSFER_IMPORT_IN_PROGRESS'];
    expect(announced).toEqual([raised, raised]);
  });

  it('removes the reason, then announces it', async () => {
    await fence.raise(ctx);
    await fence.lift(ctx);
    await fence.lift(ctx);
    expect(await fence.isRaised(ctx)).toBe(false);
    expect(announced.slice(1)).toEqual([
      ['tenants', undefined],
      ['tenants', undefined],
    ]);
  });

  it('does not announce a reason that could not be stored', async () => {
    const failing = {
      readOnlyReasonOf: () => Promise.resolve(undefined),
      setReadOnlyReason: () => Promise.reject(new Error('down')),
    };
    const broken = new WriteFence(failing, { invalidate: () => void announced.push('announced') });
    await expect(broken.raise(ctx)).rejects.toThrow('down');
    expect(announced).toEqual([]);
  });
});
