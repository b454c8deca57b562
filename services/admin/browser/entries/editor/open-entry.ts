import { ApiError } from '@quire/api-client';
import type { Caller } from '@quire/permissions';
import type { Collection } from '../../api/bootstrap.js';
import { api } from '../../api/client.js';
import { session } from '../../session/session-state.js';
import { journalStore } from '../document/browser-journal.js';
import type { Draft, DraftKey } from '../document/journal-store.js';
import { EntrySession, newDraft } from './entry-session.js';
import { claimEntry, type TabClaim } from './tab-claim.js';

/** Which entry is opened, and what the editor does then. */
export interface OpenOptions {
  caller: Caller & { userId: string };
  collection: Collection;
  /** Undefined for a new entry. */
  id: string | undefined;
  /** Names the text of a new entry in the journal. */
  draftId: string;
  locale?: string | undefined;
  /** Takes the entry from the tab that edits it. */
  takesOver: boolean;
  /** Another tab wants to edit: the session has ended here. */
  onYielded: () => void;
  onCreated: (id: string) => void;
}

/** An entry in this tab; `gone` if it is not there any more: with the text of the journal, if any. */
export type OpenedEntry =
  { kind: 'open'; session: EntrySession } | { kind: 'gone'; draft: Draft | undefined };

/** An entry that is being opened or is open in this tab. */
export interface EntryHandle {
  /** @throws ApiError */
  opened: Promise<OpenedEntry>;
  /** Ends the session, after it was opened: what is left is sent, and the rest is in the journal. */
  close: () => Promise<void>;
}

/** Time that an entry waits for its former session in this tab, which may wait for a response. */
const maxClosingMs = 3_000;
/** Sessions that are closing in this tab, by the names of their texts. */
const closings = new Map<string, Promise<void>>();

/** The claims of a session: that of a new entry, and that of what it has become. */
class Claims {
  readonly #held: TabClaim[] = [];
  #isReleased = false;

  constructor(
    private readonly user: string,
    private readonly collection: string,
    private readonly onAsked: () => Promise<void>,
  ) {}

  /** @returns false if another tab has it */
  async add(id: string, { takesOver }: { takesOver: boolean }): Promise<boolean> {
    const name = `quire-entry/${this.user}/${this.collection}/${id}`;
    const claim = await claimEntry(name, { takesOver, onAsked: this.onAsked });
    if (claim && this.#isReleased) claim.release();
    else if (claim) this.#held.push(claim);
    return claim !== undefined;
  }

  release(): void {
    this.#isReleased = true;
    for (const claim of this.#held) claim.release();
  }
}

/** Opens an entry in the editor: claims it for the tab, reads it, and puts unsent text of the journal into it. */
export function openEntry(options: OpenOptions): EntryHandle {
  const { caller, collection, id, draftId, onYielded, onCreated } = options;
  const key = { user: caller.userId, collection: collection.slug, id: id ?? draftId };
  const ids = [key.id];
  const claims = new Claims(key.user, key.collection, async () => {
    await close();
    onYielded();
  });
  const opened = open(key, claims, {
    ...options,
    onCreated: (created) => {
      ids.push(created);
      void claims.add(created, { takesOver: false });
      onCreated(created);
    },
  });
  let closing: Promise<void> | undefined;
  const close = () =>
    (closing ??= closeAs(
      ids.map((each) => nameOf({ ...key, id: each })),
      opened,
      claims,
    ));
  return { opened, close };
}

/** @param names of the texts of the session */
function closeAs(names: readonly string[], opened: Promise<OpenedEntry>, claims: Claims): Promise<void> {
  const closing = opened
    .then((entry) => (entry.kind === 'open' ? entry.session.close() : undefined))
    // What could not be opened needs no closing.
    .catch(() => undefined)
    .finally(() => {
      claims.release();
      for (const name of names) if (closings.get(name) === closing) closings.delete(name);
    });
  for (const name of names) closings.set(name, closing);
  return closing;
}

/** Waits until the former session of a text in this tab has ended: the text is on the server or in the journal then. */
async function closed(key: DraftKey): Promise<void> {
  const closing = closings.get(nameOf(key));
  if (!closing) return;
  await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, maxClosingMs))]);
}

const nameOf = ({ user, collection, id }: DraftKey) => `${user}/${collection}/${id}`;

async function open(
  key: DraftKey,
  claims: Claims,
  { caller, collection, id, locale, takesOver, onCreated }: OpenOptions,
): Promise<OpenedEntry> {
  await closed(key);
  const isClaimed = await claims.add(key.id, { takesOver });
  const [read, draft] = await Promise.all([
    id === undefined ? undefined : readEntry(collection.slug, id),
    // Without storage nothing was kept; the editor warns of that.
    journalStore.get(key).catch(() => undefined),
  ]);
  if (read === null) return { kind: 'gone', draft };
  const entry = new EntrySession({
    api,
    caller,
    collection,
    journalId: key.id,
    read,
    draft,
    store: journalStore,
    readOnly: isClaimed ? undefined : 'otherTab',
    locale,
    onCreated,
    onSignedOut: () => session.end(),
  });
  return { kind: 'open', session: entry };
}

/** @returns null for an entry that does not exist, or is in the trash */
async function readEntry(collection: string, id: string) {
  try {
    return await api.read('getContent', undefined, { params: { collection, id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Copies an unsent text of an entry to a new one. */
export async function copyDraft({ user, collection, fields, at }: Draft, newId: string): Promise<void> {
  const values = new Map([...fields].map(([key, { value }]) => [key, value]));
  await journalStore.put(newDraft({ user, collection, id: newId }, values, at));
}
