import { describe, expect, it } from '@jest/globals';
import { EntryDocument, type EntryVersion } from './entry-document.js';
import { contentField } from './entry-fields.js';
import type { PendingCreation } from './entry-writer.js';
import { FakeClock } from './fake-clock.fixture.js';
import { EntryJournal } from './journal.js';
import { MemoryStore } from './memory-store.fixture.js';
import { openDraft } from './open-draft.js';

const fields = ['title', 'intro'].map((slug) =>
  contentField({ slug, type: 'text', required: slug === 'title', validation: null }),
);
const version = (rev: string, title: string, intro: string): EntryVersion => ({
  rev,
  values: new Map([
    ['title', title],
    ['intro', intro],
  ]),
});
const first = version('1', 'Title', 'intro');
const day = 24 * 3_600_000;

function open({
  store = new MemoryStore(),
  clock = new FakeClock(),
  user = 'me',
  latest = first,
  hasDraft = false,
} = {}) {
  const document = new EntryDocument({ fields, createKey: String, ...latest });
  const key = { user, collection: 'posts', id: 'e' };
  let creation: PendingCreation | undefined;
  const journal = new EntryJournal({ store, clock, document, key, hasDraft, getCreation: () => creation });
  const valueOf = async (name: string) => (await store.get(key))?.fields.get(name)?.value;
  return {
    store,
    clock,
    document,
    journal,
    key,
    valueOf,
    create: (pending: PendingCreation | undefined) => (creation = pending),
  };
}

describe('the journal', () => {
  it('has each edit within 250 ms, also while the user types on', async () => {
    const { store, clock, document, valueOf } = open();
    const stored = new Set<unknown>();
    for (let count = 1; count <= 10; count += 1) {
      document.set('intro', `text ${count}`);
      await clock.advance(100);
      const text = await valueOf('intro');
      if (count > 2) expect([`text ${count - 1}`, `text ${count}`]).toContain(text);
      stored.add(text);
    }
    expect(stored.size).toBeGreaterThan(4);
    await clock.advance(250);
    expect(await valueOf('intro')).toBe('text 10');
    expect(store.puts).toBeLessThanOrEqual(6);
  });

  it('has it at once when the page is hidden', async () => {
    const { document, journal, valueOf } = open();
    document.set('title', '');
    await journal.flush();
    expect(await valueOf('title')).toBe('');
  });

  it('has no draft of what the server has, but its former states', async () => {
    const { store, clock, document, key } = open();
    document.set('intro', 'text');
    await clock.advance(250);
    document.acceptWrite(version('2', 'Title', 'text'), new Map([['intro', 'text']]));
    await clock.advance(250);
    expect(await store.get(key)).toBeUndefined();
    expect((await store.listStates(key)).map((state) => state.fields.get('intro')?.value)).toEqual(['text']);
  });

  it('deletes a draft that the server has when the entry is opened', async () => {
    const { store, clock, document, key } = open();
    document.set('intro', 'text');
    await clock.advance(250);
    open({ store, clock, latest: version('2', 'Title', 'text'), hasDraft: true });
    await clock.advance(250);
    expect(await store.get(key)).toBeUndefined();
  });

  it('keeps the last ten states, a minute apart, for 30 days', async () => {
    const { store, clock, document, key } = open();
    for (let count = 0; count < 26; count += 1) {
      document.set('intro', `text ${count}`);
      await clock.advance(30_000);
    }
    const texts = (await store.listStates(key)).map((state) => state.fields.get('intro')?.value);
    expect(texts).toHaveLength(10);
    expect(texts.slice(0, 2)).toEqual(['text 25', 'text 23']);
    await clock.advance(31 * day);
    document.set('intro', 'later');
    await clock.advance(250);
    expect(await store.listStates(key)).toHaveLength(1);
  });

  it('reports that the browser refuses storage, and that it does no longer', async () => {
    const { store, clock, document, journal } = open();
    const calls: boolean[] = [];
    journal.subscribe(() => calls.push(journal.isAvailable()));
    store.isRefused = true;
    document.set('intro', 'a');
    await clock.advance(250);
    document.set('intro', 'b');
    await clock.advance(250);
    store.isRefused = false;
    document.set('intro', 'c');
    await clock.advance(250);
    expect(calls).toEqual([false, true]);
  });

  it('moves with a new entry to its id', async () => {
    const { store, document, journal, key, create } = open();
    const creation = { idempotencyKey: 'k', values: new Map([['intro', 'text']]) };
    document.set('intro', 'text');
    create(creation);
    await journal.flush();
    expect(await store.get(key)).toMatchObject({ creation: { idempotencyKey: 'k' } });
    create(undefined);
    await journal.moveTo('id');
    expect(await store.get(key)).toBeUndefined();
    expect(await store.get({ ...key, id: 'id' })).toMatchObject({ id: 'id' });
  });

  it('lists the texts of a user, and never those of another', async () => {
    const store = new MemoryStore();
    for (const user of ['me', 'other']) {
      const { document, journal } = open({ store, user });
      document.set('intro', `text of ${user}`);
      await journal.dispose();
      document.set('intro', 'after the end');
    }
    expect((await store.list('me')).map((draft) => draft.fields.get('intro')?.value)).toEqual(['text of me']);
  });
});

describe('opening a draft', () => {
  /** Types in a first tab, which is closed, and opens the draft in a second one. */
  const reopen = async (type: (document: EntryDocument) => void, latest: EntryVersion) => {
    const { store, document: typed, journal, key } = open();
    type(typed);
    await journal.dispose();
    const { document } = open({ latest });
    const draft = await store.get(key);
    if (!draft) throw new Error('no draft');
    return { document, restored: openDraft(document, draft, latest) };
  };

  it('restores it at once while the entry is the same, and can be undone', async () => {
    const { document, restored } = await reopen((typed) => typed.set('intro', 'mine'), first);
    expect(restored).toMatchObject({ kind: 'restored', at: 0, fields: ['intro'] });
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'mine', state: 'dirty' });
    restored?.undo();
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'intro', state: 'clean' });
  });

  it('merges it into another version', async () => {
    const type = (typed: EntryDocument) => {
      typed.set('title', 'my title');
      typed.set('intro', 'mine');
    };
    const { document, restored } = await reopen(type, version('2', 'Title', 'theirs'));
    expect(restored).toMatchObject({ kind: 'merged', fields: ['title', 'intro'], conflict: ['intro'] });
    expect(document.rev).toBe('2');
    restored?.undo();
    expect(document.getSummary()).toEqual({ dirty: [], invalid: [], conflict: [] });
  });

  it('keeps an open conflict open', async () => {
    const type = (typed: EntryDocument) => {
      typed.set('intro', 'mine');
      typed.mergeVersion(version('2', 'Title', 'theirs'));
    };
    const { document, restored } = await reopen(type, version('2', 'Title', 'theirs'));
    expect(restored).toMatchObject({ kind: 'restored', conflict: ['intro'] });
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'mine', state: 'conflict' });
  });

  it('is nothing if the last write before the end was executed', async () => {
    const type = (typed: EntryDocument) => {
      typed.set('intro', 'sent');
      typed.markSent(typed.pendingValues());
    };
    const { document, restored } = await reopen(type, version('2', 'Title', 'sent'));
    expect(restored).toBeUndefined();
    expect(document.getSnapshot('intro').state).toBe('clean');
  });
});
