import { isRecord } from './equality.js';
import { mergeKeyedItems, mergeVersions, type KeyedItems, type Versions } from './keyed-merge.js';
import {
  conflictsBelow,
  unresolved,
  type FieldConflict,
  type ItemConflict,
  type Merged,
} from './merge-conflict.js';
import { isSameSet, mergeSelections } from './reference-merge.js';
import { mergeRows } from './row-merge.js';
import { isText, mergeText } from './text-merge.js';

/** How the values of a field are merged. */
export interface MergeRules {
  /**
   * `rows`: a repeater, whose rows have no keys. `selection`: ids of entries in order; `set`: ids whose order has no
   * meaning. `value`: all others; lists with keys are found by their items.
   */
  kind: 'value' | 'rows' | 'selection' | 'set';
  minItems?: number | undefined;
  maxItems?: number | undefined;
}

export interface MergeResult {
  value: unknown;
  /** Absent if nothing is left to decide. The parts of `value` that are in conflict are mine. */
  conflict?: FieldConflict;
}

/**
 * Merges the values of a field: each change of one side, and changes of both that fit together. Every word of mine or
 * theirs that is not in base is in the value, or in a conflict.
 * @param base the value that both sides began with
 */
export function merge(base: unknown, mine: unknown, theirs: unknown, rules: MergeRules): MergeResult {
  const { value, conflicts } = mergeVersions({ base, mine, theirs }, (versions) =>
    withItemLimits(versions, mergeField(versions, rules), rules),
  );
  return conflicts.length === 0 ? { value } : { value, conflict: { mine, theirs, items: conflicts } };
}

function mergeField(versions: Versions, { kind }: MergeRules): Merged {
  const { base, mine, theirs } = versions;
  if ((kind === 'selection' || kind === 'set') && isIds(mine) && isIds(theirs)) {
    if (kind === 'set' && isSameSet(mine, theirs)) return { value: theirs, conflicts: [] };
    return { value: mergeSelections({ base: isIds(base) ? base : [], mine, theirs }), conflicts: [] };
  }
  const list = mergeLists(versions);
  if (list) return list;
  if (kind === 'rows' && Array.isArray(mine) && Array.isArray(theirs))
    return mergeRows({ base: Array.isArray(base) ? base : [], mine, theirs });
  return unresolved(mine, theirs);
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string');
}

/** Each side may be within the limits of a list, and both together not. */
function withItemLimits({ mine, theirs }: Versions, merged: Merged, rules: MergeRules): Merged {
  if (!Array.isArray(merged.value)) return merged;
  const { length } = merged.value;
  if (length >= (rules.minItems ?? 0) && length <= (rules.maxItems ?? Infinity)) return merged;
  return { value: mine, conflicts: [{ path: [], reason: 'item-count', mine, theirs }] };
}

/** @returns undefined unless both sides are lists whose items all have a key. */
function mergeLists({ base, mine, theirs }: Versions): Merged | undefined {
  const [before, own, other] = [keyedItems(base), keyedItems(mine), keyedItems(theirs)];
  if (!own || !other) return undefined;
  const { items, conflicts } = mergeKeyedItems(
    { base: before ?? new Map(), mine: own, theirs: other },
    mergeObjects,
  );
  return { value: [...items.values()], conflicts };
}

/** @returns undefined for anything but a list whose items all have a key of their own. */
function keyedItems(value: unknown): KeyedItems | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = new Map<string, unknown>();
  for (const item of value) {
    if (!isRecord(item) || typeof item['_key'] !== 'string' || items.has(item['_key'])) return undefined;
    items.set(item['_key'], item);
  }
  return items;
}

/** Merges objects property by property, and text blocks word by word. */
function mergeObjects({ base, mine, theirs }: Versions): Merged {
  if (!isRecord(mine) || !isRecord(theirs) || mine['_type'] !== theirs['_type'])
    return unresolved(mine, theirs);
  const before = isRecord(base) ? base : {};
  if (isText(mine['children']) && isText(theirs['children']))
    return mergeTextBlock({ base: before, mine, theirs }) ?? unresolved(mine, theirs);
  return mergeProperties({ base: before, mine, theirs });
}

