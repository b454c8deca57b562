export { MediaDirectory, type MediaFile } from './media-directory.js';
