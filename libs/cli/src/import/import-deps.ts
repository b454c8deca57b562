import type { Sleep } from '../http/retries.js';
import type { SiteApi } from '../site-api/site-api.js';
import type { Output } from '../terminal/output.js';
import { operationResponse } from './import-api.js';

/** What a command on an import works with. */
export interface ImportDeps {
  api: SiteApi;
  output: Output;
  sleep: Sleep;
  signal: AbortSignal;
}

/** Path of an import below the API, or of an operation on it. */
export function importPath(id: string, operation?: string): string {
  const path = `admin/transfer/imports/${encodeURIComponent(id)}`;
  return operation === undefined ? path : `${path}/${operation}`;
}

/** The present state of an import. @throws SiteError; ConnectionError */
export async function readState({ api, signal }: ImportDeps, id: string): Promise<string> {
  return (await api.call(importPath(id), operationResponse, { signal })).operation.state;
}
