import { assignmentsOf, columnsOf, Parameters, type KeysetPage, type Queryable } from '@quire/database';
import type { Client } from './clients.schemas.js';
import { OAuthClient } from './oauth-client.entity.js';

const columns = columnsOf(OAuthClient, { except: ['grantTypes', 'consentedAt'] });

/** The values of a client that administrators set. */
export type ClientValues = Pick<Client, 'id' | 'name' | 'redirectUris' | 'scopes'>;

/** `undefined` leaves a value unchanged; null scopes allow any scope. */
export type ClientUpdate = {
  [Key in Exclude<keyof ClientValues, 'id'>]?: ClientValues[Key] | undefined;
};

/** A client with its grant types and whether a user has given it consent. */
export interface RegisteredClient extends Client {
  /** null: any grant type may be used. */
  grantTypes: string[] | null;
  /** Whether a user has given consent. */
  hasConsent: boolean;
}

/** Lists are ordered by creation, newest first. */
export const clientOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** @returns the clients of one page. */
export function selectClients(sql: Queryable, page: KeysetPage): Promise<Client[]> {
  const params = new Parameters();
  const text = `SELECT ${columns} FROM oauth_clients WHERE ${page.condition(params)} ${page.order(params)}`;
  return sql.query<Client>(text, params.values);
}

/** @returns a client; undefined for an unknown id. */
export async function selectClient(sql: Queryable, id: string): Promise<Client | undefined> {
  const [client] = await sql.query<Client>(`SELECT ${columns} FROM oauth_clients WHERE id = $1`, [id]);
  return client;
}

/** @returns the client of an authorization request; undefined for an unknown id. */
export async function selectRegisteredClient(
  sql: Queryable,
  id: string,
): Promise<RegisteredClient | undefined> {
  const [client] = await sql.query<RegisteredClient>(
    `SELECT ${columns}, grant_types AS "grantTypes", consented_at IS NOT NULL AS "hasConsent"
     FROM oauth_clients WHERE id = $1`,
    [id],
  );
  return client;
}

/** Inserts a client. @returns undefined when the id is taken. */
export async function insertClient(
  sql: Queryable,
  values: ClientValues,
  { registeredItself, grantTypes }: { registeredItself: boolean; grantTypes: readonly string[] | null },
): Promise<Client | undefined> {
  const [client] = await sql.query<Client>(
    `INSERT INTO oauth_clients (id, name, redirect_uris, scopes, registered_itself, grant_types)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING RETURNING ${columns}`,
    [values.id, values.name, values.redirectUris, values.scopes, registeredItself, grantTypes],
  );
  return client;
}

/** Updates the given columns. @returns undefined when there is no such client. */
export async function updateClientRow(
  sql: Queryable,
  id: string,
  { name, redirectUris, scopes }: ClientUpdate,
): Promise<Client | undefined> {
  const params = new Parameters();
  const assignments = assignmentsOf(OAuthClient, { name, redirectUris, scopes }, params);
  const [client] = await sql.query<Client>(
    `UPDATE oauth_clients SET ${[...assignments, 'updated_at = now()'].join(', ')}
     WHERE id = ${params.add(id)} RETURNING ${columns}`,
    params.values,
  );
  return client;
}

/** Approves a self-registered client. @returns undefined for a client that needs no approval or is approved. */
export async function updateApproval(sql: Queryable, id: string): Promise<Client | undefined> {
  const [client] = await sql.query<Client>(
    `UPDATE oauth_clients SET approved_at = now(), updated_at = now()
     WHERE id = $1 AND registered_itself AND approved_at IS NULL RETURNING ${columns}`,
    [id],
  );
  return client;
}

/** Stores the time of the first consent of a user. @returns undefined after an earlier consent. */
export async function updateFirstConsent(sql: Queryable, id: string): Promise<Client | undefined> {
  const [client] = await sql.query<Client>(
    `UPDATE oauth_clients SET consented_at = now() WHERE id = $1 AND consented_at IS NULL RETURNING ${columns}`,
    [id],
  );
  return client;
}

/** Deletes a client; its codes and tokens are deleted by cascade. @returns false when there is no such client. */
export async function deleteClientRow(sql: Queryable, id: string): Promise<boolean> {
  const deleted = await sql.query('DELETE FROM oauth_clients WHERE id = $1 RETURNING id', [id]);
  return deleted.length > 0;
}

/**
 * Deletes self-registered clients without consent and approval: those older than `retentionHours`, unless a device of
 * theirs is pending, and the oldest beyond `maxCount`. Rows that other transactions have locked are skipped.
 */
export async function deleteUnusedClients(
  sql: Queryable,
  { retentionHours, maxCount, batch }: { retentionHours: number; maxCount: number; batch: number },
): Promise<void> {
  await sql.query(
    `DELETE FROM oauth_clients WHERE id IN (
       SELECT c.id FROM oauth_clients c
       WHERE c.registered_itself AND c.approved_at IS NULL AND c.consented_at IS NULL
         AND ((c.created_at < now() - $1 * interval '1 hour'
             AND NOT EXISTS (SELECT FROM oauth_device_codes d WHERE d.client_id = c.id AND d.expires_at > now()))
           OR (c.created_at, c.id) <= (
             SELECT created_at, id FROM oauth_clients
             WHERE registered_itself AND approved_at IS NULL AND consented_at IS NULL
             ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT 1))
       ORDER BY c.created_at, c.id LIMIT $3 FOR UPDATE SKIP LOCKED)`,
    [retentionHours, maxCount, batch],
  );
}
