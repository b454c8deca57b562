export { MediaReferencesInternalController } from './media-references.internal.controller.js';
