import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseCommandLine, root, type CommandOptions } from '../command.js';
import { Api } from './api.js';
import { replaceImages } from './images.js';
import { importExports } from './imports.js';
import { linkRelatedPosts } from './related.js';
import { createTranslatedPage, watchScheduled } from './scheduled.js';
import { enableSearch, openComments } from './schema.js';

const usage = `Usage: npm run demo [-- --url URL] [-- --token TOKEN]

Fills a running Quire with real content by its importer, and shows the worker publishing: docs/demo.md.

  --url URL      where Quire runs (http://localhost:PORT; PORT is 4321)
  --token TOKEN  an Admin's token (default: a new one of the Quire in this folder)
  --help         this text`;

/** Creates an Admin's token with the command line of this repository. */
function createToken(): string {
  const args = [join(root, 'infra/run.mjs'), 'cms', 'token', 'create', '--role', 'admin'];
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).trim();
}

async function fill(api: Api): Promise<void> {
  console.log('Exports of another platform, imported:');
  const attachments = await importExports(api);
  await openComments(api);
  console.log('Landscapes in place of the images to which they only link:');
  await replaceImages(api, attachments);
  console.log('Links between posts that share rare tags:');
  await linkRelatedPosts(api);
  console.log('A page in two languages:');
  await createTranslatedPage(api);
  console.log('Scheduled posts, published by the worker:');
  await watchScheduled(api);
  console.log('Search:');
  await enableSearch(api);
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
