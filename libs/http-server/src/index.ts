export { attachInternalIdentity } from './bootstrap/authorisation.js';
export { BodyText } from './bootstrap/body-text.js';
export { CurrentPrincipal, Ctx } from './bootstrap/context.decorator.js';
export { apiPrefix, documentPath, pathOf, serviceOfInternalPath } from './bootstrap/paths.js';
export { createServiceApp, type ServiceAppOptions } from './bootstrap/service-app.js';
export { BodyMemory } from './body/body-memory.js';
export { parseByteRange } from './bytes/byte-range.js';
export { sendBytes, sendDownload, type BytesResponse, type Download } from './bytes/send-bytes.js';
export { drainRequest } from './body/drain-request.js';
export { JsonScanner } from './body/json-scanner.js';
export { readBody } from './body/read-body.js';
export { Conditional, etagOf, IfNoneMatch } from './conditional/conditional.js';
export { Cookies, cookiesOf, RequestCookies, type CookieOptions } from './cookies/cookies.js';
export {
  hasSessionCookie,
  isHostOnlySessionToken,
  createSessionToken,
  sessionCookie,
  sessionTokensOf,
} from './cookies/session-cookie.js';
export { envelopeOnly, type ErrorRenderer } from './errors/error-renderer.js';
export { writeErrorResponse } from './errors/write-error-response.js';
export { isLocalPath, toLocationHeader } from './redirects/local-path.js';
export { readMultipart, type FilePart, type FileHandlers } from './streams/multipart.js';
export { ndjson, type NdjsonOptions } from './streams/ndjson.js';
export { BodyStream, type StreamedBody } from './streams/streamed-body.js';
export { firstReasonOf, RegistryWriteGuard } from './write-guard/registry-write-guard.js';
export { WriteGuard } from './write-guard/write-guard.js';
export { writeGuardModule } from './write-guard/write-guard.module.js';
export { type Dependency } from './health/dependency-check.js';
export { Health, type Readiness } from './health/health.js';
