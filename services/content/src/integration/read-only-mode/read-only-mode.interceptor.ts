import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { contextOf } from '@quire/http-server';
import { declarationOf, type OperationDeclaration } from '@quire/operation';
import type { Observable } from 'rxjs';
import { ReadOnlyMode } from './read-only-mode.js';

/**
 * Refuses writes of content and schema while a fence is raised. Runs after the guard: who may not write learns that
 * first.
 */
@Injectable()
export class ReadOnlyModeInterceptor implements NestInterceptor {
  constructor(@Inject(ReadOnlyMode) private readonly readOnlyMode: ReadOnlyMode) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const declaration = declarationOf(context.getHandler());
    if (declaration && isWrite(declaration)) await this.readOnlyMode.assertWritable(contextOf(context));
    return next.handle();
  }
}

const isWrite = ({ method, access }: OperationDeclaration) =>
  method !== 'GET' && /^(content|schema):(?!read)/.test(access);
