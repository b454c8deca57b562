import { audit, type AuditEvent } from '@quire/audit';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { contentImportApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { retryAfterRace, type EntryDeps } from '../../entries/index.js';
import { contentTableName, type CollectionDefinition } from '../../schema/index.js';
import { lockSource, type ImportedKind } from '../records/index.js';
import {
  deleteRecordsOfTargets,
  deleteUntouched,
  deleteUntouchedEntries,
  selectCollections,
  settleKept,
  type UndoneImport,
} from './undo.repository.js';

type UndoResponse = ResponseOf<typeof contentImportApi.undoImport>;

/** Users before what they use: an entry that is left keeps its terms and bylines. */
const order: readonly ImportedKind[] = ['comment', 'menu', 'entry', 'section', 'term', 'byline'];

/** Attempts at a page that other writers disturb. */
const maxAttempts = 4;

/**
 * Deletes a page of what one import created: objects of one kind that no user has changed since. Entries are deleted
 * for good, as from the trash; one with comments of others is kept. The last call, which finds nothing to delete,
 * counts what is kept. A call that is repeated goes on.
 * @throws QuireError SERVICE_UNAVAILABLE
 */
export async function undoImport(
  ctx: Context,
  entries: EntryDeps,
  { importId, site, limit }: RequestOf<typeof contentImportApi.undoImport>,
): Promise<UndoResponse> {
  const undone = { importId, site, tenantId: ctx.principal.tenant.id };
  for (let attempt = 1; ; attempt += 1) {
    const definitions = await loadDefinitions(ctx, entries, undone);
    const page = ctx.db.transaction((tx) => undoPage(ctx, tx, entries, { undone, definitions, limit }));
    const response = await (attempt < maxAttempts ? page.catch(retryAfterRace) : page);
    if (response) return response;
  }
}

async function loadDefinitions(
  ctx: Context,
  { definitions }: EntryDeps,
  undone: UndoneImport,
): Promise<CollectionDefinition[]> {
  const slugs = await selectCollections(ctx.db, undone);
  return Promise.all(slugs.map((slug) => definitions.get(ctx, slug)));
}

interface Page {
  undone: UndoneImport;
  definitions: readonly CollectionDefinition[];
  limit: number;
}

async function undoPage(
  ctx: Context,
  tx: Transaction,
  deps: EntryDeps,
  { undone, definitions, limit }: Page,
): Promise<UndoResponse> {
  await lockSource(tx, undone.tenantId, undone.site);
  for (const kind of order) {
    const ids =
      kind === 'entry'
        ? await deleteFirstEntries(ctx, tx, deps, { undone, definitions, limit })
        : await deleteUntouched(tx, kind, undone, limit);
    if (ids.length === 0) continue;
    if (kind === 'comment')
      await audit(
        ctx,
        tx,
        ids.map((id): AuditEvent => ({ action: 'comment.deleted', target: { type: 'comment', id } })),
      );
    await deleteRecordsOfTargets(tx, kind, ids);
    return { deleted: { [kind]: ids.length }, kept: {}, isComplete: false };
  }
  const tables = definitions.map(({ slug }) => contentTableName(slug));
  return { deleted: {}, kept: await settleKept(tx, undone, tables), isComplete: true };
}

/** Deletes entries of the first collection that has some to delete. */
async function deleteFirstEntries(
  ctx: Context,
  tx: Transaction,
  deps: EntryDeps,
  { undone, definitions, limit }: Page,
): Promise<string[]> {
  for (const definition of definitions) {
    const ids = await deleteUntouchedEntries(tx, definition, undone, limit);
    if (ids.length === 0) continue;
    const details = { collection: definition.slug };
    await audit(
      ctx,
      tx,
      ids.map((id): AuditEvent => ({ action: 'entry.deleted', target: { type: 'entry', id }, details })),
    );
    if (definition.hasSubscribers) tx.afterCommit(() => deps.wakeDispatcher());
    return ids;
  }
  return [];
}
