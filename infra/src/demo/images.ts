import { mapConcurrently, type Api } from './api.js';
import type { Attachment } from './imports.js';
import { drawLandscape } from './landscape.js';

interface Uploaded {
  item: { url: string };
  deduplicated?: boolean;
}

/**
 * Uploads a landscape for each image to which the exports only link, and puts it in the image's place in the entries.
 * The upload recognises the same bytes of a second run.
 */
export async function replaceImages(api: Api, attachments: readonly Attachment[]): Promise<void> {
  const images = new Map<string, Attachment>();
  for (const attachment of attachments) {
    const { url, mimeType } = attachment;
    if (url !== undefined && mimeType?.startsWith('image/')) images.set(url, attachment);
  }
  const urlMap: Record<string, string> = {};
  const uploads = await mapConcurrently([...images], async ([url, { filename = 'image', alt }]) => {
    const bytes = await drawLandscape(url);
    const form = new FormData();
    form.set('file', new Blob([bytes], { type: 'image/jpeg' }), filename.replace(/(\.\w{3,4})?$/, '.jpg'));
    if (alt) form.set('alt', alt);
    const { item, deduplicated = false } = await api.call<Uploaded>('POST', '/media', form);
    urlMap[url] = item.url;
    return deduplicated;
  });
  const there = uploads.filter((isThere) => isThere).length;
  console.log(`  ${uploads.length - there} uploaded, ${there} there already`);
  type Rewritten = { updated: number; urlsRewritten: number };
  const path = '/import/legacy/rewrite-urls';
  const { updated, urlsRewritten } = await api.call<Rewritten>('POST', path, { urlMap });
  console.log(`  ${urlsRewritten} addresses replaced in ${updated} entries`);
}
