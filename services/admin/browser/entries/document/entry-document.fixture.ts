import { EntryDocument, type DocumentOptions } from './entry-document.js';
import { contentField, type EntryField } from './entry-fields.js';

/** A field of a type. */
export const defineField = (slug: string, type: string, more: object = {}): EntryField =>
  contentField({ slug, type: type as 'string', required: false, validation: null, ...more });
const fields = [
  defineField('title', 'string', { required: true }),
  defineField('intro', 'text'),
  defineField('body', 'portableText'),
  defineField('faq', 'repeater'),
];
/** A paragraph. */
export const block = (key: string, text: string) => ({
  _type: 'block',
  _key: key,
  children: [{ _type: 'span', _key: 's', text, marks: [] }],
});
const stored = new Map<string, unknown>([
  ['title', 'Title'],
  ['intro', 'one'],
  ['body', [block('a', 'first'), block('b', 'second')]],
]);
let keys = 0;
/** A document of an entry with these fields. */
export const openDocument = (options: Partial<DocumentOptions> = {}) =>
  new EntryDocument({
    fields,
    values: stored,
    rev: '1',
    createKey: () => `new${(keys += 1)}`,
    ...options,
  });
/** The entry as it was read. */
export const version = (rev: string, values: Record<string, unknown>) => ({
  rev,
  values: new Map(Object.entries(values)),
});
