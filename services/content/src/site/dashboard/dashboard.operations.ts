import type { Context } from '@quire/context';
import { hasSqlState, sqlState } from '@quire/database';
import { canSeeDrafts } from '../../entries/index.js';
import type { MediaClient, AuthClient } from '../../clients/index.js';
import { contentTableName, listCollections, selectTitleColumns } from '../../schema/index.js';
import type { Dashboard } from './dashboard.js';
import {
  noEntries,
  selectRecentEntries,
  type EntryCounts,
  type VisibleCollection,
} from './dashboard.repository.js';
import type { DashboardResponse } from './dashboard.schemas.js';

const maxAttempts = 3;

export interface DashboardDeps {
  dashboard: Dashboard;
  media: MediaClient;
  users: AuthClient;
}

/**
 * @returns the counts of a site and its latest changes (contract 37). Callers who may not read drafts see counts and
 *   entries of published content only. Values of other services are null while those are unavailable.
 */
export function getDashboard(ctx: Context, deps: DashboardDeps): Promise<DashboardResponse> {
  return withCollections(ctx, (collections) => readDashboard(ctx, deps, collections));
}

/** Reads entries of all collections. Repeats it if a collection or its title field has been deleted since. */
export async function withCollections<Result>(
  ctx: Context,
  read: (collections: readonly VisibleCollection[]) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read(await visibleCollections(ctx));
    } catch (error) {
      const isStale = hasSqlState(error, sqlState.undefinedTable, sqlState.undefinedColumn);
      if (!isStale || attempt === maxAttempts) throw error;
    }
  }
}

async function readDashboard(
  ctx: Context,
  { dashboard, media, users }: DashboardDeps,
  collections: readonly VisibleCollection[],
): Promise<DashboardResponse> {
  const isPublishedOnly = !canSeeDrafts(ctx.principal);
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
  const titles = await selectTitleColumns(
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

/** Hides schedules and staged drafts of published entries like drafts. */
const publishedOnly = ({ published }: EntryCounts): EntryCounts => ({
  ...noEntries,
  total: published,
  published,
});
