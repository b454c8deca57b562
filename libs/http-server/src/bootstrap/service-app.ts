import { Module, RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InternalTokenVerifier } from '@quire/context';
import type { TransactionalDatabase } from '@quire/database';
import { successText, securityHeaders } from '@quire/errors';
import type { Logger } from '@quire/observability';
import {
  declarationOfRequest,
  listOperations,
  serviceDocument,
  type OperationDeclaration,
} from '@quire/operation';
import type { Tenant } from '@quire/tenancy';
import type { FastifyInstance } from 'fastify';
import { authoriseRequests } from './authorisation.js';
import { acceptBodies } from './body-formats.js';
import { envelopeOnly, type ErrorRenderer } from '../errors/error-renderer.js';
import { frameworkErrorHandler, EnvelopeFilter } from './error-filter.js';
import { apiPrefix, documentPath } from './paths.js';
import { registerNotFoundHandler } from './not-found-handler.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The database of a tenant, for the context of `@Ctx()`. */
    tenantDatabase: TenantDatabase;
  }
}

/** Returns the database of a tenant, whose statements belong to a trace. */
export type TenantDatabase = (tenant: Tenant, trace?: string) => TransactionalDatabase;

const maxParameterLength = 2048;

export interface ServiceAppOptions {
  /** Name of the service: "content". */
  service: string;
  /** Descriptions of the tags of its documented operations, by name. */
  tags?: Readonly<Record<string, string>>;
  /** The module that wires the service's resources. */
  module: Type | DynamicModule;
  logger: Logger;
  verifier: InternalTokenVerifier;
  tenantDatabase: TenantDatabase;
  /** Renders the errors of the service's pages; without one every error is an envelope. */
  renderError?: ErrorRenderer;
}

@Module({})
class ServiceAppModule {}

/**
 * A service as a Nest application on Fastify, ready for requests of the gateway: authorisation, envelope, error filter,
 * limits and unknown routes are the same for all services.
 */
export async function createServiceApp(options: ServiceAppOptions): Promise<NestFastifyApplication> {
  const { service, logger, verifier, module, tenantDatabase, renderError = envelopeOnly } = options;
  const adapter = new FastifyAdapter({
    routerOptions: { maxParamLength: maxParameterLength, ignoreTrailingSlash: true },
    return503OnClosing: false,
    frameworkErrors: frameworkErrorHandler(renderError),
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    {
      module: ServiceAppModule,
      imports: [module],
      providers: [{ provide: APP_FILTER, useFactory: () => new EnvelopeFilter(logger, renderError) }],
    },
    adapter,
    { logger: ['error', 'fatal'], abortOnError: false, bodyParser: false },
  );
  const operations = listOperations(app);
  assertDescribedTags(operations, options.tags);
  app.setGlobalPrefix(apiPrefix, { exclude: routesOutside(operations) });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  fastify.decorate('tenantDatabase', tenantDatabase);
  acceptBodies(fastify, operations);
  fastify.setReplySerializer(successText);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders);
    const operation = declarationOfRequest(request);
    if (operation?.envelope === false) reply.type('application/json; charset=utf-8').serializer(toBareText);
    if (operation?.crossOrigin) reply.header('access-control-allow-origin', '*');
    done();
  });
  registerNotFoundHandler(fastify, operations, renderError);
  authoriseRequests(fastify, { service, verifier });
  await app.init();
  serveDocument(app, fastify, options);
  await fastify.ready();
  return app;
}

/** @throws Error at boot for a documented operation whose tag has no description. */
function assertDescribedTags(operations: readonly OperationDeclaration[], tags: object = {}): void {
  const found = operations.find(({ tag, isDocumented }) => isDocumented !== false && !(tag in tags));
  if (found) throw new Error(`${found.id}: the tag ${found.tag} has no description`);
}

/** Routes of operations with an absolute path, which do not have the API's prefix. */
function routesOutside(operations: readonly OperationDeclaration[]) {
  return operations
    .filter(({ path }) => path.startsWith('/'))
    .map(({ path, method }) => ({ path, method: RequestMethod[method] }));
}

/** The text of a response without the envelope: a string is sent unchanged. */
function toBareText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}

function serveDocument(
  app: NestFastifyApplication,
  fastify: FastifyInstance,
  { service, tags = {} }: ServiceAppOptions,
): void {
  const texts = new Map<boolean, string>();
  fastify.get<{ Querystring: { internal?: string } }>(documentPath(service), ({ query }, reply) => {
    const includesUndocumented = query.internal === 'true';
    const text =
      texts.get(includesUndocumented) ?? JSON.stringify(serviceDocument(app, tags, { includesUndocumented }));
    texts.set(includesUndocumented, text);
    void reply.type('application/json').send(text);
  });
}
