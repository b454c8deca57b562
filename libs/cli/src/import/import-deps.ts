import type { Sleep } from '../http/retries.js';
import type { SiteApi } from '../site-api/site-api.js';
import type { Output } from '../terminal/output.js';

/** What a command on an import works with. */
export interface ImportDeps {
  api: SiteApi;
  output: Output;
  sleep: Sleep;
  signal: AbortSignal;
}

/** Path of an operation on an import below the API. */
export function importPath(id: string, operation: string): string {
  return `admin/transfer/imports/${encodeURIComponent(id)}/${operation}`;
}
