import { itemOf, type ApiResponse, type FieldInput, type Site } from '@quire/testing';

/** A collection with one field `f`, to change that field. */
export interface SingleFieldCollection {
  /** Path of its entries: "/content/c1". */
  path: string;
  /** Path of its schema: "/schema/collections/c1". */
  collection: string;
  /** Makes an entry with this value. */
  create(value: unknown, more?: object): Promise<ApiResponse>;
  change(body: object): Promise<ApiResponse>;
  field(): Promise<ApiResponse['data']>;
  /** All that a change could leave behind, to tell that a refused one changed nothing. */
  picture(): Promise<unknown>;
  /** How the indexes on the field are defined. */
  indexes(): Promise<string[]>;
}

let count = 0;

/** Makes a collection of its own with one field `f`, holding one entry for each given value. */
export async function collectionOf(
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
    change: (body) => admin.put(`${collection}/fields/f`, body),
    field: async () => (await admin.get(`${collection}/fields/f`)).data.item,
    picture: () =>
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
