import { EntryDocument } from './entry-document.js';
import { contentField } from './entry-fields.js';
import type { FakeClock } from './fake-clock.fixture.js';
import type { Fault, FakeServer } from './fake-server.fixture.js';
import { EntryJournal } from './journal.js';
import { EntryLease, type LockStatus } from './lock.js';
import type { MemoryStore } from './memory-store.fixture.js';
import { openDraft, type RestoredDraft } from './open-draft.js';
import { wordsOf } from './random-edits.fixture.js';
import { Saver } from './saver.js';

export const fields = [
  contentField({ slug: 'title', type: 'string', required: true, validation: null }),
  contentField({ slug: 'intro', type: 'text', required: false, validation: null }),
  contentField({ slug: 'body', type: 'portableText', required: false, validation: null }),
  contentField({ slug: 'faq', type: 'repeater', required: false, validation: null }),
];

export interface TabOptions {
  server: FakeServer;
  clock: FakeClock;
  /** The browser's storage: that of all tabs of the user, and of those that are opened later. */
  store: MemoryStore;
  user: string;
  /** Undefined for a new entry. */
  id?: string | undefined;
  /** What happens to the next request. */
  nextFault?: () => Fault | undefined;
  usesLease?: boolean;
}

/** The document store of a tab, put together as the editor does it. */
export class EditorTab {
  readonly document: EntryDocument;
  readonly saver: Saver;
  readonly journal: EntryJournal;
  readonly lease: EntryLease | undefined;
  /** What the journal has brought back. */
  readonly restored: RestoredDraft | undefined;
  isClosed = false;

  private constructor(
    private readonly options: TabOptions,
    draft: Awaited<ReturnType<MemoryStore['get']>>,
  ) {
    const { server, clock, store, user, id, nextFault = () => undefined } = options;
    const latest = id === undefined ? undefined : server.version(id);
    const createKey = () => `key ${server.createId()}`;
    this.document = new EntryDocument({ fields, createKey, values: new Map(), ...latest });
    this.restored = draft && openDraft(this.document, draft, latest);
    this.lease = options.usesLease ? this.#createLease() : undefined;
    this.saver = new Saver({
      document: this.document,
      requests: server.requestsOf(user, () => (this.isClosed ? undefined : nextFault())),
      clock,
      id,
      userId: user,
      createIdempotencyKey: () => server.createId(),
      saveMode: () => 'auto',
      creation: draft?.creation,
      lease: this.lease,
      onCreated: (created) => void this.journal.moveTo(created),
    });
    this.journal = new EntryJournal({
      store,
      clock,
      document: this.document,
      key: { user, collection: 'posts', id: id ?? 'local' },
      hasDraft: draft !== undefined,
      getCreation: () => this.saver.creation,
    });
    if (this.lease) this.document.onEdit(() => this.lease?.acquire());
  }

  static async open(options: TabOptions): Promise<EditorTab> {
    const draft = await options.store.get({
      user: options.user,
      collection: 'posts',
      id: options.id ?? 'local',
    });
    return new EditorTab(options, draft);
  }

  value(key: string): unknown {
    return this.document.getSnapshot(key).value;
  }

  /** Ends the tab as a crash does: without a last write, neither to the server nor to the journal. */
  kill(): void {
    this.isClosed = true;
    this.saver.dispose();
    this.journal.stop();
    this.lease?.release();
  }

  /** Words on the screen that are neither on the server nor in the journal. */
  async lostWords(): Promise<string[]> {
    const { server, store, user } = this.options;
    const drafts = (await store.list(user)).flatMap((draft) => [...draft.fields.values()]);
    const kept = wordsOf([server.stored, drafts.map(({ value }) => value)]);
    const shown = wordsOf(fields.map(({ key }) => this.value(key)));
    return [...shown].filter((word) => !kept.has(word));
  }

  #createLease(): EntryLease {
    const { server, clock, user, id } = this.options;
    const status = (): LockStatus => {
      const holder = server.lease === undefined ? null : { userId: server.lease, userName: null };
      return {
        enabled: true,
        heldByCaller: server.lease === user,
        holder: holder && { ...holder, acquiredAt: '', expiresAt: '' },
      };
    };
    return new EntryLease({
      clock,
      id,
      token: user,
      requests: {
        acquire: (_, { takeover }) => {
          if (takeover || server.lease === undefined) server.lease = user;
          return Promise.resolve(status());
        },
        release: () => Promise.resolve(),
      },
      onLost: (holder) => {
        this.saver.leaseLost(holder);
      },
      onRegained: () => {
        this.saver.resumeSaving();
      },
    });
  }
}
