import { describe, expect, it } from '@jest/globals';
import { EditorTab } from './editor-tab.fixture.js';
import { FakeClock } from './fake-clock.fixture.js';
import { apiError, FakeServer, networkError, type Fault } from './fake-server.fixture.js';
import { MemoryStore } from './memory-store.fixture.js';
import { repeatedKeys, SeededRandom, wordsOf } from './random-edits.fixture.js';

type Item = Record<string, unknown>;

const textBlock = (key: string, text: string): Item => ({
  _type: 'block',
  _key: key,
  style: 'normal',
  markDefs: [],
  children: [{ _type: 'span', _key: `${key}s`, text, marks: [] }],
});

/** Two users, who insert and move, and never delete: so each word must be on the server in the end. */
class Simulation {
  readonly random: SeededRandom;
  readonly clock = new FakeClock();
  readonly server = new FakeServer(this.clock);
  readonly typed = new Set<string>();
  readonly #users = ['me', 'ann'].map((user) => ({ user, store: new MemoryStore() }));
  readonly #tabs = new Map<string, EditorTab>();
  #hasFaults = true;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    const body = ['a', 'b', 'c'].map((key) => textBlock(key, `block ${key} has some words`));
    const faq = ['one', 'two'].map((question) => ({ question, answer: `answer of ${question}` }));
    this.server.addEntry('e', { title: 'Title', intro: 'some words of an intro', body, faq });
  }

  async run(): Promise<void> {
    for (const { user } of this.#users) await this.#open(user);
    for (let step = 0; step < 60; step += 1) {
      const tab = this.random.pick([...this.#tabs.values()]);
      const choice = this.random.next();
      if (choice < 0.6) this.#edit(tab);
      else if (choice < 0.65) void tab.saver.save();
      else if (choice < 0.7) tab.saver.online();
      else if (choice < 0.75) await this.#reopen();
      else this.#resolve(tab);
      this.#signIn();
      await this.clock.advance(this.random.below(this.random.isChosen(0.8) ? 1_500 : 12_000));
    }
    await this.#finish();
  }

  async #finish(): Promise<void> {
    this.#hasFaults = false;
    for (let round = 0; round < 12; round += 1) {
      for (const tab of this.#tabs.values()) {
        this.#resolve(tab);
        tab.saver.online();
        void tab.saver.save();
      }
      this.#signIn();
      await this.clock.advance(40_000);
    }
  }

  /** Facts that must hold in the end, with what breaks them. */
  async result() {
    const tabs = [...this.#tabs.values()];
    const stored = wordsOf([...this.server.version('e').values.values()]);
    return {
      lost: [...this.typed].filter((word) => !stored.has(word)),
      lines: tabs.map(({ saver }) => saver.getStatus().line.kind),
      repeatedKeys: [...this.server.version('e').values.values()].flatMap((value) => repeatedKeys(value)),
      replacedRevisions: this.server.replacedRevisions,
      drafts: (await Promise.all(this.#users.map(({ user, store }) => store.list(user)))).flat(),
    };
  }

  async #open(user: string): Promise<void> {
    const { store } = this.#users.find((other) => other.user === user) ?? { store: new MemoryStore() };
    const options = { server: this.server, clock: this.clock, store, user, id: 'e' };
    this.#tabs.set(user, await EditorTab.open({ ...options, nextFault: () => this.#nextFault() }));
  }

  /** Kills a tab when its journal is up to date, and opens the entry again. */
  async #reopen(): Promise<void> {
    const [user, tab] = this.random.pick([...this.#tabs]);
    await this.clock.advance(250);
    tab.kill();
    expect(await tab.lostWords()).toEqual([]);
    await this.#open(user);
  }

  #nextFault(): Fault | undefined {
    if (!this.#hasFaults) return undefined;
    const choice = this.random.next();
    const ms = this.random.below(8_000);
    if (choice < 0.15) return { delayMs: ms, lostResponse: true };
    if (choice < 0.3) return { delayMs: ms, error: networkError() };
    if (choice < 0.35) return { error: apiError(503, 'TRANSFER_IMPORT_IN_PROGRESS') };
    if (choice < 0.4) return { error: apiError(401, 'NOT_AUTHENTICATED') };
    if (choice < 0.7) return { delayMs: ms, responseDelayMs: ms };
    return { delayMs: 20 };
  }

  #signIn(): void {
    for (const [user, { saver }] of this.#tabs) saver.signedIn(user);
  }

  #resolve({ document }: EditorTab): void {
    for (const key of document.getSummary().conflict) document.resolve(key, 'both');
  }

  #word(): string {
    const word = this.random.word('typed');
    this.typed.add(word);
    return word;
  }

  #edit(tab: EditorTab): void {
    const key = this.random.pick(['title', 'intro', 'body', 'body', 'faq']);
    const value = tab.value(key);
    tab.document.set(
      key,
      Array.isArray(value) ? this.#editItems(value as Item[]) : this.#insert(String(value)),
    );
  }

  #insert(text: string): string {
    const words = text.split(' ');
    words.splice(this.random.below(words.length + 1), 0, this.#word());
    return words.join(' ');
  }

  #editItems(items: readonly Item[]): Item[] {
    const result = [...items];
    const index = this.random.below(items.length);
    const choice = this.random.next();
    if (choice < 0.2) result.splice(index, 0, this.#createItem(items));
    else if (choice < 0.35) result.splice(this.random.below(items.length), 0, ...result.splice(index, 1));
    else result[index] = this.#editItem(result[index] ?? {});
    return result;
  }

  #createItem([first]: readonly Item[]): Item {
    const text = this.#word();
    return first && '_key' in first
      ? textBlock(this.server.createId(), text)
      : { question: text, answer: '' };
  }

  #editItem(item: Item): Item {
    if (!Array.isArray(item['children'])) return { ...item, answer: this.#insert(String(item['answer'])) };
    const [span, ...rest] = item['children'] as [{ text: string }];
    return { ...item, children: [{ ...span, text: this.#insert(span.text) }, ...rest] };
  }
}

describe('two users who type at random, on a connection that fails at random', () => {
  const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

  it.each(seeds)('lose nothing (seed %i)', async (seed) => {
    const simulation = new Simulation(seed);
    await simulation.run();
    expect(await simulation.result()).toEqual({
      lost: [],
      lines: ['saved', 'saved'],
      repeatedKeys: [],
      replacedRevisions: [],
      drafts: [],
    });
    expect(simulation.typed.size).toBeGreaterThan(10);
  });
});
