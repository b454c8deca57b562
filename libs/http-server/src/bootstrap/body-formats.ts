import { QuireError } from '@quire/errors';
import { getRequestIdentity } from '@quire/context';
import {
  declarationOfRequest,
  maxBodyBytesOf,
  type BodyFormat,
  type OperationDeclaration,
} from '@quire/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BodyMemory } from '../body/body-memory.js';
import { JsonScanner } from '../body/json-scanner.js';
import { readBody } from '../body/read-body.js';
import { keepBodyText } from './body-text.js';

const mebibyte = 1024 * 1024;
const maxFormBytes = 64 * 1024;
const maxFormFields = 200;
/** Time limit for a body that is read as a whole. Streams have the listener's limit. */
const bodyTimeoutMs = 30_000;

/** Shared by all services in this process. */
const memory = new BodyMemory({ maxBytes: 128 * mebibyte, maxBytesPerTenant: 48 * mebibyte });

/** The content type for bodies that the operation reads itself: no parser of Fastify matches it. */
const unparsed = 'application/octet-stream';

/**
 * JSON for all bodies, forms and streams where the operation declares them, nothing else (decision 30).
 * @param operations of the service: their largest body fits into memory beside others
 */
export function acceptBodies(fastify: FastifyInstance, operations: readonly OperationDeclaration[]): void {
  memory.addRoomFor(Math.max(0, ...operations.map(maxBodyBytesOf)));
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  // Fastify accepts text/plain by default.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const declaration = declarationFor(request, 'json');
    const scanner = new JsonScanner();
    const text = await receive(request, maxBodyBytesOf(declaration), (chunk) => scanner.scan(chunk));
    // Clients send `publish` and similar requests without a body, some with a JSON Content-Type (contract 39): both
    // mean "all defaults", and operations that require a body report its absence themselves.
    if (text === '') return undefined;
    keepBodyText(request, text);
    return new Promise((resolve, reject) => {
      parseJson(request, text, (error, value) => (error ? reject(error) : resolve(value)));
    });
  });
  fastify.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    declarationFor(request, 'form');
    const fields = new URLSearchParams(await receive(request, maxFormBytes));
    if (fields.size > maxFormFields)
      throw new QuireError('PAYLOAD_TOO_LARGE', `A form has ${maxFormFields} fields at most`);
    return formFields(fields);
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (declarationOfRequest(request)?.stream) request.headers = { 'content-type': unparsed };
    done();
  });
  fastify.addContentTypeParser(unparsed, (request, _payload, done) => {
    if (declarationOfRequest(request)?.stream) done(null, undefined);
    else done(unsupported('application/json'));
  });
}

/** Receives the body of an authorised request within the limits of its operation. */
function receive(
  request: FastifyRequest,
  maxBytes: number,
  onChunk?: (chunk: Buffer) => void,
): Promise<string> {
  const { raw } = request;
  const length = raw.headers['content-length'];
  return readBody(raw, {
    contentLength: length === undefined ? undefined : Number(length),
    limits: { maxBytes, timeoutMs: bodyTimeoutMs },
    memory: memory.open(getRequestIdentity(raw)?.principal.tenant.id ?? ''),
    ...(onChunk && { onChunk }),
  });
}

/** The fields of a form; repeated fields become a list. */
function formFields(fields: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(fields.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = fields.getAll(name);
      return [name, values.length === 1 ? String(values[0]) : values];
    }),
  );
}

/** The declaration of the operation that a body is for. @throws QuireError UNSUPPORTED_MEDIA_TYPE */
function declarationFor(request: FastifyRequest, format: BodyFormat): OperationDeclaration {
  const declaration = declarationOfRequest(request);
  const formats = declaration?.bodyFormats ?? ['json'];
  if (!declaration || !formats.includes(format))
    throw unsupported(format === 'json' ? 'application/x-www-form-urlencoded' : 'application/json');
  return declaration;
}

function unsupported(instead: string): QuireError {
  return new QuireError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${instead}`);
}
