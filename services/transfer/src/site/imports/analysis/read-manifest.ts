import { text } from 'node:stream/consumers';
import type { Context } from '@quire/context';
import type { ObjectStore } from '@quire/object-store';
import { manifestPath, manifestSchema, type Manifest } from '@quire/site-package';
import { selectFile } from '../../package-files/package-files.repository.js';
import { openFile } from '../../package-files/stored-files.js';

/**
 * The manifest of the package of an import.
 * @returns undefined for a text that is no manifest of this version of the format
 * @throws QuireError SERVICE_UNAVAILABLE, TRANSFER_STORAGE_ERROR
 */
export async function readManifest(
  ctx: Context,
  store: ObjectStore,
  operationId: string,
): Promise<Manifest | undefined> {
  const file = await selectFile(ctx.db, operationId, manifestPath);
  if (!file) return undefined;
  return manifestSchema.safeParse(parsed(await text(await openFile(store, file)))).data;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
