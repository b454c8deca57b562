import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Says that the client has what it asks for: 304 without a body. Not a failure, but an answer instead of the usual one.
 */
export class NotModified extends Error {
  constructor(readonly etag: string) {
    super('Not modified');
    this.name = 'NotModified';
  }
}

/** A conditional read (RFC 9110, If-None-Match): the request's validators and the answer's own. */
export class Conditional {
  constructor(
    private readonly ifNoneMatch: string | undefined,
    private readonly setHeader: (name: string, value: string) => void,
  ) {}

  /** Whether the client sent validators, so that it pays to find out the present one first. */
  get hasValidators(): boolean {
    return this.ifNoneMatch !== undefined;
  }

  /** Names the state that the answer shows. @param parts JSON values that differ when the answer does. */
  mark(parts: unknown): void {
    this.setHeader('etag', etagOf(parts));
  }

  /** @throws NotModified when the client has seen this state. @param parts as for `mark`. */
  throwIfNotModified(parts: unknown): void {
    const etag = etagOf(parts);
    if (this.ifNoneMatch !== undefined && isAmong(etag, this.ifNoneMatch)) throw new NotModified(etag);
  }
}

/** Weak: the same state may be sent in different bytes, compressed by a proxy above all. */
function etagOf(parts: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
}

/** The comparison of If-None-Match is weak, and `*` means any state. */
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
