import { once } from 'node:events';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createProgram } from '../program.js';
import type { CommandDeps } from '../run-command.js';

const importId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const noItems = { imported: 0, updated: 0, skipped: 0, failed: 0 };
const summary = {
  type: 'result',
  importId,
  byType: { post: { ...noItems, items: 2, imported: 2 } },
  errors: [],
  totals: { errors: 0, warnings: 0 },
  taxonomies: { termsCreated: {}, assignments: 0 },
  sections: { created: 0 },
  comments: { imported: 0 },
  menus: { created: 0, items: 0 },
  durationMs: 1000,
};
const line = (value: object) => `${JSON.stringify(value)}\n`;

type Answer = (response: ServerResponse, body: string) => unknown;

/** Answers of a healthy site by path. */
const healthy: Record<string, unknown> = {
  'imports?limit=1': { items: [] },
  analyze: {
    importId: null,
    site: { title: 'Old', url: 'https://old.example' },
    postTypes: [
      { name: 'post', count: 2, suggestedCollection: 'posts', requiredFields: [] },
      { name: 'page', count: 1, suggestedCollection: 'pages', requiredFields: [] },
    ],
    attachments: { items: [{ id: 1, url: 'https://old.example/a.jpg' }] },
  },
  prepare: { success: true, collectionsCreated: [], fieldsCreated: [], errors: [] },
  execute: { importId },
  'rewrite-urls': { updated: 0, urlsRewritten: 0, errors: [] },
};
const success =
  (data: unknown): Answer =>
  (response) =>
    response.end(JSON.stringify({ success: true, data }));
const failure =
  (status: number, message: string): Answer =>
  (response) =>
    response
      .writeHead(status)
      .end(JSON.stringify({ success: false, error: { code: 'NOT_AUTHENTICATED', message } }));
const lines =
  (...values: object[]): Answer =>
  (response) =>
    response.end(values.map(line).join(''));

let server: Server;
let origin: string;
let folder: string;
let file: string;
let answers: Record<string, Answer>;
let requests: { path: string; body: string }[];
let stopping: AbortController;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-import-command-'));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').replace('/_cms/api/import/legacy/', '');
    const body = await text(request);
    requests.push({ path, body });
    (answers[path] ?? failure(404, `No answer for ${path}`))(response, body);
  };
  server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  file = join(folder, 'export.xml');
  await writeFile(file, '<rss></rss>');
  answers = Object.fromEntries(Object.entries(healthy).map(([path, data]) => [path, success(data)]));
  answers[`imports/${importId}/progress`] = lines(summary);
  answers['media'] = lines({ type: 'result', imported: [], failed: [], urlMap: { a: 'b' } });
  requests = [];
  stopping = new AbortController();
});
afterEach(() => server.closeAllConnections());
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command. @returns the error that it ends with, and what it prints */
async function run(...args: string[]) {
  let printed = '';
  const deps = {
    adminService: { createToken: () => Promise.resolve('token') },
    print: (printedLine: string) => Promise.resolve(void (printed += `${printedLine}\n`)),
    stopSignal: () => stopping.signal,
  } as unknown as CommandDeps;
  const program = createProgram(async (command) => void (await command(deps)));
  const command = ['import', file, '--url', origin, ...args];
  const error = await program.parseAsync(command, { from: 'user' }).then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
  return { error: error?.message, printed };
}
const paths = () => requests.map(({ path }) => path);
const execution = () => requests.find(({ path }) => path === 'execute')?.body ?? '';

describe('cms import', () => {
  it('sends the file of a new import', async () => {
    expect((await run()).error).toBeUndefined();
    expect(execution()).toContain('<rss></rss>');
    expect(execution()).toContain('{"postTypeMappings":{"post":{"collection":"posts"},');
  });

  it('continues an earlier import of the file without sending it again', async () => {
    answers['analyze'] = success({ ...(healthy['analyze'] as object), importId });
    const { error, printed } = await run();
    expect([error, printed]).toEqual([undefined, expect.stringContaining(`Import ${importId} continues`)]);
    expect(execution()).toContain(`{"importId":"${importId}"}`);
    expect(execution()).not.toContain('<rss>');
  });

  it('leaves items of a collection that does not fit out, and fails', async () => {
    const errors = [{ collection: 'pages', error: 'title has another type' }];
    answers['prepare'] = success({ ...(healthy['prepare'] as object), errors });
    const { error, printed } = await run();
    expect([error, printed]).toEqual([
      '1 collection(s) do not fit',
      expect.stringContaining('pages: title has another type'),
    ]);
    expect(execution()).toContain('{"postTypeMappings":{"post":{"collection":"posts"}}}');
  });

  it('fails when addresses of media could not be replaced', async () => {
    const errors = [{ collection: 'posts', id: '1', error: 'is locked' }];
    answers['rewrite-urls'] = success({ updated: 0, urlsRewritten: 0, errors });
    const { error, printed } = await run('--media');
    expect([error, printed]).toEqual([
      'addresses in 1 entries could not be replaced',
      expect.stringContaining('posts/1: is locked'),
    ]);
  });
});

