import type { Context } from '@quire/context';
import { identifier, KeysetPage, Parameters, type Statement } from '@quire/database';
import {
  linkedEntries,
  linkedOrder,
  linkedScope,
  loadEntry,
  readableRows,
  referencePage,
  canSeeDrafts,
  withDefinition,
  type EntryDeps,
  type EntryTarget,
  type LinkedRow,
  type ReferencePage,
} from '../../index.js';
import type { RelationReference, CollectionDefinition, RelationSide } from '../../../schema/index.js';
import { linkedReference } from '../linked-reference.js';

export interface LinkedQuery {
  relation: string;
  /** The end that the entry sits on; what is listed sits on the other. */
  side: RelationSide;
  cursor?: string | undefined;
  limit: number;
}

/**
 * A page of the entries that an entry is linked with through a relation; goes on where a single read's page ended.
 * @throws QuireError NOT_FOUND (entry, relation), COLLECTION_NOT_FOUND, VALIDATION_ERROR, INVALID_CURSOR.
 */
export async function listLinkedEntries(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  query: LinkedQuery,
): Promise<ReferencePage> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const { id, _group } = await loadEntry(ctx.db, deps, definition, target, { rows: readableRows(ctx) });
    const reference = await linkedReference(ctx.db, definition, query.relation, query.side);
    const scope = linkedScope(ctx.principal.tenant.id, reference, _group);
    const view = { canSeeDrafts: canSeeDrafts(ctx.principal), defaultLocale: deps.locales.default };
    const [row] = await ctx.db.query<{ linked: LinkedRow[] }>(
      pageStatement(definition, reference, { id, scope, view, query }),
    );
    return referencePage(row?.linked ?? [], query.limit, { reference, scope });
  });
}

function pageStatement(
  { table, statementKey }: CollectionDefinition,
  reference: RelationReference,
  {
    id,
    scope,
    view,
    query,
  }: {
    id: string;
    scope: string;
    view: { canSeeDrafts: boolean; defaultLocale: string };
    query: LinkedQuery;
  },
): Statement {
  const parameters = new Parameters();
  const entry = parameters.add(id);
  const after = new KeysetPage(linkedOrder, scope, query).condition(parameters);
  const limit = parameters.add(query.limit + 1);
  return {
    text: `SELECT /* ${statementKey} */ ${linkedEntries(reference, view, { limit, after })} AS linked
      FROM ${identifier(table)} e LEFT JOIN revisions d ON d.id = e.draft_revision_id WHERE e.id = ${entry}`,
    values: parameters.values,
  };
}
