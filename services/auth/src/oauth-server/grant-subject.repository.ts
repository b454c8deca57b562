import type { Queryable } from '@quire/database';
import type { GrantSubject } from './scopes.policy.js';

/**
 * Selects the limits of a grant and locks its user and client until the transaction ends: neither is deleted, and the
 * user is not disabled and keeps their role, until the tokens are issued. Lock order: before codes.
 * @param clientId null for the device flow without a registered client
 * @returns undefined when the user is deleted or disabled, or the client is deleted.
 */
export async function lockGrantSubject(
  tx: Queryable,
  userId: string,
  clientId: string | null,
): Promise<GrantSubject | undefined> {
  const [user] = await tx.query<{ role: number; disabled: boolean }>(
    'SELECT role, disabled FROM users WHERE id = $1 FOR SHARE',
    [userId],
  );
  if (!user || user.disabled) return undefined;
  if (clientId === null) return { role: user.role, clientScopes: null };
  const [client] = await tx.query<{ scopes: string[] | null }>(
    'SELECT scopes FROM oauth_clients WHERE id = $1 FOR KEY SHARE',
    [clientId],
  );
  return client && { role: user.role, clientScopes: client.scopes };
}
