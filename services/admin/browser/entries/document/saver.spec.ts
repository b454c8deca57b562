import { describe, expect, it } from '@jest/globals';
import { EntryDocument } from './entry-document.js';
import { contentField, propertyFields } from './entry-fields.js';
import { FakeClock } from './fake-clock.fixture.js';
import { apiError, FakeServer, networkError, type Fault } from './fake-server.fixture.js';
import { saveModeOf } from './save-mode.js';
import { Saver, type SaverOptions } from './saver.js';

const fields = [
  contentField({ slug: 'title', type: 'string', required: true, validation: null }),
  contentField({ slug: 'intro', type: 'text', required: false, validation: null }),
  ...propertyFields({ hasSeo: false, taxonomies: [] }),
];

/** An editor of an entry on a server, with faults for its next requests. */
function open(options: Partial<SaverOptions> & { isNew?: boolean } = {}) {
  const clock = new FakeClock();
  const server = new FakeServer(clock);
  server.addEntry('e', { title: 'Title', intro: 'intro' });
  const { isNew = false, ...more } = options;
  const document = new EntryDocument({
    fields,
    createKey: String,
    ...(isNew ? { values: new Map() } : server.version('e')),
  });
  const faults: Fault[] = [];
  const requests: string[] = [];
  let keys = 0;
  const saver = new Saver({
    document,
    clock,
    requests: server.requestsOf('me', (name) => {
      requests.push(name);
      return faults.shift();
    }),
    id: isNew ? undefined : 'e',
    userId: 'me',
    createIdempotencyKey: () => `key${(keys += 1)}`,
    saveMode: () => 'auto',
    ...more,
  });
  /** Another user saves. */
  const saveAsAnn = async (values: Record<string, unknown>) => {
    const { rev } = server.version('e');
    const ann = server.requestsOf('ann', () => undefined);
    const saved = ann.update('e', new Map(Object.entries(values)), {
      rev,
      skipRevision: false,
      keepalive: false,
    });
    await clock.advance(0);
    await saved;
  };
  const line = () => saver.getStatus().line;
  return { clock, server, document, saver, faults, requests, saveAsAnn, line };
}

