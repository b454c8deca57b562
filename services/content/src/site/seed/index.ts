export { SeedInternalController } from './seed.internal.controller.js';
