import type { FieldDefinition } from '@quire/content-model';
import type { ApiResponse, Client } from './client.js';

/** A field of a test; absent properties have the default of the API. */
export type FieldInput = Pick<FieldDefinition, 'slug' | 'type'> & Partial<FieldDefinition>;

/** A collection of a test. */
export interface CollectionInput {
  slug?: string;
  supports?: ('drafts' | 'revisions' | 'preview' | 'scheduling' | 'search' | 'seo')[];
  routable?: boolean;
  titleField?: string;
  dateField?: string;
  fields?: FieldInput[];
}

/** A created collection. */
export interface TestCollection {
  slug: string;
  /** Path of its entries: "/content/posts". */
  path: string;
}

const defaultFields: FieldInput[] = [
  { slug: 'title', type: 'string' },
  { slug: 'body', type: 'text' },
];

/** Creates a collection with its fields; by default `posts` with drafts, revisions, title and body. */
export async function createCollection(admin: Client, input: CollectionInput): Promise<TestCollection> {
  const {
    slug = 'posts',
    supports = ['drafts', 'revisions'],
    routable = true,
    fields = defaultFields,
  } = input;
  assertCreated(await admin.post('/schema/collections', { slug, label: slug, supports, routable }));
  for (const field of fields)
    assertCreated(await admin.post(`/schema/collections/${slug}/fields`, { label: field.slug, ...field }));
  const { titleField, dateField } = input;
  if (titleField ?? dateField)
    assertCreated(await admin.put(`/schema/collections/${slug}`, { titleField, dateField }));
  return { slug, path: `/content/${slug}` };
}

function assertCreated({ status, body }: ApiResponse): void {
  if (status >= 300) throw new Error(`Creating the collection failed: ${status} ${JSON.stringify(body)}`);
}
