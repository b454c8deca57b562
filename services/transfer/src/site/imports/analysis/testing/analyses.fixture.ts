import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import {
  authApi,
  contentApi,
  contentImportApi,
  recordOwners,
  siteRecords,
  type InternalOperation,
  type ResponseOf,
} from '@quire/internal-api';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { packageFileAt, recordKinds, sha256Of } from '@quire/site-package';
import { openServiceTenant, type SitePackage } from '@quire/testing';
import { ulid } from 'ulid';
import { transferTables } from '../../../../migrations/index.js';
import type { TransferDeps } from '../../../../transfer-deps.js';
import { transferEntities } from '../../../../transfer.module.js';
import {
  insertOperation,
  selectOperation,
  type OperationRow,
} from '../../../operations/operations.repository.js';
import {
  firstMediaPosition,
  firstRecordsPosition,
  manifestPosition,
} from '../../../package-files/file-positions.js';
import { replaceFiles } from '../../../package-files/package-files.repository.js';
import { objectPrefix } from '../../../package-files/stored-files.js';
import type { Plan } from '../../plan/plan.js';
import { analyzeTransferImport } from '../analyze-transfer-import.js';

/** The other services, in memory: a site without records of users. */
export class FakeSite {
  readonly users = [
    { id: 'user-ada', email: 'ada@example.com' },
    { id: 'user-eva', email: 'eva@example.com' },
  ];
  locales: string[] | null = null;
  names: { title?: string; tagline?: string } = { title: 'Target' };
  inspection: ResponseOf<typeof siteRecords.content.inspect> = { blockers: [], scaffold: [] };
  /** Called before a call is answered: it may throw. */
  beforeCall: (operation: InternalOperation) => Promise<void> | void = () => undefined;

  clientOf(service: string) {
    return {
      call: async (operation: InternalOperation, _ctx: Context, input: Record<string, unknown>) => {
        await this.beforeCall(operation);
        return this.answer(service, operation.id, input);
      },
    };
  }

  private answer(service: string, id: string, input: Record<string, unknown>): unknown {
    switch (id) {
      case authApi.usersByIds.id:
        return { items: this.users.filter((user) => (input['ids'] as string[]).includes(user.id)) };
      case authApi.usersByEmails.id:
        return { items: this.usersByEmails(input['emails'] as string[]) };
      case siteRecords.content.inspect.id:
        return service === 'content' ? this.inspection : { blockers: [], scaffold: [] };
      case contentImportApi.getImportTargets.id:
        return { collections: [], taxonomies: [], defaultLocale: 'en', locales: this.locales };
      case contentApi.getSiteNames.id:
        return this.names;
      case siteRecords.content.discard.id:
        return {};
      default:
        throw new Error(`${id} is not planned`);
    }
  }

  private usersByEmails(emails: readonly string[]) {
    return emails.flatMap((email) => {
      const user = this.users.find((each) => each.email === email.toLowerCase());
      return user ? [{ id: user.id, email }] : [];
    });
  }
}

/** Analyses of packages on real tables and a real store, with fake services. */
export interface Analyses {
  ctx: Context;
  deps: TransferDeps;
  site: FakeSite;
  store: ObjectStore;
  /** Stores all files of a package, as their upload does. @returns the id of the import */
  upload(sitePackage: SitePackage): Promise<string>;
  /** Uploads a package and takes the steps of its analysis. */
  plan(sitePackage: SitePackage): Promise<Plan>;
  /** Takes steps until none is left. */
  finish(id: string, decisions?: unknown): Promise<OperationRow>;
  operation(id: string): Promise<OperationRow>;
  close(): Promise<void>;
}

/** @param name unique name of the tenant */
export async function openAnalyses(name: string): Promise<Analyses> {
  const tenant = await openServiceTenant(name, 'transfer', transferTables, transferEntities);
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const store = await connectObjectStore({ s3: undefined, folder });
  const site = new FakeSite();
  const clients = Object.fromEntries(
    [...recordOwners, 'auth'].map((service) => [service, site.clientOf(service)]),
  );
  const options = { version: '1.0.0', maxMediaBytes: 1000 };
  const logger = { warn: () => undefined };
  const deps = {
    clients,
    store,
    logger,
    wakeDispatcher: () => undefined,
    options,
  } as unknown as TransferDeps;
  const { ctx } = tenant;
  const operation = async (id: string) => {
    const row = await selectOperation(ctx.db, { id });
    if (!row) throw new Error('There is no such import');
    return row;
  };
  const analyses: Analyses = {
    ctx,
    deps,
    site,
    store,
    operation,
    upload: (sitePackage) => upload(ctx, store, sitePackage),
    async finish(id, decisions) {
      for (let steps = 0; steps < 200; steps += 1) {
        await makeDue(ctx, id);
        const { nextRequestInMs } = await analyzeTransferImport(ctx, deps, { id, decisions });
        if (nextRequestInMs === null) return operation(id);
      }
      throw new Error('The analysis does not end');
    },
    async plan(sitePackage) {
      const { plan, ...row } = await analyses.finish(await analyses.upload(sitePackage));
      if (!plan) throw new Error(`There is no plan: ${JSON.stringify(row)}`);
      return plan;
    },
    async close() {
      await tenant.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return analyses;
}

/** Repeats a failed step at once. */
async function makeDue(ctx: Context, operationId: string): Promise<void> {
  await ctx.db.query('UPDATE cms_transfer.transfer_steps SET due_at = now() WHERE operation_id = $1', [
    operationId,
  ]);
}

async function upload(ctx: Context, store: ObjectStore, sitePackage: SitePackage): Promise<string> {
  const operationId = ulid();
  // A site has one active import at a time.
  await ctx.db.query("UPDATE transfer_operations SET state = 'abandoned' WHERE kind = 'import'");
  const { manifest, manifestBytes, packageDigest, files } = sitePackage;
  await insertOperation(ctx.db, {
    id: operationId,
    kind: 'import',
    state: 'uploading',
    options: {},
    cursor: {},
    createdBy: 'user-ada',
    packageDigest,
    originSiteId: manifest.siteId,
  });
  const rows = [['manifest.json', manifestBytes] as const, ...files].map(([path, bytes]) => ({
    operationId,
    position: positionOf(path, [...files.keys()]),
    path,
    bytes: bytes.length,
    sha256: sha256Of(bytes),
    objectKey: `${objectPrefix(ctx, operationId)}${path}`,
    isStored: true,
  }));
  await replaceFiles(ctx.db, rows);
  for (const { path, objectKey } of rows) {
    const bytes = path === 'manifest.json' ? manifestBytes : (files.get(path) ?? Buffer.alloc(0));
    await store.put(objectKey, Readable.from([bytes]), { contentType: 'application/octet-stream' });
  }
  return operationId;
}

function positionOf(path: string, paths: readonly string[]): number {
  const file = packageFileAt(path);
  const number = Number(/(\d{6})\.ndjson$/.exec(path)?.[1]);
  if (!file) return manifestPosition;
  if (file.type === 'index') return number;
  if (file.type === 'records')
    return firstRecordsPosition + recordKinds.indexOf(file.kind) * 1_000_000 + number;
  return firstMediaPosition + paths.indexOf(path);
}
