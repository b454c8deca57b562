import type { EntryDocument } from './entry-document.js';
import type { EntryField } from './entry-fields.js';

/** `auto`: saved by itself. `save`: with Save. `apply`: with the Apply of details that are live at once. */
export type SaveMode = 'auto' | 'save' | 'apply';

const ranks: Readonly<Record<SaveMode, number>> = { auto: 0, save: 1, apply: 2 };

/** How far changes of a published entry are from its readers. */
export interface EntryPublication {
  isPublished: boolean;
  /** Whether the collection stages changes of published entries in a draft. */
  stagesChanges: boolean;
}

/** How a field of an entry is saved: nothing that readers see at once is saved by itself. */
export function saveModeOf(
  { isImmediate }: EntryField,
  { isPublished, stagesChanges }: EntryPublication,
): SaveMode {
  if (!isPublished) return 'auto';
  if (isImmediate) return 'apply';
  return stagesChanges ? 'auto' : 'save';
}

/** The mode that includes the other. */
export function widerMode(a: SaveMode, b: SaveMode): SaveMode {
  return ranks[a] >= ranks[b] ? a : b;
}

/** The values of a document that a mode sends. */
export function pendingOf(
  document: EntryDocument,
  { mode, modeOf }: { mode: SaveMode; modeOf: (field: EntryField) => SaveMode },
): Map<string, unknown> {
  const sent = document.fields.filter((field) => ranks[modeOf(field)] <= ranks[mode]);
  const keys = new Set(sent.map(({ key }) => key));
  return new Map([...document.pendingValues()].filter(([key]) => keys.has(key)));
}
