import { describe, expect, it } from '@jest/globals';
import { apiError } from './fake-server.fixture.js';
import { saveModeOf } from './save-mode.js';
import { fields, openSaver } from './saver.fixture.js';

describe('saving by itself', () => {
  it('begins 1.5 seconds after the last edit', async () => {
    const { clock, server, document, line } = openSaver();
    document.set('intro', 'a');
    await clock.advance(1_000);
    document.set('intro', 'ab');
    await clock.advance(1_400);
    expect(server.writes).toEqual([]);
    expect(line()).toEqual({ kind: 'unsaved', fields: ['intro'] });
    await clock.advance(100);
    expect(server.value('e', 'intro')).toBe('ab');
    expect(line()).toEqual({ kind: 'saved', at: 2_500 });
  });

  it('begins after 10 seconds of typing', async () => {
    const { clock, server, document } = openSaver();
    for (let second = 0; second < 11; second += 1) {
      document.set('intro', `text ${second}`);
      await clock.advance(1_000);
    }
    expect(server.value('e', 'intro')).toBe('text 9');
  });

  it('sends one request at a time, and what was typed since in the next one', async () => {
    const { clock, server, document, faults, requests, line } = openSaver();
    faults.push({ responseDelayMs: 8_000 });
    document.set('intro', 'one');
    await clock.advance(1_500);
    expect(line()).toEqual({ kind: 'saving' });
    for (const text of ['one two', 'one two three']) {
      document.set('intro', text);
      await clock.advance(2_000);
    }
    expect(requests).toHaveLength(1);
    await clock.advance(8_000);
    expect(requests).toHaveLength(2);
    expect(server.value('e', 'intro')).toBe('one two three');
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'one two three', state: 'clean' });
  });

  it('sends nothing without an edit, or for one that was undone', async () => {
    const { clock, document, requests } = openSaver();
    await clock.advance(60_000);
    document.set('intro', 'x');
    document.set('intro', 'intro');
    await clock.advance(60_000);
    expect(requests).toEqual([]);
  });

  it('adds a revision first, with Save, and after ten minutes', async () => {
    const { clock, server, document, saver } = openSaver();
    const type = async (text: string, ms = 2_000) => {
      document.set('intro', text);
      await clock.advance(ms);
    };
    await type('1');
    await type('2');
    document.set('intro', '3');
    const saved = saver.save();
    await clock.advance(0);
    expect(await saved).toBe(true);
    await type('4', 10 * 60_000);
    await type('5');
    expect(server.writes.map(({ skipRevision }) => skipRevision)).toEqual([false, true, false, true, false]);
  });

  it('keeps invalid fields back, names them, and sends the others', async () => {
    const { clock, server, document, line } = openSaver();
    document.set('title', '');
    document.set('intro', 'new');
    await clock.advance(2_000);
    expect(server.value('e', 'intro')).toBe('new');
    expect(line()).toEqual({ kind: 'invalid', fields: ['title'] });
    document.set('title', 'Name');
    await clock.advance(2_000);
    expect(server.value('e', 'title')).toBe('Name');
  });

  it('takes issues of the server to their fields, and sends the rest again', async () => {
    const { clock, server, document, line } = openSaver();
    document.set('title', 'bad');
    document.set('intro', 'new');
    await clock.advance(1_500);
    expect(server.value('e', 'intro')).toBe('new');
    expect(document.getSnapshot('title')).toMatchObject({ state: 'invalid', issues: [{ code: 'pattern' }] });
    expect(line()).toEqual({ kind: 'invalid', fields: ['title'] });
  });

  it.each([
    ['a taken slug', apiError(409, 'SLUG_CONFLICT'), '@slug'],
    ['a value that is not unique', apiError(409, 'CONFLICT', { field: 'title' }), 'title'],
    [
      'an issue of a row',
      apiError(400, 'VALIDATION_ERROR', { issues: [{ path: 'data.title.0.x', message: 'is wrong' }] }),
      'title',
    ],
  ])('takes %s to its field', async (_, error, key) => {
    const { clock, document, faults } = openSaver();
    faults.push({ error });
    document.set('title', 'x');
    document.set('@slug', 'x');
    await clock.advance(1_500);
    expect(document.getSummary()).toEqual({ dirty: [], invalid: [key], conflict: [] });
  });

  it('stops at an error that a repetition does not help, until the next edit', async () => {
    const { clock, server, document, faults, requests, line } = openSaver();
    faults.push({ error: apiError(413, 'PAYLOAD_TOO_LARGE') });
    document.set('intro', 'x');
    await clock.advance(60_000);
    expect(requests).toHaveLength(1);
    expect(line()).toMatchObject({ kind: 'stopped', reason: 'rejected', fields: ['intro'] });
    document.set('intro', 'y');
    await clock.advance(1_500);
    expect(server.value('e', 'intro')).toBe('y');
  });

  it.each([
    ['gone', apiError(404, 'NOT_FOUND')],
    ['denied', apiError(403, 'FORBIDDEN')],
    ['account-disabled', apiError(403, 'ACCOUNT_DISABLED')],
  ])('stops when the entry is %s, until saving is resumed', async (reason, error) => {
    const { clock, server, document, faults, saver, line } = openSaver();
    faults.push({ error });
    document.set('intro', 'x');
    await clock.advance(1_500);
    document.set('intro', 'y');
    await clock.advance(60_000);
    expect(line()).toMatchObject({ kind: 'stopped', reason });
    saver.resumeSaving();
    await clock.advance(0);
    expect(server.value('e', 'intro')).toBe('y');
  });
});

