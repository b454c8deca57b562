import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { passkeyColumns } from '../passkeys.repository.js';
import type { OwnPasskey } from '../passkeys.schemas.js';

/** Gives one of the caller's passkeys another name. @throws QuireError NOT_FOUND */
export async function renamePasskey(ctx: Context, id: string, name: string): Promise<OwnPasskey> {
  const [renamed] = await ctx.db.query<OwnPasskey>(
    `UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING ${passkeyColumns}`,
    [id, ctx.principal.userId, name],
  );
  if (!renamed) throw notFound('passkey');
  return renamed;
}
