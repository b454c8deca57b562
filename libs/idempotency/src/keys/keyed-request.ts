import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { invalidInput } from '@quire/errors';
import { declarationOf } from '@quire/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A request that its client may repeat with the same key. */
export interface KeyedRequest {
  key: string;
  /** Id of the operation. */
  operation: string;
  reply: FastifyReply;
}

const header = 'idempotency-key';
const keyPattern = /^[!-~]{1,255}$/;

/** Handler parameter of operations that declare `idempotency`: undefined for a request without a key. */
export const Idempotent = createParamDecorator((_: undefined, execution: ExecutionContext) => {
  const declaration = declarationOf(execution.getHandler());
  if (!declaration?.idempotency)
    throw new Error('@Idempotent() used on a handler that does not declare idempotency');
  const http = execution.switchToHttp();
  const key = http.getRequest<FastifyRequest>().headers[header];
  return keyedRequest(key, declaration.id, http.getResponse<FastifyReply>());
});

/** @throws QuireError VALIDATION_ERROR for an invalid key */
export function keyedRequest(
  key: string | string[] | undefined,
  operation: string,
  reply: FastifyReply,
): KeyedRequest | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !keyPattern.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters';
    throw invalidInput([{ path: 'Idempotency-Key', message }]);
  }
  return { key, operation, reply };
}
