export { BodyText } from './bootstrap/body-text.js';
export { contextOf, Ctx } from './bootstrap/context.decorator.js';
export { apiPrefix, documentPath, internalPrefix } from './bootstrap/paths.js';
export { createServiceApp, type ServiceAppOptions } from './bootstrap/service-app.js';
export { drainRequest } from './body/drain-request.js';
export { Conditional, IfNoneMatch } from './conditional/conditional.js';
export { Cookies, RequestCookies, type CookieOptions } from './cookies/cookies.js';
export {
  hasSessionCookie,
  isHostOnlyText,
  newSessionText,
  sessionCookie,
  sessionTextsOf,
} from './cookies/session-cookie.js';
export { localDoor } from './handoff/local-door.js';
export { remoteDoor } from './handoff/remote-door.js';
export type { AskTerms, InternalCaller, ServiceDoor } from './handoff/service-door.js';
export { ServiceQuestions } from './handoff/service-questions.js';
export { serviceOfInternalPath, serviceOfPath } from './handoff/service-routes.js';
export { html, Html, type HtmlPart } from './pages/html.js';
export { assetsPath, isPagePath, mark, page, pageHeaders, pagesPrefix, type Page } from './pages/page.js';
export { writeRefusal } from './pages/write-refusal.js';
export { readMultipart, type FilePart, type FileTakers } from './streams/multipart.js';
export { BodyStream, type StreamedBody } from './streams/streamed-body.js';
export { Health, type Dependency } from './health/health.js';
