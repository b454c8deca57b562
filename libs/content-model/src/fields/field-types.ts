/** The 17 field type identifiers, in the order of document 3. */
export const fieldTypes = [
  'string',
  'text',
  'url',
  'number',
  'integer',
  'boolean',
  'datetime',
  'select',
  'multiSelect',
  'portableText',
  'image',
  'file',
  'reference',
  'json',
  'slug',
  'repeater',
  'blocks',
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** The column class a client sees as `columnType` of a field. */
export type ColumnClass = 'TEXT' | 'REAL' | 'INTEGER' | 'JSON';

/** The PostgreSQL type of a field's column. */
export type ColumnType =
  'text' | 'double precision' | 'bigint' | 'smallint' | 'timestamptz(3)' | 'jsonb' | 'json';

const columns: Readonly<Record<FieldType, readonly [ColumnClass, ColumnType]>> = {
  string: ['TEXT', 'text'],
  text: ['TEXT', 'text'],
  url: ['TEXT', 'text'],
  number: ['REAL', 'double precision'],
  integer: ['INTEGER', 'bigint'],
  boolean: ['INTEGER', 'smallint'],
  datetime: ['TEXT', 'timestamptz(3)'],
  select: ['TEXT', 'text'],
  multiSelect: ['JSON', 'jsonb'],
  portableText: ['JSON', 'jsonb'],
  image: ['TEXT', 'jsonb'],
  file: ['TEXT', 'jsonb'],
  reference: ['TEXT', 'text'],
  // jsonb would reorder keys; the text is stored unchanged.
  json: ['JSON', 'json'],
  slug: ['TEXT', 'text'],
  repeater: ['JSON', 'jsonb'],
  blocks: ['JSON', 'jsonb'],
};

const known: ReadonlySet<unknown> = new Set(fieldTypes);

/** Whether a value is one of the 17 field type identifiers. */
export function isFieldType(value: unknown): value is FieldType {
  return known.has(value);
}

/** The column class of a field type, as `Field.columnType` shows it (sheet rest-shapes, section 6). */
export function columnClass(type: FieldType): ColumnClass {
  return columns[type][0];
}

/**
 * The PostgreSQL type of a field type's column (sheet import-and-fields, 4.3). A relation-bound reference field has no
 * column at all.
 */
export function columnType(type: FieldType): ColumnType {
  return columns[type][1];
}

/** The types for which `indexed` is available (document 3, common properties). */
export const indexableTypes: ReadonlySet<FieldType> = new Set<FieldType>([
  'string',
  'url',
  'number',
  'integer',
  'boolean',
  'datetime',
  'select',
  'reference',
  'slug',
]);

/** The types whose value is free text with one meaning: a field may change among them in place. */
export const plainTextTypes: ReadonlySet<FieldType> = new Set<FieldType>(['string', 'text', 'slug']);

/** The types a repeater's sub-field may have (document 3, `repeater` rules). */
export const subFieldTypes = [
  'string',
  'text',
  'url',
  'number',
  'integer',
  'boolean',
  'datetime',
  'select',
  'image',
] as const satisfies readonly FieldType[];

export type SubFieldType = (typeof subFieldTypes)[number];

/**
 * The types a field of a block type may have: no references, JSON, slugs or nested blocks (document 3, `blocks` rules).
 */
export const blockFieldTypes: ReadonlySet<FieldType> = new Set<FieldType>([
  ...subFieldTypes,
  'multiSelect',
  'portableText',
  'file',
  'repeater',
]);
