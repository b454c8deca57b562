export { ManifestController } from './manifest.controller.js';
export { ManifestDeps } from './manifest-deps.js';
