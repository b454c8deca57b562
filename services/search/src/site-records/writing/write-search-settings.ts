import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { SiteRecord } from '@quire/site-package';
import { writeRecords } from '@quire/site-records';
import { SearchCollection } from '../../collections/index.js';
import type { SearchDeps } from '../../search-deps.js';
import { enableBody } from '../../settings/index.js';

const settings = enableBody.pick({ tokenize: true, weights: true }).required();

/**
 * Writes the search settings of collections that content has already. Existing ones remain unchanged. Nothing is
 * searched or indexed before `finishSiteRecords`.
 * @param records JSON texts
 * @throws QuireError TRANSFER_RECORD_INVALID for settings that this installation cannot apply, SERVICE_UNAVAILABLE
 */
export async function writeSearchSettings(
  ctx: Context,
  { content }: SearchDeps,
  records: readonly string[],
): Promise<void> {
  if (records.length === 0) return;
  const slugs = new Map((await content.collections(ctx)).map(({ id, slug }) => [id, slug]));
  const texts = records.map((text) => {
    const record = JSON.parse(text) as SiteRecord<'search_collections'>;
    const slug = slugs.get(record.collectionId);
    if (slug === undefined || !isApplicable(record)) throw invalidRecord(record);
    return withProperty(text, 'slug', slug);
  });
  // The first reconciliation reads from content whether a collection is hidden.
  const options = { added: ['slug'], computed: { hidden: 'true' } };
  const batch = { records: texts, pass: 'records' } as const;
  await writeRecords(ctx.db, 'search_collections', SearchCollection, batch, options);
}

function isApplicable({ tokenizer, weights }: SiteRecord<'search_collections'>): boolean {
  return settings.safeParse({ tokenize: tokenizer, weights }).success;
}

function invalidRecord({ collectionId }: SiteRecord<'search_collections'>): QuireError {
  const message = `The search settings of the collection ${collectionId} are not applicable`;
  return new QuireError('TRANSFER_RECORD_INVALID', message, {
    details: { kind: 'search_collections', key: collectionId },
  });
}

/** The text of an object that is not empty, with another property; its numbers remain as they are written. */
function withProperty(text: string, name: string, value: string): string {
  return `${text.trimEnd().slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
}
