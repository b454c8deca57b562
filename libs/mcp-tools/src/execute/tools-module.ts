import { Controller, Inject, Module, type DynamicModule, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { AuditingService } from '@quire/audit';
import type { Context } from '@quire/context';
import { apiPrefix, BodyText, Ctx, type WriteGuard } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { ToolExecutor } from './tool-executor.js';

/** Path of a tool for calls of the gateway from another process. */
export function toolPath(service: string, tool: string): string {
  return `${apiPrefix}/internal/${service}/tools/${tool}`;
}

export interface ToolsModuleOptions {
  service: AuditingService;
  writeGuard: WriteGuard;
  /** Maximum size of the arguments of a call in bytes. */
  maxArgumentsBytes: number;
}

@Module({})
class ToolsModule {}

/**
 * The module that executes the tools of a service: its resources only provide them. The controller serves a gateway in
 * another process; one in the same process calls `ToolExecutor`.
 */
export function toolsModule({ service, writeGuard, maxArgumentsBytes }: ToolsModuleOptions): DynamicModule {
  return {
    module: ToolsModule,
    controllers: [toolsController(service, maxArgumentsBytes)],
    providers: [
      {
        provide: ToolExecutor,
        inject: [ModulesContainer],
        useFactory: (modules: ModulesContainer) => new ToolExecutor(service, modules, writeGuard),
      },
    ],
  };
}

function toolsController(service: AuditingService, maxBodyBytes: number): Type {
  const callTool = declareOperation({
    id: 'callTool',
    method: 'POST',
    path: `internal/${service}/tools/:tool`,
    summary: 'Call a tool for a user',
    tag: 'Internal',
    access: 'delegated',
    scope: null,
    isDocumented: false,
    params: z.object({ tool: z.string() }),
    body: z.record(z.string(), z.unknown()),
    keepsBodyText: true,
    maxBodyBytes,
    envelope: false,
    response: z.unknown(),
  });

  @Controller()
  class ToolsController {
    constructor(@Inject(ToolExecutor) private readonly executor: ToolExecutor) {}

    @Operation(callTool)
    callTool(
      @Ctx() ctx: Context,
      @Input() { params, body }: InputOf<typeof callTool>,
      @BodyText() text: string | undefined,
    ) {
      return this.executor.call(ctx, { ...params, arguments: body, argumentsText: text });
    }
  }
  return ToolsController;
}
