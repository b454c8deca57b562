import type { IncomingMessage } from 'node:http';
import { ConfigurationError } from '@quire/config';
import { invalidInput, QuireError, type Issue } from '@quire/errors';
import { drainRequest, readBody } from '@quire/http-server';
import createRouter from 'find-my-way';
import type { z } from 'zod';
import { AdminService } from '../../admin-service.js';
import type { AppContainer } from '../../app-container.js';
import type { OperatorHandler, OperatorRequest } from '../operations.js';
import { opsPaths } from '../pages.js';
import { sendData, sendJson } from '../responses.js';
import { apiDocument } from './api-document.js';
import type { ApiOperation } from './api-operation.js';
import { apiOperations } from './api-operations.js';

const bodyLimits = { maxBytes: 65_536, timeoutMs: 10_000 };
/** Bodies of this size need no reservation. */
const noReservation = { add: () => undefined, release: () => undefined };
const jsonType = /^application\/json\s*(?:;|$)/i;
const documentPath = '/openapi.json';

/** The operators' API: JSON operations on sites and the log, with the functions of the commands. */
export function createApiHandler(openOwn: () => AppContainer): OperatorHandler {
  const router = createRouter();
  for (const operation of apiOperations)
    router.on(operation.method, operation.path, () => undefined, operation);
  let document: object | undefined;
  return async (call) => {
    const { pathname } = call.url;
    if (!pathname.startsWith(`${opsPaths.api}/`)) return false;
    const path = pathname.slice(opsPaths.api.length);
    const method = call.request.method ?? '';
    if (path === documentPath && method === 'GET') {
      sendJson(call.response, 200, (document ??= apiDocument(apiOperations)));
      return true;
    }
    const found = find(router, method, path);
    if (!found) {
      if (!apiOperations.some((operation) => find(router, operation.method, path))) return false;
      throw new QuireError('METHOD_NOT_ALLOWED', `${method} is not a method of this path`);
    }
    try {
      await respond(openOwn(), call, found);
    } catch (error) {
      drainRequest(call.request, error instanceof QuireError ? error.status : 500);
      // An operator may read what the installation lacks: a right of its login, an address.
      if (error instanceof ConfigurationError)
        throw new QuireError('SERVICE_UNAVAILABLE', error.message, { cause: error });
      throw error;
    }
    return true;
  };
}

interface Found {
  operation: ApiOperation;
  params: Record<string, string | undefined>;
}

function find(router: ReturnType<typeof createRouter>, method: string, path: string): Found | undefined {
  const found = router.find(method as ApiOperation['method'], path);
  return found ? { operation: found.store as ApiOperation, params: found.params } : undefined;
}

/** Checks the role before it reads the body. */
async function respond(
  container: AppContainer,
  { request, response, url, operator }: OperatorRequest,
  { operation, params }: Found,
): Promise<void> {
  if (operation.role === 'operator' && operator.role !== 'operator')
    throw new QuireError('INSUFFICIENT_ROLE', 'A viewer changes nothing');
  const issues: Issue[] = [];
  const input = {
    params: parse(operation.params, params, issues),
    query: parse(operation.query, Object.fromEntries(url.searchParams), issues),
    body: operation.body && parse(operation.body, await readJson(request), issues),
  };
  if (issues.length > 0) throw invalidInput(issues);
  const admin = new AdminService(container);
  const actor = `operator:${operator.name}`;
  const { status = 200, data } = await operation.run({ admin, container, actor }, input);
  sendData(response, data, status);
}

function parse(schema: z.ZodType | undefined, value: unknown, issues: Issue[]): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) issues.push({ path: path.join('.'), message });
  return undefined;
}

/** @throws QuireError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_REQUEST, INVALID_JSON */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!jsonType.test(request.headers['content-type'] ?? ''))
    throw new QuireError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON: send Content-Type: application/json',
    );
  const contentLength = Number(request.headers['content-length'] ?? 0);
  const text = await readBody(request, { contentLength, limits: bodyLimits, memory: noReservation });
  try {
    return JSON.parse(text);
  } catch {
    throw new QuireError('INVALID_JSON', 'The body is not valid JSON');
  }
}
