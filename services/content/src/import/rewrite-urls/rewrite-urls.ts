import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import type { EntryDeps } from '../../entries/index.js';
import { listCollections } from '../../schema/index.js';
import { rewriteEntries } from './entries/index.js';
import { UrlMap } from '@quire/values';
import { MediaItems } from './media-by-url.js';
import type { RewrittenUrls, RewriteUrlsInput } from './rewrite-urls.schemas.js';
import { rewriteSite } from './site/index.js';

/** Errors of one response. */
const maxErrors = 1_000;

/**
 * Replaces former addresses of files in the values of entries, drafts included, and in sections, widgets and menu items
 * (spec document 3, rule 6; contract 1.6). Images and files become items of the media library. Entries in the trash
 * stay. A repeated call changes nothing.
 * @throws QuireError VALIDATION_ERROR (unknown collections), SERVICE_UNAVAILABLE (media items cannot be looked up): a
 *   repeated call continues, and what was written stays.
 */
export async function rewriteUrls(
  ctx: Context,
  deps: EntryDeps,
  { urlMap, collections }: RewriteUrlsInput,
): Promise<RewrittenUrls> {
  const slugs = await chosenCollections(ctx, collections);
  const rewritten: RewrittenUrls = { updated: 0, byCollection: {}, urlsRewritten: 0, errors: [] };
  const urls = new UrlMap(urlMap);
  if (urls.isEmpty) return rewritten;
  const rewriting = { deps, urls, media: new MediaItems(ctx, deps.media) };
  for (const slug of slugs) {
    const { updated, count, errors } = await rewriteCollection(ctx, rewriting, slug);
    if (updated > 0) rewritten.byCollection[slug] = updated;
    rewritten.updated += updated;
    rewritten.urlsRewritten += count;
    for (const { id, error } of errors) rewritten.errors.push({ collection: slug, id, error });
  }
  if (collections === undefined) rewritten.urlsRewritten += await rewriteSite(ctx, rewriting);
  return { ...rewritten, errors: rewritten.errors.slice(0, maxErrors) };
}

/** @returns the slugs of the collections to rewrite. @throws QuireError VALIDATION_ERROR naming each unknown one. */
async function chosenCollections(ctx: Context, given: readonly string[] | undefined): Promise<string[]> {
  const known = (await listCollections(ctx, { order: 'slug' })).map(({ slug }) => slug);
  if (given === undefined) return known;
  const unknown = given.flatMap((slug, index) =>
    known.includes(slug) ? [] : [{ path: `collections.${index}`, message: `collection '${slug}' not found` }],
  );
  if (unknown.length > 0) throw invalidInput(unknown);
  return known.filter((slug) => given.includes(slug));
}

async function rewriteCollection(...request: Parameters<typeof rewriteEntries>) {
  try {
    return await rewriteEntries(...request);
  } catch (error) {
    // A user has deleted it since it was listed.
    if (!(error instanceof QuireError) || error.code !== 'COLLECTION_NOT_FOUND') throw error;
    return { updated: 0, count: 0, errors: [] };
  }
}
