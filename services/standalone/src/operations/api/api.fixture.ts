import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { RunningProcess } from '../../process.js';
import { callOps, withToken, type OpsRequest, type OpsResponse } from '../operations.fixture.js';

export interface ApiResponse extends OpsResponse {
  data: Record<string, unknown>;
  error: { code: string; message: string; details?: { issues: { path: string; message: string }[] } };
}

interface DocumentedOperation {
  operationId: string;
  responses: Record<string, { content: { 'application/json': { schema: object } } }>;
}

export interface ApiDocument {
  openapi: string;
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: object };
}

/** Calls of the operators' API, each compared with the OpenAPI document. */
export interface ApiClient {
  document: ApiDocument;
  call(
    method: OpsRequest['method'],
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>;
  /** Ids of the operations and their statuses that were compared. */
  compared: Set<string>;
}

/** @param token of the calls that have no headers of their own */
export async function openApiClient(
  running: Pick<RunningProcess, 'opsPort'>,
  token: string,
): Promise<ApiClient> {
  const { text } = await callOps(running, '/ops/api/openapi.json', { headers: withToken(token) });
  const document = JSON.parse(text) as ApiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'ops', components: document.components });
  const compared = new Set<string>();
  const compare = (method: string, path: string, { status, text: body }: OpsResponse) => {
    const operation = operationOf(document, method, path);
    if (!operation) return;
    const label = `${operation.operationId} ${status}`;
    const schema = operation.responses[status]?.content['application/json'].schema;
    if (!schema) throw new Error(`The document does not declare ${label}: ${body}`);
    const rebased = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"ops#/')) as object;
    if (!ajv.validate(rebased, JSON.parse(body)))
      throw new Error(`${label} does not match the document: ${ajv.errorsText()}\n${body}`);
    compared.add(label);
  };
  return {
    document,
    compared,
    async call(method = 'GET', path, body, headers = withToken(token)) {
      const response = await callOps(running, path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      compare(method, path, response);
      const { data, error } = JSON.parse(response.text) as Pick<ApiResponse, 'data' | 'error'>;
      return { ...response, data, error };
    },
  };
}

function operationOf({ paths }: ApiDocument, method: string, path: string): DocumentedOperation | undefined {
  const [pathname = ''] = path.split('?', 1);
  const found = Object.keys(paths).find((each) =>
    new RegExp(`^${each.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
  );
  return found === undefined ? undefined : paths[found]?.[method.toLowerCase()];
}
