import type { Context } from '@quire/context';
import { identifier } from '@quire/database';
import { loadEntry, readableRows, withDefinition, type EntryTarget } from '../save-entry.js';
import { canSeeDrafts } from '../entries.policy.js';
import type { EntryDeps } from '../entry-deps.js';

export interface Translation {
  id: string;
  locale: string;
  slug: string | null;
  status: string;
  updatedAt: string;
}

/**
 * All entries of an entry's translation group, itself included, by locale; published ones alone for readers without
 * content:read_drafts.
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND.
 */
export async function getContentTranslations(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<{ translationGroup: string; translations: Translation[] }> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const { _group } = await loadEntry(ctx.db, deps, definition, target, { rows: readableRows(ctx) });
    const translations = await ctx.db.query<Translation>(
      `SELECT id, _locale AS locale, slug, status, updated_at AS "updatedAt" FROM ${identifier(definition.table)}
       WHERE _translation_group = $1 AND deleted_at IS NULL AND ($2 OR status = 'published') ORDER BY _locale`,
      [_group, canSeeDrafts(ctx.principal)],
    );
    return { translationGroup: _group, translations };
  });
}
