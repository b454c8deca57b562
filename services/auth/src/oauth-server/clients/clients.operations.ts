import type { Context } from '@quire/context';
import { cursorScope, KeysetPage, type Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import type { AuditLog } from '../../audit/index.js';
import type { OAuthDeps } from '../oauth-deps.js';
import {
  clientOrder,
  deleteClientRow,
  insertClient,
  selectClient,
  selectClients,
  updateApproval,
  updateClientRow,
  updateFirstConsent,
  type ClientUpdate,
  type ClientValues,
} from './clients.repository.js';
import type { Client, ClientsQuery } from './clients.schemas.js';

/** @returns one page of the clients, newest first (contract 33). @throws QuireError INVALID_CURSOR */
export async function listOAuthClients(
  ctx: Context,
  { cursor, limit }: ClientsQuery,
): Promise<{ items: Client[]; nextCursor?: string }> {
  const scope = cursorScope({
    operation: 'listOAuthClients',
    tenant: ctx.principal.tenant.id,
    filters: {},
  });
  const page = new KeysetPage(clientOrder, scope, { cursor, limit });
  const rows = await selectClients(ctx.db, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

/** Creates a client with an id that the administrator chooses (contract 33). @throws QuireError CONFLICT */
export async function createOAuthClient(
  ctx: Context,
  { audit }: OAuthDeps,
  values: ClientValues,
): Promise<Client> {
  const input = { ...values, scopes: values.scopes && [...new Set(values.scopes)] };
  return ctx.db.transaction(async (tx) => {
    const client = await insertClient(tx, input, { registeredItself: false, grantTypes: null });
    if (!client) throw new QuireError('CONFLICT', `A client with the id '${values.id}' already exists`);
    await auditClientCreated(tx, { ctx, audit }, client);
    return client;
  });
}

/** @returns one client (contract 33). @throws QuireError NOT_FOUND */
export async function getOAuthClient(ctx: Context, id: string): Promise<Client> {
  const client = await selectClient(ctx.db, id);
  if (!client) throw notFound('client');
  return client;
}

/**
 * Updates a client (contract 33). Its tokens are limited to the new scopes when they are refreshed, within an hour.
 * @throws QuireError NOT_FOUND
 */
export async function updateOAuthClient(
  ctx: Context,
  { audit }: OAuthDeps,
  { id, update }: { id: string; update: ClientUpdate },
): Promise<Client> {
  return ctx.db.transaction(async (tx) => {
    const client = await updateClientRow(tx, id, update);
    if (!client) throw notFound('client');
    const fields = Object.entries(update).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    const target = { type: 'oauth-client', id } as const;
    await audit.record(tx, { by: ctx, action: 'oauth-client.updated', target, details: { fields } });
    return client;
  });
}

/**
 * Approves a client that registered itself: it is then treated as one that an administrator created (decision 57). A
 * client that needs no approval is unchanged.
 * @throws QuireError NOT_FOUND
 */
export async function approveOAuthClient(ctx: Context, { audit }: OAuthDeps, id: string): Promise<Client> {
  return ctx.db.transaction(async (tx) => {
    const approved = await updateApproval(tx, id);
    const client = approved ?? (await selectClient(tx, id));
    if (!client) throw notFound('client');
    const target = { type: 'oauth-client', id } as const;
    if (approved) await audit.record(tx, { by: ctx, action: 'oauth-client.approved', target });
    return client;
  });
}

/** Deletes a client with its codes and tokens (contract 33). @throws QuireError NOT_FOUND */
export async function deleteOAuthClient(
  ctx: Context,
  { relay, audit }: OAuthDeps,
  id: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteClientRow(tx, id))) throw notFound('client');
    const target = { type: 'oauth-client', id } as const;
    await audit.record(tx, { by: ctx, action: 'oauth-client.deleted', target });
    tx.afterCommit(() => relay.invalidate('credentials', ctx.principal.tenant.id));
  });
}

/** Whether an administrator created or approved the client; the metadata of others is unverified. */
export function isTrustedClient({
  registeredItself,
  approvedAt,
}: Pick<Client, 'registeredItself' | 'approvedAt'>): boolean {
  return !registeredItself || approvedAt !== null;
}

/**
 * Stores the consent of a user to a client. The first consent records a self-registered client in the audit log:
 * recording its registration would let any client fill the log.
 */
export async function recordConsent(
  tx: Queryable,
  { ctx, audit }: { ctx: Context } & Pick<OAuthDeps, 'audit'>,
  clientId: string,
): Promise<void> {
  const client = await updateFirstConsent(tx, clientId);
  if (client?.registeredItself) await auditClientCreated(tx, { ctx, audit }, client);
}

async function auditClientCreated(
  tx: Queryable,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { id, scopes, registeredItself }: Client,
): Promise<void> {
  const target = { type: 'oauth-client', id } as const;
  const details = { scopes, registeredItself };
  await audit.record(tx, { by: ctx, action: 'oauth-client.created', target, details });
}
