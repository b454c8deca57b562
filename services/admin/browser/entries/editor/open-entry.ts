import { ApiError } from '@quire/api-client';
import type { Caller } from '@quire/permissions';
import type { Collection } from '../../api/bootstrap.js';
import { api } from '../../api/client.js';
import { session } from '../../session/session-state.js';
import { IndexedDbStore } from '../document/indexed-db-store.js';
import type { Draft } from '../document/journal-store.js';
import { EntrySession, newDraft } from './entry-session.js';
import { claimEntry, type TabClaim } from './tab-claim.js';

export const journalStore = new IndexedDbStore(indexedDB);

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
  | { kind: 'open'; session: EntrySession; close: () => Promise<void> }
  | { kind: 'gone'; draft: Draft | undefined };

/** Opens an entry in the editor: claims it for the tab, reads it, and puts unsent text of the journal into it. */
export async function openEntry(options: OpenOptions): Promise<OpenedEntry> {
  const { caller, collection, id, draftId, takesOver, onYielded } = options;
  const journalId = id ?? draftId;
  let close = () => Promise.resolve();
  const claim = await claimEntry(`quire-entry/${caller.userId}/${collection.slug}/${journalId}`, {
    takesOver,
    onAsked: async () => {
      await close();
      onYielded();
    },
  });
  try {
    const opened = await openClaimed(options, journalId, claim);
    if (opened.kind === 'open') close = opened.close;
    else claim?.release();
    return opened;
  } catch (error) {
    claim?.release();
    throw error;
  }
}

async function openClaimed(
  { caller, collection, id, locale, onCreated }: OpenOptions,
  journalId: string,
  claim: TabClaim | undefined,
): Promise<OpenedEntry> {
  const key = { user: caller.userId, collection: collection.slug, id: journalId };
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
    journalId,
    read,
    draft,
    store: journalStore,
    readOnly: claim ? undefined : 'otherTab',
    locale,
    onCreated,
    onSignedOut: () => session.end(),
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= entry.close().finally(() => claim?.release()));
  return { kind: 'open', session: entry, close };
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
