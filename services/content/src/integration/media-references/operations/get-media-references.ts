import { createHash } from 'node:crypto';
import { canReferenceMedia, mediaReferences, type FieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import { withDefinition, type EntryDeps } from '../../../entries/index.js';
import type { CollectionDefinition } from '../../../schema/index.js';
import {
  isCurrentVersion,
  selectReferringEntries,
  type ReferringEntryRow,
} from '../media-references.repository.js';
import type {
  MediaReferencesResponse,
  MediaReferencesQuery,
  ReferringEntry,
} from '../media-references.schemas.js';

/**
 * Which media items entries refer to, as they are now, live and staged, trashed ones included (document 1, Media 3). It
 * reads a bounded page, and tells nothing else of the entries but what lists of usage show.
 * @throws QuireError COLLECTION_NOT_FOUND.
 */
export async function getMediaReferences(
  ctx: Context,
  deps: EntryDeps,
  query: MediaReferencesQuery,
): Promise<MediaReferencesResponse> {
  await invalidateStaleDefinition(ctx, deps, query.collection);
  return withDefinition(ctx, deps, query.collection, async (definition) => {
    const fields = { media: definition.columns.filter(canReferenceMedia), title: titleColumn(definition) };
    const rows = await selectReferringEntries(ctx.db, definition, fields, query);
    const { id, slug, version } = definition;
    return {
      collection: { id, slug, version, shape: shapeOf(fields) },
      entries: rows.map((row) => referringEntry(definition, fields.media, row)),
      next: (rows[0]?._found ?? 0) > rows.length ? (rows.at(-1)?.id ?? null) : null,
    };
  });
}

/**
 * A field that this process has not heard of yet would be left out without a word, as nothing is written here that is
 * checked.
 */
async function invalidateStaleDefinition(
  ctx: Context,
  { definitions }: EntryDeps,
  slug: string,
): Promise<void> {
  const definition = await definitions.get(ctx, slug);
  if (!(await isCurrentVersion(ctx.db, definition))) definitions.invalidate(ctx.principal.tenant.id);
}

function referringEntry(
  { blockFields }: CollectionDefinition,
  media: readonly FieldDefinition[],
  { id, slug, status, scheduledAt, deletedAt, _locale, _title, _draft, ...values }: ReferringEntryRow,
): ReferringEntry {
  return {
    id,
    title: _title,
    slug,
    locale: _locale,
    status,
    scheduledAt,
    deletedAt,
    sources: {
      columns: mediaReferences(media, values, blockFields),
      draft_overlay: _draft && mediaReferences(media, _draft, blockFields),
    },
  };
}

/** The column that entries are named by, as for titles of selected entries. */
function titleColumn({ titleField, fieldBySlug }: CollectionDefinition): string | null {
  if (titleField !== null) return titleField;
  const isName = (slug: string) => ['string', 'text', 'slug'].includes(fieldBySlug.get(slug)?.type ?? '');
  return ['title', 'name'].find(isName) ?? null;
}

function shapeOf({ media, title }: { media: readonly FieldDefinition[]; title: string | null }): string {
  const parts = media.map(({ slug, type, validation }) => [
    slug,
    type,
    (validation?.subFields ?? [])
      .filter((subField) => subField.type === 'image')
      .map((subField) => subField.slug),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([title, parts.sort()]))
    .digest('base64url')
    .slice(0, 16);
}
