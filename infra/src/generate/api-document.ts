import 'reflect-metadata';
import { Module, RequestMethod, type InjectionToken, type Type } from '@nestjs/common';
import { SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { apiPrefix } from '@quire/http-server';
import { operationsOf, serviceDocument, type JsonSchema } from '@quire/operation';
import { importModules, serviceFolders } from './service-modules.js';

/** What the types of an operation are made of. */
export interface ApiOperation {
  operationId: string;
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}

/**
 * The OpenAPI document of all services with its undocumented operations, as `cms openapi --internal` prints it.
 * Reads the declarations of the controllers, so it needs no database.
 */
export async function apiDocument(): Promise<ApiDocument> {
  const modules = await Promise.all(
    serviceFolders().map((service) => importModules(service, /\.controller\.ts$/)),
  );
  const controllers = modules
    .flat()
    .flatMap((exported) => Object.values(exported))
    .filter((value): value is Type => typeof value === 'function' && operationsOf(value).length > 0);
  class AllControllers {}
  const providers = [...new Set(controllers.flatMap(dependenciesOf))].map((provide) => ({
    provide,
    useValue: {},
  }));
  Module({ controllers, providers })(AllControllers);
  const app = await NestFactory.create(AllControllers, new FastifyAdapter(), {
    preview: true,
    abortOnError: false,
    logger: false,
  });
  const absolute = controllers
    .flatMap((controller) => operationsOf(controller))
    .filter(({ path }) => path.startsWith('/'))
    .map(({ path, method }) => ({ path, method: RequestMethod[method] }));
  app.setGlobalPrefix(apiPrefix, { exclude: absolute });
  return serviceDocument(app, {}, { includesUndocumented: true }) as unknown as ApiDocument;
}

/** The tokens of what a controller's constructor takes; nothing is called, so the values do not matter. */
function dependenciesOf(controller: Type): InjectionToken[] {
  const types = (Reflect.getMetadata('design:paramtypes', controller) ?? []) as Type[];
  const named = (Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, controller) ?? []) as {
    index: number;
    param: InjectionToken;
  }[];
  return types.map((type, index) => named.find((each) => each.index === index)?.param ?? type);
}
