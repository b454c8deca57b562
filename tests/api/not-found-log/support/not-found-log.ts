import { eventually, type Client, type Site } from '@quire/testing';

export interface LoggedPath {
  id: string;
  path: string;
  createdAt: string;
}

/** The log of a site, as an administrator reads it and as visitors fill it. */
export class NotFoundLog {
  readonly path = '/redirects/404s';

  constructor(
    private readonly site: Site,
    private readonly admin: Client,
  ) {}

  /** Asks where a path leads that leads nowhere. */
  async recordMiss(path: string, { client = this.admin, query = '', headers = {} } = {}): Promise<void> {
    const address = `/redirects/resolve?path=${encodeURIComponent(path)}${query}`;
    const { status, data, body } = await client.get(address, { headers });
    if (status !== 200 || JSON.stringify(data) !== '{"redirect":null}')
      throw new Error(`Expected a missing path: ${status} ${JSON.stringify(body)}`);
  }

  async entries(query = ''): Promise<LoggedPath[]> {
    return (await this.admin.get(`${this.path}${query}`)).data.items;
  }

  async paths(query = ''): Promise<string[]> {
    return (await this.entries(query)).map(({ path }) => path);
  }

  /** How often a path was missed, as the table has it. */
  async countOf(path: string): Promise<number> {
    const rows = await this.site.sql<{ count: string }>('SELECT count FROM not_found_log WHERE path = $1', [
      path,
    ]);
    return rows.reduce((sum, { count }) => sum + Number(count), 0);
  }

  async rows(): Promise<number> {
    return Number((await this.site.sql('SELECT count(*) FROM not_found_log'))[0]?.['count']);
  }

  /** Adds "/old-1", "/old-2" …, missed once, twice …, each seen a second later, without asking for each. */
  async insert(count: number, { prefix = '/old', seenAt = '2025-01-01T00:00:00Z' } = {}): Promise<void> {
    await this.site.sql(
      `INSERT INTO not_found_log (id, path, count, referrers, created_at, last_seen_at)
       SELECT $1 || n, $1 || '-' || n, n, '{}', $2::timestamptz + n * interval '1 second',
         $2::timestamptz + n * interval '1 second'
       FROM generate_series(1, $3) AS n`,
      [prefix, seenAt, count],
    );
  }
}

/** Misses are written every few seconds. @throws Error when it does not become so */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  if (!(await eventually(isSo))) throw new Error(`Timed out waiting for: ${isSo.toString()}`);
}
