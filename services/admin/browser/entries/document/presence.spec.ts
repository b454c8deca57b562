import { describe, expect, it } from '@jest/globals';
import type { EntryVersion } from './entry-document.js';
import { FakeClock } from './fake-clock.fixture.js';
import type { LockStatus } from './lock.js';
import { EntryPresence } from './presence.js';

const holder = { userId: 'ann', userName: 'Ann', acquiredAt: '1', expiresAt: '2' };

function open() {
  const clock = new FakeClock();
  const versions: EntryVersion[] = [];
  const errors: unknown[] = [];
  const next: { status: LockStatus; version: EntryVersion | undefined; error?: Error } = {
    status: { enabled: true, heldByCaller: false, holder: null },
    version: undefined,
  };
  let polls = 0;
  const presence = new EntryPresence({
    clock,
    requests: {
      getLock: () => {
        polls += 1;
        return next.error ? Promise.reject(next.error) : Promise.resolve({ ...next.status });
      },
      readIfChanged: () => Promise.resolve(next.version),
    },
    onVersion: (version) => versions.push(version),
    onError: (error) => errors.push(error),
  });
  return { clock, presence, next, versions, errors, polls: () => polls };
}

describe('the presence of others', () => {
  it('is asked for every 20 seconds while the page is visible', async () => {
    const { clock, presence, polls } = open();
    presence.setVisible(true);
    await clock.advance(45_000);
    expect(polls()).toBe(3);
    presence.setVisible(false);
    await clock.advance(60_000);
    expect(polls()).toBe(3);
    presence.setVisible(true);
    presence.setVisible(true);
    await clock.advance(0);
    expect(polls()).toBe(4);
  });

  it('notifies of another holder, and of another version', async () => {
    const { clock, presence, next, versions } = open();
    let changes = 0;
    presence.subscribe(() => (changes += 1));
    presence.setVisible(true);
    await clock.advance(40_000);
    const version = { rev: '2', values: new Map() };
    Object.assign(next, { status: { enabled: true, heldByCaller: false, holder }, version });
    await clock.advance(20_000);
    expect(changes).toBe(2);
    expect(presence.getStatus()?.holder).toEqual(holder);
    expect(versions).toEqual([version]);
  });

  it('goes on after an error', async () => {
    const { clock, presence, next, errors, polls } = open();
    next.error = new Error('cut');
    presence.setVisible(true);
    await clock.advance(20_000);
    expect(errors).toEqual([next.error, next.error]);
    expect(polls()).toBe(2);
  });
});
