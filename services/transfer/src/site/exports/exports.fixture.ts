import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import {
  authApi,
  listSiteMediaFiles,
  recordOwners,
  siteRecords,
  type InternalOperation,
  type RecordOwner,
} from '@quire/internal-api';
import { sha256Of, type RecordKind } from '@quire/site-package';
import type { TransferDeps } from '../../transfer-deps.js';
import type { OperationRow } from '../operations/operations.repository.js';
import { isActive } from '../operations/record-step.js';
import { runOperation, type RunOutcome } from '../operations/run-operation.js';
import { transferSteps } from '../operations/transfer-steps.repository.js';
import { selectFiles, type PackageFileRow } from '../package-files/package-files.repository.js';
import { openTransferTenant, type TransferTenant } from '../testing/transfer-tenant.fixture.js';
import { createTransferExport } from './create-transfer-export.js';

type Copies = Partial<Record<RecordKind, readonly object[]>>;

const entries = Array.from({ length: 5_100 }, (_, index) => ({
  collection: 'posts',
  id: `e${index + 10_000}`,
}));
const user = { id: 'u1', name: 'Ada', email: 'ada@example.com' };

/** The services that own records, in memory: a small site with two files of entries and one media item. */
export class FakeOwners {
  readonly records: Record<RecordOwner, Copies> = {
    content: {
      principals: [{ id: user.id }],
      settings: [{ key: 'title', value: 'Site' }],
      collections: [{ slug: 'posts' }],
      entries,
    },
    media: { media_items: [{ id: 'm1' }] },
    search: { search_collections: [{ collection: 'posts' }] },
  };
  /** Copies by owner and operation. */
  readonly copies = new Map<string, Copies>();
  /** Ids of copies whose media files are kept. */
  readonly keptFiles = new Set<string>();
  readonly mediaFiles: { sha256: string; objectKey: string; bytes: number }[] = [];
  /** Called before a call is answered: it may throw. */
  beforeCall: (operation: InternalOperation) => Promise<void> | void = () => undefined;
  /** Number of copies that were made of the content. */
  stagings = 0;

  clientOf(owner: RecordOwner | 'auth') {
    return {
      call: async (operation: InternalOperation, _ctx: Context, input: Record<string, unknown>) => {
        await this.beforeCall(operation);
        if (owner === 'auth') return this.answerAsAuth(operation);
        return this.answerAs(owner, operation, input);
      },
    };
  }

  private answerAsAuth({ id }: InternalOperation): unknown {
    if (id !== authApi.usersByIds.id) throw new Error(`${id} is not planned`);
    return { items: [user] };
  }

  private answerAs(owner: RecordOwner, { id }: InternalOperation, input: Record<string, unknown>): unknown {
    const key = `${owner} ${String(input.operationId)}`;
    switch (id) {
      case siteRecords[owner].stage.id: {
        if (owner === 'content') this.stagings += 1;
        this.copies.set(key, this.records[owner]);
        if (owner === 'media') this.keptFiles.add(String(input.operationId));
        const { principals: _, ...counted } = this.records[owner];
        return {
          counts: Object.fromEntries(
            Object.entries(counted).map(([kind, records]) => [kind, records.length]),
          ),
        };
      }
      case siteRecords[owner].read.id: {
        const { kind, after, maxRecords } = input as { kind: RecordKind; after: number; maxRecords: number };
        const lines = (this.copies.get(key)?.[kind] ?? [])
          .slice(after, after + maxRecords)
          .map((record) => JSON.stringify(record));
        return { lines, last: after + lines.length };
      }
      case siteRecords[owner].discard.id:
        this.copies.delete(key);
        if (owner === 'media' && input.keepsFiles !== true) this.keptFiles.delete(String(input.operationId));
        return {};
      case listSiteMediaFiles.id:
        return { items: this.mediaFiles.filter(({ sha256 }) => sha256 > String(input.after)) };
      default:
        throw new Error(`${id} is not planned`);
    }
  }
}

/** Exports of a tenant on real tables and a real store, with fake services. */
export interface SiteExports extends Omit<TransferTenant, 'depsWith' | 'store'> {
  deps: TransferDeps;
  owners: FakeOwners;
  start(): Promise<string>;
  /** Takes one step, at once, also after a failed one. */
  step(id: string): Promise<RunOutcome>;
  /** Takes steps until the export has ended. */
  finish(id: string): Promise<OperationRow>;
  /** Ends the lease of the process that takes the steps. */
  endLease(id: string): Promise<void>;
  /** Lets another process take over the steps. */
  takeOver(id: string): Promise<void>;
  /** All files of the package but the manifest. */
  files(id: string): Promise<PackageFileRow[]>;
}

/** @param name unique name of the tenant */
export async function openSiteExports(name: string): Promise<SiteExports> {
  const tenant = await openTransferTenant(name);
  const { ctx, store } = tenant;
  const owners = new FakeOwners();
  const image = Buffer.from('bytes of an image');
  const objectKey = `${name}/image`;
  owners.mediaFiles.push({ sha256: sha256Of(image), objectKey, bytes: image.length });
  await store.put(objectKey, Readable.from([image]), { contentType: 'image/png' });
  const clients = Object.fromEntries(
    [...recordOwners, 'auth' as const].map((owner) => [owner, owners.clientOf(owner)]),
  );
  const deps = tenant.depsWith({ clients, options: { version: '1' } });
  const exports: SiteExports = {
    ...tenant,
    deps,
    owners,
    start: async () => (await createTransferExport(ctx, deps, { options: { comments: true } })).operation.id,
    async step(id) {
      await tenant.endDelay(id);
      return runOperation(ctx, deps, id, () => true);
    },
    async finish(id) {
      for (let steps = 0; steps < 200; steps += 1) {
        const row = await tenant.operation(id);
        if (!isActive(row)) return row;
        await exports.step(id);
      }
      throw new Error('The export does not end');
    },
    async endLease(id) {
      await ctx.db.query(
        "UPDATE cms_transfer.transfer_steps SET lease_expires_at = now() - interval '1 second' WHERE operation_id = $1",
        [id],
      );
    },
    async takeOver(operationId) {
      await exports.endLease(operationId);
      if (!(await transferSteps.claimByKey(ctx.db, { tenantId: name, operationId })))
        throw new Error('It cannot be leased');
    },
    files: (id) => selectFiles(ctx.db, id, { after: 0, limit: 100 }),
  };
  return exports;
}
