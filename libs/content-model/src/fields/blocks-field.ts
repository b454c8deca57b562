import { isPlainObject, type Checker, type CheckRun, type CompiledRecord } from './check-run.js';
import type { CheckedField } from './field-definition.js';
import { reasons } from './issues.js';
import { checkRecord, type RecordRules } from './record.js';
import { isListWithin } from './repeater-field.js';
import { isStorableText } from './storable.js';

/** At most this many blocks in one field (document 3, Limits). */
export const maxBlocks = 100;

/** What a blocks field asks about the block types of a site. */
export interface BlockTypes {
  /** Whether a block type with this slug is defined. */
  has(type: string): boolean;
  /** The compiled fields of one version of a block type, or null when there is no such version. */
  version(type: string, version: number): CompiledRecord | null;
}

const blockRules: RecordRules = {
  isWhole: true,
  fillsDefaults: false,
  dropsUnknown: false,
  ignoresReserved: false,
};

/** `blocks`: a list of typed blocks. Without block types to ask, only the empty list is accepted. */
export function blocksChecker(field: CheckedField, blockTypes: BlockTypes | null): Checker {
  const { allowedTypes, retiredTypes, minItems, maxItems = maxBlocks } = field.validation ?? {};
  const limits = { minItems, maxItems: Math.min(maxItems, maxBlocks) };
  const allowed = allowedTypes === undefined ? null : new Set(allowedTypes);
  const retired = new Set(retiredTypes ?? []);
  const isForNewBlocks = (type: string): boolean =>
    !retired.has(type) && (allowed === null || allowed.has(type));

  return (value, path, run) => {
    if (!isListWithin(value, limits, path, run)) return undefined;
    if (blockTypes === null) {
      if (value.length > 0) run.refuse(path, reasons.noBlockTypes());
      return [];
    }
    const storedTypes = typesByKey(run.stored[field.slug]);
    const keys = new Set<string>();
    return value.map((block, index) => {
      const place = `${path}.${index}`;
      if (!isPlainObject(block)) {
        run.refuse(place, reasons.type('object'));
        return undefined;
      }
      const key = checkKey(block, keys, place, run);
      const type = block['_type'];
      if (typeof type !== 'string') {
        run.refuse(`${place}._type`, reasons.type('string'));
        return undefined;
      }
      if (!blockTypes.has(type)) {
        run.refuse(`${place}._type`, reasons.unknownBlockType(type));
        return undefined;
      }
      // A draft that is being published holds only blocks that were accepted when they were new.
      const isStored = run.mode === 'publish' || (key !== null && storedTypes.get(key) === type);
      if (!isStored && !isForNewBlocks(type)) run.refuse(`${place}._type`, reasons.blockTypeNotAllowed(type));
      return checkVersion({ block, type, key, blockTypes }, place, run);
    });
  };
}

function checkKey(
  block: Record<string, unknown>,
  keys: Set<string>,
  place: string,
  run: CheckRun,
): string | null {
  const key = block['_key'];
  if (typeof key !== 'string' || key === '' || keys.has(key) || !isStorableText(key)) {
    run.refuse(`${place}._key`, reasons.blockKey());
    return null;
  }
  keys.add(key);
  return key;
}

function checkVersion(
  sent: { block: Record<string, unknown>; type: string; key: string | null; blockTypes: BlockTypes },
  place: string,
  run: CheckRun,
): unknown {
  const { _type, _version, _key, ...data } = sent.block;
  const fields =
    typeof _version === 'number' && Number.isInteger(_version)
      ? sent.blockTypes.version(sent.type, _version)
      : null;
  if (fields === null) {
    run.refuse(`${place}._version`, reasons.blockVersion(sent.type));
    return undefined;
  }
  return { _type, _version, _key, ...checkRecord(fields, data, { path: place, run, rules: blockRules }) };
}

function typesByKey(stored: unknown): Map<unknown, unknown> {
  const blocks: unknown[] = Array.isArray(stored) ? stored : [];
  return new Map(blocks.filter(isPlainObject).map((block) => [block['_key'], block['_type']]));
}
