import type { EntryDocument, EntryVersion } from './entry-document.js';
import { isEqual } from './equality.js';
import type { Draft } from './journal-store.js';

/** What the journal has brought into a document that was just read. */
export interface RestoredDraft {
  /** `merged`: the entry has changed since the draft. */
  kind: 'restored' | 'merged';
  /** When it was stored: milliseconds since the epoch. */
  at: number;
  /** The fields whose value on the screen is another one. */
  fields: readonly string[];
  conflict: readonly string[];
  /** Sets these fields back to what the server has. The draft stays among the former states of the journal. */
  undo: () => void;
}

/**
 * Puts a draft of the journal into a document: as it was if the entry has not changed since, else merged.
 * @param latest the version that the document was made with; undefined for a new entry
 */
export function openDraft(
  document: EntryDocument,
  draft: Draft,
  latest: EntryVersion | undefined,
): RestoredDraft | undefined {
  const before = new Map(document.fields.map(({ key }) => [key, document.getSnapshot(key).value]));
  document.restore({ rev: draft.baseRev, fields: draft.fields });
  const isMerged = latest !== undefined && latest.rev !== draft.baseRev;
  if (latest && isMerged) document.mergeVersion(latest);
  const { conflict } = document.getSummary();
  const fields = [...before].flatMap(([key, value]) =>
    isEqual(document.getSnapshot(key).value, value) ? [] : [key],
  );
  if (fields.length === 0 && conflict.length === 0) return undefined;
  return {
    kind: isMerged ? 'merged' : 'restored',
    at: draft.at,
    fields,
    conflict,
    undo: () => {
      for (const key of new Set([...fields, ...conflict])) document.set(key, before.get(key));
    },
  };
}
