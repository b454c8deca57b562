export { markdownInput, toMarkdown } from './markdown/index.js';
export { blockList, storedBlocks, storedRecord, openRecord } from './rich-text.schemas.js';
