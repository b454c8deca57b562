import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { invalidInput, QuireError, type Issue } from '@quire/errors';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { OperationDeclaration } from '../declare/declaration.js';
import { declarationOf } from '../declare/operation.decorator.js';

/** Parses parameters, query and body with the operation's schemas; all problems are reported together. */
export function parseInput(
  declaration: OperationDeclaration,
  request: { params: unknown; query: unknown; body: unknown },
): { params: unknown; query: unknown; body: unknown } {
  const issues: Issue[] = [];
  const params = parsePart(declaration.params, request.params, issues);
  const query = parsePart(declaration.query, normaliseQuery(request.query, declaration.repeatable), issues);
  const body = parseBody(declaration, request.body, issues);
  if (issues.length > 0) throw invalidInput(issues);
  return { params, query, body };
}

function parseBody(
  { body: schema, bodyIsOptional }: OperationDeclaration,
  body: unknown,
  issues: Issue[],
): unknown {
  if (!schema) return undefined;
  if (body === undefined && !bodyIsOptional) throw new QuireError('INVALID_JSON', 'A JSON body is required');
  // No body means all defaults; `null` is a body like any other.
  return parsePart(schema, body === undefined ? {} : body, issues);
}

function parsePart(schema: z.ZodType | undefined, value: unknown, issues: Issue[]): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    issues.push({ path: issue.path.join('.'), message: issue.message });
  return undefined;
}

/** Of a repeated query parameter the last counts (contract 1), unless the operation accepts several. */
function normaliseQuery(query: unknown, repeatable: readonly string[] = []): unknown {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (!Array.isArray(value)) flat[name] = value;
    else flat[name] = repeatable.includes(name) ? value.join(',') : value.at(-1);
  }
  return flat;
}

/** Handler parameter: the operation's parsed input, typed by `InputOf<typeof declaration>`. */
export const Input = createParamDecorator((_: undefined, context: ExecutionContext) => {
  const declaration = declarationOf(context.getHandler());
  if (!declaration) throw new Error('@Input() needs a handler with @Operation()');
  const { params, query, body } = context.switchToHttp().getRequest<FastifyRequest>();
  return parseInput(declaration, { params, query, body });
});
