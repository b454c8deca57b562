import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  eventually,
  issuePaths,
  multipartForm,
  openSite,
  statusAndCode,
  useRowLock,
  useSite,
  waitUntilBlocked,
  type ApiResponse,
  type Client,
} from '@quire/testing';
import { request } from 'undici';
import { exportOf, headOf, posts } from './export-builder.js';
import { analyze, createPosts, dataOf, entriesIn, execute, executePath, importsPath } from './support.js';

const site = useSite();
const rowLock = useRowLock(site);
let admin: Client;
const mapping = { postTypeMappings: { post: { collection: 'posts' } } };
/** More items than one step of an import takes. */
const many = exportOf(posts(1, 500));
const small = (first: number, last = first) => exportOf(posts(first, last), headOf('https://small.example'));

beforeAll(async () => {
  admin = await site.as('admin');
  await createPosts(site);
});

type Line = Record<string, unknown> & { type: string };
const linesOf = ({ text }: ApiResponse): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
const latest = async () => (await admin.get(`${importsPath}?limit=1`)).data.items[0];
const read = async (id: string) => dataOf(await admin.get(`${importsPath}/${id}`));
const ended = (id: string) =>
  eventually(
    () => read(id),
    ({ state }) => state === 'complete' || state === 'failed',
    30_000,
  );

/** Starts an import that waits at its first item, and runs `work` while it does. */
async function whileRunning<Result>(
  start: () => Promise<Result>,
  work: (importId: string) => Promise<void>,
): Promise<Result> {
  await rowLock.acquire('LOCK TABLE import_records IN ACCESS EXCLUSIVE MODE');
  const started = start();
  try {
    await waitUntilBlocked(site, ['import_records']);
    await work((await latest()).id);
  } finally {
    await rowLock.rollback();
  }
  return started;
}

describe('the progress of POST /import/legacy/execute', () => {
  const withIssues = (first: number) =>
    exportOf(
      [
        { id: first, status: 'pending' },
        { id: first + 1 },
        `<item><title>Broken</title><wp:postmeta></item>`,
      ],
      headOf('https://issues.example'),
    );

  it.each<[string, object, Record<string, string>]>([
    ['stream: true', { stream: true }, {}],
    ['Accept: application/x-ndjson', {}, { accept: 'application/x-ndjson' }],
  ])('%s: is streamed line by line, the summary last', async (_, option, headers) => {
    const file = withIssues(headers['accept'] ? 2001 : 2011);
    const response = await execute(admin, file, { ...mapping, ...option }, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.text.endsWith('\n')).toBe(true);
    const lines = linesOf(response);
    const last = lines.pop() as Line;
    expect(last).toMatchObject({
      type: 'result',
      imported: 2,
      failed: 1,
      totals: { errors: 1, warnings: 1 },
    });
    for (const line of lines)
      expect(line).toMatchObject({
        type: 'progress',
        importId: last['importId'],
        phase: expect.stringMatching(/^(bylines|terms|content|sections|comments|menus)$/),
        current: expect.any(Number),
        total: expect.any(Number),
      });
    for (const line of lines) {
      const [current, total] = [line['current'] as number, line['total'] as number];
      expect(line['percent']).toBe(total === 0 ? 100 : Math.floor((100 * current) / total));
    }
    const issues = lines.filter(({ status }) => status !== undefined);
    expect(issues.map(({ status, title }) => [status, title])).toEqual(
      expect.arrayContaining([
        ['failed', expect.any(String)],
        ['warning', `Item ${headers['accept'] ? 2001 : 2011}`],
      ]),
    );
    expect(issues).toHaveLength(2);
    expect((await read(last['importId'] as string)).result).toEqual({ ...last, type: undefined });
  });

  it('is one JSON response without stream', async () => {
    const response = await execute(admin, small(2101), mapping);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.data).toEqual((await read(response.data.importId)).result);
  });

  it('is all items of the file at the end', async () => {
    const response = await execute(admin, small(2121, 2123), { ...mapping, stream: true });
    const [progress, last] = linesOf(response).slice(-2);
    expect(progress).toMatchObject({ type: 'progress', current: 3, total: 3, percent: 100 });
    const whole = { done: 3, total: 3 };
    expect((await read(String(last?.['importId']))).progress).toEqual(whole);
    expect((await latest()).progress).toEqual(whole);
  });

  it('of an import that has ended is its summary', async () => {
    const { importId } = dataOf(await execute(admin, small(2111), mapping));
    const response = await admin.get(`${importsPath}/${importId}/progress`);
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    expect(linesOf(response).at(-1)).toMatchObject({ type: 'result', importId, imported: 1 });
  });
});

describe('an import whose client disconnects', () => {
  it.each([{ stream: true }, { stream: false }])('goes on to its end (%j)', async ({ stream }) => {
    const first = stream ? 2201 : 2211;
    const aborted = new AbortController();
    const { headers, rawBody } = multipartForm([
      { name: 'file', value: small(first, first + 4), filename: 'export.xml', type: 'text/xml' },
      { name: 'config', value: JSON.stringify({ ...mapping, stream }) },
    ]);
    const send = () =>
      request(`${site.system.origin}/_cms/api${executePath}`, {
        method: 'POST',
        headers: { host: site.host, authorization: `Bearer ${admin.token}`, ...headers } as Record<
          string,
          string
        >,
        body: rawBody,
        signal: aborted.signal,
      })
        .then(({ body }) => body.text())
        .then(
          () => 'answered',
          () => 'aborted',
        );
    let importId = '';
    const outcome = await whileRunning(send, async (id) => {
      importId = id;
      expect((await read(id)).state).toBe('running');
      aborted.abort();
    });
    expect(outcome).toBe('aborted');
    const { state, result } = await ended(importId);
    expect([state, result.imported]).toEqual(['complete', 5]);
    const lines = linesOf(await admin.get(`${importsPath}/${importId}/progress`));
    expect(lines.at(-1)).toMatchObject({ type: 'result', imported: 5 });
    for (let id = first; id < first + 5; id += 1)
      expect((await admin.get(`/content/posts/item-${id}`)).status).toBe(200);
  });
});

