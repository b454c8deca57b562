export { Comment } from './comment.entity.js';
