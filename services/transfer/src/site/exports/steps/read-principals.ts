import type { Context } from '@quire/context';
import { authApi, siteRecords } from '@quire/internal-api';
import type { TransferDeps } from '../../../transfer-deps.js';

const owners = ['content', 'media'] as const;
const maxRecords = 10_000;
const maxBytes = 8 * 1024 * 1024;

/**
 * A page of the users whom the copied records name, with their names and addresses. Users who have been deleted are
 * left out.
 * @param operationId the id of the copies
 * @param after number of the ids of the pages before
 */
export async function readPrincipals(
  ctx: Context,
  deps: TransferDeps,
  operationId: string,
  after: number,
): Promise<{ lines: string[]; last: number }> {
  const ids = await readIds(ctx, deps, operationId);
  for (let start = after; start < ids.length; start += authApi.maxUserIds) {
    const page = ids.slice(start, start + authApi.maxUserIds);
    const { items } = await deps.clients.auth.call(authApi.usersByIds, ctx, { ids: page });
    if (items.length === 0) continue;
    const users = new Map(items.map((user) => [user.id, user]));
    const lines = page.flatMap((id) => {
      const user = users.get(id);
      return user ? [JSON.stringify({ id, displayName: user.name ?? id, email: user.email })] : [];
    });
    return { lines, last: start + page.length };
  }
  return { lines: [], last: ids.length };
}

/** Ids of all named users in byte order; a site has few enough for one list. */
async function readIds(ctx: Context, { clients }: TransferDeps, operationId: string): Promise<string[]> {
  const ids = new Set<string>();
  for (const owner of owners) {
    for (let after = 0; ;) {
      const request = { operationId, kind: 'principals' as const, after, maxRecords, maxBytes };
      const { lines, last } = await clients[owner].call(siteRecords[owner].read, ctx, request);
      if (lines.length === 0) break;
      for (const line of lines) ids.add((JSON.parse(line) as { id: string }).id);
      after = last;
    }
  }
  return [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
