import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Context } from '@quire/context';
import { mediaApi, type InternalOperation } from '@quire/internal-api';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { guardedFetch } from '@quire/outgoing-http';
import type { InternalApiClient } from '@quire/service-client';
import { openServiceTenant, useFixture, type ServiceTenant } from '@quire/testing';
import { ulid } from '@quire/values';
import { transferTables } from '../../migrations/index.js';
import { transferEntities } from '../../transfer.module.js';
import { MediaDownloadRunner, type DownloadRunnerOptions } from './download/download-runner.js';
import { defaultTransferLimits } from './download/transfer-watch.js';
import type { Attachment, MediaProgress } from './media.schemas.js';
import { beginMediaImport } from './operations/begin-media-import.js';
import { followMediaImport, type MediaResultLine } from './operations/follow-media-import.js';

interface StoredItem {
  id: string;
  objectKey: string;
  url: string;
  filename: string | undefined;
  authorId: string | null;
  sha256: string;
}

/** The operations of the media service, in memory: it refuses HTML, and keeps one item of equal bytes. */
export class FakeMediaService {
  readonly items = new Map<string, StoredItem>();
  /** Called before an item is created. */
  beforeCreate: () => Promise<void> | void = () => undefined;

  constructor(private readonly store: ObjectStore) {}

  /** As `InternalApiClient.call`. */
  async call(operation: InternalOperation, ctx: Context, input: unknown): Promise<unknown> {
    switch (operation.id) {
      case mediaApi.reserveObjects.id:
        return { objectKeys: Array.from({ length: 64 }, () => `${ctx.principal.tenant.id}/${ulid()}`) };
      case mediaApi.createItemsOfObjects.id: {
        const { objects } = input as { objects: unknown[] };
        const results: unknown[] = [];
        for (const object of mediaApi.storedObjectSchema.array().parse(objects))
          results.push(await this.create(object));
        return { results };
      }
      case mediaApi.filesByIds.id: {
        const { ids } = input as { ids: string[] };
        return { items: ids.flatMap((id) => this.items.get(id) ?? []) };
      }
      case mediaApi.getStorageUse.id:
        return { usedBytes: 1234, limitBytes: null };
      default:
        throw new Error(`${operation.id} is not planned`);
    }
  }

  private async create(object: ReturnType<typeof mediaApi.storedObjectSchema.parse>) {
    await this.beforeCreate();
    if (Buffer.from(object.sample, 'base64').toString().startsWith('<!doctype')) {
      await this.store.delete(object.objectKey);
      return { error: { code: 'INVALID_TYPE', message: 'Files of type text/html are not allowed' } };
    }
    const known = [...this.items.values()].find(({ sha256 }) => sha256 === object.sha256);
    if (known) {
      await this.store.delete(object.objectKey);
      return { id: known.id, url: known.url, isNew: known.id === object.id };
    }
    const { id, objectKey, filename, authorId, sha256 } = object;
    const item = { id, objectKey, filename, authorId, sha256, url: `/_cms/api/media/file/${id}` };
    this.items.set(id, item);
    return { id, url: item.url, isNew: true };
  }
}

