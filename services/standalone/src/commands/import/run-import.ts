import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ProgressBar } from '@quire/cli';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import xxhash from 'xxhash-wasm';
import type { CommandDeps } from '../run-command.js';
import type { ImportApi } from './import-api.js';
import type {
  Analysis,
  ImportLine,
  ImportSummary,
  ListedImport,
  MediaLine,
  Prepared,
} from './import-responses.js';
import { tableOf } from './tables.js';

/** Attachments of one request. */
const mediaBatch = 1000;
const maxShownFailures = 20;

export interface ImportInput {
  file: string;
  /** Collections by post type, in place of the suggested ones. */
  mappings: ReadonlyMap<string, string>;
  media?: true;
  dryRun?: true;
}

type Output = Pick<CommandDeps, 'print' | 'stopSignal'>;

/**
 * The five steps of an import (spec document 3): analysis, schema, content, media, addresses of media.
 * @throws QuireError of the API, and CONFLICT when an item failed; ConfigurationError without a file
 */
export async function runImport(api: ImportApi, output: Output, input: ImportInput): Promise<void> {
  const { file, mappings, media, dryRun } = input;
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new ConfigurationError(`There is no file ${file}`);
  const stopping = output.stopSignal();
  const analysis = await api.upload<Analysis>('import/legacy/analyze', file);
  const types = analysis.postTypes.map((type) => ({
    ...type,
    collection: mappings.get(type.name) ?? type.suggestedCollection,
  }));
  const unknown = [...mappings.keys()].find((name) => !types.some((type) => type.name === name));
  if (unknown !== undefined)
    throw new ConfigurationError(`--map: the file has no items of the type ${unknown}`);
  await output.print(`${analysis.site.title} (${analysis.site.url})`);
  const rows = types.map(({ name, count, collection }) => [name, count, collection]);
  await output.print(tableOf([['type', 'items', 'collection'], ...rows]));
  if (dryRun) return;
  await prepare(api, output, types);
  const config = {
    postTypeMappings: Object.fromEntries(types.map(({ name, collection }) => [name, { collection }])),
    stream: true,
  };
  const summary = await importContent(api, output, { file, config, stopping });
  if (!summary) throw new QuireError('CONFLICT', 'The import is paused; the same command continues it');
  const attachments = analysis.attachments.items;
  const failedFiles = media ? await importMedia(api, output, { attachments, stopping }) : 0;
  await printSummary(output, summary);
  const failures = [
    ...(summary.totals.errors > 0 ? [`${summary.totals.errors} item(s) failed`] : []),
    ...(failedFiles > 0 ? [`${failedFiles} media file(s) failed`] : []),
  ];
  if (failures.length > 0) throw new QuireError('CONFLICT', failures.join('; '));
}

async function prepare(
  api: ImportApi,
  { print }: Output,
  types: readonly { name: string; collection: string; requiredFields: object[] }[],
): Promise<void> {
  const postTypes = types.map(({ name, collection, requiredFields: fields }) => ({
    name,
    collection,
    enabled: true,
    fields,
  }));
  const prepared = await api.call<Prepared>('POST', 'import/legacy/prepare', { postTypes });
  const { collectionsCreated, fieldsCreated, errors } = prepared;
  if (collectionsCreated.length > 0) await print(`Created collections: ${collectionsCreated.join(', ')}`);
  if (fieldsCreated.length > 0) await print(`Created fields: ${fieldsCreated.length}`);
  for (const { collection, error } of errors) await print(`${collection}: ${error}`);
}

/** @returns the summary; undefined when the import was paused */
async function importContent(
  api: ImportApi,
  { print }: Output,
  { file, config, stopping }: { file: string; config: object; stopping: AbortSignal },
): Promise<ImportSummary | undefined> {
  const resumable = await findResumable(api, file);
  const bar = new ProgressBar(process.stderr);
  const lines = resumable
    ? resumed(api, resumable)
    : api.uploadStreaming<ImportLine>('import/legacy/execute', file, { config: JSON.stringify(config) });
  let importId: string | undefined = resumable;
  let isShown = false;
  const pause = () => {
    if (importId !== undefined)
      void api.call('POST', `import/legacy/imports/${importId}/pause`).catch(() => undefined);
  };
  stopping.addEventListener('abort', pause, { once: true });
  try {
    for await (const line of lines) {
      if (line.type === 'result') return line;
      if (line.type === 'paused') return undefined;
      if (!isShown) {
        ({ importId } = line);
        isShown = true;
        await print(`Import ${importId} has begun`);
        if (stopping.aborted) pause();
      }
      bar.show(line.phase, line);
    }
    throw new ConfigurationError('The connection ended before the import; the same command continues it');
  } finally {
    stopping.removeEventListener('abort', pause);
    bar.end();
  }
}

