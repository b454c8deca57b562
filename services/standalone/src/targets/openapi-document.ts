import { mergeDocuments, fetchServiceDocument, type DocumentOptions } from '@quire/gateway-service';
import type { ServiceUpstream } from '@quire/service-client';
import { serviceNames } from '@quire/topology';
import type { AppContainer } from '../app-container.js';
import { targetStarters } from '../services.js';
import { publicOriginOf } from './public-origin.js';
import { version } from '../version.js';

/** The facts of this installation in the document. */
export function documentOptionsOf(container: AppContainer): DocumentOptions {
  return {
    version,
    baseUrl: publicOriginOf(container.environment),
    maxUploadBytes: container.environment.CMS_MAX_UPLOAD_BYTES,
  };
}

/** Whether a document has the undocumented operations too, marked with `x-internal`. */
interface DocumentContent {
  includesUndocumented?: boolean;
}

/** Merges the parts of the services into the text of the OpenAPI document. */
export async function documentOf(
  upstreams: readonly ServiceUpstream[],
  options: DocumentOptions,
  content: DocumentContent = {},
): Promise<string> {
  const parts = await Promise.all(upstreams.map((upstream) => fetchServiceDocument(upstream, content)));
  return JSON.stringify(mergeDocuments(parts, options));
}

/** Returns the OpenAPI document of this installation without serving requests. */
export async function openApiDocument(container: AppContainer, content: DocumentContent): Promise<string> {
  for (const service of serviceNames) await targetStarters.get(service)?.(container);
  return documentOf([...container.upstreams.values()], documentOptionsOf(container), content);
}
