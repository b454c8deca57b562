import { eachOf } from './api.mjs';
import { contentOf } from './entries.mjs';
import { relationOf } from './schema.mjs';

const maxRelated = 3;

/** Posts of one export that share terms: the rarer the terms, the nearer. @returns for each item, its nearest */
function nearest(posts) {
  const keyOf = ({ taxonomy, slug }) => `${taxonomy}/${slug}`;
  const bearers = new Map();
  for (const post of posts) {
    for (const term of post.terms) bearers.set(keyOf(term), [...(bearers.get(keyOf(term)) ?? []), post]);
  }
  return posts.map((post) => {
    const scores = new Map();
    for (const term of post.terms) {
      const others = bearers.get(keyOf(term));
      // What nearly everything has says nothing.
      if (others.length > posts.length / 2) continue;
      for (const other of others)
        if (other !== post) scores.set(other, (scores.get(other) ?? 0) + 1 / others.length);
    }
    const ranked = [...scores].sort(([, left], [, right]) => right - left);
    return { from: post, to: ranked.slice(0, maxRelated).map(([other]) => other) };
  });
}

/** Which items link to which, by reference field. */
function linksOf(source) {
  const items = contentOf(source);
  const pages = items.filter(({ type }) => type === 'page');
  const above = pages.map((page) => ({ from: page, to: pages.filter(({ id }) => id === page.parent) }));
  return { related: nearest(items.filter(({ type }) => type === 'post')), parent: above };
}

/** Sets one entry's links, where it has none yet. @returns how many were set */
async function link({ call }, relation, { from, to }, registry) {
  const usable = (item) => registry.get(item.sourceId)?.status !== 'trashed';
  const children = to.filter(usable).map(({ sourceId }) => registry.get(sourceId).id);
  if (children.length === 0 || !usable(from)) return 0;
  const entry = registry.get(from.sourceId);
  const path = `/content/${entry.collection}/${entry.id}/references/${relation}/children`;
  if ((await call('GET', path)).children.length > 0) return 0;
  await call('POST', path, { childIds: children });
  return children.length;
}

/** Links posts to related ones and pages to the page above them. */
export async function linkEntries(api, exports, registry) {
  for (const [collection, field] of [
    ['posts', 'related'],
    ['pages', 'parent'],
  ]) {
    const relation = await relationOf(api, collection, field);
    const links = exports.flatMap((source) => linksOf(source)[field]).filter(({ to }) => to.length > 0);
    // One at a time: entries that point at each other would wait for each other.
    const counts = await eachOf(links, (each) => link(api, relation, each, registry), 1);
    const made = counts.reduce((sum, count) => sum + count, 0);
    console.log(`  ${collection}.${field}: ${made} links made, of ${links.length} entries`);
  }
}
