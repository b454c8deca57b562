import { identifier, type Queryable } from '@quire/database';
import { toStorableText } from '@quire/values';
import type { CollectionDefinition } from '../../schema/index.js';

/** A slug in one locale. */
export interface LocaleSlug {
  slug: string;
  locale: string;
}

const maxSlugLength = 255;
/** Suffixes probed by the first statement; each further one probes this many times as many. */
const firstProbes = 16;

const keyOf = ({ slug, locale }: LocaleSlug) => `${locale}\u0000${slug}`;

/** @returns the entries that have one of the slugs, trashed ones included. */
export async function selectSlugOwners(
  sql: Queryable,
  { table, statementKey }: CollectionDefinition,
  slugs: readonly LocaleSlug[],
): Promise<(LocaleSlug & { id: string })[]> {
  return sql.query({
    prepared: true,
    // The limit makes PostgreSQL use the unique index, whatever it knows of the table's size.
    text: `/* ${statementKey} */ SELECT e.id, k.slug, k.locale
      FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS k (slug, locale)) k
      CROSS JOIN LATERAL (
        SELECT id FROM ${identifier(table)} WHERE slug = k.slug AND _locale = k.locale LIMIT 1
      ) e`,
    values: [slugs.map(({ slug }) => slug), slugs.map(({ locale }) => locale)],
  });
}

/** The slugs of one collection that are taken: in the database and in the running batch. */
export class TakenSlugs {
  private readonly taken: Set<string>;

  constructor(
    private readonly sql: Queryable,
    private readonly definition: CollectionDefinition,
    owners: readonly LocaleSlug[],
  ) {
    this.taken = new Set(owners.map(keyOf));
  }

  /** Takes a slug, or the first free one of `slug-2`, `slug-3`… @returns the slug that was taken */
  async take(wanted: LocaleSlug): Promise<string> {
    const slug = this.taken.has(keyOf(wanted)) ? await this.findFree(wanted) : wanted.slug;
    this.taken.add(keyOf({ ...wanted, slug }));
    return slug;
  }

  private async findFree({ slug, locale }: LocaleSlug): Promise<string> {
    let suffix = 2;
    for (let count = firstProbes; ; count *= firstProbes) {
      const candidates = Array.from({ length: count }, (_, index) => ({
        slug: withSuffix(slug, suffix + index),
        locale,
      }));
      const owners = await selectSlugOwners(this.sql, this.definition, candidates);
      for (const owner of owners) this.taken.add(keyOf(owner));
      const free = candidates.find((candidate) => !this.taken.has(keyOf(candidate)));
      if (free) return free.slug;
      suffix += count;
    }
  }
}

/** Long slugs are cut, so that the suffix fits. */
function withSuffix(slug: string, suffix: number): string {
  const ending = `-${suffix}`;
  return toStorableText(slug.slice(0, maxSlugLength - ending.length)) + ending;
}

/** Whether an entry's slug comes from the slug of its source, with or without a suffix. */
export function isSlugOf(stored: string | null, source: string): boolean {
  if (stored === source) return true;
  const number = stored === null ? undefined : /-(\d+)$/.exec(stored)?.[1];
  return number !== undefined && stored === withSuffix(source, Number(number));
}
