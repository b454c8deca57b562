export { ActivationServices } from './activation-services.js';
export { ActivationController } from './activation.controller.js';
export { readActivation } from './activation.repository.js';
export type { Progress } from './activation.schemas.js';
export { activationMigration } from './activation.tables.js';
export type { UsageHistory } from './usage-history.js';
