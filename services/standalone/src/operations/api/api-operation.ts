import type { ErrorCode } from '@quire/errors';
import type { OperatorRole } from '@quire/tenancy';
import type { z } from 'zod';
import type { AdminService } from '../../admin-service.js';
import type { AppContainer } from '../../app-container.js';

/** Who calls an operation, and on what. */
export interface ApiContext {
  admin: AdminService;
  container: AppContainer;
  /** For the log of operators. */
  actor: string;
}

export interface ApiResult {
  /** The status of the operation unless given. */
  status?: 200 | 201 | 202;
  data: unknown;
}

/** An operation of the operators' API. Parsing, the check of the role, and the document read it. */
export interface ApiOperation {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/ops/api`, with parameters such as `:id`. */
  path: string;
  summary: string;
  /** The lowest role of its callers. */
  role: OperatorRole;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Statuses of a success, with what each of them means. */
  statuses: Readonly<Partial<Record<200 | 201 | 202, string>>>;
  response: z.ZodType;
  /** Beside those of every operation. */
  errors: readonly ErrorCode[];
  run: (ctx: ApiContext, input: { params: unknown; query: unknown; body: unknown }) => Promise<ApiResult>;
}

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Declares an operation; its function gets the parsed input. */
export function apiOperation<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  operation: Omit<ApiOperation, 'params' | 'query' | 'body' | 'run'> & {
    params?: Params;
    query?: Query;
    body?: Body;
    run: (
      ctx: ApiContext,
      input: { params: OutputOf<Params>; query: OutputOf<Query>; body: OutputOf<Body> },
    ) => Promise<ApiResult>;
  },
): ApiOperation {
  return operation as unknown as ApiOperation;
}
