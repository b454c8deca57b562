import type { ContentContext, ItemInput } from '@quire/import-sources';
import { z } from 'zod';

const raw = z.object({ raw: z.string() }).transform((text) => text.raw);
const embedded = z.object({
  author: z
    .array(z.object({ slug: z.string() }))
    .optional()
    .catch(undefined),
  'wp:term': z
    .array(z.array(z.object({ taxonomy: z.string(), slug: z.string() })))
    .optional()
    .catch(undefined),
  'wp:featuredmedia': z
    .array(z.object({ source_url: z.string() }))
    .optional()
    .catch(undefined),
});

const postSchema = z.object({
  id: z.number().int(),
  type: z.string(),
  status: z.string(),
  slug: z.string(),
  title: raw,
  content: raw,
  excerpt: raw.optional().catch(undefined),
  date_gmt: z.string().nullish(),
  date: z.string().nullish(),
  modified_gmt: z.string().nullish(),
  parent: z.number().int().optional(),
  menu_order: z.number().int().optional(),
  password: z.string().optional(),
  meta: z.record(z.string(), z.unknown()).catch({}),
  _embedded: embedded.optional().catch(undefined),
});

const statuses: readonly string[] = ['publish', 'draft', 'pending', 'private', 'future'];

/**
 * Turns a post of the hosted edition's API into an item.
 * @returns for a malformed post an invalid item, which is reported as a fault
 */
export function hostedItem(value: unknown, siteUrl: string, { toRichText }: ContentContext): ItemInput {
  const parsed = postSchema.safeParse(value);
  if (!parsed.success) return namesOf(value) as ItemInput;
  const post = parsed.data;
  const isProtected = (post.password ?? '') !== '';
  return {
    sourceId: post.id,
    postType: post.type,
    status: isProtected ? 'private' : statusOf(post.status),
    slug: post.slug,
    title: post.title,
    content: toRichText(post.content, siteUrl),
    excerpt: post.excerpt,
    date: instantOf(post.date_gmt) ?? instantOf(post.date) ?? instantOf(post.modified_gmt) ?? new Date(),
    modified: instantOf(post.modified_gmt),
    author: post._embedded?.author?.[0]?.slug,
    ...termsOf(post._embedded?.['wp:term'] ?? []),
    meta: post.meta,
    featuredImage: post._embedded?.['wp:featuredmedia']?.[0]?.source_url,
    parentId: post.parent ? post.parent : undefined,
    menuOrder: post.menu_order,
  };
}

function statusOf(status: string): ItemInput['status'] {
  return statuses.includes(status) ? (status as ItemInput['status']) : 'draft';
}

/** A draft that was never published has no date, or one of zeros. */
function instantOf(text: string | null | undefined): string | undefined {
  return text && !text.startsWith('0000') ? text : undefined;
}

function termsOf(lists: readonly { taxonomy: string; slug: string }[][]): Partial<ItemInput> {
  const byTaxonomy = new Map<string, string[]>();
  for (const { taxonomy, slug } of lists.flat())
    byTaxonomy.set(taxonomy, [...(byTaxonomy.get(taxonomy) ?? []), decoded(slug)]);
  const { category: categories, post_tag: tags, ...customTaxonomies } = Object.fromEntries(byTaxonomy);
  return { categories, tags, ...(Object.keys(customTaxonomies).length > 0 && { customTaxonomies }) };
}

/** Slugs of other scripts are percent-encoded. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

function namesOf(value: unknown): { title: unknown; sourceId: unknown } {
  const { id, title } = (value ?? {}) as { id?: unknown; title?: { raw?: unknown } };
  return { title: title?.raw, sourceId: id };
}
