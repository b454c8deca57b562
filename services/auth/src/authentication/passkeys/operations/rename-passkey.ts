import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { PasskeyDeps } from '../passkey-deps.js';
import { passkeyColumns } from '../passkeys.repository.js';
import type { OwnPasskey } from '../passkeys.schemas.js';

/** Gives one of the caller's passkeys another name. @throws QuireError NOT_FOUND */
export async function renamePasskey(
  ctx: Context,
  { audit }: PasskeyDeps,
  { id, name }: { id: string; name: string },
): Promise<OwnPasskey> {
  const { userId } = ctx.principal;
  return ctx.db.transaction(async (tx) => {
    const [renamed] = await tx.query<OwnPasskey>(
      `UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING ${passkeyColumns}`,
      [id, userId, name],
    );
    if (userId === null || !renamed) throw notFound('passkey');
    const target = { type: 'credential', id } as const;
    await audit.record(tx, {
      by: ctx,
      action: 'credential.renamed',
      target,
      userId,
      details: { kind: 'passkey' },
    });
    return renamed;
  });
}
