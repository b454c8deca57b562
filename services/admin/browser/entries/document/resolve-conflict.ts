import { isEqual, isRecord } from './equality.js';
import type { FieldConflict, ItemConflict } from './merge-conflict.js';

/** `both` keeps two texts or two items; it decides nothing between values that cannot exist together. */
export type ConflictChoice = 'mine' | 'theirs' | 'both';

export interface ChoiceOptions {
  /** Between two texts that are both kept. */
  textSeparator?: string | undefined;
  /** Creates the key of the second of two items that are both kept. */
  createKey: () => string;
}

/**
 * Applies the choice for a part of a field.
 * @param value of the field, in which the part is mine
 * @returns undefined if the part is no longer there and cannot be put back
 */
export function applyChoice(
  value: unknown,
  { path, mine, theirs, reason }: ItemConflict,
  { choice, textSeparator, createKey }: ChoiceOptions & { choice: ConflictChoice },
): { value: unknown } | undefined {
  const [step] = path;
  if (step === undefined) {
    if (choice !== 'both') return { value: choice === 'mine' ? value : theirs };
    return joinBoth(value, theirs, { textSeparator, createKey });
  }
  // The user may have changed or deleted my part since.
  if (choice === 'mine' && reason === 'both-changed') return { value };
  const chosen = choice === 'theirs' ? theirs : choice === 'mine' ? mine : (mine ?? theirs);
  if (choice !== 'both' || mine === undefined || theirs === undefined)
    return changeAt(value, path, {
      item: (present) => (chosen === undefined ? [] : [choice === 'theirs' ? chosen : present]),
      property: (present) => ({ value: choice === 'theirs' ? chosen : present }),
    });
  return changeAt(value, path, {
    item: (present) => [present, withKey(theirs, createKey)],
    property: (present) => joinBoth(present, theirs, { createKey }),
  });
}

/** @returns undefined for values that cannot exist together */
function joinBoth(
  mine: unknown,
  theirs: unknown,
  { textSeparator, createKey }: ChoiceOptions,
): { value: unknown } | undefined {
  if (Array.isArray(mine) && Array.isArray(theirs)) return { value: bothLists(mine, theirs, createKey) };
  if (textSeparator === undefined || typeof mine !== 'string' || typeof theirs !== 'string') return undefined;
  return { value: mine + textSeparator + theirs };
}

/** My items, then those of theirs that I do not have; changed ones with a key of their own. */
function bothLists(mine: readonly unknown[], theirs: readonly unknown[], createKey: () => string): unknown[] {
  const keys = new Set(mine.map(keyOf));
  const missing = theirs.filter((item) => !mine.some((own) => isEqual(own, item)));
  return [...mine, ...missing.map((item) => (keys.has(keyOf(item)) ? withKey(item, createKey) : item))];
}

const keyOf = (item: unknown) => (isRecord(item) ? item['_key'] : undefined);

function withKey(item: unknown, createKey: () => string): unknown {
  return isRecord(item) && '_key' in item ? { ...item, _key: createKey() } : item;
}

/** What takes the place of a part: none, one or two items of a list, or the value of a property. */
interface Replacement {
  item: (present: unknown) => unknown[];
  property: (present: unknown) => { value: unknown } | undefined;
}

/** Replaces the part at a path. @returns undefined if the path does not exist, or there is no replacement */
function changeAt(
  value: unknown,
  [step = '', ...rest]: readonly string[],
  replacement: Replacement,
): { value: unknown } | undefined {
  if (Array.isArray(value)) {
    const list = value as unknown[];
    const index = indexOfStep(list, step);
    if (index === undefined) return undefined;
    const changed = rest.length > 0 ? changeAt(list[index], rest, replacement) : undefined;
    if (rest.length > 0 && !changed) return undefined;
    const items = changed ? [changed.value] : replacement.item(list[index]);
    return { value: [...list.slice(0, index), ...items, ...list.slice(index + 1)] };
  }
  if (!isRecord(value)) return undefined;
  const { [step]: present, ...others } = value;
  const changed = rest.length > 0 ? changeAt(present, rest, replacement) : replacement.property(present);
  if (!changed) return undefined;
  return { value: changed.value === undefined ? others : { ...value, [step]: changed.value } };
}

/** The index of the item with a key, or of a row or cell. */
function indexOfStep(list: readonly unknown[], step: string): number | undefined {
  const keyed = list.findIndex((item) => keyOf(item) === step);
  if (keyed >= 0) return keyed;
  const index = /^\d+$/.test(step) ? Number(step) : list.length;
  return index < list.length ? index : undefined;
}

/** The part of a value at the path of a conflict; undefined if there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    const index = indexOfStep(value, step);
    return index === undefined ? undefined : valueAt(value[index], rest);
  }
  return isRecord(value) ? valueAt(value[step], rest) : undefined;
}

/**
 * The open parts of a field after another change by the other side: those from before with its new values, and the new
 * ones.
 * @param value merged, with mine in the open parts
 */
export function combineConflicts(
  before: FieldConflict,
  { value, theirs, conflict }: { value: unknown; theirs: unknown; conflict?: FieldConflict },
): FieldConflict | undefined {
  const items = conflict?.items ?? [];
  const paths = new Set(items.map(({ path }) => path.join('\n')));
  const open = before.items
    .filter(({ path }) => !paths.has(path.join('\n')))
    .map((item) => ({ ...item, theirs: valueAt(theirs, item.path) }))
    .filter((item) => {
      const isDecided = isEqual(valueAt(value, item.path), item.theirs);
      // What I have deleted and the other side has changed is in the value, and still needs a decision.
      return !isDecided || (item.reason !== 'both-changed' && item.theirs !== undefined);
    });
  return items.length + open.length === 0
    ? undefined
    : { mine: before.mine, theirs, items: [...open, ...items] };
}
