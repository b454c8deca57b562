import type { Context } from '@quire/context';
import {
  afterPosition,
  cursorScope,
  encodeCursor,
  identifier,
  keysetOrder,
  Parameters,
} from '@quire/database';
import { withDefinition } from '../change-entry.js';
import { entryColumns, liveValues, type EntryRow, type EntryValues } from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import { pagePosition } from '../statements/page-position.js';

export interface TrashedItem {
  id: string;
  type: string;
  slug: string | null;
  status: string;
  data: EntryValues;
  authorId: string | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  deletedAt: string;
  locale: string;
}

export interface TrashQuery {
  cursor?: string | undefined;
  limit: number;
  locale?: string | undefined;
}

const order = { column: 'e.deleted_at', idColumn: 'e.id', direction: 'desc', cast: 'timestamptz' } as const;

/**
 * One page of the trash, last deleted first.
 * @throws QuireError COLLECTION_NOT_FOUND, INVALID_CURSOR, VALIDATION_ERROR (locale).
 */
export async function listTrash(
  ctx: Context,
  services: EntryServices,
  collection: string,
  query: TrashQuery,
): Promise<{ items: TrashedItem[]; nextCursor?: string }> {
  const locale = query.locale === undefined ? undefined : services.locales.stored(query.locale);
  return withDefinition(ctx, services, collection, async (definition) => {
    const scope = cursorScope({
      operation: 'listTrash',
      tenant: ctx.principal.tenant.id,
      collection: definition.id,
      locale,
    });
    const parameters = new Parameters();
    const conditions = ['e.deleted_at IS NOT NULL'];
    if (locale !== undefined) conditions.push(`e._locale = ${parameters.add(locale, 'text')}`);
    if (query.cursor !== undefined) {
      conditions.push(
        afterPosition(order, pagePosition(scope, query.cursor, order.cast), (value, cast) =>
          parameters.add(value, cast),
        ),
      );
    }
    const rows = await ctx.db.query<EntryRow & { deletedAt: string }>(
      `SELECT ${entryColumns(definition, services.locales.default)} FROM ${identifier(definition.table)} e WHERE ${conditions.join(' AND ')}
       ORDER BY ${keysetOrder(order.column, order.idColumn, order.direction)} LIMIT ${parameters.add(query.limit + 1)}`,
      parameters.values,
    );
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return {
      items: page.map((row) => ({
        id: row.id,
        type: definition.slug,
        slug: row.slug,
        status: row.status,
        data: liveValues(definition, row),
        authorId: row.authorId,
        createdAt: row.createdAt,
        updatedAt: row.updatedAt,
        publishedAt: row.publishedAt,
        deletedAt: row.deletedAt,
        locale: row._locale,
      })),
      ...(rows.length > query.limit && last
        ? { nextCursor: encodeCursor(scope, { value: last.deletedAt, id: last.id }) }
        : {}),
    };
  });
}
