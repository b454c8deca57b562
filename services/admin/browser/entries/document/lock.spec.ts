import { describe, expect, it } from '@jest/globals';
import { createApiClient } from '@quire/api-client';
import { FakeClock } from './fake-clock.fixture.js';
import { apiError, networkError } from './fake-server.fixture.js';
import { createLeaseRequests, EntryLease, type LockStatus } from './lock.js';

const ann = { userId: 'ann', userName: 'Ann', acquiredAt: '1', expiresAt: '2' };
const held: LockStatus = { enabled: true, heldByCaller: true, holder: { ...ann, userId: 'me' } };
const byAnn: LockStatus = { enabled: true, heldByCaller: false, holder: ann };
const disabled: LockStatus = { enabled: false, heldByCaller: false, holder: null };

function open({ isNew = false, responses = [held] as (LockStatus | Error)[] } = {}) {
  const clock = new FakeClock();
  const calls: string[] = [];
  const events: unknown[] = [];
  const lease = new EntryLease({
    clock,
    id: isNew ? undefined : 'e',
    token: 'tab',
    requests: {
      acquire: async (entry, { takeover }) => {
        calls.push(`${takeover ? 'take over' : 'acquire'} ${entry}`);
        const response = responses.length > 1 ? responses.shift() : responses[0];
        await clock.sleep(100);
        if (response instanceof Error) throw response;
        return response as LockStatus;
      },
      release: (entry, { token }) => {
        calls.push(`release ${entry} ${token}`);
        return Promise.reject(networkError());
      },
    },
    onLost: (holder) => events.push(holder),
    onRegained: () => events.push('regained'),
  });
  return { clock, lease, calls, events, responses };
}

describe('the lease of a tab', () => {
  it('is acquired at the first edit, and renewed every two minutes', async () => {
    const { clock, lease, calls } = open();
    await clock.advance(10 * 60_000);
    expect(calls).toEqual([]);
    lease.acquire();
    lease.acquire();
    expect(lease.getState()).toEqual({ kind: 'acquiring' });
    await clock.advance(100 + 4 * 60_000);
    expect(lease.getState()).toEqual({ kind: 'held' });
    expect(calls).toHaveLength(2);
    await clock.advance(1_000);
    expect(calls).toHaveLength(3);
  });

  it('lets the first write wait for the response', async () => {
    for (const [response, isHeld] of [
      [held, true],
      [disabled, true],
      [byAnn, false],
      [networkError(), true],
    ] as const) {
      const { clock, lease } = open({ responses: [response] });
      const result = lease.isHeld();
      await clock.advance(100);
      expect(await result).toBe(isHeld);
    }
  });

  it('of another user is reported, and not renewed', async () => {
    const { clock, lease, calls, events } = open({ responses: [byAnn] });
    lease.acquire();
    await clock.advance(10 * 60_000);
    expect(lease.getState()).toEqual({ kind: 'other', holder: ann });
    expect(events).toEqual([ann]);
    expect(calls).toHaveLength(1);
  });

  it('that is lost can be taken back', async () => {
    const { clock, lease, calls, events } = open({ responses: [held, byAnn, held] });
    const states: string[] = [];
    lease.subscribe(() => states.push(lease.getState().kind));
    lease.acquire();
    await clock.advance(5 * 60_000);
    expect(await lease.isHeld()).toBe(false);
    const taken = lease.takeBack();
    await clock.advance(100);
    expect(await taken).toBe(true);
    expect(states).toEqual(['acquiring', 'held', 'lost', 'held']);
    expect(events).toEqual([ann, 'regained']);
    expect(calls).toEqual(['acquire e', 'acquire e', 'take over e']);
  });

  it('is lost when a write is refused', async () => {
    const { clock, lease, events } = open();
    lease.acquire();
    await clock.advance(100);
    lease.markLost(ann);
    expect(lease.getState()).toEqual({ kind: 'lost', holder: ann });
    expect(events).toEqual([ann]);
  });

  it('is tried again while the server cannot be asked, and stays the last known one', async () => {
    const { clock, lease, calls } = open({ responses: [networkError(), held, networkError(), held] });
    lease.acquire();
    await clock.advance(14_000);
    expect(lease.getState()).toEqual({ kind: 'unknown' });
    await clock.advance(2_000 + 2 * 60_000);
    expect(lease.getState()).toEqual({ kind: 'held' });
    await clock.advance(16_000);
    expect(calls).toHaveLength(4);
  });

  it('is asked for again later when the session has ended', async () => {
    const { clock, lease, calls } = open({ responses: [apiError(401, 'NOT_AUTHENTICATED'), held] });
    lease.acquire();
    await clock.advance(3 * 60_000);
    expect(calls).toHaveLength(2);
  });

  it('is released when the page is left, and acquired again at the next edit', async () => {
    const { clock, lease, calls } = open();
    lease.acquire();
    lease.release();
    await clock.advance(10 * 60_000);
    expect(lease.getState()).toEqual({ kind: 'none' });
    lease.release();
    lease.acquire();
    expect(calls).toEqual(['acquire e', 'release e tab', 'acquire e']);
  });

  it('of a new entry begins when it is created', async () => {
    const { clock, lease, calls } = open({ isNew: true });
    lease.acquire();
    expect(await lease.isHeld()).toBe(true);
    lease.setId('new');
    await clock.advance(100);
    expect(calls).toEqual(['acquire new']);
  });

  it('is requested of the API', async () => {
    const sent: unknown[] = [];
    const api = createApiClient({
      fetch: (url, { method, body, keepalive } = {}) => {
        sent.push([method, url, body, keepalive]);
        return Promise.resolve(Response.json({ success: true, data: held }));
      },
    });
    const requests = createLeaseRequests(api, 'posts');
    expect(await requests.acquire('e', { token: 't', takeover: true })).toEqual(held);
    await requests.release('e', { token: 't' });
    expect(sent).toEqual([
      ['POST', '/_cms/api/content/posts/e/lock', '{"token":"t","takeover":true}', undefined],
      ['DELETE', '/_cms/api/content/posts/e/lock?token=t', undefined, true],
    ]);
  });
});
