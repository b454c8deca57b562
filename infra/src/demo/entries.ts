import { mapConcurrently, tally, type Api } from './api.js';
import { creditKey } from './bylines.js';
import type { Export, ExportFile, ExportItem } from './export.js';
import { plainText, richText } from './rich-text.js';
import { collectionOf, collections } from './schema.js';

export interface ImportedEntry {
  id: string;
  collection: string;
  title: string;
  /** `trashed` for an entry in the trash. */
  status: string;
}

/** The entries of the demo by their id in the source. */
export type Registry = Map<string, ImportedEntry>;

/** An entry of a response. */
export interface Entry {
  id: string;
  status: string;
  publishedAt: string | null;
  data: { title: string; source_id: string };
}

/** The entries of earlier runs. */
export async function existingEntries(api: Api): Promise<Registry> {
  const registry: Registry = new Map();
  for (const collection of Object.values(collections)) {
    const add = (items: readonly Entry[], isTrashed: boolean) => {
      for (const { id, status, data } of items)
        registry.set(data.source_id, {
          id,
          collection,
          title: data.title,
          status: isTrashed ? 'trashed' : status,
        });
    };
    add(await api.all(`/content/${collection}/trash`), true);
    add(await api.all(`/content/${collection}`), false);
  }
  return registry;
}

/** The items of an export that become entries. */
export const contentOf = ({ items }: Export): ExportItem[] =>
  items.filter(({ type, status }) => collectionOf(type) && status !== 'auto-draft');

/** The status of an entry by that of its item. */
const statuses: Readonly<Record<string, string>> = {
  publish: 'published',
  trash: 'trashed',
  future: 'scheduled',
};

interface ImportContext {
  registry: Registry;
  /** Ids of bylines by `creditKey`. */
  credits: ReadonlyMap<string, string>;
  /** Values of the image field by `imageKey`. */
  images: ReadonlyMap<string, object>;
}

function entryBody(
  item: ExportItem,
  { file, locale }: ExportFile,
  { credits, images }: ImportContext,
): object {
  const data: Record<string, unknown> = {
    title: item.title,
    content: richText(item.body),
    source_id: item.sourceId,
  };
  if (plainText(item.excerpt)) data.excerpt = plainText(item.excerpt);
  const image = images.get(item.imageKey);
  if (image) data.image = image;
  const taxonomies: Record<string, string[]> = {};
  for (const { taxonomy, slug } of item.terms) (taxonomies[taxonomy] ??= []).push(slug);
  const bylineId = item.author === undefined ? undefined : credits.get(creditKey(file, item.author));
  return {
    data,
    locale,
    taxonomies,
    ...(item.slug ? { slug: item.slug } : {}),
    ...(item.date ? { createdAt: item.date } : {}),
    ...(bylineId ? { bylines: [{ bylineId }] } : {}),
  };
}

/** Publishes, trashes or schedules a new entry like its source. @returns its status */
async function applyStatus(api: Api, path: string, { status, date }: ExportItem): Promise<string> {
  if (status === 'publish')
    await api.call('POST', `${path}/publish`, date ? { publishedAt: date } : undefined);
  if (status === 'trash') await api.call('DELETE', path);
  if (status === 'future')
    await api.call('POST', `${path}/schedule`, { scheduledAt: new Date(Date.now() + 10_000).toISOString() });
  return statuses[status] ?? 'draft';
}

/** Creates an entry that does not exist. @returns its status, or `there already` */
async function importEntry(
  api: Api,
  item: ExportItem,
  source: ExportFile,
  context: ImportContext,
): Promise<string> {
  const { registry } = context;
  if (registry.has(item.sourceId)) return 'there already';
  const collection = collectionOf(item.type) ?? item.type;
  const body = entryBody(item, source, context);
  // Two items may have one slug in the source; the second then gets one from its title.
  type Created = { item: Entry };
  const path = `/content/${collection}`;
  const { item: created } =
    (await api.callAllowing<Created>(['SLUG_CONFLICT'], 'POST', path, body)) ??
    (await api.call<Created>('POST', path, { ...body, slug: undefined }));
  const { id } = created;
  const status = await applyStatus(api, `${path}/${id}`, item);
  registry.set(item.sourceId, { id, collection, title: item.title, status });
  return status;
}

/** Creates the entries of all exports, with their terms, credits and images. Adds them to the registry. */
export async function importEntries(
  api: Api,
  exports: readonly ExportFile[],
  context: ImportContext,
): Promise<void> {
  for (const source of exports) {
    const results = await mapConcurrently(contentOf(source), (item) =>
      importEntry(api, item, source, context),
    );
    console.log(`  ${source.file.padEnd(18)} ${source.locale}  ${tally(results)}`);
  }
}