async function* resumed(api: ImportApi, id: string): AsyncGenerator<ImportLine> {
  await api.call('POST', `import/legacy/imports/${id}/resume`);
  yield* api.stream<ImportLine>('GET', `import/legacy/imports/${id}/progress`);
}

/** The import of this file that is paused, has failed, or runs already. */
async function findResumable(api: ImportApi, file: string): Promise<string | undefined> {
  const { items } = await api.call<{ items: ListedImport[] }>('GET', 'import/legacy/imports?limit=20');
  const unfinished = items.filter(({ state }) => ['paused', 'failed', 'running'].includes(state));
  if (unfinished.length === 0) return undefined;
  const hash = await hashOf(file);
  return unfinished.find(({ fileHash }) => fileHash === hash)?.id;
}

async function hashOf(file: string): Promise<string> {
  const hash = (await xxhash()).create64();
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest().toString(16).padStart(16, '0');
}

/** @returns the number of files that failed */
async function importMedia(
  api: ImportApi,
  { print }: Output,
  { attachments, stopping }: { attachments: Analysis['attachments']['items']; stopping: AbortSignal },
): Promise<number> {
  const bar = new ProgressBar(process.stderr);
  const urlMap: Record<string, string> = {};
  const failed: { legacyId?: number; originalUrl: string; error: string }[] = [];
  for (let start = 0; start < attachments.length && !stopping.aborted; start += mediaBatch) {
    const batch = attachments.slice(start, start + mediaBatch);
    const body = { attachments: batch, stream: true };
    for await (const line of api.stream<MediaLine>('POST', 'import/legacy/media', body)) {
      if (line.type === 'progress')
        bar.show('media', { current: start + line.current, total: attachments.length });
      else {
        Object.assign(urlMap, line.urlMap);
        failed.push(...line.failed);
      }
      if (stopping.aborted) break;
    }
  }
  bar.end();
  const { updated, urlsRewritten } = await api.call<{ updated: number; urlsRewritten: number }>(
    'POST',
    'import/legacy/rewrite-urls',
    { urlMap },
  );
  await print(
    `Media: ${Object.keys(urlMap).length} stored, ${failed.length} failed; ${urlsRewritten} address(es) in ${updated} entries`,
  );
  for (const { legacyId, originalUrl, error } of failed.slice(0, maxShownFailures))
    await print(`  ${originalUrl || `attachment ${legacyId}`}: ${error}`);
  return failed.length;
}

async function printSummary({ print }: Output, summary: ImportSummary): Promise<void> {
  const { byType, taxonomies, sections, comments, menus, totals, errors, durationMs, importId } = summary;
  const rows = Object.entries(byType).map(([type, { items, imported, updated, skipped, failed }]) => [
    type,
    items,
    imported,
    updated,
    skipped,
    failed,
  ]);
  await print(tableOf([['type', 'items', 'imported', 'updated', 'skipped', 'failed'], ...rows]));
  const terms = Object.values(taxonomies.termsCreated).reduce((sum, count) => sum + count, 0);
  await print(
    `Terms: ${terms} created, ${taxonomies.assignments} assigned. Sections: ${sections.created}. Comments: ${comments.imported}. Menus: ${menus.created} with ${menus.items} item(s).`,
  );
  await print(`Warnings: ${totals.warnings}. Failures: ${totals.errors}.`);
  for (const { title, error } of errors.slice(0, maxShownFailures)) await print(`  ${title}: ${error}`);
  await print(`Import ${importId} took ${(durationMs / 1000).toFixed(1)} s`);
}
