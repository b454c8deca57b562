import { isPlainObject, type CheckerFactory, type CheckRun } from './check-run.js';
import { reasons } from './issues.js';
import { isStorableJson } from './json-field.js';

/** `portableText`: a list of blocks with a `_type`; a missing `_key` is added, everything else passes through. */
export const richTextChecker: CheckerFactory = () => (value, path, run) => {
  if (!Array.isArray(value)) {
    run.refuse(path, reasons.type('list'));
    return undefined;
  }
  if (!isStorableJson(value, path, run)) return undefined;
  const blocks: Record<string, unknown>[] = [];
  value.forEach((block: unknown, index) => {
    if (isBlock(block, `${path}.${index}`, run)) blocks.push(block);
  });
  return blocks.length === value.length ? withKeys(blocks) : undefined;
};

function isBlock(block: unknown, path: string, run: CheckRun): block is Record<string, unknown> {
  if (!isPlainObject(block)) {
    run.refuse(path, reasons.type('object'));
    return false;
  }
  let isFit = true;
  if (!Object.hasOwn(block, '_type') || typeof block['_type'] !== 'string') {
    run.refuse(`${path}._type`, reasons.type('string'));
    isFit = false;
  }
  if (hasKey(block) && typeof block['_key'] !== 'string') {
    run.refuse(`${path}._key`, reasons.type('string'));
    isFit = false;
  }
  return isFit;
}

function hasKey(block: Record<string, unknown>): boolean {
  return Object.hasOwn(block, '_key') && block['_key'] !== null && block['_key'] !== '';
}

/** Keys come from the position, so that sending the same list twice stores the same value. */
function withKeys(blocks: Record<string, unknown>[]): Record<string, unknown>[] {
  if (blocks.every(hasKey)) return blocks;
  const taken = new Set(blocks.filter(hasKey).map((block) => block['_key']));
  return blocks.map((block, index) => {
    if (hasKey(block)) return block;
    let key = `k${index}`;
    while (taken.has(key)) key += '_';
    taken.add(key);
    return { ...block, _key: key };
  });
}
