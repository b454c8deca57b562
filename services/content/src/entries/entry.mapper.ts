import type { Context } from '@quire/context';
import type { StoredCredit } from '../bylines/credits/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryDeps } from './entry-deps.js';
import {
  draftValues,
  emptySeo,
  liveValues,
  stagedSlug,
  type ContentSeo,
  type EntryRow,
  type EntryValues,
} from './entry-row.js';
import { applyImageFiles, hydrateImages, type ImageFiles } from './hydrate-images.js';

/** An entry in responses (contract 6, ContentItem). */
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
  /** The slug that publishing the draft makes live; absent where it is `slug`. */
  draftSlug?: string;
}

/** An entry with its definition, as it is stored. */
export interface SavedEntry {
  definition: CollectionDefinition;
  row: EntryRow;
}

export interface EntryResponse {
  item: ContentItem;
  _rev: string;
}

/** The opaque token of an entry's state, `_rev`. It changes with every write, staging included. */
export function revisionToken({ version, updatedAt }: Pick<EntryRow, 'version' | 'updatedAt'>): string {
  return Buffer.from(`${version}:${updatedAt}`).toString('base64');
}

/** An entry in a list, with its live values. */
export function toListItem(
  definition: CollectionDefinition,
  row: EntryRow,
  canSeeDrafts: boolean,
): ContentItem {
  const item = toContentItem(definition, row, liveValues(definition, row));
  if (!canSeeDrafts) delete item.draftRevisionId;
  return item;
}

/**
 * An entry in a single response. Readers without drafts see an entry with a draft as if it had none.
 * @returns also whether all images have their files
 */
export async function toReadResponse(
  ctx: Context,
  { media }: Pick<EntryDeps, 'media'>,
  entry: SavedEntry,
  canSeeDrafts: boolean,
): Promise<{ response: EntryResponse; isComplete: boolean }> {
  const response = buildResponse(entry, canSeeDrafts);
  const isComplete = await hydrateImages(ctx, media, entry.definition, valuesOf(response));
  return { response, isComplete };
}

/** As `toReadResponse`, for an editor. */
export async function toEntryResponse(
  ctx: Context,
  deps: Pick<EntryDeps, 'media'>,
  entry: SavedEntry,
): Promise<EntryResponse> {
  return (await toReadResponse(ctx, deps, entry, true)).response;
}

/** As `toEntryResponse` for an editor, with images that were fetched before: for use inside a transaction. */
export function toEntryResponseWithFiles(entry: SavedEntry, files: ImageFiles): EntryResponse {
  const response = buildResponse(entry, true);
  applyImageFiles(entry.definition, valuesOf(response), files);
  return response;
}

function buildResponse({ definition, row }: SavedEntry, canSeeDrafts: boolean): EntryResponse {
  const draft = canSeeDrafts ? draftValues(definition, row) : undefined;
  const live = liveValues(definition, row);
  const item = toContentItem(definition, row, draft ?? live);
  if (draft) item.liveData = live;
  const slug = draft && stagedSlug(row);
  if (slug !== undefined && slug !== row.slug) item.draftSlug = slug;
  if (!canSeeDrafts) delete item.draftRevisionId;
  return { item, _rev: revisionToken(row) };
}

function valuesOf({ item: { data, liveData } }: EntryResponse): EntryValues[] {
  return liveData ? [data, liveData] : [data];
}

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
    ...(definition.hasSeo ? { seo: { ...emptySeo, ...row._seo } } : {}),
  };
}
