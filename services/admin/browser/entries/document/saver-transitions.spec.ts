import { describe, expect, it } from '@jest/globals';
import { EntryDocument } from './entry-document.js';
import { apiError, networkError, type FakeServer } from './fake-server.fixture.js';
import { Saver } from './saver.js';
import { fields, openSaver } from './saver.fixture.js';

describe('a transition', () => {
  const publishOn = (server: FakeServer, revs: string[]) => (id: string, rev: string) => {
    revs.push(rev);
    return Promise.resolve({ version: server.publish(id, rev) });
  };

  it('waits for the running request, saves everything and carries the newest version', async () => {
    const { clock, server, document, saver, faults } = openSaver();
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
    const { clock, server, document, saver, saveAsAnn, faults } = openSaver();
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
    const { clock, server, document, saver, saveAsAnn } = openSaver();
    await saveAsAnn({ title: 'theirs' });
    const published = saver.transition(publishOn(server, []));
    await clock.advance(0);
    expect(await published).toEqual({ done: false, reason: 'changed', fields: ['title'] });
    expect(document.getSnapshot('title').value).toBe('theirs');
  });

  it('may discard the edits', async () => {
    const { clock, server, document, saver } = openSaver();
    document.set('intro', 'mine');
    const options = { savesFirst: false, discardsEdits: true };
    const discarded = saver.transition(() => Promise.resolve({ version: server.version('e') }), options);
    await clock.advance(0);
    expect(await discarded).toMatchObject({ done: true });
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'intro', state: 'clean' });
  });

  it('keeps edits during it for the next save', async () => {
    const { clock, server, document, saver } = openSaver();
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
    const { clock, document, saver, line } = openSaver();
    const failed = saver.transition(() => Promise.reject(apiError(401, 'NOT_AUTHENTICATED')));
    const error = failed.catch((reason: unknown) => reason);
    await clock.advance(0);
    expect(await error).toMatchObject({ code: 'NOT_AUTHENTICATED' });
    expect(line()).toMatchObject({ reason: 'signed-out' });
    expect(document.rev).toBe('rev1');
  });
});

describe('a new entry', () => {
  it('is local until its required fields are valid, and created once', async () => {
    const created: string[] = [];
    const { clock, server, document, saver, faults } = openSaver({
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
    const { clock, server, document } = openSaver({ isNew: true });
    document.set('title', 'bad');
    await clock.advance(2_000);
    document.set('title', 'good');
    await clock.advance(2_000);
    expect(server.value('entry2', 'title')).toBe('good');
  });

  it('waits for Save where the user cannot edit it afterwards', async () => {
    const { clock, server, document, saver } = openSaver({ isNew: true, createsOnSave: true });
    document.set('title', 'Name');
    await clock.advance(60_000);
    expect(server.entries.size).toBe(1);
    const saved = saver.save();
    await clock.advance(0);
    expect(await saved).toBe(true);
    expect(server.entries.size).toBe(2);
  });

  it('is created again with the key of the journal', async () => {
    const { clock, server, document, saver, faults } = openSaver({ isNew: true });
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
