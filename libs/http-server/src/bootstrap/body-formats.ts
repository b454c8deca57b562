import { QuireError } from '@quire/errors';
import { declarationOfRequest, type BodyFormat } from '@quire/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const maximumFormBytes = 64 * 1024;
const maximumFormFields = 200;

/** What Fastify takes a body for that the operation reads by itself: no parser of another type is to touch it. */
const unparsed = 'application/octet-stream';

/** JSON wherever a body is taken, forms and streams where the operation declares them, nothing else (decision 30). */
export function acceptBodies(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  // Fastify takes text/plain as well.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (!takes(request, 'json')) done(unsupported('application/x-www-form-urlencoded'));
    // Clients send `publish` and its like with no body at all, some with a JSON Content-Type (contract 39): both mean
    // "all defaults", and operations that need a body say so themselves.
    else if (text === '') done(null, undefined);
    else parseJson(request, text, done);
  });
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maximumFormBytes },
    (request, text: string, done) => {
      if (!takes(request, 'form')) return done(unsupported('application/json'));
      const fields = new URLSearchParams(text);
      if (fields.size > maximumFormFields)
        return done(new QuireError('PAYLOAD_TOO_LARGE', `A form has ${maximumFormFields} fields at most`));
      done(null, formFields(fields));
    },
  );
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (declarationOfRequest(request)?.stream) request.headers = { 'content-type': unparsed };
    done();
  });
  fastify.addContentTypeParser(unparsed, (request, _payload, done) => {
    if (declarationOfRequest(request)?.stream) done(null, undefined);
    else done(unsupported('application/json'));
  });
}

/** The fields of a form; one that comes again is a list. */
function formFields(fields: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(fields.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = fields.getAll(name);
      return [name, values.length === 1 ? String(values[0]) : values];
    }),
  );
}

function takes(request: FastifyRequest, format: BodyFormat): boolean {
  return (declarationOfRequest(request)?.bodyFormats ?? ['json']).includes(format);
}

function unsupported(instead: string): QuireError {
  return new QuireError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${instead}`);
}
