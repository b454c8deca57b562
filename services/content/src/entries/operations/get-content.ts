import type { Context } from '@quire/context';
import type { Conditional } from '@quire/http-server';
import { canOnRow } from '@quire/permissions';
import type { CollectionDefinition } from '../../schema/index.js';
import { canSeeDrafts } from '../entries.policy.js';
import type { EntryDeps } from '../entry-deps.js';
import { entryState, type EntryRow } from '../entry-row.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import { imageState } from '../hydrate-images.js';
import { loadEntry, readableRows, withDefinition, type EntryTarget } from '../load-entry.js';
import {
  firstPageSize,
  linkedScope,
  referencePage,
  type ReferencePage,
} from '../references/linked-entries.js';
import { convertToMarkdown } from '../markdown-values.js';
import type { FindOptions } from '../repository/find-entry.js';

/**
 * Reads one entry by id or slug, with its draft for callers who see drafts, and the first page of each selection (spec
 * document 1, Content entry; decision 7).
 * `data._importError` is the failure of an import, for callers who may edit the entry.
 * @param input.markdown returns rich text as Markdown
 * @param input.conditional ends the read after one cheap statement if the client has the present state
 * @throws QuireError NOT_FOUND (also for an entry that the caller may not see), COLLECTION_NOT_FOUND.
 */
export async function getContent(
  ctx: Context,
  deps: EntryDeps,
  { conditional, markdown, ...target }: EntryTarget & { conditional?: Conditional; markdown?: boolean },
): Promise<EntryResponse & { references: Record<string, ReferencePage> }> {
  const isEditor = canSeeDrafts(ctx.principal);
  const options: FindOptions = {
    rows: readableRows(ctx),
    withImportError: isEditor,
    selections: { canSeeDrafts: isEditor, defaultLocale: deps.locales.default },
  };
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const images = conditional && (await imageState(ctx, deps.media, definition));
    const stateOf = (row: EntryRow) => [definition.statementKey, isEditor, images, entryState(row)];
    if (conditional?.hasValidators) {
      const state = { ...options, isStateOnly: true };
      conditional.throwIfNotModified(stateOf(await loadEntry(ctx.db, deps, definition, target, state)));
    }
    const row = await loadEntry(ctx.db, deps, definition, target, options);
    const response = await toEntryResponse(ctx, deps, { definition, row }, isEditor);
    if (row._importError && canOnRow(ctx.principal, 'content:edit', row.authorId))
      response.item.data['_importError'] = row._importError;
    if (markdown) await convertToMarkdown(definition, [response.item]);
    // No validator if a file changed during the read: the next request reads again. None for a failed import either,
    // because it depends on the caller who sees it.
    if (conditional && !row._importError && images === (await imageState(ctx, deps.media, definition)))
      conditional.mark(stateOf(row));
    return { ...response, references: referencesOf(ctx, definition, row) };
  });
}

function referencesOf(
  ctx: Context,
  { references }: CollectionDefinition,
  row: EntryRow,
): Record<string, ReferencePage> {
  const pages = references.map((reference) => {
    const scope = linkedScope(ctx.principal.tenant.id, reference, row._group);
    const linked = row._references?.[reference.field] ?? [];
    return [reference.field, referencePage(linked, firstPageSize, { reference, scope })] as const;
  });
  return Object.fromEntries(pages);
}
