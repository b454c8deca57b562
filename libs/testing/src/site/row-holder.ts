import pg from 'pg';
import type { Site } from './open-site.js';

/** Holds rows of a site, so that requests meet in the order that a test wants; see `untilBlocked`. */
export interface RowHolder {
  /** Runs a statement in the holder's transaction, which begins with the first. */
  hold(text: string, values?: unknown[]): Promise<void>;
  /** Commits, and so lets go of everything. */
  release(): Promise<void>;
  /** Lets go of everything, and takes back what was done. */
  undo(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a connection of its own to the site's schema. */
export async function openRowHolder(site: Site): Promise<RowHolder> {
  const client = new pg.Client({
    connectionString: site.system.databaseUrl,
    options: `-c search_path=${pg.escapeIdentifier(site.schema)}`,
  });
  await client.connect();
  let isHolding = false;
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    await client.query(how);
    isHolding = false;
  };
  return {
    hold: async (text, values = []) => {
      if (!isHolding) await client.query('BEGIN');
      isHolding = true;
      await client.query(text, values);
    },
    release: () => end('COMMIT'),
    undo: () => end('ROLLBACK'),
    close: () => client.end(),
  };
}
