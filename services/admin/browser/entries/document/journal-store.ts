import type { StoredField } from './field-store.js';
import type { PendingCreation } from './entry-writer.js';

/** Names a text: of a user, in an entry or in a new one with an id of this browser. */
export interface DraftKey {
  user: string;
  collection: string;
  id: string;
}

/** What the server does not have of an entry. */
export interface Draft extends DraftKey {
  /** Undefined for an entry that is not yet on the server. */
  baseRev: string | undefined;
  fields: ReadonlyMap<string, StoredField>;
  creation?: PendingCreation;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Where drafts are kept. All methods reject when the browser refuses storage. */
export interface JournalStore {
  get(key: DraftKey): Promise<Draft | undefined>;
  put(draft: Draft): Promise<void>;
  delete(key: DraftKey): Promise<void>;
  /** Drafts of a user, the latest first. */
  list(user: string): Promise<Draft[]>;
  /** Adds a former state, or replaces the one of the same time. */
  putState(state: Draft): Promise<void>;
  /** Former states of a text, the latest first. */
  listStates(key: DraftKey): Promise<Draft[]>;
  deleteState(state: Draft): Promise<void>;
  /** Deletes the states of all users that are older. */
  deleteStatesBefore(at: number): Promise<void>;
}
