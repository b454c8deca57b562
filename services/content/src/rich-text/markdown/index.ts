export { fromMarkdown } from './from-markdown.js';
export { toMarkdown } from './to-markdown.js';
