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
export async function insertClient(sql: Sql, values: ClientValues): Promise<Client | undefined> {
  const [client] = await sql.query<Client>(
    `INSERT INTO oauth_clients (id, name, redirect_uris, scopes) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO NOTHING RETURNING ${columns}`,
    [values.id, values.name, values.redirectUris, values.scopes],
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
