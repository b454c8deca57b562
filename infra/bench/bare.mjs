/**
 * The baseline: a bare Fastify handler for each operation that runs the statements Quire runs for it, and nothing else: no
 * tenant lookup, no authentication, no validation, no guard. The statements are built once, by Quire's own builders.
 */
import Fastify from 'fastify';
import pg from 'pg';
import { insertEntry } from '../../services/content/dist/entries/statements/insert-entry.js';
import { writeEntry } from '../../services/content/dist/entries/statements/write-entry.js';
import { entryColumns } from '../../services/content/dist/entries/entry-row.js';
import {
  listConditions,
  orderColumn,
} from '../../services/content/dist/entries/statements/list-conditions.js';
import { defineCollection } from '../../services/content/dist/schema/definitions/collection-definition.js';
import { Parameters } from '../../libs/database/dist/index.js';
import { ulid } from 'ulid';

/** Stands in a statement for a value that differs from request to request. */
const slot = (name) => ({ slot: name });
const fill = (values, given) => values.map((value) => (value?.slot ? given[value.slot] : value));

const int8 = 20;
// As Quire reads it: a whole number, not its text.
pg.types.setTypeParser(int8, Number);

async function start({ databaseUrl, schema, poolSize }) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    options: `-c timezone=UTC -c search_path=${schema}`,
  });
  const statements = build(await define(pool, 'bench'), await define(pool, 'growing'), schema);
  const run = async (name, given = {}) => {
    const { text, values } = statements[name];
    return (await pool.query({ name, text, values: fill(values, given) })).rows;
  };
  const app = Fastify();
  const answer = (data) => ({ success: true, data });
  const asItem = ({ id, slug, status, title, body, ...rest }) => ({
    item: { id, slug, status, data: { title, body }, ...rest },
  });
  app.get('/get/:id', async ({ params }) => answer(asItem((await run('get', params))[0])));
  app.get('/list', async () => answer({ items: (await run('list')).map(asItem) }));
  app.get('/filtered', async () => answer({ items: (await run('filtered')).map(asItem) }));
  app.post('/create', async ({ body }) =>
    answer(asItem((await run('create', { id: ulid(), title: body.data.title, slug: ulid() }))[0])),
  );
  app.put('/update/:id', async ({ params, body }) => {
    const [row] = await run('get', params);
    const data = JSON.stringify({ ...valuesOf(row), title: body.data.title });
    return answer(asItem((await run('update', { ...state(row), revision: ulid(), data }))[0]));
  });
  app.post('/publish/:id', async ({ params }) => {
    const [row] = await run('get', params);
    const data = JSON.stringify(valuesOf(row));
    return answer(asItem((await run('publish', { ...state(row), revision: ulid(), data }))[0]));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send({ type: 'ready', origin: `http://127.0.0.1:${app.server.address().port}` });
}

async function define(pool, slug) {
  const { rows: collections } = await pool.query('SELECT * FROM collections WHERE slug = $1', [slug]);
  const { rows: fields } = await pool.query(
    'SELECT * FROM fields WHERE collection_id = $1 ORDER BY sort_order',
    [collections[0].id],
  );
  return defineCollection({ ...collections[0], hasSeo: false, titleField: null, dateField: null }, fields);
}

const valuesOf = ({ title, body, rank, active }) => ({ title, body, rank, active: Boolean(active) });
const state = ({ id, version, updatedAt, slug }) => ({ id, version, updatedAt, slug });

function build(definition, growing, schema) {
  const tenant = schema.replace(/^site_/, '');
  const table = `"${definition.table}"`;
  const columns = entryColumns(definition);
  const get = {
    text: `SELECT ${columns}, d.data AS _draft FROM ${table} e LEFT JOIN revisions d ON d.id = e.draft_revision_id
      WHERE e.id = $1 AND e.deleted_at IS NULL`,
    values: [slot('id')],
  };
  const list = (query) => {
    const parameters = new Parameters();
    const order = orderColumn(definition, query.orderBy);
    const filter = listConditions(definition, query, parameters).join(' AND ');
    const text = `SELECT ${columns}, (SELECT count(*) FROM ${table} e WHERE ${filter}) AS _total FROM ${table} e WHERE ${filter}
      ORDER BY ${order.sql} ${query.order === 'asc' ? 'ASC NULLS FIRST, e.id ASC' : 'DESC NULLS LAST, e.id DESC'} LIMIT ${parameters.add(51)}`;
    return { text, values: parameters.values };
  };
  const row = {
    id: slot('id'),
    version: slot('version'),
    updatedAt: slot('updatedAt'),
    deletedAt: null,
    _group: '',
  };
  const write = (change) => sloted(writeEntry(definition, row, change, tenant));
  const revision = { id: slot('revision'), data: 'data', authorId: null };
  const touches = { updatedAt: false, version: true };
  const entry = {
    id: slot('id'),
    slug: slot('slug'),
    locale: 'en',
    translationGroup: slot('id'),
    authorId: null,
    primaryBylineId: null,
  };
  const values = { title: 'title', body: 'x'.repeat(2000), rank: 1 };
  return {
    get,
    list: list({ orderBy: 'createdAt', order: 'desc' }),
    filtered: list({ orderBy: 'rank', order: 'asc', fieldFilters: { active: true, rank: { gte: 100 } } }),
    create: sloted(insertEntry(growing, { ...entry, values, seo: null, createdAt: null, publishedAt: null })),
    update: write({ columns: { draftRevisionId: slot('revision') }, revision, touches }),
    publish: write({
      columns: {
        status: 'published',
        slug: slot('slug'),
        publishedAt: 'now',
        scheduledAt: null,
        draftRevisionId: null,
        liveRevisionId: slot('revision'),
      },
      revision,
      touches: { updatedAt: true, version: true },
      schedule: 'cancel',
    }),
  };
}

/** Values that the builders turned into text are marked again. */
function sloted({ text, values }) {
  const marks = { '"data"': slot('data'), title: slot('title') };
  return { text, values: values.map((value) => (typeof value === 'string' && marks[value]) || value) };
}

process.once('message', (options) => {
  start(options).catch((error) => {
    process.send({ type: 'failed', message: error.stack });
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(0));
