import { generateSlug, givenSlugProblem, isRelationField, type FieldDefinition } from '@quire/content-model';
import { QuireError } from '@quire/errors';
import type { contentImportApi } from '@quire/internal-api';
import { toStorableText } from '@quire/values';
import { MediaResolver, type EntryValues } from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { cleanJson } from './clean-json.js';
import { fitValues, type ValueLookups } from './fit-values.js';
import { warningCodes, type Failure, type Importer } from './importer.js';

/** An imported entry with valid values, before its slug, group and assignments are known. */
export interface PreparedEntry {
  entry: contentImportApi.ImportedEntry;
  definition: CollectionDefinition;
  locale: string;
  /** A legal slug, perhaps taken. */
  slug: string;
  authorId: string | null;
  status: contentImportApi.ImportedEntry['status'];
  values: EntryValues;
  warnings: contentImportApi.ImportWarning[];
  /** Why the entry becomes a draft with `_importError`. */
  failure: Failure | null;
  /** What has no field. */
  remainder: EntryValues;
}

/** What all entries of a call are checked against. */
interface Preparation extends ValueLookups {
  definitions: ReadonlyMap<string, CollectionDefinition>;
  userIds: ReadonlySet<string>;
}

/**
 * Checks the entries of one call.
 * @param options.unfitFields fields whose values the database has rejected, by slug
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function prepareEntries(
  importer: Importer,
  entries: readonly contentImportApi.ImportedEntry[],
  options: { unfitFields?: ReadonlySet<string> } = {},
): Promise<PreparedEntry[]> {
  const { ctx, deps } = importer;
  const definitions = new Map<string, CollectionDefinition>();
  for (const slug of new Set(entries.map(({ collection }) => collection)))
    definitions.set(slug, await deps.definitions.get(ctx, slug));
  const media = new MediaResolver(ctx, deps.media);
  await media.prefetch(entries.flatMap((entry) => libraryIds(definitions.get(entry.collection), entry.data)));
  const preparation = { definitions, media, sql: ctx.db, userIds: await knownUsers(importer, entries) };
  const prepared: PreparedEntry[] = [];
  for (const entry of entries)
    prepared.push(await prepareEntry(importer, preparation, entry, options.unfitFields ?? new Set()));
  return prepared;
}

async function knownUsers(
  { ctx, deps }: Importer,
  entries: readonly contentImportApi.ImportedEntry[],
): Promise<Set<string>> {
  const ids = new Set(entries.flatMap(({ authorId }) => authorId ?? []));
  if (ids.size === 0) return ids;
  const users = await deps.users.byIds(ctx, [...ids]);
  return new Set(users.map(({ id }) => id));
}

/** The ids of library items in image and file fields. */
function libraryIds(definition: CollectionDefinition | undefined, data: EntryValues): string[] {
  const fields = definition?.columns.filter(({ type }) => type === 'image' || type === 'file') ?? [];
  return fields.flatMap(({ slug }) => {
    const value = data[slug] as { id?: unknown } | string | null | undefined;
    const id = typeof value === 'object' ? value?.id : undefined;
    return typeof id === 'string' && id !== '' ? [id] : [];
  });
}

async function prepareEntry(
  { ctx, deps, media }: Importer,
  { definitions, userIds, ...lookups }: Preparation,
  given: contentImportApi.ImportedEntry,
  unfitFields: ReadonlySet<string>,
): Promise<PreparedEntry> {
  const definition = definitions.get(given.collection);
  if (!definition) throw new Error(`${given.collection} has no definition`);
  const entry = { ...given, title: toStorableText(given.title), remainder: cleanJson(given.remainder) };
  const { data, remainder } = splitData(definition, entry, unfitFields);
  const failure = entry.failure ?? missingReference(definition);
  const fitted = await fitValues(definition, { data, title: entry.title, failure }, lookups);
  const values = media.inValues(definition, fitted.values);
  const warnings = [...fitted.warnings];
  const warn = (code: string, message: string) => warnings.push({ code, message });

  const locales = deps.locales.of(ctx);
  let locale = locales.default;
  try {
    locale = locales.stored(entry.locale);
  } catch (error) {
    if (!(error instanceof QuireError)) throw error;
    warn(warningCodes.localeUnknown, error.message);
  }
  const slugProblem = givenSlugProblem(entry.slug);
  const slug = slugProblem === null ? entry.slug : generateSlug(entry.slug);
  if (slugProblem !== null) warn(warningCodes.slugRenamed, `slug: ${slugProblem}; it is '${slug}' now`);
  const isAuthorMissing = entry.authorId !== null && !userIds.has(entry.authorId);
  if (isAuthorMissing) warn(warningCodes.authorMissing, `authorId: '${entry.authorId}' is not a user`);
  for (const field of unfitFields)
    warn(warningCodes.metaUnfit, `${field}: value already used by another entry`);

  let status = fitted.failure ? ('draft' as const) : entry.status;
  if (status === 'scheduled' && entry.scheduledAt === null) {
    status = 'draft';
    warn(warningCodes.statusChanged, 'A scheduled entry without a time is a draft');
  }
  const authorId = isAuthorMissing ? null : entry.authorId;
  return { entry, definition, locale, slug, authorId, status, ...fitted, values, warnings, remainder };
}

/** Values without a field of their own go to the remainder. */
function splitData(
  definition: CollectionDefinition,
  { data: given, title, remainder: kept }: contentImportApi.ImportedEntry,
  unfitFields: ReadonlySet<string>,
): { data: EntryValues; remainder: EntryValues } {
  const data: EntryValues = {};
  const remainder: EntryValues = { ...kept };
  for (const [key, value] of Object.entries(given)) {
    const field = definition.fieldBySlug.get(key);
    if (!hasColumn(field)) remainder[key] ??= cleanJson(value);
    else data[key] = unfitFields.has(key) ? null : value;
  }
  if (hasColumn(definition.fieldBySlug.get('title')) && !unfitFields.has('title')) data['title'] ??= title;
  return { data, remainder };
}

const hasColumn = (field: FieldDefinition | undefined) => field !== undefined && !isRelationField(field);

/** Imports select no entries, so a collection that requires a selection takes only drafts. */
function missingReference({ references }: CollectionDefinition): Failure | null {
  const required = references.find(({ isRequired }) => isRequired);
  return required ? { code: 'VALIDATION_ERROR', message: `references.${required.field}: is required` } : null;
}
