import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { contentImportApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { truncateText, ulid } from '@quire/values';
import { insertRecords, keyOf, lockSource, selectRecords, type StoredRecord } from '../records/index.js';
import {
  insertComments,
  lockCollections,
  selectExistingEntries,
  selectNow,
  selectStoredComments,
} from './import-comments.repository.js';
import { threadParents, type Root } from './thread-roots.js';

type Request = RequestOf<typeof contentImportApi.importComments>;
type Response = ResponseOf<typeof contentImportApi.importComments>;
type SourceComment = Request['comments'][number];

const maxNameLength = 100;
const anonymous = 'Anonymous';

const sourceOf = (id: string): contentImportApi.SourceKey => ({ type: 'comment', id });

/** An entry of a comment. */
interface Target {
  id: string;
  collection: string;
}

/**
 * Creates comments on imported entries, with their dates and without mails, limits and addresses of clients (contract
 * 2.7). A comment that was imported before is not imported again, also when a moderator has deleted it.
 * @returns the counts; a repeated call of one import counts the same. A comment on an entry that is not there is
 *   skipped with the warning COMMENT_SKIPPED.
 */
export async function importComments(ctx: Context, { comments, ...run }: Request): Promise<Response> {
  const distinct = [...new Map(comments.map((comment) => [comment.id, comment])).values()];
  return ctx.db.transaction(async (tx) => {
    await lockSource(tx, ctx.principal.tenant.id, run.site);
    const known = await selectRecords(tx, run.site, sourcesOf(distinct));
    const targets = await findTargets(tx, run, distinct);
    const isKnown = ({ id }: SourceComment) => known.get(keyOf(sourceOf(id)));
    const unknown = distinct.filter((comment) => !isKnown(comment));
    const added = unknown.filter(({ entry }) => targets.has(keyOf(entry)));
    await createComments(tx, run, { added, targets, known });
    const repeated = distinct.filter((comment) => isKnown(comment)?.importId === run.importId);
    const imported = added.length + repeated.length;
    return {
      imported,
      skipped: comments.length - imported,
      warnings: unknown
        .filter(({ entry }) => !targets.has(keyOf(entry)))
        .map(({ id, entry }) => ({
          id,
          code: 'COMMENT_SKIPPED',
          message: `Its ${entry.type} ${entry.id} is not imported`,
        })),
    };
  });
}

/** The comments and the roots that they name. */
const sourcesOf = (comments: readonly SourceComment[]) =>
  [...new Set(comments.flatMap(({ id, rootId }) => (rootId === null ? [id] : [id, rootId])))].map(sourceOf);

/** @returns the entries of comments that exist, by the key of their source. */
async function findTargets(
  tx: Transaction,
  { site }: contentImportApi.ImportRun,
  comments: readonly SourceComment[],
): Promise<Map<string, Target>> {
  const sources = new Map(comments.map(({ entry }) => [keyOf(entry), entry]));
  const records = await selectRecords(tx, site, [...sources.values()]);
  const idsOf = new Map<string, string[]>();
  for (const { collection, targetId } of records.values()) {
    if (collection !== null) idsOf.set(collection, [...(idsOf.get(collection) ?? []), targetId]);
  }
  const existing = new Set<string>();
  for (const collection of await lockCollections(tx, [...idsOf.keys()]))
    for (const id of await selectExistingEntries(tx, collection, idsOf.get(collection) ?? []))
      existing.add(id);
  return new Map(
    [...records].flatMap(([key, { targetId, collection }]) =>
      collection !== null && existing.has(targetId) ? [[key, { id: targetId, collection }] as const] : [],
    ),
  );
}

interface NewComments {
  added: readonly SourceComment[];
  targets: ReadonlyMap<string, Target>;
  known: ReadonlyMap<string, StoredRecord>;
}

async function createComments(
  tx: Transaction,
  run: contentImportApi.ImportRun,
  { added, targets, known }: NewComments,
): Promise<void> {
  const ids = new Map(added.map(({ id }) => [id, ulid()]));
  const newId = (id: string) => ids.get(id) ?? '';
  const threaded = added.map(({ id, rootId, entry }) => ({
    id,
    rootId,
    contentId: targets.get(keyOf(entry))?.id ?? '',
  }));
  const parents = threadParents(threaded, await storedRoots(tx, known), newId);
  const now = await selectNow(tx);
  const rows = added.map(({ id, entry, authorName, authorEmail, body, status, createdAt }) => {
    // A later time would look like an edit after the import.
    const isPast = createdAt !== null && new Date(createdAt) < new Date(now);
    const updatedAt = isPast ? createdAt : now;
    return {
      id: newId(id),
      collection: targets.get(keyOf(entry))?.collection ?? '',
      contentId: targets.get(keyOf(entry))?.id ?? '',
      parentId: parents.get(id) ?? null,
      authorName: truncateText(authorName.trim(), maxNameLength) || anonymous,
      authorEmail: authorEmail.trim().toLowerCase(),
      body,
      status,
      // Its approval is no news for the entry's author, now or later.
      announcedAt: updatedAt,
      createdAt: createdAt ?? now,
      updatedAt,
    };
  });
  await insertComments(tx, rows);
  const records = added.map(({ id }) => ({
    source: sourceOf(id),
    kind: 'comment' as const,
    targetId: newId(id),
  }));
  await insertRecords(tx, run, records);
}

/** @returns the roots of comments that exist, by the id of the comment at the source. */
async function storedRoots(
  tx: Transaction,
  known: ReadonlyMap<string, StoredRecord>,
): Promise<Map<string, Root>> {
  const records = [...known.values()];
  const stored = await selectStoredComments(
    tx,
    records.map(({ targetId }) => targetId),
  );
  return new Map(
    records.flatMap(({ sourceId, targetId }) => {
      const comment = stored.get(targetId);
      if (!comment) return [];
      return [[sourceId, { id: comment.parentId ?? comment.id, contentId: comment.contentId }] as const];
    }),
  );
}
