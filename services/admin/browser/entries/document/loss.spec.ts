import { describe, expect, it } from '@jest/globals';
import { EditorTab, fields, type TabOptions } from './editor-tab.fixture.js';
import { FakeClock, settle } from './fake-clock.fixture.js';
import { apiError, FakeServer, networkError, type Fault } from './fake-server.fixture.js';
import { MemoryStore } from './memory-store.fixture.js';

const block = (key: string, text: string) => ({
  _type: 'block',
  _key: key,
  children: [{ _type: 'span', _key: 's', text, marks: [] }],
});
const [a, b, c] = [block('a', 'block a'), block('b', 'block b'), block('c', 'block c')];

/** An entry on a server, and tabs in which it is edited. */
async function setUp() {
  const clock = new FakeClock();
  const server = new FakeServer(clock);
  server.addEntry('e', { title: 'Title', intro: 'intro', body: [a, b, c], faq: [] });
  const stores = new Map<string, MemoryStore>();
  const openTab = async (user: string, options: Partial<TabOptions> = {}) => {
    const store = stores.get(user) ?? new MemoryStore();
    stores.set(user, store);
    const faults: Fault[] = [];
    const nextFault = () => faults.shift();
    const tab = await EditorTab.open({ server, clock, store, user, id: 'e', nextFault, ...options });
    return { tab, store, faults, set: (key: string, value: unknown) => tab.document.set(key, value) };
  };
  return { clock, server, openTab, me: await openTab('me'), ann: await openTab('ann') };
}

const line = ({ tab }: { tab: EditorTab }) => tab.saver.getStatus().line;

describe('a connection that is cut', () => {
  it.each<[string, Fault]>([
    ['before a write', { error: networkError() }],
    ['during a write', { delayMs: 3_000, error: networkError() }],
    ['after a write', { lostResponse: true }],
    ['long after a write', { responseDelayMs: 20_000, lostResponse: true }],
  ])('%s loses nothing that was typed before, during and after', async (_, fault) => {
    const { clock, server, me } = await setUp();
    me.faults.push(fault);
    let text = 'intro';
    for (let word = 1; word <= 30; word += 1) {
      text += ` word${word}`;
      me.set('intro', text);
      await clock.advance(300);
      expect(await me.tab.lostWords()).toEqual([]);
    }
    await clock.advance(60_000);
    expect(server.value('e', 'intro')).toBe(text);
    expect(me.tab.document.getSummary().conflict).toEqual([]);
    expect(line(me)).toMatchObject({ kind: 'saved' });
    expect(me.store.drafts.size).toBe(0);
  });

  it('and a tab that is killed then: the next one goes on', async () => {
    const { clock, server, openTab, me } = await setUp();
    me.faults.push({ lostResponse: true });
    me.set('intro', 'intro one');
    await clock.advance(1_600);
    me.set('intro', 'intro one two');
    await clock.advance(250);
    me.tab.kill();
    const next = await openTab('me');
    expect(next.tab.restored).toMatchObject({ kind: 'merged', fields: ['intro'], conflict: [] });
    await clock.advance(2_000);
    expect(server.value('e', 'intro')).toBe('intro one two');
  });

  it('during a creation makes no second entry, also when the tab is killed', async () => {
    const { clock, server, openTab } = await setUp();
    const first = await openTab('me', { id: undefined });
    first.faults.push({ lostResponse: true }, { error: networkError() });
    first.set('title', 'New entry');
    await clock.advance(1_600);
    first.set('intro', 'typed after');
    await clock.advance(250);
    first.tab.kill();
    const next = await openTab('me', { id: undefined });
    await clock.advance(2_000);
    expect(server.entries.size).toBe(2);
    expect(server.value(next.tab.saver.id ?? '', 'intro')).toBe('typed after');
    await clock.advance(250);
    expect(next.store.drafts.size).toBe(0);
  });
});

