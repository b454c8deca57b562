// npm run demo: fills a running Quire with real content through its public API, and shows the worker publishing.
// Options: --url http://localhost:4321  --token TOKEN
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readExport } from './demo/read-export.mjs';
import { plainText, richText } from './demo/rich-text.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({ options: { url: { type: 'string' }, token: { type: 'string' } } });
const origin = options.url ?? `http://localhost:${process.env.PORT ?? 4321}`;
const atOnce = 4;
const files = [
  { file: 'wxr11-small.xml', locale: 'en' },
  { file: 'mixed-blocks.xml', locale: 'en' },
  { file: 'blocks-wp64.xml', locale: 'en' },
  { file: 'ja-classic.xml', locale: 'ja' },
  { file: 'products.xml', locale: 'en' },
  { file: 'edge-cases.xml', locale: 'en' },
];
const collections = { post: 'posts', page: 'pages', product: 'products' };
const fields = [
  { slug: 'title', label: 'Title', type: 'string', required: true, searchable: true, indexed: true },
  { slug: 'content', label: 'Content', type: 'portableText', searchable: true },
  { slug: 'excerpt', label: 'Excerpt', type: 'text' },
  { slug: 'source_id', label: 'Source', type: 'string', unique: true, indexed: true },
];

class DemoError extends Error {}

let token;
/** Calls the API; @returns its data, or undefined for the codes in `allowed`. */
async function call(method, path, body, allowed = []) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const answer = await fetch(`${origin}/_cms/api${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new DemoError(`Nothing answers at ${origin}: run npm start first.`);
  });
  const { data, error } = await answer.json();
  if (error && !allowed.includes(error.code))
    throw new DemoError(`${method} ${path}: ${error.code}: ${error.message}`);
  return data;
}

async function makeCollections() {
  for (const slug of Object.values(collections)) {
    const label = slug[0].toUpperCase() + slug.slice(1);
    await call('POST', '/schema/collections', { slug, label, supports: ['drafts', 'revisions', 'search'] }, [
      'COLLECTION_EXISTS',
    ]);
    for (const field of fields)
      await call('POST', `/schema/collections/${slug}/fields`, field, ['FIELD_EXISTS']);
  }
}

/** Makes one entry unless an earlier run did. @returns what became of it */
async function makeEntry(item, locale) {
  const collection = collections[item.type];
  const seen = encodeURIComponent(JSON.stringify({ source_id: item.sourceId }));
  const known = await call('GET', `/content/${collection}?limit=1&fieldFilters=${seen}`);
  if (known.items.length > 0) return 'there already';
  const data = { title: item.title, content: richText(item.body), source_id: item.sourceId };
  if (plainText(item.excerpt)) data.excerpt = plainText(item.excerpt);
  const body = {
    data,
    locale,
    ...(item.slug ? { slug: item.slug } : {}),
    ...(item.date ? { createdAt: item.date } : {}),
  };
  // Two items may have one slug in the source; the second then gets one from its title.
  const made =
    (await call('POST', `/content/${collection}`, body, ['SLUG_CONFLICT', 'CONFLICT'])) ??
    (await call('POST', `/content/${collection}`, { ...body, slug: undefined }, ['CONFLICT']));
  // An earlier run made it, and it lies in the trash, where the list above does not look.
  if (!made) return 'there already';
  const path = `/content/${collection}/${made.item.id}`;
  if (item.status === 'publish') {
    await call('POST', `${path}/publish`, item.date ? { publishedAt: item.date } : undefined);
    return 'published';
  }
  if (item.status === 'trash') {
    await call('DELETE', path);
    return 'trashed';
  }
  if (item.status !== 'future') return 'draft';
  await call('POST', `${path}/schedule`, { scheduledAt: new Date(Date.now() + 10_000).toISOString() });
  return 'scheduled';
}

async function importFile({ file, locale }) {
  const items = readExport(fileURLToPath(new URL(`../tests/data/${file}`, import.meta.url)));
  const wanted = items.filter(({ type, status }) => collections[type] && status !== 'auto-draft');
  const counts = {};
  while (wanted.length > 0) {
    const results = await Promise.all(wanted.splice(0, atOnce).map((item) => makeEntry(item, locale)));
    for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
  }
  const told = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  console.log(`  ${file.padEnd(18)} ${locale}  ${told.join(', ')}`);
}

/** Entries that one can watch go live, and a page in two languages. */
async function makeScheduled() {
  const ids = [];
  for (let index = 1; index <= 10; index += 1) {
    const made = await call('POST', '/content/posts', { data: { title: `Live in a moment ${index}` } });
    const scheduledAt = new Date(Date.now() + 4_000 + index * 1_000).toISOString();
    await call('POST', `/content/posts/${made.item.id}/schedule`, { scheduledAt });
    ids.push(made.item.id);
  }
  const imprint = await call('POST', '/content/pages', { data: { title: 'About this demo' }, locale: 'en' });
  const german = { data: { title: 'Über diese Vorführung' }, locale: 'de', translationOf: imprint.item.id };
  await call('POST', '/content/pages', german);
  return ids;
}

async function watch(ids) {
  const waiting = new Set(ids);
  const end = Date.now() + 60_000;
  while (waiting.size > 0 && Date.now() < end) {
    await wait(500);
    for (const id of waiting) {
      const { item } = await call('GET', `/content/posts/${id}`);
      if (item.status !== 'published') continue;
      waiting.delete(id);
      console.log(`  published ${item.data.title} at ${item.publishedAt}`);
    }
  }
  if (waiting.size > 0)
    throw new DemoError(`${waiting.size} scheduled entries were not published: does the worker run?`);
}

async function main() {
  const cms = fileURLToPath(new URL('cms.mjs', import.meta.url));
  token =
    options.token ??
    execFileSync(process.execPath, [cms, 'token', 'create', '--role', 'admin'], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  await makeCollections();
  console.log('Content from real export files:');
  for (const file of files) await importFile(file);
  console.log('Scheduled entries, published by the worker:');
  await watch(await makeScheduled());
  for (const collection of Object.values(collections)) {
    const { total } = await call('GET', `/content/${collection}?limit=1`);
    console.log(`${collection.padEnd(9)} ${total} entries`);
  }
  console.log(
    `\nLook at them: curl -H "Authorization: Bearer ${token}" "${origin}/_cms/api/content/posts?status=published&limit=5"`,
  );
}

main().catch((error) => {
  console.error(error instanceof DemoError ? error.message : error);
  process.exit(1);
});
