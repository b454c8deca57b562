export { ContentQuestions } from './content-questions.js';
export { SiteContent, unlessGone, type ContentCollection, type ContentDocuments } from './site-content.js';
