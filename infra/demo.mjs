// npm run demo: fills a running Quire with real content through its public API, and shows the worker publishing.
// Options: --url http://localhost:4321  --token TOKEN. What it makes: docs/demo.md
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DemoError, openApi } from './demo/api.mjs';
import { importBylines } from './demo/bylines.mjs';
import { importComments } from './demo/comments.mjs';
import { importEntries, knownEntries } from './demo/entries.mjs';
import { importImages } from './demo/images.mjs';
import { importMenus } from './demo/menus.mjs';
import { readExport } from './demo/read-export.mjs';
import { linkEntries } from './demo/references.mjs';
import { createTranslatedPage, watchScheduled } from './demo/scheduled.mjs';
import { collections, enableSearch, createCollections } from './demo/schema.mjs';
import { importTaxonomies } from './demo/taxonomies.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({ options: { url: { type: 'string' }, token: { type: 'string' } } });
const origin = options.url ?? `http://localhost:${process.env.PORT ?? 4321}`;
const files = [
  { file: 'wxr11-small.xml', locale: 'en' },
  { file: 'mixed-blocks.xml', locale: 'en' },
  { file: 'blocks-wp64.xml', locale: 'en' },
  { file: 'ja-classic.xml', locale: 'ja' },
  { file: 'products.xml', locale: 'en' },
  { file: 'edge-cases.xml', locale: 'en' },
];

/** An Admin's token, made by the command line of the installation beside this file. */
function createToken() {
  const cms = fileURLToPath(new URL('cms.mjs', import.meta.url));
  const made = execFileSync(process.execPath, [cms, 'token', 'create', '--role', 'admin'], {
    cwd: root,
    encoding: 'utf8',
  });
  return made.trim();
}

async function main() {
  const token = options.token ?? createToken();
  const api = openApi({ origin, token });
  const exports = files.map(({ file, locale }) => ({
    file,
    locale,
    ...readExport(fileURLToPath(new URL(`../tests/fixtures/wxr/${file}`, import.meta.url))),
  }));
  await createCollections(api);
  const registry = await knownEntries(api);
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
    const { total } = await api.call('GET', `/content/${collection}?limit=1`);
    console.log(`${collection.padEnd(9)} ${total} entries`);
  }
  const look = `"${origin}/_cms/api/content/posts?status=published&limit=5"`;
  console.log(`\nLook at them: curl -H "Authorization: Bearer ${token}" ${look}`);
  console.log('More to look at: docs/demo.md');
}

main().catch((error) => {
  console.error(error instanceof DemoError ? error.message : error);
  process.exit(1);
});
