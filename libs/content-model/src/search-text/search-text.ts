import { isPlainObject } from '../fields/validation-context.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { richTextWords } from './rich-text-words.js';

/** The properties of a definition that determine the searchable text. */
export type SearchedField = Pick<FieldDefinition, 'type' | 'validation'>;

/** The rest of a longer text is ignored. */
const maxSearchTextLength = 100_000;

type Reader = (value: unknown, field: SearchedField) => string[];

const words: Reader = (value) => (typeof value === 'string' ? [value] : []);
const choices: Reader = (value) =>
  Array.isArray(value) ? value.flatMap((choice) => words(choice, { type: 'select', validation: null })) : [];
const alternative: Reader = (value) =>
  isPlainObject(value) && typeof value['alt'] === 'string' ? [value['alt']] : [];

/** Readers of text by type; types without an entry have none: numbers, instants, files, references, JSON. */
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

/** Whether values of a field have searchable text. */
export function hasSearchText({ type, validation }: SearchedField): boolean {
  if (type !== 'repeater') return readers[type] !== undefined;
  return (validation?.subFields ?? []).some((subField) => readers[subField.type] !== undefined);
}

/**
 * The searchable text of a field's value, as plain text with a line break between its parts: the visible text of rich
 * text, the text sub-fields of a repeater's rows, the labels of choices. Accepts any value: one that does not fit its
 * field has no text.
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
