import { openAsBlob } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import type { CommandDeps } from '../run-command.js';
import type { ImportApi } from './import-api.js';
import { importContent } from './import-content.js';
import { importMedia } from './import-media.js';
import type { Analysis, ImportSummary, Prepared } from './import-responses.js';
import { tableOf } from '../tables.js';

const maxShownFailures = 20;

export interface ImportInput {
  file: string;
  /** Collections by post type, in place of the suggested ones. */
  mappings: ReadonlyMap<string, string>;
  media?: true;
  dryRun?: true;
}

type Output = Pick<CommandDeps, 'print' | 'stopSignal'>;

interface MappedType {
  name: string;
  count: number;
  collection: string;
  requiredFields: object[];
}

/**
 * The five steps of an import (spec document 3): analysis, schema, content, media, addresses of media.
 * @throws QuireError of the API, and CONFLICT when something was not imported; ConfigurationError without a file or a
 *   connection, or when it is stopped
 */
export async function runImport(api: ImportApi, output: Output, input: ImportInput): Promise<void> {
  const { print } = output;
  const file = await openExport(input.file);
  const stopping = output.stopSignal();
  // A bad token and a site that is unavailable are reported before the file is sent.
  await api.call('GET', 'import/legacy/imports?limit=1', { signal: stopping });
  const analysis = await api.submit<Analysis>('import/legacy/analyze', { file }, stopping);
  const { site, importId, attachments } = analysis;
  const types = mapTypes(analysis, input.mappings);
  await print(`${site.title} (${site.url})`);
  const rows = types.map(({ name, count, collection }) => [name, count, collection]);
  await print(tableOf([['type', 'items', 'collection'], ...rows]));
  if (input.dryRun) return;
  const refused = await prepare(api, print, { types, signal: stopping });
  const mapped = types.filter(({ collection }) => !refused.has(collection));
  const config = {
    postTypeMappings: Object.fromEntries(mapped.map(({ name, collection }) => [name, { collection }])),
  };
  const summary = await importContent(api, print, { file, config, importId, stopping });
  await printSummary(print, summary);
  const failures = [
    ...(refused.size > 0 ? [`${refused.size} collection(s) do not fit`] : []),
    ...(summary.totals.errors > 0 ? [`${summary.totals.errors} item(s) failed`] : []),
    ...(input.media ? await importMedia(api, print, { attachments: attachments.items, stopping }) : []),
  ];
  if (failures.length > 0) throw new QuireError('CONFLICT', failures.join('; '));
}

/** Opens a file, which is read while it is sent: one of gigabytes is not held in memory. */
async function openExport(path: string): Promise<{ bytes: Blob; name: string }> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new ConfigurationError(`There is no file ${path}`);
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isReadable) throw new ConfigurationError(`The file ${path} cannot be read`);
  return { bytes: await openAsBlob(path, { type: 'application/xml' }), name: basename(path) };
}

function mapTypes({ postTypes }: Analysis, mappings: ReadonlyMap<string, string>): MappedType[] {
  const unknown = [...mappings.keys()].find((name) => !postTypes.some((type) => type.name === name));
  if (unknown !== undefined)
    throw new ConfigurationError(`--map: the file has no items of the type ${unknown}`);
  return postTypes.map(({ name, count, suggestedCollection, requiredFields }) => ({
    name,
    count,
    collection: mappings.get(name) ?? suggestedCollection,
    requiredFields,
  }));
}

/** Creates missing collections and fields. @returns the collections that do not fit; their items are left out */
async function prepare(
  api: ImportApi,
  print: Output['print'],
  { types, signal }: { types: readonly MappedType[]; signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  const postTypes = types.map(({ name, collection, requiredFields: fields }) => ({
    name,
    collection,
    enabled: true,
    fields,
  }));
  const prepared = await api.call<Prepared>('POST', 'import/legacy/prepare', { body: { postTypes }, signal });
  const { collectionsCreated, fieldsCreated, errors } = prepared;
  if (collectionsCreated.length > 0) await print(`Created collections: ${collectionsCreated.join(', ')}`);
  if (fieldsCreated.length > 0) await print(`Created fields: ${fieldsCreated.length}`);
  for (const { collection, error } of errors) await print(`${collection}: ${error}`);
  return new Set(errors.map(({ collection }) => collection));
}

async function printSummary(print: Output['print'], summary: ImportSummary): Promise<void> {
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
