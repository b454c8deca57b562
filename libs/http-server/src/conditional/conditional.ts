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
    const etag = etagOf(parts);
    if (this.ifNoneMatch !== undefined && isAmong(etag, this.ifNoneMatch)) throw new NotModified(etag);
  }
}

/** Weak: the same state may be sent as different bytes, for example compressed by a proxy. */
function etagOf(parts: unknown): string {
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
