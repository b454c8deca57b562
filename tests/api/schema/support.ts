import { itemOf, type ApiResponse, type Client, type FieldInput, type Site } from '@quire/testing';

/** Requests for collections by slug. */
export const postCollection = (client: Client, slug: string, more: object = {}) =>
  client.post('/schema/collections', { slug, label: 'A label', ...more });
export const putCollection = (client: Client, slug: string, body: object) =>
  client.put(`/schema/collections/${slug}`, body);
export const readCollection = async (client: Client, slug: string): Promise<ApiResponse['data']> =>
  (await client.get(`/schema/collections/${slug}`)).data.item;

/** A collection with one field `f`, with requests that change this field. */
export interface SingleFieldCollection {
  /** Path of its entries: "/content/c1". */
  path: string;
  /** Path of its schema: "/schema/collections/c1". */
  collection: string;
  /** Creates an entry with this value. */
  create(value: unknown, more?: object): Promise<ApiResponse>;
  update(body: object): Promise<ApiResponse>;
  field(): Promise<ApiResponse['data']>;
  /** Rows of the collection and its fields, and its indexes: equal before and after a rejected change. */
  snapshot(): Promise<unknown>;
  /** Definitions of the indexes on the field. */
  indexes(): Promise<string[]>;
}

let count = 0;

/** Creates a collection with one field `f` and an entry for each value. */
export async function createFieldCollection(
  site: Site,
  field: Omit<FieldInput, 'slug'>,
  values: unknown[] = [],
): Promise<SingleFieldCollection> {
  count += 1;
  const slug = `c${count}`;
  const admin = await site.as('admin');
  const { path } = await site.collection({ slug, fields: [{ slug: 'f', ...field }] });
  const create: SingleFieldCollection['create'] = (value, more = {}) =>
    admin.post(path, { data: { f: value }, ...more });
  for (const value of values) itemOf(await create(value));
  const collection = `/schema/collections/${slug}`;
  return {
    path,
    collection,
    create,
    update: (body) => admin.put(`${collection}/fields/f`, body),
    field: async () => (await admin.get(`${collection}/fields/f`)).data.item,
    snapshot: () =>
      site.sql(
        `SELECT (SELECT json_agg(c) FROM collections c WHERE slug = $1) AS collection,
           (SELECT json_agg(f ORDER BY id) FROM fields f) AS fields,
           (SELECT json_agg(indexdef ORDER BY indexname) FROM pg_indexes WHERE tablename = $2 AND schemaname = current_schema()) AS indexes`,
        [slug, `content_${slug}`],
      ),
    indexes: async () =>
      (
        await site.sql<{ definition: string }>(
          `SELECT indexdef AS definition FROM pg_indexes WHERE tablename = $1 AND schemaname = current_schema() AND indexdef ~ '\\mf\\M'`,
          [`content_${slug}`],
        )
      ).map(({ definition }) => definition),
  };
}
