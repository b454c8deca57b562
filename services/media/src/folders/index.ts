export { MediaFolder } from './folder.entity.js';
export { folderNameDigest, folderNameKey } from './folder-name.js';
