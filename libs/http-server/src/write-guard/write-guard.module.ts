import {
  Module,
  type CallHandler,
  type DynamicModule,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { declarationOf } from '@quire/operation';
import type { Observable } from 'rxjs';
import { contextOf } from '../bootstrap/context.decorator.js';
import type { WriteGuard } from './write-guard.js';

@Module({})
class WriteGuardModule {}

/**
 * The module that makes `isBlockedInReadOnlyMode` of a service's operations effective. It follows the authorisation, so
 * callers without the permission get FORBIDDEN, and precedes the reading of parameters.
 * @param guard rejects with the reason while the site is read-only
 */
export function writeGuardModule(guard: WriteGuard): DynamicModule {
  return {
    module: WriteGuardModule,
    providers: [{ provide: APP_INTERCEPTOR, useFactory: () => new WriteGuardInterceptor(guard) }],
  };
}

class WriteGuardInterceptor implements NestInterceptor {
  constructor(private readonly guard: WriteGuard) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (declarationOf(context.getHandler())?.isBlockedInReadOnlyMode)
      await this.guard.assertWritable(contextOf(context));
    return next.handle();
  }
}
