import { identifier } from '@quire/database';
import { tenantSchema } from '@quire/tenancy';
import pg from 'pg';
import type { Site } from './open-site.js';

/** A connection of its own to a site's tables, to hold rows with, so that requests meet in the order that a test wants. */
export async function openHolder(site: Site): Promise<pg.Client> {
  const holder = new pg.Client({
    connectionString: site.system.databaseUrl,
    options: `-c search_path=${identifier(tenantSchema({ id: site.tenant }))}`,
  });
  await holder.connect();
  return holder;
}
