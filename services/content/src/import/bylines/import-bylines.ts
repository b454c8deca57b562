import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import type { contentImportApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { truncateText, ulid } from '@quire/values';
import { lockUserLinks } from '../../bylines/index.js';
import type { Locales } from '../../locales/index.js';
import { insertRecords, keyOf, lockSource, selectRecords } from '../records/index.js';
import { bylineSlug, takeSlug } from './byline-slugs.js';
import {
  insertBylines,
  selectBylinesOfUsers,
  selectExistingBylines,
  selectTakenSlugs,
  type NewByline,
} from './import-bylines.repository.js';

type Request = RequestOf<typeof contentImportApi.importBylines>;
type Author = Request['authors'][number];

/** The longest name that the API accepts. */
const maxNameLength = 200;
/** A byline of the API may take a slug between the look-up and the insertion. */
const maxAttempts = 3;

/**
 * Finds or creates the bylines of authors (spec document 3, rule 5; contract 2.5). The byline of a user is the one that
 * is linked to the user, in the locale or in the default one. That of a guest is the one which an import of the same
 * source has created for the login, whatever its name is now.
 * @returns a byline for each login.
 * @throws QuireError VALIDATION_ERROR (locale).
 */
export async function importBylines(
  ctx: Context,
  locales: Locales,
  { locale, authors, ...run }: Request,
): Promise<ResponseOf<typeof contentImportApi.importBylines>> {
  const places = { locale: locales.stored(locale), defaultLocale: locales.default };
  const distinct = [...new Map(authors.map((author) => [author.login, author])).values()];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const ids = await ctx.db.transaction((tx) =>
        findOrCreate(tx, { tenantId: ctx.principal.tenant.id, run, ...places }, distinct),
      );
      return { bylines: authors.map(({ login }) => ({ login, bylineId: ids.get(login) ?? '' })) };
    } catch (error) {
      if (!hasSqlState(error, sqlState.uniqueViolation) || attempt === maxAttempts) throw error;
    }
  }
}

interface Place {
  tenantId: string;
  run: contentImportApi.ImportRun;
  locale: string;
  defaultLocale: string;
}

/** @returns the ids of bylines by login. */
async function findOrCreate(
  tx: Transaction,
  place: Place,
  authors: readonly Author[],
): Promise<Map<string, string>> {
  await lockSource(tx, place.tenantId, place.run.site);
  const known = await findBylines(tx, place, authors);
  const missing = new Map<string, Author>();
  for (const author of authors) {
    const key = keyOf(sourceOf(author));
    if (!known.has(key) && !missing.has(key)) missing.set(key, author);
  }
  const created = await createBylines(tx, place, [...missing.values()]);
  return new Map(
    authors.map((author) => {
      const key = keyOf(sourceOf(author));
      return [author.login, known.get(key) ?? created.get(key) ?? ''];
    }),
  );
}

/** Authors that are mapped to one user share the user's byline, so the user identifies it. */
const sourceOf = ({ login, userId }: Author): contentImportApi.SourceKey =>
  userId === null ? { type: 'author', id: login } : { type: 'author:user', id: userId };

/** @returns the ids of existing bylines by the key of their source. */
async function findBylines(
  tx: Transaction,
  { tenantId, run, locale, defaultLocale }: Place,
  authors: readonly Author[],
): Promise<Map<string, string>> {
  const userIds = authors.flatMap(({ userId }) => userId ?? []);
  if (userIds.length > 0) await lockUserLinks(tx, tenantId, userIds);
  const ofUsers = await selectBylinesOfUsers(tx, userIds, [locale, defaultLocale]);
  const found = new Map([...ofUsers].map(([id, byline]) => [keyOf({ type: 'author:user', id }), byline]));
  const guests = authors.filter(({ userId }) => userId === null).map(sourceOf);
  const records = [...(await selectRecords(tx, run.site, guests))];
  const existing = await selectExistingBylines(
    tx,
    records.map(([, { targetId }]) => targetId),
  );
  for (const [key, { targetId }] of records) if (existing.has(targetId)) found.set(key, targetId);
  return found;
}

/** @returns the ids of the new bylines by the key of their source. */
async function createBylines(
  tx: Transaction,
  { run, locale }: Place,
  authors: readonly Author[],
): Promise<Map<string, string>> {
  if (authors.length === 0) return new Map();
  const taken = await selectTakenSlugs(
    tx,
    locale,
    authors.map(({ login }) => bylineSlug(login)),
  );
  const bylines = authors.map(({ login, displayName, userId }): NewByline => ({
    id: ulid(),
    slug: takeSlug(bylineSlug(login), taken),
    displayName: nameOf(displayName) || nameOf(login) || 'Author',
    userId,
    locale,
  }));
  await insertBylines(tx, bylines);
  const records = authors.map((author, index) => ({
    source: sourceOf(author),
    kind: 'byline' as const,
    targetId: bylines[index]?.id ?? '',
  }));
  await insertRecords(tx, run, records);
  return new Map(records.map(({ source, targetId }) => [keyOf(source), targetId]));
}

const nameOf = (text: string) => truncateText(text.trim(), maxNameLength);
