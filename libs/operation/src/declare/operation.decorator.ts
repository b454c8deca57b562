import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { describeOperation } from '../openapi/describe.js';
import type { OperationDeclaration } from './declaration.js';

const declarationKey = Symbol('quire:operation');

/** Makes a controller method the handler of a declared operation. */
export function Operation(declaration: OperationDeclaration): MethodDecorator {
  return applyDecorators(
    RequestMapping({ path: declaration.path, method: RequestMethod[declaration.method] }),
    HttpCode(declaration.status ?? 200),
    SetMetadata(declarationKey, declaration),
    describeOperation(declaration),
  );
}

/** The declaration of a handler, or undefined for a method that is none. */
export function declarationOf(handler: object): OperationDeclaration | undefined {
  return Reflect.getMetadata(declarationKey, handler) as OperationDeclaration | undefined;
}
