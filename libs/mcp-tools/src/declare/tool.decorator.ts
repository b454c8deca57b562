import 'reflect-metadata';
import type { Context } from '@quire/context';
import type { z } from 'zod';
import type { ToolDeclaration } from './tool.js';

const declarationKey = Symbol('quire:tool');

/**
 * A method that handles a tool.
 * @param argumentsText the received JSON text of the arguments, where the tool declares `keepsArgumentsText`
 */
export type ToolHandler<Input> = (ctx: Context, input: Input, argumentsText?: string) => unknown;

/** Makes a method of a provider the handler of a declared tool. */
export function Tool<Input extends z.ZodObject>(declaration: ToolDeclaration<Input>) {
  return <Handler extends ToolHandler<z.output<Input>>>(
    _target: object,
    _name: string | symbol,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    if (descriptor.value) Reflect.defineMetadata(declarationKey, declaration, descriptor.value);
  };
}

/** The tools of a class by the names of their methods; none for other classes. */
export function toolsOf({ prototype }: { prototype: unknown }): [string, ToolDeclaration][] {
  if (typeof prototype !== 'object' || prototype === null) return [];
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) => {
    const declaration: unknown =
      typeof value === 'function' ? Reflect.getMetadata(declarationKey, value as object) : undefined;
    return declaration ? [[name, declaration as ToolDeclaration] as [string, ToolDeclaration]] : [];
  });
}
