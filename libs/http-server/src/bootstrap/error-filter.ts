import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { getRequestIdentity, requestIdHeader } from '@quire/context';
import { translateConflict } from '@quire/database';
import { errorStatus, toErrorResponse, QuireError, unexpectedError, type ErrorCode } from '@quire/errors';
import type { Logger } from '@quire/observability';
import { declarationOfRequest, type MappedErrorResponse } from '@quire/operation';
import { traceIdOf } from '@quire/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { drainRequest } from '../body/drain-request.js';
import { NotModified } from '../conditional/conditional.js';
import type { ErrorRenderer } from '../errors/error-renderer.js';

/** Error code and message by Fastify error code. */
const fastifyErrorCodes: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is larger than this operation takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['INVALID_JSON', 'The body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['INVALID_JSON', 'The body is empty'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['INVALID_REQUEST', 'The body length does not match Content-Length'],
  FST_ERR_BAD_URL: ['INVALID_REQUEST', 'The path is not valid'],
};

/** The only place where an exception becomes a response (design 7). */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly renderError: ErrorRenderer,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (error instanceof NotModified) {
      void reply.status(304).header('etag', error.etag).send();
      return;
    }
    const request = http.getRequest<FastifyRequest>();
    const failure = this.toQuireError(error, request);
    const mapped = declarationOfRequest(request)?.mapError?.(failure);
    if (mapped) sendMappedError(reply, mapped);
    else sendError(reply, failure, this.renderError);
  }

  private toQuireError(error: unknown, request: FastifyRequest): QuireError {
    if (error instanceof QuireError) {
      if (error.status >= 500) this.log(error, request, isExpected(error) ? 'warn' : 'error');
      return error;
    }
    const mapped = toFastifyError(error);
    if (mapped) return mapped;
    const conflict = translateConflict(error);
    if (conflict) {
      this.log(error, request, 'warn');
      return conflict;
    }
    if (error instanceof SyntaxError && (error as { statusCode?: number }).statusCode === 400) {
      return new QuireError('INVALID_JSON', 'The body is not valid JSON', { cause: error });
    }
    if (error instanceof HttpException && error.getStatus() === 404) {
      return new QuireError('NOT_FOUND', 'Not found');
    }
    this.log(error, request);
    return unexpectedError(requestIdOf(request));
  }

  private log(error: unknown, request: FastifyRequest, level: 'warn' | 'error' = 'error'): void {
    const { principal, trace } = getRequestIdentity(request.raw) ?? {};
    const fields = {
      requestId: requestIdOf(request),
      traceId: trace && traceIdOf(trace),
      tenant: principal?.tenant.id,
      userId: principal?.userId,
      method: request.method,
      path: request.url.split('?', 1)[0],
      err: error,
    };
    this.logger[level](fields, 'request failed');
  }
}

/** An expected 503 or 507 without a cause: a write fence, a collection that is being changed, a limit of the site. */
const isExpected = ({ status, cause }: QuireError) =>
  (status === errorStatus.SERVICE_UNAVAILABLE || status === errorStatus.STORAGE_QUOTA_EXCEEDED) &&
  cause === undefined;

/** Returns the handler of errors that Fastify raises before routing, mostly for a malformed URL. */
export function frameworkErrorHandler(renderError: ErrorRenderer) {
  return (error: unknown, _request: FastifyRequest, reply: FastifyReply): void => {
    const known = toFastifyError(error);
    const malformed = () => new QuireError('INVALID_REQUEST', 'The request is malformed', { cause: error });
    sendError(reply, known ?? malformed(), renderError);
  };
}

function toFastifyError(error: unknown): QuireError | undefined {
  const mapped = fastifyErrorCodes[fastifyCode(error)];
  return mapped && new QuireError(mapped[0], mapped[1], { cause: error });
}

/** Nest wraps errors of Fastify; the code is then on the cause. */
function fastifyCode(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? '';
}

/** Sends an error as the operation maps it. */
function sendMappedError(reply: FastifyReply, { status, body, headers = {} }: MappedErrorResponse): void {
  drainRequestBody(reply, status);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  void reply.status(status).type('application/json; charset=utf-8').headers(headers).send(text);
}

/** Sends an error in the renderer's form, else in the envelope. */
export function sendError(reply: FastifyReply, error: QuireError, renderError: ErrorRenderer): void {
  const { request } = reply;
  const [path = ''] = request.url.split('?', 1);
  const { status, headers, body } = toErrorResponse(error);
  const rendered = renderError(error, { path, requestId: requestIdOf(request) });
  sendMappedError(reply, {
    status,
    body: rendered?.body ?? body,
    headers: { ...headers, ...rendered?.headers },
  });
}

/** Fastify would close the connection of a client that is still sending, and the client would lose the response. */
function drainRequestBody(reply: FastifyReply, status: number): void {
  const { raw } = reply.request;
  if (raw.complete) return;
  reply.removeHeader('connection');
  drainRequest(raw, status);
}

function requestIdOf(request: FastifyRequest): string {
  const header = request.headers[requestIdHeader];
  return getRequestIdentity(request.raw)?.requestId ?? (typeof header === 'string' ? header : 'unknown');
}
