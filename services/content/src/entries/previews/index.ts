export { selectPreviewGeneration, rotatePreviewGeneration } from './preview-generation.repository.js';
export { previewKey, PreviewLinks } from './preview-links.js';
export { PreviewsController } from './previews.controller.js';
