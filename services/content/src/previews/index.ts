export { previewKey, PreviewLinks } from './preview-links.js';
export { PreviewsController } from './previews.controller.js';
