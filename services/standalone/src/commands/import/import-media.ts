import { ProgressBar } from '@quire/cli';
import type { ImportApi } from './import-api.js';
import type { Analysis, FailedMedia, MediaLine, RewrittenUrls } from './import-responses.js';

/** Attachments of one request. */
const mediaBatch = 1000;
/** Addresses of one request: their body is smaller than the API allows. */
const rewriteBatch = 10_000;
const maxShownFailures = 20;

export interface MediaInput {
  attachments: Analysis['attachments']['items'];
  /** Ends the downloads; a later import skips what is stored. */
  stopping: AbortSignal;
}

/**
 * Downloads the media of a file, and replaces their addresses in the content.
 * @returns what failed, as parts of a message
 * @throws QuireError of the API; ConfigurationError without a connection, or when it is stopped
 */
export async function importMedia(
  api: ImportApi,
  print: (line: string) => Promise<void>,
  input: MediaInput,
): Promise<string[]> {
  const { urlMap, stored, failed } = await download(api, input);
  const { updated, urlsRewritten, errors } = await rewrite(api, urlMap, input.stopping);
  await print(
    `Media: ${stored} stored, ${failed.length} failed; ${urlsRewritten} address(es) in ${updated} entries`,
  );
  for (const { legacyId, originalUrl, error } of failed.slice(0, maxShownFailures))
    await print(`  ${originalUrl || `attachment ${legacyId}`}: ${error}`);
  for (const { collection, id, error } of errors.slice(0, maxShownFailures))
    await print(`  ${collection}/${id}: ${error}`);
  return [
    ...(failed.length > 0 ? [`${failed.length} media file(s) failed`] : []),
    ...(errors.length > 0 ? [`addresses in ${errors.length} entries could not be replaced`] : []),
  ];
}

async function download(api: ImportApi, { attachments, stopping: signal }: MediaInput) {
  const bar = new ProgressBar(process.stderr);
  const urlMap: Record<string, string> = {};
  let stored = 0;
  const failed: FailedMedia[] = [];
  try {
    for (let start = 0; start < attachments.length; start += mediaBatch) {
      const body = { attachments: attachments.slice(start, start + mediaBatch), stream: true };
      for await (const line of api.stream<MediaLine>('POST', 'import/legacy/media', { body, signal })) {
        if (line.type === 'progress') {
          bar.show('media', { current: start + line.current, total: attachments.length });
        } else {
          Object.assign(urlMap, line.urlMap);
          stored += line.imported.length;
          failed.push(...line.failed);
        }
      }
    }
  } finally {
    bar.end();
  }
  return { urlMap, stored, failed };
}

async function rewrite(
  api: ImportApi,
  urlMap: Record<string, string>,
  signal: AbortSignal,
): Promise<RewrittenUrls> {
  const sum: RewrittenUrls = { updated: 0, urlsRewritten: 0, errors: [] };
  const addresses = Object.entries(urlMap);
  for (let start = 0; start < addresses.length; start += rewriteBatch) {
    const body = { urlMap: Object.fromEntries(addresses.slice(start, start + rewriteBatch)) };
    const part = await api.call<RewrittenUrls>('POST', 'import/legacy/rewrite-urls', { body, signal });
    sum.updated += part.updated;
    sum.urlsRewritten += part.urlsRewritten;
    sum.errors.push(...part.errors);
  }
  return sum;
}
