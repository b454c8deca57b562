export { ImageReader, type ImageDetails } from './image-reader.js';
