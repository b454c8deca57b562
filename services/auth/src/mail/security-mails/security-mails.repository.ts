import type { Queryable } from '@quire/database';

/** @returns the name of a passkey; an empty text for a passkey without a name. */
export function selectPasskeyName(sql: Queryable, id: string | undefined): Promise<string> {
  return selectName(sql, 'SELECT name FROM passkeys WHERE id = $1', id);
}

/** @returns the name of a personal access token. */
export function selectTokenName(sql: Queryable, id: string | undefined): Promise<string> {
  return selectName(sql, 'SELECT name FROM api_tokens WHERE id = $1', id);
}

/** @returns the name of the application of a grant; an empty text for an unregistered application. */
export function selectApplicationName(sql: Queryable, grantId: string | undefined): Promise<string> {
  return selectName(
    sql,
    'SELECT c.name FROM oauth_grants g LEFT JOIN oauth_clients c ON c.id = g.client_id WHERE g.id = $1',
    grantId,
  );
}

async function selectName(sql: Queryable, statement: string, id: string | undefined): Promise<string> {
  const [row] = await sql.query<{ name: string | null }>(statement, [id]);
  return row?.name ?? '';
}
