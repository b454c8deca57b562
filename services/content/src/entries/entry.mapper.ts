import type { Context } from '@quire/context';
import type { StoredCredit } from '../bylines/credits/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryDeps } from './entry-deps.js';
import { hydrateImages } from './hydrate-images.js';
import { draftValues, liveValues, type ContentSeo, type EntryRow, type EntryValues } from './entry-row.js';

/** An entry as the API answers it (contract 6, ContentItem). */
export interface ContentItem {
  id: string;
  type: string;
  slug: string | null;
  status: string;
  data: EntryValues;
  authorId: string | null;
  primaryBylineId: string | null;
  byline: StoredCredit['byline'] | null;
  bylines: StoredCredit[];
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  scheduledAt: string | null;
  liveRevisionId: string | null;
  draftRevisionId?: string | null;
  version: number;
  locale: string;
  translationGroup: string;
  seo?: ContentSeo;
  liveData?: EntryValues;
}

export interface EntryResponse {
  item: ContentItem;
  _rev: string;
}

/** The opaque token of an entry's state; it changes with every write, staging included. */
export function revisionToken({ version, updatedAt }: Pick<EntryRow, 'version' | 'updatedAt'>): string {
  return Buffer.from(`${version}:${updatedAt}`).toString('base64');
}

/** An entry in a list: live values, nothing of its draft. */
export function toListItem(
  definition: CollectionDefinition,
  row: EntryRow,
  canSeeDrafts: boolean,
): ContentItem {
  const item = toContentItem(definition, row, liveValues(definition, row));
  if (!canSeeDrafts) delete item.draftRevisionId;
  return item;
}

/** A single entry: with its draft laid over for those who may see drafts, as if there were none for others. */
export async function toEntryResponse(
  ctx: Context,
  { media }: EntryDeps,
  { definition, row }: { definition: CollectionDefinition; row: EntryRow },
  canSeeDrafts = true,
): Promise<EntryResponse> {
  const draft = canSeeDrafts ? draftValues(definition, row) : undefined;
  const live = liveValues(definition, row);
  const item = toContentItem(definition, row, draft ?? live);
  if (draft) item.liveData = live;
  if (!canSeeDrafts) delete item.draftRevisionId;
  await hydrateImages(ctx, media, definition, draft ? [draft, live] : [live]);
  return { item, _rev: revisionToken(row) };
}

const noSeo: ContentSeo = { title: null, description: null, image: null, canonical: null, noIndex: false };

function toContentItem(definition: CollectionDefinition, row: EntryRow, data: EntryValues): ContentItem {
  const bylines = row._bylines ?? [];
  return {
    id: row.id,
    type: definition.slug,
    slug: row.slug,
    status: row.status,
    data,
    authorId: row.authorId,
    primaryBylineId: row.primaryBylineId,
    byline: bylines[0]?.byline ?? null,
    bylines,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    publishedAt: row.publishedAt,
    scheduledAt: row.scheduledAt,
    liveRevisionId: row.liveRevisionId,
    draftRevisionId: row.draftRevisionId,
    version: row.version,
    locale: row._locale,
    translationGroup: row._group,
    ...(definition.hasSeo ? { seo: { ...noSeo, ...row._seo } } : {}),
  };
}
