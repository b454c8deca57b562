import type { ApiClient, Conditional, DataOf } from '@quire/api-client';
import { canOnRow, can, type Caller } from '@quire/permissions';
import type { Collection } from '../../api/bootstrap.js';
import { createUlid } from '../../api/ulid.js';
import { validateField, validateSlug } from '../../fields/validate-field.js';
import { browserClock } from '../document/clock.js';
import { EntryDocument } from '../document/entry-document.js';
import { contentField, slugField, type EntryField, type EntryValues } from '../document/entry-fields.js';
import { createEntryRequests, toVersion, type EntryRequests } from '../document/entry-requests.js';
import { isEqual } from '../document/equality.js';
import { EntryJournal } from '../document/journal.js';
import type { Draft, DraftKey, JournalStore } from '../document/journal-store.js';
import { ListenerSet } from '../document/listener-set.js';
import { createLeaseRequests, EntryLease } from '../document/lock.js';
import { openDraft, type RestoredDraft } from '../document/open-draft.js';
import { EntryPresence, type PresenceRequests } from '../document/presence.js';
import { Saver } from '../document/saver.js';
import { saveModeOf, type EntryPublication } from '../document/save-mode.js';
import { factsOf, type EntryFacts } from './entry-facts.js';
import { sendTransition, type Transition } from '../entry-transitions.js';
import { SlugSuggestion } from './slug-suggestion.js';

/** Why the fields cannot be changed: the role does not allow it, or another tab of the user edits the entry. */
export type ReadOnlyReason = 'notAllowed' | 'otherTab';

export interface EntrySessionOptions {
  api: ApiClient;
  caller: Caller & { userId: string };
  collection: Collection;
  /** Names the text in the journal: the id of the entry, or of a new one in this browser. */
  journalId: string;
  /** As just read; undefined for a new entry. */
  read: Conditional<DataOf<'getContent'>> | undefined;
  draft: Draft | undefined;
  store: JournalStore;
  readOnly?: ReadOnlyReason | undefined;
  /** Of a new entry. */
  locale?: string | undefined;
  onCreated: (id: string) => void;
  onSignedOut: () => void;
}

/** An entry that is open in the editor: its document, and all that saves it, in one tab. */
export class EntrySession {
  readonly document: EntryDocument;
  readonly saver: Saver;
  /** Absent where nothing can be typed: the text in the journal is of another tab. */
  readonly journal: EntryJournal | undefined;
  readonly lease: EntryLease | undefined;
  readonly presence: EntryPresence;
  readonly readOnly: ReadOnlyReason | undefined;
  /** As it was when the entry was opened: its fields are those of the document. */
  readonly collection: Collection;
  /** What the journal has brought back. */
  readonly restored: RestoredDraft | undefined;
  /** Texts of the journal for fields that the collection no longer has. */
  readonly orphans: ReadonlyMap<string, unknown>;
  readonly #options: EntrySessionOptions;
  readonly #listeners = new ListenerSet<[]>();
  readonly #fields: readonly EntryField[];
  readonly #suggestion: SlugSuggestion | undefined;
  #facts: EntryFacts | undefined;
  #read: Conditional<DataOf<'getContent'>> | undefined;

