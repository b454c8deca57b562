import type { FieldDefinition, FieldType } from '@quire/content-model';
import { isAllowedUrl } from '@quire/values';
import type { RewriteContext } from './rewrite-context.js';
import { rewriteMediaValue } from './rewrite-media-value.js';
import { rewriteRichText } from './rewrite-rich-text.js';

/** The types of fields whose values can have addresses of files; values of json fields stay as they were stored. */
const rewrittenTypes: ReadonlySet<FieldType> = new Set<FieldType>([
  'string',
  'text',
  'url',
  'portableText',
  'image',
  'file',
  'repeater',
  'blocks',
]);

export const isRewritten = ({ type }: Pick<FieldDefinition, 'type'>): boolean => rewrittenTypes.has(type);

/** A field of a collection, of a row or of a block. */
export type RewrittenField = Pick<FieldDefinition, 'slug' | 'type'> & {
  validation?: FieldDefinition['validation'] | undefined;
};

type Values = Readonly<Record<string, unknown>>;

/**
 * Replaces addresses of files in the values of fields (contract 1.6).
 * @returns the values that change, by the slugs of their fields
 */
export function rewriteValues(
  fields: readonly RewrittenField[],
  values: Values,
  context: RewriteContext,
  path = '',
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const field of fields) {
    if (!Object.hasOwn(values, field.slug)) continue;
    const value = values[field.slug];
    const rewritten = rewriteValue(field, value, path + field.slug, context);
    if (rewritten !== value) changed[field.slug] = rewritten;
  }
  return changed;
}

function rewriteValue(
  { type, validation }: RewrittenField,
  value: unknown,
  path: string,
  context: RewriteContext,
): unknown {
  switch (type) {
    case 'string':
    case 'text':
      return typeof value === 'string' ? context.inText(value) : value;
    case 'url':
      return rewriteUrl(value, context);
    case 'portableText':
      return rewriteRichText(value, context);
    case 'image':
    case 'file': {
      const allowedMimeTypes = validation?.allowedMimeTypes?.map((mime) => mime.toLowerCase()) ?? null;
      return rewriteMediaValue({ type, allowedMimeTypes }, value, path, context);
    }
    case 'repeater':
      return rewriteItems(value, path, context, () => validation?.subFields ?? []);
    case 'blocks':
      return rewriteItems(value, path, context, (block) => fieldsOfBlock(block, context));
    default:
      return value;
  }
}

function rewriteUrl(value: unknown, context: RewriteContext): unknown {
  const to = context.find(value);
  if (to === undefined || !isAllowedUrl(to)) return value;
  context.count += 1;
  return to;
}

/** @param fieldsOf the fields of a row or a block */
function rewriteItems(
  value: unknown,
  path: string,
  context: RewriteContext,
  fieldsOf: (item: Values) => readonly RewrittenField[],
): unknown {
  if (!Array.isArray(value)) return value;
  const items = value as unknown[];
  const rewritten = items.map((item, index) => {
    if (!isObject(item)) return item;
    const changed = rewriteValues(fieldsOf(item), item, context, `${path}.${index}.`);
    return Object.keys(changed).length > 0 ? { ...item, ...changed } : item;
  });
  return rewritten.some((item, index) => item !== items[index]) ? rewritten : value;
}

function fieldsOfBlock(block: Values, { blockFields }: RewriteContext): readonly RewrittenField[] {
  const { _type: type, _version: version } = block;
  if (typeof type !== 'string' || typeof version !== 'number') return [];
  return blockFields(type, version) ?? [];
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
