import type { Draft, DraftKey, JournalStore } from './journal-store.js';

const nameOf = ({ user, collection, id }: DraftKey) => [user, collection, id].join('/');

/** A journal in memory, which copies as the browser's database does. It survives the tabs that use it. */
export class MemoryStore implements JournalStore {
  readonly drafts = new Map<string, Draft>();
  states: Draft[] = [];
  /** Whether the browser refuses storage. */
  isRefused = false;
  puts = 0;

  async get(key: DraftKey): Promise<Draft | undefined> {
    this.#assertAllowed();
    return Promise.resolve(structuredClone(this.drafts.get(nameOf(key))));
  }

  async put(draft: Draft): Promise<void> {
    this.#assertAllowed();
    this.puts += 1;
    this.drafts.set(nameOf(draft), structuredClone(draft));
    return Promise.resolve();
  }

  async delete(key: DraftKey): Promise<void> {
    this.#assertAllowed();
    this.drafts.delete(nameOf(key));
    return Promise.resolve();
  }

  async list(user: string): Promise<Draft[]> {
    this.#assertAllowed();
    const own = [...this.drafts.values()].filter((draft) => draft.user === user);
    return Promise.resolve(own.sort((a, b) => b.at - a.at));
  }

  async putState(state: Draft): Promise<void> {
    await this.deleteState(state);
    this.states.push(structuredClone(state));
  }

  async listStates(key: DraftKey): Promise<Draft[]> {
    this.#assertAllowed();
    const own = this.states.filter((state) => nameOf(state) === nameOf(key));
    return Promise.resolve(own.sort((a, b) => b.at - a.at));
  }

  async deleteState(state: Draft): Promise<void> {
    this.#assertAllowed();
    this.states = this.states.filter(({ at, ...key }) => at !== state.at || nameOf(key) !== nameOf(state));
    return Promise.resolve();
  }

  async deleteStatesBefore(at: number): Promise<void> {
    this.#assertAllowed();
    this.states = this.states.filter((state) => state.at >= at);
    return Promise.resolve();
  }

  #assertAllowed(): void {
    if (this.isRefused) throw new Error('Storage is refused');
  }
}
