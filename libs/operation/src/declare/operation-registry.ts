import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { declarationOf } from './operation.decorator.js';
import type { OperationDeclaration } from './declaration.js';

const routeMetadata = 'path';

/**
 * Every operation of an application.
 * @throws Error at boot for a route without a declaration, or for two operations with one id (deny by default).
 */
export function listOperations(app: INestApplicationContext): OperationDeclaration[] {
  const found: OperationDeclaration[] = [];
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, unknown>;
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const handler = prototype[name];
        if (name === 'constructor' || typeof handler !== 'function') continue;
        if (!Reflect.hasMetadata(routeMetadata, handler)) continue;
        const declaration = declarationOf(handler);
        if (!declaration)
          throw new Error(`${metatype.name}.${name} is a route without an operation declaration`);
        if (found.some(({ id }) => id === declaration.id))
          throw new Error(`Duplicate operation id ${declaration.id}`);
        found.push(declaration);
      }
    }
  }
  return found;
}
