/**
 * The baseline "same SQL": a Fastify handler for each operation, with the statements of Quire's operation and no other
 * work: no tenant lookup, no authentication, no validation, no guard.
 */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import pg from 'pg';
import { ulid } from 'ulid';
import { addMedia } from './media.js';
import { fill, recordStatements, type BaselineOperation } from './recorded-statements.js';
import type { FilledSite } from '../site.js';

const int8 = 20;
// as Quire reads it: a number, not a text
pg.types.setTypeParser(int8, Number);

type Row = Record<string, unknown>;
type Values = Readonly<Record<string, unknown>>;

interface EntryParams {
  Params: { id: string };
}

interface TitleBody {
  Body: { data: { title: string } };
}

const envelope = (data: object) => ({ success: true, data });
const asItem = ({ id, slug, status, title, body, ...rest }: Row) => ({
  item: { id, slug, status, data: { title, body }, ...rest },
});
const valuesOf = ({ title, body, rank, active }: Row) => ({ title, body, rank, active: Boolean(active) });
const stateOf = ({ id, version, updatedAt, slug }: Row) => ({ id, version, updatedAt, slug });

interface BaselineOptions {
  site: FilledSite;
  poolSize: number;
  /** For uploaded files. */
  folder: string;
}

async function start({ site, poolSize, folder }: BaselineOptions): Promise<void> {
  const pool = new pg.Pool({
    connectionString: site.databaseUrl,
    max: poolSize,
    options: `-c timezone=UTC -c search_path=site_${site.tenant}`,
  });
  const statements = await recordStatements(site);
  /** Sends a statement of an operation by its index. */
  const send = async (
    name: BaselineOperation,
    index: number,
    given: Values = {},
    client: pg.Pool | pg.PoolClient = pool,
  ): Promise<Row[]> => {
    const statement = statements[name][index];
    if (!statement) throw new Error(`The operation ${name} has no statement ${index}`);
    const values = fill(statement.values, given);
    return (await client.query<Row>({ name: `${name} ${index}`, text: statement.text, values })).rows;
  };
  const sendForItem = async (name: BaselineOperation, index: number, given: Values) =>
    asItem((await send(name, index, given))[0] ?? {});
  /** Reads an entry, and writes it on the condition of its state. */
  const change = async (name: BaselineOperation, params: Values, changed: Row) => {
    const [row = {}] = await send(name, 0, params);
    const data = JSON.stringify({ ...valuesOf(row), ...changed });
    return envelope(await sendForItem(name, 1, { ...stateOf(row), revision: ulid(), data }));
  };

  const app = Fastify();
  for (const name of ['get', 'references'] as const)
    app.get<EntryParams>(`/${name}/:id`, async ({ params }) => envelope(await sendForItem(name, 0, params)));
  for (const name of ['list', 'filtered', 'bylines'] as const)
    app.get(`/${name}`, async () => envelope({ items: (await send(name, 0)).map(asItem) }));
  app.post<TitleBody>('/create', async ({ body }) => {
    const given = { id: ulid(), title: body.data.title, slug: ulid() };
    return envelope(await sendForItem('create', 0, given));
  });
  app.put<EntryParams & TitleBody>('/update/:id', ({ params, body }) =>
    change('update', params, { title: body.data.title }),
  );
  app.post<EntryParams>('/publish/:id', ({ params }) => change('publish', params, {}));
  app.post<EntryParams & { Body: { termIds: string[] } }>('/terms/:id', async ({ params, body }) => {
    const given = { ...params, terms: body.termIds };
    const client = await pool.connect();
    let rows: Row[] = [];
    await client.query('BEGIN');
    for (const index of statements.terms.keys()) rows = await send('terms', index, given, client);
    await client.query('COMMIT');
    client.release();
    return envelope({ terms: rows });
  });
  await addMedia(app, folder);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  process.send?.({ type: 'ready', origin: `http://127.0.0.1:${port}` });
}

process.once('message', (options: BaselineOptions) => {
  start(options).catch((error: Error) => {
    process.send?.({ type: 'failed', message: error.stack });
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(0));
