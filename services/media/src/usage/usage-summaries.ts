import type { Context } from '@quire/context';
import { can } from '@quire/permissions';
import { coverageStatus } from './coverage-status.js';
import { selectCoverage } from './usage-coverage.repository.js';
import { countUsage } from './usage-index.repository.js';
import type { UsageDeps } from './usage-deps.js';
import type { CoverageStatus, UsageSummary } from './usage.schemas.js';

/** How far the index goes, and which settings select which items: what is said of any item's usage. */
export interface UsageContext {
  coverage: { scope: 'all_content_collections'; status: CoverageStatus };
  /** The settings that select an item. */
  settingsOf(mediaId: string): { setting: string }[];
}

/** Reads both as they are now. @throws QuireError SERVICE_UNAVAILABLE when content cannot be asked. */
export async function loadUsageContext(ctx: Context, { content }: UsageDeps): Promise<UsageContext> {
  const [collections, settings, rows] = await Promise.all([
    content.collections(ctx),
    content.settings(ctx),
    selectCoverage(ctx.db, ctx.principal.tenant),
  ]);
  return {
    coverage: { scope: 'all_content_collections', status: coverageStatus(collections, rows) },
    settingsOf: (mediaId) =>
      settings.filter((each) => each.mediaId === mediaId).map(({ setting }) => ({ setting })),
  };
}

/**
 * The usage of each of some items, in as many statements for a page as for one (document 1, Media 2).
 * @throws QuireError SERVICE_UNAVAILABLE when content cannot be asked.
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
