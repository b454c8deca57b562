import { Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { declarationOfRequest } from '@quire/operation';
import type { FastifyInstance } from 'fastify';
import { contextOfRequest } from '../bootstrap/context.decorator.js';
import type { WriteGuard } from './write-guard.js';

@Module({})
class WriteGuardModule {}

/**
 * The module that makes `isBlockedInReadOnlyMode` of a service's operations effective. It follows the authorisation, so
 * callers without the permission get FORBIDDEN, and precedes the reading of parameters.
 * @param guard rejects with the reason while the site is read-only
 */
export function writeGuardModule(guard: WriteGuard): DynamicModule {
  const hook = {
    provide: WriteGuardHook,
    inject: [HttpAdapterHost],
    useFactory: (host: HttpAdapterHost) => new WriteGuardHook(host, guard),
  };
  return { module: WriteGuardModule, providers: [hook] };
}

/** A hook of Fastify: with an interceptor, Nest would wrap the handlers of all operations in observables. */
class WriteGuardHook implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly guard: WriteGuard,
  ) {}

  /** Adds the hook. The routes follow: Nest registers them after the initialisation of the modules. */
  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('preHandler', (request, _reply, done) => {
      if (!declarationOfRequest(request)?.isBlockedInReadOnlyMode) return done();
      this.guard.assertWritable(contextOfRequest(request)).then(() => done(), done);
    });
  }
}
