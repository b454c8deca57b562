import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { declarationOfRequest } from '@quire/operation';
import type { FastifyRequest } from 'fastify';

const bodyTexts = new WeakMap<FastifyRequest, string>();

/** Stores the text of a JSON body for the duration of its request, where the operation declares `keepsBodyText`. */
export function keepBodyText(request: FastifyRequest, text: string): void {
  if (declarationOfRequest(request)?.keepsBodyText) bodyTexts.set(request, text);
}

/** Handler parameter of operations that declare `keepsBodyText`: the received JSON text; undefined without a body. */
export const BodyText = createParamDecorator((_: undefined, execution: ExecutionContext) =>
  bodyTexts.get(execution.switchToHttp().getRequest<FastifyRequest>()),
);
