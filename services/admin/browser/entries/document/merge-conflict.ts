/** Why a part of a field needs a decision. */
export type ConflictReason = 'both-changed' | 'changed-and-deleted' | 'item-count';

/** A part of a field that two editors have changed in ways that do not fit together. */
export interface ItemConflict {
  /** Keys of items, indices of rows and cells, names of properties; empty for the whole field. */
  path: readonly string[];
  reason: ConflictReason;
  /** Undefined where the part is deleted. */
  mine: unknown;
  theirs: unknown;
}

/** The open decision of a field, with both values of the field and the parts that differ. */
export interface FieldConflict {
  mine: unknown;
  theirs: unknown;
  items: readonly ItemConflict[];
}

/** A merged part and what is left to decide in it, with paths from this part. */
export interface Merged {
  value: unknown;
  conflicts: readonly ItemConflict[];
}

/** The conflicts of a part, with paths from the value that contains it. */
export function conflictsBelow(step: string, conflicts: readonly ItemConflict[]): ItemConflict[] {
  return conflicts.map((conflict) => ({ ...conflict, path: [step, ...conflict.path] }));
}

/** A part that keeps my value until the user has decided. */
export function unresolved(mine: unknown, theirs: unknown): Merged {
  const reason = mine === undefined || theirs === undefined ? 'changed-and-deleted' : 'both-changed';
  return { value: mine === undefined ? theirs : mine, conflicts: [{ path: [], reason, mine, theirs }] };
}
