import type { ErrorCode, QuireError } from '@quire/errors';
import type { OwnablePermission, Permission, Scope } from '@quire/permissions';
import type { z } from 'zod';
import type { GatewayRules } from './gateway-rules.js';

/** Media types that a body may have. */
export type BodyFormat = 'json' | 'form';

/** An error response in another format than the envelope. */
export interface MappedErrorResponse {
  status: number;
  /** An object is sent as JSON; a text with the given `headers`. */
  body: object | string;
  headers?: Record<string, string>;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The callers of an operation. `public` allows all; an own-or-any pair ("content:edit") requires at least the own half,
 * and the row check in the operation; `signed-in` requires only an identity, `session` a signed-in browser;
 * `internal` allows only services of Quire, `delegated` only the gateway on behalf of a user's token.
 */
export type Access =
  Permission | OwnablePermission | 'signed-in' | 'session' | 'public' | 'internal' | 'delegated';

/**
 * `recent`: a session whose user signed in or used a passkey in the last minutes, or a personal token; never the token
 * of an application. `recent-session`: only such a session.
 */
export type Reauthentication = 'recent' | 'recent-session';

/** A scope, or several of which one suffices. */
export type RequiredScope = Scope | readonly [Scope, ...Scope[]];

/**
 * The one declaration of an operation: guard, validation, types, OpenAPI and the gateway all read it (design 3). Paths
 * are relative to `/_cms/api`, or absolute when they begin with `/`; they write parameters as `:name`.
 */
export interface OperationDeclaration<
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
> extends Partial<GatewayRules> {
  /** operationId of the OpenAPI document: stable, unique. */
  id: string;
  method: HttpMethod;
  path: string;
  summary: string;
  tag: string;
  access: Access;
  /**
   * Scope that a Bearer token must have, or several of which one suffices; null where no permission is required. The
   * scope `admin` always suffices.
   */
  scope: RequiredScope | null;
  /** Further proof of identity, for operations that lead to other permissions (decision 58). */
  reauthentication?: Reauthentication;
  params?: Params;
  query?: Query;
  /** Query parameters that may be repeated: their values are joined with commas. Of others the last counts. */
  repeatable?: readonly string[];
  body?: Body;
  /** True when an empty body without Content-Type is valid and means all defaults. */
  bodyIsOptional?: boolean;
  /** Only JSON by default. */
  bodyFormats?: readonly BodyFormat[];
  /** Maximum size of a body that is read as a whole, in bytes; default: see `maxBodyBytesOf`. */
  maxBodyBytes?: number;
  /**
   * True when `@BodyText()` gets the text of a JSON body beside the parsed one: its numbers may exceed the precision of
   * JavaScript.
   */
  keepsBodyText?: boolean;
  /** A body that the operation reads as a stream, in place of `body`: its media type, and its schema for OpenAPI. */
  stream?: { mediaType: string; schema: z.ZodType };
  /** A response with the bytes of a file in place of `response`: its media type. A Range gets a part of them. */
  download?: { mediaType: string };
  /** Shape of `data` in the response; of the whole response where `envelope` is false. */
  response: z.ZodType;
  /** False when the handler returns the whole response body, not `data` of the envelope: other protocols, and pages. */
  envelope?: boolean;
  /** Maps an error to a response of another format; undefined falls back to the envelope. */
  mapError?: (error: QuireError) => MappedErrorResponse | undefined;
  /** True when scripts of any origin may call it and read the response. */
  crossOrigin?: boolean;
  /** Request headers that those scripts may send. Default: Content-Type. */
  crossOriginHeaders?: readonly string[];
  /** True when the response has an ETag and If-None-Match is evaluated: then 304 is a further response. */
  conditional?: boolean;
  /** True when a request may have an Idempotency-Key, see libs/idempotency: the handler then works in `executeOnce`. */
  idempotency?: boolean;
  /** 200 unless given. */
  status?: 200 | 201;
  /** A second success response with another status, which the handler sets itself. */
  alternativeResponse?: { status: 200 | 201 | 202; description: string; response: z.ZodType };
  /** Codes in addition to those of every operation. */
  errors?: readonly ErrorCode[];
  /** Those among them that are also returned with 409, after a concurrent change. */
  conflicts?: readonly ErrorCode[];
  /** False for routes that are not part of the public contract: they are not in the OpenAPI document. */
  isDocumented?: boolean;
  /** True for writes that are rejected while the site is read-only. */
  isBlockedInReadOnlyMode?: boolean;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Bytes of a JSON body that carries content. */
export const maxContentBodyBytes = 10 * mebibyte;

/** Maximum size of a body of the operation, in bytes: smaller for anonymous callers. */
export function maxBodyBytesOf({ access, maxBodyBytes }: OperationDeclaration): number {
  if (maxBodyBytes !== undefined) return maxBodyBytes;
  if (access === 'internal') return maxContentBodyBytes;
  return access === 'public' ? 64 * kibibyte : mebibyte;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The type of `@Input()` in the handler of a declaration. */
export type InputOf<Declaration> =
  Declaration extends OperationDeclaration<infer Params, infer Query, infer Body>
    ? { params: Parsed<Params>; query: Parsed<Query>; body: Parsed<Body> }
    : never;

const withoutScope: ReadonlySet<Access> = new Set([
  'public',
  'internal',
  'delegated',
  'signed-in',
  'session',
]);

/** Declares an operation with the exact types of its schemas. */
export function declareOperation<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(declaration: OperationDeclaration<Params, Query, Body>): OperationDeclaration<Params, Query, Body> {
  if (declaration.scope === null && !withoutScope.has(declaration.access)) {
    throw new Error(`${declaration.id}: only operations without a permission may have no scope`);
  }
  return declaration;
}
