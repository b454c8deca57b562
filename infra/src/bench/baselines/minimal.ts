/**
 * The baseline "minimal": what a developer writes without Quire. Fastify and pg, one table, one statement a request,
 * and a comparison of strings as authentication.
 */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import pg from 'pg';
import { ulid } from 'ulid';

interface EntryParams {
  Params: { id: string };
}

interface DataBody {
  Body: { data: { title: string; body?: string; rank?: number } };
}

interface MinimalOptions {
  /** An empty one. */
  databaseUrl: string;
  poolSize: number;
  /** Of the entries that it creates. */
  ids: readonly string[];
  /** The accepted header. */
  authorization: string;
}

/** Published entries of 2 KB, with the indexes that the lists need. */
const schema = `
  CREATE TABLE entries (
    id text PRIMARY KEY,
    title text NOT NULL,
    body text,
    rank integer,
    active boolean,
    status text NOT NULL DEFAULT 'draft',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    published_at timestamptz
  );
  CREATE INDEX ON entries (created_at, id) WHERE status = 'published';
  CREATE INDEX ON entries (rank, id) WHERE active`;
const fill = `
  INSERT INTO entries (id, title, body, rank, active, status, published_at)
  SELECT id, 'Entry ' || rank, repeat('x', 2000), rank, rank % 2 = 0, 'published', now()
  FROM unnest($1::text[]) WITH ORDINALITY AS given (id, rank)`;

const statements = {
  get: 'SELECT * FROM entries WHERE id = $1',
  list: `SELECT * FROM entries WHERE status = 'published' ORDER BY created_at DESC, id DESC LIMIT 50`,
  filtered: 'SELECT * FROM entries WHERE active AND rank >= 100 ORDER BY rank, id LIMIT 50',
  create: 'INSERT INTO entries (id, title, body, rank) VALUES ($1, $2, $3, $4) RETURNING *',
  update: 'UPDATE entries SET title = $2, updated_at = now() WHERE id = $1 RETURNING *',
  publish: `UPDATE entries SET status = 'published', updated_at = now(),
    published_at = coalesce(published_at, now()) WHERE id = $1 RETURNING *`,
};

async function start({ databaseUrl, poolSize, ids, authorization }: MinimalOptions): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  await pool.query(schema);
  await pool.query(fill, [ids]);
  await pool.query('VACUUM ANALYZE entries');
  const send = async (name: keyof typeof statements, values: unknown[] = []): Promise<object[]> =>
    (await pool.query<object>({ name, text: statements[name], values })).rows;
  const item = async (name: keyof typeof statements, values: unknown[]) => ({
    data: (await send(name, values))[0],
  });

  const app = Fastify();
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization !== authorization) return reply.status(401).send({ error: 'unauthorized' });
    return undefined;
  });
  app.get<EntryParams>('/get/:id', ({ params }) => item('get', [params.id]));
  for (const name of ['list', 'filtered'] as const)
    app.get(`/${name}`, async () => ({ data: await send(name) }));
  app.post<DataBody>('/create', ({ body: { data } }) =>
    item('create', [ulid(), data.title, data.body, data.rank]),
  );
  app.put<EntryParams & DataBody>('/update/:id', ({ params, body: { data } }) =>
    item('update', [params.id, data.title]),
  );
  app.post<EntryParams>('/publish/:id', ({ params }) => item('publish', [params.id]));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  process.send?.({ type: 'ready', origin: `http://127.0.0.1:${port}` });
}

process.once('message', (options: MinimalOptions) => {
  start(options).catch((error: Error) => {
    process.send?.({ type: 'failed', message: error.stack });
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(0));
