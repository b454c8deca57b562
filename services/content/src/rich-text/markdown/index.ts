export { fromMarkdown } from './from-markdown.js';
export { markdownInput } from './markdown-input.js';
export { markdownProblem } from './markdown-limits.js';
export { toMarkdown } from './to-markdown.js';
