import type { Sql } from '@quire/database';
import type { Client } from './clients.schemas.js';

const columns = `id, name, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** What a client is made of. */
export type ClientValues = Pick<Client, 'id' | 'name' | 'redirectUris' | 'scopes'>;

export function listClients(sql: Sql): Promise<Client[]> {
  return sql.query<Client>(`SELECT ${columns} FROM oauth_clients ORDER BY created_at DESC, id DESC`);
}

export async function findClient(sql: Sql, id: string): Promise<Client | undefined> {
  const [client] = await sql.query<Client>(`SELECT ${columns} FROM oauth_clients WHERE id = $1`, [id]);
  return client;
}

/** @returns undefined when the id is taken. */
export async function insertClient(
  sql: Sql,
  values: ClientValues,
  { registeredItself }: { registeredItself: boolean },
): Promise<Client | undefined> {
  const [client] = await sql.query<Client>(
    `INSERT INTO oauth_clients (id, name, redirect_uris, scopes, registered_itself) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO NOTHING RETURNING ${columns}`,
    [values.id, values.name, values.redirectUris, values.scopes, registeredItself],
  );
  return client;
}

/** Changes what is given. @returns undefined when there is no such client. */
export async function updateClientRow(
  sql: Sql,
  id: string,
  { name, redirectUris, scopes }: Partial<ClientValues>,
): Promise<Client | undefined> {
  const [client] = await sql.query<Client>(
    `UPDATE oauth_clients SET name = coalesce($2, name), redirect_uris = coalesce($3, redirect_uris),
       scopes = CASE WHEN $4 THEN $5 ELSE scopes END, updated_at = now()
     WHERE id = $1 RETURNING ${columns}`,
    [id, name ?? null, redirectUris ?? null, scopes !== undefined, scopes ?? null],
  );
  return client;
}

/** Takes the client's codes and tokens with it. @returns false when there is no such client. */
export async function deleteClientRow(sql: Sql, id: string): Promise<boolean> {
  const deleted = await sql.query('DELETE FROM oauth_clients WHERE id = $1 RETURNING id', [id]);
  return deleted.length > 0;
}

/**
 * Removes applications that registered themselves long ago and that nobody let in since, at most `limit`. What another
 * process removes now is left to it, and so is an application that is just being let in.
 */
export async function deleteUnusedClients(sql: Sql, afterDays: number, limit: number): Promise<void> {
  await sql.query(
    `DELETE FROM oauth_clients WHERE id IN (
       SELECT c.id FROM oauth_clients c
       WHERE c.registered_itself AND c.created_at < now() - $1 * interval '1 day'
         AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = c.id)
         AND NOT EXISTS (SELECT FROM oauth_codes o WHERE o.client_id = c.id)
         AND NOT EXISTS (SELECT FROM oauth_device_codes d WHERE d.client_id = c.id)
       ORDER BY c.created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [afterDays, limit],
  );
}
