import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { contextOf } from '@quire/http-server';
import { declarationOf } from '@quire/operation';
import type { Observable } from 'rxjs';
import { ReadOnlyMode } from './read-only-mode.js';

/**
 * Rejects operations that are declared to be blocked in read-only mode while the site is in it. Runs after the guard,
 * so callers without the permission get FORBIDDEN.
 */
@Injectable()
export class ReadOnlyModeInterceptor implements NestInterceptor {
  constructor(@Inject(ReadOnlyMode) private readonly readOnlyMode: ReadOnlyMode) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (declarationOf(context.getHandler())?.isBlockedInReadOnlyMode)
      await this.readOnlyMode.assertWritable(contextOf(context));
    return next.handle();
  }
}
