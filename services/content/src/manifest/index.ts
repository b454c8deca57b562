export { ManifestController } from './manifest.controller.js';
export { ManifestServices } from './manifest-services.js';
