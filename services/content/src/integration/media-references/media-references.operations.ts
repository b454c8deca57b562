import { createHash } from 'node:crypto';
import { canReferenceMedia, mediaReferences, type FieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { contentApi } from '@quire/internal-api';
import { withDefinition, type EntryDeps } from '../../entries/index.js';
import { titleFieldOf, type CollectionDefinition } from '../../schema/index.js';
import {
  isCurrentVersion,
  selectReferrers,
  selectReferringEntries,
  type ReferringEntryRow,
} from './media-references.repository.js';

/**
 * The media items that entries refer to now, live and staged, trashed entries included (document 1, Media 3). Reads a
 * bounded page and returns only the fields that lists of usage show.
 * @throws QuireError COLLECTION_NOT_FOUND.
 */
export async function getMediaReferences(
  ctx: Context,
  deps: EntryDeps,
  query: contentApi.MediaReferencesRequest,
): Promise<contentApi.MediaReferencesPage> {
  await invalidateStaleDefinition(ctx, deps, query.collection);
  return withDefinition(ctx, deps, query.collection, async (definition) => {
    const fields = {
      media: definition.columns.filter(canReferenceMedia),
      title: titleFieldOf(definition)?.slug ?? null,
    };
    const rows = await selectReferringEntries(ctx.db, definition, fields, query);
    const { id, slug } = definition;
    return {
      collection: { id, slug, shape: shapeOf(fields) },
      entries: rows.map((row) => toReferringEntry(definition, fields.media, row)),
      next: (rows[0]?._found ?? 0) > rows.length ? (rows.at(-1)?.id ?? null) : null,
    };
  });
}

/** The collections of the site, and its settings that select media items (document 1, Media 3). */
export function getMediaReferrers(ctx: Context): Promise<contentApi.MediaReferrers> {
  return selectReferrers(ctx.db);
}

/**
 * No write follows that would detect a stale definition. Without this check the response would lack the references of a
 * field that this process does not know yet.
 */
async function invalidateStaleDefinition(
  ctx: Context,
  { definitions }: EntryDeps,
  slug: string,
): Promise<void> {
  const definition = await definitions.get(ctx, slug);
  if (!(await isCurrentVersion(ctx.db, definition))) definitions.invalidate(ctx.principal.tenant.id);
}

function toReferringEntry(
  { blockFields }: CollectionDefinition,
  media: readonly FieldDefinition[],
  { id, slug, status, scheduledAt, deletedAt, _locale, _title, _draft, ...values }: ReferringEntryRow,
): contentApi.EntryMediaReferences {
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

function shapeOf({ media, title }: { media: readonly FieldDefinition[]; title: string | null }): string {
  const columns = media.map(({ slug, type, validation }) => [
    slug,
    type,
    (validation?.subFields ?? [])
      .filter((subField) => subField.type === 'image')
      .map((subField) => subField.slug),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([title, columns.sort()]))
    .digest('base64url')
    .slice(0, 16);
}
