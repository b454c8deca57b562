export { MediaFolder } from './folder.entity.js';
