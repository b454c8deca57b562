import { manifestPath, packageFileAt, sha256Of } from '@quire/site-package';
import type { FakeFile } from '../export/fake-export.fixture.js';
import { sendError, sendJson, type FakeSite, type Handler } from '../fake-site.fixture.js';

const base = '/_cms/api/admin/transfer/imports';
const id = 'import-1';

/** An import of a fake site: it has the files that were uploaded, and takes as many steps as it is given. */
export interface FakeImport {
  state: string;
  mutationStartedAt: string | null;
  packageDigest: string | null;
  /** SHA-256 of the uploaded files, by path. */
  uploaded: Map<string, string>;
  blockers: { code: string; message: string; kind?: string; id?: string; count?: number }[];
  /** Bodies of the analyses. */
  analyses: unknown[];
  executions: unknown[];
  steps: number;
  /** The delay before the request for the next step. */
  delayMs: number;
  /** Called when the import is read: a worker takes steps too. */
  beforeRead: () => void;
  /** What the next requests of an operation respond with: "PUT", "analyze", "execute", "advance". */
  failures: { call: string; status: number; code: string }[];
  endState: string;
}

/** Lets a site import a package. */
export function serveImport(site: FakeSite, files: readonly FakeFile[]): FakeImport {
  const fake: FakeImport = {
    state: 'none',
    mutationStartedAt: null,
    packageDigest: null,
    uploaded: new Map(),
    blockers: [],
    analyses: [],
    executions: [],
    steps: 2,
    delayMs: 100,
    beforeRead: () => undefined,
    failures: [],
    endState: 'complete',
  };
  const operation = () => ({
    id,
    state: fake.state,
    stage: null,
    progress: { done: 2 - fake.steps, total: 2 },
    packageDigest: fake.packageDigest,
    errorCode: fake.state === 'failed' ? 'TRANSFER_VERIFICATION_FAILED' : null,
    mutationStartedAt: fake.mutationStartedAt,
  });
  const on = (call: string, handler: Handler, name = '') =>
    site.on(call, (request, response) => {
      const failure = fake.failures.findIndex((each) => each.call === name);
      const [found] = failure === -1 ? [] : fake.failures.splice(failure, 1);
      if (found) return sendError(response, found.status, found.code);
      handler(request, response);
    });
  const isIndex = ({ path }: FakeFile) => packageFileAt(path)?.type === 'index';
  const missing = () => {
    const known = files.filter((file) => file.path !== manifestPath && !fake.uploaded.has(file.path));
    const index = known.filter(isIndex);
    return index.length > 0 ? index : known;
  };
  on(`GET ${base}?limit=20`, (_, response) =>
    sendJson(response, { data: { items: fake.state === 'none' ? [] : [operation()] } }),
  );
  on(`POST ${base}`, ({ body }, response) => {
    fake.state = 'uploading';
    fake.packageDigest = `sha256:${sha256Of(body)}`;
    sendJson(response, { data: { operation: operation(), created: true } }, 201);
  });
  on(`GET ${base}/${id}/missing?limit=100`, (_, response) => {
    const items = missing().map(({ path, bytes }) => ({ path, bytes: bytes.length }));
    sendJson(response, { data: { items } });
  });
  for (const { path } of files)
    on(
      `PUT ${base}/${id}/files/${path}`,
      ({ bytes }, response) => {
        fake.uploaded.set(path, sha256Of(bytes));
        sendJson(response, { data: {} });
      },
      'PUT',
    );
  on(
    `POST ${base}/${id}/analyze`,
    ({ body }, response) => {
      fake.analyses.push(JSON.parse(body));
      fake.state = 'planned';
      const plan = planOf(fake);
      sendJson(response, {
        data: { operation: operation(), plan, planDigest: 'sha256:plan', nextRequestInMs: null },
      });
    },
    'analyze',
  );
  on(
    `POST ${base}/${id}/execute`,
    ({ body }, response) => {
      fake.executions.push(JSON.parse(body));
      fake.state = 'running';
      fake.mutationStartedAt = '2026-11-23T00:00:00.000Z';
      sendJson(response, { data: { operation: operation() } });
    },
    'execute',
  );
  on(
    `POST ${base}/${id}/advance`,
    (_, response) => {
      fake.steps -= 1;
      if (fake.steps <= 0) fake.state = fake.endState;
      sendJson(response, {
        data: { operation: operation(), nextRequestInMs: fake.steps <= 0 ? null : fake.delayMs },
      });
    },
    'advance',
  );
  on(`GET ${base}/${id}`, (_, response) => {
    fake.beforeRead();
    sendJson(response, { data: { operation: operation() } });
  });
  on(`GET ${base}/${id}/receipt`, (_, response) =>
    sendJson(response, {
      data: {
        receipt: {
          logicalDigest: 'sha256:logical',
          receiptDigest: 'sha256:receipt',
          counts: { redirects: 3 },
        },
      },
    }),
  );
  on(`POST ${base}/${id}/cancel`, (_, response) => {
    fake.state = 'cancelled';
    sendJson(response, { data: { operation: operation() } });
  });
  on(`POST ${base}/${id}/abandon`, (_, response) => {
    fake.state = 'abandoned';
    sendJson(response, { data: { operation: operation() } });
  });
  return fake;
}

function planOf({ blockers, analyses }: FakeImport): object {
  const { decisions = {} } = (analyses.at(-1) ?? {}) as { decisions?: object };
  return {
    origin: { siteId: 'site-1', createdAt: '2026-11-23T00:00:00.000Z' },
    counts: { redirects: 3 },
    bytes: { records: 33, media: 200_000 },
    principals: [{ id: 'p1', displayName: 'Ann', email: 'ann@old.example', references: 2 }],
    decisions: { principalMappings: {}, siteTitle: 'package', siteTagline: 'package', ...decisions },
    settings: { title: { package: 'The old title', target: 'The new title' }, tagline: {} },
    transformations: [
      { code: 'scaffold_deleted', kind: 'collections', count: 2 },
      { code: 'principals_unmapped', kind: 'entries', count: 2 },
    ],
    warnings: [],
    blockers,
  };
}
