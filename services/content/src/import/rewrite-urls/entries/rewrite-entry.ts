import type { FieldDefinition } from '@quire/content-model';
import { RewriteContext, rewriteValues, type MediaByUrl } from '../values/index.js';
import type { CollectionDefinition } from '../../../schema/index.js';
import type { UrlMap } from '@quire/values';
import type { EntryPageRow, RewrittenEntry, StoredRevision } from './rewrite-entries.repository.js';

/** What the addresses of one entry become. */
export interface EntryRewriting {
  /** Null when nothing changes. */
  entry: RewrittenEntry | null;
  count: number;
  missing: ReadonlySet<string>;
  problems: readonly string[];
}

/** Replaces addresses in the live values of an entry, in its draft and in its live revision. */
export function rewriteEntry(
  { blockFields }: Pick<CollectionDefinition, 'blockFields'>,
  fields: readonly FieldDefinition[],
  row: EntryPageRow,
  { urls, media }: { urls: UrlMap; media: MediaByUrl },
): EntryRewriting {
  const context = new RewriteContext(urls, media, blockFields);
  const columns = rewriteValues(fields, row, context);
  const revisions = (row._revisions ?? []).flatMap((revision) => rewriteRevision(fields, revision, context));
  const isChanged = Object.keys(columns).length > 0 || revisions.length > 0;
  const { id, version } = row;
  const { count, missing } = context;
  return {
    entry: isChanged ? { id, version, columns, revisions } : null,
    count,
    missing,
    // A draft often has the same value as the entry.
    problems: [...new Set(context.problems)],
  };
}

function rewriteRevision(
  fields: readonly FieldDefinition[],
  { id, texts }: StoredRevision,
  context: RewriteContext,
): StoredRevision[] {
  const known = fields.filter(({ slug }) => Object.hasOwn(texts, slug));
  const values = Object.fromEntries(
    known.map(({ slug }) => [slug, JSON.parse(texts[slug] ?? 'null') as unknown]),
  );
  const changed = Object.entries(rewriteValues(known, values, context));
  if (changed.length === 0) return [];
  const replaced = changed.map(([slug, value]) => [slug, JSON.stringify(value)] as const);
  return [{ id, texts: { ...texts, ...Object.fromEntries(replaced) } }];
}
