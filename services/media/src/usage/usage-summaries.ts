import type { Context } from '@quire/context';
import { can } from '@quire/permissions';
import { coverageStatus } from './coverage-status.js';
import { selectCoverage } from './usage-coverage.repository.js';
import { countUsage } from './usage-index.repository.js';
import type { UsageDeps } from './usage-deps.js';
import type { CoverageStatus, UsageSummary } from './usage.schemas.js';

/** The parts of a usage response that do not depend on an item's entries: coverage and site settings. */
export interface UsageContext {
  coverage: { scope: 'all_content_collections'; status: CoverageStatus };
  /** The site settings that reference an item. */
  settingsOf(mediaId: string): { setting: string }[];
}

/** Reads coverage and site settings. @throws QuireError SERVICE_UNAVAILABLE when content is unavailable. */
export async function loadUsageContext(ctx: Context, { content }: UsageDeps): Promise<UsageContext> {
  const [{ collections, settings }, rows] = await Promise.all([
    content.referrers(ctx),
    selectCoverage(ctx.db, ctx.principal.tenant),
  ]);
  return {
    coverage: { scope: 'all_content_collections', status: coverageStatus(collections, rows) },
    settingsOf: (mediaId) =>
      settings.filter((each) => each.mediaId === mediaId).map(({ setting }) => ({ setting })),
  };
}

/**
 * Returns the usage of items. The number of statements does not depend on the number of items (document 1, Media 2).
 * @throws QuireError SERVICE_UNAVAILABLE when content is unavailable.
 */
export async function usageSummaries(
  ctx: Context,
  deps: UsageDeps,
  mediaIds: readonly string[],
): Promise<(mediaId: string) => UsageSummary> {
  const [{ coverage, settingsOf }, counts] = await Promise.all([
    loadUsageContext(ctx, deps),
    can(ctx.principal, 'content:read_drafts') ? countUsage(ctx.db, ctx.principal.tenant, mediaIds) : null,
  ]);
  return (mediaId) => {
    const siteSettings = settingsOf(mediaId);
    const count = counts && (counts.get(mediaId) ?? 0) + siteSettings.length;
    return { count, coverage, siteSettings };
  };
}
