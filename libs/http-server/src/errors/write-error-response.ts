import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdHeader } from '@quire/context';
import { toErrorResponse, type QuireError } from '@quire/errors';
import { drainRequest } from '../body/drain-request.js';
import type { ErrorRenderer } from './error-renderer.js';

/** Writes an error as the response to a raw request: in the renderer's form, else in the envelope. */
export function writeErrorResponse(
  request: IncomingMessage,
  response: ServerResponse,
  error: QuireError,
  renderError: ErrorRenderer,
): void {
  const [path = '/'] = (request.url ?? '/').split('?', 1);
  const requestId = String(response.getHeader(requestIdHeader) ?? '');
  const { status, headers, body } = toErrorResponse(error);
  const rendered = renderError(error, { path, requestId });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
    ...rendered?.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : (rendered?.body ?? JSON.stringify(body)));
  drainRequest(request, status);
}
