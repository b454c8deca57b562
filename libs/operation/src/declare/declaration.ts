import type { ErrorCode } from '@quire/errors';
import type { OwnablePermission, Permission, Scope } from '@quire/permissions';
import type { z } from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call. `public` lets anybody in; an own-or-any pair ("content:edit") needs at least the own half here, and
 * the row check in the operation; `signed-in` needs no more than an identity; `internal` lets only Quire itself in.
 */
export type Access = Permission | OwnablePermission | 'signed-in' | 'public' | 'internal';

/**
 * The one declaration of an operation: guard, validation, types and OpenAPI all read it (design 3).
 * Paths are relative to `/_cms/api` and write parameters as `:name`.
 */
export interface OperationDeclaration<
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** operationId of the OpenAPI document: stable, unique. */
  id: string;
  method: HttpMethod;
  path: string;
  summary: string;
  tag: string;
  access: Access;
  /** Scope that a Bearer token must carry; null only with public or internal access. */
  scope: Scope | null;
  params?: Params;
  query?: Query;
  body?: Body;
  /** True when an empty body without Content-Type is valid and means all defaults. */
  bodyIsOptional?: boolean;
  /** Shape of `data` in the answer. */
  response: z.ZodType;
  /** True when the answer carries an ETag and If-None-Match is heeded: then 304 is an answer too. */
  conditional?: boolean;
  /** 200 unless given. */
  status?: 200 | 201;
  /** A second success with another status, which the handler sets itself. */
  alternative?: { status: 200 | 201; description: string; response: z.ZodType };
  /** Codes beyond those that every operation can give. */
  errors?: readonly ErrorCode[];
  /** False for routes beside the public contract: they work and are not in the OpenAPI document. */
  documented?: boolean;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What `@Input()` hands to the handler of a declaration. */
export type InputOf<Declaration> =
  Declaration extends OperationDeclaration<infer Params, infer Query, infer Body>
    ? { params: Parsed<Params>; query: Parsed<Query>; body: Parsed<Body> }
    : never;

/** Types a declaration while keeping its schemas' exact types. */
export function declareOperation<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(declaration: OperationDeclaration<Params, Query, Body>): OperationDeclaration<Params, Query, Body> {
  if (declaration.scope === null && declaration.access !== 'public' && declaration.access !== 'internal') {
    throw new Error(`${declaration.id}: only public and internal operations may go without a scope`);
  }
  return declaration;
}
