export { MediaReferencesController } from './media-references.internal.controller.js';
