import type { Schemas } from '@quire/api-client';
import type { MergeRules } from './merge.js';

/** The part of a write that carries a field; `property` is one of the entry itself, such as its slug. */
export type EntryPart = 'data' | 'references' | 'property' | 'seo' | 'taxonomies';

/** Anything of an entry that its editor changes: a field of the collection, or a property that every entry has. */
export interface EntryField {
  /** Unique in the entry: the slug of a field, or `@` and a name. */
  key: string;
  part: EntryPart;
  /** In its part of a write. */
  name: string;
  rules: MergeRules;
  isRequired: boolean;
  /** Between two texts that are both kept; absent for values that are no texts. */
  textSeparator?: string;
  /** Whether a write of it is live at once, also in published entries whose other changes are staged. */
  isImmediate: boolean;
}

/** Values by the keys of fields. */
export type EntryValues = ReadonlyMap<string, unknown>;

const textSeparators: Partial<Record<Schemas['Field']['type'], string>> = { string: ' ', text: '\n\n' };

/** The field of a document for a field of the collection. */
export function contentField({
  slug,
  type,
  required,
  validation,
}: Pick<Schemas['Field'], 'slug' | 'type' | 'required' | 'validation'>): EntryField {
  const limits = {
    minItems: numberOf(validation?.['minItems']),
    maxItems: numberOf(validation?.['maxItems']),
  };
  const isBound = type === 'reference' && validation?.['relation'] !== undefined;
  const separator = textSeparators[type];
  return {
    key: slug,
    part: isBound ? 'references' : 'data',
    name: slug,
    rules: { kind: mergeKind(type, validation), ...limits },
    isRequired: required || validation?.['required'] === true,
    isImmediate: false,
    ...(separator !== undefined && { textSeparator: separator }),
  };
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

function mergeKind(
  type: Schemas['Field']['type'],
  validation: Record<string, unknown> | null,
): MergeRules['kind'] {
  if (type === 'repeater') return 'rows';
  if (type !== 'reference') return 'value';
  // The order of a selection is that of the parent.
  return validation?.['relationSide'] === 'child' ? 'set' : 'selection';
}

const seoProperties = ['title', 'description', 'image', 'canonical', 'noIndex'] as const;

const property = (name: string, more: Partial<EntryField> = {}): EntryField => ({
  key: `@${name}`,
  part: 'property',
  name,
  rules: { kind: 'value' },
  isRequired: false,
  isImmediate: true,
  ...more,
});

/** The slug of an entry, which is staged with its values. */
export const slugField = property('slug', { isImmediate: false });

/** The fields of a document for the properties that every entry of a collection has. */
export function propertyFields({
  hasSeo,
  taxonomies,
}: {
  hasSeo: boolean;
  taxonomies: readonly string[];
}): EntryField[] {
  return [
    slugField,
    property('authorId'),
    property('publishedAt'),
    property('bylines'),
    ...(hasSeo ? seoProperties.map((name) => property(name, { key: `@seo.${name}`, part: 'seo' })) : []),
    ...taxonomies.map((name) =>
      property(name, { key: `@terms.${name}`, part: 'taxonomies', rules: { kind: 'set' } }),
    ),
  ];
}

/** Whether a required field with this value counts as empty. */
export function isEmptyValue(value: unknown, { part }: Pick<EntryField, 'part'>): boolean {
  const isNothing = value === undefined || value === null || value === '';
  return isNothing || (part === 'references' && Array.isArray(value) && value.length === 0);
}
