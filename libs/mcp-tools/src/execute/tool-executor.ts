import type { ModulesContainer } from '@nestjs/core';
import { auditToolCall, type AuditingService } from '@quire/audit';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { WriteGuard } from '@quire/http-server';
import { authorise } from '@quire/operation';
import { hasScope } from '@quire/permissions';
import { stringifyJson } from '@quire/values';
import { toolsOf, type ToolHandler } from '../declare/tool.decorator.js';
import type { ToolDeclaration } from '../declare/tool.js';
import { parseArguments } from './parse-arguments.js';

/** A call of one tool. */
export interface ToolCall {
  tool: string;
  /** The received JSON object. */
  arguments: Record<string, unknown>;
  /** Its text, for tools that declare `keepsArgumentsText`. */
  argumentsText?: string | undefined;
}

interface BoundTool {
  declaration: ToolDeclaration;
  handle: ToolHandler<unknown>;
}

/** Executes the tools of one service. */
export class ToolExecutor {
  private bound: ReadonlyMap<string, BoundTool> | undefined;

  constructor(
    private readonly service: AuditingService,
    private readonly modules: ModulesContainer,
    private readonly writeGuard: WriteGuard,
  ) {}

  /**
   * Calls a tool in the order of contract 2.3: arguments, blocked writes, scope, role, then the operation. A writing
   * call is recorded in the audit log before the operation begins: no change is without its record.
   * @returns the JSON text of the result
   * @throws QuireError NOT_FOUND for an unknown tool, VALIDATION_ERROR with every invalid argument, the reason of
   *   blocked writes, INSUFFICIENT_SCOPE, FORBIDDEN, the refusals of `withoutScope`, and the errors of the operation.
   */
  async call(ctx: Context, { tool, arguments: given, argumentsText }: ToolCall): Promise<string> {
    const found = this.tools.get(tool);
    if (!found) throw notFound('tool');
    const { declaration, handle } = found;
    const input = parseArguments(declaration.input, given);
    const isWrite = !declaration.annotations.readOnlyHint;
    if (isWrite) await this.writeGuard.assertWritable(ctx);
    await authoriseCall(ctx, declaration, input);
    if (isWrite) {
      const target = declaration.target?.(input) ?? null;
      await auditToolCall(ctx, this.service, { tool, target });
    }
    return stringifyJson(await handle(ctx, input, argumentsText));
  }

  private get tools(): ReadonlyMap<string, BoundTool> {
    this.bound ??= bindTools(this.modules);
    return this.bound;
  }
}

/** Checks scope and role. A tool may allow calls of tokens without the scope: then the role comes first. */
async function authoriseCall(
  ctx: Context,
  declaration: ToolDeclaration,
  input: Record<string, unknown>,
): Promise<void> {
  const { scope, withoutScope } = declaration;
  if (!withoutScope || hasScope(ctx.principal, scope)) return authorise(declaration, ctx.principal);
  authorise({ ...declaration, scope: null }, ctx.principal);
  await withoutScope(ctx, input);
}

/** @throws Error for two tools of one name. */
function bindTools(modules: ModulesContainer): ReadonlyMap<string, BoundTool> {
  const tools = new Map<string, BoundTool>();
  const providers = [...modules.values()].flatMap((module) => [...module.providers.values()]);
  for (const { instance, metatype } of providers) {
    if (typeof metatype !== 'function' || typeof instance !== 'object' || instance === null) continue;
    for (const [method, declaration] of toolsOf(metatype as { prototype: unknown })) {
      if (tools.has(declaration.name)) throw new Error(`Two tools have the name ${declaration.name}`);
      const handler = (instance as Record<string, ToolHandler<unknown>>)[method];
      if (handler) tools.set(declaration.name, { declaration, handle: handler.bind(instance) });
    }
  }
  return tools;
}
