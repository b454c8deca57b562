import type { Draft, DraftKey, JournalStore } from './journal-store.js';

const databaseName = 'quire-panel';
const version = 1;

/** The key of a draft in the database. */
const keyOf = ({ user, collection, id }: DraftKey): [string, string, string] => [user, collection, id];
/** All keys that begin with these parts: a list is after every text and number. */
const below = (...start: readonly string[]) => IDBKeyRange.bound([...start], [...start, []]);

/** A journal in the browser's database; each call opens it if it was closed. */
export class IndexedDbStore implements JournalStore {
  #database: Promise<IDBDatabase> | undefined;

  constructor(private readonly factory: IDBFactory) {}

  async get(key: DraftKey): Promise<Draft | undefined> {
    return this.#run('drafts', 'readonly', (store) => store.get(keyOf(key)) as IDBRequest<Draft | undefined>);
  }

  async put(draft: Draft): Promise<void> {
    await this.#run('drafts', 'readwrite', (store) => store.put(draft));
  }

  async delete(key: DraftKey): Promise<void> {
    await this.#run('drafts', 'readwrite', (store) => store.delete(keyOf(key)));
  }

  async list(user: string): Promise<Draft[]> {
    const range = below(user);
    const drafts = await this.#run(
      'drafts',
      'readonly',
      (store) => store.getAll(range) as IDBRequest<Draft[]>,
    );
    return drafts.sort((a, b) => b.at - a.at);
  }

  async putState(state: Draft): Promise<void> {
    await this.#run('states', 'readwrite', (store) => store.put(state));
  }

  async listStates(key: DraftKey): Promise<Draft[]> {
    const range = below(...keyOf(key));
    const states = await this.#run(
      'states',
      'readonly',
      (store) => store.getAll(range) as IDBRequest<Draft[]>,
    );
    return states.reverse();
  }

  async deleteState(state: Draft): Promise<void> {
    await this.#run('states', 'readwrite', (store) => store.delete([...keyOf(state), state.at]));
  }

  async deleteStatesBefore(at: number): Promise<void> {
    const range = IDBKeyRange.upperBound(at, true);
    const keys = await this.#run('states', 'readonly', (store) => store.index('at').getAllKeys(range));
    for (const key of keys) await this.#run('states', 'readwrite', (store) => store.delete(key));
  }

  /** Runs one request. @returns its result after the transaction is durable */
  async #run<Result>(
    name: 'drafts' | 'states',
    mode: IDBTransactionMode,
    request: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    const database = await this.#open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode);
      const running = request(transaction.objectStore(name));
      transaction.oncomplete = () => {
        resolve(running.result);
      };
      transaction.onabort = () => {
        reject(transaction.error ?? new DOMException('The transaction was aborted', 'AbortError'));
      };
    });
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = this.factory.open(databaseName, version);
      request.onupgradeneeded = () => {
        createStores(request.result);
      };
      request.onsuccess = () => {
        const database = request.result;
        // Another tab has a newer version of the panel, or the browser has deleted the data.
        const close = () => {
          this.#database = undefined;
          database.close();
        };
        database.onversionchange = close;
        database.onclose = close;
        resolve(database);
      };
      request.onerror = () => {
        reject(request.error ?? new DOMException('The database cannot be opened', 'UnknownError'));
      };
    }).catch((error: unknown) => {
      // The next call tries again.
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }
}

function createStores(database: IDBDatabase): void {
  const key = ['user', 'collection', 'id'];
  database.createObjectStore('drafts', { keyPath: key });
  const states = database.createObjectStore('states', { keyPath: [...key, 'at'] });
  states.createIndex('at', 'at');
}
