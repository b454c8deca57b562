import type { z } from 'zod';

/** How the records of one kind look. */
export interface RecordDefinition<Schema extends z.ZodObject = z.ZodObject> {
  summary: string;
  schema: Schema;
  /** Properties whose values together identify a record; records are ordered by them, in byte order. */
  key: readonly (keyof z.output<Schema> & string)[];
  /** Combinations of properties that no two records share. */
  unique: readonly (readonly (keyof z.output<Schema> & string)[])[];
  /** Properties that name users of the exported site. */
  principals: readonly (keyof z.output<Schema> & string)[];
}

/** Declares a kind of record. Its key is `id` unless given. */
export function defineRecord<Schema extends z.ZodObject>(
  schema: Schema,
  { summary, key, unique = [], principals = [] }: Partial<RecordDefinition<Schema>> & { summary: string },
): RecordDefinition<Schema> {
  return { summary, schema, key: key ?? ['id' as keyof z.output<Schema> & string], unique, principals };
}
