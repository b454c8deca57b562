import {
  isPlainObject,
  type BlockOptions,
  type FieldValidator,
  type ValidationContext,
  type CompiledRecord,
} from './validation-context.js';
import type { CheckedField } from './field-definition.js';
import { validationMessages } from './issues.js';
import { checkRecord, type RecordRules } from './record.js';
import { isListWithin } from './repeater-field.js';
import { isStorableText } from '@quire/values';

/** At most this many blocks in one field (document 3, Limits). */
export const maxBlocks = 100;

/** The block types of a site, for the validation of a blocks field. */
export interface BlockTypes {
  /** Whether a block type with this slug is defined. */
  has(type: string): boolean;
  /** The compiled fields of one version of a block type, or null when there is no such version. */
  version(type: string, version: number): CompiledRecord | null;
  /** The version that new blocks get, or null when there is no such type. */
  activeVersion(type: string): number | null;
}

const blockRules: RecordRules = {
  isWhole: true,
  fillsDefaults: false,
  dropsUnknown: false,
  ignoresReserved: false,
};

/** `blocks`: a list of typed blocks. Without block types only the empty list is accepted. */
export function blocksValidator(field: CheckedField, blockTypes: BlockTypes | null): FieldValidator {
  const { allowedTypes, retiredTypes, minItems, maxItems = maxBlocks } = field.validation ?? {};
  const limits = { minItems, maxItems: Math.min(maxItems, maxBlocks) };
  const allowed = allowedTypes === undefined ? null : new Set(allowedTypes);
  const retired = new Set(retiredTypes ?? []);
  const isForNewBlocks = (type: string): boolean =>
    !retired.has(type) && (allowed === null || allowed.has(type));

  return (value, path, context) => {
    if (!isListWithin(value, limits, path, context)) return undefined;
    if (blockTypes === null) {
      if (value.length > 0) context.addIssue(path, validationMessages.noBlockTypes());
      return [];
    }
    const { blocks: options = {} } = context.input;
    const storedTypes = options.replaces ? new Map() : typesByKey(context.stored[field.slug]);
    const keys = new Set<string>();
    return completeBlocks(value, options, blockTypes).map((block, index) => {
      const itemPath = `${path}.${index}`;
      if (!isPlainObject(block)) {
        context.addIssue(itemPath, validationMessages.type('object'));
        return undefined;
      }
      const key = checkKey(block, keys, itemPath, context);
      const type = block['_type'];
      if (typeof type !== 'string') {
        context.addIssue(`${itemPath}._type`, validationMessages.type('string'));
        return undefined;
      }
      if (!blockTypes.has(type)) {
        context.addIssue(`${itemPath}._type`, validationMessages.unknownBlockType(type));
        return undefined;
      }
      // A draft that is being published has only blocks that an earlier write accepted.
      const isStored = context.mode === 'publish' || (key !== null && storedTypes.get(key) === type);
      if (!isStored && !isForNewBlocks(type))
        context.addIssue(`${itemPath}._type`, validationMessages.blockTypeNotAllowed(type));
      return checkVersion({ block, type, key, blockTypes }, itemPath, context);
    });
  };
}

/** Adds the keys and versions that a client may omit. */
function completeBlocks(
  blocks: readonly unknown[],
  { migrates, replaces }: BlockOptions,
  blockTypes: BlockTypes,
): readonly unknown[] {
  if (!migrates && !replaces) return blocks;
  const given = new Set(blocks.filter(isPlainObject).map((block) => block['_key']));
  return blocks.map((block, index) => {
    if (!isPlainObject(block)) return block;
    const { _type, _version, _key } = block;
    const active = typeof _type === 'string' ? blockTypes.activeVersion(_type) : null;
    const isVersionChanged = active !== null && (migrates || _version === undefined);
    return {
      ...block,
      ...(isVersionChanged ? { _version: active } : {}),
      ...(replaces && _key === undefined ? { _key: freeKey(`b${index}`, given) } : {}),
    };
  });
}

function freeKey(wanted: string, taken: Set<unknown>): string {
  let key = wanted;
  while (taken.has(key)) key += '_';
  taken.add(key);
  return key;
}

function checkKey(
  block: Record<string, unknown>,
  keys: Set<string>,
  itemPath: string,
  context: ValidationContext,
): string | null {
  const key = block['_key'];
  if (typeof key !== 'string' || key === '' || keys.has(key) || !isStorableText(key)) {
    context.addIssue(`${itemPath}._key`, validationMessages.blockKey());
    return null;
  }
  keys.add(key);
  return key;
}

function checkVersion(
  sent: { block: Record<string, unknown>; type: string; key: string | null; blockTypes: BlockTypes },
  itemPath: string,
  context: ValidationContext,
): unknown {
  const { _type, _version, _key, ...data } = sent.block;
  const fields =
    typeof _version === 'number' && Number.isInteger(_version)
      ? sent.blockTypes.version(sent.type, _version)
      : null;
  if (fields === null) {
    context.addIssue(`${itemPath}._version`, validationMessages.blockVersion(sent.type));
    return undefined;
  }
  return {
    _type,
    _version,
    _key,
    ...checkRecord(fields, data, { path: itemPath, context, rules: blockRules }),
  };
}

function typesByKey(stored: unknown): Map<unknown, unknown> {
  const blocks: unknown[] = Array.isArray(stored) ? stored : [];
  return new Map(blocks.filter(isPlainObject).map((block) => [block['_key'], block['_type']]));
}
