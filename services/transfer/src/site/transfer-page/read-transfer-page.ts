import type { Context } from '@quire/context';
import { authApi, contentApi } from '@quire/internal-api';
import type { TransferDeps } from '../../transfer-deps.js';
import { listTransferApprovals, type ApprovalResponse } from '../approvals/index.js';
import { selectLatestOperations, type OperationRow } from '../operations/operations.repository.js';

const maxApprovals = 50;
const maxOperations = 10;

/** What the page shows. */
export interface TransferPageData {
  /** Name of the site. */
  site: string;
  /** E-mail address of the administrator. */
  user: string;
  /** Whether this installation signs users in, not an edge access proxy. */
  signsInHere: boolean;
  /** Pending requests, the newest first. */
  approvals: readonly ApprovalResponse[];
  /** Exports and imports, the newest first. */
  operations: readonly OperationRow[];
  /** Names of the users who started the operations, by id; users without a name have their address. */
  users: ReadonlyMap<string, string>;
}

/**
 * Reads the pending requests and the latest operations, with the names that the page shows.
 * @throws QuireError INSUFFICIENT_PERMISSIONS; SERVICE_UNAVAILABLE without the auth service
 */
export async function readTransferPage(ctx: Context, deps: TransferDeps): Promise<TransferPageData> {
  const { auth } = deps.clients;
  const [{ items: approvals }, operations, { authMode }, site] = await Promise.all([
    listTransferApprovals(ctx, deps, { status: 'pending', limit: maxApprovals }),
    selectLatestOperations(ctx.db, maxOperations),
    auth.call(authApi.getSignInMode, ctx),
    siteTitle(ctx, deps),
  ]);
  const userId = ctx.principal.userId ?? '';
  const ids = new Set([userId, ...operations.map(({ createdBy }) => createdBy)]);
  const { items: users } = await auth.call(authApi.usersByIds, ctx, { ids: [...ids] });
  return {
    site,
    user: users.find(({ id }) => id === userId)?.email ?? '',
    signsInHere: authMode === 'passkey',
    approvals,
    operations,
    users: new Map(users.map(({ id, name, email }) => [id, name ?? email])),
  };
}

/** The title of the site; its host name when it has no title, and while content is unavailable. */
async function siteTitle(ctx: Context, { clients }: TransferDeps): Promise<string> {
  const host = ctx.origin === null ? ctx.principal.tenant.id : new URL(ctx.origin).host;
  const settings = await clients.content.call(contentApi.getSiteTitle, ctx).catch(() => undefined);
  return settings?.title?.trim() || host;
}
