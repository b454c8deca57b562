import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { insertRow } from '@quire/database';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { createLogger } from '@quire/observability';
import type { RecordKind } from '@quire/site-package';
import { eventually, openServiceTenant, type ServiceTenant, type TestS3 } from '@quire/testing';
import { ulid } from '@quire/values';
import { MediaFolder } from '../../folders/index.js';
import { MediaChangeNotifier, MediaItem } from '../../items/index.js';
import { mediaEntities } from '../../media.module.js';
import { mediaTables } from '../../migrations/index.js';
import { MediaObjects, objectDeletionRunner } from '../../objects/index.js';
import { readSiteRecords, stageSiteRecords } from '../staging.operations.js';
import { writeSiteRecords } from './writing.operations.js';

const logger = createLogger({ level: 'silent', targets: ['spec'] });

/** The media libraries of an exported site and of the site that imports its records, in one store. */
export interface SiteMedia {
  source: Context;
  target: Context;
  store: ObjectStore;
  objects: MediaObjects;
  notifier: MediaChangeNotifier;
  /** Sites whose cached files were invalidated. */
  invalidated: string[];
  /** Called before each copy of an object: it may throw. */
  beforeCopy: (from: string, to: string) => void;
  mediaPrefix: string;
  /** Stores a ready item of the source and its bytes, also as a file of the package. */
  addItem(bytes: string, more?: object): Promise<string>;
  addFolder(name: string): Promise<string>;
  /** All records of a kind of a site. */
  recordsOf(ctx: Context, kind: RecordKind): Promise<string[]>;
  write(kind: RecordKind, records: readonly string[]): Promise<void>;
  /** The stored items of the target. */
  items(): Promise<{ id: string; objectKey: string }[]>;
  /** Keys of the target's objects without the files of packages. */
  objectKeys(): Promise<string[]>;
  textOf(objectKey: string): Promise<string | undefined>;
  /** Keys of the target's objects with a scheduled deletion. */
  scheduled(): Promise<string[]>;
  /** Lets the runner delete the objects whose deletion is scheduled, whenever it is due. */
  deleteScheduled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param name unique prefix of the names of both sites
 * @param server the server of the store, which is a folder without one
 */
export async function openSiteMedia(name: string, server?: TestS3): Promise<SiteMedia> {
  const [source, target] = await Promise.all(
    ['source', 'target'].map((site) =>
      openServiceTenant(`${name}-${site}`, 'media', mediaTables, mediaEntities),
    ),
  );
  if (!source || !target) throw new Error('No sites');
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const bucket = `quire-${ulid().toLowerCase()}`;
  const s3 = server && { ...server, publicEndpoint: undefined, bucket };
  const opened = await connectObjectStore({ s3, folder });
  const mediaPrefix = `${target.tenant.id}/transfers/op/media/`;
  const site: Pick<SiteMedia, 'beforeCopy' | 'invalidated'> = {
    beforeCopy: () => undefined,
    invalidated: [],
  };
  const store = watchCopies(opened, (from, to) => fixture.beforeCopy(from, to));
  const relay = { invalidate: (_topic: string, tenantId: string) => site.invalidated.push(tenantId) };
  const put = (key: string, bytes: string) =>
    store.put(key, Readable.from([Buffer.from(bytes)]), { contentType: 'image/png' });
  const { ctx } = target;
  const objects = new MediaObjects(store, logger);
  const fixture: SiteMedia = {
    ...site,
    source: source.ctx,
    target: ctx,
    store,
    objects,
    notifier: new MediaChangeNotifier(relay as never),
    mediaPrefix,
    async addItem(bytes, more = {}) {
      const row = itemOf(bytes, `${source.tenant.id}/${ulid()}`);
      await put(row.objectKey, bytes);
      await put(`${mediaPrefix}${row.sha256}`, bytes);
      await insertRow(source.ctx.db, MediaItem, { ...row, ...more });
      return row.id;
    },
    async addFolder(folderName) {
      const row = { id: ulid(), name: folderName, nameKey: folderName, nameDigest: folderName };
      await insertRow(source.ctx.db, MediaFolder, row);
      return row.id;
    },
    recordsOf,
    async write(recordKind, records) {
      await writeSiteRecords(ctx, objects, {
        operationId: 'op',
        kind: recordKind,
        records: [...records],
        pass: 'records',
        mediaPrefix: fixture.mediaPrefix,
      });
    },
    items: () => ctx.db.query('SELECT id, object_key AS "objectKey" FROM media_items ORDER BY id'),
    async objectKeys() {
      const keys: string[] = [];
      for await (const { key } of store.list(`${target.tenant.id}/`)) keys.push(key);
      return keys.filter((key) => !key.startsWith(mediaPrefix)).sort();
    },
    async textOf(objectKey) {
      const opened = await store.get(objectKey);
      return opened && Buffer.concat(await opened.bytes.toArray()).toString();
    },
    scheduled: () => scheduledOf(ctx),
    deleteScheduled: () => deleteScheduled(target, store),
    async close() {
      await Promise.all([source.close(), target.close()]);
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return fixture;
}

function itemOf(bytes: string, objectKey: string) {
  const id = ulid();
  return {
    id,
    filename: `${id} "ä".png`,
    mimeType: 'image/png',
    size: Buffer.byteLength(bytes),
    width: 40,
    height: 30,
    alt: 'Größe\n',
    caption: null,
    blurhash: 'LEHV6nWB2yk8',
    dominantColor: '#aabbcc',
    storageKey: `${id}.png`,
    objectKey,
    contentHash: 'xxh64:0123456789abcdef',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    status: 'ready' as const,
    authorId: 'author',
    replacements: 2,
    createdAt: '2001-02-03T04:05:06.789Z',
    updatedAt: '2002-03-04T05:06:07.891Z',
  };
}

/** The store, whose copies are announced. */
function watchCopies(store: ObjectStore, before: (from: string, to: string) => void): ObjectStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'copy')
        return async (from: string, to: string) => {
          before(from, to);
          await target.copy(from, to);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

async function recordsOf(ctx: Context, kind: RecordKind): Promise<string[]> {
  await stageSiteRecords(ctx, { operationId: 'copies', comments: true });
  const page = { kind, after: 0, maxRecords: 10_000, maxBytes: 10_000_000 };
  return (await readSiteRecords(ctx, { operationId: 'copies', ...page })).lines;
}

async function scheduledOf({ db, principal }: Context): Promise<string[]> {
  const rows = await db.query<{ objectKey: string }>(
    'SELECT object_key AS "objectKey" FROM cms_media.object_deletions WHERE tenant_id = $1 ORDER BY object_key',
    [principal.tenant.id],
  );
  return rows.map(({ objectKey }) => objectKey);
}

async function deleteScheduled({ ctx, tenant }: ServiceTenant, store: ObjectStore): Promise<void> {
  await ctx.db.query(
    "UPDATE cms_media.object_deletions SET due_at = now() - interval '1 second' WHERE tenant_id = $1",
    [tenant.id],
  );
  const runner = objectDeletionRunner({
    // The rights of the tenant keep it from the deletions of other specs.
    databases: [ctx.db],
    store,
    tenantDatabase: () => Promise.resolve(ctx.db),
    logger,
  });
  runner.start();
  const due = () =>
    ctx.db.query('SELECT 1 FROM cms_media.object_deletions WHERE tenant_id = $1 AND due_at <= now()', [
      tenant.id,
    ]);
  const left = await eventually(due, (rows) => rows.length === 0);
  await runner.stop();
  if (left.length > 0) throw new Error('Objects are left');
}
