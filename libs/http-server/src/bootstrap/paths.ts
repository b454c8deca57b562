/** Every path of the API begins so. */
export const apiPrefix = '/_cms/api';

/** Below this the services of one installation talk to each other; the gateway never hands it on. */
export const internalPrefix = `${apiPrefix}/internal`;

/** Where a service serves its part of the OpenAPI document, for the gateway to put together. */
export function documentPath(service: string): string {
  return `${internalPrefix}/${service}/openapi.json`;
}

/** The whole path of a declared one: those that begin with `/` are absolute, others stand below the API's prefix. */
export function pathOf(declared: string): string {
  return declared.startsWith('/') ? declared : `${apiPrefix}/${declared}`;
}

/** The service that a path between services is meant for: `/_cms/api/internal/<service>/…`. */
export function serviceOfInternalPath(path: string): string | undefined {
  return path.startsWith(`${internalPrefix}/`)
    ? path.slice(internalPrefix.length + 1).split('/', 1)[0]
    : undefined;
}
