import type { Context } from '@quire/context';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import type { SourceInput } from '@quire/import-sources';
import type { TransferDeps } from '../../transfer-deps.js';
import { AccessTokenCipher } from './access-token-cipher.js';
import { deleteConnectionRow, selectConnection, selectConnections } from './connections.repository.js';
import type { Connection } from './connections.schemas.js';

/** The connections of the user, the newest first, without their access tokens. */
export async function listImportConnections(ctx: Context): Promise<{ items: Connection[] }> {
  const rows = await selectConnections(ctx.db, userOf(ctx));
  return {
    items: rows.map(({ id, source, siteId, siteUrl, createdAt }) => ({
      id,
      source,
      siteId,
      siteUrl,
      createdAt,
    })),
  };
}

/**
 * Deletes a connection of the user with its access token. The provider is not informed.
 * @throws QuireError NOT_FOUND
 */
export async function deleteImportConnection(ctx: Context, id: string): Promise<{ deleted: true }> {
  if (!(await deleteConnectionRow(ctx.db, { id, userId: userOf(ctx) }))) throw notFound('connection');
  return { deleted: true };
}

/**
 * The input of a source for a connection of the user.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR when the access token cannot be decrypted
 */
export async function openConnection(
  ctx: Context,
  { options }: Pick<TransferDeps, 'options'>,
  { id, source }: { id: string; source: string },
): Promise<SourceInput> {
  const connection = await selectConnection(ctx.db, { id, source, userId: userOf(ctx) });
  if (!connection) throw notFound('connection');
  const { clientSecret } = options.hostedApplication;
  const { siteUrl: url, siteId, sealedAccessToken } = connection;
  const accessToken =
    clientSecret &&
    new AccessTokenCipher(clientSecret, ctx.principal.tenant.id).open(sealedAccessToken, connection);
  if (!accessToken)
    throw invalidInput([
      {
        path: 'input.connection',
        message: 'was made with another client secret than the present one: connect the site again',
      },
    ]);
  return { type: 'oauth', url, accessToken, siteId };
}

/** @throws QuireError FORBIDDEN for work without a user */
export function userOf({ principal: { userId } }: Context): string {
  if (userId === null) throw new QuireError('FORBIDDEN', 'Sign in to connect a site');
  return userId;
}
