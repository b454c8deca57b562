export { MediaFolder } from './folder.entity.js';
export { MediaFolder } from './folder.entity.js';
