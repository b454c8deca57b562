export { ProvidersController } from './providers.controller.js';
