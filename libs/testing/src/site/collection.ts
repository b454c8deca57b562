import { columnType, type FieldDefinition, type FieldType } from '@quire/content-model';
import { boundedName, identifier } from '@quire/database';
import { ulid } from 'ulid';
import type { Answer, Client } from './client.js';

/** A field as a test names it: what is left out has the default of the API. */
export type FieldInput = Pick<FieldDefinition, 'slug'> & { type: FieldType } & Partial<Omit<FieldDefinition, 'slug' | 'type'>>;

/** A collection as a test names it. */
export interface CollectionInput {
  slug?: string;
  supports?: ('drafts' | 'revisions' | 'preview' | 'scheduling' | 'search' | 'seo')[];
  routable?: boolean;
  titleField?: string;
  dateField?: string;
  fields?: FieldInput[];
}

/** A collection that was made for a test. */
export interface TestCollection {
  slug: string;
  /** Path of its entries: "/content/posts". */
  path: string;
}

type RunSql = (text: string, values?: unknown[]) => Promise<unknown>;

const usualFields: FieldInput[] = [
  { slug: 'title', type: 'string' },
  { slug: 'body', type: 'text' },
];

/** Makes a collection with its fields; without a word it is `posts`, keeps drafts and revisions, and has title and body. */
export async function makeCollection(admin: Client, sql: RunSql, input: CollectionInput): Promise<TestCollection> {
  const { slug = 'posts', supports = ['drafts', 'revisions'], routable = true, fields = usualFields } = input;
  const answer = await admin.post('/schema/collections', { slug, label: slug, supports, routable });
  if (answer.status === 404) {
    await makeBySql(sql, { ...input, slug, supports, routable, fields });
    return { slug, path: `/content/${slug}` };
  }
  requireMade(answer);
  for (const field of fields) requireMade(await admin.post(`/schema/collections/${slug}/fields`, { label: field.slug, ...field }));
  const { titleField, dateField } = input;
  if (titleField ?? dateField) requireMade(await admin.put(`/schema/collections/${slug}`, { titleField, dateField }));
  return { slug, path: `/content/${slug}` };
}

function requireMade({ status, body }: Answer): void {
  if (status >= 300) throw new Error(`The collection was refused: ${status} ${JSON.stringify(body)}`);
}

async function makeBySql(sql: RunSql, input: Required<Pick<CollectionInput, 'slug' | 'supports' | 'routable' | 'fields'>> & CollectionInput) {
  const { slug, supports, routable, fields } = input;
  const table = boundedName('content_', slug);
  const name = identifier(table);
  await sql(`CREATE TABLE ${name} (id text PRIMARY KEY, slug text,
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'scheduled')), author_id text, primary_byline_id text,
    created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3) NOT NULL DEFAULT now(), published_at timestamptz(3),
    scheduled_at timestamptz(3), deleted_at timestamptz(3), version integer NOT NULL DEFAULT 1, live_revision_id text,
    draft_revision_id text, _locale text NOT NULL, _translation_group text NOT NULL, _seo json)`);
  await sql(`CREATE UNIQUE INDEX ${identifier(boundedName('', `${table}__slug_key`))} ON ${name} (slug, _locale)`);
  await sql(`CREATE UNIQUE INDEX ${identifier(boundedName('', `${table}___group_index`))} ON ${name} (_translation_group, _locale)`);
  const id = ulid();
  const stored = fields.map((field, index) => ({
    required: false, unique: false, searchable: false, indexed: false, translatable: true, validation: null, options: null,
    defaultValue: null, ...field, index }));
  for (const field of stored) {
    if (field.type === 'reference' && field.validation?.relation !== undefined) continue;
    await sql(`ALTER TABLE ${name} ADD COLUMN ${identifier(field.slug)} ${columnType(field.type)}`);
    if (!field.unique) continue;
    await sql(`CREATE UNIQUE INDEX ${identifier(boundedName('', `${table}__${field.slug}_unique`))} ON ${name} (${identifier(field.slug)}, _locale)`);
  }
  await sql(
    `INSERT INTO collections (id, slug, label, supports, routable, has_seo, hidden, title_field, date_field)
     VALUES ($1, $2, $2, $3, $4, $5, false, $6, $7)`,
    [id, slug, supports, routable, supports.includes('seo'), input.titleField ?? null, input.dateField ?? null],
  );
  for (const field of stored) {
    await sql(
      `INSERT INTO fields (id, collection_id, slug, label, type, required, "unique", searchable, indexed, translatable,
         default_value, validation, options, sort_order) VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [ulid(), id, field.slug, field.type, field.required, field.unique, field.searchable, field.indexed, field.translatable,
        field.defaultValue === null ? null : JSON.stringify(field.defaultValue),
        field.validation === null ? null : JSON.stringify(field.validation),
        field.options === null ? null : JSON.stringify(field.options), field.index],
    );
  }
}
