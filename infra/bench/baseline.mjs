/**
 * A baseline Fastify handler for each operation that runs the statements Quire runs for it, and nothing else: no
 * tenant lookup, no authentication, no validation, no guard.
 */
import Fastify from 'fastify';
import pg from 'pg';
import { ulid } from 'ulid';
import { addMedia } from './baseline-media.mjs';
import { fill, recordStatements } from './baseline-statements.mjs';

const int8 = 20;
// As Quire reads it: a whole number, not its text.
pg.types.setTypeParser(int8, Number);

const answer = (data) => ({ success: true, data });
const asItem = ({ id, slug, status, title, body, ...rest }) => ({
  item: { id, slug, status, data: { title, body }, ...rest },
});
const valuesOf = ({ title, body, rank, active }) => ({ title, body, rank, active: Boolean(active) });
const state = ({ id, version, updatedAt, slug }) => ({ id, version, updatedAt, slug });

async function start({ site, poolSize, folder }) {
  const pool = new pg.Pool({
    connectionString: site.databaseUrl,
    max: poolSize,
    options: `-c timezone=UTC -c search_path=site_${site.tenant}`,
  });
  const statements = await recordStatements(site);
  /** Sends the statement of an operation at a place; @returns its rows */
  const send = async (name, place, given = {}, client = pool) => {
    const { text, values } = statements[name][place];
    return (await client.query({ name: `${name} ${place}`, text, values: fill(values, given) })).rows;
  };
  /** Reads an entry, and writes it in the state that it was read in. */
  const change = async (name, params, changed) => {
    const [row] = await send(name, 0, params);
    const data = JSON.stringify({ ...valuesOf(row), ...changed });
    return answer(asItem((await send(name, 1, { ...state(row), revision: ulid(), data }))[0]));
  };

  const app = Fastify();
  for (const name of ['get', 'references'])
    app.get(`/${name}/:id`, async ({ params }) => answer(asItem((await send(name, 0, params))[0])));
  for (const name of ['list', 'filtered', 'bylines'])
    app.get(`/${name}`, async () => answer({ items: (await send(name, 0)).map(asItem) }));
  app.post('/create', async ({ body }) =>
    answer(asItem((await send('create', 0, { id: ulid(), title: body.data.title, slug: ulid() }))[0])),
  );
  app.put('/update/:id', ({ params, body }) => change('update', params, { title: body.data.title }));
  app.post('/publish/:id', ({ params }) => change('publish', params, {}));
  app.post('/terms/:id', async ({ params, body }) => {
    const given = { ...params, terms: body.termIds };
    const client = await pool.connect();
    let rows;
    await client.query('BEGIN');
    for (const place of statements.terms.keys()) rows = await send('terms', place, given, client);
    await client.query('COMMIT');
    client.release();
    return answer({ terms: rows });
  });
  await addMedia(app, folder);
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send({ type: 'ready', origin: `http://127.0.0.1:${app.server.address().port}` });
}

process.once('message', (options) => {
  start(options).catch((error) => {
    process.send({ type: 'failed', message: error.stack });
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(0));
