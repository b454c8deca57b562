import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import { roleNamed } from '@quire/permissions';
import type { AuditLog } from '../../audit/index.js';
import {
  deleteAllowedDomainRow,
  insertAllowedDomain,
  selectAllowedDomains,
  updateAllowedDomainRow,
  type AllowedDomainRow,
} from './allowed-domains.repository.js';
import type {
  AllowedDomainResponse,
  AllowedDomainUpdate,
  NewAllowedDomain,
} from './allowed-domains.schemas.js';
import type { DefaultRolePolicy } from './default-role.policy.js';

interface AllowedDomainDeps {
  audit: AuditLog;
  defaultRoles: DefaultRolePolicy;
}

/** @returns the domains whose users may sign up, ordered by name (contract 24). */
export async function listAllowedDomains(ctx: Context): Promise<AllowedDomainResponse[]> {
  return (await selectAllowedDomains(ctx.db)).map(toAllowedDomainResponse);
}

/**
 * Creates an allowed domain, enabled (contract 24).
 * @throws QuireError CONFLICT when the domain is already allowed, VALIDATION_ERROR (role).
 */
export async function createAllowedDomain(
  ctx: Context,
  { audit, defaultRoles }: AllowedDomainDeps,
  input: NewAllowedDomain,
): Promise<AllowedDomainResponse> {
  defaultRoles.assertAllowed(input.defaultRole);
  return ctx.db.transaction(async (tx) => {
    const created = await insertAllowedDomain(tx, input);
    if (!created) throw new QuireError('CONFLICT', `domain: '${input.domain}' is already allowed`);
    await audit.record(tx, {
      by: ctx,
      action: 'allowed-domain.created',
      target: { type: 'allowed-domain', id: created.domain },
      details: { defaultRole: created.defaultRole },
    });
    return toAllowedDomainResponse(created);
  });
}

/**
 * Updates whether a domain is enabled, and its default role (contract 24).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (role).
 */
export async function updateAllowedDomain(
  ctx: Context,
  { audit, defaultRoles }: AllowedDomainDeps,
  { domain, update }: { domain: string; update: AllowedDomainUpdate },
): Promise<AllowedDomainResponse> {
  defaultRoles.assertAllowed(update.defaultRole);
  return ctx.db.transaction(async (tx) => {
    const updated = await updateAllowedDomainRow(tx, domain, update);
    if (!updated) throw notFound('allowed domain');
    const { defaultRole, enabled } = updated;
    await audit.record(tx, {
      by: ctx,
      action: 'allowed-domain.updated',
      target: { type: 'allowed-domain', id: domain },
      details: { defaultRole, enabled },
    });
    return toAllowedDomainResponse(updated);
  });
}

/** Deletes an allowed domain, without its users (contract 24). @throws QuireError NOT_FOUND */
export async function deleteAllowedDomain(
  ctx: Context,
  { audit }: AllowedDomainDeps,
  domain: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteAllowedDomainRow(tx, domain))) throw notFound('allowed domain');
    const target = { type: 'allowed-domain', id: domain } as const;
    await audit.record(tx, { by: ctx, action: 'allowed-domain.deleted', target });
  });
}

function toAllowedDomainResponse(row: AllowedDomainRow): AllowedDomainResponse {
  const { domain, defaultRole, enabled, createdAt } = row;
  return { domain, defaultRole, roleName: roleNamed(defaultRole) ?? '', enabled, createdAt };
}
