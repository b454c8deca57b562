import { identifier } from '@quire/database';
import { tenantSchema } from '@quire/tenancy';
import pg from 'pg';
import type { Site } from './open-site.js';

/** Holds rows of a site, so that requests meet in the order that a test wants. */
export interface RowHolder {
  /** Runs a statement in the holder's transaction, which begins with the first. */
  hold(text: string, values?: unknown[]): Promise<void>;
  /** Commits, and so lets go of everything. */
  release(): Promise<void>;
  /** Waits until so many statements on these tables wait for somebody's lock. @throws Error when they never do. */
  untilBlocked(tables: readonly string[], count: number): Promise<void>;
  close(): Promise<void>;
}

const turns = 500;
const turnMs = 10;

/** Opens a connection of its own to the site's schema. */
export async function openRowHolder(site: Site): Promise<RowHolder> {
  const client = new pg.Client({
    connectionString: site.system.databaseUrl,
    options: `-c search_path=${identifier(tenantSchema({ id: site.tenant }))}`,
  });
  await client.connect();
  let isHolding = false;
  return {
    hold: async (text, values = []) => {
      if (!isHolding) await client.query('BEGIN');
      isHolding = true;
      await client.query(text, values);
    },
    release: async () => {
      await client.query('COMMIT');
      isHolding = false;
    },
    untilBlocked: async (tables, count) => {
      for (let turn = 0; turn < turns; turn += 1) {
        // Not asked by the holder: within a transaction the first answer stays.
        const rows = await site.sql(
          `SELECT DISTINCT a.pid FROM pg_stat_activity a JOIN pg_locks l USING (pid)
           WHERE a.wait_event_type = 'Lock' AND l.relation = ANY($1::regclass[])`,
          [tables],
        );
        if (rows.length >= count) return;
        await new Promise((done) => setTimeout(done, turnMs));
      }
      throw new Error(`Nobody waits for ${tables.join(', ')}`);
    },
    close: () => client.end(),
  };
}
