import type { Context } from '@quire/context';
import { cursorScope, decodeCursor, encodeCursor } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { Locales } from '../../../locales/index.js';
import { selectTaxonomy } from '../../definitions/index.js';
import { termTree, type ListedTerm } from '../term-tree.js';
import { selectTerms, type TermResponse } from '../terms.repository.js';

/** One page of the terms of a taxonomy. */
export interface TermPageQuery {
  /** The name of the taxonomy. */
  name: string;
  locale?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface TermPage {
  items: TermResponse[];
  nextCursor?: string;
}

/**
 * @returns one page of the terms of a taxonomy, of one locale or of all: siblings in their order, and parents before
 *   their children (contract 9 of the MCP tools). A page begins after the present position of the last term of the page
 *   before, so that new and moved terms neither repeat nor hide others.
 * @throws QuireError NOT_FOUND (the taxonomy), VALIDATION_ERROR (a malformed locale), INVALID_CURSOR (of another list,
 *   or after a term that was deleted).
 */
export async function listTermPage(
  ctx: Context,
  locales: Locales,
  { name, locale, limit, cursor }: TermPageQuery,
): Promise<TermPage> {
  const requested = locale === undefined ? undefined : locales.requested(locale);
  const taxonomy = await selectTaxonomy(ctx.db, name);
  const scope = cursorScope({
    operation: 'listTermPage',
    tenant: ctx.principal.tenant.id,
    taxonomy: taxonomy.id,
    locale: requested?.toLowerCase(),
  });
  const rows = await selectTerms(ctx.db, taxonomy, requested === undefined ? null : [requested]);
  const terms = termTree(rows.map((term) => ({ ...term, children: [] }))).flatMap(withDescendants);
  const start = cursor === undefined ? 0 : positionAfter(terms, decodeCursor(scope, cursor, 'text').id);
  const items = terms.slice(start, start + limit);
  const last = items.at(-1);
  if (!last || start + limit >= terms.length) return { items };
  return { items, nextCursor: encodeCursor(scope, { value: null, id: last.id }) };
}

function withDescendants({ children, ...term }: ListedTerm): TermResponse[] {
  return [term, ...children.flatMap(withDescendants)];
}

/** @throws QuireError INVALID_CURSOR for a term that is not in the list. */
function positionAfter(terms: readonly TermResponse[], id: string): number {
  const position = terms.findIndex((term) => term.id === id);
  if (position < 0) throw new QuireError('INVALID_CURSOR', 'cursor: its term was deleted');
  return position + 1;
}
