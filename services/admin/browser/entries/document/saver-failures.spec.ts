import { describe, expect, it } from '@jest/globals';
import { apiError, networkError } from './fake-server.fixture.js';
import { openSaver } from './saver.fixture.js';

describe('a connection that fails', () => {
  it('is tried again after 1, 2, 4 … 30 seconds', async () => {
    const { clock, server, document, requests, line } = openSaver();
    server.outage = networkError;
    document.set('intro', 'x');
    const times: number[] = [];
    for (let second = 0; second < 130; second += 1) {
      if (requests.length > times.length) times.push(clock.now() - 1_500);
      await clock.advance(500);
      if (requests.length > times.length) times.push(clock.now() - 1_500);
      await clock.advance(500);
    }
    expect(times).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000, 121_000]);
    expect(line()).toMatchObject({
      kind: 'waiting',
      reason: 'connection',
      retryAt: 152_500,
      fields: ['intro'],
    });
    server.outage = undefined;
  });

  it('is tried at once when the browser is online again, or with Save', async () => {
    for (const again of ['online', 'save'] as const) {
      const { clock, server, document, saver, faults } = openSaver();
      faults.push({ error: networkError() });
      document.set('intro', 'x');
      await clock.advance(1_600);
      void saver[again]();
      await clock.advance(0);
      expect(server.value('e', 'intro')).toBe('x');
    }
  });

  it('waits as long as the server asks for', async () => {
    const { clock, server, document, faults, line } = openSaver();
    const busy = { status: 429, code: 'RATE_LIMITED', message: '', retryAfterMs: 7_000 };
    faults.push({ error: Object.assign(apiError(429, 'RATE_LIMITED'), busy) });
    document.set('intro', 'x');
    await clock.advance(1_500);
    expect(line()).toMatchObject({ kind: 'waiting', retryAt: 8_500 });
    await clock.advance(7_000);
    expect(server.value('e', 'intro')).toBe('x');
  });

  it('tries every 15 seconds while the site is read-only', async () => {
    const { clock, server, document, requests, line } = openSaver();
    server.outage = () => apiError(503, 'TRANSFER_IMPORT_IN_PROGRESS');
    document.set('intro', 'x');
    await clock.advance(1_500 + 45_000);
    expect(requests).toHaveLength(4);
    expect(line()).toMatchObject({ kind: 'waiting', reason: 'read-only' });
    server.outage = undefined;
    await clock.advance(15_000);
    expect(line()).toMatchObject({ kind: 'saved' });
  });

  it('loses no response: a write that was executed is recognised, and what was typed since follows', async () => {
    const { clock, server, document, faults, line } = openSaver();
    faults.push({ lostResponse: true });
    document.set('intro', 'one');
    await clock.advance(1_500);
    document.set('intro', 'one two');
    await clock.advance(10_000);
    expect(server.value('e', 'intro')).toBe('one two');
    expect(document.getSummary().conflict).toEqual([]);
    expect(line()).toMatchObject({ kind: 'saved' });
  });

  it('does not keep a text on the server that the user has taken back', async () => {
    const { clock, server, document, faults } = openSaver();
    faults.push({ lostResponse: true });
    document.set('intro', 'wrong');
    await clock.advance(1_500);
    expect(server.value('e', 'intro')).toBe('wrong');
    document.set('intro', 'intro');
    await clock.advance(10_000);
    expect(server.value('e', 'intro')).toBe('intro');
  });
});

describe('changes of another editor', () => {
  it('are merged, and both are saved in a revision of its own', async () => {
    const { clock, server, document, saver, saveAsAnn } = openSaver();
    document.set('intro', 'mine');
    await clock.advance(2_000);
    await saveAsAnn({ title: 'theirs' });
    document.set('intro', 'mine again');
    await clock.advance(2_000);
    expect([...server.version('e').values]).toEqual([
      ['title', 'theirs'],
      ['intro', 'mine again'],
    ]);
    expect(saver.getStatus().merged).toMatchObject({ by: { id: 'ann' }, fields: ['title'] });
    expect(server.replacedRevisions).toEqual([]);
    saver.dismissMerged();
    expect(saver.getStatus().merged).toBeUndefined();
  });

  it('in the same text are a conflict of it, while other fields are saved', async () => {
    const { clock, server, document, saver, saveAsAnn, line } = openSaver();
    await saveAsAnn({ intro: 'theirs' });
    document.set('intro', 'mine');
    document.set('title', 'my title');
    await clock.advance(2_000);
    expect(line()).toEqual({ kind: 'conflict', fields: ['intro'] });
    expect(saver.getStatus().allowsTransitions).toBe(false);
    expect(server.value('e', 'title')).toBe('my title');
    expect(server.value('e', 'intro')).toBe('theirs');
    document.resolve('intro', 'both');
    await clock.advance(2_000);
    expect(server.value('e', 'intro')).toBe('mine\n\ntheirs');
  });

  it('that never end are waited for', async () => {
    const { clock, document, faults, requests, line } = openSaver();
    for (let count = 0; count < 20; count += 1) faults.push({ error: apiError(409, 'CONFLICT') }, {});
    document.set('intro', 'x');
    await clock.advance(1_500);
    expect(requests.length).toBeLessThan(20);
    expect(line()).toMatchObject({ kind: 'waiting', reason: 'connection' });
  });
});

describe('a session that ends', () => {
  it('pauses saving until the same user is back', async () => {
    let ends = 0;
    const { clock, server, document, saver, faults, line } = openSaver({ onSignedOut: () => (ends += 1) });
    faults.push({ error: apiError(401, 'NOT_AUTHENTICATED') });
    document.set('intro', 'x');
    await clock.advance(60_000);
    void saver.save();
    await clock.advance(0);
    expect(line()).toMatchObject({ kind: 'waiting', reason: 'signed-out', fields: ['intro'] });
    expect(ends).toBe(1);
    saver.signedIn('other');
    await clock.advance(60_000);
    expect(line()).toMatchObject({ kind: 'stopped', reason: 'other-user' });
    saver.resumeSaving();
    expect(server.writes).toEqual([]);
    saver.signedIn('me');
    await clock.advance(0);
    expect(server.value('e', 'intro')).toBe('x');
  });

  it('and another user who signs in during a request get no retries', async () => {
    const { clock, server, document, saver, faults, requests } = openSaver();
    faults.push({ delayMs: 2_000, error: networkError() });
    document.set('intro', 'x');
    await clock.advance(2_000);
    saver.signedIn('other');
    await clock.advance(60_000);
    expect(requests).toHaveLength(1);
    expect(server.writes).toEqual([]);
  });
});