describe('another import while one has not ended', () => {
  it('returns 409 IMPORT_RUNNING while it runs, and while it is paused', async () => {
    const other = () => execute(admin, small(2301), mapping);
    let importId = '';
    const response = await whileRunning(
      () => execute(admin, small(2302), mapping),
      async (id) => {
        importId = id;
        expect(statusAndCode(await other())).toEqual([409, 'IMPORT_RUNNING']);
        expect(statusAndCode(await admin.post(`${importsPath}/${id}/undo`))).toEqual([409, 'IMPORT_RUNNING']);
        const paused = await admin.post(`${importsPath}/${id}/pause`);
        expect([paused.status, paused.data.id, paused.data.state]).toEqual([200, id, 'paused']);
        expect((await admin.post(`${importsPath}/${id}/pause`)).data.state).toBe('paused');
        expect(statusAndCode(await other())).toEqual([409, 'IMPORT_RUNNING']);
      },
    );
    expect(statusAndCode(response)).toEqual([409, 'IMPORT_RUNNING']);
    expect((await admin.get('/content/posts/item-2301')).status).toBe(404);
    expect((await admin.post(`${importsPath}/${importId}/resume`)).data.state).toBe('running');
    expect(await ended(importId)).toMatchObject({ state: 'complete', result: { imported: 1 } });
    expect(dataOf(await other()).imported).toBe(1);
  });

  it('does not concern other sites', async () => {
    const second = await openSite();
    try {
      const client = await second.as('admin');
      await createPosts(second);
      await whileRunning(
        () => execute(admin, small(2401), mapping),
        async () => expect(dataOf(await execute(client, small(1), mapping)).imported).toBe(1),
      );
    } finally {
      await second.close();
    }
  });

  it('an import that has ended cannot be paused, and is not resumed', async () => {
    const { importId } = dataOf(await execute(admin, small(2501), mapping));
    const paused = await admin.post(`${importsPath}/${importId}/pause`);
    expect([...statusAndCode(paused), issuePaths(paused)]).toEqual([400, 'VALIDATION_ERROR', ['importId']]);
    expect((await admin.post(`${importsPath}/${importId}/resume`)).data.state).toBe('complete');
    expect((await read(importId)).result.imported).toBe(1);
  });
});

/** What does not depend on the time and the site. */
async function importedEntries(client: Client) {
  const entries = await entriesIn(client, 'posts');
  return entries
    .map(({ slug, status, data, createdAt, updatedAt, publishedAt, version }) => ({
      slug,
      status,
      data,
      createdAt,
      updatedAt,
      publishedAt,
      version,
    }))
    .sort((a, b) => a.slug.localeCompare(b.slug));
}

describe.each([
  ['POST .../resume', (client: Client, id: string) => client.post(`${importsPath}/${id}/resume`)],
  [
    'POST /import/legacy/execute with importId',
    (client: Client, importId: string) => execute(client, many, { ...mapping, importId }),
  ],
  [
    'POST /import/legacy/execute with the importId of an analysis of its file, without the file',
    async (client: Client) => {
      const { importId } = dataOf(await analyze(client, many));
      return execute(client, undefined, { importId });
    },
  ],
])('an import that is paused between two of its steps and resumed by %s', (_, resume) => {
  const pausedSite = useSite();
  const otherSite = useSite();
  const lock = useRowLock(pausedSite);

  it('has the result of one that was not paused', async () => {
    const client = await pausedSite.as('admin');
    await createPosts(pausedSite);
    const blocker = await createEntry(client, 'posts', { body: undefined }, { slug: 'blocker' });
    // The insertion of a later step waits for the end of the transaction that takes a slug of its items.
    await lock.acquire(`UPDATE content_posts SET slug = 'item-240' WHERE id = $1`, [blocker.id]);
    const first = execute(client, many, mapping);
    await waitUntilBlocked(pausedSite, ['content_posts']);
    const { id, ...running } = (await client.get(importsPath)).data.items[0];
    expect(running).toMatchObject({ state: 'running', phase: 'content', progress: { total: 500 } });
    expect(running.progress.done).toBeGreaterThan(0);
    expect((await client.post(`${importsPath}/${id}/pause`)).data.state).toBe('paused');
    await lock.rollback();
    expect(statusAndCode(await first)).toEqual([409, 'IMPORT_RUNNING']);
    const readImport = async () => dataOf(await client.get(`${importsPath}/${id}`));
    const paused = await eventually(readImport, (row) => row.progress.done >= 240);
    expect(paused).toMatchObject({ state: 'paused', phase: 'content' });
    expect(paused.progress.done).toBeLessThan(500);
    expect(await entriesIn(client, 'posts')).toHaveLength(paused.progress.done + 1);
    await blocker.remove();
    await client.delete(`${blocker.path}/permanent`);

    expect((await resume(client, id)).status).toBe(200);
    const { state: last, result } = await eventually(readImport, (row) => row.state === 'complete', 30_000);
    expect(last).toBe('complete');
    const control = await otherSite.as('admin');
    await createPosts(otherSite);
    const uninterrupted = dataOf(await execute(control, many, mapping));
    const comparable = ({ importId: _id, durationMs: _ms, ...summary }: Record<string, unknown>) => summary;
    expect(comparable(result)).toEqual(comparable(uninterrupted));
    expect(await importedEntries(client)).toEqual(await importedEntries(control));
  });
});
