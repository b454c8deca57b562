import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { attachedHandoff, requestIdHeader } from '@quire/context';
import { errorAnswer, QuireError, unexpectedError, type ErrorCode } from '@quire/errors';
import type { Logger } from '@quire/observability';
import { declarationOfRequest, type Refusal } from '@quire/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { drainRequest } from '../body/drain-request.js';
import { NotModified } from '../conditional/conditional.js';
import { errorPage } from '../pages/error-page.js';
import { isPagePath } from '../pages/page.js';

/** What Fastify's own refusals mean to a client. */
const fastifyRefusals: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is larger than this operation takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['INVALID_JSON', 'The body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['INVALID_JSON', 'The body is empty'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['INVALID_REQUEST', 'The body is not as long as Content-Length says'],
  FST_ERR_BAD_URL: ['INVALID_REQUEST', 'The path is not valid'],
};

/** The only place where a failure becomes an answer (design 7). */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (error instanceof NotModified) {
      void reply.status(304).header('etag', error.etag).send();
      return;
    }
    const request = http.getRequest<FastifyRequest>();
    const failure = this.toQuireError(error, request);
    const refusal = declarationOfRequest(request)?.refusal?.(failure);
    if (refusal) sendRefusal(reply, refusal);
    else sendError(reply, failure);
  }

  private toQuireError(error: unknown, request: FastifyRequest): QuireError {
    if (error instanceof QuireError) {
      if (error.status >= 500) this.log(error, request, isRefusal(error) ? 'warn' : 'error');
      return error;
    }
    const refusal = refusedByFastify(error);
    if (refusal) return refusal;
    if (error instanceof SyntaxError && (error as { statusCode?: number }).statusCode === 400) {
      return new QuireError('INVALID_JSON', 'The body is not valid JSON', { cause: error });
    }
    if (error instanceof HttpException && error.getStatus() === 404) {
      return new QuireError('NOT_FOUND', 'There is nothing at this path');
    }
    this.log(error, request);
    return unexpectedError(requestIdOf(request));
  }

  private log(error: unknown, request: FastifyRequest, level: 'warn' | 'error' = 'error'): void {
    const principal = attachedHandoff(request.raw)?.principal;
    const fields = {
      requestId: requestIdOf(request),
      tenant: principal?.tenant.id,
      userId: principal?.userId,
      method: request.method,
      path: request.url.split('?', 1)[0],
      err: error,
    };
    this.logger[level](fields, 'request failed');
  }
}

/** Nothing has failed: Quire has decided that it is not the time (a fence, a collection that changes). */
const isRefusal = ({ status, cause }: QuireError) => status === 503 && cause === undefined;

/** Answers what Fastify refuses before any route: a malformed URL above all. */
export function answerFrameworkError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  sendError(
    reply,
    refusedByFastify(error) ??
      new QuireError('INVALID_REQUEST', 'The request is malformed', { cause: error }),
  );
}

function refusedByFastify(error: unknown): QuireError | undefined {
  const refusal = fastifyRefusals[fastifyCode(error)];
  return refusal && new QuireError(refusal[0], refusal[1], { cause: error });
}

/** Nest wraps what Fastify refuses; the code then stands on the cause. */
function fastifyCode(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? '';
}

/** Writes a failure as the operation itself says it. */
function sendRefusal(reply: FastifyReply, { status, body, headers = {} }: Refusal): void {
  letClientFinish(reply, status);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  void reply.status(status).type('application/json; charset=utf-8').headers(headers).send(text);
}

/** Writes a failure: a page where people look at it, else the error envelope with its status and headers. */
export function sendError(reply: FastifyReply, error: QuireError): void {
  const { request } = reply;
  if (isPagePath(request.url.split('?', 1)[0] ?? ''))
    return sendRefusal(reply, errorPage(error, requestIdOf(request)));
  const { status, headers, body } = errorAnswer(error);
  letClientFinish(reply, status);
  void reply
    .status(status)
    .headers(headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** Fastify would close the connection of a client that is still sending, which would cost it the response. */
function letClientFinish(reply: FastifyReply, status: number): void {
  const { raw } = reply.request;
  if (raw.complete) return;
  reply.removeHeader('connection');
  drainRequest(raw, status);
}

function requestIdOf(request: FastifyRequest): string {
  const header = request.headers[requestIdHeader];
  return attachedHandoff(request.raw)?.requestId ?? (typeof header === 'string' ? header : 'unknown');
}
