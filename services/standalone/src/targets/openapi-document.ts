import { aggregateDocuments, fetchPart, type DocumentOptions } from '@quire/gateway-service';
import type { ServiceDoor } from '@quire/http-server';
import type { Installation } from '../installation.js';
import { startAuth } from './auth.js';
import { startContent } from './content.js';
import { startMedia } from './media.js';
import { startSearch } from './search.js';
import { publicOriginOf } from './public-origin.js';
import { apiVersion } from './api-version.js';

/** What the document says of this installation. */
export function documentOptionsOf(installation: Installation): DocumentOptions {
  return {
    version: apiVersion,
    baseUrl: publicOriginOf(installation),
    maximumUploadBytes: installation.environment.CMS_MAX_UPLOAD_BYTES,
  };
}

/** Puts the services' parts together to the text of the OpenAPI document. */
export async function documentOf(doors: readonly ServiceDoor[], options: DocumentOptions): Promise<string> {
  const parts = await Promise.all(doors.map(fetchPart));
  return JSON.stringify(aggregateDocuments(parts, options));
}

/** The OpenAPI document of this installation, made without serving it. */
export async function openApiDocument(installation: Installation): Promise<string> {
  await startAuth(installation);
  await startContent(installation);
  await startMedia(installation);
  await startSearch(installation);
  return documentOf([...installation.localDoors.values()], documentOptionsOf(installation));
}
