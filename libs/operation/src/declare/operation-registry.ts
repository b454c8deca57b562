import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { declarationOf } from './operation.decorator.js';
import type { OperationDeclaration } from './declaration.js';

const routeMetadata = 'path';

type ControllerClass = Pick<NewableFunction, 'name' | 'prototype'>;

/**
 * Every operation of an application.
 * @throws Error at boot for a route without a declaration, or for two operations with one id (deny by default).
 */
export function listOperations(app: INestApplicationContext): OperationDeclaration[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype),
  );
  const operations = controllers.flatMap((controller) =>
    typeof controller === 'function' ? operationsOf(controller) : [],
  );
  const ids = new Set<string>();
  for (const { id } of operations) {
    if (ids.has(id)) throw new Error(`Duplicate operation id ${id}`);
    ids.add(id);
  }
  return operations;
}

/**
 * The operations of a class whose methods handle them; none for other classes.
 * @throws Error for a route without a declaration.
 */
export function operationsOf(controller: ControllerClass): OperationDeclaration[] {
  return handlersOf(controller).flatMap(([name, handler]) => {
    if (!Reflect.hasMetadata(routeMetadata, handler)) return [];
    const declaration = declarationOf(handler);
    if (!declaration)
      throw new Error(`${controller.name}.${name} is a route without an operation declaration`);
    return [declaration];
  });
}

/** The methods of a class by name, including inherited ones: Nest serves their routes too. */
function handlersOf(controller: ControllerClass): [string, NewableFunction][] {
  const handlers = new Map<string, NewableFunction>();
  let prototype = controller.prototype as object | null | undefined;
  for (; prototype && prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (name !== 'constructor' && typeof value === 'function' && !handlers.has(name))
        handlers.set(name, value as NewableFunction);
  return [...handlers];
}
