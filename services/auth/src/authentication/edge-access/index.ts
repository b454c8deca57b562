export { EdgeAccessDeps } from './edge-deps.js';
export { EdgeSignIn } from './edge-sign-in.entity.js';
export { EdgeAccessInternalController } from './edge-access.internal.controller.js';
