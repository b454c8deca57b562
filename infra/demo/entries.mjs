import { eachOf, tally } from './api.mjs';
import { creditKey } from './bylines.mjs';
import { plainText, richText } from './rich-text.mjs';
import { collections } from './schema.mjs';

/**
 * The entries of the demo by the id that they have in their source.
 * @typedef {Map<string, { id: string, collection: string, title: string, status: string, isNew: boolean }>} Registry
 */

/** The entries that earlier runs made. @returns {Promise<Registry>} */
export async function knownEntries({ all }) {
  const registry = new Map();
  for (const collection of Object.values(collections)) {
    const remember = (items, isTrashed) => {
      for (const { id, status, data } of items)
        registry.set(data.source_id, {
          id,
          collection,
          title: data.title,
          status: isTrashed ? 'trashed' : status,
          isNew: false,
        });
    };
    remember(await all(`/content/${collection}/trash`), true);
    remember(await all(`/content/${collection}`), false);
  }
  return registry;
}

/** Which of an export's items become entries. */
export const contentOf = ({ items }) =>
  items.filter(({ type, status }) => collections[type] && status !== 'auto-draft');

const endings = { publish: 'published', trash: 'trashed', future: 'scheduled' };

function entryBody(item, { file, locale }, { credits, images }) {
  const data = { title: item.title, content: richText(item.body), source_id: item.sourceId };
  if (plainText(item.excerpt)) data.excerpt = plainText(item.excerpt);
  if (images.has(item.imageKey)) data.image = images.get(item.imageKey);
  const taxonomies = {};
  for (const { taxonomy, slug } of item.terms) (taxonomies[taxonomy] ??= []).push(slug);
  const bylineId = credits.get(creditKey(file, item.author));
  return {
    data,
    locale,
    taxonomies,
    ...(item.slug ? { slug: item.slug } : {}),
    ...(item.date ? { createdAt: item.date } : {}),
    ...(bylineId ? { bylines: [{ bylineId }] } : {}),
  };
}

/** Publishes, trashes or schedules a new entry as its source was. */
async function finish({ call }, path, { status, date }) {
  if (status === 'publish') await call('POST', `${path}/publish`, date ? { publishedAt: date } : undefined);
  if (status === 'trash') await call('DELETE', path);
  if (status === 'future')
    await call('POST', `${path}/schedule`, { scheduledAt: new Date(Date.now() + 10_000).toISOString() });
  return endings[status] ?? 'draft';
}

/** Makes one entry unless an earlier run did. @returns what became of it */
async function importEntry(api, item, source, { registry, ...belongings }) {
  if (registry.has(item.sourceId)) return 'there already';
  const collection = collections[item.type];
  const body = entryBody(item, source, belongings);
  // Two items may have one slug in the source; the second then gets one from its title.
  const made =
    (await api.call('POST', `/content/${collection}`, body, ['SLUG_CONFLICT'])) ??
    (await api.call('POST', `/content/${collection}`, { ...body, slug: undefined }));
  const { id } = made.item;
  const status = await finish(api, `/content/${collection}/${id}`, item);
  registry.set(item.sourceId, { id, collection, title: item.title, status, isNew: true });
  return status;
}

/** Makes the entries of all exports, with their terms, credits and images. `registry` gets them. */
export async function importEntries(api, exports, context) {
  for (const source of exports) {
    const results = await eachOf(contentOf(source), (item) => importEntry(api, item, source, context));
    console.log(`  ${source.file.padEnd(18)} ${source.locale}  ${tally(results)}`);
  }
}
