import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdHeader } from '@quire/context';
import { toErrorResponse, type QuireError } from '@quire/errors';
import { drainRequest } from '../body/drain-request.js';
import { errorPage } from './error-page.js';
import { isPagePath } from './page.js';

/** Answers a raw request with a failure: a page where people look at it, the envelope elsewhere. */
export function writeErrorResponse(
  request: IncomingMessage,
  response: ServerResponse,
  error: QuireError,
): void {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const requestId = String(response.getHeader(requestIdHeader) ?? '');
  const { status, headers, body } = isPagePath(path)
    ? errorPage(error, requestId)
    : { ...toErrorResponse(error), body: JSON.stringify(toErrorResponse(error).body) };
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  drainRequest(request, status);
}
