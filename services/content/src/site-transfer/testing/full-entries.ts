import { identifier, insertRows, type Queryable } from '@quire/database';
import { contentTableName, ReferenceLink } from '../../schema/index.js';

/** The text of a json value that JavaScript would change. */
export const exactJson = '{ "b": 1.0, "10": 12345678901234567890,\n  "9": [1e2, "é\\u00e9"] }';

export const paragraph = (text: string) => ({
  _type: 'block',
  _key: 'a',
  style: 'normal',
  markDefs: [],
  children: [{ _type: 'span', _key: 'b', text, marks: [] }],
});

/** The field values of the published post, as its columns have them. */
const columns = {
  title: 'Zeile\n"é"',
  summary: '',
  link: 'https://a.example/?q=1',
  price: 0.1,
  stock: 9007199254740991,
  isopen: 1,
  at: '0001-01-01T00:00:00.000Z',
  color: 'red',
  colors: ['red', 'blue'],
  content: [paragraph('Text')],
  picture: { mediaId: 'm1', alt: 'Bild' },
  attachment: { mediaId: 'm2' },
  friend: 'e-person',
  friends: '["e-person","e-other"]',
  extra: exactJson,
  alias: 'alias',
  rows: [{ label: 'a', count: 1 }, { label: null }],
  blocks: [{ _type: 'quote', _version: 1, text: 'Q', sources: [{ label: 's', count: 2 }] }],
};

/** Its values in records. */
export const publishedValues = {
  ...columns,
  isopen: true,
  friends: ['e-person', 'e-other'],
};

/** Inserts an entry with values of its columns. */
export async function insertEntry(
  sql: Queryable,
  collection: string,
  id: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const row = { id, slug: id, _locale: 'en', _translation_group: `g-${id}`, ...values };
  const names = Object.keys(row).map(identifier).join(', ');
  const parameters = Object.keys(row).map((_, index) => `$${index + 1}`);
  const stored = Object.values(row).map((value) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  );
  const table = identifier(contentTableName(collection));
  await sql.query(`INSERT INTO ${table} (${names}) VALUES (${parameters.join(', ')})`, stored);
}

/** Creates entries in all states, with their revisions and links. */
export async function insertFullEntries(db: Queryable): Promise<void> {
  const seo = { title: 'SEO', description: null, image: 'm1', canonical: null, noIndex: true };
  await insertEntry(db, 'people', 'e-person', { status: 'published', name: 'Ada' });
  await insertEntry(db, 'people', 'e-other', { primary_byline_id: 'bg-gone' });
  await insertEntry(db, 'empty', 'e-empty', { slug: null, _edited_at: null });
  await insertEntry(db, 'posts', 'e-published', {
    ...columns,
    status: 'published',
    author_id: 'user-1',
    _edited_by: 'user-2',
    primary_byline_id: 'bg-1',
    published_at: '2026-01-02T03:04:05.678Z',
    live_revision_id: 'r-dropped',
    draft_revision_id: 'r-draft',
    version: 7,
    _seo: seo,
  });
  await insertEntry(db, 'posts', 'e-translation', {
    _locale: 'de-CH',
    _translation_group: 'g-e-published',
    status: 'scheduled',
    scheduled_at: '2030-01-01T00:00:00.000Z',
    isopen: 0,
    friends: 'e-person',
  });
  await insertEntry(db, 'posts', 'e-trashed', { deleted_at: '2026-02-03T04:05:06.007Z', friends: '[x]' });
  // A registered table may name a revision that does not exist.
  await insertEntry(db, 'posts', 'e-adopted', { draft_revision_id: 'r-gone' });
  const draft = `{"title": "Draft", "extra": ${exactJson}, "_slug": "new", "_references": {"author": ["g-e-other"]}}`;
  await db.query(
    `INSERT INTO revisions (id, collection, entry_id, data, author_id) VALUES
       ('r-draft', 'posts', 'e-published', $1, 'user-3'), ('r-old', 'people', 'e-person', '{"extra": {"a":1}}', NULL),
       ('r-null', 'posts', 'e-published', '{"extra": null}', NULL), ('r-empty', 'posts', 'e-trashed', '{}', NULL)`,
    [draft],
  );
  const relations = await db.query<{ id: string; target: string }>(
    'SELECT id, child_collection AS target FROM relations',
  );
  const relationTo = (target: string) => relations.find((relation) => relation.target === target)?.id ?? '';
  const link = { relationId: relationTo('people'), parentGroup: 'g-e-published', sortOrder: 0 };
  await insertRows(db, ReferenceLink, [
    { ...link, childGroup: 'g-e-person' },
    { ...link, childGroup: 'g-e-other', sortOrder: 1 },
    { ...link, relationId: relationTo('posts'), childGroup: 'g-e-trashed' },
  ]);
}
