import type { Site } from '@quire/testing';

let count = 0;

/** Creates two collections. @returns their slugs, and an unused slug for a relation between them */
export async function createPostsAndTags(
  site: Site,
): Promise<{ posts: string; tags: string; relation: string }> {
  count += 1;
  const [posts, tags, relation] = [`posts_${count}`, `tags_${count}`, `rel_${count}`];
  await site.collection({ slug: posts });
  await site.collection({ slug: tags });
  return { posts, tags, relation };
}

/** Input of POST /relations. */
export const relationBetween = (parentCollection: string, childCollection: string, slug: string) => ({
  slug,
  parentCollection,
  childCollection,
  parentLabel: 'Posts',
  childLabel: 'Tags',
});