function mergeProperties({ base, mine, theirs }: Versions<Record<string, unknown>>): Merged {
  const value: Record<string, unknown> = {};
  const conflicts: ItemConflict[] = [];
  for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const versions = { base: base[name], mine: mine[name], theirs: theirs[name] };
    const merged = mergeVersions(versions, (changed) => mergeProperty(name, changed));
    if (merged.value !== undefined) value[name] = merged.value;
    conflicts.push(...conflictsBelow(name, merged.conflicts));
  }
  return { value, conflicts };
}

function mergeProperty(name: string, versions: Versions): Merged {
  const { mine, theirs } = versions;
  // Inserted columns move cells to other places; cells have no keys that would tell.
  if (name === 'cells') return mergeByPlace(versions) ?? mergeLists(versions) ?? unresolved(mine, theirs);
  if (isText(mine) && isText(theirs)) return mergeTexts(versions);
  const list = mergeLists(versions);
  if (list) return list;
  return isRecord(mine) && isRecord(theirs) ? mergeObjects(versions) : unresolved(mine, theirs);
}

/** @returns undefined unless all versions are lists of one length. */
function mergeByPlace({ base, mine, theirs }: Versions): Merged | undefined {
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(theirs)) return undefined;
  if (base.length !== mine.length || mine.length !== theirs.length) return undefined;
  const items = mine.map((item: unknown, index) =>
    mergeVersions(
      { base: base[index] as unknown, mine: item, theirs: theirs[index] as unknown },
      mergeObjects,
    ),
  );
  return {
    value: items.map(({ value }) => value),
    conflicts: items.flatMap(({ conflicts }, index) => conflictsBelow(String(index), conflicts)),
  };
}

function mergeTexts({ base, mine, theirs }: Versions): Merged {
  const text = isText(base) && isText(mine) && isText(theirs) ? mergeText({ base, mine, theirs }) : undefined;
  return text ? { value: text, conflicts: [] } : unresolved(mine, theirs);
}

/** @returns undefined if the block needs a decision: it is made for the whole block. */
function mergeTextBlock({ base, mine, theirs }: Versions<Record<string, unknown>>): Merged | undefined {
  const { children: before, ...baseRest } = base;
  const { children: own, ...mineRest } = mine;
  const { children: other, ...theirsRest } = theirs;
  const { value: text, conflicts } = mergeVersions({ base: before, mine: own, theirs: other }, mergeTexts);
  const rest = mergeProperties({ base: baseRest, mine: mineRest, theirs: theirsRest });
  if (!Array.isArray(text) || conflicts.length > 0) return undefined;
  if (rest.conflicts.length > 0 || !isRecord(rest.value)) return undefined;
  const definitions = usedDefinitions(text, rest.value['markDefs'], [mine, theirs, base]);
  return {
    value: { ...rest.value, ...(definitions && { markDefs: definitions }), children: text },
    conflicts: [],
  };
}

/**
 * The definitions of a merged block. One side may have removed a link whose text the other has extended: its definition
 * returns.
 */
function usedDefinitions(
  text: readonly unknown[],
  merged: unknown,
  sources: readonly Record<string, unknown>[],
): unknown[] | undefined {
  const definitions = Array.isArray(merged) ? (merged as unknown[]) : [];
  const used = new Set(
    text.flatMap((part) => (isRecord(part) && Array.isArray(part['marks']) ? part['marks'] : [])),
  );
  const known = new Set(definitions.map(keyOf));
  const missing = sources
    .flatMap(({ markDefs }) => (Array.isArray(markDefs) ? (markDefs as unknown[]) : []))
    .filter((definition) => {
      const key = keyOf(definition);
      if (key === undefined || !used.has(key) || known.has(key)) return false;
      known.add(key);
      return true;
    });
  return Array.isArray(merged) || missing.length > 0 ? [...definitions, ...missing] : undefined;
}

const keyOf = (value: unknown) => (isRecord(value) ? value['_key'] : undefined);