describe('a server that cannot write', () => {
  it('for 40 seconds gets everything afterwards', async () => {
    const { clock, server, me } = await setUp();
    server.outage = () => apiError(503, 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS');
    for (let word = 1; word <= 40; word += 1) {
      me.set('intro', `${String(me.tab.value('intro'))} word${word}`);
      await clock.advance(1_000);
      expect(await me.tab.lostWords()).toEqual([]);
    }
    expect(line(me)).toMatchObject({ kind: 'waiting', reason: 'read-only', fields: ['intro'] });
    server.outage = undefined;
    await clock.advance(20_000);
    expect(server.value('e', 'intro')).toContain('word40');
  });
});

describe('two editors', () => {
  it('in one text: both texts exist until it is decided, and after', async () => {
    const { clock, server, me, ann } = await setUp();
    me.set('intro', 'intro of mine');
    ann.set('intro', 'intro of ann');
    await clock.advance(5_000);
    const [behind] = [me, ann].filter(({ tab }) => tab.document.getSummary().conflict.length > 0);
    expect(behind).toBeDefined();
    for (const { tab } of [me, ann]) expect(await tab.lostWords()).toEqual([]);
    behind?.tab.document.resolve('intro', 'both');
    await clock.advance(5_000);
    for (const word of ['mine', 'ann']) expect(server.value('e', 'intro')).toContain(word);
    expect(server.replacedRevisions).toEqual([]);
  });

  it('in two blocks: both are saved without a question', async () => {
    const { clock, server, me, ann } = await setUp();
    me.set('body', [block('a', 'block a mine'), b, c]);
    ann.set('body', [a, b, block('c', 'block c ann')]);
    await clock.advance(5_000);
    expect(server.value('e', 'body')).toEqual([block('a', 'block a mine'), b, block('c', 'block c ann')]);
    expect([line(me), line(ann)].map(({ kind }) => kind)).toEqual(['saved', 'saved']);
  });

  it('one moves a block that the other edits', async () => {
    const { clock, server, me, ann } = await setUp();
    me.set('body', [c, a, b]);
    ann.set('body', [a, b, block('c', 'block c ann')]);
    await clock.advance(5_000);
    expect(server.value('e', 'body')).toEqual([block('c', 'block c ann'), a, b]);
  });

  it('one publishes what the other has not decided: it is refused, open menus too', async () => {
    const { clock, server, me, ann } = await setUp();
    ann.set('intro', 'ann');
    await clock.advance(2_000);
    me.set('intro', 'mine');
    let published = 0;
    const publish = () => {
      published += 1;
      return Promise.resolve({ version: server.version('e') });
    };
    const result = me.tab.saver.transition(publish);
    await clock.advance(1_000);
    expect(await result).toMatchObject({ done: false, reason: 'conflict', fields: ['intro'] });
    expect(published).toBe(0);
    expect(await me.tab.lostWords()).toEqual([]);
  });
});

describe('a response that is late', () => {
  it('by five seconds does not replace what was typed since', async () => {
    const { clock, server, me } = await setUp();
    for (let count = 0; count < 8; count += 1) me.faults.push({ responseDelayMs: 5_000 });
    let text = 'intro';
    for (let word = 1; word <= 40; word += 1) {
      text += ` word${word}`;
      me.set('intro', text);
      await clock.advance(500);
      expect(me.tab.value('intro')).toBe(text);
    }
    await clock.advance(20_000);
    expect(server.value('e', 'intro')).toBe(text);
  });
});

describe('a session that ends while typing', () => {
  it('leaves the text to its user, who signs in again', async () => {
    const { clock, server, me } = await setUp();
    server.outage = () => apiError(401, 'NOT_AUTHENTICATED');
    me.set('intro', 'typed');
    await clock.advance(2_000);
    me.set('intro', 'typed on');
    await clock.advance(250);
    server.outage = undefined;
    me.tab.saver.signedIn('other');
    await clock.advance(60_000);
    expect(server.writes).toEqual([]);
    expect(await me.store.list('other')).toEqual([]);
    expect(await me.tab.lostWords()).toEqual([]);
    me.tab.saver.signedIn('me');
    await clock.advance(1_000);
    expect(server.value('e', 'intro')).toBe('typed on');
  });
});

describe('a required field that is emptied', () => {
  it('is in the journal, and the other fields are on the server', async () => {
    const { clock, server, openTab, me } = await setUp();
    me.set('title', '');
    me.set('intro', 'typed');
    await clock.advance(2_000);
    expect(server.value('e', 'title')).toBe('Title');
    expect(server.value('e', 'intro')).toBe('typed');
    expect(line(me)).toEqual({ kind: 'invalid', fields: ['title'] });
    me.tab.kill();
    const next = await openTab('me');
    expect(next.tab.restored).toMatchObject({ kind: 'restored', fields: ['title'] });
    expect(next.tab.value('title')).toBe('');
  });
});

describe('a lease that is lost', () => {
  it('stops saving, keeps the text, and goes on when it is taken back', async () => {
    const { clock, server, openTab, ann } = await setUp();
    const { tab, set } = await openTab('me', { usesLease: true });
    set('intro', 'one');
    await clock.advance(2_000);
    server.lease = 'ann';
    ann.set('title', 'Title of ann');
    await clock.advance(2_000);
    set('intro', 'one two');
    await clock.advance(2_000);
    set('intro', 'one two three');
    await clock.advance(60_000);
    expect(tab.saver.getStatus().line).toMatchObject({ reason: 'locked', holder: { userId: 'ann' } });
    expect(tab.lease?.getState().kind).toBe('lost');
    expect(server.value('e', 'intro')).toBe('one');
    expect(await tab.lostWords()).toEqual([]);
    await tab.lease?.takeBack();
    await clock.advance(2_000);
    expect(server.value('e', 'intro')).toBe('one two three');
    expect(server.value('e', 'title')).toBe('Title of ann');
    expect(server.replacedRevisions).toEqual([]);
  });
});

describe('a browser that refuses storage', () => {
  it('is reported, and saving goes on', async () => {
    const { clock, server, me } = await setUp();
    me.store.isRefused = true;
    me.set('intro', 'typed');
    await clock.advance(300);
    expect(me.tab.journal.isAvailable()).toBe(false);
    await clock.advance(2_000);
    expect(server.value('e', 'intro')).toBe('typed');
    await settle();
  });
});

it('opening and closing an entry sends nothing', async () => {
  const { clock, server, me } = await setUp();
  await clock.advance(60_000);
  me.tab.saver.flush();
  await me.tab.journal.dispose();
  await clock.advance(60_000);
  expect([server.writes, me.store.drafts.size, fields.length]).toEqual([[], 0, 4]);
});
