import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Thrown when the client has the current state: the response is 304 without a body. Not a failure. */
export class NotModified extends Error {
  constructor(readonly etag: string) {
    super('Not modified');
    this.name = 'NotModified';
  }
}

/** A conditional read (RFC 9110, If-None-Match): the validators of the request and the response. */
export class Conditional {
  constructor(
    private readonly ifNoneMatch: string | undefined,
    private readonly setHeader: (name: string, value: string) => void,
  ) {}

  /** Whether the client sent validators: only then it is worth reading the current validator first. */
  get hasValidators(): boolean {
    return this.ifNoneMatch !== undefined;
  }

  /** Sets the validator of the response. @param parts JSON values that differ when the response does */
  mark(parts: unknown): void {
    this.setHeader('etag', etagOf(parts));
  }

  /** @throws NotModified when the client has this state. @param parts as for `mark` */
  throwIfNotModified(parts: unknown): void {
    this.throwIfMatches(etagOf(parts));
  }

  /** @throws NotModified when the client has the state of this validator */
  throwIfMatches(etag: string): void {
    if (this.matches(etag)) throw new NotModified(etag);
  }

  /** Whether the client has the state of a validator. */
  matches(etag: string): boolean {
    return this.ifNoneMatch !== undefined && isAmong(etag, this.ifNoneMatch);
  }

  /** Prepares the response for a body that was serialised before. @returns the body, which the handler returns */
  withJson(body: Buffer, etag: string): Buffer {
    this.setHeader('etag', etag);
    this.setHeader('content-type', 'application/json; charset=utf-8');
    return body;
  }
}

/**
 * The validator of a state. Weak: the same state may be sent as different bytes, for example compressed by a proxy.
 * @param parts as for `Conditional.mark`
 */
export function etagOf(parts: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
}

/** If-None-Match compares weakly, and `*` matches any state. */
function isAmong(etag: string, list: string): boolean {
  if (list.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return list.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** Handler parameter of operations that are declared `conditional`. */
export const IfNoneMatch = createParamDecorator((_: undefined, execution: ExecutionContext): Conditional => {
  const http = execution.switchToHttp();
  const header = http.getRequest<FastifyRequest>().headers['if-none-match'];
  const reply = http.getResponse<FastifyReply>();
  return new Conditional(header, (name, value) => void reply.header(name, value));
});
