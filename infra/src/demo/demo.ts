import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseCommandLine, root, type CommandOptions } from '../command.js';
import { Api } from './api.js';
import { importBylines } from './bylines.js';
import { importComments } from './comments.js';
import { existingEntries, importEntries } from './entries.js';
import type { ExportFile } from './export.js';
import { importImages } from './images.js';
import { importMenus } from './menus.js';
import { readExport } from './read-export.js';
import { linkEntries } from './references.js';
import { createTranslatedPage, watchScheduled } from './scheduled.js';
import { collections, createCollections, enableSearch } from './schema.js';
import { importTaxonomies } from './taxonomies.js';

const usage = `Usage: npm run demo [-- --url URL] [-- --token TOKEN]

Fills a running Quire with real content through its public API, and shows the worker publishing: docs/demo.md.

  --url URL      where Quire runs (http://localhost:PORT; PORT is 4321)
  --token TOKEN  an Admin's token (default: a new one of the Quire in this folder)
  --help         this text`;

const files = [
  { file: 'wxr11-small.xml', locale: 'en' },
  { file: 'mixed-blocks.xml', locale: 'en' },
  { file: 'blocks-wp64.xml', locale: 'en' },
  { file: 'ja-classic.xml', locale: 'ja' },
  { file: 'products.xml', locale: 'en' },
  { file: 'edge-cases.xml', locale: 'en' },
];

/** Creates an Admin's token with the command line of this repository. */
function createToken(): string {
  const args = [join(root, 'infra/run.mjs'), 'cms', 'token', 'create', '--role', 'admin'];
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).trim();
}

async function fill(api: Api): Promise<void> {
  const exports: ExportFile[] = files.map(({ file, locale }) => ({
    file,
    locale,
    ...readExport(join(root, 'tests/fixtures/wxr', file)),
  }));
  await createCollections(api);
  const registry = await existingEntries(api);
  console.log('Taxonomies of the exports, and their terms:');
  const termIds = await importTaxonomies(api, exports);
  console.log('Bylines of their authors:');
  const credits = await importBylines(api, exports);
  console.log('Images that entries show:');
  const images = await importImages(api, exports);
  console.log('Entries:');
  await importEntries(api, exports, { registry, credits, images });
  await createTranslatedPage(api, registry);
  console.log('Links between them:');
  await linkEntries(api, exports, registry);
  console.log('Menus:');
  await importMenus(api, exports, { registry, termIds });
  console.log('Comments:');
  await importComments(api, exports, registry);
  console.log('Scheduled entries, published by the worker:');
  await watchScheduled(api, registry);
  console.log('Search:');
  await enableSearch(api);
  for (const collection of Object.values(collections)) {
    const { total } = await api.call<{ total: number }>('GET', `/content/${collection}?limit=1`);
    console.log(`${collection.padEnd(9)} ${total} entries`);
  }
}

/** `npm run demo`. @throws UserFacingError when Quire does not run, or rejects a request */
export async function run({ args }: CommandOptions): Promise<number> {
  const { values } = parseCommandLine('npm run demo', {
    args,
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const origin = values.url ?? `http://localhost:${process.env.PORT ?? 4321}`;
  const token = values.token ?? createToken();
  await fill(new Api({ origin, token }));
  const url = `"${origin}/_cms/api/content/posts?status=published&limit=5"`;
  console.log(`\nLook at them: curl -H "Authorization: Bearer ${token}" ${url}`);
  console.log('More to look at: docs/demo.md');
  return 0;
}
