export { ManifestDeps } from './manifest.operations.js';
