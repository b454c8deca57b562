import { isPlainObject, type FieldValidatorFactory, type ValidationContext } from './validation-context.js';
import { validationMessages } from './issues.js';
import { isStorableJson } from './json-field.js';

/**
 * `portableText`: a list of blocks with a `_type`; a missing `_key` is added, everything else passes through. A text is
 * converted where the input has a conversion.
 */
export const richTextValidator: FieldValidatorFactory = () => (submitted, path, context) => {
  const { parseRichText } = context.input;
  const parsed =
    typeof submitted === 'string' && parseRichText ? parseRichText(submitted) : { blocks: submitted };
  if ('problem' in parsed) {
    context.addIssue(path, { code: 'max_length', message: parsed.problem });
    return undefined;
  }
  const value = parsed.blocks;
  if (!Array.isArray(value)) {
    context.addIssue(path, validationMessages.type('list'));
    return undefined;
  }
  if (!isStorableJson(value, path, context)) return undefined;
  const blocks: Record<string, unknown>[] = [];
  value.forEach((block: unknown, index) => {
    if (isBlock(block, `${path}.${index}`, context)) blocks.push(block);
  });
  return blocks.length === value.length ? withKeys(blocks) : undefined;
};

function isBlock(block: unknown, path: string, context: ValidationContext): block is Record<string, unknown> {
  if (!isPlainObject(block)) {
    context.addIssue(path, validationMessages.type('object'));
    return false;
  }
  let isFit = true;
  if (!Object.hasOwn(block, '_type') || typeof block['_type'] !== 'string') {
    context.addIssue(`${path}._type`, validationMessages.type('string'));
    isFit = false;
  }
  if (hasKey(block) && typeof block['_key'] !== 'string') {
    context.addIssue(`${path}._key`, validationMessages.type('string'));
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
