import type { AuditHeads } from '@quire/auth-service';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { findTenantDetails, selectBreakingMigrations, type Tenant } from '@quire/tenancy';
import { version } from '../version.js';
import { backupFormat, type BackupManifest } from './backup-manifest.js';

export type SiteFacts = Omit<BackupManifest, 'databases' | 'hasObjects'>;

/** What a backup says of a site beside its tables. @throws QuireError NOT_FOUND when the site has been deleted */
export async function readSiteFacts(
  registry: Queryable,
  heads: AuditHeads,
  { id }: Tenant,
): Promise<SiteFacts> {
  const details = await findTenantDetails(registry, id);
  if (!details) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
  const { id: name, database, hosts, suspensionReason, readOnlyReason, settings, limits, plan } = details;
  const anchor = await heads.selectAnchor(id);
  return {
    format: backupFormat,
    createdAt: new Date().toISOString(),
    program: version,
    tenant: {
      id,
      ...(name !== id && { name }),
      database,
      hosts,
      suspensionReason,
      readOnlyReason,
      settings,
      limits,
      plan,
    },
    audit: {
      heads: (await heads.selectHeads(id)).map(({ hash, ...head }) => ({
        ...head,
        hash: hash.toString('hex'),
      })),
      anchor: anchor ? { seq: anchor.seq, hash: anchor.hash.toString('hex') } : null,
    },
    breakingMigrations: await selectBreakingMigrations(registry),
  };
}

/** Gives the registry the facts of a backup about the audit log of a site. */
export async function restoreAuditHeads(
  heads: AuditHeads,
  tenantId: string,
  { heads: stored, anchor }: SiteFacts['audit'],
): Promise<void> {
  const toBytes = <Head extends { hash: string }>(head: Head) => ({
    ...head,
    hash: Buffer.from(head.hash, 'hex'),
  });
  await heads.replace(tenantId, {
    heads: stored.map(toBytes),
    anchor: anchor ? toBytes(anchor) : undefined,
  });
}
