export { EdgeServices } from './edge-services.js';
export { EdgeSignIn } from './edge-sign-in.entity.js';
export { EdgeInternalController } from './edge.internal.controller.js';
export { edgeMigration } from './edge.tables.js';
