import type { Context } from '@quire/context';
import type { Conditional } from '@quire/http-server';
import type { CollectionDefinition } from '../../schema/index.js';
import { loadEntry, readableRows, withDefinition, type EntryTarget } from '../change-entry.js';
import { seesDrafts } from '../entries.policy.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import { entryState, type EntryRow } from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import { imageState } from '../refresh-images.js';
import type { FindOptions } from '../statements/find-entry.js';
import {
  firstPageSize,
  linkedScope,
  referencePage,
  type ReferencePage,
} from '../selections/read-selections.js';

/**
 * One entry by id or slug, with its draft laid over for those who may see drafts, and the first page of what it selects by
 * field (spec document 1, Content entry; decision 7).
 * @param conditional ends the read early, after one cheap statement, when the client has seen this state
 * @throws QuireError NOT_FOUND (also for what the caller may not see), COLLECTION_NOT_FOUND.
 */
export async function getEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  conditional?: Conditional,
): Promise<EntryAnswer & { references: Record<string, ReferencePage> }> {
  const isEditor = seesDrafts(ctx.principal);
  const options: FindOptions = {
    rows: readableRows(ctx),
    selections: { seesDrafts: isEditor, defaultLocale: services.locales.default },
  };
  return withDefinition(ctx, services, target.collection, async (definition) => {
    const images = conditional && (await imageState(ctx, services.media, definition));
    const stateOf = (row: EntryRow) => [definition.statementKey, isEditor, images, entryState(row)];
    if (conditional?.isAsked) {
      const state = { ...options, isStateOnly: true };
      conditional.endIfSeen(stateOf(await loadEntry(ctx.db, services, definition, target, state)));
    }
    const row = await loadEntry(ctx.db, services, definition, target, options);
    const answer = await entryAnswer(ctx, services, { definition, row }, isEditor);
    // Where a file changed while this was read, the client has to ask again.
    if (conditional && images === (await imageState(ctx, services.media, definition)))
      conditional.mark(stateOf(row));
    return { ...answer, references: referencesOf(ctx, definition, row) };
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
