export { blockList, storedBlocks, storedRecord, openRecord } from './rich-text.schemas.js';
