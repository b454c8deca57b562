import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCookieAuth,
  ApiExcludeEndpoint,
  ApiExtension,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { errorStatus, type ErrorCode } from '@quire/errors';
import type { z } from 'zod';
import type { OperationDeclaration, RequiredScope } from '../declare/declaration.js';
import {
  componentReference,
  errorEnvelopeId,
  inlineSchema,
  objectProperties,
  successEnvelope,
  type JsonSchema,
} from './schemas.js';

const errorsOfEveryOperation: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'SITE_SUSPENDED',
  'SITE_DELETED',
  'RATE_LIMITED',
  // For an address and headers that are too long, where there is no body.
  'PAYLOAD_TOO_LARGE',
  // Public operations require no token, but reject an invalid one.
  'INVALID_TOKEN',
];
const errorsOfProtectedOperations: readonly ErrorCode[] = [
  'NOT_AUTHENTICATED',
  'FORBIDDEN',
  'INSUFFICIENT_SCOPE',
];
const errorsOfReauthentication: readonly ErrorCode[] = ['REAUTHENTICATION_REQUIRED'];
/** Also errors of writes without a body: an unexpected body is parsed before the operation is called. */
const errorsOfBodies: readonly ErrorCode[] = ['INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE'];
const errorsOfStreams: readonly ErrorCode[] = ['UNSUPPORTED_MEDIA_TYPE'];
const errorsOfUnsafeMethods: readonly ErrorCode[] = ['CSRF_REJECTED'];

/** Extension of the operations that only the internal document has. */
export const undocumentedMark = 'x-internal';

const pendingDescriptions: (() => void)[] = [];

/**
 * Describes a declaration for @nestjs/swagger, from `describePendingOperations` on: the conversion of all schemas takes
 * a good part of a start, and few processes are asked for their document.
 */
export function describeOperation(declaration: OperationDeclaration): MethodDecorator {
  return (...method) => void pendingDescriptions.push(() => description(declaration)(...method));
}

/** Describes the operations that are declared so far. */
export function describePendingOperations(): void {
  for (const describe of pendingDescriptions.splice(0)) describe();
}

function description(declaration: OperationDeclaration): MethodDecorator {
  if (!isForClients(declaration)) return ApiExcludeEndpoint();
  const { id, summary, tag, access, scope } = declaration;
  const isPublic = access === 'public';
  const rights = isPublic
    ? ''
    : `Permission \`${access}\`${scope === null ? '' : `, scope ${scopeText(scope)}`}.`;
  return applyDecorators(
    ...(declaration.isDocumented === false ? [ApiExtension(undocumentedMark, true)] : []),
    ApiTags(tag),
    ApiOperation({ operationId: id, summary, description: rights, ...(isPublic ? { security: [] } : {}) }),
    ...(isPublic ? [] : [ApiCookieAuth('session'), ApiBearerAuth('bearer')]),
    ...parameters(declaration.params, (name, schema) =>
      // The rest of a path has a name in the document only.
      ApiParam({ name: name === '*' ? 'path' : name, required: true, schema: schema as never }),
    ),
    ...parameters(declaration.query, (name, schema, required) =>
      ApiQuery({ name, required, schema: schema as never }),
    ),
    ...(declaration.body
      ? [
          ApiBody({
            required: !declaration.bodyIsOptional,
            schema: inlineSchema(declaration.body, 'input') as never,
          }),
        ]
      : []),
    ...(declaration.stream ? streamedBody(declaration.stream) : []),
    ...(declaration.download
      ? downloadResponses(declaration.download)
      : [
          successResponse({
            status: declaration.status ?? 200,
            description: 'The result',
            response: declaration.response,
          }),
        ]),
    ...(declaration.alternativeResponse ? [successResponse(declaration.alternativeResponse)] : []),
    ...(declaration.conditional
      ? [
          ApiHeader({ name: 'If-None-Match', description: 'ETag of an earlier response', required: false }),
          ApiResponse({ status: 304, description: 'The response has not changed since that ETag' }),
        ]
      : []),
    ...(declaration.idempotency ? [idempotencyKey] : []),
    ...errorResponses(declaration),
  );
}

/**
 * Whether an operation is in the OpenAPI document, at least in the internal one. Undocumented operations of the API
 * are; those between services, pages and other protocols are not.
 */
function isForClients({ isDocumented, envelope, access, download, stream }: OperationDeclaration): boolean {
  if (isDocumented !== false) return true;
  return envelope !== false && access !== 'internal' && access !== 'delegated' && !download && !stream;
}

/** A scope, or several of which one suffices: "`a` or `b`". */
function scopeText(scope: RequiredScope): string {
  return [scope]
    .flat()
    .map((each) => `\`${each}\``)
    .join(' or ');
}

const idempotencyKey = ApiHeader({
  name: 'Idempotency-Key',
  description:
    'A request with the key of a request of the last 24 hours is not executed again: it gets the first response, with Idempotency-Replayed: true',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
});

function streamedBody({ mediaType, schema }: NonNullable<OperationDeclaration['stream']>): MethodDecorator[] {
  return [
    ApiConsumes(mediaType),
    ApiBody({ required: true, schema: inlineSchema(schema, 'input') as never }),
  ];
}

function downloadResponses({ mediaType }: NonNullable<OperationDeclaration['download']>): MethodDecorator[] {
  const content = { [mediaType]: { schema: { type: 'string', format: 'binary' } as const } };
  return [
    ApiHeader({ name: 'Range', description: 'One range of bytes', required: false }),
    ApiHeader({
      name: 'If-Range',
      description: 'ETag of the response that the Range continues: other bytes are sent as a whole',
      required: false,
    }),
    ApiResponse({ status: 200, description: 'The bytes', content }),
    ApiResponse({ status: 206, description: 'The bytes of the Range', content }),
    ApiResponse({ status: 416, description: 'The Range is not within the bytes' }),
  ];
}

function parameters(
  schema: z.ZodType | undefined,
  describe: (name: string, schema: JsonSchema, required: boolean) => MethodDecorator,
): MethodDecorator[] {
  if (!schema) return [];
  return objectProperties(schema).map(({ name, schema, required }) => describe(name, schema, required));
}

function successResponse({
  status,
  description,
  response,
}: NonNullable<OperationDeclaration['alternativeResponse']>): MethodDecorator {
  const schema = successEnvelope(response) as never;
  return ApiResponse({ status, description, content: { 'application/json': { schema } } });
}

/** One response for each status, with its codes: including 401 and 403 (decision 35). */
function errorResponses({
  access,
  reauthentication,
  stream,
  method,
  idempotency,
  errors = [],
  conflicts = [],
}: OperationDeclaration): MethodDecorator[] {
  const codes = new Set<ErrorCode>([
    ...errorsOfEveryOperation,
    ...(access === 'public' ? [] : errorsOfProtectedOperations),
    ...(reauthentication === undefined ? [] : errorsOfReauthentication),
    ...(method === 'GET' ? [] : [...errorsOfUnsafeMethods, ...(stream ? errorsOfStreams : errorsOfBodies)]),
    ...(idempotency ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
    ...errors,
  ]);
  const byStatus = [...codes].reduce((groups, code) => {
    const status = errorStatus[code];
    return groups.set(status, [...(groups.get(status) ?? []), code]);
  }, new Map<number, ErrorCode[]>());
  if (conflicts.length > 0) byStatus.set(409, [...(byStatus.get(409) ?? []), ...conflicts]);
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, group]) =>
      ApiResponse({
        status,
        description: group.join(', '),
        content: { 'application/json': { schema: componentReference(errorEnvelopeId) as never } },
      }),
    );
}
