import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { lockRegistry } from './registration.js';
import { defaultTenantId, isTenantId } from './tenant.js';

/*
 * A renamed site keeps the id with which it was created as its storage id: the name of its schema and role, the prefix
 * of its objects and indexes, the id in jobs, messages, tokens and logs. So no process has to know of a rename, and
 * nothing that waits is lost. Its new id, and every id that it had in between, are aliases of the storage id. Operators
 * find the site by each of them, and none is given to another site until the purge.
 */

/** The result of a rename. */
export interface Rename {
  /** The id that the site had. */
  from: string;
  /** False: the site has the id already. */
  isNew: boolean;
}

/**
 * The storage id of the site that has an id, or had it.
 * @param sql the registry's schema
 * @returns the id itself if it is not that of a renamed site
 */
export async function storageIdOf(sql: Queryable, id: string): Promise<string> {
  const [row] = await sql.query<{ storageId: string }>(
    'SELECT tenant_id AS "storageId" FROM tenant_aliases WHERE alias = $1',
    [id],
  );
  return row?.storageId ?? id;
}

/** All ids that a site has or had, by one of them; of another text only itself. @param sql the registry's schema */
export async function everyIdOf(sql: Queryable, id: string): Promise<string[]> {
  const storageId = await storageIdOf(sql, id);
  const aliases = await sql.query<{ alias: string }>(
    'SELECT alias FROM tenant_aliases WHERE tenant_id = $1',
    [storageId],
  );
  return [storageId, ...aliases.map(({ alias }) => alias)];
}

/** The present id of the site of a storage id. @param sql the registry's schema */
export async function presentIdOf(sql: Queryable, storageId: string): Promise<string> {
  const [row] = await sql.query<{ id: string }>(
    'SELECT coalesce(name, id) AS id FROM tenants WHERE id = $1',
    [storageId],
  );
  return row?.id ?? storageId;
}

/**
 * Gives a site another id. Repeating it changes nothing.
 * @param tx a transaction in the registry's schema
 * @param id an id that the site has or had
 * @param to the new id, also one that this site had before
 * @returns undefined when there is no such site, or its purge has begun
 * @throws QuireError VALIDATION_ERROR (to); CONFLICT when another site has or had the new id
 */
export async function renameTenant(tx: Queryable, id: string, to: string): Promise<Rename | undefined> {
  if (!isTenantId(to))
    throw new QuireError(
      'VALIDATION_ERROR',
      'The new id must be lower-case letters, digits and -, 1 to 40, and begin with a letter',
    );
  await lockRegistry(tx);
  const storageId = await storageIdOf(tx, id);
  const [site] = await tx.query<{ from: string }>(
    'SELECT coalesce(name, id) AS "from" FROM tenants WHERE id = $1 AND purge_started_at IS NULL',
    [storageId],
  );
  if (!site) return undefined;
  const { from } = site;
  if (from === to) return { from, isNew: false };
  // Unregistered hosts lead to it, whatever its tables.
  if (to === defaultTenantId && storageId !== defaultTenantId)
    throw new QuireError('CONFLICT', `Not renamed: ${defaultTenantId} is the site of the installation`);
  const taken = await tx.query(
    `SELECT FROM tenants WHERE id = $1 AND id <> $2
     UNION ALL SELECT FROM tenant_aliases WHERE alias = $1 AND tenant_id <> $2`,
    [to, storageId],
  );
  if (taken.length > 0)
    throw new QuireError('CONFLICT', `Not renamed: another site has the id ${to}, or had it before a rename`);
  if (to !== storageId)
    await tx.query('INSERT INTO tenant_aliases (alias, tenant_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      to,
      storageId,
    ]);
  await tx.query('UPDATE tenants SET name = nullif($2, id) WHERE id = $1', [storageId, to]);
  return { from, isNew: true };
}
