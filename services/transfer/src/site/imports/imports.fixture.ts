import { Readable } from 'node:stream';
import { QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import type { SitePackage } from '@quire/testing';
import type { TransferDeps } from '../../transfer-deps.js';
import { runOperation, type RunOutcome } from '../operations/run-operation.js';
import { openTransferTenant, type TransferTenant } from '../testing/transfer-tenant.fixture.js';
import { createTransferImport, type CreatedImport } from './creation/create-transfer-import.js';
import { receiveManifest } from './creation/receive-manifest.js';
import { uploadTransferImportFile, type UploadedFile } from './upload/upload-transfer-import-file.js';

/** The body of a request. @param given what differs from a complete one */
export function bodyOf(bytes: Buffer | Readable, given: Partial<StreamedBody> = {}): StreamedBody {
  return {
    bytes: Buffer.isBuffer(bytes) ? Readable.from(bytes.length === 0 ? [] : [bytes]) : bytes,
    contentType: 'application/json',
    contentLength: Buffer.isBuffer(bytes) ? bytes.length : undefined,
    signal: new AbortController().signal,
    ...given,
  };
}

/** Code and details of the error of a rejected call. @throws Error when it is not rejected with a QuireError */
export async function errorOf(call: Promise<unknown>): Promise<{ code: string; details?: unknown }> {
  const error: unknown = await call.then(
    () => new Error('The call is not rejected'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof QuireError)) throw error;
  return { code: error.code, ...(error.details && { details: error.details }) };
}

/** Imports of a tenant on real tables and a real store. */
export interface SiteImports extends Omit<TransferTenant, 'depsWith' | 'store' | 'endDelay'> {
  deps: TransferDeps;
  create(content: SitePackage, idempotencyKey?: string): Promise<CreatedImport>;
  /** Creates an import. @returns its id */
  start(content: SitePackage): Promise<string>;
  upload(id: string, path: string, bytes: Buffer, given?: Partial<StreamedBody>): Promise<UploadedFile>;
  /** Uploads the files of a package, all unless they are chosen. */
  uploadAll(id: string, content: SitePackage, isChosen?: (path: string) => boolean): Promise<void>;
  /** Takes a step, at once. */
  step(id: string): Promise<RunOutcome>;
}

/** @param name unique name of the tenant */
export async function openSiteImports(name: string): Promise<SiteImports> {
  const tenant = await openTransferTenant(name);
  const { ctx } = tenant;
  const deps = tenant.depsWith({});
  const create: SiteImports['create'] = async ({ manifestBytes }, idempotencyKey) => {
    const received = await receiveManifest(ctx, bodyOf(manifestBytes));
    return createTransferImport(ctx, deps, { received, idempotencyKey });
  };
  const upload: SiteImports['upload'] = (id, path, bytes, given) =>
    uploadTransferImportFile(ctx, deps, { id, path, body: bodyOf(bytes, given) });
  return {
    ...tenant,
    deps,
    create,
    upload,
    start: async (content) => (await create(content)).operation.id,
    async uploadAll(id, { files }, isChosen = () => true) {
      for (const [path, bytes] of files) if (isChosen(path)) await upload(id, path, bytes);
    },
    step: (id) => runOperation(ctx, deps, id, () => true),
  };
}
