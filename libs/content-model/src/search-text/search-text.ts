import { isPlainObject } from '../fields/validation-context.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { richTextWords } from './rich-text-words.js';

/** The part of a definition that decides what can be found. */
export type SearchedField = Pick<FieldDefinition, 'type' | 'validation'>;

/** More of one value is not looked at. */
const maxSearchTextLength = 100_000;

type Reader = (value: unknown, field: SearchedField) => string[];

const words: Reader = (value) => (typeof value === 'string' ? [value] : []);
const choices: Reader = (value) =>
  Array.isArray(value) ? value.flatMap((choice) => words(choice, { type: 'select', validation: null })) : [];
const alternative: Reader = (value) =>
  isPlainObject(value) && typeof value['alt'] === 'string' ? [value['alt']] : [];

/** How the words of a value are read; types without an entry have none: numbers, instants, files, references, JSON. */
const readers: Partial<Record<FieldDefinition['type'], Reader>> = {
  string: words,
  text: words,
  url: words,
  slug: words,
  select: words,
  multiSelect: choices,
  image: alternative,
  portableText: (value) => richTextWords(value),
  repeater: (value, { validation }) =>
    rowsOf(value).flatMap((row) =>
      (validation?.subFields ?? []).flatMap(({ slug, type }) => {
        const stored = Object.hasOwn(row, slug) ? row[slug] : undefined;
        return readers[type]?.(stored, { type, validation: null }) ?? [];
      }),
    ),
};

/** Whether values of a field have words that can be found. */
export function hasSearchText({ type, validation }: SearchedField): boolean {
  if (type !== 'repeater') return readers[type] !== undefined;
  return (validation?.subFields ?? []).some((subField) => readers[subField.type] !== undefined);
}

/**
 * The words of a field's value, as plain text with a line break between its parts: of rich text what readers see, of a
 * repeater its rows' text sub-fields, of choices their labels. Empty for what has none. Takes any value: one that does
 * not fit its field, as rows from elsewhere may hold, has no words.
 */
export function searchText(field: SearchedField, value: unknown): string {
  const lines = readers[field.type]?.(value, field) ?? [];
  return lines
    .filter((line) => line.trim() !== '')
    .join('\n')
    .slice(0, maxSearchTextLength);
}

const rowsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isPlainObject) : [];
