import type { Context } from '@quire/context';
import { canSeeDrafts } from '../../../entries/index.js';
import type { MediaClient, AuthClient } from '../../../clients/index.js';
import { contentTableName, listCollections, titleColumns } from '../../../schema/index.js';
import type { Dashboard } from '../dashboard.js';
import {
  noEntries,
  selectRecentEntries,
  type EntryCounts,
  type VisibleCollection,
} from '../dashboard.repository.js';
import type { DashboardResponse } from '../dashboard.schemas.js';

export interface DashboardDeps {
  dashboard: Dashboard;
  media: MediaClient;
  users: AuthClient;
}

/**
 * What a site has and what changed last (contract 37). Whoever may not read drafts sees counts and entries of
 * what is published alone. What other services know is null while they are away.
 */
export async function getDashboard(
  ctx: Context,
  { dashboard, media, users }: DashboardDeps,
): Promise<DashboardResponse> {
  const isPublishedOnly = !canSeeDrafts(ctx.principal);
  const collections = await visibleCollections(ctx);
  const [counts, recentItems, mediaCount, userCount, health] = await Promise.all([
    dashboard.counts(ctx, collections),
    selectRecentEntries(ctx.db, collections, { isPublishedOnly }),
    media.count(ctx),
    users.count(ctx),
    dashboard.schedulerHealth(ctx),
  ]);
  const visible = (all: EntryCounts) => (isPublishedOnly ? publishedOnly(all) : all);
  return {
    collections: collections.map(({ slug, label }) => ({
      slug,
      label,
      ...visible(counts.get(slug) ?? noEntries),
    })),
    mediaCount,
    userCount,
    recentItems,
    schedulerHealth: health,
  };
}

async function visibleCollections(ctx: Context): Promise<VisibleCollection[]> {
  const collections = await listCollections(ctx);
  const titles = await titleColumns(
    ctx.db,
    collections.map(({ slug }) => slug),
  );
  return collections.map(({ slug, label }) => ({
    slug,
    label,
    table: contentTableName(slug),
    titleColumn: titles.get(slug) ?? null,
  }));
}

/** Schedules and drafts of published entries are no less hidden than drafts. */
const publishedOnly = ({ published }: EntryCounts): EntryCounts => ({
  ...noEntries,
  total: published,
  published,
});
