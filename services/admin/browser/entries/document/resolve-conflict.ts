import { isEqual, isRecord } from './equality.js';
import type { FieldConflict, ItemConflict } from './merge-conflict.js';

/** `both` keeps two texts, or two items. */
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
  if (step === undefined) return { value: chooseValue(value, theirs, { choice, textSeparator, createKey }) };
  // The user may have changed or deleted my part since.
  if (choice === 'mine' && reason === 'both-changed') return { value };
  const chosen = choice === 'theirs' ? theirs : mine;
  return changeAt(value, path, (list, index) => {
    const present: unknown = list[index];
    if (choice !== 'both') return chosen === undefined ? [] : [choice === 'mine' ? present : chosen];
    if (mine === undefined || theirs === undefined) return [present];
    return [present, withKey(theirs, createKey)];
  });
}

function chooseValue(
  mine: unknown,
  theirs: unknown,
  { choice, textSeparator, createKey }: ChoiceOptions & { choice: ConflictChoice },
): unknown {
  if (choice !== 'both') return choice === 'mine' ? mine : theirs;
  if (Array.isArray(mine) && Array.isArray(theirs)) return bothLists(mine, theirs, createKey);
  if (textSeparator !== undefined && typeof mine === 'string' && typeof theirs === 'string')
    return mine + textSeparator + theirs;
  return mine;
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

/** Replaces the part at a path by none, one or two others. @returns undefined for a path that does not exist */
function changeAt(
  value: unknown,
  [step = '', ...rest]: readonly string[],
  replace: (list: readonly unknown[], index: number) => unknown[],
): { value: unknown } | undefined {
  if (Array.isArray(value)) {
    const list = value as unknown[];
    const index = indexOfStep(list, step);
    if (index === undefined) return undefined;
    if (rest.length === 0)
      return { value: [...list.slice(0, index), ...replace(list, index), ...list.slice(index + 1)] };
    const changed = changeAt(list[index], rest, replace);
    return changed && { value: list.map((item, place) => (place === index ? changed.value : item)) };
  }
  if (!isRecord(value)) return undefined;
  if (rest.length > 0) {
    const changed = changeAt(value[step], rest, replace);
    return changed && { value: { ...value, [step]: changed.value } };
  }
  // A property has one value: of two, the first.
  const { [step]: present, ...others } = value;
  const [chosen] = replace([present], 0);
  return { value: chosen === undefined ? others : { ...value, [step]: chosen } };
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
