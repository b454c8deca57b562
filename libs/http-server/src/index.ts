export { Ctx } from './bootstrap/context.decorator.js';
export { apiPrefix, documentPath, internalPrefix } from './bootstrap/paths.js';
export { createServiceApp, type ServiceAppOptions } from './bootstrap/service-app.js';
export { Conditional, IfNoneMatch } from './conditional/conditional.js';
export { localDoor } from './handoff/local-door.js';
export { remoteDoor } from './handoff/remote-door.js';
export type { ServiceDoor } from './handoff/service-door.js';
export { serviceOfInternalPath, serviceOfPath } from './handoff/service-routes.js';
export { Health, type Dependency } from './health/health.js';
