import type { Context } from '@quire/context';
import { formatVersion, packageLimits } from '@quire/site-package';
import type { TransferDeps } from '../../../transfer-deps.js';
import { inspectSite } from '../inspect-site.js';

/** Listed records of each sort at most: a site may have thousands. */
const maxListed = 50;

/** What this installation can transfer, and whether the site may receive an import. */
export interface TransferCapabilities {
  formatVersions: string[];
  features: string[];
  optionalFeatures: string[];
  limits: typeof packageLimits;
  portableDomain: {
    /** Whether the site has only records of its default seed. */
    empty: boolean;
    blockers: Record<string, string>[];
    seededScaffold: Record<string, string>[];
  };
}

/**
 * The formats and limits of packages, and what the site has that an import replaces or that prevents one (contract 25).
 * @throws QuireError SERVICE_UNAVAILABLE when a service that owns records is unavailable
 */
export async function getTransferCapabilities(
  ctx: Context,
  deps: Pick<TransferDeps, 'clients'>,
): Promise<TransferCapabilities> {
  const { blockers, scaffold } = await inspectSite(ctx, deps);
  return {
    formatVersions: [formatVersion],
    features: [],
    optionalFeatures: [],
    limits: packageLimits,
    portableDomain: {
      empty: blockers.length === 0,
      blockers: blockers.slice(0, maxListed).map(({ kind, count }) => ({ kind, count: String(count) })),
      seededScaffold: scaffold.slice(0, maxListed).map(({ kind, key }) => ({ kind, key })),
    },
  };
}
