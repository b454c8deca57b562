import { errorStatus, type ErrorCode } from '@quire/errors';
import {
  componentReference,
  errorEnvelopeId,
  inlineSchema,
  objectProperties,
  referredComponents,
  successEnvelope,
  type JsonSchema,
} from '@quire/operation';
import { version } from '../../version.js';
import { opsPaths } from '../pages.js';
import type { ApiOperation } from './api-operation.js';

const errorsOfEveryOperation: readonly ErrorCode[] = [
  'NOT_AUTHENTICATED',
  'VALIDATION_ERROR',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const errorsOfChanges: readonly ErrorCode[] = ['INSUFFICIENT_ROLE', 'CSRF_REJECTED'];
const errorsOfBodies: readonly ErrorCode[] = [
  'INVALID_JSON',
  'INVALID_REQUEST',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
];

/** The OpenAPI 3.1 document of operations. */
export function apiDocument(operations: readonly ApiOperation[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = opsPaths.api + operation.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quire API for operators',
      version,
      description: 'Sites of an installation and the log of operators, on the operations port.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The operations port' }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [{ name: 'Operators', description: 'For operators of the installation' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token of `cms operator token create`' },
        session: { type: 'apiKey', in: 'cookie', name: 'quire_ops', description: 'A session of a browser' },
      },
      schemas: referredComponents(paths),
    },
  };
}

function describe(operation: ApiOperation): object {
  const { id, summary, role, params, query, body, statuses, response } = operation;
  const success = { 'application/json': { schema: successEnvelope(response) } };
  const parameters = [
    ...(params ? objectProperties(params).map((each) => ({ in: 'path', ...each, required: true })) : []),
    ...(query ? objectProperties(query).map((each) => ({ in: 'query', ...each })) : []),
  ];
  return {
    operationId: id,
    tags: ['Operators'],
    summary,
    description: `Role \`${role}\`.`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: inlineSchema(body, 'input') } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(statuses).map(([status, description]) => [status, { description, content: success }]),
      ),
      ...errorResponses(operation),
    },
  };
}

function errorResponses({ role, body, errors }: ApiOperation): Record<number, JsonSchema> {
  const codes = [
    ...errorsOfEveryOperation,
    ...(role === 'operator' ? errorsOfChanges : []),
    ...(body ? errorsOfBodies : []),
    ...errors,
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes))
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.join(', '),
        content: { 'application/json': { schema: componentReference(errorEnvelopeId) } },
      },
    ]),
  );
}