describe('saving by itself', () => {
  it('begins 1.5 seconds after the last edit', async () => {
    const { clock, server, document, line } = open();
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
    const { clock, server, document } = open();
    for (let second = 0; second < 11; second += 1) {
      document.set('intro', `text ${second}`);
      await clock.advance(1_000);
    }
    expect(server.value('e', 'intro')).toBe('text 9');
  });

  it('sends one request at a time, and what was typed since in the next one', async () => {
    const { clock, server, document, faults, requests, line } = open();
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
    const { clock, document, requests } = open();
    await clock.advance(60_000);
    document.set('intro', 'x');
    document.set('intro', 'intro');
    await clock.advance(60_000);
    expect(requests).toEqual([]);
  });

  it('adds a revision first, with Save, and after ten minutes', async () => {
    const { clock, server, document, saver } = open();
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
    const { clock, server, document, line } = open();
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
    const { clock, server, document, line } = open();
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
    const { clock, document, faults } = open();
    faults.push({ error });
    document.set('title', 'x');
    document.set('@slug', 'x');
    await clock.advance(1_500);
    expect(document.getSummary()).toEqual({ dirty: [], invalid: [key], conflict: [] });
  });

  it('stops at an error that a repetition does not help, until the next edit', async () => {
    const { clock, server, document, faults, requests, line } = open();
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
  ])('stops when the entry is %s, until it is told to go on', async (reason, error) => {
    const { clock, server, document, faults, saver, line } = open();
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

describe('a connection that fails', () => {
  it('is tried again after 1, 2, 4 … 30 seconds', async () => {
    const { clock, server, document, requests, line } = open();
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
      const { clock, server, document, saver, faults } = open();
      faults.push({ error: networkError() });
      document.set('intro', 'x');
      await clock.advance(1_600);
      void saver[again]();
      await clock.advance(0);
      expect(server.value('e', 'intro')).toBe('x');
    }
  });

  it('waits as long as the server asks for', async () => {
    const { clock, server, document, faults, line } = open();
    const busy = { status: 429, code: 'RATE_LIMITED', message: '', retryAfterMs: 7_000 };
    faults.push({ error: Object.assign(apiError(429, 'RATE_LIMITED'), busy) });
    document.set('intro', 'x');
    await clock.advance(1_500);
    expect(line()).toMatchObject({ kind: 'waiting', retryAt: 8_500 });
    await clock.advance(7_000);
    expect(server.value('e', 'intro')).toBe('x');
  });

  it('tries every 15 seconds while the site is read-only', async () => {
    const { clock, server, document, requests, line } = open();
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
    const { clock, server, document, faults, line } = open();
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
    const { clock, server, document, faults } = open();
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
    const { clock, server, document, saver, saveAsAnn } = open();
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
    const { clock, server, document, saver, saveAsAnn, line } = open();
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
    const { clock, document, faults, requests, line } = open();
    for (let count = 0; count < 20; count += 1) faults.push({ error: apiError(409, 'CONFLICT') }, {});
    document.set('intro', 'x');
    await clock.advance(1_500);
    expect(requests.length).toBeLessThan(20);
    expect(line()).toMatchObject({ kind: 'waiting', reason: 'connection' });
  });
});

describe('a new entry', () => {
  it('is local until its required fields are valid, and created once', async () => {
    const created: string[] = [];
    const { clock, server, document, saver, faults } = open({
      isNew: true,
      onCreated: (id) => created.push(id),
    });
    document.set('intro', 'text');
    await clock.advance(60_000);
    expect(saver.id).toBeUndefined();
    faults.push({ lostResponse: true });
    document.set('title', 'Name');
    await clock.advance(1_500);
    expect(saver.creation?.idempotencyKey).toBe('key1');
    document.set('title', '');
    document.set('intro', 'more text');
    await clock.advance(10_000);
    expect(server.entries.size).toBe(2);
    expect(created).toEqual(['entry2']);
    expect([...server.version('entry2').values]).toEqual([
      ['title', 'Name'],
      ['intro', 'more text'],
    ]);
    expect(document.getSummary().invalid).toEqual(['title']);
  });

  it('is created with other values after the server has refused it', async () => {
    const { clock, server, document } = open({ isNew: true });
    document.set('title', 'bad');
    await clock.advance(2_000);
    document.set('title', 'good');
    await clock.advance(2_000);
    expect(server.value('entry2', 'title')).toBe('good');
  });

  it('waits for Save where the user cannot edit it afterwards', async () => {
    const { clock, server, document, saver } = open({ isNew: true, createsOnSave: true });
    document.set('title', 'Name');
    await clock.advance(60_000);
    expect(server.entries.size).toBe(1);
    const saved = saver.save();
    await clock.advance(0);
    expect(await saved).toBe(true);
    expect(server.entries.size).toBe(2);
  });

  it('is created again with the key of the journal', async () => {
    const { clock, server, document, saver, faults } = open({ isNew: true });
    faults.push({ lostResponse: true });
    document.set('title', 'Name');
    await clock.advance(1_500);
    saver.dispose();
    const { creation } = saver;
    const requests = server.requestsOf('me', () => undefined);
    const reopened = new EntryDocument({ fields, values: new Map(), createKey: String });
    reopened.restore({ rev: undefined, fields: document.unsentFields() });
    const createIdempotencyKey = () => 'other';
    const again = { document: reopened, requests, clock, creation, userId: 'me', createIdempotencyKey };
    const next = new Saver({ ...again, saveMode: () => 'auto' });
    await clock.advance(1_500);
    expect(next.id).toBe('entry2');
    expect(server.entries.size).toBe(2);
  });
});

describe('a session that ends', () => {
  it('pauses saving until the same user is back', async () => {
    let ends = 0;
    const { clock, server, document, saver, faults, line } = open({ onSignedOut: () => (ends += 1) });
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
    const { clock, server, document, saver, faults, requests } = open();
    faults.push({ delayMs: 2_000, error: networkError() });
    document.set('intro', 'x');
    await clock.advance(2_000);
    saver.signedIn('other');
    await clock.advance(60_000);
    expect(requests).toHaveLength(1);
    expect(server.writes).toEqual([]);
  });
});

describe('the lease', () => {
  it('is waited for before the first write', async () => {
    let hold: (isHeld: boolean) => void = () => undefined;
    const isHeld = () => new Promise<boolean>((resolve) => (hold = resolve));
    const { clock, server, document, line } = open({ lease: { isHeld, markLost: () => undefined } });
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
    const { clock, server, document, saver, line } = open({ lease });
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

describe('a transition', () => {
  const publishOn = (server: FakeServer, revs: string[]) => (id: string, rev: string) => {
    revs.push(rev);
    return Promise.resolve({ version: server.publish(id, rev) });
  };

  it('waits for the running request, saves everything and carries the newest version', async () => {
    const { clock, server, document, saver, faults } = open();
    faults.push({ responseDelayMs: 5_000 });
    document.set('intro', 'one');
    await clock.advance(1_500);
    document.set('intro', 'two');
    const revs: string[] = [];
    const published = saver.transition(publishOn(server, revs));
    await clock.advance(5_000);
    expect(await published).toMatchObject({ done: true });
    expect(revs).toEqual(['rev3']);
    expect(document.rev).toBe('rev4');
    expect(server.value('e', 'intro')).toBe('two');
  });

  it('does not happen with a conflict, an invalid field or an unsaved one', async () => {
    const { clock, server, document, saver, saveAsAnn, faults } = open();
    const revs: string[] = [];
    const attempt = async () => {
      const published = saver.transition(publishOn(server, revs));
      await clock.advance(0);
      return published;
    };
    document.set('title', '');
    expect(await attempt()).toEqual({ done: false, reason: 'invalid', fields: ['title'] });
    document.set('title', 'Title');
    faults.push({ error: networkError() });
    document.set('intro', 'mine');
    expect(await attempt()).toEqual({ done: false, reason: 'unsaved', fields: ['intro'] });
    await saveAsAnn({ intro: 'theirs' });
    expect(await attempt()).toEqual({ done: false, reason: 'conflict', fields: ['intro'] });
    expect(revs).toEqual([]);
    document.resolve('intro', 'mine');
    expect(await attempt()).toMatchObject({ done: true });
  });

  it('does not happen with a change of another editor that the user has not seen', async () => {
    const { clock, server, document, saver, saveAsAnn } = open();
    await saveAsAnn({ title: 'theirs' });
    const published = saver.transition(publishOn(server, []));
    await clock.advance(0);
    expect(await published).toEqual({ done: false, reason: 'changed', fields: ['title'] });
    expect(document.getSnapshot('title').value).toBe('theirs');
  });

  it('may discard the edits', async () => {
    const { clock, server, document, saver } = open();
    document.set('intro', 'mine');
    const options = { savesFirst: false, discardsEdits: true };
    const discarded = saver.transition(() => Promise.resolve({ version: server.version('e') }), options);
    await clock.advance(0);
    expect(await discarded).toMatchObject({ done: true });
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'intro', state: 'clean' });
  });

  it('keeps edits during it for the next save', async () => {
    const { clock, server, document, saver } = open();
    const published = saver.transition(async (id, rev) => {
      await clock.sleep(5_000);
      return { version: server.publish(id, rev) };
    });
    await clock.advance(100);
    document.set('intro', 'typed');
    await clock.advance(6_000);
    expect(await published).toMatchObject({ done: true });
    expect(server.value('e', 'intro')).toBe('typed');
  });

  it('passes its error on, and pauses saving when the session has ended', async () => {
    const { clock, document, saver, line } = open();
    const failed = saver.transition(() => Promise.reject(apiError(401, 'NOT_AUTHENTICATED')));
    const error = failed.catch((reason: unknown) => reason);
    await clock.advance(0);
    expect(await error).toMatchObject({ code: 'NOT_AUTHENTICATED' });
    expect(line()).toMatchObject({ reason: 'signed-out' });
    expect(document.rev).toBe('rev1');
  });
});

describe('leaving the page', () => {
  it('sends what fits into one request', async () => {
    const { clock, server, document, saver } = open();
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
      const { clock, server, document, saver, line } = open({
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
