/** Prefix of every path of the API. */
export const apiPrefix = '/_cms/api';

/** Prefix of calls between the services of one installation; the gateway never forwards such paths. */
const internalPrefix = `${apiPrefix}/internal`;

/** Path of a service's part of the OpenAPI document, which the gateway merges. */
export function documentPath(service: string): string {
  return `${internalPrefix}/${service}/openapi.json`;
}

/**
 * The full path of a declared one: a path that begins with `/` is absolute, others are relative to the API's prefix.
 */
export function pathOf(declared: string): string {
  return declared.startsWith('/') ? declared : `${apiPrefix}/${declared}`;
}

/** The service of an internal path: `/_cms/api/internal/<service>/…`. */
export function serviceOfInternalPath(path: string): string | undefined {
  return path.startsWith(`${internalPrefix}/`)
    ? path.slice(internalPrefix.length + 1).split('/', 1)[0]
    : undefined;
}
