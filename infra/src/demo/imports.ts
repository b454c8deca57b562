import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../command.js';
import type { Api } from './api.js';

const folder = join(root, 'tests/fixtures/wxr');
const exports = [
  { file: 'wxr11-small.xml', locale: 'en' },
  { file: 'mixed-blocks.xml.gz', locale: 'en' },
  { file: 'blocks-wp64.xml.gz', locale: 'en' },
  { file: 'ja-classic.xml.gz', locale: 'ja' },
  { file: 'products.xml.gz', locale: 'en' },
  { file: 'edge-cases.xml', locale: 'en' },
];

/** A custom field of each item of a shop: the source's editor hides them, so the analysis does not require them. */
const hiddenFields = ['_sku', '_regular_price'];

export interface Attachment {
  url?: string;
  filename?: string;
  mimeType?: string;
  alt?: string;
}

interface Field {
  slug: string;
  label: string;
  type: string;
  required: boolean;
}

interface Analysis {
  postTypes: { name: string; suggestedCollection: string; requiredFields: Field[] }[];
  customFields: { key: string; suggestedField: string; suggestedType: string }[];
  attachments: { items: Attachment[] };
}

interface Prepared {
  collectionsCreated: string[];
  fieldsCreated: unknown[];
  errors: { collection: string; error: string }[];
}

interface Summary {
  imported: number;
  skipped: number;
  errors: { title: string; error: string }[];
  warnings: { code: string }[];
  taxonomies: { termsCreated: Record<string, number> };
  comments: { imported: number };
  sections: { created: number };
  menus: { created: number };
  durationMs: number;
}

/**
 * Imports the exports by the operations of the importer: analysis, schema, content.
 * @returns their attachments
 */
export async function importExports(api: Api): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  console.log(rowOf(['', '  ', ...columns.map(({ title }) => title)]));
  for (const source of exports) attachments.push(...(await importExport(api, source)));
  return attachments;
}

async function importExport(api: Api, { file, locale }: (typeof exports)[number]): Promise<Attachment[]> {
  const name = file.replace(/\.gz$/, '');
  const bytes = readFileSync(join(folder, file));
  const content = new Blob([new Uint8Array(file.endsWith('.gz') ? gunzipSync(bytes) : bytes)]);
  const send = <Data>(operation: string, config?: object) => {
    const form = new FormData();
    if (config) form.set('config', JSON.stringify(config));
    form.set('file', content, name);
    return api.call<Data>('POST', `/import/legacy/${operation}`, form);
  };
  const analysis = await send<Analysis>('analyze');
  const postTypes = postTypesOf(analysis);
  const prepared = await api.call<Prepared>('POST', '/import/legacy/prepare', { postTypes });
  const postTypeMappings = Object.fromEntries(
    postTypes.map(({ name: type, collection }) => [type, { collection }]),
  );
  print({ name, locale }, prepared, await send<Summary>('execute', { postTypeMappings, locale }));
  return analysis.attachments.items;
}

/** All post types, in the suggested collections and with the suggested fields. */
function postTypesOf({ postTypes, customFields }: Analysis) {
  const hidden = customFields
    .filter(({ key }) => hiddenFields.includes(key))
    .map(({ suggestedField: slug, suggestedType: type }) => ({ slug, label: slug, type, required: false }));
  return postTypes.map(({ name, suggestedCollection: collection, requiredFields }) => ({
    name,
    collection,
    fields: [...requiredFields, ...hidden],
  }));
}

const columns: { title: string; cell: (summary: Summary) => number | string }[] = [
  { title: 'new', cell: ({ imported }) => imported },
  { title: 'skipped', cell: ({ skipped }) => skipped },
  { title: 'failed', cell: ({ errors }) => errors.length },
  { title: 'terms', cell: ({ taxonomies }) => sumOf(Object.values(taxonomies.termsCreated)) },
  { title: 'comments', cell: ({ comments }) => comments.imported },
  { title: 'sections', cell: ({ sections }) => sections.created },
  { title: 'menus', cell: ({ menus }) => menus.created },
  { title: 'warnings', cell: ({ warnings }) => warnings.length },
  { title: 'time', cell: ({ durationMs }) => `${(durationMs / 1000).toFixed(1)} s` },
];

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function rowOf([name = '', locale = '', ...cells]: readonly (string | number)[]): string {
  return `  ${name.toString().padEnd(18)}${locale}${cells.map((cell) => String(cell).padStart(10)).join('')}`;
}

/** Prints what was prepared, and the summary of the importer. */
function print(
  { name, locale }: { name: string; locale: string },
  { collectionsCreated, fieldsCreated, errors: schemaErrors }: Prepared,
  summary: Summary,
): void {
  console.log(rowOf([name, locale, ...columns.map(({ cell }) => cell(summary))]));
  const created = [
    ...collectionsCreated,
    ...(fieldsCreated.length > 0 ? [`${fieldsCreated.length} fields`] : []),
  ];
  if (created.length > 0) console.log(`    prepared: ${created.join(', ')}`);
  const codes = summary.warnings.map(({ code }) => code);
  if (codes.length > 0) console.log(`    warnings: ${tally(codes)}`);
  for (const { collection, error } of schemaErrors) console.log(`    failed: ${collection}: ${error}`);
  for (const { title, error } of summary.errors) console.log(`    failed: ${title}: ${error}`);
}

/** `2 SLUG_RENAMED, 3 TITLE_FIXED` for a list of words. */
function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
