import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { describeOperation } from '../openapi/describe.js';
import type { OperationDeclaration } from './declaration.js';

const declarationKey = Symbol('quire:operation');

/** Makes a controller method the handler of a declared operation. */
export function Operation(declaration: OperationDeclaration): MethodDecorator {
  return applyDecorators(
    RequestMapping({ path: declaration.path, method: RequestMethod[declaration.method] }),
    HttpCode(declaration.status ?? 200),
    SetMetadata(declarationKey, declaration),
    RouteConfig({ operation: declaration }),
    describeOperation(declaration),
  );
}

/** The declaration of a handler, or undefined for another method. */
export function declarationOf(handler: object): OperationDeclaration | undefined {
  return Reflect.getMetadata(declarationKey, handler) as OperationDeclaration | undefined;
}

/** The declaration of a request's operation; undefined without a route. */
export function declarationOfRequest(request: FastifyRequest): OperationDeclaration | undefined {
  return (request.routeOptions.config as { operation?: OperationDeclaration } | undefined)?.operation;
}