  constructor(options: EntrySessionOptions) {
    const { api, caller, collection, read, draft, readOnly, locale } = options;
    this.#options = options;
    this.collection = collection;
    this.#read = read;
    this.#facts = read && factsOf(read.data.item, Date.now());
    this.#fields = [...collection.fields.map(contentField), slugField];
    const latest = read && toVersion(this.#fields, read.data);
    this.document = this.#createDocument(latest);
    const mayEdit = mayEditEntry(caller, this.#facts);
    this.readOnly = readOnly ?? (mayEdit ? undefined : 'notAllowed');
    const own = this.readOnly ? undefined : draft;
    const isKnown = new Set(this.#fields.map(({ key }) => key));
    const unknown = [...(own?.fields ?? [])].filter(([key]) => !isKnown.has(key));
    this.orphans = new Map(unknown.map(([key, { value }]) => [key, value]));
    this.restored = own && openDraft(this.document, own, latest);
    const usesLease = collection.editLocking && !this.readOnly;
    this.lease = usesLease ? this.#createLease() : undefined;
    const address = { collection: collection.slug, ...(locale !== undefined && { locale }) };
    const requests = createEntryRequests(api, address, this.#fields, (item) =>
      this.#setFacts(factsOf(item, Date.now())),
    );
    this.saver = this.#createSaver(requests, own);
    this.journal = this.readOnly ? undefined : this.#createJournal(own);
    this.presence = this.#createPresence();
    this.#suggestion = this.readOnly ? undefined : this.#createSuggestion();
    this.document.onEdit(() => {
      // What was read before a write must not replace its response.
      this.presence.setVisible(false);
      this.lease?.acquire();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** Undefined before the entry is created; the same object until it changes. */
  readonly getFacts = (): EntryFacts | undefined => this.#facts;

  /** Of the entry; undefined where it is the site's default. */
  get locale(): string | undefined {
    return this.#facts?.locale ?? this.#options.locale;
  }

  /** Whether what is saved is at once what visitors see. */
  get isLive(): boolean {
    const { isPublished, stagesChanges } = this.#publication;
    return isPublished && !stagesChanges;
  }

  get #publication(): EntryPublication {
    const { supports } = this.collection;
    return {
      isPublished: this.#facts?.status === 'published',
      stagesChanges: supports.includes('drafts') || supports.includes('revisions'),
    };
  }

  /** Whether the page asks before it is left: something is only in memory. */
  mayLose(): boolean {
    return this.journal?.isAvailable() === false && this.document.unsentFields().size > 0;
  }

  /** The page is hidden or left: what can be sent is sent, and the rest is in the journal. */
  flush(): void {
    if (this.readOnly) return;
    this.saver.flush();
    void this.journal?.flush();
  }

  /** The entry is closed in this tab: sends what is left, and stops. The rest stays in the journal. */
  async close(): Promise<void> {
    this.presence.setVisible(false);
    if (!this.readOnly) await this.saver.sendNow();
    this.#suggestion?.dispose();
    this.saver.dispose();
    await this.journal?.dispose();
    this.lease?.release();
  }

  /**
   * Publishes the entry and the like, with everything that is typed.
   * @param scheduledAt for `schedule`
   * @throws ApiError
   */
  async transition(name: Transition, scheduledAt?: string) {
    const { api, collection } = this.#options;
    const options = name === 'discard' ? { savesFirst: false, discardsEdits: true } : {};
    return this.saver.transition(async (id, rev) => {
      const data = await sendTransition(api, name, { collection: collection.slug, id, rev, scheduledAt });
      this.#setFacts(factsOf(data.item, Date.now()));
      return { version: toVersion(this.#fields, data) };
    }, options);
  }

  /** Copies what is on the screen to the journal, as the text of a new entry. */
  readonly copyTo = async (newId: string): Promise<void> => {
    const { caller, collection, store } = this.#options;
    const values = new Map(this.#fields.map(({ key }) => [key, this.document.getSnapshot(key).value]));
    const key = { user: caller.userId, collection: collection.slug, id: newId };
    await store.put(newDraft(key, values, browserClock.now()));
  };

  #createDocument(latest: ReturnType<typeof toVersion> | undefined): EntryDocument {
    const { collection } = this.#options;
    const bySlug = new Map(collection.fields.map((field) => [field.slug, field]));
    const defaults = new Map(collection.fields.map(({ slug, defaultValue }) => [slug, defaultValue ?? null]));
    return new EntryDocument({
      fields: this.#fields,
      values: latest?.values ?? defaults,
      rev: latest?.rev,
      createKey: createUlid,
      validate: ({ key }, value) => {
        const field = bySlug.get(key);
        return field ? validateField(field, value) : validateSlug(key, value);
      },
    });
  }

  #createSuggestion(): SlugSuggestion | undefined {
    const { collection } = this.#options;
    const titleKey = ['title', 'name'].find((slug) => collection.fields.some((field) => field.slug === slug));
    if (titleKey === undefined) return undefined;
    const wasPublished = () => (this.#facts?.publishedAt ?? null) !== null;
    return new SlugSuggestion({ document: this.document, titleKey, wasPublished });
  }

  #createSaver(requests: EntryRequests, draft: Draft | undefined): Saver {
    const { caller, read, onSignedOut, onCreated } = this.#options;
    const { lease } = this;
    return new Saver({
      document: this.document,
      requests,
      clock: browserClock,
      id: read?.data.item.id,
      userId: caller.userId,
      createIdempotencyKey: createUlid,
      createsOnSave: !can(caller, 'content:edit_own'),
      saveMode: (field) => saveModeOf(field, this.#publication),
      ...(draft?.creation && { creation: draft.creation }),
      ...(lease && { lease }),
      onSignedOut,
      onCreated: (id) => {
        void this.journal?.moveTo(id);
        this.lease?.setId(id);
        onCreated(id);
      },
    });
  }

  #createJournal(draft: Draft | undefined): EntryJournal {
    const { caller, collection, journalId, store } = this.#options;
    return new EntryJournal({
      store,
      clock: browserClock,
      document: this.document,
      key: { user: caller.userId, collection: collection.slug, id: journalId },
      hasDraft: draft !== undefined,
      getCreation: () => this.saver.creation,
    });
  }

  #createLease(): EntryLease {
    const { api, collection, read } = this.#options;
    return new EntryLease({
      requests: createLeaseRequests(api, collection.slug),
      clock: browserClock,
      token: createUlid(),
      id: read?.data.item.id,
      onLost: (holder) => this.saver.leaseLost(holder),
      onRegained: () => this.saver.resumeSaving(),
    });
  }

  #createPresence(): EntryPresence {
    return new EntryPresence({
      requests: this.#presenceRequests(),
      clock: browserClock,
      onVersion: (version) => void this.document.mergeVersion(version),
      // The next poll may succeed; a write reports what is wrong.
      onError: () => undefined,
    });
  }

  #presenceRequests(): PresenceRequests {
    const { api, caller, collection } = this.#options;
    const address = () => ({ params: { collection: collection.slug, id: this.saver.id ?? '' } });
    const seesLock = collection.editLocking && mayEditEntry(caller, this.#facts);
    return {
      readIfChanged: async () => {
        const next = await api.read('getContent', this.#read, address());
        if (next === this.#read) return undefined;
        this.#read = next;
        this.#setFacts(factsOf(next.data.item, Date.now()));
        return toVersion(this.#fields, next.data);
      },
      getLock: async () =>
        seesLock
          ? api.call('getEntryLock', address())
          : { enabled: false, heldByCaller: false, holder: null },
    };
  }

  #setFacts(facts: EntryFacts): void {
    if (isEqual(facts, this.#facts)) return;
    this.#facts = facts;
    this.#listeners.emit();
  }
}

/** The text of an entry that is not yet on the server. */
export function newDraft(key: DraftKey, values: EntryValues, at: number): Draft {
  const fields = new Map([...values].map(([field, value]) => [field, { base: null, value, sent: [] }]));
  return { ...key, baseRev: undefined, fields, at };
}

/** @param facts undefined for a new entry, which whoever may create entries may write once */
function mayEditEntry(caller: Caller & { userId: string }, facts: EntryFacts | undefined): boolean {
  return facts ? canOnRow(caller, 'content:edit', facts.author?.id ?? null) : can(caller, 'content:create');
}
