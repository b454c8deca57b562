import { documentPath, sessionCookie } from '@quire/http-server';
import type { ServiceUpstream } from '@quire/service-client';
import { uploadLimitMark } from '@quire/operation';
import { routeOf } from '../routing/router.js';
import { withImportErrors, type DescribedOperation } from './import-errors.js';

interface Document {
  paths: Record<string, Record<string, DescribedOperation & { operationId?: string; tags?: string[] }>>;
  tags?: { name: string; description: string }[];
  components?: { schemas?: Record<string, unknown> };
}

export interface DocumentOptions {
  version: string;
  baseUrl: string;
  /** Maximum size of a media file, in bytes. */
  maxUploadBytes: number;
}

/**
 * Merges the parts of the services into the document of the API (spec document 1, Versioning).
 * @throws Error when two services have the same operation id, or a component of the same name with different content.
 */
export function mergeDocuments(parts: readonly Document[], options: DocumentOptions): object {
  const paths: Document['paths'] = {};
  const schemas: Record<string, unknown> = {};
  const operationIds = new Set<string>();
  for (const part of parts) {
    for (const [path, operations] of Object.entries(part.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const { operationId } = operation;
        (paths[path] ??= {})[method] = withImportErrors(operation, { path, method }, routeOf);
        if (operationId === undefined) continue;
        if (operationIds.has(operationId))
          throw new Error(`Two services declare the operation ${operationId}`);
        operationIds.add(operationId);
      }
    }
    for (const [name, schema] of Object.entries(part.components?.schemas ?? {})) {
      if (name in schemas && JSON.stringify(schemas[name]) !== JSON.stringify(schema)) {
        throw new Error(`Two services describe ${name} differently`);
      }
      schemas[name] = schema;
    }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Quire API',
      version: options.version,
      description: 'All REST operations of the content management service.',
      'x-max-upload-bytes': options.maxUploadBytes,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: options.baseUrl } } }],
    security: [{ session: [] }, { bearer: [] }],
    tags: tagsOf(parts),
    paths: Object.fromEntries(Object.entries(paths).sort(([left], [right]) => left.localeCompare(right))),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: `On https the cookie is named \`__Host-${sessionCookie}\`.`,
        },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas,
    },
  };
  return withUploadLimit(document, options.maxUploadBytes);
}

/** Replaces the mark of schemas that are limited to the size of an upload by the limit. */
function withUploadLimit(document: object, maxUploadBytes: number): object {
  const limited = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !(uploadLimitMark in value)) return value;
    const { [uploadLimitMark]: _, ...schema } = value as Record<string, unknown>;
    const keyword = schema['type'] === 'string' ? 'maxLength' : 'maximum';
    return { ...schema, [keyword]: maxUploadBytes };
  };
  return JSON.parse(JSON.stringify(document), limited) as object;
}

/** The described tags of operations, in order of their names. */
function tagsOf(parts: readonly Document[]): object[] {
  const operations = parts.flatMap(({ paths }) =>
    Object.values(paths).flatMap((path) => Object.values(path)),
  );
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  const described = new Map(parts.flatMap(({ tags = [] }) => tags.map((tag) => [tag.name, tag])));
  return [...described.values()]
    .filter(({ name }) => used.has(name))
    .sort((left, right) => left.name.localeCompare(right.name));
}

/**
 * Fetches the part of one service.
 * @param options.includesUndocumented whether it has the undocumented operations too
 * @throws Error when the service does not respond with one.
 */
export async function fetchServiceDocument(
  upstream: ServiceUpstream,
  { includesUndocumented = false }: { includesUndocumented?: boolean } = {},
): Promise<Document> {
  const path = documentPath(upstream.service);
  const { status, text } = await upstream.request(includesUndocumented ? `${path}?internal=true` : path);
  if (status !== 200)
    throw new Error(
      `The ${upstream.service} service responded with ${status} instead of its OpenAPI document`,
    );
  return JSON.parse(text) as Document;
}
