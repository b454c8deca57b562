import type { Context } from '@quire/context';
import type { StoredCredit } from '../credits/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryServices } from './entry-services.js';
import { refreshImages } from './refresh-images.js';
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

export interface EntryAnswer {
  item: ContentItem;
  _rev: string;
}

/** The opaque token of an entry's state; it changes with every write, staging included. */
export function revisionToken({ version, updatedAt }: Pick<EntryRow, 'version' | 'updatedAt'>): string {
  return Buffer.from(`${version}:${updatedAt}`).toString('base64');
}

/** An entry in a list: live values, nothing of its draft. */
export function listItem(definition: CollectionDefinition, row: EntryRow, seesDrafts: boolean): ContentItem {
  const item = itemWith(definition, row, liveValues(definition, row));
  if (!seesDrafts) delete item.draftRevisionId;
  return item;
}

/** A single entry: with its draft laid over for those who may see drafts, as if there were none for others. */
export async function entryAnswer(
  ctx: Context,
  { media }: EntryServices,
  { definition, row }: { definition: CollectionDefinition; row: EntryRow },
  seesDrafts = true,
): Promise<EntryAnswer> {
  const draft = seesDrafts ? draftValues(definition, row) : undefined;
  const live = liveValues(definition, row);
  const item = itemWith(definition, row, draft ?? live);
  if (draft) item.liveData = live;
  if (!seesDrafts) delete item.draftRevisionId;
  await refreshImages(ctx, media, definition, draft ? [draft, live] : [live]);
  return { item, _rev: revisionToken(row) };
}

const noSeo: ContentSeo = { title: null, description: null, image: null, canonical: null, noIndex: false };

function itemWith(definition: CollectionDefinition, row: EntryRow, data: EntryValues): ContentItem {
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