/** A site whose media are imported. */
export class SourceSite {
  /** Requests by path. */
  readonly requests = new Map<string, number>();
  running = 0;
  mostRunning = 0;
  /** Answers a path; 200 with the path as the body unless set. */
  answer: (path: string, response: ServerResponse, attempt: number) => void | Promise<void> = (
    path,
    response,
  ) => void response.end(path);

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<SourceSite> {
    const server = createServer();
    const site = new SourceSite(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void site.handle(request.url ?? '/', response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return site;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(path: string, response: ServerResponse): Promise<void> {
    const attempt = (this.requests.get(path) ?? 0) + 1;
    this.requests.set(path, attempt);
    this.mostRunning = Math.max(this.mostRunning, ++this.running);
    response.once('close', () => this.running--);
    await this.answer(path, response, attempt);
  }
}

export type Line = MediaProgress | MediaResultLine;

/** Media imports of a tenant on real tables and a real store, with a fake media service. */
export interface MediaImports {
  tenant: ServiceTenant;
  ctx: Context;
  store: ObjectStore;
  media: FakeMediaService;
  /** Whether a site import writes to the site. */
  isFenced: boolean;
  deps: DownloadRunnerOptions['deps'];
  begin(attachments: readonly Partial<Attachment>[]): Promise<string>;
  /** All lines of an import, until its end. */
  follow(importId: string, signal?: AbortSignal): Promise<Line[]>;
  /** Begins an import, and follows it to its end. */
  run(attachments: readonly Partial<Attachment>[]): Promise<Line[]>;
  startWorker(
    changes?: Partial<DownloadRunnerOptions['deps']>,
    options?: { concurrency?: number },
  ): MediaDownloadRunner;
  /** Number of stored objects. */
  countObjects(): Promise<number>;
  close(): Promise<void>;
}

/** @param name unique name of the tenant */
export async function openMediaImports(name: string): Promise<MediaImports> {
  const tenant = await openServiceTenant(name, 'transfer', transferTables, transferEntities);
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const store = await connectObjectStore({ s3: undefined, folder });
  const media = new FakeMediaService(store);
  const deps: DownloadRunnerOptions['deps'] = {
    media: media as unknown as InternalApiClient,
    store,
    limits: defaultTransferLimits,
    maxBytes: 10_000_000,
    fetch: guardedFetch({
      protocols: ['http:', 'https:'],
      anyPort: true,
      maxBytes: 10_000_000,
      allowLoopback: true,
    }),
  };
  const { ctx } = tenant;
  const workers: MediaDownloadRunner[] = [];
  const begin = (attachments: readonly Partial<Attachment>[]) =>
    beginMediaImport(
      ctx,
      { media: deps.media, wakeDispatcher: () => undefined },
      attachments as readonly Attachment[],
    );
  const follow = async (importId: string, signal = new AbortController().signal) => {
    const lines: Line[] = [];
    for await (const line of followMediaImport(ctx, importId, signal)) lines.push(line);
    return lines;
  };
  const imports: MediaImports = {
    tenant,
    ctx,
    store,
    media,
    isFenced: false,
    deps,
    begin,
    follow,
    run: async (attachments) => follow(await begin(attachments)),
    startWorker(changes = {}, options = {}) {
      const worker = new MediaDownloadRunner({
        // The rights of the tenant keep it from the downloads of other specs.
        databases: [ctx.db],
        contextOf: (tenantId) => Promise.resolve(tenantId === name ? ctx : undefined),
        deps: { ...deps, ...changes },
        fence: { isRaised: () => Promise.resolve(imports.isFenced) },
        logger: { warn: () => undefined },
        everyMs: 100,
        ...options,
      });
      worker.start();
      workers.push(worker);
      return worker;
    },
    async countObjects() {
      const objects: unknown[] = [];
      for await (const object of store.list(`${name}/`)) objects.push(object);
      return objects.length;
    },
    async close() {
      for (const worker of workers) await worker.stop();
      await tenant.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return imports;
}

/**
 * Opens media imports of a new tenant and a source site for each test of a file.
 * @param name prefix of the tenants, unique among the files
 */
export function useMediaImports(name: string) {
  jest.setTimeout(30_000);
  let number = 0;
  const imports = useFixture(() => openMediaImports(`${name}-${number++}`), { lifetime: 'test' });
  const site = useFixture(() => SourceSite.start(), { lifetime: 'test' });
  /** Attachments with these paths of the site; the first has the id 1. */
  const attachments = (...paths: string[]) =>
    paths.map((path, index) => ({ id: index + 1, url: site.url(path) }));
  return { imports, site, attachments };
}

/** The states of a file in the order of their lines. */
export const statuses = (lines: Line[], current: number) =>
  lines.flatMap((line) => (line.type === 'progress' && line.current === current ? [line.status] : []));

/** The last line. @throws Error when it is no result */
export const resultOf = (lines: Line[]) => {
  const last = lines.at(-1);
  if (last?.type !== 'result') throw new Error('The last line is no result');
  return last;
};

/** The texts of the failed files. */
export const failures = (lines: Line[]) => resultOf(lines).failed.map(({ error }) => error);
