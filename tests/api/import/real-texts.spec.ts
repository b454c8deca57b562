import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite } from '@quire/testing';
import {
  allEntries,
  exampleFile,
  exampleNames,
  importFile,
  type Entry,
  type ExampleName,
} from './support.js';

/** Facts of an item, read from the XML without the importer. */
interface Item {
  sourceId: string;
  type: string;
  status: string;
  title: string;
  slug: string;
  content: string;
  /** UTC; undefined for none. */
  publishedAt: string | undefined;
}

const valueOf = (xml: string, name: string) => {
  const raw = new RegExp(`<${name}>([^]*?)</${name}>`).exec(xml)?.[1] ?? '';
  return raw.replace(/^\s*<!\[CDATA\[([^]*)\]\]>\s*$/, '$1').replaceAll(']]]]><![CDATA[>', ']]>');
};

function itemsOf(file: string): Item[] {
  return [...file.matchAll(/<item>[^]*?<\/item>/g)].map(([xml]) => {
    const date = valueOf(xml, 'wp:post_date_gmt');
    const isDate =
      /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date) && !Number.isNaN(Date.parse(`${date}Z`));
    return {
      sourceId: valueOf(xml, 'wp:post_id'),
      type: valueOf(xml, 'wp:post_type') || 'post',
      status: valueOf(xml, 'wp:status'),
      title: valueOf(xml, 'title'),
      slug: valueOf(xml, 'wp:post_name'),
      content: valueOf(xml, 'content:encoded'),
      publishedAt: isDate ? new Date(`${date}Z`).toISOString() : undefined,
    };
  });
}

/** The longer words of the text, without markup, entities and the tags of known shortcodes. */
function wordsOf(content: string): string[] {
  const text = content
    .replace(/<!--[^]*?-->/g, ' ')
    .replace(/<(style|script)\b[^]*?<\/\1>/g, ' ')
    // The label of a download button has no place in rich text.
    .replace(/<a [^>]*wp-block-file__button[^]*?<\/a>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\[\/?(?:caption|gallery|audio|embed)\b[^\]]*\]/g, ' ')
    .replace(/&#?\w+;/g, ' ');
  return [...new Set(text.match(/\p{L}{5,}/gu) ?? [])];
}

/** Exports with at least this number of words in the bodies of their entries. */
const minWords: Record<ExampleName, number> = {
  'wxr11-small.xml': 10,
  'ja-classic.xml': 1000,
  'blocks-wp64.xml': 1000,
  'mixed-blocks.xml': 500,
  'products.xml': 20,
  'edge-cases.xml': 50,
};

describe.each(exampleNames)('the entries of %s', (name) => {
  const site = useSite();
  let pairs: { item: Item; entry: Entry }[];

  beforeAll(async () => {
    const admin = await site.as('admin');
    const file = exampleFile(name);
    await importFile(admin, file);
    const records = await site.sql<{ sourceId: string; targetId: string }>(
      `SELECT source_id AS "sourceId", target_id AS "targetId" FROM import_records WHERE kind = 'entry'`,
    );
    // An item without an id is known by its position.
    const targets = new Map(
      records.map(({ sourceId, targetId }) => [sourceId.startsWith('position-') ? '' : sourceId, targetId]),
    );
    const entries = new Map(
      Object.values(await allEntries(admin)).flatMap((list) => list.map((e) => [e.id, e])),
    );
    pairs = itemsOf(file.toString()).flatMap((item) => {
      const entry = entries.get(targets.get(item.sourceId) ?? 'none');
      return entry ? [{ item, entry }] : [];
    });
    expect(pairs).toHaveLength(entries.size);
  });

  it('have every word of their sources', () => {
    let compared = 0;
    const lost = pairs.flatMap(({ item, entry }) => {
      const words = wordsOf(item.content);
      compared += words.length;
      const content = JSON.stringify(entry.data.content);
      return words.filter((word) => !content.includes(word)).map((word) => `${item.sourceId}: ${word}`);
    });
    expect(lost).toEqual([]);
    expect(compared).toBeGreaterThan(minWords[name]);
  });

  it('have the dates of their sources', () => {
    const published = pairs.filter(({ item, entry }) => entry.status === 'published' && item.publishedAt);
    expect(published.map(({ entry }) => [entry.slug, entry.publishedAt, entry.createdAt])).toEqual(
      published.map(({ item, entry }) => [entry.slug, item.publishedAt, item.publishedAt]),
    );
    expect(published.length).toBeGreaterThan(5);
  });

  it('have the slugs of their sources, but for those that another entry has', () => {
    const named = pairs.filter(({ item }) => item.slug !== '');
    const changed = named.filter(
      ({ item, entry }) => entry.slug !== decodeURIComponent(item.slug).replace(/__trashed$/, ''),
    );
    expect(changed.map(({ entry }) => entry.slug)).toEqual(renamed[name] ?? []);
    expect(named.length).toBeGreaterThan(5);
  });

  it('have titles without markup and entities', () => {
    for (const { item, entry } of pairs) {
      const title = entry.data.title as string;
      expect(title).not.toMatch(/&(?:amp|lt|gt|quot|#\d+);|<\w+/);
      if (!/[&<]/.test(item.title)) expect(title).toBe(item.title.trim() || 'Untitled');
    }
  });
});

const renamed: Partial<Record<ExampleName, string[]>> = {
  'blocks-wp64.xml': ['footnotes-2'],
  'edge-cases.xml': ['same-1-2'],
};