describe('leaving the page', () => {
  it('sends what fits into one request', async () => {
    const { clock, server, document, saver } = openSaver();
    document.set('intro', 'x');
    saver.flush();
    await clock.advance(0);
    expect(server.writes).toMatchObject([{ keepalive: true }]);
    document.set('intro', 'é'.repeat(31_000));
    saver.flush();
    saver.dispose();
    await clock.advance(60_000);
    expect(server.writes).toHaveLength(1);
  });
});

describe('fields of a published entry that are live at once', () => {
  it('are saved with Apply, and those of a collection without drafts with Save', async () => {
    for (const stagesChanges of [true, false]) {
      const publication = { isPublished: true, stagesChanges };
      const { clock, server, document, saver, line } = openSaver({
        saveMode: (field) => saveModeOf(field, publication),
      });
      document.set('title', 'x');
      document.set('@authorId', 'y');
      await clock.advance(60_000);
      expect(server.writes).toHaveLength(stagesChanges ? 1 : 0);
      void saver.save();
      await clock.advance(0);
      expect(line()).toEqual({ kind: 'unsaved', fields: ['@authorId'] });
      void saver.save('apply');
      await clock.advance(0);
      expect(server.writes.map(({ keys }) => keys)).toEqual([['title'], ['@authorId']]);
    }
  });

  it('are saved by themselves while the entry is a draft', () => {
    const draft = { isPublished: false, stagesChanges: false };
    expect(fields.map((field) => saveModeOf(field, draft))).toEqual(fields.map(() => 'auto'));
  });
});

describe('the lease', () => {
  it('is waited for before the first write', async () => {
    let hold: (isHeld: boolean) => void = () => undefined;
    const isHeld = () => new Promise<boolean>((resolve) => (hold = resolve));
    const { clock, server, document, line } = openSaver({ lease: { isHeld, markLost: () => undefined } });
    document.set('intro', 'x');
    await clock.advance(2_000);
    expect(server.writes).toEqual([]);
    document.set('intro', 'y');
    hold(true);
    await clock.advance(0);
    expect(server.value('e', 'intro')).toBe('y');
    expect(line()).toMatchObject({ kind: 'saved' });
    document.set('intro', 'z');
    await clock.advance(2_000);
    hold(false);
    await clock.advance(0);
    expect(line()).toMatchObject({ kind: 'stopped', reason: 'locked' });
  });

  it('that is lost stops saving until it is back', async () => {
    const lost: unknown[] = [];
    const lease = { isHeld: () => Promise.resolve(true), markLost: (holder: unknown) => lost.push(holder) };
    const { clock, server, document, saver, line } = openSaver({ lease });
    server.lease = 'ann';
    document.set('intro', 'x');
    await clock.advance(60_000);
    expect(line()).toMatchObject({ kind: 'stopped', reason: 'locked', holder: { userId: 'ann' } });
    expect(lost).toMatchObject([{ userId: 'ann' }]);
    server.lease = 'me';
    saver.resumeSaving();
    await clock.advance(0);
    expect(server.value('e', 'intro')).toBe('x');
    saver.leaseLost(undefined);
    expect(line()).toMatchObject({ kind: 'stopped', reason: 'locked' });
  });
});