describe('cms import with a fault', () => {
  it('prints that there is no file, and sends nothing', async () => {
    await rm(file);
    expect((await run()).error).toBe(`There is no file ${file}`);
    expect(requests).toEqual([]);
  });

  it('prints the type of a mapping that the file lacks, and changes nothing', async () => {
    expect((await run('--map', 'film=films')).error).toBe('--map: the file has no items of the type film');
    expect(paths()).toEqual(['imports?limit=1', 'analyze']);
  });

  it.each([401, 403, 503])('prints the message of a response %i before it sends the file', async (status) => {
    answers['imports?limit=1'] = failure(status, 'Not today');
    expect((await run()).error).toBe('Not today');
    expect(paths()).toEqual(['imports?limit=1']);
  });

  it('prints where nothing answers', async () => {
    const { error } = await run('--url', 'http://127.0.0.1:1');
    expect(error).toBe('Nothing answers at http://127.0.0.1:1: start Quire first, or name it with --url');
  });

  it.each([
    ['a page', '<html>Bad gateway</html>'],
    ['other JSON', '{"ok":true}'],
    ['JSON without an object', 'null'],
  ])('prints that %s is no response of Quire', async (_, body) => {
    answers['imports?limit=1'] = (response) => response.writeHead(502).end(body);
    expect((await run()).error).toBe(`${origin} is no Quire: it responds with 502`);
  });

  it.each<[string, Answer]>([
    ['within a line', (response) => response.end('{"type":"prog')],
    [
      'by a reset',
      (response) =>
        response.write(line({ type: 'progress', phase: 'content', current: 1, total: 2 }), () =>
          response.destroy(),
        ),
    ],
    ['without a result', lines({ type: 'progress', phase: 'content', current: 1, total: 2 })],
  ])('prints that the connection ended, %s of the progress', async (_, answer) => {
    answers[`imports/${importId}/progress`] = answer;
    expect((await run()).error).toMatch(/^The connection .*ended.*; the same command continues/);
  });

  it('prints the message of an import that fails', async () => {
    const error = { code: 'IMPORT_ERROR', message: 'No such collection' };
    answers[`imports/${importId}/progress`] = lines({ type: 'error', error });
    expect((await run()).error).toBe('No such collection');
  });

  it('prints that the file has changed since the analysis', async () => {
    answers['prepare'] = (response) =>
      void appendFile(file, 'more').then(() => success(healthy['prepare'])(response, ''));
    expect((await run()).error).toBe('The file changed while it was sent; repeat the command');
  });

  it.each([
    [['--map', 'post=a', '--map', 'post=b'], '--map may name each type once'],
    [['--map', 'post'], "--map must be type=collection, not 'post'"],
    [['--map', 'post=My posts'], expect.stringMatching(/^--map post=My posts: /)],
    [['--url', 'cms.example'], "--url must be an origin such as https://cms.example, not 'cms.example'"],
    [['--url', 'ftp://a.example'], expect.stringContaining('--url must be an origin')],
    [['--url', 'https://a.example/cms'], expect.stringContaining('--url must be an origin')],
  ])('sends nothing with %j', async (args, message) => {
    expect((await run(...args)).error).toEqual(message);
    expect(requests).toEqual([]);
  });
});

describe('cms import that is stopped', () => {
  it('ends while the file is analysed, and imports nothing', async () => {
    answers['analyze'] = () => stopping.abort();
    expect((await run()).error).toBe('Stopped; the same command continues');
    expect(paths()).not.toContain('execute');
  });

  it('pauses the import, and ends when it is paused', async () => {
    const progress = new Promise<ServerResponse>((resolve) => {
      answers[`imports/${importId}/progress`] = (response) => {
        response.write(line({ type: 'progress', importId, phase: 'content', current: 1, total: 2 }));
        resolve(response);
        stopping.abort();
      };
    });
    answers[`imports/${importId}/pause`] = (response) => {
      success({})(response, '');
      void progress.then((stream) => stream.end(line({ type: 'paused', importId })));
    };
    expect((await run()).error).toBe('The import is paused; the same command continues it');
  });

  it('ends the download of media at once, without replacing addresses', async () => {
    answers['media'] = (response) => {
      response.write(line({ type: 'progress', current: 1, total: 1, status: 'downloading' }));
      stopping.abort();
    };
    const { error, printed } = await run('--media');
    expect([error, printed]).toEqual([
      'Stopped; the same command continues',
      expect.stringContaining('took 1.0 s'),
    ]);
    expect(paths().at(-1)).toBe('media');
  });
});
