import { maxIndexedBytes, redirectProblems, urlPathProblem } from '@quire/content-model';
import type { RecordKind, SiteRecord } from '@quire/site-package';
import { isAllowedSeedUrl, parseMediaType, storageKeyForm } from '@quire/values';
import type { RecordFault } from './parse-record.js';

type PackageRecord = Readonly<Record<string, unknown>>;
type RecordCheck<Kind extends RecordKind> = (record: SiteRecord<Kind>) => RecordFault[];

/** Requests name records by ids of at most this length. */
const maxIdLength = 64;
/** Ids that both search engines can index. */
const entryIdForm = /^[\w-]+$/;

/** Texts of any length in an index of the database, beside which the other columns of the index are short. */
const indexedTexts: { [Kind in RecordKind]?: readonly (keyof SiteRecord<Kind> & string)[] } = {
  relations: ['parentCollection', 'childCollection'],
  media_items: ['contentHash'],
  terms: ['slug'],
  entries: ['slug'],
  entry_terms: ['collection'],
  comments: ['authorEmail'],
  sections: ['title'],
};
/** Three keys of a package, and a slug or title that users can give, are shorter together. */
const maxIndexedTextBytes = maxIndexedBytes - 600;

/** What the services that own the records reject when they write them, or must not show. */
const checks: { [Kind in RecordKind]?: RecordCheck<Kind> } = {
  media_items: ({ mimeType, storageKey }) => [
    ...faultIf(parseMediaType(mimeType) !== mimeType, 'mimeType', 'A media type is malformed, or an alias'),
    ...faultIf(!storageKeyForm.test(storageKey), 'storageKey', 'A storage key cannot be a part of addresses'),
  ],
  bylines: ({ websiteUrl }) => faultIf(isUnsafe(websiteUrl), 'websiteUrl', 'A byline has an unsafe URL'),
  entries: ({ id }) => faultIf(!entryIdForm.test(id), 'id', 'An id has characters that search cannot index'),
  menu_items: ({ customUrl }) => faultIf(isUnsafe(customUrl), 'customUrl', 'A menu item has an unsafe URL'),
  redirects: checkRedirect,
};

/**
 * Checks what the database and the owner of a record demand of it beyond its schema.
 * @param record one that its schema accepts
 */
export function checkRecord(kind: RecordKind, record: PackageRecord): RecordFault[] {
  const check = checks[kind] as ((each: PackageRecord) => RecordFault[]) | undefined;
  return [...idFaults(kind, record), ...indexFaults(kind, record), ...(check?.(record) ?? [])];
}

function idFaults(kind: RecordKind, { id }: PackageRecord): RecordFault[] {
  const isTooLong = kind !== 'principals' && typeof id === 'string' && id.length > maxIdLength;
  return faultIf(isTooLong, 'id', `An id has more than ${maxIdLength} characters`);
}

function indexFaults(kind: RecordKind, record: PackageRecord): RecordFault[] {
  return (indexedTexts[kind] ?? []).flatMap((property) => {
    const text = record[property];
    // UTF-8 has at most three bytes for a UTF-16 unit.
    const isTooLong =
      typeof text === 'string' &&
      text.length * 3 > maxIndexedTextBytes &&
      Buffer.byteLength(text) > maxIndexedTextBytes;
    return faultIf(isTooLong, property, 'A text is too long for its index');
  });
}

/** A scheme-less address remains as it is; an empty text links nowhere. */
function isUnsafe(url: string | null): boolean {
  return url !== null && url !== '' && !isAllowedSeedUrl(url);
}

function checkRedirect({ source, destination, type }: SiteRecord<'redirects'>): RecordFault[] {
  const problems = [
    { path: 'source', message: urlPathProblem(source) },
    { path: 'destination', message: destination === '' ? null : urlPathProblem(destination) },
  ].filter(({ message }) => message !== null);
  const found = problems.length > 0 ? problems : redirectProblems({ source, destination, type });
  return found.flatMap(({ path, message }) =>
    faultIf(true, path, `A redirect is invalid: ${path} ${message}`),
  );
}

function faultIf(isFault: boolean, path: string, message: string): RecordFault[] {
  return isFault ? [{ code: 'value_constraint_violation', message, path }] : [];
}
