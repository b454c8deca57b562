import { mapConcurrently, type Api } from './api.js';
import { createRelated } from './schema.js';

const locales = ['en', 'ja'];
const maxRelated = 3;
/** A tag of more posts does not relate them. */
const maxPosts = 4;

interface Tag {
  slug: string;
  count: number;
}

/** Links posts to others that share a rare tag. */
export async function linkRelatedPosts(api: Api): Promise<void> {
  const related = new Map<string, Set<string>>();
  for (const locale of locales) for (const ids of await postsOfRareTags(api, locale)) relate(related, ids);
  const relation = await createRelated(api);
  // One at a time: entries that reference each other would wait for each other's locks.
  const linked = await mapConcurrently([...related], (each) => link(api, relation, each), 1);
  const count = linked.filter((isLinked) => isLinked).length;
  console.log(`  posts.related: ${count} posts linked, ${linked.length - count} there already`);
}

/** The ids of the posts of each tag that a few posts have. */
async function postsOfRareTags(api: Api, locale: string): Promise<string[][]> {
  const { terms } = await api.call<{ terms: Tag[] }>('GET', `/taxonomies/tag/terms?locale=${locale}`);
  const rare = terms.filter(({ count }) => count > 1 && count <= maxPosts);
  return mapConcurrently(rare, async ({ slug }) => {
    const query = new URLSearchParams({ locale, termFilters: JSON.stringify({ tag: [slug] }) });
    const { items } = await api.call<{ items: { id: string }[] }>('GET', `/content/posts?${query}`);
    return items.map(({ id }) => id);
  });
}

/** Adds each post to the others' related ones. */
function relate(related: Map<string, Set<string>>, ids: readonly string[]): void {
  for (const id of ids) {
    const others = ids.filter((other) => other !== id);
    if (others.length > 0) related.set(id, new Set([...(related.get(id) ?? []), ...others]));
  }
}

/** Links a post that has no links. @returns whether it did */
async function link(api: Api, relation: string, [id, others]: [string, Set<string>]): Promise<boolean> {
  const path = `/content/posts/${id}/references/${relation}/children`;
  const { children } = await api.call<{ children: unknown[] }>('GET', path);
  if (children.length > 0) return false;
  await api.call('POST', path, { childIds: [...others].slice(0, maxRelated) });
  return true;
}
