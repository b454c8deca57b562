import { mapConcurrently, type Api } from './api.js';
import { contentOf, type Registry } from './entries.js';
import type { ExportFile, ExportItem } from './export.js';
import { relationOf } from './schema.js';

const maxRelated = 3;

/** The targets of an item's references. */
interface Links {
  from: ExportItem;
  to: ExportItem[];
}

/** The most related posts of each post: those that share its rarest terms. */
function relatedPosts(posts: readonly ExportItem[]): Links[] {
  const keyOf = ({ taxonomy, slug }: ExportItem['terms'][number]) => `${taxonomy}/${slug}`;
  const postsByTerm = new Map<string, ExportItem[]>();
  for (const post of posts) {
    for (const term of post.terms)
      postsByTerm.set(keyOf(term), [...(postsByTerm.get(keyOf(term)) ?? []), post]);
  }
  return posts.map((post) => {
    const scores = new Map<ExportItem, number>();
    for (const term of post.terms) {
      const others = postsByTerm.get(keyOf(term)) ?? [];
      // A term of most posts does not relate them.
      if (others.length > posts.length / 2) continue;
      for (const other of others)
        if (other !== post) scores.set(other, (scores.get(other) ?? 0) + 1 / others.length);
    }
    const ranked = [...scores].sort(([, left], [, right]) => right - left);
    return { from: post, to: ranked.slice(0, maxRelated).map(([other]) => other) };
  });
}

/** The links of an export by reference field. */
function linksOf(source: ExportFile): { related: Links[]; parent: Links[] } {
  const items = contentOf(source);
  const pages = items.filter(({ type }) => type === 'page');
  const parent = pages.map((page) => ({ from: page, to: pages.filter(({ id }) => id === page.parent) }));
  return { related: relatedPosts(items.filter(({ type }) => type === 'post')), parent };
}

/** Sets the links of an entry without links. @returns their number */
async function link(api: Api, relation: string, { from, to }: Links, registry: Registry): Promise<number> {
  const entryOf = ({ sourceId }: ExportItem) => {
    const found = registry.get(sourceId);
    return found?.status === 'trashed' ? undefined : found;
  };
  const children = to.flatMap((item) => entryOf(item)?.id ?? []);
  const entry = entryOf(from);
  if (children.length === 0 || !entry) return 0;
  const path = `/content/${entry.collection}/${entry.id}/references/${relation}/children`;
  const existing = await api.call<{ children: unknown[] }>('GET', path);
  if (existing.children.length > 0) return 0;
  await api.call('POST', path, { childIds: children });
  return children.length;
}

/** Links posts to related ones, and pages to their parents. */
export async function linkEntries(
  api: Api,
  exports: readonly ExportFile[],
  registry: Registry,
): Promise<void> {
  for (const [collection, field] of [
    ['posts', 'related'],
    ['pages', 'parent'],
  ] as const) {
    const relation = await relationOf(api, collection, field);
    const links = exports.flatMap((source) => linksOf(source)[field]).filter(({ to }) => to.length > 0);
    // One at a time: entries that reference each other would wait for each other's locks.
    const counts = await mapConcurrently(links, (each) => link(api, relation, each, registry), 1);
    const created = counts.reduce((sum, count) => sum + count, 0);
    console.log(`  ${collection}.${field}: ${created} links created, of ${links.length} entries`);
  }
}
