import type { Context } from '@quire/context';
import { canOnRow } from '@quire/permissions';
import { contentTableName, type CollectionDefinition, type SharedCounter } from '../../schema/index.js';
import { respond, type EntryRead, type HttpRead } from '../cached-responses/index.js';
import { canSeeDrafts } from '../entries.policy.js';
import type { EntryDeps } from '../entry-deps.js';
import { entryState, type EntryRow } from '../entry-row.js';
import { toReadResponse, type EntryResponse } from '../entry.mapper.js';
import { loadEntry, readableRows, withDefinition, type EntryTarget } from '../load-entry.js';
import {
  firstPageSize,
  linkedScope,
  referencePage,
  type ReferencePage,
} from '../references/linked-entries.js';
import { convertToMarkdown } from '../markdown-values.js';
import type { FindOptions } from '../repository/find-entry.js';

export type ReadResponse = EntryResponse & { references: Record<string, ReferencePage> };

type GetRequest = EntryTarget & { markdown?: boolean };

/**
 * Reads one entry by id or slug, with its draft for callers who see drafts, and the first page of each selection (spec
 * document 1, Content entry; decision 7).
 * `data._importError` is the failure of an import, for callers who may edit the entry.
 * @param input.markdown returns rich text as Markdown
 * @throws QuireError NOT_FOUND (also for an entry that the caller may not see), COLLECTION_NOT_FOUND.
 */
export async function getContent(ctx: Context, deps: EntryDeps, request: GetRequest): Promise<ReadResponse> {
  return withDefinition(ctx, deps, request.collection, async (definition) => {
    const { result } = await entryRead(ctx, deps, definition, request).read('');
    return result;
  });
}

/** `getContent` as a response, which may be 304 or come from the cache. @throws also NotModified */
export async function respondWithEntry(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  http: HttpRead,
): Promise<ReadResponse | Buffer> {
  return withDefinition(ctx, deps, target.collection, (definition) =>
    respond(ctx, deps.media, http, entryRead(ctx, deps, definition, target)),
  );
}

function entryRead(
  ctx: Context,
  deps: EntryDeps,
  definition: CollectionDefinition,
  { markdown, ...target }: GetRequest,
): EntryRead<ReadResponse> {
  const isEditor = canSeeDrafts(ctx.principal);
  const locales = deps.locales.of(ctx);
  const options: FindOptions = {
    rows: readableRows(ctx),
    withImportError: isEditor,
    selections: { canSeeDrafts: isEditor, defaultLocale: locales.default },
  };
  const stateOf = (row: EntryRow) => [isEditor, entryState(row)];
  return {
    definition,
    counters: countersOf(definition),
    key: ['entry', isEditor, locales.default, target.id, target.locale ?? null],
    readsBefore: false,
    readState: async (moreColumns) => {
      const state: FindOptions = { ...options, isStateOnly: true, moreColumns };
      const row = await loadEntry(ctx.db, locales, definition, target, state);
      return { state: stateOf(row), row };
    },
    read: async (moreColumns) => {
      const row = await loadEntry(ctx.db, locales, definition, target, {
        ...options,
        moreColumns,
      });
      const entry = { definition, row };
      const { response, isComplete } = await toReadResponse(ctx, deps, entry, isEditor);
      if (row._importError && canOnRow(ctx.principal, 'content:edit', row.authorId))
        response.item.data['_importError'] = row._importError;
      if (markdown) await convertToMarkdown(definition, [response.item]);
      const result = { ...response, references: referencesOf(ctx, definition, row) };
      // A failed import is shown to some callers only.
      return { result, state: stateOf(row), row, isComplete, hasNoState: Boolean(row._importError) };
    },
  };
}

/** The counters of everything that a single read shows. */
function countersOf({ table, references }: CollectionDefinition): string[] {
  const targets = references.map(({ target }) => contentTableName(target));
  const shared: SharedCounter[] = ['schema', 'bylines', 'import-errors'];
  if (targets.length > 0) shared.push('links');
  return [...new Set<string>([table, ...targets, ...shared])];
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
