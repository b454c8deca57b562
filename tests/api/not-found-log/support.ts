import { afterEach } from '@jest/globals';
import { eventually, openSite, useFixture, type Client, type Site } from '@quire/testing';

export interface LoggedPath {
  id: string;
  path: string;
  createdAt: string;
}

/** The not-found log of a site: requests of visitors write it, an administrator reads it. */
export class NotFoundLog {
  readonly path = '/redirects/404s';

  constructor(
    readonly site: Site,
    readonly admin: Client,
  ) {}

  close(): Promise<void> {
    return this.site.close();
  }

  /** Resolves a path without a redirect. @throws Error when the path has one */
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

  /** Stored number of misses of a path. */
  async countOf(path: string): Promise<number> {
    const rows = await this.site.sql<{ count: string }>('SELECT count FROM not_found_log WHERE path = $1', [
      path,
    ]);
    return rows.reduce((sum, { count }) => sum + Number(count), 0);
  }

  async rows(): Promise<number> {
    return Number((await this.site.sql('SELECT count(*) FROM not_found_log'))[0]?.['count']);
  }

  /** Inserts "/old-1", "/old-2" … with the counts 1, 2 …, each last seen a second after the one before. */
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

/** Opens a site for a file; its log is cleared after each test. */
export function useNotFoundLog(): NotFoundLog {
  const log = useFixture(async () => {
    const site = await openSite();
    return new NotFoundLog(site, await site.as('admin'));
  });
  afterEach(async () => {
    await log.admin.delete(log.path);
  });
  return log;
}

/** Waits for a condition: misses are written every few seconds. @throws Error on a timeout */
export async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  if (!(await eventually(condition))) throw new Error(`Timed out waiting for: ${condition.toString()}`);
}
